//! `ml-dsa`.

use super::{Peer, of};
use crate::{Contestant, Keys, Set};
use core::marker::PhantomData;
use ml_dsa::signature::Keypair;

pub(super) fn peer(set: Set) -> Option<Contestant> {
    Some(match set {
        Set::MlDsa44 => of::<MlDsa<ml_dsa::MlDsa44>>(),
        Set::MlDsa65 => of::<MlDsa<ml_dsa::MlDsa65>>(),
        Set::MlDsa87 => of::<MlDsa<ml_dsa::MlDsa87>>(),
        _ => return None,
    })
}

struct MlDsa<P>(PhantomData<P>);

#[allow(
    deprecated,
    reason = "an expanded key is what loads without key generation"
)]
impl<P: ml_dsa::MlDsaParams + 'static> Peer for MlDsa<P> {
    const NAME: &'static str = "ml-dsa 0.1.2";
    type SigningKey = ml_dsa::ExpandedSigningKey<P>;
    type VerifyingKey = ml_dsa::VerifyingKey<P>;

    fn generate(seed: &[u8; 32]) -> Keys {
        let key = ml_dsa::SigningKey::<P>::from_seed(&(*seed).into());
        Keys {
            signing: key.expanded_key().to_expanded().to_vec(),
            verifying: key.verifying_key().encode().to_vec(),
        }
    }

    fn load_signing(bytes: &[u8]) -> Self::SigningKey {
        ml_dsa::ExpandedSigningKey::from_expanded(bytes.try_into().expect("its length"))
    }

    fn sign(key: &mut Self::SigningKey, message: &[u8]) -> Vec<u8> {
        key.sign_deterministic(message, &[])
            .expect("a signature")
            .encode()
            .to_vec()
    }

    fn load_verifying(bytes: &[u8]) -> Self::VerifyingKey {
        ml_dsa::VerifyingKey::decode(bytes.try_into().expect("its length"))
    }

    fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
        signature
            .try_into()
            .ok()
            .and_then(ml_dsa::Signature::decode)
            .is_some_and(|signature| key.verify_with_context(message, &[], &signature))
    }
}
