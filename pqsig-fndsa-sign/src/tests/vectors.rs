//! Known answers, with both implementations of the numbers, with the key prepared and not.
//!
//! The folder of vectors is no part of the repository: `../shared/vectors` beside the workspace,
//! or `PQSIG_VECTORS`. Where it is missing, the tests that need it say so and pass.

extern crate std;

use super::{
    hex,
    known::{FULL, RESTARTS},
    unhex,
};
use crate::{
    flr::{Real, Selected, emulated::Emulated},
    sampler::Sampler,
    secret::{self, Secret},
    sign::{Decomposing, Expanded, Request, Workspace},
};
use pqsig_comm::{
    PreHash,
    arch::Portable,
    encoding::ByteArray,
    fndsa::{FnDsa512, FnDsa1024, FnDsaToy, Signature, derive, params::ParameterSet},
    mu::{self, Context, Mu},
    shake::Shake256,
};
use serde_json::Value;
use sha3::{Digest, Sha3_256};
use std::{boxed::Box, eprintln, fs, path::PathBuf, vec::Vec};

/// The JSON file with this name beside the folder of vectors.
pub(crate) fn json(name: &str) -> Option<Value> {
    let folder = std::env::var_os("PQSIG_VECTORS").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/vectors")),
        PathBuf::from,
    );
    let path = folder.join("../fndsa").join(name);
    if !folder.is_dir() {
        eprintln!("no folder of vectors: {} is not read", path.display());
        return None;
    }
    let text = fs::read_to_string(path).expect("the folder of vectors is there, the file is not");
    Some(serde_json::from_str(&text).expect("the file is JSON"))
}

pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    unhex(value.as_str().expect("a string"))
}

/// An imported key: the secret, the verifying key and the hash of it.
pub(crate) fn import<P: ParameterSet>(sk: &[u8]) -> (Secret<P>, Vec<u8>, [u8; 64]) {
    let mut secret = Secret::<P>::ZERO;
    secret.bytes = P::SigningKeyBytes::from_slice(sk).expect("a length");
    let mut vk = P::VerifyingKeyBytes::ZERO;
    secret::import(&mut secret, &mut vk).expect("a valid key");
    let hash = *secret.stored_key_hash().expect("a valid key");
    (secret, vk.as_ref().to_vec(), hash)
}

/// The key of vector `j`, and the randomness of its signature.
pub(crate) fn generate<P: ParameterSet>(j: u32) -> (Vec<u8>, Vec<u8>, [u8; 40]) {
    let mut stream = Shake256::new(Portable);
    stream.absorb(&[P::LOGN as u8]);
    stream.absorb(&j.to_le_bytes());
    let mut stream = stream.finish();
    let mut seed = [0; 32];
    stream.read(&mut seed);
    let mut randomness = [0; 40];
    stream.read(&mut randomness);
    let (sk, vk) = pqsig_fndsa_kgen::hazmat::keygen_from_seed::<P>(&seed);
    (sk.as_ref().to_vec(), vk.as_ref().to_vec(), randomness)
}

/// Signs in every way that there is; all ways give the same.
pub(crate) fn sign<P: ParameterSet>(secret: &Secret<P>, mu: &Mu, randomness: &[u8; 40]) -> Vec<u8> {
    let request = Request {
        hedge: &secret.hedge,
        mu,
        randomness,
    };
    let signature = sign_with::<P, Selected>(secret, request);
    assert_eq!(sign_with::<P, Emulated>(secret, request), signature);
    signature.as_bytes().to_vec()
}

fn sign_with<P: ParameterSet, R: Real>(secret: &Secret<P>, request: Request<'_>) -> Signature<P> {
    let mut workspace = Box::new(Workspace::<P, R>::ZERO);
    let mut dynamic = Box::new(Decomposing::ZERO);
    let signature = dynamic
        .sign(secret, &mut workspace, request)
        .expect("a signature");
    let mut expanded = Box::new(Expanded::ZERO);
    expanded.fill(secret);
    let other = expanded.sign(&mut workspace, request).expect("a signature");
    assert_eq!(signature, other);
    signature
}

