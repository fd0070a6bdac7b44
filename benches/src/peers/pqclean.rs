//! `pqcrypto-mldsa` and `pqcrypto-falcon`: the C and assembly of PQClean. They draw their own
//! randomness.

use super::{Peer, of};
use crate::{Contestant, Keys, Set};
use pqcrypto_traits::sign::{DetachedSignature, PublicKey, SecretKey};

pub(super) fn peer(set: Set) -> Option<Contestant> {
    Some(match set {
        Set::MlDsa44 => of::<MlDsa44>(),
        Set::MlDsa65 => of::<MlDsa65>(),
        Set::MlDsa87 => of::<MlDsa87>(),
        // Falcon of the third round hashes nonce and message alone.
        Set::FnDsa512 => of::<FnDsa512>(),
        Set::FnDsa1024 => of::<FnDsa1024>(),
    })
}

/// The crates have a module of its own types for each set.
macro_rules! peer {
    ($set:ident, $name:literal, $interoperates:literal, $crate_:ident::$module:ident) => {
        struct $set;

        impl Peer for $set {
            const NAME: &'static str = $name;
            const DETERMINISTIC: bool = false;
            const INTEROPERATES: bool = $interoperates;
            type SigningKey = $crate_::$module::SecretKey;
            type VerifyingKey = $crate_::$module::PublicKey;

            fn generate(_seed: &[u8; 32]) -> Keys {
                let (verifying, signing) = $crate_::$module::keypair();
                Keys {
                    signing: signing.as_bytes().to_vec(),
                    verifying: verifying.as_bytes().to_vec(),
                }
            }

            fn load_signing(bytes: &[u8]) -> Self::SigningKey {
                SecretKey::from_bytes(bytes).expect("a valid key")
            }

            fn sign(key: &mut Self::SigningKey, message: &[u8]) -> Vec<u8> {
                $crate_::$module::detached_sign(message, key)
                    .as_bytes()
                    .to_vec()
            }

            fn load_verifying(bytes: &[u8]) -> Self::VerifyingKey {
                PublicKey::from_bytes(bytes).expect("a valid key")
            }

            fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
                DetachedSignature::from_bytes(signature).is_ok_and(|signature| {
                    $crate_::$module::verify_detached_signature(&signature, message, key).is_ok()
                })
            }
        }
    };
}
peer!(
    MlDsa44,
    "pqcrypto-mldsa 0.1.2",
    true,
    pqcrypto_mldsa::mldsa44
);
peer!(
    MlDsa65,
    "pqcrypto-mldsa 0.1.2",
    true,
    pqcrypto_mldsa::mldsa65
);
peer!(
    MlDsa87,
    "pqcrypto-mldsa 0.1.2",
    true,
    pqcrypto_mldsa::mldsa87
);
peer!(
    FnDsa512,
    "pqcrypto-falcon 0.4.1 padded",
    false,
    pqcrypto_falcon::falconpadded512
);
peer!(
    FnDsa1024,
    "pqcrypto-falcon 0.4.1 padded",
    false,
    pqcrypto_falcon::falconpadded1024
);
