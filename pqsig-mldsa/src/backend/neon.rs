//! The kernels in NEON, four coefficients at a time, where compilers make less of the portable
//! code: transforms and products.
//!
//! Arithmetic is that of the portable code, with the same bounds.
#![allow(unsafe_code)]

mod ntt;

use super::{
    Backend,
    portable::{Factor, Q_INV},
};
use crate::{
    params::{N, Q},
    poly::{Normal, Ntt, Poly, Product},
};
use core::arch::aarch64::{
    int32x4_t, int64x2_t, vdup_n_s32, vdupq_n_s32, vdupq_n_s64, vget_low_s32, vhsubq_s32,
    vld1q_s32, vmlal_high_s32, vmlal_s32, vmlsl_high_s32, vmlsl_s32, vmulq_s32, vqdmulhq_s32,
    vreinterpretq_s32_s64, vst1q_s32, vuzp1q_s32, vuzp2q_s32,
};
use pqsig_comm::arch::Neon;

/// Coefficients in a register.
const WIDTH: usize = 4;

impl Backend for Neon {
    #[inline(always)]
    fn ntt(self, src: &Poly<Normal>, dst: &mut Poly<Ntt>) {
        // SAFETY: `self` proves that the CPU has NEON; so in all methods here.
        unsafe { ntt::forward(&src.coeffs, &mut dst.coeffs) }
    }

    #[inline(always)]
    fn inv_ntt(self, src: &Poly<Product>, dst: &mut Poly<Normal>) {
        // SAFETY: as above.
        unsafe { ntt::inverse(&src.coeffs, &mut dst.coeffs) }
    }

    #[inline(always)]
    fn dot(self, row: &[Poly<Ntt>], vector: &[Poly<Ntt>], out: &mut Poly<Product>) {
        // SAFETY: as above.
        unsafe { dot(row, vector, None, out) }
    }

    #[inline(always)]
    fn dot_minus(
        self,
        row: &[Poly<Ntt>],
        vector: &[Poly<Ntt>],
        minus: (&Poly<Ntt>, &Poly<Ntt>),
        out: &mut Poly<Product>,
    ) {
        // SAFETY: as above.
        unsafe { dot(row, vector, Some(minus), out) }
    }
}

/// Sums of products, reduced once. In and out as [`Backend::dot_minus`].
#[inline]
#[target_feature(enable = "neon")]
fn dot(
    row: &[Poly<Ntt>],
    vector: &[Poly<Ntt>],
    minus: Option<(&Poly<Ntt>, &Poly<Ntt>)>,
    out: &mut Poly<Product>,
) {
    for at in (0..N).step_by(WIDTH) {
        let mut low = vdupq_n_s64(0);
        let mut high = vdupq_n_s64(0);
        for (a, b) in row.iter().zip(vector) {
            let (a, b) = (load(&a.coeffs, at), load(&b.coeffs, at));
            low = vmlal_s32(low, vget_low_s32(a), vget_low_s32(b));
            high = vmlal_high_s32(high, a, b);
        }
        if let Some((c, t)) = minus {
            let (c, t) = (load(&c.coeffs, at), load(&t.coeffs, at));
            low = vmlsl_s32(low, vget_low_s32(c), vget_low_s32(t));
            high = vmlsl_high_s32(high, c, t);
        }
        store(&mut out.coeffs, at, montgomery(low, high));
    }
}

/// Montgomery reduction of four 64-bit numbers, as that of the portable code.
#[inline]
#[target_feature(enable = "neon")]
fn montgomery(low: int64x2_t, high: int64x2_t) -> int32x4_t {
    let low_halves = vuzp1q_s32(vreinterpretq_s32_s64(low), vreinterpretq_s32_s64(high));
    let multiple = vmulq_s32(low_halves, vdupq_n_s32(Q_INV));
    // The low halves cancel; the high halves are the results.
    let low = vmlsl_s32(low, vget_low_s32(multiple), vdup_n_s32(Q));
    let high = vmlsl_high_s32(high, multiple, vdupq_n_s32(Q));
    vuzp2q_s32(vreinterpretq_s32_s64(low), vreinterpretq_s32_s64(high))
}

/// Multiplication by a constant in each position, as [`Factor::times`].
#[derive(Clone, Copy)]
struct Factors {
    value: int32x4_t,
    value_q_inv: int32x4_t,
}

impl Factors {
    /// The same factor everywhere.
    #[inline]
    #[target_feature(enable = "neon")]
    fn broadcast(factor: Factor) -> Self {
        Self {
            value: vdupq_n_s32(factor.value),
            value_q_inv: vdupq_n_s32(factor.value_q_inv),
        }
    }

    /// The products.
    #[inline]
    #[target_feature(enable = "neon")]
    fn times(self, a: int32x4_t) -> int32x4_t {
        // Twice the products, of which the high halves stay. No factor is -2^31, so nothing
        // saturates.
        let product = vqdmulhq_s32(a, self.value);
        let multiple = vqdmulhq_s32(vmulq_s32(a, self.value_q_inv), vdupq_n_s32(Q));
        // Both have the same low half, so half the difference is exact.
        vhsubq_s32(product, multiple)
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn load(coeffs: &[i32; N], at: usize) -> int32x4_t {
    let coeffs: &[i32] = &coeffs[at..at + WIDTH];
    // SAFETY: 16 readable bytes.
    unsafe { vld1q_s32(coeffs.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(coeffs: &mut [i32; N], at: usize, value: int32x4_t) {
    let coeffs: &mut [i32] = &mut coeffs[at..at + WIDTH];
    // SAFETY: 16 writable bytes.
    unsafe { vst1q_s32(coeffs.as_mut_ptr(), value) }
}
