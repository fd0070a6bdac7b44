//! The parameter sets.

use crate::encoding::ByteArray;
use zeroize::Zeroize;

/// `concat!` takes no constants.
#[cfg(feature = "pkcs8")]
macro_rules! experimental_arc {
    () => {
        "2.25.1831233816"
    };
}

/// The modulus q = 3 * 2^12 + 1.
pub const Q: u16 = 12_289;

/// The largest absolute value of a coefficient of s1 and s2.
pub const MAX_COEFFICIENT: i16 = 840;

/// The largest absolute value of a coefficient of F and G.
pub const MAX_CAPITAL_F: i8 = 127;

/// Bits of a coefficient of F in an encoded signing key.
pub const CAPITAL_F_BITS: u32 = 8;

/// Length of the nonce in a signature, in bytes.
pub const NONCE_LEN: usize = 40;

/// Length of the hash of a verifying key, in bytes.
pub const KEY_HASH_LEN: usize = 64;

/// Length of the random bytes that key generation takes.
pub const KEYGEN_SEED_LEN: usize = 32;

/// Length of the random bytes that one signature takes, and of the seeds derived from them.
pub const SIGN_SEED_LEN: usize = 40;

/// Attempts at a signature before signing gives up; with a valid key, the probability of
/// getting there is below 2^-240.
pub const MAX_ATTEMPTS: u8 = 27;

/// The arc under which [`ParameterSet::EXPERIMENTAL_OID`] names the sets: `2.25.N.LOGN`.
///
/// Numbers under 2.25 (ITU-T X.667, UUIDs) need no registration. N is the first 32 bits of the
/// name-based UUID (version 5, URL namespace) of
/// `https://github.com/pqsig/pqsig#fn-dsa-guess-2026-07-22`, which is
/// `6d266918-e37a-51e7-bdc3-3a46064d5ad7`; the crate `const-oid` cannot hold a longer arc. NIST
/// has not assigned identifiers yet. When it has, the literals in this file are what changes.
#[cfg(feature = "pkcs8")]
pub const EXPERIMENTAL_ARC: &str = experimental_arc!();

/// A parameter set of FN-DSA. Sealed: [`FnDsa512`] and [`FnDsa1024`], and with the feature `toy`
/// the insecure `FnDsaToy`.
///
/// The numbers are a best guess until FIPS 206 is published.
pub trait ParameterSet:
    sealed::Sealed
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
    /// The name, such as `"FN-DSA-512"`.
    const NAME: &'static str;
    /// Binary logarithm of the degree.
    const LOGN: u32;
    /// The degree n: coefficients of a polynomial.
    const N: usize = 1 << Self::LOGN;

    /// Length of an encoded signing key: 1345 and 2369 bytes.
    const SIGNING_KEY_LEN: usize = Self::SigningKeyBytes::LEN;
    /// Length of an encoded verifying key: 897 and 1793 bytes.
    const VERIFYING_KEY_LEN: usize = Self::VerifyingKeyBytes::LEN;
    /// Length of a signature: 666 and 1280 bytes.
    const SIGNATURE_LEN: usize = Self::SignatureBytes::LEN;

    /// First byte of an encoded signing key.
    const SIGNING_KEY_HEADER: u8 = 0x50 + Self::LOGN as u8;
    /// First byte of an encoded verifying key.
    const VERIFYING_KEY_HEADER: u8 = Self::LOGN as u8;
    /// First byte of a signature.
    const SIGNATURE_HEADER: u8 = 0x30 + Self::LOGN as u8;

    /// Bits of a coefficient of f and g in an encoded signing key.
    const FG_BITS: u32;
    /// beta^2: the largest squared norm of (s1, s2).
    const MAX_SQUARED_NORM: u32;
    /// 1 / sigma, the inverse of the standard deviation of signatures, as the bits of a binary64.
    const INV_SIGMA: u64;
    /// The smallest standard deviation that the sampler is asked for, as the bits of a binary64.
    const SIGMA_MIN: u64;

    /// The object identifier of the algorithm: experimental, and sure to change. See
    /// [`EXPERIMENTAL_ARC`].
    #[cfg(feature = "pkcs8")]
    const EXPERIMENTAL_OID: pkcs8::ObjectIdentifier;

    /// `[u8; N]` with the length of an encoded signing key.
    type SigningKeyBytes: ByteArray;
    /// `[u8; N]` with the length of an encoded verifying key.
    type VerifyingKeyBytes: ByteArray;
    /// `[u8; N]` with the length of a signature.
    type SignatureBytes: ByteArray;

    /// `[T; n]`: one value for each coefficient.
    type Poly<T: Element>: PolyArray<T>;
    /// `[T; n / 2]`: one value for each pair of conjugate roots.
    type HalfPoly<T: Element>: PolyArray<T>;
}

/// What a polynomial may be made of.
pub trait Element: Copy + Zeroize + Send + Sync + Unpin + 'static {
    /// Zero.
    const ZERO: Self;
}

