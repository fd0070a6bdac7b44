//! Sampling integers from a discrete Gaussian (Falcon, Algorithms 12 to 15), on a SHAKE256 stream.

mod estimate;
mod queue;

use self::{
    estimate::{LANES, estimate},
    queue::{COMPARISON_LEN, Queue},
};
use crate::{
    complex::Complex,
    flr::{Real, constants},
    word::{mul_high, shr},
};
use pqsig_comm::{
    arch::Arch,
    ct,
    shake::{RATE_256, Reader},
};

/// Samples integers, all of them at the sigma_min of one degree.
pub(crate) struct Sampler<R: Real, A: Arch> {
    queue: Queue<R, A>,
    sigma_min: R,
    /// Trials that are left.
    trials: usize,
}

/// Trials that one signing attempt at degree 2^logn may take.
///
/// 2n samples take 1.7 to 1.75 trials each on average, and a trial fails independently of the
/// others with a probability below 0.5; so a valid key meets the limit with a probability below
/// 2^-1000. A corrupted key could make trials fail forever.
const fn max_trials(logn: u32) -> usize {
    (16 << logn) + 1024
}

pqsig_comm::entry! {
    /// Samples near both numbers one after the other: their floors and the rests are given.
    fn one_by_one[R: Real, A: Arch](
        sampler: &mut Sampler<R, A>,
        floors: Complex<R>,
        rests: Complex<R>,
        shape: Shape<R>,
    ) -> Complex<R> = one_by_one_body
}

#[inline(always)]
fn one_by_one_body<A: Arch, R: Real, S: Arch>(
    _: A,
    sampler: &mut Sampler<R, S>,
    floors: Complex<R>,
    rests: Complex<R>,
    shape: Shape<R>,
) -> Complex<R> {
    let mut samples = floors;
    for (sample, rest) in [(&mut samples.re, rests.re), (&mut samples.im, rests.im)] {
        *sample = *sample + sampler.sample(rest, shape);
    }
    samples
}

impl<R: Real, A: Arch> Sampler<R, A> {
    /// A sampler that goes on with `stream`, of which the nonce is taken, for a key of degree
    /// 2^logn.
    #[inline(always)]
    pub(crate) fn new(stream: Reader<A, RATE_256>, sigma_min: R, logn: u32) -> Self {
        Self {
            queue: Queue::new(stream),
            sigma_min,
            trials: max_trials(logn),
        }
    }

    /// Whether the trials ran out, which means that the key is corrupted: the samples since then
    /// are not samples.
    #[inline(always)]
    pub(crate) fn is_exhausted(&self) -> bool {
        self.trials == 0
    }

    /// Samples near both parts of `mu`, first the real one.
    ///
    /// The trials of both are estimated at once, those of the second sample for wherever the
    /// first one leaves the queue. In most cases that decides, without a branch to mispredict.
    #[inline(always)]
    pub(crate) fn pair(&mut self, mu: Complex<R>, inv_sigma: R) -> Complex<R> {
        let shape = Shape::new(inv_sigma, self.sigma_min);
        let (re, re_rest) = mu.re.floor();
        let (im, im_rest) = mu.im.floor();
        self.queue.refill();
        let first = estimate(self.queue.window(0), re_rest, shape);
        let second = estimate(self.queue.window(1), im_rest, shape)
            .then(estimate(self.queue.window(1 + LANES), im_rest, shape))
            .delayed(1);
        let (first, first_decided) = first.first();
        let (second, second_decided) = second.after(first).first();
        // How many trials a sample takes is independent of the secrets: ccs sees to that
        // (see docs/side-channels.md). That nine do not do, or that one was left open, is no more
        // than that.
        if ct::public_flag(first_decided & second_decided) {
            let first = ct::declassify(first.trailing_zeros()) as usize;
            let second = ct::declassify(second.trailing_zeros()) as usize;
            let samples = Complex {
                re: re + self.queue.value(first),
                im: im + self.queue.value(second),
            };
            self.skip(second + 1);
            return samples;
        }
        let floors = Complex { re, im };
        let rests = Complex {
            re: re_rest,
            im: im_rest,
        };
        one_by_one(self, floors, rests, shape)
    }

    /// Samples one integer.
    #[cfg(test)]
    pub(crate) fn one(&mut self, mu: R, inv_sigma: R) -> i32 {
        let (floor, rest) = mu.floor();
        (floor + self.sample(rest, Shape::new(inv_sigma, self.sigma_min))).trunc() as i32
    }

    /// Bytes of the stream that were taken, nonce included.
    #[cfg(test)]
    pub(crate) fn taken(&self) -> usize {
        self.queue.taken()
    }

