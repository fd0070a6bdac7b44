//! `aws-lc-rs`: the C and assembly of AWS-LC. It draws its own randomness when it signs.

use super::{Peer, of};
use crate::{Contestant, Keys, Set};
use aws_lc_rs::{
    encoding::AsRawBytes,
    signature::{
        KeyPair, ML_DSA_44, ML_DSA_44_SIGNING, ML_DSA_65, ML_DSA_65_SIGNING, ML_DSA_87,
        ML_DSA_87_SIGNING, ParsedPublicKey, PqdsaKeyPair,
    },
};

pub(super) fn peer(set: Set) -> Option<Contestant> {
    Some(match set {
        Set::MlDsa44 => of::<MlDsa44>(),
        Set::MlDsa65 => of::<MlDsa65>(),
        Set::MlDsa87 => of::<MlDsa87>(),
        _ => return None,
    })
}

/// The crate has two constants for each set.
macro_rules! peer {
    ($set:ident, $signing:ident, $verifying:ident, $len:literal) => {
        struct $set;

        impl Peer for $set {
            const NAME: &'static str = "aws-lc-rs 1.19.0";
            const DETERMINISTIC: bool = false;
            type SigningKey = PqdsaKeyPair;
            type VerifyingKey = ParsedPublicKey;

            fn generate(seed: &[u8; 32]) -> Keys {
                let pair = PqdsaKeyPair::from_seed(&$signing, seed).expect("a key");
                let signing = pair.private_key().as_raw_bytes().expect("an encoding");
                Keys {
                    signing: signing.as_ref().to_vec(),
                    verifying: pair.public_key().as_ref().to_vec(),
                }
            }

            fn load_signing(bytes: &[u8]) -> Self::SigningKey {
                PqdsaKeyPair::from_raw_private_key(&$signing, bytes).expect("a valid key")
            }

            fn sign(key: &mut Self::SigningKey, message: &[u8]) -> Vec<u8> {
                let mut signature = vec![0; $len];
                let len = key.sign(message, &mut signature).expect("a signature");
                assert_eq!(len, $len);
                signature
            }

            fn load_verifying(bytes: &[u8]) -> Self::VerifyingKey {
                ParsedPublicKey::new(&$verifying, bytes).expect("a valid key")
            }

            fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
                key.verify_sig(message, signature).is_ok()
            }
        }
    };
}
peer!(MlDsa44, ML_DSA_44_SIGNING, ML_DSA_44, 2420);
peer!(MlDsa65, ML_DSA_65_SIGNING, ML_DSA_65, 3309);
peer!(MlDsa87, ML_DSA_87_SIGNING, ML_DSA_87, 4627);
