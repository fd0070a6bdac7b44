//! The transforms: three layers over the whole polynomial with registers 32 coefficients apart,
//! then five layers inside blocks of 32 coefficients, the last two by shuffling pairs of registers.

use super::{Factors, WIDTH, load, store};
use crate::{
    backend::portable::{Factor, INV_NTT_SCALE, ZETAS},
    params::N,
};
use core::arch::aarch64::{
    int32x4_t, vaddq_s32, vextq_s32, vld1q_s32, vld2q_s32, vreinterpretq_s32_s64,
    vreinterpretq_s64_s32, vrev64q_s32, vsubq_s32, vtrn1q_s32, vtrn1q_s64, vtrn2q_s32, vtrn2q_s64,
    vzip1q_s32, vzip2q_s32,
};

/// Registers that are worked on together.
type Registers = [int32x4_t; 8];

/// Coefficients of a block.
const BLOCK: usize = 8 * WIDTH;

/// In and out as `Backend::ntt`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn forward(src: &[i32; N], dst: &mut [i32; N]) {
    for at in (0..BLOCK).step_by(WIDTH) {
        let mut v: Registers = core::array::from_fn(|i| load(src, at + i * BLOCK));
        forward_layer::<4>(&mut v, &ZETAS[1..2]);
        forward_layer::<2>(&mut v, &ZETAS[2..4]);
        forward_layer::<1>(&mut v, &ZETAS[4..8]);
        for (i, v) in v.into_iter().enumerate() {
            store(dst, at + i * BLOCK, v);
        }
    }
    for block in 0..N / BLOCK {
        let at = block * BLOCK;
        let mut v: Registers = core::array::from_fn(|i| load(dst, at + i * WIDTH));
        forward_layer::<4>(&mut v, &ZETAS[8 + block..]);
        forward_layer::<2>(&mut v, &ZETAS[16 + 2 * block..]);
        forward_layer::<1>(&mut v, &ZETAS[32 + 4 * block..]);
        for (i, pair) in v.chunks_exact(2).enumerate() {
            let (low, high) = halves(pair[0], pair[1]);
            let (low, high) = forward_step(low, high, twice(64 + 8 * block + 2 * i));
            let (even, odd) = alternate(low, high);
            let (even, odd) = forward_step(even, odd, four(128 + 16 * block + 4 * i));
            let (first, second) = interleave(even, odd);
            store(dst, at + 2 * i * WIDTH, first);
            store(dst, at + (2 * i + 1) * WIDTH, second);
        }
    }
}

/// In and out as `Backend::inv_ntt`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn inverse(src: &[i32; N], dst: &mut [i32; N]) {
    for block in 0..N / BLOCK {
        let at = block * BLOCK;
        let mut v: Registers = core::array::from_fn(|i| load(src, at + i * WIDTH));
        for (i, pair) in v.chunks_exact_mut(2).enumerate() {
            // The factors go from the last to the first.
            let (even, odd) = separate(pair[0], pair[1]);
            let (even, odd) = inverse_step(even, odd, four_reversed(252 - 16 * block - 4 * i));
            let (low, high) = alternate(even, odd);
            let (low, high) = inverse_step(low, high, twice_reversed(126 - 8 * block - 2 * i));
            (pair[0], pair[1]) = halves(low, high);
        }
        inverse_layer::<1>(&mut v, &ZETAS[60 - 4 * block..]);
        inverse_layer::<2>(&mut v, &ZETAS[30 - 2 * block..]);
        inverse_layer::<4>(&mut v, &ZETAS[15 - block..]);
        for (i, v) in v.into_iter().enumerate() {
            store(dst, at + i * WIDTH, v);
        }
    }
    let scale = Factors::broadcast(INV_NTT_SCALE);
    for at in (0..BLOCK).step_by(WIDTH) {
        let mut v: Registers = core::array::from_fn(|i| load(dst, at + i * BLOCK));
        inverse_layer::<1>(&mut v, &ZETAS[4..8]);
        inverse_layer::<2>(&mut v, &ZETAS[2..4]);
        inverse_layer::<4>(&mut v, &ZETAS[1..2]);
        for (i, v) in v.into_iter().enumerate() {
            store(dst, at + i * BLOCK, scale.times(v));
        }
    }
}

