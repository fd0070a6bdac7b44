//! The number in integers: no floating-point instruction, no branch and no address that depends
//! on a value.
//!
//! The four operations are never inlined: next to their cost a call is nothing, and there would be
//! hundreds of copies.

use super::Real;
use crate::word::{mul_wide, shl, shr};
use core::ops::{Add, Mul, Neg, Sub};
use pqsig_comm::fndsa::params::Element;

/// A binary64 number as its encoding. An exponent field of zero means zero.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Emulated(u64);

const SIGN: u64 = 1 << 63;
const FRACTION: u64 = (1 << 52) - 1;
/// The field value of exponent 0.
const BIAS: i32 = 1023;

impl zeroize::DefaultIsZeroes for Emulated {}

impl Element for Emulated {
    const ZERO: Self = Self(0);
}

impl Emulated {
    /// 0 or 1.
    #[inline(always)]
    const fn sign(self) -> u64 {
        self.0 >> 63
    }

    /// The exponent field.
    #[inline(always)]
    const fn exponent(self) -> i32 {
        ((self.0 >> 52) & 0x7FF) as i32
    }

    /// 1, or 0 for zero.
    #[inline(always)]
    const fn nonzero(self) -> u64 {
        ((self.exponent() + 0x7FF) >> 11) as u64
    }

    /// The significand with its leading bit, in [2^52, 2^53), or anything below for zero.
    #[inline(always)]
    const fn significand(self) -> u64 {
        (self.0 & FRACTION) | (self.nonzero() << 52)
    }

    /// Rounds `significand * 2^exponent` to a number.
    ///
    /// In: `significand` zero or in [2^54, 2^55), its lowest bit the OR of everything below.
    #[inline(always)]
    const fn pack(sign: u64, exponent: i32, significand: u64) -> Self {
        let nonzero = significand >> 54;
        let field = ((exponent + BIAS + 53) as u64) & nonzero.wrapping_neg();
        // Of the last three bits, 011, 110 and 111 round up: above a half, or a half and odd.
        let round = (0xC8u32 >> (significand & 7)) & 1;
        // The leading bit adds one to the field; a carry out of the fraction one more.
        Self(
            (sign << 63)
                .wrapping_add(field << 52)
                .wrapping_add(significand >> 2)
                .wrapping_add(round as u64),
        )
    }

    /// Rounds `significand * 2^exponent` to a number; any `significand` below 2^63.
    #[inline(always)]
    fn normalize_and_pack(sign: u64, exponent: i32, significand: u64) -> Self {
        let mut m = significand;
        let mut shift = 0;
        // Moves the leading bit to bit 63, by halves.
        for step in [32, 16, 8, 4, 2, 1] {
            let short = is_zero(m >> (64 - step)).wrapping_neg();
            m ^= (m ^ (m << step)) & short;
            shift += (step as u64 & short) as i32;
        }
        let m = (m >> 9) | nonzero_bit(m & 0x1FF);
        Self::pack(sign, exponent - shift + 9, m)
    }
}

