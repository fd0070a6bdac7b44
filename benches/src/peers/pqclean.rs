//! `pqcrypto-mldsa`: the C and assembly of PQClean. It draws its own randomness.

use super::{Peer, of};
use crate::{Contestant, Keys, Set};
use pqcrypto_traits::sign::{DetachedSignature, PublicKey, SecretKey};

pub(super) fn peer(set: Set) -> Option<Contestant> {
    Some(match set {
        Set::MlDsa44 => of::<MlDsa44>(),
        Set::MlDsa65 => of::<MlDsa65>(),
        Set::MlDsa87 => of::<MlDsa87>(),
        _ => return None,
    })
}

/// The crate has a module of its own types for each set.
macro_rules! peer {
    ($set:ident, $module:ident) => {
        struct $set;

        impl Peer for $set {
            const NAME: &'static str = "pqcrypto-mldsa 0.1.2";
            const DETERMINISTIC: bool = false;
            type SigningKey = pqcrypto_mldsa::$module::SecretKey;
            type VerifyingKey = pqcrypto_mldsa::$module::PublicKey;

            fn generate(_seed: &[u8; 32]) -> Keys {
                let (verifying, signing) = pqcrypto_mldsa::$module::keypair();
                Keys {
                    signing: signing.as_bytes().to_vec(),
                    verifying: verifying.as_bytes().to_vec(),
                }
            }

            fn load_signing(bytes: &[u8]) -> Self::SigningKey {
                SecretKey::from_bytes(bytes).expect("a valid key")
            }

            fn sign(key: &mut Self::SigningKey, message: &[u8]) -> Vec<u8> {
                pqcrypto_mldsa::$module::detached_sign(message, key)
                    .as_bytes()
                    .to_vec()
            }

            fn load_verifying(bytes: &[u8]) -> Self::VerifyingKey {
                PublicKey::from_bytes(bytes).expect("a valid key")
            }

            fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
                DetachedSignature::from_bytes(signature).is_ok_and(|signature| {
                    pqcrypto_mldsa::$module::verify_detached_signature(&signature, message, key)
                        .is_ok()
                })
            }
        }
    };
}
peer!(MlDsa44, mldsa44);
peer!(MlDsa65, mldsa65);
peer!(MlDsa87, mldsa87);
