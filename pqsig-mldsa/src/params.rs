//! The parameter sets (FIPS 204, section 4, Tables 1 and 2).

use crate::poly::{Element, Ntt, Poly, PolyVec};
use pqsig_comm::encoding::ByteArray;

/// The modulus q = 2^23 - 2^13 + 1.
pub(crate) const Q: i32 = 8_380_417;
/// Coefficients of a polynomial.
pub(crate) const N: usize = 256;
/// Dropped bits of t.
pub(crate) const D: u32 = 13;

/// Range of the coefficients of s1 and s2: [-eta, eta].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eta {
    /// eta = 2.
    Two,
    /// eta = 4.
    Four,
}

impl Eta {
    #[inline(always)]
    pub(crate) const fn value(self) -> i32 {
        match self {
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    /// Bytes of an encoded polynomial: 3 or 4 bits for each coefficient.
    pub(crate) const fn encoded_len(self) -> usize {
        match self {
            Self::Two => 32 * 3,
            Self::Four => 32 * 4,
        }
    }
}

/// Range of the coefficients of y: (-gamma1, gamma1].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gamma1 {
    /// gamma1 = 2^17.
    Pow17,
    /// gamma1 = 2^19.
    Pow19,
}

impl Gamma1 {
    #[inline(always)]
    pub(crate) const fn value(self) -> i32 {
        match self {
            Self::Pow17 => 1 << 17,
            Self::Pow19 => 1 << 19,
        }
    }

    /// Bytes of an encoded polynomial: 18 or 20 bits for each coefficient.
    pub(crate) const fn encoded_len(self) -> usize {
        match self {
            Self::Pow17 => 32 * 18,
            Self::Pow19 => 32 * 20,
        }
    }
}

/// Half the width of a high-bits interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gamma2 {
    /// (q - 1) / 88
    Q88,
    /// (q - 1) / 32
    Q32,
}

impl Gamma2 {
    #[inline(always)]
    pub(crate) const fn value(self) -> i32 {
        match self {
            Self::Q88 => (Q - 1) / 88,
            Self::Q32 => (Q - 1) / 32,
        }
    }

    /// Number of high-bits values, m of Algorithm 40 (`UseHint`): 44 or 16.
    #[inline(always)]
    pub(crate) const fn intervals(self) -> i32 {
        match self {
            Self::Q88 => 44,
            Self::Q32 => 16,
        }
    }

    /// Bytes of an encoded high-bits polynomial: 6 or 4 bits for each coefficient.
    pub(crate) const fn encoded_len(self) -> usize {
        match self {
            Self::Q88 => 32 * 6,
            Self::Q32 => 32 * 4,
        }
    }
}

/// One of the three parameter sets of ML-DSA. Sealed: [`MlDsa44`], [`MlDsa65`], [`MlDsa87`].
pub trait ParameterSet:
    sealed::Params
    + Copy
    + Eq
    + Ord
    + core::hash::Hash
    + core::fmt::Debug
    + Default
    + Send
    + Sync
    + 'static
{
    /// The name that FIPS 204 gives it, such as `"ML-DSA-65"`.
    const NAME: &'static str;

    /// `[u8; N]` with the length of an encoded verifying key: 1312, 1952, 2592 bytes.
    type VerifyingKeyBytes: ByteArray;
    /// `[u8; N]` with the length of an expanded signing key: 2560, 4032, 4896 bytes.
    type SigningKeyBytes: ByteArray;
    /// `[u8; N]` with the length of a signature: 2420, 3309, 4627 bytes.
    type SignatureBytes: ByteArray;
}

pub(crate) mod sealed {
    use super::*;

    /// The numbers of a set, and the arrays whose lengths follow from them.
    pub trait Params {
        /// Rows of A.
        const K: usize;
        /// Columns of A.
        const L: usize;
        const ETA: Eta;
        /// Non-zero coefficients of the challenge c.
        const TAU: usize;
        const GAMMA1: Gamma1;
        const GAMMA2: Gamma2;
        /// Most ones in the hint.
        const OMEGA: usize;
        /// Bound of the coefficients of c s1 and c s2.
        const BETA: i32 = Self::TAU as i32 * Self::ETA.value();

