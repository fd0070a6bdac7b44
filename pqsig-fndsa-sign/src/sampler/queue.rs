//! The random bytes of the sampler, and the base samples that lie ahead in them.
//!
//! A trial takes 11 bytes and, rarely, more. So base samples are made many at once, in the lanes
//! of vectors, as if no trial took more; where one does, those after it are made anew.

use crate::flr::{Real, constants};
use pqsig_comm::{
    arch::Arch,
    fndsa::params::NONCE_LEN,
    shake::{RATE_256, Reader},
};
use zeroize::Zeroize;

/// Bytes that a base sample takes.
pub(super) const BASE_LEN: usize = 10;

/// Bytes that a trial takes if the first byte of its comparison decides.
const STRIDE: usize = BASE_LEN + 1;

/// The most bytes that a trial takes.
pub(super) const TRIAL_LEN: usize = BASE_LEN + 8;

/// Base samples in the queue.
const LEN: usize = 32;

/// Base samples that are made side by side.
const LANES: usize = 8;

/// How many base samples can be looked at, the next one included.
pub(super) const AHEAD: usize = 9;

/// Base samples that stay when the queue is filled up: those that may be left, and one lane more.
const KEPT: usize = LANES;

const _: () = assert!(KEPT >= AHEAD - 1 && KEPT.is_multiple_of(LANES) && LEN.is_multiple_of(LANES));

/// Bytes that may be looked at while the queue lasts.
const SPAN: usize = LEN * STRIDE + TRIAL_LEN;

/// A stream of bytes and base samples of it. Wiped on drop.
pub(super) struct Queue<R: Real, A: Arch> {
    reader: Reader<A, RATE_256>,
    /// The bytes of the base samples, from the first one on, and some beyond.
    bytes: [u8; SPAN + RATE_256 - 1],
    /// How many bytes there are.
    filled: usize,
    samples: Samples<R>,
    /// The next base sample.
    next: usize,
    /// Bytes read of the stream.
    #[cfg(test)]
    read: usize,
}

/// Base samples, apart.
pub(super) struct Samples<R> {
    /// The sample: `-m` or `1 + m`, with `m` half-Gaussian of deviation 1.8205.
    value: [R; LEN],
    /// The logarithm of the weight of `m` to the base of 1/2: what [`super::estimate`] takes off.
    weight: [R; LEN],
    /// The byte after it.
    byte: [R; LEN],
}

/// [`Samples`] that come next.
pub(super) struct Window<'a, R, const N: usize> {
    pub(super) value: &'a [R; N],
    pub(super) weight: &'a [R; N],
    pub(super) byte: &'a [R; N],
}

pqsig_comm::entry! {
    /// Drops the first `from` bytes, reads more and makes base samples of them, but for the
    /// first `kept`, which are there.
    fn fill[R: Real, A: Arch](queue: &mut Queue<R, A>, from: usize, kept: usize) = fill_body
}

#[inline(always)]
fn fill_body<A: Arch, R: Real, S: Arch>(_: A, queue: &mut Queue<R, S>, from: usize, kept: usize) {
    queue.bytes.copy_within(from..queue.filled, 0);
    queue.filled -= from;
    while queue.filled < SPAN {
        if let Some(block) = queue.bytes[queue.filled..].first_chunk_mut() {
            queue.reader.read_block(block);
        }
        queue.filled += RATE_256;
        #[cfg(test)]
        {
            queue.read += RATE_256;
        }
    }
    for first in (kept..LEN).step_by(LANES) {
        if let Some(bytes) = queue.bytes[first * STRIDE..].first_chunk() {
            queue.samples.make(first, bytes);
        }
    }
}

impl<R: Real, A: Arch> Queue<R, A> {
    /// In: a stream of which the nonce is taken.
    #[inline(always)]
    pub(super) fn new(mut reader: Reader<A, RATE_256>) -> Self {
        const LEFT: usize = RATE_256 - NONCE_LEN;
        let mut bytes = [0; SPAN + RATE_256 - 1];
        reader.read(&mut bytes[..LEFT]);
        let mut queue = Self {
            reader,
            bytes,
            filled: LEFT,
            samples: Samples {
                value: [R::ZERO; LEN],
                weight: [R::ZERO; LEN],
                byte: [R::ZERO; LEN],
            },
            next: 0,
            #[cfg(test)]
            read: RATE_256,
        };
        fill(&mut queue, 0, 0);
        queue
    }

