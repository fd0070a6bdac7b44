//! Sampling integers from a discrete Gaussian (FNDSA-SPEC.md, section 5.5), on a SHAKE256 stream.

use crate::{
    complex::Complex,
    flr::{Real, constants},
    word::{mul_high, shr},
};
use pqsig_comm::{
    arch::Arch,
    ct,
    fndsa::params::NONCE_LEN,
    shake::{RATE_256, Reader},
};
use zeroize::Zeroize;

/// Samples integers, all of them at the sigma_min of one degree.
pub(crate) struct Sampler<R, A: Arch> {
    stream: Stream<A>,
    sigma_min: R,
    /// Trials that are left.
    trials: u32,
}

/// Trials that one signing attempt at degree 2^logn may take.
///
/// 2n samples take 1.7 to 1.75 trials each on average, and a trial fails independently of the
/// others with a probability below 0.5; so a valid key meets the limit with a probability below
/// 2^-1000. A corrupted key could make trials fail forever.
const fn max_trials(logn: u32) -> u32 {
    (16 << logn) + 1024
}

impl<R: Real, A: Arch> Sampler<R, A> {
    /// A sampler that goes on with `stream`, of which the nonce is taken, for a key of degree
    /// 2^logn.
    #[inline(always)]
    pub(crate) fn new(stream: Reader<A, RATE_256>, sigma_min: R, logn: u32) -> Self {
        Self {
            stream: Stream::new(stream),
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
    #[inline(always)]
    pub(crate) fn pair(&mut self, mu: Complex<R>, inv_sigma: R) -> Complex<R> {
        let shape = Shape::new(inv_sigma, self.sigma_min);
        let re = self.sample(mu.re, shape);
        let im = self.sample(mu.im, shape);
        Complex {
            re: R::from_i32(re),
            im: R::from_i32(im),
        }
    }

    /// Samples one integer.
    #[cfg(test)]
    pub(crate) fn one(&mut self, mu: R, inv_sigma: R) -> i32 {
        self.sample(mu, Shape::new(inv_sigma, self.sigma_min))
    }

    /// Bytes of the stream that were taken, nonce included.
    #[cfg(test)]
    pub(crate) fn taken(&self) -> usize {
        self.stream.taken()
    }

    /// Samples an integer near `mu`.
    #[inline(always)]
    fn sample(&mut self, mu: R, shape: Shape<R>) -> i32 {
        let s = mu.floor();
        let r = mu - R::from_i32(s);
        while self.trials > 0 {
            self.trials -= 1;
            let bytes = self.stream.peek();
            let z = base_sample(bytes);
            let threshold = shape.threshold(z, r);
            let (accepted, extra) = is_below(bytes, threshold);
            self.stream.skip(BASE_LEN + extra);
            if accepted {
                return s.wrapping_add(z.value);
            }
        }
        s
    }
}

/// A standard deviation, as the trials need it.
#[derive(Clone, Copy)]
struct Shape<R> {
    /// 1 / (2 sigma^2).
    dss: R,
    /// sigma_min / sigma, times 2^64. It scales the rate of acceptance, so that the number of
    /// trials tells nothing about sigma.
    ccs: u64,
}

impl<R: Real> Shape<R> {
    #[inline(always)]
    fn new(inv_sigma: R, sigma_min: R) -> Self {
        Self {
            dss: (inv_sigma * inv_sigma).half(),
            ccs: to_64_bits(inv_sigma * sigma_min),
        }
    }

    /// The chance to accept `z`, times 2^64, less one.
    #[inline(always)]
    fn threshold(self, z: Base, r: R) -> u64 {
        let distance = R::from_i32(z.value) - r;
        let x = (distance * distance) * self.dss
            - R::from_i32(z.magnitude * z.magnitude) * R::from_bits(constants::INV_2SQRSIGMA0);
        // exp(-x) = 2^-k exp(-rest), 0 <= rest < ln 2.
        let k = (x * R::from_bits(constants::INV_LOG2)).trunc();
        let rest = x - R::from_i32(k as i32) * R::from_bits(constants::LOG2);
        let chance = mul_high(self.ccs, exp_minus(to_64_bits(rest)));
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
fn is_below(bytes: &[u8; TRIAL_LEN], threshold: u64) -> (bool, usize) {
    let mut expected = threshold;
    for (i, byte) in bytes[BASE_LEN..].iter().enumerate() {
        // Which trial succeeds, and after how many bytes, is independent of the secrets: ccs
        // sees to that (FNDSA-SPEC.md, section 7.1).
        let top = (expected >> 56) as u8;
        if ct::public_flag(*byte != top) {
            return (ct::public_flag(*byte < top), i + 1);
        }
        expected <<= 8;
    }
    (false, 8)
}

/// A sample of the bimodal base distribution: `magnitude` is half-Gaussian with a deviation of
/// 1.8205, `value` is `-magnitude` or `1 + magnitude`.
#[derive(Clone, Copy)]
struct Base {
    magnitude: i32,
    value: i32,
}

/// Bytes that a base sample takes.
const BASE_LEN: usize = 10;

#[inline(always)]
fn base_sample(bytes: &[u8; TRIAL_LEN]) -> Base {
    let [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ..] = *bytes;
    let low = u64::from_le_bytes([b0, b1, b2, b3, b4, b5, b6, b7]);
    let high = i32::from(u16::from_le_bytes([b8, b9]));
    // The 79 bits after the sign bit, in limbs of 24, 24 and 31 bits.
    let v0 = (low >> 1) as i32 & 0xFF_FFFF;
    let v1 = (low >> 25) as i32 & 0xFF_FFFF;
    let v2 = (low >> 49) as i32 | (high << 15);
    let mut magnitude = 0;
    for row in 0..ROWS {
        let borrow = (v0 - BASE_TABLE[0][row]) >> 31;
        let borrow = (v1 - BASE_TABLE[1][row] + borrow) >> 31;
        let borrow = (v2 - BASE_TABLE[2][row] + borrow) >> 31;
        magnitude -= borrow;
    }
    let sign = (low & 1) as i32;
    Base {
        magnitude,
        value: sign + (2 * sign - 1) * magnitude,
    }
}

/// Rows of the table: 18, and zeros that fill up vectors.
const ROWS: usize = 24;

/// `P(X > i)` of the half-Gaussian X, in limbs of 24, 24 and 31 bits, lowest first.
static BASE_TABLE: [[i32; ROWS]; 3] = base_table();

const fn base_table() -> [[i32; ROWS]; 3] {
    let mut limbs = [[0; ROWS]; 3];
    let mut i = 0;
    while i < RCDT.len() {
        limbs[0][i] = (RCDT[i] & 0xFF_FFFF) as i32;
        limbs[1][i] = ((RCDT[i] >> 24) & 0xFF_FFFF) as i32;
        limbs[2][i] = (RCDT[i] >> 48) as i32;
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

/// The most bytes that one trial takes.
const TRIAL_LEN: usize = BASE_LEN + 8;

/// Bytes in front of the blocks of a [`Stream`], for the rest of the block before.
const CARRY: usize = 24;

/// Blocks that a [`Stream`] takes at once.
const BLOCKS: usize = 2;

/// A stream that can be looked at before bytes are taken. Wiped on drop.
struct Stream<A: Arch> {
    reader: Reader<A, RATE_256>,
    buffer: [u8; CARRY + BLOCKS * RATE_256],
    position: usize,
    #[cfg(test)]
    blocks: usize,
}

impl<A: Arch> Stream<A> {
    /// The first block, less the nonce that was taken of it, goes to the end of the buffer.
    #[inline(always)]
    fn new(mut reader: Reader<A, RATE_256>) -> Self {
        let mut buffer = [0; CARRY + BLOCKS * RATE_256];
        let position = buffer.len() - (RATE_256 - NONCE_LEN);
        reader.read(&mut buffer[position..]);
        Self {
            reader,
            buffer,
            position,
            #[cfg(test)]
            blocks: 1,
        }
    }

    #[cfg(test)]
    fn taken(&self) -> usize {
        self.blocks * RATE_256 - (self.buffer.len() - self.position)
    }

    /// The bytes of the next trial.
    #[inline(always)]
    fn peek(&mut self) -> &[u8; TRIAL_LEN] {
        if self.buffer.len() - self.position < TRIAL_LEN {
            self.refill();
        }
        // Always that long: `refill` leaves more.
        self.buffer[self.position..]
            .first_chunk()
            .unwrap_or(&[0; TRIAL_LEN])
    }

    #[inline(always)]
    fn skip(&mut self, bytes: usize) {
        self.position += bytes;
    }

    #[inline(always)]
    fn refill(&mut self) {
        let left = self.buffer.len() - self.position;
        self.buffer.copy_within(self.position.., CARRY - left);
        self.position = CARRY - left;
        #[cfg(test)]
        {
            self.blocks += BLOCKS;
        }
        for block in self.buffer[CARRY..].chunks_exact_mut(RATE_256) {
            if let Some(block) = block.first_chunk_mut() {
                self.reader.read_block(block);
            }
        }
    }
}

impl<A: Arch> Drop for Stream<A> {
    fn drop(&mut self) {
        self.buffer.zeroize();
    }
}

#[cfg(test)]
mod tests;
