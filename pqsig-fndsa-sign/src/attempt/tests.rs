//! The steps of an attempt against the trace of the specification.

extern crate std;

use super::*;
use crate::{
    flr::{Selected, emulated::Emulated},
    tests::{
        hex, reverse,
        vectors::{bytes, import, json},
    },
};
use pqsig_comm::{
    PreHash,
    arch::Portable,
    fndsa::{FnDsa512, FnDsa1024, FnDsaToy},
    mu::{self, Context},
};
use serde_json::Value;
use sha3::{Digest, Sha3_256};
use std::{string::String, vec};

/// The hash of numbers: SHA3-256 over little-endian binary64, -0 as +0. `numbers` are whole or
/// half transforms in natural order; they are hashed in the order of the specification.
fn hash_of<R: Real>(numbers: &[R], len: usize) -> String {
    let mut hash = Sha3_256::new();
    for part in numbers.chunks(len) {
        for k in 0..len {
            let bits = part[reverse(k, len.trailing_zeros())].to_bits();
            let bits = if bits << 1 == 0 { 0 } else { bits };
            hash.update(bits.to_le_bytes());
        }
    }
    hex(&hash.finalize())
}

fn hash_of_small(values: impl Iterator<Item = i16>) -> String {
    let mut hash = Sha3_256::new();
    values.for_each(|value| hash.update(value.to_le_bytes()));
    hex(&hash.finalize())
}

#[track_caller]
fn expect(case: &Value, name: &str, got: &str) {
    assert_eq!(case[name].as_str(), Some(got), "{name}");
}

/// Follows one case of the trace step by step.
fn follow<P: ParameterSet, R: Real>(case: &Value) {
    let (secret, vk, key_hash) = import::<P>(&bytes(&case["sk"]));
    assert_eq!(vk, bytes(&case["vk"]));
    expect(case, "hashed_vk", &hex(&key_hash));
    expect(case, "hashed_sk40", &hex(&secret.hedge));
    let context = Context::new(b"domain").expect("short");
    let mu = if case["j"].as_u64() == Some(0) {
        mu::pure(&key_hash, context, &[b"message"])
    } else {
        let digest = Sha3_256::digest(b"message");
        mu::prehashed(&key_hash, context, PreHash::Sha3_256, &digest).expect("the length fits")
    };
    expect(case, "mu", &hex(&mu));
    let randomness = bytes(&case["sign_seed"]).try_into().expect("40 bytes");
    let mut seed = [0; 40];
    derive::sign_seed(Portable, &secret.hedge, &mu, &randomness, &mut seed);
    expect(case, "derived_seed", &hex(&seed));

    let n = P::N;
    let half = n / 2;
    let mut basis = vec![R::ZERO; 4 * n];
    let mut gram = vec![R::ZERO; 4 * n];
    let small = secret.small();
    let rows = [
        small.f.as_ref(),
        small.g.as_ref(),
        small.capital_f.as_ref(),
        secret.capital_g().as_ref(),
    ];
    write_basis(rows, &mut basis, &mut gram[..n]);
    let basis = Basis::new(&basis);
    expect(case, "sha3_b00", &hash_of(basis.b00, half));
    expect(case, "sha3_b01", &hash_of(basis.b01, half));
    expect(case, "sha3_b10", &hash_of(basis.b10, half));
    expect(case, "sha3_b11", &hash_of(basis.b11, half));
    let top = ffsampling::top(&mut gram);
    basis.gram(top);
    expect(case, "sha3_g00_re", &hash_of(&top[..half], half));
    expect(case, "sha3_g11_re", &hash_of(&top[half..n], half));
    expect(case, "sha3_g01", &hash_of(&top[n..], half));

    let attempts = case["attempts"].as_array().expect("a list");
    assert_eq!(attempts.len(), 1);
    let case = &attempts[0];
    let mut stream = derive::attempt_stream(Portable, &seed, 0);
    let mut attempt = Attempt {
        numbers: Numbers::of::<P>(),
        mu: &mu,
        basis,
        targets: &mut vec![R::ZERO; 4 * n],
        c: &mut vec![0; n],
        s2: &mut vec![0; n],
        nonce: [0; NONCE_LEN],
    };
    stream.read(&mut attempt.nonce);
    expect(case, "nonce", &hex(&attempt.nonce));
    hash_to_point(Portable, &attempt.nonce, &mu, attempt.c);
    let c = attempt.c.iter().map(|c| c.cast_signed());
    expect(case, "sha3_hm_u16le", &hash_of_small(c));

    attempt.set_target();
    let t = ffsampling::top(attempt.targets);
    expect(case, "sha3_t0", &hash_of(&t[..n], half));
    expect(case, "sha3_t1", &hash_of(&t[n..], half));

    let mut sampler = Sampler::new(stream, R::from_bits(P::SIGMA_MIN), P::LOGN);
    let tree = Dynamic::new(&mut gram, R::from_bits(P::INV_SIGMA));
    ffsampling::sample(attempt.targets, tree, &mut sampler, P::LOGN);
    let z = ffsampling::top(attempt.targets);
    expect(case, "sha3_z0_fft", &hash_of(&z[..n], half));
    expect(case, "sha3_z1_fft", &hash_of(&z[n..], half));
    let taken = sampler.taken() as u64;
    assert_eq!(case["prng_bytes_total"].as_u64(), Some(taken));

    assert!(attempt.is_short());
    let x = &ffsampling::top(attempt.targets)[..n];
    let s1 = (x.iter().zip(&*attempt.c)).map(|(x, c)| (i64::from(*c) - x.rint()) as i16);
    expect(case, "sha3_s1_i16le", &hash_of_small(s1));
    let s2 = attempt.s2.iter().copied();
    expect(case, "sha3_s2_i16le", &hash_of_small(s2));
}

#[test]
fn every_step_is_that_of_the_trace() {
    fn both<P: ParameterSet>(case: &Value) {
        follow::<P, Selected>(case);
        follow::<P, Emulated>(case);
    }
    let Some(file) = json("trace.json") else {
        return;
    };
    let cases = file.as_array().expect("a list");
    for case in cases {
        match case["logn"].as_u64() {
            Some(3) => both::<FnDsaToy<3>>(case),
            Some(4) => both::<FnDsaToy<4>>(case),
            Some(6) => both::<FnDsaToy<6>>(case),
            Some(8) => both::<FnDsaToy<8>>(case),
            Some(9) => both::<FnDsa512>(case),
            Some(10) => both::<FnDsa1024>(case),
            other => unreachable!("degree {other:?}"),
        }
    }
    assert_eq!(cases.len(), 8);
}

#[test]
fn measures_count_and_flag() {
    let measured = |values: &[i32], max| {
        let mut measure = Measure::default();
        values.iter().for_each(|value| measure.add(*value));
        measure.is_within(max)
    };
    assert!(measured(&[840, -840], 2 * 840 * 840));
    assert!(!measured(&[840, -840], 2 * 840 * 840 - 1));
    for far in [
        841,
        -841,
        1 << 16,
        -(1 << 16),
        i32::MAX,
        i32::MIN,
        i32::MAX - 840,
    ] {
        assert!(!measured(&[0, far, 0], u32::MAX), "{far}");
    }
    assert!(measured(&[840; 2048], 2048 * 840 * 840));
}
