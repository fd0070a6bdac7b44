//! Hashing to a polynomial mod q.

#[cfg(target_arch = "x86_64")]
mod avx2;

use super::params::{NONCE_LEN, Q};
use crate::{
    arch::{Arch, Detected, Portable},
    keccak::StateX4,
    mu::Mu,
    shake::{DOMAIN, RATE_256, Reader, Shake256},
};

/// Candidates in one block of SHAKE256.
pub const BLOCK: usize = RATE_256 / 2;

/// Candidates from here on are thrown away, so that the others are uniform mod q.
const LIMIT: u16 = 5 * Q;

/// The kernel of hashing to a point.
pub trait Filter: Arch {
    /// Packs the residues of the words of a block that are below 5q to the front; returns their
    /// number.
    ///
    /// Out: [0, q); of no use after the last residue.
    #[inline(always)]
    fn accept(self, bytes: &[u8; RATE_256], coefficients: &mut [u16; BLOCK]) -> usize {
        let mut words = [0; BLOCK];
        for (word, pair) in words.iter_mut().zip(bytes.chunks_exact(2)) {
            *word = u16::from_le_bytes([pair[0], pair[1]]);
        }
        // A pass of its own, since it makes vectors.
        let residues = words.map(modulo);
        keep(words.into_iter().zip(residues), coefficients, 0)
    }
}

impl Filter for Portable {}
#[cfg(not(target_arch = "x86_64"))]
impl Filter for crate::arch::Simd {}
impl Filter for Detected {}

/// The coefficients of `c`, one block of the stream at a time, so that a verifier need not keep
/// them.
///
/// The stream is SHAKE256(nonce || mu), read as little-endian 16-bit words; a word below 5q gives
/// a coefficient, another one gives none. Which words are thrown away shows in the time.
#[derive(Debug)]
pub struct HashToPoint<A: Filter> {
    arch: A,
    stream: Reader<A, RATE_256>,
}

impl<A: Filter> HashToPoint<A> {
    /// Starts the stream.
    #[inline(always)]
    #[must_use]
    pub fn new(arch: A, nonce: &[u8; NONCE_LEN], mu: &Mu) -> Self {
        let mut shake = Shake256::new(arch);
        shake.absorb(nonce);
        shake.absorb(mu);
        Self {
            arch,
            stream: shake.finish(),
        }
    }

    /// The coefficients that the next block gives, and how many they are.
    ///
    /// Out: [0, q).
    #[inline(always)]
    pub fn next_block(&mut self, coefficients: &mut [u16; BLOCK]) -> usize {
        let mut bytes = [0; RATE_256];
        self.stream.read_block(&mut bytes);
        self.arch.accept(&bytes, coefficients)
    }
}

/// Four [`HashToPoint`] at once.
#[derive(Debug)]
pub struct HashToPointX4<A: Filter> {
    arch: A,
    state: A::StateX4,
}

impl<A: Filter> HashToPointX4<A> {
    /// Starts the streams.
    #[inline(always)]
    #[must_use]
    pub fn new(arch: A, inputs: [(&[u8; NONCE_LEN], &Mu); 4]) -> Self {
        let mut state = A::StateX4::zero();
        for (lane, (nonce, mu)) in inputs.into_iter().enumerate() {
            // Both are whole words, and they fit into one block.
            let words = nonce.chunks_exact(8).chain(mu.chunks_exact(8));
            for (word, bytes) in words.enumerate() {
                let mut value = [0; 8];
                value.copy_from_slice(bytes);
                state.xor(lane, word, u64::from_le_bytes(value));
            }
            state.xor(lane, (NONCE_LEN + mu.len()) / 8, u64::from(DOMAIN));
            state.xor(lane, RATE_256 / 8 - 1, 0x80 << 56);
        }
        Self { arch, state }
    }

    /// The coefficients that the next block of each stream gives, and how many they are.
    ///
    /// Out: [0, q).
    #[inline(always)]
    pub fn next_blocks(&mut self, coefficients: &mut [[u16; BLOCK]; 4]) -> [usize; 4] {
        let mut bytes = [[0; RATE_256]; 4];
        self.arch.f1600_x4(&mut self.state);
        self.arch.read_blocks(&self.state, &mut bytes);
        core::array::from_fn(|lane| self.arch.accept(&bytes[lane], &mut coefficients[lane]))
    }
}

/// All of `c`.
///
/// Out: [0, q).
#[inline(always)]
pub fn hash_to_point<A: Filter>(arch: A, nonce: &[u8; NONCE_LEN], mu: &Mu, c: &mut [u16]) {
    let mut stream = HashToPoint::new(arch, nonce, mu);
    let mut block = [0; BLOCK];
    let mut rest = c;
    while !rest.is_empty() {
        let count = stream.next_block(&mut block).min(rest.len());
        let (head, tail) = rest.split_at_mut(count);
        head.copy_from_slice(&block[..count]);
        rest = tail;
    }
}