/// Butterflies between registers `LEN` apart; a factor for each block of 2 `LEN`.
#[inline]
#[target_feature(enable = "neon")]
fn forward_layer<const LEN: usize>(v: &mut Registers, zetas: &[Factor]) {
    for (block, zeta) in v.chunks_exact_mut(2 * LEN).zip(zetas) {
        let zeta = Factors::broadcast(*zeta);
        let (low, high) = block.split_at_mut(LEN);
        for (a, b) in low.iter_mut().zip(high) {
            (*a, *b) = forward_step(*a, *b, zeta);
        }
    }
}

/// As [`forward_layer`], inverse. `zetas` starts with the factor of the last block.
#[inline]
#[target_feature(enable = "neon")]
fn inverse_layer<const LEN: usize>(v: &mut Registers, zetas: &[Factor]) {
    for (block, zeta) in v.chunks_exact_mut(2 * LEN).rev().zip(zetas) {
        let zeta = Factors::broadcast(*zeta);
        let (low, high) = block.split_at_mut(LEN);
        for (a, b) in low.iter_mut().zip(high) {
            (*a, *b) = inverse_step(*a, *b, zeta);
        }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn forward_step(a: int32x4_t, b: int32x4_t, zeta: Factors) -> (int32x4_t, int32x4_t) {
    let t = zeta.times(b);
    (vaddq_s32(a, t), vsubq_s32(a, t))
}

#[inline]
#[target_feature(enable = "neon")]
fn inverse_step(a: int32x4_t, b: int32x4_t, zeta: Factors) -> (int32x4_t, int32x4_t) {
    (vaddq_s32(a, b), zeta.times(vsubq_s32(b, a)))
}

/// 0123, 4567 to 0145, 2367, and back.
#[inline]
#[target_feature(enable = "neon")]
fn halves(a: int32x4_t, b: int32x4_t) -> (int32x4_t, int32x4_t) {
    let (a, b) = (vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b));
    (
        vreinterpretq_s32_s64(vtrn1q_s64(a, b)),
        vreinterpretq_s32_s64(vtrn2q_s64(a, b)),
    )
}

/// 0145, 2367 to 0246, 1357, and back.
#[inline]
#[target_feature(enable = "neon")]
fn alternate(a: int32x4_t, b: int32x4_t) -> (int32x4_t, int32x4_t) {
    (vtrn1q_s32(a, b), vtrn2q_s32(a, b))
}

/// 0246, 1357 to 0123, 4567.
#[inline]
#[target_feature(enable = "neon")]
fn interleave(a: int32x4_t, b: int32x4_t) -> (int32x4_t, int32x4_t) {
    (vzip1q_s32(a, b), vzip2q_s32(a, b))
}

/// 0123, 4567 to 0246, 1357.
#[inline]
#[target_feature(enable = "neon")]
fn separate(a: int32x4_t, b: int32x4_t) -> (int32x4_t, int32x4_t) {
    let (low, high) = halves(a, b);
    alternate(low, high)
}

/// Factors `at` and `at + 1`, each twice.
#[inline]
#[target_feature(enable = "neon")]
fn twice(at: usize) -> Factors {
    let pair: &[Factor] = &ZETAS[at..at + 2];
    // SAFETY: two `Factor`s are four `i32`.
    let pair = unsafe { vld1q_s32(pair.as_ptr().cast()) };
    Factors {
        value: vtrn1q_s32(pair, pair),
        value_q_inv: vtrn2q_s32(pair, pair),
    }
}

/// As [`twice`], the second factor first.
#[inline]
#[target_feature(enable = "neon")]
fn twice_reversed(at: usize) -> Factors {
    let factors = twice(at);
    Factors {
        value: swap_halves(factors.value),
        value_q_inv: swap_halves(factors.value_q_inv),
    }
}

/// Factors `at` to `at + 3`.
#[inline]
#[target_feature(enable = "neon")]
fn four(at: usize) -> Factors {
    let four: &[Factor] = &ZETAS[at..at + 4];
    // SAFETY: four `Factor`s are eight `i32`.
    let pair = unsafe { vld2q_s32(four.as_ptr().cast()) };
    Factors {
        value: pair.0,
        value_q_inv: pair.1,
    }
}

/// As [`four`], from the last to the first.
#[inline]
#[target_feature(enable = "neon")]
fn four_reversed(at: usize) -> Factors {
    let factors = four(at);
    Factors {
        value: swap_halves(vrev64q_s32(factors.value)),
        value_q_inv: swap_halves(vrev64q_s32(factors.value_q_inv)),
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn swap_halves(a: int32x4_t) -> int32x4_t {
    vextq_s32::<2>(a, a)
}