macro_rules! elements {
    ($($type:ty: $zero:literal),*) => {$(
        impl Element for $type {
            const ZERO: Self = $zero;
        }
    )*};
}

elements!(i8: 0, u8: 0, i16: 0, u16: 0, i32: 0, u32: 0, i64: 0, u64: 0, f64: 0.0);

/// For several values to each coefficient in one array.
impl<T: Element, const K: usize> Element for [T; K] {
    const ZERO: Self = [T::ZERO; K];
}

/// An array of a length that the trait does not name, as [`ByteArray`] is one of bytes.
pub trait PolyArray<T>:
    AsRef<[T]> + AsMut<[T]> + Copy + Zeroize + Send + Sync + Unpin + 'static
{
    /// All zero.
    const ZERO: Self;
}

impl<T: Element, const N: usize> PolyArray<T> for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! parameter_set {
    (
        $set:ty, $name:literal, logn: $logn:literal,
        signing_key: $sk:literal, verifying_key: $vk:literal, signature: $sig:literal,
        fg_bits: $fg_bits:literal, max_squared_norm: $norm:literal,
        inv_sigma: $inv_sigma:literal, sigma_min: $sigma_min:literal
    ) => {
        impl sealed::Sealed for $set {}

        impl ParameterSet for $set {
            const NAME: &'static str = $name;
            const LOGN: u32 = $logn;
            const FG_BITS: u32 = $fg_bits;
            const MAX_SQUARED_NORM: u32 = $norm;
            const INV_SIGMA: u64 = $inv_sigma;
            const SIGMA_MIN: u64 = $sigma_min;

            #[cfg(feature = "pkcs8")]
            const EXPERIMENTAL_OID: pkcs8::ObjectIdentifier =
                pkcs8::ObjectIdentifier::new_unwrap(concat!(experimental_arc!(), ".", $logn));

            type SigningKeyBytes = [u8; $sk];
            type VerifyingKeyBytes = [u8; $vk];
            type SignatureBytes = [u8; $sig];
            type Poly<T: Element> = [T; 1 << $logn];
            type HalfPoly<T: Element> = [T; 1 << ($logn - 1)];
        }

        // Every length against its formula. That of a signature is a choice: room for the
        // average compressed s2 and some standard deviations.
        const _: () = {
            let n = 1 << $logn;
            let fg_len = $fg_bits as usize * n / 8;
            let capital_f_len = CAPITAL_F_BITS as usize * n / 8;
            assert!($sk == 1 + 2 * fg_len + capital_f_len + KEY_HASH_LEN);
            assert!($vk == 1 + 14 * n / 8);
            let k = 10 - $logn;
            let scaled = 3 * (256 >> k) + 2 * (128 >> k) + 3 * (64 >> k) + 2 * (16 >> k)
                - 2 * (2 >> k)
                - 8 * (1 >> k);
            assert!($sig == 44 + scaled);
        };
    };
}

/// FN-DSA-512: security category 1. Verifying key 897, signature 666, signing key 1345 bytes.
///
/// A best guess until FIPS 206 is published; not compatible with Falcon-512 of round 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FnDsa512;

/// FN-DSA-1024: security category 5. Verifying key 1793, signature 1280, signing key 2369 bytes.
///
/// A best guess until FIPS 206 is published; not compatible with Falcon-1024 of round 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FnDsa1024;

/// FN-DSA of degree `2^LOGN`, for `LOGN` from 2 to 8: **insecure**, for tests and research.
///
/// A lattice of these dimensions is solved on a laptop. Keys and signatures of degree 4 do not
/// equal those of `fn-dsa` 0.4.0.
#[cfg(feature = "toy")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FnDsaToy<const LOGN: u32>;

parameter_set! {
    FnDsa512, "FN-DSA-512", logn: 9,
    signing_key: 1345, verifying_key: 897, signature: 666,
    fg_bits: 6, max_squared_norm: 34_034_726,
    inv_sigma: 0x3f78_b6c2_de64_c7c9, sigma_min: 0x3ff4_7201_bf1f_7a75
}

parameter_set! {
    FnDsa1024, "FN-DSA-1024", logn: 10,
    signing_key: 2369, verifying_key: 1793, signature: 1280,
    fg_bits: 5, max_squared_norm: 70_265_242,
    inv_sigma: 0x3f78_531e_f631_1ae2, sigma_min: 0x3ff4_c5c1_9990_c764
}

#[cfg(feature = "toy")]
parameter_set! {
    FnDsaToy<2>, "FN-DSA-TOY-4", logn: 2,
    signing_key: 77, verifying_key: 8, signature: 47,
    fg_bits: 8, max_squared_norm: 208_714,
    inv_sigma: 0x3f7b_e50a_548c_aed8, sigma_min: 0x3ff2_1d2e_dcad_8626
}

