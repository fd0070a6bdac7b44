//! Known answers, in both implementations of the numbers and on both sets of CPU features.
//!
//! The folder of vectors is no part of the repository: `../shared` beside the workspace, or
//! `PQSIG_SHARED`. Where it is missing, these tests say so and pass.

extern crate std;

use super::{hex, unhex};
use crate::{
    ffsampling::{self, Dynamic, Stored},
    fft::{self, Basis},
    flr::{Real, Selected, emulated::Emulated},
    sampler::Sampler,
    secret::{self, Secret},
    sign::{Attempt, Decomposing, Expanded, Request},
};
use pqsig_comm::{
    arch::{Arch, Portable},
    encoding::ByteArray,
    fndsa::{
        FnDsa512, FnDsa1024, Signature, derive,
        params::{ParameterSet, PolyArray},
    },
    mu::{self, Context, Mu},
};
use serde_json::Value;
use sha3::{Digest, Sha3_256};
use std::{boxed::Box, eprintln, fs, path::PathBuf, string::String, vec, vec::Vec};

/// The JSON file with this name in the folder of FN-DSA data.
pub(crate) fn json(name: &str) -> Option<Value> {
    let folder = std::env::var_os("PQSIG_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")),
        PathBuf::from,
    );
    let path = folder.join("fndsa").join(name);
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

/// An imported key: secret, verifying key, hash of it.
pub(crate) fn import<P: ParameterSet>(sk: &[u8]) -> (Secret<P>, Vec<u8>, [u8; 64]) {
    let mut secret = Secret::<P>::ZERO;
    secret.bytes = P::SigningKeyBytes::from_slice(sk).expect("a length");
    let mut vk = P::VerifyingKeyBytes::ZERO;
    secret::import(&mut secret, &mut vk).expect("a valid key");
    let hash = *secret.stored_key_hash().expect("a valid key");
    (secret, vk.as_ref().to_vec(), hash)
}

/// Signs in every way that there is; all ways give the same.
pub(crate) fn sign<P: ParameterSet>(secret: &Secret<P>, mu: &Mu, randomness: &[u8; 40]) -> Vec<u8> {
    let request = Request {
        hedge: &secret.hedge,
        mu,
        randomness,
    };
    let signature = sign_with::<_, P, Selected>(Portable, secret, request);
    assert_eq!(
        sign_with::<_, P, Emulated>(Portable, secret, request),
        signature
    );
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = pqsig_comm::arch::Avx2::detect() {
        assert_eq!(
            sign_with::<_, P, Selected>(avx2, secret, request),
            signature
        );
    }
    signature.as_bytes().to_vec()
}

fn sign_with<A: Arch, P: ParameterSet, R: Real>(
    arch: A,
    secret: &Secret<P>,
    request: Request<'_>,
) -> Signature<P> {
    let mut attempt = Box::new(Attempt::<P, R>::ZERO);
    let mut dynamic = Box::new(Decomposing::ZERO);
    let signature = dynamic
        .sign(arch, secret, &mut attempt, request)
        .expect("a signature");
    let mut expanded = Box::new(Expanded::ZERO);
    expanded.fill(secret);
    let other = expanded
        .sign(arch, &mut attempt, request)
        .expect("a signature");
    assert_eq!(signature, other);
    signature
}

#[test]
fn sampler_vector() {
    fn check<R: Real>(file: &Value) {
        let seed: [u8; 41] = bytes(&file["prng_seed"]).try_into().expect("41 bytes");
        let (seed, counter) = seed.split_at(40);
        let seed = seed.try_into().expect("40 bytes");
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
        assert_eq!(
            Some(sampler.taken() as u64),
            file["total_prng_bytes"].as_u64()
        );
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
    assert_eq!(sign(&secret, &mu, &randomness), bytes(&case["sig"]));
}
