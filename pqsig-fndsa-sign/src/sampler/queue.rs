//! The random bytes of the sampler, and the base samples that lie ahead in them.
//!
//! A trial takes 11 bytes and, rarely, more. So base samples are made many at once, in the lanes
//! of vectors, as if no trial took more; where one does, those after it are made anew.

use super::estimate::LANES;
use crate::flr::{Real, constants};
use pqsig_comm::{
    arch::Arch,
    fndsa::params::NONCE_LEN,
    shake::{RATE_256, Reader},
};
use zeroize::Zeroize;

/// Bytes that a base sample takes.
const BASE_LEN: usize = 10;

/// Bytes that a trial takes if the first byte of its comparison decides.
const STRIDE: usize = BASE_LEN + 1;

/// The most bytes that the comparison of a trial takes.
pub(super) const COMPARISON_LEN: usize = 8;

/// Base samples in the queue.
const LEN: usize = 32;

/// How many base samples can be looked at: what the estimates of two samples look at.
const AHEAD: usize = 1 + 2 * LANES;

/// Base samples that stay when the queue is filled up. At most so many may be left.
const KEPT: usize = AHEAD - 1;

/// Base samples that are made side by side.
const MADE: usize = LEN - KEPT;

/// Bytes that may be looked at before the queue is filled up.
const SPAN: usize = LEN * STRIDE + COMPARISON_LEN;

/// Bytes that the queue can hold. A block may begin before the end of the span; then the bytes
/// may move back by as many as [`KEPT`] base samples take.
const CAPACITY: usize = SPAN - 1 + RATE_256 + KEPT * STRIDE;

/// A stream of bytes and base samples of it. Wiped on drop.
pub(super) struct Queue<R: Real, A: Arch> {
    reader: Reader<A, RATE_256>,
    /// The bytes of the base samples, and some beyond.
    bytes: [u8; CAPACITY],
    /// How many of them there are.
    filled: usize,
    samples: Samples<R>,
    /// The next base sample.
    next: usize,
    /// Bytes read of the stream.
    #[cfg(test)]
    read: usize,
}

/// Base samples. Each is bimodal: `-m` or `1 + m`, where `m` is half-Gaussian with a deviation
/// of 1.8205.
struct Samples<R> {
    value: [R; LEN],
    /// `m^2 / (2 * 1.8205^2)` as an exponent of 2 instead of e, for [`super::estimate`].
    weight: [R; LEN],
    /// The byte after the base sample.
    byte: [R; LEN],
}

/// Some of the [`Samples`].
pub(super) struct Window<'a, R, const N: usize> {
    pub(super) value: &'a [R; N],
    pub(super) weight: &'a [R; N],
    pub(super) byte: &'a [R; N],
}

pqsig_comm::entry! {
    /// Moves the bytes from `from` on to `to`, fills up, and makes base samples of those after
    /// the first [`KEPT`].
    fn fill[R: Real, A: Arch](queue: &mut Queue<R, A>, from: usize, to: usize) = fill_body
}

#[inline(always)]
fn fill_body<A: Arch, R: Real, S: Arch>(_: A, queue: &mut Queue<R, S>, from: usize, to: usize) {
    queue.bytes.copy_within(from..queue.filled, to);
    queue.filled = queue.filled - from + to;
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
    queue.samples.make(part(&queue.bytes, KEPT * STRIDE));
}

impl<R: Real, A: Arch> Queue<R, A> {
    /// In: a stream of which the nonce is taken.
    #[inline(always)]
    pub(super) fn new(mut reader: Reader<A, RATE_256>) -> Self {
        const FRONT: usize = KEPT * STRIDE;
        const LEFT: usize = RATE_256 - NONCE_LEN;
        let mut bytes = [0; CAPACITY];
        reader.read(&mut bytes[FRONT..FRONT + LEFT]);
        let mut queue = Self {
            reader,
            bytes,
            filled: FRONT + LEFT,
            samples: Samples {
                value: [R::ZERO; LEN],
                weight: [R::ZERO; LEN],
                byte: [R::ZERO; LEN],
            },
            next: KEPT,
            #[cfg(test)]
            read: RATE_256,
        };
        fill(&mut queue, FRONT, FRONT);
        queue
    }

