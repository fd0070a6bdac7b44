//! A verifying key of any algorithm.

use super::{Algorithm, Signature, WithContext};
use crate::{Error, MuBuilder, PreHash};
use alloc::boxed::Box;
use signature::{MultipartVerifier, Verifier};

/// A verifying key of any algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VerifyingKey {
    /// 1312 bytes.
    #[cfg(feature = "mldsa")]
    MlDsa44(Box<crate::mldsa::VerifyingKey<crate::mldsa::MlDsa44>>),
    /// 1952 bytes.
    #[cfg(feature = "mldsa")]
    MlDsa65(Box<crate::mldsa::VerifyingKey<crate::mldsa::MlDsa65>>),
    /// 2592 bytes.
    #[cfg(feature = "mldsa")]
    MlDsa87(Box<crate::mldsa::VerifyingKey<crate::mldsa::MlDsa87>>),
    /// 897 bytes.
    #[cfg(feature = "fndsa")]
    FnDsa512(Box<crate::fndsa::VerifyingKey<crate::fndsa::FnDsa512>>),
    /// 1793 bytes.
    #[cfg(feature = "fndsa")]
    FnDsa1024(Box<crate::fndsa::VerifyingKey<crate::fndsa::FnDsa1024>>),
}

impl VerifyingKey {
    /// The key of `algorithm` with this encoding.
    ///
    /// # Errors
    /// [`Error::InvalidLength`] for a wrong length; [`Error::InvalidKey`] for an FN-DSA key that
    /// is malformed (any bytes are an ML-DSA key).
    pub fn from_bytes(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        with_set!(algorithm, family, Set => {
            family::VerifyingKey::<Set>::from_bytes(bytes).map(Self::from)
        })
    }

    /// The encoding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        dispatch!(Self, self, key => key.as_bytes())
    }

    /// Whose key this is.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        algorithm_of!(Self, self)
    }

    /// This key with a context string of at most 255 bytes, as a verifier.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn with_context<'a>(&'a self, context: &'a [u8]) -> Result<WithContext<'a, Self>, Error> {
        WithContext::new(self, context)
    }

    /// Starts the message representative of a message that arrives in pieces.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn mu_builder(&self, context: &[u8]) -> Result<MuBuilder, Error> {
        dispatch!(Self, self, key => key.mu_builder(context))
    }

    /// Verifies a signature of a message representative ("external mu").
    ///
    /// # Errors
    /// [`Error::InvalidSignature`], also if `signature` is one of another algorithm.
    pub fn verify_mu(&self, mu: &[u8; 64], signature: &Signature) -> Result<(), Error> {
        dispatch_pair!(self, signature, (key, signature) => key.verify_mu(mu, signature))
    }

    /// Verifies a signature of a digest that was computed elsewhere (the pre-hash variant).
    ///
    /// # Errors
    /// [`Error::DigestLength`] if `digest` is not of the length of `hash`,
    /// [`Error::ContextTooLong`], [`Error::InvalidSignature`].
    pub fn verify_prehashed(
        &self,
        hash: PreHash,
        digest: &[u8],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        dispatch_pair!(self, signature, (key, signature) => {
            key.verify_prehashed(hash, digest, context, signature)
        })
    }
}

conversions!(VerifyingKey);

impl AsRef<[u8]> for VerifyingKey {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Verifier<Signature> for VerifyingKey {
    fn verify(&self, msg: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        WithContext::empty(self).verify(msg, signature)
    }
}

impl MultipartVerifier<Signature> for VerifyingKey {
    fn multipart_verify(
        &self,
        msg: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), signature::Error> {
        WithContext::empty(self).multipart_verify(msg, signature)
    }
}
