//! Helpers of the unit tests, and the tests of the whole search.

use crate::{
    gauss::Stream,
    ntru::Failure,
    search::{Basis, Memory, Outcome, scratch_len, search_in},
};
use num_bigint::BigInt;
use pqsig_comm::{
    arch::Portable,
    fndsa::{mq, params::Q},
};
use serde_json::json;
use sha2::{Digest, Sha256};
use sha3::Sha3_256;
use std::{eprintln, format, path::PathBuf, string::String, vec, vec::Vec};

/// A small generator of test data.
pub(crate) struct Lcg(u64);

impl Lcg {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

/// The integer with these digits (radix 2^62, the last one signed).
pub(crate) fn big(digits: &[i64]) -> BigInt {
    digits
        .iter()
        .rev()
        .fold(BigInt::from(0), |sum, &digit| (sum << 62) + digit)
}

/// The digits of an integer, `len` of them.
pub(crate) fn to_digits(value: &BigInt, len: usize) -> Vec<i64> {
    let mask = BigInt::from((1i64 << 62) - 1);
    let mut digits: Vec<i64> = (0..len - 1)
        .map(|i| i64::try_from((value >> (62 * i)) & &mask).unwrap())
        .collect();
    digits.push(i64::try_from(value >> (62 * (len - 1))).expect("enough digits"));
    digits
}

pub(crate) fn sha256_hex(data: &[u8]) -> String {
    hex::encode(Sha256::digest(data))
}

/// A file of the folder of test vectors, where there is one.
pub(crate) fn shared_json(name: &str) -> Option<serde_json::Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/fndsa")
        .join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: no {}", path.display());
        return None;
    };
    Some(serde_json::from_str(&text).expect("valid JSON"))
}

/// A key with the history of its search.
struct Traced {
    f: Vec<i8>,
    g: Vec<i8>,
    capital_f: Vec<i8>,
    capital_g: Vec<i8>,
    /// h in the NTT domain, in the order of verifying keys.
    h_hat: Vec<u16>,
    outcomes: Vec<Outcome>,
    /// SHA3-256 of F after each depth, of the last candidate.
    levels: Vec<(usize, String)>,
    stream_bytes: usize,
}

/// Bits of a coefficient of f and g by degree.
const FG_BITS: [u32; 11] = [0, 0, 8, 8, 8, 8, 7, 7, 6, 6, 5];

fn trace(logn: usize, seed: &[u8]) -> Traced {
    let n = 1 << logn;
    let mut key = Traced {
        f: vec![0; n],
        g: vec![0; n],
        capital_f: vec![0; n],
        capital_g: vec![0; n],
        h_hat: Vec::new(),
        outcomes: Vec::new(),
        levels: Vec::new(),
        stream_bytes: 0,
    };
    let (mut h_hat, mut values, mut temporary) = (vec![0; n], vec![0; n], vec![0; n]);
    // Nothing may depend on what the memory holds.
    let mut scratch = vec![-1; scratch_len(logn)];
    let mut stream = Stream::new(Portable, seed);
    let levels = &mut key.levels;
    search_in(
        Portable,
        &mut stream,
        FG_BITS[logn],
        &mut Basis {
            f: &mut key.f,
            g: &mut key.g,
            capital_f: &mut key.capital_f,
            capital_g: &mut key.capital_g,
        },
        &mut Memory {
            scratch: &mut scratch,
            h_hat: &mut h_hat,
            values: &mut values,
            temporary: &mut temporary,
        },
        |outcome| key.outcomes.push(outcome),
        |depth, capital_f, digits| {
            levels.retain(|&(seen, _)| seen > depth);
            let text: Vec<String> = capital_f
                .chunks_exact(digits)
                .map(|x| format!("{}", big(x)))
                .collect();
            levels.push((depth, hex::encode(Sha3_256::digest(text.join(",")))));
        },
    );
    key.stream_bytes = stream.total;
    key.h_hat = (0..n)
        .map(|i| mq::canonical(h_hat[mq::position(logn as u32, i)]))
        .collect();
    check_ntru_equation(&key);
    key
}

