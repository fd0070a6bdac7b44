//! SHAKE128 and SHAKE256 (FIPS 202, section 6.2) of one message.

use crate::{arch::Arch, keccak::State};
use zeroize::Zeroize;

/// SHAKE128: blocks of 168 bytes.
pub type Shake128<A> = Shake<A, RATE_128>;
/// SHAKE256: blocks of 136 bytes.
pub type Shake256<A> = Shake<A, RATE_256>;

/// Block length of SHAKE128 in bytes.
pub const RATE_128: usize = 168;
/// Block length of SHAKE256 in bytes.
pub const RATE_256: usize = 136;

/// The domain bits of SHAKE, `1111`, and the first bit of the padding.
pub(crate) const DOMAIN: u8 = 0x1F;

/// An absorbing sponge; [`Shake::finish`] turns it into a [`Reader`]. Wiped on drop.
#[derive(Clone)]
pub struct Shake<A: Arch, const RATE: usize> {
    arch: A,
    state: State,
    /// Bytes absorbed into the current block, below `RATE`.
    position: usize,
}

impl<A: Arch, const RATE: usize> Shake<A, RATE> {
    /// The empty message.
    #[inline(always)]
    #[must_use]
    pub fn new(arch: A) -> Self {
        Self {
            arch,
            state: [0; 25],
            position: 0,
        }
    }

    /// Goes on after whole blocks that were absorbed elsewhere.
    #[inline(always)]
    pub(crate) fn resume(arch: A, state: State) -> Self {
        Self {
            arch,
            state,
            position: 0,
        }
    }

    /// The output of `parts`, concatenated.
    #[inline(always)]
    pub fn digest(arch: A, parts: &[&[u8]], out: &mut [u8]) {
        let mut shake = Self::new(arch);
        for part in parts {
            shake.absorb(part);
        }
        shake.finish().read(out);
    }

    /// Appends `data` to the message.
    #[inline]
    pub fn absorb(&mut self, mut data: &[u8]) {
        while data.len() >= RATE - self.position {
            let (head, tail) = data.split_at(RATE - self.position);
            xor_bytes(&mut self.state, self.position, head);
            self.arch.f1600(&mut self.state);
            self.position = 0;
            data = tail;
        }
        xor_bytes(&mut self.state, self.position, data);
        self.position += data.len();
    }

    /// Ends the message.
    #[inline(always)]
    #[must_use]
    pub fn finish(mut self) -> Reader<A, RATE> {
        xor_bytes(&mut self.state, self.position, &[DOMAIN]);
        xor_bytes(&mut self.state, RATE - 1, &[0x80]);
        Reader {
            arch: self.arch,
            state: self.state,
            position: RATE,
        }
    }
}

/// The output stream of a SHAKE function. Wiped on drop.
#[derive(Clone)]
pub struct Reader<A: Arch, const RATE: usize> {
    arch: A,
    state: State,
    /// Bytes taken from the current block, at most `RATE`.
    position: usize,
}

impl<A: Arch, const RATE: usize> Reader<A, RATE> {
    /// The next bytes of the stream.
    #[inline]
    pub fn read(&mut self, mut out: &mut [u8]) {
        while !out.is_empty() {
            if self.position == RATE {
                self.arch.f1600(&mut self.state);
                self.position = 0;
            }
            let take = out.len().min(RATE - self.position);
            let (head, tail) = out.split_at_mut(take);
            copy_bytes(&self.state, self.position, head);
            self.position += take;
            out = tail;
        }
    }

    /// The next whole block of the stream.
    ///
    /// Must not be mixed with a [`Reader::read`] that stopped inside a block: what was left of
    /// that block is skipped.
    #[inline(always)]
    pub fn read_block(&mut self, out: &mut [u8; RATE]) {
        self.arch.f1600(&mut self.state);
        self.position = RATE;
        copy_bytes(&self.state, 0, out);
    }
}

