//! SHAKE128 and SHAKE256 of four messages of the same length, at once.
//!
//! All uses here absorb one short message (at most one block less a byte) and then read whole
//! blocks, so this is all there is.

use crate::{
    arch::Arch,
    keccak::StateX4,
    shake::{DOMAIN, RATE_128, RATE_256},
};
use zeroize::Zeroize;

/// Four SHAKE128 streams.
pub type Shake128x4<A> = ShakeX4<A, RATE_128>;
/// Four SHAKE256 streams.
pub type Shake256x4<A> = ShakeX4<A, RATE_256>;

/// Four output streams. Wiped on drop.
pub struct ShakeX4<A: Arch, const RATE: usize> {
    arch: A,
    state: A::StateX4,
}

impl<A: Arch, const RATE: usize> ShakeX4<A, RATE> {
    /// The streams of the messages `prefix || suffixes[lane]`.
    ///
    /// `prefix` must be a multiple of 8 bytes; the whole message must be shorter than a block
    /// (debug assertions hold both).
    #[inline(always)]
    #[must_use]
    pub fn new<const N: usize>(arch: A, prefix: &[u8], suffixes: &[[u8; N]; 4]) -> Self {
        const { assert!(N < 8) };
        debug_assert!(prefix.len().is_multiple_of(8) && prefix.len() + N < RATE);
        let mut state = A::StateX4::zero();
        for (word, bytes) in prefix.chunks_exact(8).enumerate() {
            let mut value = [0; 8];
            value.copy_from_slice(bytes);
            state.set(word, [u64::from_le_bytes(value); 4]);
        }
        let last = suffixes.map(|suffix| {
            let mut last = [0; 8];
            last[..N].copy_from_slice(&suffix);
            last[N] = DOMAIN;
            u64::from_le_bytes(last)
        });
        state.set(prefix.len() / 8, last);
        state.set(RATE / 8 - 1, [0x80 << 56; 4]);
        Self { arch, state }
    }

    /// The next block of each stream.
    #[inline(always)]
    pub fn read_blocks(&mut self, out: &mut [[u8; RATE]; 4]) {
        self.arch.f1600_x4(&mut self.state);
        self.arch.read_blocks(&self.state, out);
    }
}

impl<A: Arch, const RATE: usize> Drop for ShakeX4<A, RATE> {
    #[inline(always)]
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

impl<A: Arch, const RATE: usize> core::fmt::Debug for ShakeX4<A, RATE> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ShakeX4").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arch::Portable, shake::Shake};

    fn check<A: Arch, const RATE: usize>(arch: A) {
        let prefix: [u8; 64] = core::array::from_fn(|i| i as u8 ^ 0xA5);
        for len in [0, 8, 32, 64] {
            let suffixes = [[1, 2], [3, 4], [5, 6], [255, 7]];
            let mut four = ShakeX4::<A, RATE>::new(arch, &prefix[..len], &suffixes);
            let mut readers = suffixes.map(|suffix| {
                let mut shake = Shake::<A, RATE>::new(arch);
                shake.absorb(&prefix[..len]);
                shake.absorb(&suffix);
                shake.finish()
            });
            for _ in 0..5 {
                let mut blocks = [[0; RATE]; 4];
                four.read_blocks(&mut blocks);
                for (block, reader) in blocks.iter().zip(&mut readers) {
                    let mut expected = [0; RATE];
                    reader.read_block(&mut expected);
                    assert_eq!(*block, expected);
                }
            }
        }
    }

    #[test]
    fn equals_four_single_streams() {
        check::<_, RATE_128>(Portable);
        check::<_, RATE_256>(Portable);
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = crate::arch::Avx2::detect() {
            check::<_, RATE_128>(avx2);
            check::<_, RATE_256>(avx2);
        }
    }
}
