//! A signature of any algorithm.

use super::Algorithm;
use crate::Error;
use alloc::{boxed::Box, vec::Vec};

/// A signature of any algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Signature {
    /// 2420 bytes.
    #[cfg(feature = "mldsa")]
    MlDsa44(Box<crate::mldsa::Signature<crate::mldsa::MlDsa44>>),
    /// 3309 bytes.
    #[cfg(feature = "mldsa")]
    MlDsa65(Box<crate::mldsa::Signature<crate::mldsa::MlDsa65>>),
    /// 4627 bytes.
    #[cfg(feature = "mldsa")]
    MlDsa87(Box<crate::mldsa::Signature<crate::mldsa::MlDsa87>>),
    /// 666 bytes.
    #[cfg(feature = "fndsa")]
    FnDsa512(Box<crate::fndsa::Signature<crate::fndsa::FnDsa512>>),
    /// 1280 bytes.
    #[cfg(feature = "fndsa")]
    FnDsa1024(Box<crate::fndsa::Signature<crate::fndsa::FnDsa1024>>),
}

impl Signature {
    /// The signature of `algorithm` with this encoding.
    ///
    /// # Errors
    /// [`Error::InvalidLength`] for a wrong length; [`Error::InvalidSignature`] for a wrong
    /// header, where the algorithm has one.
    pub fn from_bytes(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        with_set!(algorithm, family, Set => {
            family::Signature::<Set>::from_bytes(bytes).map(Self::from)
        })
    }

    /// The encoding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        dispatch!(Self, self, signature => signature.as_bytes())
    }

    /// Whose signature this is.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        algorithm_of!(Self, self)
    }
}

conversions!(Signature);

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl TryFrom<&[u8]> for Signature {
    type Error = Error;

    /// Tells the algorithm by the length: no two have signatures of the same length.
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        let algorithm = Algorithm::ALL
            .iter()
            .find(|algorithm| algorithm.signature_len() == bytes.len())
            .ok_or(Error::InvalidLength)?;
        Self::from_bytes(*algorithm, bytes)
    }
}

impl From<Signature> for Vec<u8> {
    fn from(signature: Signature) -> Self {
        signature.as_bytes().to_vec()
    }
}

impl signature::SignatureEncoding for Signature {
    type Repr = Vec<u8>;
}
