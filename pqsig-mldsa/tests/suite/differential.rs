//! Differential runs against the crates `ml-dsa` 0.1 and `fips204` 0.5 on random seeds, messages
//! and contexts: the same keys and signatures, and each verifies what the others made.

use crate::common::{Set, Stream, rounds, sign_with_rnd, signature};
use pqsig_mldsa::{MlDsa44, MlDsa65, MlDsa87, SigningKey, VerifyingKey};
use signature::{Signer, Verifier};

/// A key of another library, made from the same seed.
trait Peer {
    fn from_seed(seed: &[u8; 32]) -> Self;
    fn verifying_key(&self) -> Vec<u8>;
    fn expanded(&self) -> Vec<u8>;
    /// With the given randomness; zeros mean the deterministic variant.
    fn sign(&self, context: &[u8], message: &[u8], rnd: &[u8; 32]) -> Vec<u8>;
    fn verify(vk: &[u8], context: &[u8], message: &[u8], signature: &[u8]) -> bool;
}

struct RustCrypto<P: ml_dsa::MlDsaParams>(ml_dsa::ExpandedSigningKey<P>);

impl<P: ml_dsa::MlDsaParams> Peer for RustCrypto<P> {
    fn from_seed(seed: &[u8; 32]) -> Self {
        Self(ml_dsa::ExpandedSigningKey::from_seed(&(*seed).into()))
    }

    fn verifying_key(&self) -> Vec<u8> {
        self.0.verifying_key().encode().to_vec()
    }

    #[allow(deprecated)]
    fn expanded(&self) -> Vec<u8> {
        self.0.to_expanded().to_vec()
    }

    fn sign(&self, context: &[u8], message: &[u8], rnd: &[u8; 32]) -> Vec<u8> {
        let m_prime = [&[0, context.len() as u8], context, message];
        self.0
            .sign_internal(&m_prime, &(*rnd).into())
            .encode()
            .to_vec()
    }

    fn verify(vk: &[u8], context: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let vk = ml_dsa::EncodedVerifyingKey::<P>::try_from(vk).expect("right length");
        let vk = ml_dsa::VerifyingKey::<P>::decode(&vk);
        ml_dsa::Signature::try_from(signature)
            .is_ok_and(|signature| vk.verify_with_context(message, context, &signature))
    }
}

macro_rules! fips204_peer {
    ($name:ident, $module:ident) => {
        struct $name {
            secret: fips204::$module::PrivateKey,
            public: fips204::$module::PublicKey,
        }

        impl Peer for $name {
            fn from_seed(seed: &[u8; 32]) -> Self {
                use fips204::traits::KeyGen;
                let (public, secret) = fips204::$module::KG::keygen_from_seed(seed);
                Self { secret, public }
            }

            fn verifying_key(&self) -> Vec<u8> {
                use fips204::traits::SerDes;
                self.public.clone().into_bytes().to_vec()
            }

            fn expanded(&self) -> Vec<u8> {
                use fips204::traits::SerDes;
                self.secret.clone().into_bytes().to_vec()
            }

            fn sign(&self, context: &[u8], message: &[u8], rnd: &[u8; 32]) -> Vec<u8> {
                use fips204::traits::Signer;
                let signature = self.secret.try_sign_with_seed(rnd, message, context);
                signature.expect("signs").to_vec()
            }

            fn verify(vk: &[u8], context: &[u8], message: &[u8], signature: &[u8]) -> bool {
                use fips204::traits::{SerDes, Verifier};
                let vk = vk.try_into().expect("right length");
                let vk = fips204::$module::PublicKey::try_from_bytes(vk).expect("loads");
                vk.verify(
                    message,
                    signature.try_into().expect("right length"),
                    context,
                )
            }
        }
    };
}

fips204_peer!(Fips204Set44, ml_dsa_44);
fips204_peer!(Fips204Set65, ml_dsa_65);
fips204_peer!(Fips204Set87, ml_dsa_87);

fn agree<P: Set, T: Peer>(label: &str) {
    let mut stream = Stream::of::<P>(label);
    let total = rounds(150, 5_000);
    let mut signatures = 0;
    for _ in 0..total {
        let seed = stream.array();
        let key = SigningKey::<P>::from_seed(&seed);
        let peer = T::from_seed(&seed);
        let vk = peer.verifying_key();
        assert!(key.verifying_key().as_bytes() == vk, "verifying key");
        assert!(
            key.to_expanded_bytes().as_ref() == peer.expanded(),
            "expanded key"
        );
        let imported = SigningKey::<P>::from_expanded_bytes(&peer.expanded());
        assert!(imported.expect("valid") == key);

        let message = stream.bytes_of(0..=2_000);
        let context = stream.bytes_of(0..=255);
        let with_context = key.with_context(&context).expect("fits");
        let rnd: [u8; 32] = stream.array();
        for (rnd, ours) in [
            (rnd, sign_with_rnd(&key, &context, &message, &rnd)),
            ([0; 32], with_context.sign(&message)),
        ] {
            let theirs = peer.sign(&context, &message, &rnd);
            assert!(ours.as_bytes() == theirs, "signature");
            let verifying_key = VerifyingKey::<P>::from_bytes(&vk).expect("loads");
            let verifier = verifying_key.with_context(&context).expect("fits");
            assert!(verifier.verify(&message, &ours).is_ok());
            assert!(T::verify(&vk, &context, &message, &theirs));
            signatures += 1;

            // The same verdict on something close to a signature.
            let mut bytes = theirs;
            stream.mutate(&mut bytes);
            let verdict = verifier.verify(&message, &signature(&bytes)).is_ok();
            assert_eq!(verdict, T::verify(&vk, &context, &message, &bytes));
        }
    }
    assert_eq!(signatures, 2 * total);
}

#[test]
fn ml_dsa_44() {
    agree::<MlDsa44, RustCrypto<ml_dsa::MlDsa44>>("ml-dsa");
}

#[test]
fn ml_dsa_65() {
    agree::<MlDsa65, RustCrypto<ml_dsa::MlDsa65>>("ml-dsa");
}

#[test]
fn ml_dsa_87() {
    agree::<MlDsa87, RustCrypto<ml_dsa::MlDsa87>>("ml-dsa");
}

#[test]
fn fips204_44() {
    agree::<MlDsa44, Fips204Set44>("fips204");
}

#[test]
fn fips204_65() {
    agree::<MlDsa65, Fips204Set65>("fips204");
}

#[test]
fn fips204_87() {
    agree::<MlDsa87, Fips204Set87>("fips204");
}
