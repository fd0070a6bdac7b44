//! Keys and signatures of all sets have the same bytes on every target and with every backend:
//! their digests, written down here once, are compared wherever this runs.
//!
//! 20 seeds for each set, and 500 where `PQSIG_LONG` is set.
#![cfg(all(feature = "mldsa", feature = "fndsa"))]

use core::convert::Infallible;
use pqsig::{
    fndsa, mldsa,
    rand_core::{TryCryptoRng, TryRng},
    signature::{RandomizedSigner, Signer, Verifier},
};
use sha2::{Digest, Sha256};

const FEW: u32 = 20;
const MANY: u32 = 500;

/// The generator SplitMix64. Not cryptographic, and this test does not care.
struct Random(u64);

impl TryRng for Random {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Ok(x ^ (x >> 31))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for chunk in out.chunks_mut(8) {
            let word = self.try_next_u64()?;
            chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Random {}

/// `one` hashes a key and what it signs.
fn check(few: &str, many: &str, mut one: impl FnMut(u32, &mut Sha256)) {
    let long = std::env::var_os("PQSIG_LONG").is_some_and(|value| value != "0");
    let (count, expected) = if long { (MANY, many) } else { (FEW, few) };
    let mut hash = Sha256::new();
    (0..count).for_each(|seed| one(seed, &mut hash));
    let digest: String = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(digest, expected, "{count} seeds");
}

fn message(seed: u32) -> Vec<u8> {
    (0..seed % 300).map(|i| (i * 7 + seed) as u8).collect()
}

fn mldsa<P: mldsa::ParameterSet>(seed: u32, hash: &mut Sha256) {
    let mut random = Random(seed.into());
    let key = mldsa::SigningKey::<P>::generate_from_rng(&mut random);
    let prepared = Box::new(key.prepare());
    let message = message(seed);
    let signature = key.sign(&message);
    let hedged = prepared.sign_with_rng(&mut random, &message);
    assert!(prepared.sign(&message) == signature);
    assert!(key.verifying_key().verify(&message, &signature).is_ok());
    hash.update(key.to_expanded_bytes());
    hash.update(key.verifying_key().as_bytes());
    hash.update(signature.as_bytes());
    hash.update(hedged.as_bytes());
}

fn fndsa<P: fndsa::ParameterSet>(seed: u32, hash: &mut Sha256) {
    let mut random = Random(seed.into());
    let key = Box::new(fndsa::SigningKey::<P>::generate_from_rng(&mut random));
    let message = message(seed);
    let plain = key.sign_with_rng(&mut random, &message);
    let prepared = key.prepare_boxed().sign_with_rng(&mut random, &message);
    assert!(key.verifying_key().verify(&message, &plain).is_ok());
    assert!(key.verifying_key().verify(&message, &prepared).is_ok());
    hash.update(key.to_bytes());
    hash.update(key.verifying_key().as_bytes());
    hash.update(plain.as_bytes());
    hash.update(prepared.as_bytes());
}

#[test]
fn ml_dsa_44() {
    check(
        "a5134c9f868de3e284e38a4f7658810a18fda96c387056a69933fb17340bfebd",
        "34cba56c187162ccf420df6b427413f3bb3539badb795fb83a15c3874a34c103",
        mldsa::<mldsa::MlDsa44>,
    );
}

#[test]
fn ml_dsa_65() {
    check(
        "80f2768bd7330d3e6d1bfdbf536bc3b4413724faec6def31e5f29cd6aebc466f",
        "6157e3c3c672941119473ce56477657b2f2cc012a940fd82e4320af51615d937",
        mldsa::<mldsa::MlDsa65>,
    );
}

#[test]
fn ml_dsa_87() {
    check(
        "8fe807dcd82167aa655bbafce751474982f0d2675b63245d7989b66d91f5dd4d",
        "3e719b4075f26515650e63c9fd8376bc825bf703b95faac8190208d53ec32b15",
        mldsa::<mldsa::MlDsa87>,
    );
}

#[test]
fn fn_dsa_512() {
    check(
        "e72a9a5c7034472f2e259cef1f819e2cf89350339255d5a791b9cd2b673d33cc",
        "001098e9093c47c63f8110d67ace0edd7b7f48722384f2d110c7f77bc03de49d",
        fndsa::<fndsa::FnDsa512>,
    );
}

#[test]
fn fn_dsa_1024() {
    check(
        "8644fb87aa4d116d7da6ee53da389ad2303bce0aaef43c467e29fc1e8cce2175",
        "06171d9d12a4e3d5a38d7b28312594875475801c7db016bb4842730f5af3082d",
        fndsa::<fndsa::FnDsa1024>,
    );
}
