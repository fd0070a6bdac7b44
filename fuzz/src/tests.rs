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
fn every_target_has_seeds() {
    for (name, seeds) in seeds::TARGETS {
        assert!(!seeds().is_empty(), "{name}");
    }
}

#[test]
fn private_keys() {
    run(private_key, &seeds::private_keys());
}

#[test]
fn public_keys() {
    run(public_key, &seeds::public_keys());
}

#[test]
fn raw_keys() {
    run(raw_key, &seeds::raw_keys());
}

#[test]
fn signatures() {
    run(verify, &seeds::signatures());
}

#[test]
fn signing() {
    run(sign, &seeds::signing());
}

#[test]
fn outcomes() {
    run(backends, &seeds::signing());
}

#[test]
fn encodings_of_serde() {
    run(serde, &seeds::encodings_of_serde());
}
