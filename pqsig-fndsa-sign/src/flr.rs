//! One floating-point number, under one contract, in two implementations.
//!
//! The contract: IEEE 754 binary64, round to nearest with ties to even, each operation rounded
//! on its own and in the order of the source, never a fused multiply-add. No NaN, infinity or
//! subnormal number occurs: the biased exponents of signing are 547 to 1102 (ePrint 2024/321).
//! Both implementations then give the same bits, up to the sign of a zero, which reaches no
//! result. With numbers outside the contract (a corrupted key) they give garbage, but they
//! neither panic nor branch.
//!
//! | type | what | where |
//! | --- | --- | --- |
//! | `Native` | the FPU | x86-64 with SSE2, aarch64 with NEON, riscv64 with D |
//! | `Emulated` | integers only, constant-time | everywhere else, and everywhere with `--cfg pqsig_fpr="emulated"` |
//!
//! i686 is "everywhere else": the x87 unit rounds twice. With `--cfg pqsig_fpr_div="emulated"`
//! and `--cfg pqsig_fpr_sqrt="emulated"`, `Native` takes division and square root from
//! `Emulated`, for cores where their time depends on the operands.

use core::ops::{Add, Mul, Neg, Sub};
use pqsig_comm::fndsa::params::Element;
use zeroize::DefaultIsZeroes;

// Compiled and tested also where `Native` is selected.
#[allow(dead_code)]
pub(crate) mod emulated;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "riscv64", target_feature = "d"),
))]
#[cfg_attr(pqsig_fpr = "emulated", allow(dead_code))]
pub(crate) mod native;

/// The number that this build signs with.
#[cfg(all(
    not(pqsig_fpr = "emulated"),
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon"),
        all(target_arch = "riscv64", target_feature = "d"),
    )
))]
pub(crate) type Selected = native::Native;
/// The number that this build signs with.
#[cfg(not(all(
    not(pqsig_fpr = "emulated"),
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon"),
        all(target_arch = "riscv64", target_feature = "d"),
    )
)))]
pub(crate) type Selected = emulated::Emulated;

/// A binary64 number, under the contract of this module.
pub(crate) trait Real:
    Element
    + DefaultIsZeroes
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// Whether estimates with these numbers are quicker than exact integers.
    const ESTIMATES: bool;

    /// The number with this encoding.
    fn from_bits(bits: u64) -> Self;

    /// The encoding.
    fn to_bits(self) -> u64;

    /// Exact.
    fn from_i32(x: i32) -> Self;

    /// The quotient.
    fn div(self, divisor: Self) -> Self;

    /// The square root. In: not negative.
    fn sqrt(self) -> Self;

    /// Half of it; exact.
    fn half(self) -> Self;

    /// Rounds toward zero. In: magnitude below 2^63.
    fn trunc(self) -> i64;

    /// Whether arithmetic rounds to nearest, as the contract asks: a host may have changed the
    /// rounding mode of its FPU.
    fn rounds_to_nearest() -> bool;

    /// Rounds to the nearest integer, ties to even. In: magnitude below 2^51.
    #[inline(always)]
    fn rint(self) -> i64 {
        let sum = self + Self::from_bits(constants::RINT_MAGIC);
        sum.to_bits()
            .wrapping_sub(constants::RINT_MAGIC)
            .cast_signed()
    }

    /// The greatest integer that is not above it, and the rest, rounded. In: magnitude below
    /// 2^51.
    #[inline(always)]
    fn floor(self) -> (Self, Self) {
        let magic = Self::from_bits(constants::RINT_MAGIC);
        let nearest = (self + magic) - magic;
        // Positive exactly if that is above. It is +0 if the two are equal, never -0, so the
        // encoding is a positive integer for a positive number and not for any other.
        let excess = nearest - self;
        let above = excess.to_bits().cast_signed().wrapping_neg() >> 63;
        let above = Self::from_bits(above.cast_unsigned() & constants::ONE);
        (nearest - above, above - excess)
    }

    /// The signs, bit `i` for number `i`.
    #[inline(always)]
    fn signs<const N: usize>(numbers: &[Self; N]) -> u32 {
        let bit = |(i, x): (usize, &Self)| ((x.to_bits() >> 63) as u32) << i;
        numbers.iter().enumerate().fold(0, |bits, x| bits | bit(x))
    }
}

/// The numbers that signing needs beside the table of roots, as bits.
pub(crate) mod constants {
    /// 1 / q.
    pub(crate) const INV_Q: u64 = 0x3f15_54e3_9097_a782;
    /// 1 / (2 * 1.8205^2): 1.8205 is the deviation of the base sampler.
    pub(crate) const INV_2SQRSIGMA0: u64 = 0x3fc3_4f8b_c183_bbc2;
    /// ln 2.
    pub(crate) const LOG2: u64 = 0x3fe6_2e42_fefa_39ef;
    /// 1 / ln 2.
    pub(crate) const INV_LOG2: u64 = 0x3ff7_1547_652b_82fe;
    /// 2^63.
    pub(crate) const TWO_POW_63: u64 = 0x43e0_0000_0000_0000;
    /// 3 * 2^51: a sum with it has the exponent 52, so its last place is worth one.
    pub(crate) const RINT_MAGIC: u64 = 0x4338_0000_0000_0000;
    /// 1.
    pub(crate) const ONE: u64 = 0x3ff0_0000_0000_0000;
}

#[cfg(test)]
mod tests;
