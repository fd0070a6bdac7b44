//! The algorithms by name, object identifier and size.

use super::SigningKey;
use crate::Error;
use core::{fmt, str::FromStr};
use pqsig_comm::encoding::ByteArray;
use signature::rand_core::{CryptoRng, TryCryptoRng};

/// A parameter set of ML-DSA or FN-DSA.
///
/// The variants follow the features `mldsa` and `fndsa`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// ML-DSA-44 (FIPS 204).
    #[cfg(feature = "mldsa")]
    MlDsa44,
    /// ML-DSA-65 (FIPS 204).
    #[cfg(feature = "mldsa")]
    MlDsa65,
    /// ML-DSA-87 (FIPS 204).
    #[cfg(feature = "mldsa")]
    MlDsa87,
    /// FN-DSA-512: a best guess until FIPS 206 is published.
    #[cfg(feature = "fndsa")]
    FnDsa512,
    /// FN-DSA-1024: a best guess until FIPS 206 is published.
    #[cfg(feature = "fndsa")]
    FnDsa1024,
}

impl Algorithm {
    /// All of them, as far as the features go.
    pub const ALL: &'static [Self] = &[
        #[cfg(feature = "mldsa")]
        Self::MlDsa44,
        #[cfg(feature = "mldsa")]
        Self::MlDsa65,
        #[cfg(feature = "mldsa")]
        Self::MlDsa87,
        #[cfg(feature = "fndsa")]
        Self::FnDsa512,
        #[cfg(feature = "fndsa")]
        Self::FnDsa1024,
    ];

    /// The name in the standard, such as `"ML-DSA-65"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        with_set!(self, family, Set => <Set as family::ParameterSet>::NAME)
    }

    /// Length of a verifying key in bytes.
    #[must_use]
    pub const fn verifying_key_len(self) -> usize {
        with_set!(self, family, Set => family::VerifyingKey::<Set>::LEN)
    }

    /// Length of a signature in bytes.
    #[must_use]
    pub const fn signature_len(self) -> usize {
        with_set!(self, family, Set => family::Signature::<Set>::LEN)
    }

    /// Length of a signing key in bytes, of the expanded one for ML-DSA (whose seed is 32 bytes).
    #[must_use]
    pub const fn signing_key_len(self) -> usize {
        with_set!(self, family, Set => <Set as family::ParameterSet>::SigningKeyBytes::LEN)
    }

    /// Whether [`Signer`](crate::Signer) makes the same signature of a message each time: true
    /// for ML-DSA, false for FN-DSA, which has no deterministic variant.
    #[must_use]
    pub const fn signs_deterministically(self) -> bool {
        match self {
            #[cfg(feature = "mldsa")]
            Self::MlDsa44 | Self::MlDsa65 | Self::MlDsa87 => true,
            #[cfg(feature = "fndsa")]
            Self::FnDsa512 | Self::FnDsa1024 => false,
        }
    }

    /// A fresh signing key.
    #[must_use]
    pub fn generate<R: CryptoRng + ?Sized>(self, rng: &mut R) -> SigningKey {
        with_set!(self, family, Set => family::SigningKey::<Set>::generate_from_rng(rng).into())
    }

    /// A fresh signing key.
    ///
    /// # Errors
    /// [`Error::RngFailed`].
    pub fn try_generate<R: TryCryptoRng + ?Sized>(self, rng: &mut R) -> Result<SigningKey, Error> {
        with_set!(self, family, Set => family::SigningKey::<Set>::try_generate_from_rng(rng)
            .map(SigningKey::from)
            .map_err(|_| Error::RngFailed))
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    /// The names of [`Algorithm::name`], in upper or lower case.
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL
            .iter()
            .copied()
            .find(|algorithm| algorithm.name().eq_ignore_ascii_case(name))
            .ok_or(Error::UnknownAlgorithm)
    }
}
