//! pqsig.

use crate::{Contestant, Keys, Scheme, Set, scheme::Batch};
use core::marker::PhantomData;
use pqsig_fndsa_sign as fndsa;
use pqsig_mldsa as mldsa;
use rand_core::{TryCryptoRng, TryRng};
use signature::{RandomizedSigner, Signer, Verifier};

pub(crate) fn contestant(set: Set) -> Contestant {
    match set {
        Set::MlDsa44 => Contestant::of::<MlDsa<mldsa::MlDsa44>>(),
        Set::MlDsa65 => Contestant::of::<MlDsa<mldsa::MlDsa65>>(),
        Set::MlDsa87 => Contestant::of::<MlDsa<mldsa::MlDsa87>>(),
        Set::FnDsa512 => Contestant::of::<FnDsa<fndsa::FnDsa512>>(),
        Set::FnDsa1024 => Contestant::of::<FnDsa<fndsa::FnDsa1024>>(),
    }
}

struct MlDsa<P>(PhantomData<P>);

impl<P: mldsa::ParameterSet> Scheme for MlDsa<P> {
    const NAME: &'static str = "pqsig";
    type SigningKey = mldsa::SigningKey<P>;
    type PreparedSigningKey = Box<mldsa::PreparedSigningKey<P>>;
    type VerifyingKey = mldsa::VerifyingKey<P>;
    type PreparedVerifyingKey = Box<mldsa::PreparedVerifyingKey<P>>;

    fn generate(seed: &[u8; 32]) -> Keys {
        let key = mldsa::SigningKey::<P>::from_seed(seed);
        Keys {
            signing: key.to_expanded_bytes().as_ref().to_vec(),
            verifying: key.verifying_key().as_bytes().to_vec(),
        }
    }

    fn import_signing(bytes: &[u8]) -> Self::SigningKey {
        mldsa::SigningKey::from_expanded_bytes(bytes).expect("a valid key")
    }

    fn sign(key: &Self::SigningKey, message: &[u8]) -> Vec<u8> {
        key.sign(message).as_bytes().to_vec()
    }

    fn import_and_sign(bytes: &[u8], message: &[u8]) -> Vec<u8> {
        let key = mldsa::PreparedSigningKey::<P>::from_expanded_bytes(bytes).expect("a valid key");
        key.sign(message).as_bytes().to_vec()
    }

    fn prepare_signing(key: &Self::SigningKey) -> Self::PreparedSigningKey {
        Box::new(key.prepare())
    }

    fn sign_prepared(key: &mut Self::PreparedSigningKey, message: &[u8]) -> Vec<u8> {
        key.sign(message).as_bytes().to_vec()
    }

    fn import_verifying(bytes: &[u8]) -> Self::VerifyingKey {
        mldsa::VerifyingKey::from_bytes(bytes).expect("a valid key")
    }

    fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
        mldsa::Signature::from_bytes(signature)
            .is_ok_and(|signature| key.verify(message, &signature).is_ok())
    }

    fn prepare_verifying(key: &Self::VerifyingKey) -> Self::PreparedVerifyingKey {
        Box::new(key.prepare())
    }

    fn verify_prepared(key: &Self::PreparedVerifyingKey, message: &[u8], signature: &[u8]) -> bool {
        mldsa::Signature::from_bytes(signature)
            .is_ok_and(|signature| key.verify(message, &signature).is_ok())
    }

    fn verify_batch_encoded(items: &Batch<'_, [u8]>) -> bool {
        mldsa::verify_batch_encoded::<P>(items, &mut vec![false; items.len()]).is_ok()
    }

    fn verify_batch(items: &Batch<'_, Self::VerifyingKey>) -> bool {
        let signatures = signatures(items);
        let items: Vec<_> = (items.iter().zip(&signatures))
            .map(|((key, message, _), signature)| (*key, *message, signature))
            .collect();
        mldsa::verify_batch(&items, &mut vec![false; items.len()]).is_ok()
    }

    fn verify_batch_prepared(items: &Batch<'_, Self::PreparedVerifyingKey>) -> bool {
        let signatures = signatures(items);
        let items: Vec<_> = (items.iter().zip(&signatures))
            .map(|((key, message, _), signature)| (&***key, *message, signature))
            .collect();
        mldsa::verify_batch_prepared(&items, &mut vec![false; items.len()]).is_ok()
    }
}

