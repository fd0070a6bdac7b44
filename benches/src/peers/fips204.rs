//! `fips204`.

use super::{Peer, of};
use crate::{Contestant, Keys, Set};
use fips204::traits::{KeyGen, SerDes, Signer, Verifier};

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
            const NAME: &'static str = "fips204 0.5.0";
            type SigningKey = fips204::$module::PrivateKey;
            type VerifyingKey = fips204::$module::PublicKey;

            fn generate(seed: &[u8; 32]) -> Keys {
                let (verifying, signing) = fips204::$module::KG::keygen_from_seed(seed);
                Keys {
                    signing: signing.into_bytes().to_vec(),
                    verifying: verifying.into_bytes().to_vec(),
                }
            }

            fn load_signing(bytes: &[u8]) -> Self::SigningKey {
                Self::SigningKey::try_from_bytes(bytes.try_into().expect("its length"))
                    .expect("a valid key")
            }

            fn sign(key: &mut Self::SigningKey, message: &[u8]) -> Vec<u8> {
                key.try_sign_with_seed(&[0; 32], message, &[])
                    .expect("a signature")
                    .to_vec()
            }

            fn load_verifying(bytes: &[u8]) -> Self::VerifyingKey {
                Self::VerifyingKey::try_from_bytes(bytes.try_into().expect("its length"))
                    .expect("a valid key")
            }

            fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
                signature
                    .try_into()
                    .is_ok_and(|signature| key.verify(message, signature, &[]))
            }
        }
    };
}
peer!(MlDsa44, ml_dsa_44);
peer!(MlDsa65, ml_dsa_65);
peer!(MlDsa87, ml_dsa_87);
