//! Many signatures, broken keys, broken generators.

use crate::common::{Replay, Rng, rounds};
use pqsig_fndsa_sign::{Error, FnDsa512, FnDsa1024, ParameterSet, Signature, SigningKey};
use signature::{
    RandomizedSigner, Verifier,
    rand_core::{TryCryptoRng, TryRng},
};
use std::collections::HashSet;

/// Signs `count` messages with one key; all verify, and no nonce comes twice.
fn many<P: ParameterSet>(count: u32) {
    let mut rng = Rng(u64::from(P::LOGN));
    let key = SigningKey::<P>::generate_from_rng(&mut rng);
    let prepared = Box::new(key.prepare());
    let verifier = key.verifying_key().prepare();
    let mut nonces = HashSet::new();
    for i in 0..count {
        // The same few messages again and again.
        let message = [i as u8 % 7];
        let signature: Signature<P> = prepared.sign_with_rng(&mut rng, &message);
        verifier.verify(&message, &signature).expect("it verifies");
        assert!(nonces.insert(*signature.nonce()));
    }
    assert_eq!(nonces.len(), count as usize);
}

#[test]
fn ten_thousand_signatures_of_512_verify() {
    many::<FnDsa512>(10_000);
}

#[test]
fn two_thousand_signatures_of_1024_verify() {
    many::<FnDsa1024>(2000);
}

#[test]
fn flipped_signing_keys_are_refused() {
    fn check<P: ParameterSet>() {
        let mut rng = Rng(3);
        let bytes = SigningKey::<P>::generate_from_rng(&mut rng).to_bytes();
        let bits = 8 * bytes.as_ref().len();
        // Each bit of the header and of the hash of the verifying key (LESSONS L57), and 500
        // anywhere.
        let mut flips: Vec<usize> = (0..8).chain(bits - 512..bits).collect();
        flips.extend((0..rounds(500)).map(|_| rng.below(bits)));
        for bit in flips {
            let mut bad = bytes;
            bad.as_mut()[bit / 8] ^= 1 << (bit % 8);
            let result = SigningKey::<P>::from_bytes(bad.as_ref());
            assert_eq!(result.err(), Some(Error::InvalidKey), "bit {bit}");
        }
    }
    check::<FnDsa512>();
    check::<FnDsa1024>();
}

#[test]
fn mutated_signing_keys_are_refused() {
    let mut rng = Rng(5);
    let key = SigningKey::<FnDsa512>::generate_from_rng(&mut rng).to_bytes();
    for _ in 0..rounds(300) {
        let mut bytes = key;
        for _ in 0..=rng.below(3) {
            bytes[rng.below(1345)] = rng.word() as u8;
        }
        let result = SigningKey::<FnDsa512>::from_bytes(&bytes);
        assert_eq!(result.is_ok(), bytes == key);
    }
}

/// Keys of another degree, of Falcon round 3 (LESSONS L51, L62), and no keys at all.
#[test]
fn other_lengths_and_headers_are_refused() {
    let bytes = SigningKey::<FnDsa512>::generate_from_rng(&mut Rng(4)).to_bytes();
    for length in [0, 1, 1281, 1344, 1346, 2305, 2369] {
        let mut other = bytes.to_vec();
        other.resize(length, 0);
        let result = SigningKey::<FnDsa512>::from_bytes(&other);
        assert_eq!(result.err(), Some(Error::InvalidLength), "{length}");
    }
    for header in (0..=255).filter(|header| *header != 0x59) {
        let mut other = bytes;
        other[0] = header;
        let result = SigningKey::<FnDsa512>::from_bytes(&other);
        assert_eq!(result.err(), Some(Error::InvalidKey), "{header:#x}");
    }
    assert!(SigningKey::<FnDsa512>::from_bytes(&bytes).is_ok());
    for fill in [0, 0xFF] {
        let mut other = [fill; 1345];
        other[0] = 0x59;
        let result = SigningKey::<FnDsa512>::from_bytes(&other);
        assert_eq!(result.err(), Some(Error::InvalidKey));
    }
}

/// A generator that fails from the start, or fills with one byte for ever.
struct Odd(Option<u8>);

#[derive(Debug)]
struct Failed;

impl core::fmt::Display for Failed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("failed")
    }
}

impl core::error::Error for Failed {}

impl TryRng for Odd {
    type Error = Failed;

    fn try_next_u32(&mut self) -> Result<u32, Failed> {
        self.0.map(u32::from).ok_or(Failed)
    }

    fn try_next_u64(&mut self) -> Result<u64, Failed> {
        self.0.map(u64::from).ok_or(Failed)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Failed> {
        out.fill(self.0.ok_or(Failed)?);
        Ok(())
    }
}

impl TryCryptoRng for Odd {}

#[test]
fn odd_generators_neither_hang_nor_panic() {
    assert!(SigningKey::<FnDsa512>::try_generate_from_rng(&mut Odd(None)).is_err());
    for byte in [0, 0x55, 0xFF] {
        let key = SigningKey::<FnDsa512>::try_generate_from_rng(&mut Odd(Some(byte)));
        let key = key.expect("a key");
        let first = key.sign_mu_with_rng(&mut Odd(Some(byte)), &[1; 64]);
        let first = first.expect("a signature");
        // Hedged: another message has another nonce, whatever the generator does.
        let second = key.sign_mu_with_rng(&mut Odd(Some(byte)), &[2; 64]);
        assert_ne!(first.nonce(), second.expect("a signature").nonce());
        let result = key.sign_mu_with_rng(&mut Odd(None), &[1; 64]);
        assert_eq!(result, Err(Error::RngFailed));
        assert!(key.try_sign_with_rng(&mut Odd(None), b"m").is_err());
    }
}

/// The draws are part of the contract: 32 bytes in one call for a key, 40 for a signature.
#[test]
fn draws_are_fixed() {
    let mut replay = Replay::new(&[7; 32]);
    let key = SigningKey::<FnDsa512>::generate_from_rng(&mut replay);
    assert!(replay.0.is_none());
    let mut replay = Replay::new(&[7; 40]);
    let _: Signature<FnDsa512> = key.sign_with_rng(&mut replay, b"message");
    assert!(replay.0.is_none());
}
