//! The number of the FPU.
//!
//! Unsafe code: instructions of the target's baseline that `core` has no safe function for.
#![allow(unsafe_code)]

use super::Real;
use core::ops::{Add, Mul, Neg, Sub};
use pqsig_comm::fndsa::params::Element;

/// A binary64 number that the FPU computes with.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Native(f64);

impl zeroize::DefaultIsZeroes for Native {}

impl Element for Native {
    const ZERO: Self = Self(0.0);
}

impl Real for Native {
    const ESTIMATES: bool = true;

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        Self(f64::from_bits(bits))
    }

    #[inline(always)]
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    #[inline(always)]
    fn from_i32(x: i32) -> Self {
        Self(f64::from(x))
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        #[cfg(pqsig_fpr_div = "emulated")]
        {
            use super::emulated::Emulated;
            let x = Emulated::from_bits(self.to_bits());
            Self::from_bits(x.div(Emulated::from_bits(divisor.to_bits())).to_bits())
        }
        #[cfg(not(pqsig_fpr_div = "emulated"))]
        Self(self.0 / divisor.0)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        sqrt(self)
    }

    #[inline(always)]
    fn half(self) -> Self {
        Self(self.0 * 0.5)
    }

    #[inline(always)]
    fn trunc(self) -> i64 {
        trunc(self.0)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn signs<const N: usize>(numbers: &[Self; N]) -> u32 {
        use core::arch::x86_64::{_mm_movemask_pd, _mm_set_pd};
        let mut signs = 0;
        for (i, pair) in numbers.chunks_exact(2).enumerate() {
            // SAFETY: this module exists only where the target has SSE2.
            let pair = unsafe { _mm_movemask_pd(_mm_set_pd(pair[1].0, pair[0].0)) };
            signs |= pair.cast_unsigned() << (2 * i);
        }
        signs
    }

    fn rounds_to_nearest() -> bool {
        // The first sum is a tie that goes down to 1, the second a tie that goes up: any other
        // mode gets one of them wrong.
        let one = core::hint::black_box(1.0);
        let next = core::hint::black_box(1.0 + f64::EPSILON);
        let tie = core::hint::black_box(f64::EPSILON / 2.0);
        one + tie == 1.0 && next + tie == 1.0 + 2.0 * f64::EPSILON
    }
}

/// A saturating `as` would be a comparison and a jump on x86-64, on secret data.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn trunc(x: f64) -> i64 {
    use core::arch::x86_64::{_mm_cvttsd_si64, _mm_set_sd};
    // SAFETY: this module exists only where the target has SSE2.
    unsafe { _mm_cvttsd_si64(_mm_set_sd(x)) }
}

/// One instruction on aarch64, without a jump on riscv64.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn trunc(x: f64) -> i64 {
    x as i64
}

#[cfg(all(target_arch = "x86_64", not(pqsig_fpr_sqrt = "emulated")))]
#[inline(always)]
fn sqrt(x: Native) -> Native {
    use core::arch::x86_64::{_mm_cvtsd_f64, _mm_set_sd, _mm_sqrt_pd};
    // SAFETY: this module exists only where the target has SSE2.
    Native(unsafe { _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set_sd(x.0))) })
}

#[cfg(all(target_arch = "aarch64", not(pqsig_fpr_sqrt = "emulated")))]
#[inline(always)]
fn sqrt(x: Native) -> Native {
    use core::arch::aarch64::{vdup_n_f64, vget_lane_f64, vsqrt_f64};
    // SAFETY: this module exists only where the target has NEON.
    Native(unsafe { vget_lane_f64::<0>(vsqrt_f64(vdup_n_f64(x.0))) })
}

/// riscv64 always comes here: `core` gives no access to its instruction, and on common cores its
/// time depends on the operand.
#[cfg(any(
    pqsig_fpr_sqrt = "emulated",
    not(any(target_arch = "x86_64", target_arch = "aarch64"))
))]
#[inline(always)]
fn sqrt(x: Native) -> Native {
    use super::emulated::Emulated;
    Native::from_bits(Emulated::from_bits(x.to_bits()).sqrt().to_bits())
}

impl Add for Native {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Native {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Native {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Neg for Native {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}