    /// Makes [`AHEAD`] base samples available.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        if self.next > LEN - AHEAD {
            self.samples.keep();
            self.next -= LEN - KEPT;
            fill(self, (LEN - KEPT) * STRIDE, KEPT);
        }
    }

    /// `N` base samples, from the one number `from` on. In: `from + N` at most [`AHEAD`], and a
    /// queue that was refilled.
    #[inline(always)]
    pub(super) fn window<const N: usize>(&self, from: usize) -> Window<'_, R, N> {
        let at = self.next + from;
        Window {
            value: part(&self.samples.value, at),
            weight: part(&self.samples.weight, at),
            byte: part(&self.samples.byte, at),
        }
    }

    /// The base sample number `i`. In: as for [`Queue::window`].
    #[inline(always)]
    pub(super) fn value(&self, i: usize) -> R {
        self.samples.value[(self.next + i) % LEN]
    }

    /// Takes trials of one byte after the base sample.
    #[inline(always)]
    pub(super) fn skip(&mut self, trials: usize) {
        self.next += trials;
    }

    /// The bytes of the next trial.
    #[inline(always)]
    pub(super) fn trial(&self) -> &[u8; TRIAL_LEN] {
        part(&self.bytes, self.next * STRIDE)
    }

    /// Takes the next trial, of `bytes` bytes.
    #[inline(always)]
    pub(super) fn skip_bytes(&mut self, bytes: usize) {
        let from = self.next * STRIDE + bytes;
        self.next = 0;
        fill(self, from, 0);
    }

    /// Bytes of the stream that were taken, nonce included.
    #[cfg(test)]
    pub(super) fn taken(&self) -> usize {
        self.read - (self.filled - self.next * STRIDE)
    }
}

/// `N` entries from `at` on, which are there.
#[inline(always)]
fn part<T, const N: usize>(array: &[T], at: usize) -> &[T; N] {
    match array.get(at..).and_then(<[T]>::first_chunk) {
        Some(part) => part,
        None => unreachable!("the queue was refilled"),
    }
}

impl<R: Real> Samples<R> {
    /// Moves the last [`KEPT`] to the front.
    #[inline(always)]
    fn keep(&mut self) {
        for part in [&mut self.value, &mut self.weight, &mut self.byte] {
            part.copy_within(LEN - KEPT.., 0);
        }
    }

    /// Makes the next [`LANES`] from `first` on.
    #[inline(always)]
    fn make(&mut self, first: usize, bytes: &[u8; LANES * STRIDE]) {
        let mut limbs = [[0; LANES]; 3];
        let mut sign = [0; LANES];
        for (i, trial) in bytes.chunks_exact(STRIDE).enumerate() {
            let word =
                |at: usize| u32::from_le_bytes([trial[at], trial[at + 1], trial[at + 2], trial[at + 3]]);
            sign[i] = i32::from(trial[0] & 1);
            // The 79 bits after the sign bit, in limbs of 24, 24 and 31 bits.
            limbs[0][i] = (word(0) >> 1) as i32 & 0xFF_FFFF;
            limbs[1][i] = (word(3) >> 1) as i32 & 0xFF_FFFF;
            limbs[2][i] = (word(6) >> 1) as i32;
            self.byte[first + i] = R::from_i32(i32::from(trial[BASE_LEN]));
        }
        let mut magnitude = [0; LANES];
        for row in &BASE_TABLE {
            for i in 0..LANES {
                let borrow = (limbs[0][i] - row[0]) >> 31;
                let borrow = (limbs[1][i] - row[1] + borrow) >> 31;
                let borrow = (limbs[2][i] - row[2] + borrow) >> 31;
                magnitude[i] -= borrow;
            }
        }
        for i in 0..LANES {
            let value = sign[i] + (2 * sign[i] - 1) * magnitude[i];
            self.value[first + i] = R::from_i32(value);
            self.weight[first + i] = R::from_i32(magnitude[i] * magnitude[i])
                * R::from_bits(constants::INV_2SQRSIGMA0)
                * R::from_bits(constants::INV_LOG2);
        }
    }
}

impl<R: Real, A: Arch> Drop for Queue<R, A> {
    fn drop(&mut self) {
        self.bytes.zeroize();
        self.samples.value.zeroize();
        self.samples.weight.zeroize();
        self.samples.byte.zeroize();
    }
}

/// `P(X > i)` of the half-Gaussian X, in limbs of 24, 24 and 31 bits, lowest first.
static BASE_TABLE: [[i32; 3]; RCDT.len()] = base_table();

const fn base_table() -> [[i32; 3]; RCDT.len()] {
    let mut limbs = [[0; 3]; RCDT.len()];
    let mut i = 0;
    while i < RCDT.len() {
        limbs[i][0] = (RCDT[i] & 0xFF_FFFF) as i32;
        limbs[i][1] = ((RCDT[i] >> 24) & 0xFF_FFFF) as i32;
        limbs[i][2] = (RCDT[i] >> 48) as i32;
        i += 1;
    }
    limbs
}

/// `round(2^79 P(X > i))` for X on 0, 1, 2, .. with the weights `exp(-k^2 / (2 * 1.8205^2))`.
const RCDT: [u128; 18] = [
    387_159_838_863_744_628_950_298,
    200_287_076_413_451_770_119_415,
    81_440_566_971_146_354_885_379,
    25_543_742_034_563_389_814_041,
    6_101_420_013_396_132_084_374,
    1_100_275_456_814_725_640_762,
    148_902_138_540_117_554_352,
    15_060_017_581_067_988_860,
    1_135_026_150_740_989_491,
    63_612_077_755_217_486,
    2_647_153_299_750_716,
    81_706_476_671_182,
    1_869_096_471_769,
    31_670_623_794,
    397_328_253,
    3_689_579,
    25_354,
    129,
];