/// XORs `data` into the state from byte `offset` on.
#[inline(always)]
fn xor_bytes(state: &mut State, mut offset: usize, mut data: &[u8]) {
    while !offset.is_multiple_of(8) && !data.is_empty() {
        state[offset / 8] ^= u64::from(data[0]) << (8 * (offset % 8));
        offset += 1;
        data = &data[1..];
    }
    let (words, rest) = data.as_chunks_exact_8();
    for word in words {
        state[offset / 8] ^= u64::from_le_bytes(*word);
        offset += 8;
    }
    for (i, byte) in rest.iter().enumerate() {
        state[offset / 8] ^= u64::from(*byte) << (8 * i);
    }
}

/// Copies the state from byte `offset` on.
#[inline(always)]
fn copy_bytes(state: &State, offset: usize, out: &mut [u8]) {
    if offset.is_multiple_of(8) {
        for (chunk, word) in out.chunks_mut(8).zip(&state[offset / 8..]) {
            chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
        }
    } else {
        for (i, byte) in out.iter_mut().enumerate() {
            let at = offset + i;
            *byte = state[at / 8].to_le_bytes()[at % 8];
        }
    }
}

/// `slice::as_chunks` is newer than our MSRV.
trait AsChunks {
    fn as_chunks_exact_8(&self) -> (impl Iterator<Item = &[u8; 8]>, &[u8]);
}

impl AsChunks for [u8] {
    #[inline(always)]
    fn as_chunks_exact_8(&self) -> (impl Iterator<Item = &[u8; 8]>, &[u8]) {
        let chunks = self.chunks_exact(8);
        let rest = chunks.remainder();
        (chunks.filter_map(|chunk| chunk.try_into().ok()), rest)
    }
}

macro_rules! sponge_traits {
    ($($name:ident),*) => {$(
        impl<A: Arch, const RATE: usize> Drop for $name<A, RATE> {
            fn drop(&mut self) {
                self.state.zeroize();
            }
        }

        impl<A: Arch, const RATE: usize> zeroize::ZeroizeOnDrop for $name<A, RATE> {}

        impl<A: Arch, const RATE: usize> core::fmt::Debug for $name<A, RATE> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

sponge_traits!(Shake, Reader);

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::arch::{Detected, Portable};
    use ::shake::digest::{ExtendableOutput, Update, XofReader};
    use std::vec::Vec;

    fn message(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 7 + len) as u8).collect()
    }

    fn check<A: Arch, const RATE: usize, H>(arch: A)
    where
        H: Default + Update + ExtendableOutput,
    {
        let mut cases = 0;
        for len in (0..=3 * RATE).step_by(5).chain(RATE - 3..RATE + 3) {
            let data = message(len);
            let mut oracle = H::default();
            oracle.update(&data);
            let mut expected = [0; 700];
            oracle.finalize_xof().read(&mut expected);

            for split in [1, 3, 8, 64, RATE - 1, RATE, RATE + 1] {
                let mut shake = Shake::<A, RATE>::new(arch);
                data.chunks(split).for_each(|part| shake.absorb(part));
                let mut reader = shake.finish();
                let mut out = [0; 700];
                out.chunks_mut(split).for_each(|part| reader.read(part));
                assert_eq!(out, expected, "len {len} split {split}");
                cases += 1;
            }

            let mut shake = Shake::<A, RATE>::new(arch);
            shake.absorb(&data);
            let mut reader = shake.finish();
            for block in expected.chunks_exact(RATE) {
                let mut out = [0; RATE];
                reader.read_block(&mut out);
                assert_eq!(out, block);
            }
        }
        assert!(cases > 500);
    }

    #[test]
    fn equals_the_shake_crate_on_every_split() {
        check::<_, RATE_128, ::shake::Shake128>(Portable);
        check::<_, RATE_256, ::shake::Shake256>(Portable);
        check::<_, RATE_128, ::shake::Shake128>(Detected);
        check::<_, RATE_256, ::shake::Shake256>(Detected);
    }
}