/// `f G - g F = q` over the integers, and h f = g modulo q at the first point.
fn check_ntru_equation(key: &Traced) {
    let n = key.f.len();
    for i in 0..n {
        let mut sum = 0;
        for j in 0..n {
            let sign = if j <= i { 1 } else { -1 };
            let at = (n + i - j) % n;
            sum += sign * i32::from(key.f[j]) * i32::from(key.capital_g[at]);
            sum -= sign * i32::from(key.g[j]) * i32::from(key.capital_f[at]);
        }
        assert_eq!(sum, if i == 0 { i32::from(Q) } else { 0 });
    }
    // The first value of the transform is that at 7^(1024/n).
    let q = u64::from(Q);
    let power = |x: u64, e: usize| (0..e).fold(1, |product, _| product * x % q);
    let point = power(7, 1024 / n);
    let value = |poly: &[i8]| {
        poly.iter().rev().fold(0, |sum, &x| {
            (sum * point + i64::from(x).rem_euclid(q as i64) as u64) % q
        })
    };
    assert_eq!(u64::from(key.h_hat[0]) * value(&key.f) % q, value(&key.g));
}

/// SHA-256 of f, g, F and G, as the keygen vectors have it.
fn basis_hash(key: &Traced) -> String {
    let bytes: Vec<u8> = [&key.f, &key.g, &key.capital_f, &key.capital_g]
        .into_iter()
        .flatten()
        .map(|&x| x as u8)
        .collect();
    sha256_hex(&bytes)
}

/// One key of degree 8, step by step.
#[test]
fn worked_example() {
    let seed = "5c5fabe4c03ab67e7db486f6b89f6f688f776602ecfbd8ab86939c0307d00938";
    let key = trace(3, &hex::decode(seed).unwrap());
    use Outcome::{Found, Norm, Orthogonal, Unsolved};
    assert_eq!(
        key.outcomes,
        [
            Orthogonal,
            Orthogonal,
            Orthogonal,
            Unsolved(Failure::Gcd),
            Norm,
            Found
        ]
    );
    assert_eq!(key.stream_bytes, 15_104);
    assert_eq!(key.f, [-65, -18, -18, 42, -26, 8, 32, 4]);
    assert_eq!(key.g, [23, -52, 10, -9, 42, -4, 55, 6]);
    assert_eq!(key.capital_f, [-65, 60, 41, 43, 39, -25, 12, -106]);
    assert_eq!(key.capital_g, [20, -53, 56, -31, 49, -54, -42, 39]);
    assert_eq!(
        key.h_hat,
        [6218, 5122, 10601, 2979, 5328, 10412, 9937, 8657]
    );
}

/// As `fn-dsa` 0.4.0 makes them: f, g, F and G of the streams "test0", "test1" and "test2".
#[test]
fn first_keygen_vectors() {
    for (logn, hashes) in [
        (
            8,
            [
                "35439d2efbd2ac0715c3aa998e96afb3c4759bd5fec237fd173efda4fdc7c0e1",
                "ea672aee22de008fbf5b437321fc5ce43ea5068045a2e1909d6fac5f3942e096",
                "639d51cf297c3c457a2d0a34495fc37a66fa8b1cf6e3005e11403e0bcf8c4cd4",
            ],
        ),
        (
            9,
            [
                "986c56eb85223849ec226e7bee9407eba4e0d648c5d1774ea53e22cf9311db5a",
                "03056bc154032e313eec34c6363cdb52856d8a2d0c6043134983f35c53b3e783",
                "8247d57762a812b840ff794f148be537bcb06f738ea6e89f6d7464e0f33569c4",
            ],
        ),
        (
            10,
            [
                "32b65a96d2111ab4c21fa02335d7290afaee8f1316f8d2a85388b57174a6b71c",
                "d81641446bc52c012aee0f41c77fdb6c8dc7a1a760f802d6989706c52043fadc",
                "a4df2e5e072ccef2c0e6daf15c73a64d831f9db88c8459c2ee99d0dbf1d489f1",
            ],
        ),
    ] {
        for (i, expected) in hashes.into_iter().enumerate() {
            let key = trace(logn, format!("test{i}").as_bytes());
            assert_eq!(basis_hash(&key), expected, "{logn} {i}");
        }
    }
}