/// Decoded once for the whole batch, as callers hold them.
fn signatures<K: ?Sized, P: mldsa::ParameterSet>(items: &Batch<'_, K>) -> Vec<mldsa::Signature<P>> {
    let signatures = items
        .iter()
        .map(|(_, _, bytes)| mldsa::Signature::from_bytes(bytes));
    signatures
        .collect::<Result<_, _>>()
        .expect("of the right length")
}

struct FnDsa<P>(PhantomData<P>);

impl<P: fndsa::ParameterSet> Scheme for FnDsa<P> {
    const NAME: &'static str = "pqsig";
    type SigningKey = fndsa::SigningKey<P>;
    type PreparedSigningKey = Box<fndsa::PreparedSigningKey<P>>;
    type VerifyingKey = fndsa::VerifyingKey<P>;
    type PreparedVerifyingKey = Box<pqsig_fndsa_vrfy::PreparedVerifyingKey<P>>;

    fn generate(seed: &[u8; 32]) -> Keys {
        let (signing, verifying) = pqsig_fndsa_kgen::keygen::<P, _>(&mut Fixed(seed));
        Keys {
            signing: signing.as_ref().to_vec(),
            verifying: verifying.as_ref().to_vec(),
        }
    }

    fn import_signing(bytes: &[u8]) -> Self::SigningKey {
        fndsa::SigningKey::from_bytes(bytes).expect("a valid key")
    }

    fn sign(key: &Self::SigningKey, message: &[u8]) -> Vec<u8> {
        key.sign_with_rng(&mut Fixed(message), message)
            .as_bytes()
            .to_vec()
    }

    fn prepare_signing(key: &Self::SigningKey) -> Self::PreparedSigningKey {
        Box::new(key.prepare())
    }

    fn sign_prepared(key: &mut Self::PreparedSigningKey, message: &[u8]) -> Vec<u8> {
        key.sign_with_rng(&mut Fixed(message), message)
            .as_bytes()
            .to_vec()
    }

    fn import_verifying(bytes: &[u8]) -> Self::VerifyingKey {
        fndsa::VerifyingKey::from_bytes(bytes).expect("a valid key")
    }

    fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
        fndsa::Signature::from_bytes(signature)
            .is_ok_and(|signature| key.verify(message, &signature).is_ok())
    }

    fn prepare_verifying(key: &Self::VerifyingKey) -> Self::PreparedVerifyingKey {
        Box::new(key.prepare())
    }

    fn verify_prepared(key: &Self::PreparedVerifyingKey, message: &[u8], signature: &[u8]) -> bool {
        fndsa::Signature::from_bytes(signature)
            .is_ok_and(|signature| key.verify(message, &signature).is_ok())
    }

    fn verify_batch(items: &[(&Self::VerifyingKey, &[u8], &[u8])]) -> bool {
        let Ok(signatures) = items
            .iter()
            .map(|(_, _, signature)| fndsa::Signature::from_bytes(signature))
            .collect::<Result<Vec<_>, _>>()
        else {
            return false;
        };
        let items: Vec<_> = (items.iter().zip(&signatures))
            .map(|((key, message, _), signature)| (*key, *message, signature))
            .collect();
        pqsig_fndsa_vrfy::verify_batch(&items, &mut vec![false; items.len()]).is_ok()
    }
}

/// A generator that repeats its bytes from the start at every call.
struct Fixed<'a>(&'a [u8]);

impl TryRng for Fixed<'_> {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut word = [0; 4];
        self.try_fill_bytes(&mut word)?;
        Ok(u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut word = [0; 8];
        self.try_fill_bytes(&mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for (byte, value) in out.iter_mut().zip(self.0.iter().cycle()) {
            *byte = *value;
        }
        Ok(())
    }
}

impl TryCryptoRng for Fixed<'_> {}
