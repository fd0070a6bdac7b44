//! SHAKE128 and SHAKE256 of four messages at once.
//!
//! Two uses, so two forms: [`ShakeX4`] absorbs four short messages of the same length (at most one
//! block less a byte) and gives whole blocks without end; [`digests_256`] absorbs messages of any
//! lengths and gives one short output of each.

use crate::{
    arch::Arch,
    encoding::ByteArray,
    keccak::StateX4,
    shake::{DOMAIN, RATE_128, RATE_256, Shake256},
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

/// SHAKE256 of up to four messages, each given in parts; `outputs[i]` is that of `messages[i]`.
/// The messages are public: the lengths steer what is done, and nothing is wiped.
///
/// Messages of any lengths: they go side by side as long as that pays, and what is left of the
/// longest then goes alone. An output is at most one block (136 bytes).
#[inline(always)]
pub fn digests_256<A: Arch, O: ByteArray, const PARTS: usize, const N: usize>(
    arch: A,
    messages: [[&[u8]; PARTS]; N],
    outputs: &mut [O; N],
) {
    const { assert!(N <= 4 && O::LEN <= RATE_256) };
    if N < A::X4_PAYS_FROM {
        for (parts, output) in messages.iter().zip(outputs) {
            Shake256::digest(arch, parts, output.as_mut());
        }
        return;
    }
    let mut messages = messages.map(Message::new);
    let mut state = A::StateX4::zero();
    let mut blocks = [[0; RATE_256]; 4];
    while messages.iter().filter(|message| !message.ended).count() >= A::X4_PAYS_FROM {
        let going_on: [bool; N] = core::array::from_fn(|lane| !messages[lane].ended);
        for (message, block) in messages.iter_mut().zip(&mut blocks) {
            // In the lane of a message that has ended goes on what nobody will read.
            if !message.ended {
                message.next_block(block);
            }
        }
        for word in 0..RATE_256 / 8 {
            state.xor_all(word, blocks.each_ref().map(|block| word_of(block, word)));
        }
        arch.f1600_x4(&mut state);
        for (lane, output) in outputs.iter_mut().enumerate() {
            if going_on[lane] && messages[lane].ended {
                read_lane::<A>(&state, lane, output.as_mut());
            }
        }
    }
    for (lane, (message, output)) in messages.iter().zip(outputs).enumerate() {
        if !message.ended {
            let state = core::array::from_fn(|word| state.word(lane, word));
            let mut shake = Shake256::resume(arch, state);
            message.parts.iter().for_each(|part| shake.absorb(part));
            shake.finish().read(output.as_mut());
        }
    }
}

/// A message that is taken apart into padded blocks of SHAKE256.
struct Message<'a, const PARTS: usize> {
    /// What is left.
    parts: [&'a [u8]; PARTS],
    /// Whether the block with the padding was taken.
    ended: bool,
}

impl<'a, const PARTS: usize> Message<'a, PARTS> {
    #[inline(always)]
    fn new(parts: [&'a [u8]; PARTS]) -> Self {
        Self {
            parts,
            ended: false,
        }
    }

    #[inline(always)]
    fn next_block(&mut self, block: &mut [u8; RATE_256]) {
        let mut filled = 0;
        for part in &mut self.parts {
            let (head, tail) = part.split_at(part.len().min(RATE_256 - filled));
            block[filled..filled + head.len()].copy_from_slice(head);
            filled += head.len();
            *part = tail;
        }
        if filled < RATE_256 {
            block[filled..].fill(0);
            block[filled] = DOMAIN;
            block[RATE_256 - 1] |= 0x80;
            self.ended = true;
        }
    }
}

#[inline(always)]
fn word_of(block: &[u8; RATE_256], word: usize) -> u64 {
    u64::from_le_bytes(core::array::from_fn(|i| block[8 * word + i]))
}

#[inline(always)]
fn read_lane<A: Arch>(state: &A::StateX4, lane: usize, out: &mut [u8]) {
    for (word, bytes) in out.chunks_mut(8).enumerate() {
        bytes.copy_from_slice(&state.word(lane, word).to_le_bytes()[..bytes.len()]);
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

    fn check_digests<A: Arch, const N: usize>(arch: A) {
        use ::shake::digest::{ExtendableOutput, Update, XofReader};
        let data: [u8; 1500] = core::array::from_fn(|i| (i * 7 + i / 256) as u8);
        let around = [0, 1, 66, 135, 136, 137, 271, 272, 273, 408, 1433];
        let lengths = |case: usize, lane: usize| around[(case * (lane + 1) + case / 11) % 11];
        for case in 0..121 {
            let messages: [[&[u8]; 3]; N] = core::array::from_fn(|lane| {
                let message = &data[lane..][..lengths(case, lane)];
                let (head, rest) = message.split_at(message.len().min(64));
                let (middle, tail) = rest.split_at(rest.len().min(case % 3));
                [head, middle, tail]
            });
            let mut outputs = [[0; 70]; N];
            digests_256(arch, messages, &mut outputs);
            for (parts, output) in messages.iter().zip(outputs) {
                let mut oracle = ::shake::Shake256::default();
                parts.iter().for_each(|part| oracle.update(part));
                let mut expected = [0; 70];
                oracle.finalize_xof().read(&mut expected);
                assert_eq!(output, expected, "case {case}");
            }
        }
    }

    #[test]
    fn digests_equal_those_of_the_shake_crate() {
        check_digests::<_, 1>(Portable);
        check_digests::<_, 4>(Portable);
        if let Some(simd) = crate::arch::Simd::detect() {
            check_digests::<_, 1>(simd);
            check_digests::<_, 2>(simd);
            check_digests::<_, 3>(simd);
            check_digests::<_, 4>(simd);
        }
    }

    #[test]
    fn equals_four_single_streams() {
        check::<_, RATE_128>(Portable);
        check::<_, RATE_256>(Portable);
        if let Some(simd) = crate::arch::Simd::detect() {
            check::<_, RATE_128>(simd);
            check::<_, RATE_256>(simd);
        }
    }
}