/// All 300 keygen vectors, where the folder is there.
#[test]
fn keygen_vectors() {
    let Some(table) = shared_json("kats.json") else {
        return;
    };
    let mut cases = 0;
    for logn in 8..=10 {
        let hashes = table["keygen_sha256"][&format!("{logn}")]
            .as_array()
            .unwrap();
        for (i, expected) in hashes.iter().enumerate() {
            let key = trace(logn, format!("test{i}").as_bytes());
            assert_eq!(basis_hash(&key), expected.as_str().unwrap(), "{logn} {i}");
            cases += 1;
        }
    }
    assert_eq!(cases, 300);
}

/// The eight traces: outcomes, bytes of the stream, and F after every depth.
#[test]
fn traces() {
    let Some(table) = shared_json("trace.json") else {
        return;
    };
    let rows = table.as_array().unwrap();
    assert_eq!(rows.len(), 8);
    for row in rows {
        let logn = row["logn"].as_u64().unwrap() as usize;
        let seed = hex::decode(row["keygen_seed"].as_str().unwrap()).unwrap();
        let key = trace(logn, &seed);
        let names: Vec<&str> = key.outcomes.iter().map(|&outcome| name(outcome)).collect();
        assert_eq!(json!(names), row["candidates"], "{logn}");
        assert_eq!(row["keygen_prng_bytes"], key.stream_bytes);
        let hashes = row["F_after_depth_sha3_256_of_decimal_csv"]
            .as_object()
            .unwrap();
        assert_eq!((hashes.len(), key.levels.len()), (logn, logn));
        for (depth, hash) in &key.levels {
            assert_eq!(hashes[&format!("{depth}")], *hash, "{logn} {depth}");
        }
        for (name, poly) in [
            ("f_first8", &key.f),
            ("g_first8", &key.g),
            ("F_first8", &key.capital_f),
            ("G_first8", &key.capital_g),
        ] {
            assert_eq!(json!(poly[..8]), row[name]);
        }
        assert_eq!(json!(key.h_hat[..8]), row["h_ntt_first8"]);
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Singular => "f-not-invertible",
        Outcome::Norm => "norm",
        Outcome::Orthogonal => "ortho",
        Outcome::Unsolved(Failure::Gcd) => "solve:gcd",
        Outcome::Unsolved(_) => "solve",
        Outcome::Unencodable => "unencodable",
        Outcome::Found => "ok",
    }
}

/// Two of the traces without the folder: the last F of each depth, in short.
#[test]
fn intermediate_values() {
    for (seed, logn, expected) in INTERMEDIATE {
        let key = trace(logn, &hex::decode(seed).unwrap());
        let levels: Vec<String> = key
            .levels
            .iter()
            .map(|(_, hash)| hash[..16].into())
            .collect();
        assert_eq!(levels, expected);
    }
}

/// Seed, degree, and the first half of the SHA3-256 of F after each depth, deepest first
/// (trace.json of the test vectors).
const INTERMEDIATE: [(&str, usize, &[&str]); 2] = [
    (
        "cb9f8434389b4ad778b56e85eb9b9547027eaa2bb22db777a6a91593ab68ff67",
        9,
        &[
            "aa854c6ca7cd910f",
            "a15379521319f6e8",
            "6b59eba7e95076aa",
            "8d46882bd94a13a3",
            "96354f57bbaf3b7c",
            "06efded785a7e20e",
            "59661b707287538a",
            "8475c9d0b46857f8",
            "bf32c68f5435ff15",
        ],
    ),
    (
        "4cabe58dd35951a308220ee9fb38b23515ed491fdcedb5249548802b32ac0848",
        10,
        &[
            "040d589e2c436435",
            "0ee73138eab13582",
            "a7b089e62cf9c074",
            "1093dcec19ea7625",
            "d76799ba8fa725d7",
            "7105715491d8a4cd",
            "dba6827dabe21485",
            "7e6124d8013dfbbd",
            "24e476354a546db3",
            "71613bbd2853d2a6",
        ],
    ),
];
