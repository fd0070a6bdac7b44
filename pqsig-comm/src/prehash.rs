//! The twelve digests of HashML-DSA (FIPS 204, section 5.4) and HashFN-DSA.

use crate::Error;
use digest::{ExtendableOutput, FixedOutput, Update, XofReader};

/// The longest digest, in bytes.
pub const MAX_DIGEST_LEN: usize = 64;

/// A hash function that may stand in front of a pre-hash signature.
///
/// The signed message names the function by its DER-encoded object identifier, so a digest made
/// with one function never verifies as that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PreHash {
    /// SHA-224.
    Sha2_224,
    /// SHA-256.
    Sha2_256,
    /// SHA-384.
    Sha2_384,
    /// SHA-512.
    Sha2_512,
    /// SHA-512/224.
    Sha2_512_224,
    /// SHA-512/256.
    Sha2_512_256,
    /// SHA3-224.
    Sha3_224,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
    /// SHAKE128 with 32 bytes of output.
    Shake128,
    /// SHAKE256 with 64 bytes of output.
    Shake256,
}

impl PreHash {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Sha2_224,
        Self::Sha2_256,
        Self::Sha2_384,
        Self::Sha2_512,
        Self::Sha2_512_224,
        Self::Sha2_512_256,
        Self::Sha3_224,
        Self::Sha3_256,
        Self::Sha3_384,
        Self::Sha3_512,
        Self::Shake128,
        Self::Shake256,
    ];

    /// Length of the digest in bytes: 28, 32, 48 or 64.
    #[must_use]
    pub const fn digest_len(self) -> usize {
        match self {
            Self::Sha2_224 | Self::Sha2_512_224 | Self::Sha3_224 => 28,
            Self::Sha2_256 | Self::Sha2_512_256 | Self::Sha3_256 | Self::Shake128 => 32,
            Self::Sha2_384 | Self::Sha3_384 => 48,
            Self::Sha2_512 | Self::Sha3_512 | Self::Shake256 => 64,
        }
    }

    /// The object identifier in DER, tag and length included: 2.16.840.1.101.3.4.2.x, NIST's arc
    /// of hash algorithms.
    #[must_use]
    pub const fn oid_der(self) -> [u8; 11] {
        let last = match self {
            Self::Sha2_256 => 1,
            Self::Sha2_384 => 2,
            Self::Sha2_512 => 3,
            Self::Sha2_224 => 4,
            Self::Sha2_512_224 => 5,
            Self::Sha2_512_256 => 6,
            Self::Sha3_224 => 7,
            Self::Sha3_256 => 8,
            Self::Sha3_384 => 9,
            Self::Sha3_512 => 10,
            Self::Shake128 => 11,
            Self::Shake256 => 12,
        };
        [
            0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, last,
        ]
    }

    /// Checks a digest that was computed elsewhere.
    ///
    /// # Errors
    /// [`Error::DigestLength`] if `digest` does not have [`PreHash::digest_len`] bytes.
    pub fn check(self, digest: &[u8]) -> Result<(), Error> {
        if digest.len() == self.digest_len() {
            Ok(())
        } else {
            Err(Error::DigestLength)
        }
    }
}

/// A digest type with a known [`PreHash`]: those of the crates `sha2`, `sha3` and `shake`.
pub trait PrehashDigest: Default + Update {
    /// Which function this is.
    const PREHASH: PreHash;

    /// Writes the digest; `out` has [`PreHash::digest_len`] bytes.
    fn finalize_prehash(self, out: &mut [u8]);
}

macro_rules! fixed_digests {
    ($($digest:ty => $prehash:ident),* $(,)?) => {$(
        impl PrehashDigest for $digest {
            const PREHASH: PreHash = PreHash::$prehash;

            fn finalize_prehash(self, out: &mut [u8]) {
                out.copy_from_slice(&self.finalize_fixed());
            }
        }
    )*};
}

fixed_digests! {
    sha2::Sha224 => Sha2_224,
    sha2::Sha256 => Sha2_256,
    sha2::Sha384 => Sha2_384,
    sha2::Sha512 => Sha2_512,
    sha2::Sha512_224 => Sha2_512_224,
    sha2::Sha512_256 => Sha2_512_256,
    sha3::Sha3_224 => Sha3_224,
    sha3::Sha3_256 => Sha3_256,
    sha3::Sha3_384 => Sha3_384,
    sha3::Sha3_512 => Sha3_512,
}

impl PrehashDigest for shake::Shake128 {
    const PREHASH: PreHash = PreHash::Shake128;

    fn finalize_prehash(self, out: &mut [u8]) {
        self.finalize_xof().read(out);
    }
}

impl PrehashDigest for shake::Shake256 {
    const PREHASH: PreHash = PreHash::Shake256;

    fn finalize_prehash(self, out: &mut [u8]) {
        self.finalize_xof().read(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::digest::const_oid::AssociatedOid;

    fn check<D: PrehashDigest + AssociatedOid + FixedOutput>() {
        assert_eq!(&D::PREHASH.oid_der()[2..], D::OID.as_bytes());
        assert_eq!(D::PREHASH.digest_len(), D::output_size());
        let mut out = [0; MAX_DIGEST_LEN];
        D::default().finalize_prehash(&mut out[..D::PREHASH.digest_len()]);
        assert_eq!(out[..D::output_size()], *D::default().finalize_fixed());
    }

    #[test]
    fn identifiers_and_lengths_are_those_of_the_digest_crates() {
        check::<sha2::Sha224>();
        check::<sha2::Sha256>();
        check::<sha2::Sha384>();
        check::<sha2::Sha512>();
        check::<sha2::Sha512_224>();
        check::<sha2::Sha512_256>();
        check::<sha3::Sha3_224>();
        check::<sha3::Sha3_256>();
        check::<sha3::Sha3_384>();
        check::<sha3::Sha3_512>();
    }

    #[test]
    fn every_identifier_is_distinct_and_every_wrong_length_refused() {
        for (i, a) in PreHash::ALL.into_iter().enumerate() {
            for b in &PreHash::ALL[..i] {
                assert_ne!(a.oid_der(), b.oid_der());
            }
            for len in 0..=2 * MAX_DIGEST_LEN {
                let expected = (len == a.digest_len())
                    .then_some(())
                    .ok_or(Error::DigestLength);
                assert_eq!(a.check(&[0; 2 * MAX_DIGEST_LEN][..len]), expected);
            }
        }
    }
}
