//! A signing key of any algorithm.

use super::{Algorithm, Signature, VerifyingKey, WithContext};
use crate::{Error, MuBuilder, PreHash};
use alloc::boxed::Box;
use signature::{
    Keypair, MultipartSigner, RandomizedMultipartSigner, RandomizedSigner, Signer,
    rand_core::TryCryptoRng,
};
use zeroize::ZeroizeOnDrop;

/// A signing key of any algorithm. Wiped on drop, opaque in `Debug`, compared in constant time.
///
/// `Signer` is what it is for the key inside: deterministic for ML-DSA, randomised for FN-DSA
/// (which needs the feature `getrandom` and fails without). `RandomizedSigner` is the better
/// choice for both, where a random number generator is at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SigningKey {
    /// ML-DSA-44.
    #[cfg(feature = "mldsa")]
    MlDsa44(Box<crate::mldsa::SigningKey<crate::mldsa::MlDsa44>>),
    /// ML-DSA-65.
    #[cfg(feature = "mldsa")]
    MlDsa65(Box<crate::mldsa::SigningKey<crate::mldsa::MlDsa65>>),
    /// ML-DSA-87.
    #[cfg(feature = "mldsa")]
    MlDsa87(Box<crate::mldsa::SigningKey<crate::mldsa::MlDsa87>>),
    /// FN-DSA-512.
    #[cfg(feature = "fndsa")]
    FnDsa512(Box<crate::fndsa::SigningKey<crate::fndsa::FnDsa512>>),
    /// FN-DSA-1024.
    #[cfg(feature = "fndsa")]
    FnDsa1024(Box<crate::fndsa::SigningKey<crate::fndsa::FnDsa1024>>),
}

impl SigningKey {
    /// A fresh key from the operating system's random number generator.
    ///
    /// # Errors
    /// [`Error::RngFailed`].
    #[cfg(feature = "getrandom")]
    pub fn try_generate(algorithm: Algorithm) -> Result<Self, Error> {
        algorithm.try_generate(&mut getrandom::SysRng)
    }

    /// Whose key this is.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        algorithm_of!(Self, self)
    }

    /// The verifying key.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKey {
        dispatch!(Self, self, key => key.verifying_key().clone().into())
    }

    /// This key with a context string of at most 255 bytes, as a signer.
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

    /// Signs a message representative ("external mu") with fresh randomness.
    ///
    /// # Errors
    /// [`Error::RngFailed`], [`Error::SigningFailed`].
    pub fn sign_mu_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        mu: &[u8; 64],
    ) -> Result<Signature, Error> {
        dispatch!(Self, self, key => key.sign_mu_with_rng(rng, mu).map(Signature::from))
    }

    /// Signs a message representative ("external mu") as [`Signer`] does: deterministically for
    /// ML-DSA, with randomness from the operating system for FN-DSA.
    ///
    /// # Errors
    /// [`Error::SigningFailed`]; [`Error::RngFailed`] for FN-DSA, always so without the feature
    /// `getrandom`.
    pub fn sign_mu(&self, mu: &[u8; 64]) -> Result<Signature, Error> {
        match self {
            #[cfg(feature = "mldsa")]
            Self::MlDsa44(key) => key.sign_mu_deterministic(mu).map(Signature::from),
            #[cfg(feature = "mldsa")]
            Self::MlDsa65(key) => key.sign_mu_deterministic(mu).map(Signature::from),
            #[cfg(feature = "mldsa")]
            Self::MlDsa87(key) => key.sign_mu_deterministic(mu).map(Signature::from),
            #[cfg(all(feature = "fndsa", feature = "getrandom"))]
            Self::FnDsa512(_) | Self::FnDsa1024(_) => {
                self.sign_mu_with_rng(&mut getrandom::SysRng, mu)
            }
            #[cfg(all(feature = "fndsa", not(feature = "getrandom")))]
            Self::FnDsa512(_) | Self::FnDsa1024(_) => {
                let _ = mu;
                Err(Error::RngFailed)
            }
        }
    }

    /// Signs a digest that was computed elsewhere (the pre-hash variant).
    ///
    /// # Errors
    /// [`Error::DigestLength`] if `digest` is not of the length of `hash`,
    /// [`Error::ContextTooLong`], [`Error::RngFailed`], [`Error::SigningFailed`].
    pub fn sign_prehashed<R: TryCryptoRng + ?Sized>(
        &self,
        hash: PreHash,
        digest: &[u8],
        context: &[u8],
        rng: &mut R,
    ) -> Result<Signature, Error> {
        dispatch!(Self, self, key => {
            key.sign_prehashed(hash, digest, context, rng).map(Signature::from)
        })
    }
}

conversions!(SigningKey);

/// The typed keys inside wipe themselves.
impl ZeroizeOnDrop for SigningKey {}

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        self.verifying_key()
    }
}

impl Signer<Signature> for SigningKey {
    fn try_sign(&self, msg: &[u8]) -> Result<Signature, signature::Error> {
        WithContext::empty(self).try_sign(msg)
    }
}

impl MultipartSigner<Signature> for SigningKey {
    fn try_multipart_sign(&self, msg: &[&[u8]]) -> Result<Signature, signature::Error> {
        WithContext::empty(self).try_multipart_sign(msg)
    }
}

impl RandomizedSigner<Signature> for SigningKey {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        msg: &[u8],
    ) -> Result<Signature, signature::Error> {
        WithContext::empty(self).try_sign_with_rng(rng, msg)
    }
}

impl RandomizedMultipartSigner<Signature> for SigningKey {
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        msg: &[&[u8]],
    ) -> Result<Signature, signature::Error> {
        WithContext::empty(self).try_multipart_sign_with_rng(rng, msg)
    }
}
