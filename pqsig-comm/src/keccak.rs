//! The permutation Keccak-f\[1600\] (FIPS 202, section 3).
//!
//! A state is 25 little-endian lanes of 64 bits; lane `(x, y)` of the standard is word `x + 5y`.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(all(target_arch = "x86_64", pqsig_avx512))]
pub(crate) mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(crate) mod neon;
pub mod portable;

/// One Keccak state.
pub type State = [u64; 25];

/// Number of rounds.
pub const ROUNDS: usize = 24;

/// The round constants, by the linear feedback shift register of FIPS 202, Algorithm 5 (`rc`).
pub const ROUND_CONSTANTS: [u64; ROUNDS] = round_constants();

const fn round_constants() -> [u64; ROUNDS] {
    let mut constants = [0; ROUNDS];
    let mut lfsr: u16 = 1;
    let mut round = 0;
    while round < ROUNDS {
        // Algorithm 6 (`iota`): bit 2^j - 1 of the constant is the next output of the register.
        let mut j = 0;
        while j <= 6 {
            constants[round] |= ((lfsr & 1) as u64) << ((1 << j) - 1);
            // The register's polynomial is x^8 + x^6 + x^5 + x^4 + 1.
            lfsr <<= 1;
            lfsr ^= (lfsr >> 8) * 0x171;
            j += 1;
        }
        round += 1;
    }
    constants
}

/// Four Keccak states that are permuted together.
pub trait StateX4: Clone + zeroize::Zeroize {
    /// Four states of zero.
    fn zero() -> Self;

    /// Sets word `word` of all states.
    fn set(&mut self, word: usize, values: [u64; 4]);

    /// XORs a value into word `word` of each state.
    fn xor_all(&mut self, word: usize, values: [u64; 4]);

    /// XORs `value` into word `word` of state `lane`.
    fn xor(&mut self, lane: usize, word: usize, value: u64);

    /// Word `word` of state `lane`.
    fn word(&self, lane: usize, word: usize) -> u64;
}

/// Four interleaved states: word `i` of state `lane` is `.0[i][lane]`.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
pub struct Interleaved(pub [[u64; 4]; 25]);

impl zeroize::Zeroize for Interleaved {
    #[inline(always)]
    fn zeroize(&mut self) {
        self.0.as_flattened_mut().fill(0);
        zeroize::optimization_barrier(&self.0);
    }
}

impl StateX4 for Interleaved {
    #[inline(always)]
    fn zero() -> Self {
        Self([[0; 4]; 25])
    }

    #[inline(always)]
    fn set(&mut self, word: usize, values: [u64; 4]) {
        self.0[word] = values;
    }

    #[inline(always)]
    fn xor_all(&mut self, word: usize, values: [u64; 4]) {
        for (state, value) in self.0[word].iter_mut().zip(values) {
            *state ^= value;
        }
    }

    #[inline(always)]
    fn xor(&mut self, lane: usize, word: usize, value: u64) {
        self.0[word][lane] ^= value;
    }

    #[inline(always)]
    fn word(&self, lane: usize, word: usize) -> u64 {
        self.0[word][lane]
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::arch::{Arch, Portable, Simd};

    /// `permute` on many states, each the result of the one before with a few bits more.
    pub(crate) fn equals_portable<A: Arch<StateX4 = Interleaved>>(
        arch: A,
        permute: impl Fn(&mut Interleaved),
    ) {
        let mut expected = portable::FourStates::zero();
        let mut found = Interleaved::zero();
        let mut value: u64 = 1;
        for round in 0..200 {
            for lane in 0..4 {
                for word in 0..25 {
                    value = value
                        .wrapping_mul(0x5851_F42D_4C95_7F2D)
                        .wrapping_add(round);
                    // Also all-zero and all-one words.
                    let value = [value, 0, u64::MAX][(value >> 33) as usize % 3];
                    expected.xor(lane, word, value);
                    found.xor(lane, word, value);
                }
            }
            Portable.f1600_x4(&mut expected);
            permute(&mut found);
            for lane in 0..4 {
                for word in 0..25 {
                    assert_eq!(found.word(lane, word), expected.word(lane, word));
                }
            }
            let mut blocks = [[[0; 168]; 4]; 2];
            Portable.read_blocks(&expected, &mut blocks[0]);
            arch.read_blocks(&found, &mut blocks[1]);
            assert_eq!(blocks[0], blocks[1]);
        }
    }

    #[test]
    fn detected_equals_portable() {
        let Some(simd) = Simd::detect() else { return };
        equals_portable(simd, |states| simd.f1600_x4(states));
        let mut states = [[0x0123_4567_89AB_CDEF; 25]; 2];
        for _ in 0..100 {
            Portable.f1600(&mut states[0]);
            simd.f1600(&mut states[1]);
            assert_eq!(states[0], states[1]);
        }
    }
}
