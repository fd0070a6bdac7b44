//! Keys of any algorithm with a context string.

use super::{Signature, SigningKey, VerifyingKey};
use crate::{Error, MuBuilder};
use pqsig_comm::mu::Context;
use signature::{
    Keypair, MultipartSigner, MultipartVerifier, RandomizedMultipartSigner, RandomizedSigner,
    Signer, Verifier, rand_core::TryCryptoRng,
};

/// A [`SigningKey`] or [`VerifyingKey`] together with a context string of at most 255 bytes.
///
/// Made by the `with_context` method of the keys. It signs or verifies with the traits of
/// [`signature`](::signature) as the key itself does with the empty context.
#[derive(Debug)]
pub struct WithContext<'a, K> {
    pub(super) key: &'a K,
    context: Context<'a>,
}

impl<'a, K> WithContext<'a, K> {
    pub(super) fn new(key: &'a K, context: &'a [u8]) -> Result<Self, Error> {
        let context = Context::new(context)?;
        Ok(Self { key, context })
    }

    pub(super) fn empty(key: &'a K) -> Self {
        Self {
            key,
            context: Context::default(),
        }
    }

    /// The context string.
    #[must_use]
    pub fn context(&self) -> &'a [u8] {
        self.context.as_bytes()
    }
}

impl<K> Clone for WithContext<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for WithContext<'_, K> {}

fn finish(mut builder: MuBuilder, msg: &[&[u8]]) -> [u8; 64] {
    msg.iter().for_each(|part| builder.update(part));
    builder.finalize()
}

impl WithContext<'_, SigningKey> {
    fn mu(&self, msg: &[&[u8]]) -> Result<[u8; 64], Error> {
        Ok(finish(self.key.mu_builder(self.context())?, msg))
    }
}

impl WithContext<'_, VerifyingKey> {
    fn mu(&self, msg: &[&[u8]]) -> Result<[u8; 64], Error> {
        Ok(finish(self.key.mu_builder(self.context())?, msg))
    }
}

impl Keypair for WithContext<'_, SigningKey> {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        self.key.verifying_key()
    }
}

impl Signer<Signature> for WithContext<'_, SigningKey> {
    fn try_sign(&self, msg: &[u8]) -> Result<Signature, signature::Error> {
        self.try_multipart_sign(&[msg])
    }
}

impl MultipartSigner<Signature> for WithContext<'_, SigningKey> {
    fn try_multipart_sign(&self, msg: &[&[u8]]) -> Result<Signature, signature::Error> {
        Ok(self.key.sign_mu(&self.mu(msg)?)?)
    }
}

impl RandomizedSigner<Signature> for WithContext<'_, SigningKey> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        msg: &[u8],
    ) -> Result<Signature, signature::Error> {
        self.try_multipart_sign_with_rng(rng, &[msg])
    }
}

impl RandomizedMultipartSigner<Signature> for WithContext<'_, SigningKey> {
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        msg: &[&[u8]],
    ) -> Result<Signature, signature::Error> {
        Ok(self.key.sign_mu_with_rng(rng, &self.mu(msg)?)?)
    }
}

impl Verifier<Signature> for WithContext<'_, VerifyingKey> {
    fn verify(&self, msg: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        self.multipart_verify(&[msg], signature)
    }
}

impl MultipartVerifier<Signature> for WithContext<'_, VerifyingKey> {
    fn multipart_verify(
        &self,
        msg: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), signature::Error> {
        Ok(self.key.verify_mu(&self.mu(msg)?, signature)?)
    }
}