#[test]
fn sampler_vector() {
    fn check<R: Real>(file: &Value) {
        let seed = bytes(&file["prng_seed"]);
        let (seed, counter) = seed.split_first_chunk().expect("41 bytes");
        let mut stream = derive::attempt_stream(Portable, seed, counter[0]);
        let mut nonce = [0; 40];
        stream.read(&mut nonce);
        assert_eq!(nonce[..], bytes(&file["nonce"]));
        let mut sampler = Sampler::new(stream, R::from_bits(FnDsa512::SIGMA_MIN), 9);
        let number = |value: &Value| {
            let digits = value.as_str().and_then(|text| text.strip_prefix("0x"));
            R::from_bits(u64::from_str_radix(digits.expect("a number"), 16).expect("a number"))
        };
        let cases = file["cases"].as_array().expect("a list");
        for case in cases {
            let z = sampler.one(number(&case[0]), number(&case[1]));
            assert_eq!(Some(i64::from(z)), case[2].as_i64());
        }
        assert_eq!(cases.len(), 1024);
        let taken = sampler.taken() as u64;
        assert_eq!(Some(taken), file["total_prng_bytes"].as_u64());
    }
    if let Some(file) = json("sampler_kat.json") {
        check::<Selected>(&file);
        check::<Emulated>(&file);
    }
}

#[test]
fn fixed_512_vector() {
    let Some(file) = json("kats.json") else {
        return;
    };
    let case = &file["fixed_512"];
    let (secret, vk, hash) = import::<FnDsa512>(&bytes(&case["sk"]));
    assert_eq!(vk, bytes(&case["vk"]));
    let context = Context::new(b"context").expect("short");
    let mu = mu::pure(&hash, context, &[b"message"]);
    assert_eq!(mu[..], bytes(&case["mu"]));
    let randomness = bytes(&case["seed"]).try_into().expect("40 bytes");
    let mut derived = [0; 40];
    derive::sign_seed(Portable, &secret.hedge, &mu, &randomness, &mut derived);
    assert_eq!(derived[..], bytes(&case["seed_derived"]));
    assert_eq!(sign(&secret, &mu, &randomness), bytes(&case["sig"]));
}

/// All ten vectors of a degree.
fn full<P: ParameterSet>() {
    let (_, hashes) = FULL
        .iter()
        .find(|(logn, _)| *logn == P::LOGN)
        .expect("ten for each degree");
    let context = Context::new(b"domain").expect("short");
    for (j, expected) in hashes.iter().enumerate() {
        let (sk, vk, randomness) = generate::<P>(j as u32);
        let (secret, imported, hash) = import::<P>(&sk);
        assert_eq!(imported, vk);
        let mu = if j % 2 == 0 {
            mu::pure(&hash, context, &[b"message"])
        } else {
            let digest = Sha3_256::digest(b"message");
            mu::prehashed(&hash, context, PreHash::Sha3_256, &digest).expect("the length fits")
        };
        let signature = sign(&secret, &mu, &randomness);
        let mut hash = Sha3_256::new();
        hash.update(&sk);
        hash.update(&vk);
        hash.update(&signature);
        assert_eq!(hex(&hash.finalize()), *expected, "{} {j}", P::NAME);
    }
}

#[test]
fn full_vectors_of_toy_degrees() {
    full::<FnDsaToy<2>>();
    full::<FnDsaToy<3>>();
    full::<FnDsaToy<4>>();
    full::<FnDsaToy<5>>();
    full::<FnDsaToy<6>>();
    full::<FnDsaToy<7>>();
    full::<FnDsaToy<8>>();
}

#[test]
fn full_vectors_of_512() {
    full::<FnDsa512>();
}

#[test]
fn full_vectors_of_1024() {
    full::<FnDsa1024>();
}

#[test]
fn restart_vectors() {
    fn check<P: ParameterSet>() -> usize {
        let (sk, _, _) = generate::<P>(0);
        let (secret, _, hash) = import::<P>(&sk);
        let mu = mu::pure(&hash, Context::default(), &[b"restart"]);
        let cases = RESTARTS.iter().filter(|(logn, ..)| *logn == P::LOGN);
        cases
            .map(|(_, start, expected)| {
                let mut randomness = [0; 40];
                randomness[..2].copy_from_slice(start);
                let signature = sign(&secret, &mu, &randomness);
                assert_eq!(hex(&Sha3_256::digest(&signature)), *expected);
            })
            .count()
    }
    assert_eq!(check::<FnDsa512>(), 3);
    assert_eq!(check::<FnDsa1024>(), 3);
}