        type VecK<T: Element>: PolyVec<T>;
        type VecL<T: Element>: PolyVec<T>;
        /// A, row by row.
        type Matrix: PolyVec<Poly<Ntt>>;
        /// The commitment hash, lambda / 4 bytes.
        type CTilde: ByteArray;
        /// The encoded w1 of all rows.
        type Commitment: ByteArray;
        /// The encoded hint, omega + k bytes.
        type Hint: ByteArray;

        #[cfg(feature = "pkcs8")]
        const OID: pkcs8::ObjectIdentifier;
    }
}

macro_rules! parameter_set {
    (
        $(#[$meta:meta])* $set:ident, $name:literal,
        k: $k:literal, l: $l:literal, eta: $eta:ident, tau: $tau:literal, lambda: $lambda:literal,
        gamma1: $gamma1:ident, gamma2: $gamma2:ident, omega: $omega:literal,
        verifying_key: $vk:literal, signing_key: $sk:literal, signature: $sig:literal,
        oid: $oid:literal
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $set;

        impl ParameterSet for $set {
            const NAME: &'static str = $name;
            type VerifyingKeyBytes = [u8; $vk];
            type SigningKeyBytes = [u8; $sk];
            type SignatureBytes = [u8; $sig];
        }

        impl sealed::Params for $set {
            const K: usize = $k;
            const L: usize = $l;
            const ETA: Eta = Eta::$eta;
            const TAU: usize = $tau;
            const GAMMA1: Gamma1 = Gamma1::$gamma1;
            const GAMMA2: Gamma2 = Gamma2::$gamma2;
            const OMEGA: usize = $omega;
            type VecK<T: Element> = [T; $k];
            type VecL<T: Element> = [T; $l];
            type Matrix = [Poly<Ntt>; $k * $l];
            type CTilde = [u8; $lambda / 4];
            type Commitment = [u8; $k * Self::GAMMA2.encoded_len()];
            type Hint = [u8; $omega + $k];
            #[cfg(feature = "pkcs8")]
            const OID: pkcs8::ObjectIdentifier = pkcs8::ObjectIdentifier::new_unwrap($oid);
        }

        // Every length against its formula: FIPS 204, Algorithms 22, 24 and 26.
        const _: () = {
            use sealed::Params;
            let t1_bits = 23 - D as usize;
            assert!($vk == 32 + 32 * $k * t1_bits);
            let eta_len = <$set>::ETA.encoded_len();
            assert!($sk == 32 + 32 + 64 + ($k + $l) * eta_len + 32 * D as usize * $k);
            assert!($sig == $lambda / 4 + $l * <$set>::GAMMA1.encoded_len() + $omega + $k);
            assert!(<$set>::GAMMA2.value() * 2 * <$set>::GAMMA2.intervals() == Q - 1);
        };
    };
}

parameter_set! {
    /// ML-DSA-44: security category 2. Verifying key 1312, signature 2420 bytes.
    MlDsa44, "ML-DSA-44",
    k: 4, l: 4, eta: Two, tau: 39, lambda: 128, gamma1: Pow17, gamma2: Q88, omega: 80,
    verifying_key: 1312, signing_key: 2560, signature: 2420, oid: "2.16.840.1.101.3.4.3.17"
}

parameter_set! {
    /// ML-DSA-65: security category 3. Verifying key 1952, signature 3309 bytes.
    MlDsa65, "ML-DSA-65",
    k: 6, l: 5, eta: Four, tau: 49, lambda: 192, gamma1: Pow19, gamma2: Q32, omega: 55,
    verifying_key: 1952, signing_key: 4032, signature: 3309, oid: "2.16.840.1.101.3.4.3.18"
}

parameter_set! {
    /// ML-DSA-87: security category 5. Verifying key 2592, signature 4627 bytes.
    MlDsa87, "ML-DSA-87",
    k: 8, l: 7, eta: Two, tau: 60, lambda: 256, gamma1: Pow19, gamma2: Q32, omega: 75,
    verifying_key: 2592, signing_key: 4896, signature: 4627, oid: "2.16.840.1.101.3.4.3.19"
}