impl Real for Emulated {
    const ESTIMATES: bool = false;

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline(always)]
    fn to_bits(self) -> u64 {
        self.0
    }

    #[inline]
    fn from_i32(x: i32) -> Self {
        let magnitude = u64::from(x.unsigned_abs());
        Self::normalize_and_pack(u64::from(x.cast_unsigned() >> 31), 0, magnitude)
    }

    #[inline(never)]
    fn div(self, divisor: Self) -> Self {
        let y = divisor.significand();
        let mut remainder = self.significand();
        let mut quotient: u64 = 0;
        // 56 bits of the quotient, one at a time, each with a trial subtraction. The first has
        // weight one, and the quotient of two significands is in (1/2, 2).
        for _ in 0..56 {
            let difference = remainder.wrapping_sub(y);
            let fits = (difference >> 63).wrapping_sub(1);
            quotient = (quotient << 1) | (fits & 1);
            remainder ^= (remainder ^ difference) & fits;
            remainder <<= 1;
        }
        let exponent = self.exponent() - divisor.exponent() - 55;
        let sign = self.sign() ^ divisor.sign();
        let (m, carry) = to_55_bits(quotient | nonzero_bit(remainder));
        Self::pack(sign, exponent + carry, m & self.nonzero().wrapping_neg())
    }

    #[inline(never)]
    fn sqrt(self) -> Self {
        // value = x * 2^(2h - 52) with x in [2^52, 2^54).
        let exponent = self.exponent() - BIAS;
        let odd = exponent & 1;
        let mut remainder = self.significand();
        remainder += remainder & u64::from(odd.cast_unsigned()).wrapping_neg();
        let half = (exponent - odd) >> 1;
        // 54 bits of the root, from weight 2^53 down; `remainder` is scaled to match.
        remainder <<= 1;
        let mut root: u64 = 0;
        let mut doubled: u64 = 0;
        let mut bit: u64 = 1 << 53;
        for _ in 0..54 {
            let trial = doubled + bit;
            let difference = remainder.wrapping_sub(trial);
            let fits = (difference >> 63).wrapping_sub(1);
            doubled += (bit << 1) & fits;
            root += bit & fits;
            remainder ^= (remainder ^ difference) & fits;
            remainder <<= 1;
            bit >>= 1;
        }
        let m = (root << 1) | nonzero_bit(remainder);
        Self::pack(0, half - 54, m & self.nonzero().wrapping_neg())
    }

    #[inline]
    fn half(self) -> Self {
        Self(self.0.wrapping_sub(self.nonzero() << 52))
    }

    #[inline]
    fn trunc(self) -> i64 {
        // m * 2^(field - 1085), m in [2^62, 2^63).
        let m = self.significand() << 10;
        let shift = (BIAS + 62 - self.exponent()).clamp(0, 63);
        let magnitude = shr(m, shift.cast_unsigned()).cast_signed();
        let negative = self.sign().wrapping_neg().cast_signed();
        (magnitude ^ negative).wrapping_sub(negative)
    }

    #[inline(always)]
    fn rounds_to_nearest() -> bool {
        true
    }
}

impl Add for Emulated {
    type Output = Self;

    #[inline(never)]
    fn add(self, other: Self) -> Self {
        // x: the one of greater magnitude; of equal ones the positive one, so that x - x = +0.
        let gap = (self.0 & !SIGN).wrapping_sub(other.0 & !SIGN);
        let swap = ((gap >> 63) | (is_zero(gap) & self.sign())).wrapping_neg();
        let change = (self.0 ^ other.0) & swap;
        let (x, y) = (Self(self.0 ^ change), Self(other.0 ^ change));

        // Three more bits, the last of them sticky. A shift by 60 or more leaves only that.
        let xm = x.significand() << 3;
        let ym = y.significand() << 3;
        let shift = (x.exponent() - y.exponent()).clamp(0, 60).cast_unsigned();
        let kept = shr(ym, shift);
        let ym = kept | nonzero_bit(ym ^ shl(kept, shift));

        let differ = (x.sign() ^ y.sign()).wrapping_neg();
        let sum = xm.wrapping_add((ym ^ differ).wrapping_sub(differ));
        Self::normalize_and_pack(x.sign(), x.exponent() - (BIAS + 52 + 3), sum)
    }
}

impl Sub for Emulated {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Emulated {
    type Output = Self;

    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        // The product is in [2^104, 2^106); shifted by 14 its upper word is in [2^54, 2^56).
        let (high, low) = mul_wide(self.significand() << 7, other.significand() << 7);
        let (m, carry) = to_55_bits(high | nonzero_bit(low));
        let exponent = self.exponent() + other.exponent() - 2 * (BIAS + 52) + 50;
        let nonzero = (self.nonzero() & other.nonzero()).wrapping_neg();
        Self::pack(self.sign() ^ other.sign(), exponent + carry, m & nonzero)
    }
}

impl Neg for Emulated {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0 ^ SIGN)
    }
}

/// In: below 2^56. Out: the same below 2^55, with a sticky lowest bit, and what to add to the
/// exponent.
#[inline(always)]
fn to_55_bits(m: u64) -> (u64, i32) {
    let long = m >> 55;
    let shorter = (m >> 1) | (m & 1);
    (m ^ ((m ^ shorter) & long.wrapping_neg()), long as i32)
}

/// 1 or 0.
#[inline(always)]
const fn is_zero(x: u64) -> u64 {
    nonzero_bit(x) ^ 1
}

/// 0 or 1.
#[inline(always)]
const fn nonzero_bit(x: u64) -> u64 {
    (x | x.wrapping_neg()) >> 63
}