/// Stores the residues of words below 5q after the first `count`; returns the new count.
#[inline(always)]
fn keep(
    words: impl Iterator<Item = (u16, u16)>,
    coefficients: &mut [u16; BLOCK],
    mut count: usize,
) -> usize {
    for (word, residue) in words {
        // Written in any case and kept by counting: no branch to mispredict. `count` is at most
        // the number of words seen, so below BLOCK.
        coefficients[count] = residue;
        count += usize::from(word < LIMIT);
    }
    count
}

/// `word mod q`, for words below 5q.
#[inline(always)]
fn modulo(word: u16) -> u16 {
    // Subtracting too much wraps around to something large.
    let word = word.min(word.wrapping_sub(4 * Q));
    let word = word.min(word.wrapping_sub(2 * Q));
    word.min(word.wrapping_sub(Q))
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::{vec, vec::Vec};

    #[test]
    fn modulo_is_exact_for_every_word_that_counts() {
        for word in 0..LIMIT {
            assert_eq!(modulo(word), word % Q);
        }
    }

    #[test]
    fn equals_a_word_by_word_model() {
        use ::shake::digest::{ExtendableOutput, Update, XofReader};
        for seed in 0..50_u8 {
            let nonce = [seed; NONCE_LEN];
            let mu = [seed ^ 0xA5; 64];
            let mut oracle = ::shake::Shake256::default();
            oracle.update(&nonce);
            oracle.update(&mu);
            let mut stream = oracle.finalize_xof();
            let mut expected = Vec::new();
            while expected.len() < 1024 {
                let mut word = [0; 2];
                stream.read(&mut word);
                let word = u16::from_le_bytes(word);
                if word < 61_445 {
                    expected.push(word % 12_289);
                }
            }
            for n in [4, 64, 512, 1024] {
                let mut c = vec![0; n];
                hash_to_point(Portable, &nonce, &mu, &mut c);
                assert_eq!(c, expected[..n]);
                hash_to_point(Detected, &nonce, &mu, &mut c);
                assert_eq!(c, expected[..n]);
            }
        }
    }

    fn four_at_once<A: Filter>(arch: A) {
        let nonces: [[u8; NONCE_LEN]; 4] = core::array::from_fn(|i| [i as u8 * 77; NONCE_LEN]);
        let mus: [Mu; 4] = core::array::from_fn(|i| core::array::from_fn(|j| (i * 64 + j) as u8));
        let mut four = HashToPointX4::new(arch, core::array::from_fn(|i| (&nonces[i], &mus[i])));
        let mut single: Vec<_> = nonces
            .iter()
            .zip(&mus)
            .map(|(nonce, mu)| HashToPoint::new(Portable, nonce, mu))
            .collect();
        for _ in 0..20 {
            let mut blocks = [[0; BLOCK]; 4];
            let counts = four.next_blocks(&mut blocks);
            for (lane, stream) in single.iter_mut().enumerate() {
                let mut block = [0; BLOCK];
                let count = stream.next_block(&mut block);
                assert_eq!(block[..count], blocks[lane][..counts[lane]]);
            }
        }
    }

    #[test]
    fn four_at_once_equal_four_single_ones() {
        four_at_once(Portable);
        if let Some(token) = crate::arch::Simd::detect() {
            four_at_once(token);
        }
    }

    #[test]
    fn words_at_the_limit() {
        let words = [0, Q - 1, Q, LIMIT - 1, LIMIT, u16::MAX];
        let mut bytes = [0xFF; RATE_256];
        for (pair, word) in bytes.chunks_exact_mut(2).zip(words) {
            pair.copy_from_slice(&word.to_le_bytes());
        }
        let mut block = [0; BLOCK];
        assert_eq!(Portable.accept(&bytes, &mut block), 4);
        assert_eq!(block[..4], [0, Q - 1, 0, Q - 1]);
    }

    /// Every word, and every set of accepted words of a vector, at every place of a block.
    #[test]
    fn filter_in_vectors_equals_portable() {
        let Some(token) = crate::arch::Simd::detect() else {
            return;
        };
        let mut next = 0_u16;
        for round in 0..4 * 65_536 / BLOCK {
            let mut bytes = [0; RATE_256];
            for (i, pair) in bytes.chunks_exact_mut(2).enumerate() {
                next = next.wrapping_add(1);
                // Ordinary words, or the limit by the bits of the round.
                let word = match round % 4 {
                    0 => next,
                    1 => LIMIT - (round as u16 >> (i % 8) & 1),
                    _ => next.wrapping_mul(40_503) | ((next >> 3 & 1) * 0xF000),
                };
                pair.copy_from_slice(&word.to_le_bytes());
            }
            let mut blocks = [[0; BLOCK]; 2];
            let count = Portable.accept(&bytes, &mut blocks[0]);
            assert_eq!(token.accept(&bytes, &mut blocks[1]), count);
            assert_eq!(blocks[0][..count], blocks[1][..count]);
        }
    }
}
