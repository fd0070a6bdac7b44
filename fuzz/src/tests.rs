//! Every target on valid inputs and on mutations of them: a fuzzer for machines without one.
//!
//! `PQSIG_FUZZ_ROUNDS` sets the number of mutations for each target (1,000 if not set).

use super::*;

/// splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// Flips, overwrites, cuts, repeats and extends.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let value = random.next() as u8;
        match random.below(7) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, value),
            2 if !bytes.is_empty() => drop(bytes.remove(at)),
            3 => bytes.extend_from_slice(&value.to_string().into_bytes()),
            4 if !bytes.is_empty() => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            _ if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            _ => bytes.push(value),
        }
    }
}

fn run(target: fn(&[u8]), seeds: &[Vec<u8>]) {
    let rounds = std::env::var("PQSIG_FUZZ_ROUNDS").map_or(1_000, |text| {
        text.parse().expect("PQSIG_FUZZ_ROUNDS is a number")
    });
    assert!(!seeds.is_empty() && rounds > 0);
    seeds.iter().for_each(|seed| target(seed));
    target(&[]);
    let mut random = Random(1);
    for round in 0..rounds {
        let mut bytes = seeds[round % seeds.len()].clone();
        mutate(&mut random, &mut bytes);
        target(&bytes);
        // And of the same length, but random.
        bytes
            .iter_mut()
            .for_each(|byte| *byte = random.next() as u8);
        target(&bytes);
    }
}

#[test]
fn private_keys() {
    use mldsa::PrivateKeyFormat::{Both, Expanded, Seed};
    let mut seeds = Vec::new();
    for (key, _) in known() {
        let pem = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
        seeds.push(pem.as_bytes().to_vec());
        seeds.push(key.to_pkcs8_der().expect("encodes").as_bytes().to_vec());
        for format in [Seed, Expanded, Both] {
            let der = key.to_pkcs8_der_with(format);
            seeds.extend(der.map(|der| der.as_bytes().to_vec()));
        }
    }
    assert_eq!(seeds.len(), 5 * 2 + 3 * 3);
    run(private_key, &seeds);
}

#[test]
fn public_keys() {
    let mut seeds = Vec::new();
    for (key, _) in known() {
        let key = key.verifying_key();
        let pem = key.to_public_key_pem(LineEnding::LF).expect("encodes");
        seeds.push(pem.into_bytes());
        seeds.push(key.to_public_key_der().expect("encodes").into_vec());
    }
    run(public_key, &seeds);
}

#[test]
fn raw_keys() {
    let mut seeds = Vec::new();
    for (key, _) in known() {
        seeds.push(key.verifying_key().as_bytes().to_vec());
        seeds.push(match key {
            SigningKey::MlDsa44(key) => key.to_expanded_bytes().to_vec(),
            SigningKey::MlDsa65(key) => key.to_expanded_bytes().to_vec(),
            SigningKey::MlDsa87(key) => key.to_expanded_bytes().to_vec(),
            SigningKey::FnDsa512(key) => key.to_bytes().to_vec(),
            SigningKey::FnDsa1024(key) => key.to_bytes().to_vec(),
            _ => continue,
        });
    }
    assert_eq!(seeds.len(), 10);
    run(raw_key, &seeds);
}

#[test]
fn signatures() {
    let mut seeds = Vec::new();
    for (i, (_, signature)) in known().iter().enumerate() {
        let pick = [i as u8];
        seeds.push([&pick, signature.as_bytes()].concat());
        // No difference, one, and one in the middle.
        seeds.push(pick.to_vec());
        seeds.push([&pick[..], &[1]].concat());
        let middle = signature.as_bytes().len() / 2;
        seeds.push([&pick[..], &vec![0; middle], &[0x10]].concat());
    }
    run(verify, &seeds);
}

#[test]
fn signing() {
    let seeds: Vec<Vec<u8>> = (0..8)
        .flat_map(|pick| [0, 1, 255].map(|length| (pick, length)))
        .map(|(pick, length)| [&[pick, length][..], &[7; 32], &[b'm'; 300]].concat())
        .collect();
    run(sign, &seeds);
}

#[test]
fn encodings_of_serde() {
    fn seeds<T: Serialize>(value: &T) -> [Vec<u8>; 2] {
        [
            serde_json::to_vec(value).expect("encodes"),
            postcard::to_stdvec(value).expect("encodes"),
        ]
    }
    let mut all = Vec::new();
    for (key, signature) in known() {
        if let (SigningKey::MlDsa44(key), Signature::MlDsa44(signature)) = (key, signature) {
            all.extend(seeds(&**key));
            all.extend(seeds(key.verifying_key()));
            all.extend(seeds(&**signature));
        }
        if let (SigningKey::FnDsa512(key), Signature::FnDsa512(signature)) = (key, signature) {
            all.extend(seeds(&**key));
            all.extend(seeds(key.verifying_key()));
            all.extend(seeds(&**signature));
        }
    }
    assert_eq!(all.len(), 12);
    run(serde, &all);
}