    /// Samples an integer near `rest`, which is in [0, 1].
    #[inline(always)]
    fn sample(&mut self, rest: R, shape: Shape<R>) -> R {
        while self.trials > 0 {
            self.queue.refill();
            let (first, decided) = estimate(self.queue.window(0), rest, shape).first();
            // As for a pair.
            let rejected = ct::declassify((first | 1 << LANES).trailing_zeros()) as usize;
            self.skip(rejected);
            if rejected == LANES {
                continue;
            }
            let value = self.queue.value(0);
            if ct::public_flag(decided) {
                self.skip(1);
                return value;
            }
            let threshold = shape.threshold(value, rest);
            let (accepted, bytes) = is_below(self.queue.comparison(), threshold);
            self.skip(1);
            if bytes > 1 {
                self.queue.skip_bytes(bytes - 1);
            }
            if accepted {
                return value;
            }
        }
        R::ZERO
    }

    #[inline(always)]
    fn skip(&mut self, trials: usize) {
        self.queue.skip(trials);
        self.trials = self.trials.saturating_sub(trials);
    }
}

/// A standard deviation, as the trials need it.
#[derive(Clone, Copy)]
struct Shape<R> {
    /// 1 / (2 sigma^2).
    dss: R,
    /// sigma_min / sigma. It scales the rate of acceptance, so that the number of trials tells
    /// nothing about sigma.
    ccs: R,
}

impl<R: Real> Shape<R> {
    #[inline(always)]
    fn new(inv_sigma: R, sigma_min: R) -> Self {
        Self {
            dss: (inv_sigma * inv_sigma).half(),
            ccs: inv_sigma * sigma_min,
        }
    }

    /// The chance to accept `value`, times 2^64, less one.
    #[inline(always)]
    fn threshold(self, value: R, r: R) -> u64 {
        let distance = value - r;
        // The value is -m or 1 + m.
        let minus = 0i32.wrapping_sub(value.trunc() as i32);
        let magnitude = minus ^ (minus >> 31);
        let x = (distance * distance) * self.dss
            - R::from_i32(magnitude * magnitude) * R::from_bits(constants::INV_2SQRSIGMA0);
        // exp(-x) = 2^-k exp(-rest), 0 <= rest < ln 2.
        let k = (x * R::from_bits(constants::INV_LOG2)).trunc();
        let rest = x - R::from_i32(k as i32) * R::from_bits(constants::LOG2);
        let chance = mul_high(to_64_bits(self.ccs), exp_minus(to_64_bits(rest)));
        let k = k.clamp(0, 63) as u32;
        shr((chance << 1).wrapping_sub(1), k)
    }
}

/// `x * 2^64`, truncated to 63 bits and a zero.
#[inline(always)]
fn to_64_bits<R: Real>(x: R) -> u64 {
    (x * R::from_bits(constants::TWO_POW_63))
        .trunc()
        .cast_unsigned()
        << 1
}

/// `exp(-x / 2^64) * 2^63`, by the polynomial of FACCT (ePrint 2018/1234).
///
/// In: at most `ln 2 * 2^64`.
#[inline(always)]
fn exp_minus(x: u64) -> u64 {
    let mut y = EXP[0];
    for coefficient in &EXP[1..] {
        y = coefficient.wrapping_sub(mul_high(x, y));
    }
    y
}

/// The coefficients of `exp(-x)` times 2^63, highest degree first.
const EXP: [u64; 13] = [
    0x0000_0004_7411_83A3,
    0x0000_0036_548C_FC06,
    0x0000_024F_DCBF_140A,
    0x0000_171D_939D_E045,
    0x0000_D00C_F58F_6F84,
    0x0006_8068_1CF7_96E3,
    0x002D_82D8_305B_0FEA,
    0x0111_1111_0E06_6FD0,
    0x0555_5555_5507_0F00,
    0x1555_5555_5581_FF00,
    0x4000_0000_0002_B400,
    0x7FFF_FFFF_FFFF_4800,
    0x8000_0000_0000_0000,
];

/// Compares the bytes after a base sample, as a fraction, with `threshold`. Reads one byte, and
/// another as long as all were equal. Out: whether they are below, and how many were read.
#[inline(always)]
fn is_below(bytes: &[u8; COMPARISON_LEN], threshold: u64) -> (bool, usize) {
    let mut expected = threshold;
    for (i, byte) in bytes.iter().enumerate() {
        // Which trial succeeds, and after how many bytes, is independent of the secrets: ccs
        // sees to that (see docs/side-channels.md).
        let top = (expected >> 56) as u8;
        if ct::public_flag(*byte != top) {
            return (ct::public_flag(*byte < top), i + 1);
        }
        expected <<= 8;
    }
    (false, COMPARISON_LEN)
}

#[cfg(test)]
mod tests;
