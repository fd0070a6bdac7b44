//! `mldsa-native-rs`: the C and assembly of mldsa-native.

use super::{Peer, of};
use crate::{Contestant, Keys, Set};
use core::marker::PhantomData;
use mldsa_native_rs::{
    Signature, SigningKey, VerifyingKey, keygen_from_seed,
    parameter_sets::{ML_DSA_44, ML_DSA_65, ML_DSA_87},
};

pub(super) fn peer(set: Set) -> Option<Contestant> {
    Some(match set {
        Set::MlDsa44 => of::<MlDsa<ML_DSA_44>>(),
        Set::MlDsa65 => of::<MlDsa<ML_DSA_65>>(),
        Set::MlDsa87 => of::<MlDsa<ML_DSA_87>>(),
        _ => return None,
    })
}

struct MlDsa<P>(PhantomData<P>);

/// The crate's bounds do not carry a generic user; the three sets differ by their name only.
macro_rules! peer {
    ($set:ident) => {
        impl Peer for MlDsa<$set> {
            const NAME: &'static str = "mldsa-native-rs 0.0.1-alpha.6";
            type SigningKey = SigningKey<$set>;
            type VerifyingKey = VerifyingKey<$set>;

            fn generate(seed: &[u8; 32]) -> Keys {
                let (signing, verifying) =
                    keygen_from_seed::<$set>((&seed[..]).try_into().expect("its length"))
                        .expect("a key");
                let (signing, verifying): (&[u8], &[u8]) = (signing.as_ref(), verifying.as_ref());
                Keys {
                    signing: signing.to_vec(),
                    verifying: verifying.to_vec(),
                }
            }

            fn load_signing(bytes: &[u8]) -> Self::SigningKey {
                SigningKey::try_from(bytes).expect("a valid key")
            }

            fn sign(key: &mut Self::SigningKey, message: &[u8]) -> Vec<u8> {
                let zero = [0; 32];
                let seed = (&zero[..]).try_into().expect("its length");
                let signature = key
                    .try_sign_with_ctx_seeded(message, &[], seed)
                    .expect("a signature");
                let signature: &[u8] = signature.as_ref();
                signature.to_vec()
            }

            fn load_verifying(bytes: &[u8]) -> Self::VerifyingKey {
                VerifyingKey::try_from(bytes).expect("a valid key")
            }

            fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
                Signature::<$set>::try_from(signature)
                    .is_ok_and(|signature| key.verify_with_ctx(message, &[], &signature).is_ok())
            }
        }
    };
}
peer!(ML_DSA_44);
peer!(ML_DSA_65);
peer!(ML_DSA_87);
