//! `libcrux-ml-dsa`.

use super::{Peer, of};
use crate::{Contestant, Keys, Set};
use libcrux_ml_dsa::{MLDSASignature, MLDSASigningKey, MLDSAVerificationKey};

pub(super) fn portable(set: Set) -> Option<Contestant> {
    Some(match set {
        Set::MlDsa44 => of::<Portable44>(),
        Set::MlDsa65 => of::<Portable65>(),
        Set::MlDsa87 => of::<Portable87>(),
        _ => return None,
    })
}

pub(super) fn avx2(set: Set) -> Option<Contestant> {
    std::is_x86_feature_detected!("avx2").then_some(())?;
    Some(match set {
        Set::MlDsa44 => of::<Avx2In44>(),
        Set::MlDsa65 => of::<Avx2In65>(),
        Set::MlDsa87 => of::<Avx2In87>(),
        _ => return None,
    })
}

/// The crate has a module for each set and backend.
macro_rules! peer {
    ($name:ident, $set:ident, $backend:ident, $verifying:literal, $signing:literal) => {
        struct $name;

        impl Peer for $name {
            const NAME: &'static str = concat!("libcrux 0.0.11 ", stringify!($backend));
            type SigningKey = MLDSASigningKey<$signing>;
            type VerifyingKey = MLDSAVerificationKey<$verifying>;

            fn generate(seed: &[u8; 32]) -> Keys {
                let pair = libcrux_ml_dsa::$set::$backend::generate_key_pair(*seed);
                Keys {
                    signing: pair.signing_key.as_slice().to_vec(),
                    verifying: pair.verification_key.as_slice().to_vec(),
                }
            }

            fn load_signing(bytes: &[u8]) -> Self::SigningKey {
                MLDSASigningKey::new(bytes.try_into().expect("its length"))
            }

            fn sign(key: &mut Self::SigningKey, message: &[u8]) -> Vec<u8> {
                libcrux_ml_dsa::$set::$backend::sign(key, message, &[], [0; 32])
                    .unwrap_or_else(|error| panic!("{error:?}"))
                    .as_slice()
                    .to_vec()
            }

            fn load_verifying(bytes: &[u8]) -> Self::VerifyingKey {
                MLDSAVerificationKey::new(bytes.try_into().expect("its length"))
            }

            fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
                signature.try_into().is_ok_and(|signature| {
                    let signature = MLDSASignature::new(signature);
                    libcrux_ml_dsa::$set::$backend::verify(key, message, &[], &signature).is_ok()
                })
            }
        }
    };
}
peer!(Portable44, ml_dsa_44, portable, 1312, 2560);
peer!(Portable65, ml_dsa_65, portable, 1952, 4032);
peer!(Portable87, ml_dsa_87, portable, 2592, 4896);
peer!(Avx2In44, ml_dsa_44, avx2, 1312, 2560);
peer!(Avx2In65, ml_dsa_65, avx2, 1952, 4032);
peer!(Avx2In87, ml_dsa_87, avx2, 2592, 4896);
