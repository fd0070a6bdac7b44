//! The permutation Keccak-f\[1600\] (FIPS 202, section 3).
//!
//! A state is 25 little-endian lanes of 64 bits; lane `(x, y)` of the standard is word `x + 5y`.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(all(target_arch = "x86_64", pqsig_avx512))]
pub(crate) mod avx512;
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