#[cfg(feature = "toy")]
parameter_set! {
    FnDsaToy<3>, "FN-DSA-TOY-8", logn: 3,
    signing_key: 89, verifying_key: 15, signature: 52,
    fg_bits: 8, max_squared_norm: 428_865,
    inv_sigma: 0x3f7b_852e_e09e_762b, sigma_min: 0x3ff2_5c46_e1aa_7c7a
}

#[cfg(feature = "toy")]
parameter_set! {
    FnDsaToy<4>, "FN-DSA-TOY-16", logn: 4,
    signing_key: 113, verifying_key: 29, signature: 63,
    fg_bits: 8, max_squared_norm: 892_039,
    inv_sigma: 0x3f7a_fc5e_d3ca_da35, sigma_min: 0x3ff2_b95c_574a_fb25
}

#[cfg(feature = "toy")]
parameter_set! {
    FnDsaToy<5>, "FN-DSA-TOY-32", logn: 5,
    signing_key: 161, verifying_key: 57, signature: 82,
    fg_bits: 8, max_squared_norm: 1_852_696,
    inv_sigma: 0x3f7a_7b3b_0976_b3ec, sigma_min: 0x3ff3_14ab_c7fe_22b6
}

#[cfg(feature = "toy")]
parameter_set! {
    FnDsaToy<6>, "FN-DSA-TOY-64", logn: 6,
    signing_key: 241, verifying_key: 113, signature: 122,
    fg_bits: 7, max_squared_norm: 3_842_630,
    inv_sigma: 0x3f7a_0112_82ca_9c97, sigma_min: 0x3ff3_6e4e_3475_d7c3
}

#[cfg(feature = "toy")]
parameter_set! {
    FnDsaToy<7>, "FN-DSA-TOY-128", logn: 7,
    signing_key: 417, verifying_key: 225, signature: 200,
    fg_bits: 7, max_squared_norm: 7_959_734,
    inv_sigma: 0x3f79_8d49_ce5f_2735, sigma_min: 0x3ff3_c65a_66a1_c224
}

#[cfg(feature = "toy")]
parameter_set! {
    FnDsaToy<8>, "FN-DSA-TOY-256", logn: 8,
    signing_key: 705, verifying_key: 449, signature: 356,
    fg_bits: 6, max_squared_norm: 16_468_416,
    inv_sigma: 0x3f79_1f57_c56e_d9ed, sigma_min: 0x3ff4_1ce5_358c_b3a0
}

/// The algorithm identifier of keys and signatures: the experimental object identifier, and no
/// parameters.
#[cfg(feature = "pkcs8")]
#[must_use]
pub const fn algorithm_identifier<P: ParameterSet>() -> spki::AlgorithmIdentifierRef<'static> {
    spki::AlgorithmIdentifierRef {
        oid: P::EXPERIMENTAL_OID,
        parameters: None,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    /// The numbers against their formulas, as well as binary64 can tell.
    fn check<P: ParameterSet>() {
        use core::f64::consts::PI;
        let n = P::N as f64;
        let smoothing = 1.17 * f64::from(Q).sqrt();
        let epsilon = 1.0 / (f64::max(2.0, n / 4.0) * 2_f64.powi(64)).sqrt();
        let sigma_min = ((4.0 * n * (1.0 + 1.0 / epsilon)).ln() / PI).sqrt() / (2.0 * PI).sqrt();
        let sigma = sigma_min * smoothing;
        let close = |bits, value: f64| (f64::from_bits(bits) / value - 1.0).abs() < 1e-14;
        assert!(close(P::SIGMA_MIN, sigma_min), "{}", P::NAME);
        assert!(close(P::INV_SIGMA, 1.0 / sigma), "{}", P::NAME);
        let norm = ((1.1 * sigma).powi(2) * 2.0 * n).floor();
        assert_eq!(f64::from(P::MAX_SQUARED_NORM), norm, "{}", P::NAME);

        assert_eq!(P::Poly::<u8>::ZERO.as_ref().len(), P::N);
        assert_eq!(P::HalfPoly::<u8>::ZERO.as_ref().len(), P::N / 2);
        assert_eq!(P::SIGNATURE_HEADER, 0x30 | P::LOGN as u8);
        assert_eq!(P::SIGNING_KEY_HEADER, 0x50 | P::LOGN as u8);
        #[cfg(feature = "pkcs8")]
        assert_eq!(
            std::format!("{}.{}", EXPERIMENTAL_ARC, P::LOGN),
            std::format!("{}", P::EXPERIMENTAL_OID)
        );
    }

    #[test]
    fn numbers_follow_from_their_formulas() {
        check::<FnDsa512>();
        check::<FnDsa1024>();
        #[cfg(feature = "toy")]
        {
            check::<FnDsaToy<2>>();
            check::<FnDsaToy<3>>();
            check::<FnDsaToy<4>>();
            check::<FnDsaToy<5>>();
            check::<FnDsaToy<6>>();
            check::<FnDsaToy<7>>();
            check::<FnDsaToy<8>>();
        }
    }
}
