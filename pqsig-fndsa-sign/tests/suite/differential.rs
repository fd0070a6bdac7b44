//! Against the crate `fn-dsa` 0.4.0, fed with the same randomness.
//!
//! Verdicts on broken signing keys are not compared: with AVX2, 0.4.0 does not check the range of G
//! (its mask looks at the sign bits of 16-bit lanes that are never negative), so that it accepts
//! nearly all of them.

use crate::common::{Replay, Rng, rounds};
use fn_dsa::{
    DomainContext, HASH_ID_EXTMU, HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA256, HASH_ID_SHAKE256,
    HashIdentifier, KeyPairGenerator, KeyPairGeneratorStandard, KeyPairGeneratorWeak,
    SigningKeyStandard, SigningKeyWeak, VerifyingKeyStandard, VerifyingKeyWeak,
};
use pqsig_comm::fndsa::FnDsaToy;
use pqsig_fndsa_sign::{FnDsa512, FnDsa1024, ParameterSet, PreHash, Signature, SigningKey};
use signature::RandomizedSigner;

/// One key, and `signatures` signatures with it.
fn compare<P, G, S, V>(rng: &mut Rng, signatures: u64)
where
    P: ParameterSet,
    G: KeyPairGenerator,
    S: fn_dsa::SigningKey,
    V: fn_dsa::VerifyingKey,
{
    let seed: [u8; 32] = rng.bytes();
    let ours = SigningKey::<P>::generate_from_rng(&mut Replay::new(&seed));
    let mut sk = vec![0; P::SIGNING_KEY_LEN];
    let mut vk = vec![0; P::VERIFYING_KEY_LEN];
    G::default().keygen(P::LOGN, &mut Replay::new(&seed), &mut sk, &mut vk);
    assert_eq!(ours.to_bytes().as_ref(), sk);
    assert_eq!(ours.verifying_key().as_bytes(), vk);
    assert!(SigningKey::<P>::from_bytes(&sk).expect("a valid key") == ours);

    let prepared = Box::new(ours.prepare());
    let mut theirs = Box::new(S::decode(&sk).expect("a valid key"));
    let their_vk = V::decode(&vk).expect("a valid key");
    for _ in 0..signatures {
        let randomness: [u8; 40] = rng.bytes();
        let length = rng.below(256);
        let context = rng.vec(length);
        let length = rng.below(1000);
        let message = rng.vec(length);
        let digest: [u8; 64] = rng.bytes();
        let domain = DomainContext(&context);
        let mut replay = Replay::new(&randomness);
        let (signature, id, signed): (Signature<P>, HashIdentifier<'_>, &[u8]) = match rng.below(5)
        {
            0 => {
                let mu = digest;
                let signature = prepared.sign_mu_with_rng(&mut replay, &mu);
                (signature.expect("a signature"), HASH_ID_EXTMU, &digest)
            }
            1 => (
                (ours.sign_prehashed(PreHash::Sha2_256, &digest[..32], &context, &mut replay))
                    .expect("a signature"),
                HASH_ID_SHA256,
                &digest[..32],
            ),
            2 => (
                (prepared.sign_prehashed(PreHash::Sha3_256, &digest[..32], &context, &mut replay))
                    .expect("a signature"),
                HASH_ID_SHA3_256,
                &digest[..32],
            ),
            3 => (
                (ours.sign_prehashed(PreHash::Shake256, &digest, &context, &mut replay))
                    .expect("a signature"),
                HASH_ID_SHAKE256,
                &digest,
            ),
            _ => {
                let signer = ours.with_context(&context).expect("short");
                let signature = signer.sign_with_rng(&mut replay, &message);
                (signature, HASH_ID_RAW, &message)
            }
        };
        let mut expected = vec![0; P::SIGNATURE_LEN];
        let mut replay = Replay::new(&randomness);
        (theirs.sign(&mut replay, &domain, &id, signed, &mut expected)).expect("a signature");
        assert_eq!(signature.as_bytes(), expected, "{}", P::NAME);
        assert!(their_vk.verify(signature.as_bytes(), &domain, &id, signed));
    }
}

fn compare_standard<P: ParameterSet>(seed: u64, keys: u64, signatures: u64) {
    let mut rng = Rng(seed);
    for _ in 0..rounds(keys) {
        compare::<P, KeyPairGeneratorStandard, SigningKeyStandard, VerifyingKeyStandard>(
            &mut rng, signatures,
        );
    }
}

fn compare_toy<P: ParameterSet>(seed: u64) {
    let mut rng = Rng(seed);
    for _ in 0..rounds(30) {
        compare::<P, KeyPairGeneratorWeak, SigningKeyWeak, VerifyingKeyWeak>(&mut rng, 15);
    }
}

#[test]
fn fn_dsa_512_gives_the_same() {
    compare_standard::<FnDsa512>(512, 16, 30);
}

#[test]
fn fn_dsa_1024_gives_the_same() {
    compare_standard::<FnDsa1024>(1024, 8, 30);
}

#[test]
fn toy_degrees_give_the_same() {
    compare_toy::<FnDsaToy<2>>(2);
    compare_toy::<FnDsaToy<3>>(3);
    compare_toy::<FnDsaToy<4>>(4);
    compare_toy::<FnDsaToy<5>>(5);
    compare_toy::<FnDsaToy<6>>(6);
    compare_toy::<FnDsaToy<7>>(7);
    compare_toy::<FnDsaToy<8>>(8);
}