    /// Makes base samples unless [`AHEAD`] are left.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        if self.next > LEN - AHEAD {
            self.samples.keep();
            self.next -= MADE;
            fill(self, MADE * STRIDE, 0);
        }
    }

    /// The base samples from number `from` on. In: they are within [`AHEAD`], and the queue was
    /// refilled.
    #[inline(always)]
    pub(super) fn window(&self, from: usize) -> Window<'_, R, LANES> {
        let at = self.next + from;
        Window {
            value: part(&self.samples.value, at),
            weight: part(&self.samples.weight, at),
            byte: part(&self.samples.byte, at),
        }
    }

    /// Base sample number `i`. In: as for [`Queue::window`].
    #[inline(always)]
    pub(super) fn value(&self, i: usize) -> R {
        self.samples.value[(self.next + i) % LEN]
    }

    /// The bytes that the next base sample is compared with. In: as for [`Queue::window`].
    #[inline(always)]
    pub(super) fn comparison(&self) -> &[u8; COMPARISON_LEN] {
        part(&self.bytes, self.next * STRIDE + BASE_LEN)
    }

    /// Takes trials that take one byte after the base sample.
    #[inline(always)]
    pub(super) fn skip(&mut self, trials: usize) {
        self.next += trials;
    }

    /// Takes bytes; base samples begin after them.
    #[inline(always)]
    pub(super) fn skip_bytes(&mut self, bytes: usize) {
        let from = self.next * STRIDE + bytes;
        self.next = KEPT;
        fill(self, from, KEPT * STRIDE);
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

    /// Makes those after the first [`KEPT`].
    #[inline(always)]
    fn make(&mut self, bytes: &[u8; MADE * STRIDE]) {
        let mut limbs = [[0; MADE]; 3];
        let mut sign = [0; MADE];
        for (i, trial) in bytes.chunks_exact(STRIDE).enumerate() {
            let word = |at: usize| {
                u32::from_le_bytes([trial[at], trial[at + 1], trial[at + 2], trial[at + 3]])
            };
            sign[i] = i32::from(trial[0] & 1);
            // The 79 bits after the sign bit, in limbs of 24, 24 and 31 bits.
            limbs[0][i] = (word(0) >> 1) as i32 & 0xFF_FFFF;
            limbs[1][i] = (word(3) >> 1) as i32 & 0xFF_FFFF;
            limbs[2][i] = (word(6) >> 1) as i32;
            self.byte[KEPT + i] = R::from_i32(i32::from(trial[BASE_LEN]));
        }
        let mut magnitude = [0; MADE];
        for row in &BASE_TABLE {
            for i in 0..MADE {
                let borrow = (limbs[0][i] - row[0]) >> 31;
                let borrow = (limbs[1][i] - row[1] + borrow) >> 31;
                let borrow = (limbs[2][i] - row[2] + borrow) >> 31;
                magnitude[i] -= borrow;
            }
        }
        for i in 0..MADE {
            let value = sign[i] + (2 * sign[i] - 1) * magnitude[i];
            self.value[KEPT + i] = R::from_i32(value);
            self.weight[KEPT + i] = R::from_i32(magnitude[i] * magnitude[i])
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

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::flr::{Selected, emulated::Emulated};
    use pqsig_comm::{arch::Portable, fndsa::derive};
    use std::vec::Vec;

    fn stream() -> Reader<Portable, RATE_256> {
        derive::attempt_stream(Portable, &[3; 40], 0)
    }

    fn integer<R: Real>(x: R) -> i64 {
        x.trunc()
    }

    /// A base sample against a plain comparison of 79-bit numbers.
    fn expect<R: Real>(queue: &Queue<R, Portable>, i: usize, trial: &[u8]) {
        let window = queue.window(i);
        let mut bits = [0; 16];
        bits[..BASE_LEN].copy_from_slice(&trial[..BASE_LEN]);
        let bits = u128::from_le_bytes(bits);
        let m = RCDT.iter().filter(|row| bits >> 1 < **row).count() as i64;
        let value = if bits & 1 == 1 { 1 + m } else { -m };
        assert_eq!(integer(window.value[0]), value);
        assert_eq!(integer(queue.value(i)), value);
        assert_eq!(integer(window.byte[0]), i64::from(trial[BASE_LEN]));
        let weight = f64::from_bits(window.weight[0].to_bits());
        let expected = (m * m) as f64 / (2.0 * 1.8205 * 1.8205 * core::f64::consts::LN_2);
        assert!((weight - expected).abs() < 1e-9);
    }

    /// Walks along a stream, taking trials of 11 bytes and of more.
    fn walk<R: Real>() {
        let mut all = [0; 20_000];
        stream().read(&mut all);
        let mut reader = stream();
        reader.read(&mut [0; NONCE_LEN]);
        let mut queue = Queue::<R, _>::new(reader);
        let mut position = NONCE_LEN;
        let mut step = 0;
        while position < all.len() - 200 {
            queue.refill();
            assert_eq!(queue.taken(), position);
            for i in 0..=AHEAD - LANES {
                expect(&queue, i, &all[position + i * STRIDE..]);
            }
            assert_eq!(queue.comparison()[..], all[position + BASE_LEN..][..8]);
            step += 1;
            let trials = 1 + step % AHEAD;
            queue.skip(trials);
            position += trials * STRIDE;
            // Rarely, as in use, and several times in a row.
            if step % 20 < 3 {
                queue.skip_bytes(1 + step % 7);
                position += 1 + step % 7;
            }
        }
        assert!(step > 300);
    }

    #[test]
    fn base_samples_are_those_of_the_stream() {
        walk::<Selected>();
        walk::<Emulated>();
    }

    /// At each threshold and beside it.
    #[test]
    fn base_samples_count_thresholds() {
        let edges = [
            0,
            (1 << 79) - 1,
            1 << 78,
            1 << 48,
            (1 << 48) - 1,
            (1 << 24) - 1,
        ];
        let mut cases: Vec<u128> = edges.to_vec();
        cases.extend(RCDT.iter().flat_map(|row| [row - 1, *row, row + 1]));
        let cases: Vec<u128> = cases.iter().flat_map(|v| [v << 1, v << 1 | 1]).collect();
        let mut reader = stream();
        reader.read(&mut [0; NONCE_LEN]);
        let mut queue = Queue::<Selected, _>::new(reader);
        let mut checked = 0;
        for cases in cases.chunks(MADE - LANES) {
            let mut bytes = [0; MADE * STRIDE];
            for (trial, case) in bytes.chunks_exact_mut(STRIDE).zip(cases) {
                trial[..BASE_LEN].copy_from_slice(&case.to_le_bytes()[..BASE_LEN]);
            }
            queue.samples.make(&bytes);
            queue.next = KEPT;
            for (i, trial) in bytes.chunks_exact(STRIDE).take(cases.len()).enumerate() {
                expect(&queue, i, trial);
                checked += 1;
            }
        }
        assert_eq!(checked, 2 * (edges.len() + 3 * RCDT.len()));
    }
}
