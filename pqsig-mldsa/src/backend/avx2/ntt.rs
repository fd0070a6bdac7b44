//! The transforms: three layers over the whole polynomial with registers 32 apart, then five
//! layers inside blocks of 64 coefficients, the last three by shuffling pairs of registers.

use super::{Factors, REGISTERS, WIDTH, registers, registers_mut};
use crate::{
    backend::portable::{Factor, INV_NTT_SCALE, ZETAS},
    params::N,
    poly::{Normal, Ntt, Poly, Product},
};
use core::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_blend_epi32, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_loadu_si256, _mm256_moveldup_ps, _mm256_permute2x128_si256, _mm256_sub_epi32,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

/// A register for each of eight positions.
type Registers = [__m256i; 8];

/// The factors of one layer, laid out as the registers need them.
struct Table<const LEN: usize> {
    value: [i32; LEN],
    value_q_inv: [i32; LEN],
}

impl<const LEN: usize> Table<LEN> {
    /// The factors of a layer of 128 / `repeat` blocks, each `repeat` times.
    const fn new(repeat: usize) -> Self {
        let blocks = LEN / repeat;
        let mut table = Self {
            value: [0; LEN],
            value_q_inv: [0; LEN],
        };
        let mut i = 0;
        while i < LEN {
            let Factor { value, value_q_inv } = ZETAS[blocks + i / repeat];
            table.value[i] = value;
            table.value_q_inv[i] = value_q_inv;
            i += 1;
        }
        table
    }

    /// The same from the last to the first, for the inverse transform.
    const fn reversed(mut self) -> Self {
        let mut i = 0;
        while i < LEN / 2 {
            let (first, last) = (i, LEN - 1 - i);
            (self.value[first], self.value[last]) = (self.value[last], self.value[first]);
            let q_inv = &mut self.value_q_inv;
            (q_inv[first], q_inv[last]) = (q_inv[last], q_inv[first]);
            i += 1;
        }
        self
    }

    /// The factors for the pair of registers that starts at coefficient `at`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of_pair(&self, at: usize) -> Factors {
        let at = at / 2;
        Factors {
            value: load_table(&self.value[at..at + WIDTH]),
            value_q_inv: load_table(&self.value_q_inv[at..at + WIDTH]),
        }
    }
}

/// Layers 6 to 8, whose butterflies are between coefficients 4, 2 and 1 apart.
static LAYER_4: Table<128> = Table::new(4);
static LAYER_2: Table<128> = Table::new(2);
static LAYER_1: Table<128> = Table::new(1);
static INVERSE_LAYER_4: Table<128> = Table::new(4).reversed();
static INVERSE_LAYER_2: Table<128> = Table::new(2).reversed();
static INVERSE_LAYER_1: Table<128> = Table::new(1).reversed();

// The functions below spell their steps out: a loop over registers would keep them in memory.

#[target_feature(enable = "avx2")]
pub(super) fn forward(src: &Poly<Normal>, dst: &mut Poly<Ntt>) {
    let zetas: &[Factor; N] = &ZETAS;
    let (src, dst) = (registers(src), registers_mut(dst));
    for at in 0..4 {
        let mut r = gather::<4>(src, at);
        layer_4(&mut r, zetas[1]);
        layer_2(&mut r, [zetas[2], zetas[3]]);
        layer_1(&mut r, [zetas[4], zetas[5], zetas[6], zetas[7]]);
        scatter::<4>(dst, at, r);
    }
    for block in 0..N / 64 {
        let at = 64 * block;
        let mut r = gather::<1>(dst, 8 * block);
        layer_2(&mut r, [zetas[8 + 2 * block], zetas[9 + 2 * block]]);
        let first = 16 + 4 * block;
        layer_1(
            &mut r,
            [
                zetas[first],
                zetas[first + 1],
                zetas[first + 2],
                zetas[first + 3],
            ],
        );
        (r[0], r[1]) = forward_pair(r[0], r[1], at);
        (r[2], r[3]) = forward_pair(r[2], r[3], at + 16);
        (r[4], r[5]) = forward_pair(r[4], r[5], at + 32);
        (r[6], r[7]) = forward_pair(r[6], r[7], at + 48);
        scatter::<1>(dst, 8 * block, r);
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn inverse(src: &Poly<Product>, dst: &mut Poly<Normal>) {
    let zetas: &[Factor; N] = &ZETAS;
    let (src, dst) = (registers(src), registers_mut(dst));
    for block in 0..N / 64 {
        let at = 64 * block;
        let mut r = gather::<1>(src, 8 * block);
        (r[0], r[1]) = inverse_pair(r[0], r[1], at);
        (r[2], r[3]) = inverse_pair(r[2], r[3], at + 16);
        (r[4], r[5]) = inverse_pair(r[4], r[5], at + 32);
        (r[6], r[7]) = inverse_pair(r[6], r[7], at + 48);
        let last = 31 - 4 * block;
        inverse_layer_1(
            &mut r,
            [
                zetas[last],
                zetas[last - 1],
                zetas[last - 2],
                zetas[last - 3],
            ],
        );
        inverse_layer_2(&mut r, [zetas[15 - 2 * block], zetas[14 - 2 * block]]);
        scatter::<1>(dst, 8 * block, r);
    }
    let scale = Factors::broadcast(INV_NTT_SCALE);
    for at in 0..4 {
        let mut r = gather::<4>(dst, at);
        inverse_layer_1(&mut r, [zetas[7], zetas[6], zetas[5], zetas[4]]);
        inverse_layer_2(&mut r, [zetas[3], zetas[2]]);
        inverse_layer_4(&mut r, zetas[1]);
        let r = [
            scale.times_paired(r[0]),
            scale.times_paired(r[1]),
            scale.times_paired(r[2]),
            scale.times_paired(r[3]),
            scale.times_paired(r[4]),
            scale.times_paired(r[5]),
            scale.times_paired(r[6]),
            scale.times_paired(r[7]),
        ];
        scatter::<4>(dst, at, r);
    }
}

/// The last three layers of 16 coefficients, those from `at` on.
#[inline]
#[target_feature(enable = "avx2")]
fn forward_pair(a: __m256i, b: __m256i, at: usize) -> (__m256i, __m256i) {
    let (a, b) = split_4(a, b);
    let (a, b) = butterfly(a, LAYER_4.of_pair(at).times_paired(b));
    let (a, b) = split_2(a, b);
    let (a, b) = butterfly(a, LAYER_2.of_pair(at).times_paired(b));
    let (a, b) = split_1(a, b);
    let zetas = LAYER_1.of_pair(at);
    let (a, b) = butterfly(a, zetas.times(b, zetas.odds()));
    // Each split is its own inverse.
    let (a, b) = split_1(a, b);
    let (a, b) = split_2(a, b);
    split_4(a, b)
}

/// The first three layers of the inverse, of 16 coefficients, those from `at` on.
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_pair(a: __m256i, b: __m256i, at: usize) -> (__m256i, __m256i) {
    let (a, b) = split_4(a, b);
    let (a, b) = split_2(a, b);
    let (a, b) = split_1(a, b);
    let (a, b) = inverse_butterfly(a, b);
    let zetas = INVERSE_LAYER_1.of_pair(at);
    let (a, b) = split_1(a, zetas.times(b, zetas.odds()));
    let (a, b) = inverse_butterfly(a, b);
    let (a, b) = split_2(a, INVERSE_LAYER_2.of_pair(at).times_paired(b));
    let (a, b) = inverse_butterfly(a, b);
    split_4(a, INVERSE_LAYER_4.of_pair(at).times_paired(b))
}

/// Butterflies between registers 4 apart.
#[inline]
#[target_feature(enable = "avx2")]
fn layer_4(r: &mut Registers, zeta: Factor) {
    let zeta = Factors::broadcast(zeta);
    (r[0], r[4]) = butterfly(r[0], zeta.times_paired(r[4]));
    (r[1], r[5]) = butterfly(r[1], zeta.times_paired(r[5]));
    (r[2], r[6]) = butterfly(r[2], zeta.times_paired(r[6]));
    (r[3], r[7]) = butterfly(r[3], zeta.times_paired(r[7]));
}

/// Butterflies between registers 2 apart.
#[inline]
#[target_feature(enable = "avx2")]
fn layer_2(r: &mut Registers, zetas: [Factor; 2]) {
    let zeta = Factors::broadcast(zetas[0]);
    (r[0], r[2]) = butterfly(r[0], zeta.times_paired(r[2]));
    (r[1], r[3]) = butterfly(r[1], zeta.times_paired(r[3]));
    let zeta = Factors::broadcast(zetas[1]);
    (r[4], r[6]) = butterfly(r[4], zeta.times_paired(r[6]));
    (r[5], r[7]) = butterfly(r[5], zeta.times_paired(r[7]));
}

/// Butterflies between neighbouring registers.
#[inline]
#[target_feature(enable = "avx2")]
fn layer_1(r: &mut Registers, zetas: [Factor; 4]) {
    (r[0], r[1]) = butterfly(r[0], Factors::broadcast(zetas[0]).times_paired(r[1]));
    (r[2], r[3]) = butterfly(r[2], Factors::broadcast(zetas[1]).times_paired(r[3]));
    (r[4], r[5]) = butterfly(r[4], Factors::broadcast(zetas[2]).times_paired(r[5]));
    (r[6], r[7]) = butterfly(r[6], Factors::broadcast(zetas[3]).times_paired(r[7]));
}

/// The inverse of [`layer_4`] but for the factor 2. The factors of the inverse transform are
/// those of the forward one from the last to the first, negated; [`inverse_butterfly`] has the
/// sign.
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_layer_4(r: &mut Registers, zeta: Factor) {
    let zeta = Factors::broadcast(zeta);
    (r[0], r[4]) = inverse_step(r[0], r[4], zeta);
    (r[1], r[5]) = inverse_step(r[1], r[5], zeta);
    (r[2], r[6]) = inverse_step(r[2], r[6], zeta);
    (r[3], r[7]) = inverse_step(r[3], r[7], zeta);
}

/// The inverse of [`layer_2`].
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_layer_2(r: &mut Registers, zetas: [Factor; 2]) {
    let zeta = Factors::broadcast(zetas[0]);
    (r[0], r[2]) = inverse_step(r[0], r[2], zeta);
    (r[1], r[3]) = inverse_step(r[1], r[3], zeta);
    let zeta = Factors::broadcast(zetas[1]);
    (r[4], r[6]) = inverse_step(r[4], r[6], zeta);
    (r[5], r[7]) = inverse_step(r[5], r[7], zeta);
}

/// The inverse of [`layer_1`].
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_layer_1(r: &mut Registers, zetas: [Factor; 4]) {
    (r[0], r[1]) = inverse_step(r[0], r[1], Factors::broadcast(zetas[0]));
    (r[2], r[3]) = inverse_step(r[2], r[3], Factors::broadcast(zetas[1]));
    (r[4], r[5]) = inverse_step(r[4], r[5], Factors::broadcast(zetas[2]));
    (r[6], r[7]) = inverse_step(r[6], r[7], Factors::broadcast(zetas[3]));
}

#[inline]
#[target_feature(enable = "avx2")]
fn inverse_step(a: __m256i, b: __m256i, zeta: Factors) -> (__m256i, __m256i) {
    let (sum, difference) = inverse_butterfly(a, b);
    (sum, zeta.times_paired(difference))
}

#[inline]
#[target_feature(enable = "avx2")]
fn butterfly(a: __m256i, t: __m256i) -> (__m256i, __m256i) {
    (_mm256_add_epi32(a, t), _mm256_sub_epi32(a, t))
}

#[inline]
#[target_feature(enable = "avx2")]
fn inverse_butterfly(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    (_mm256_add_epi32(a, b), _mm256_sub_epi32(b, a))
}

/// Brings coefficients 4 apart face to face: the low halves, and the high halves.
#[inline]
#[target_feature(enable = "avx2")]
fn split_4(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    (
        _mm256_permute2x128_si256::<0x20>(a, b),
        _mm256_permute2x128_si256::<0x31>(a, b),
    )
}

/// Brings coefficients 2 apart face to face, after [`split_4`].
#[inline]
#[target_feature(enable = "avx2")]
fn split_2(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b))
}

/// Brings coefficients 1 apart face to face, after [`split_2`].
#[inline]
#[target_feature(enable = "avx2")]
fn split_1(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let b_evens = _mm256_castps_si256(_mm256_moveldup_ps(_mm256_castsi256_ps(b)));
    (
        _mm256_blend_epi32::<0b1010_1010>(a, b_evens),
        _mm256_blend_epi32::<0b1010_1010>(super::odds(a), b),
    )
}

/// Eight registers of a polynomial, `STRIDE` apart, from register `at` on.
#[inline]
#[target_feature(enable = "avx2")]
fn gather<const STRIDE: usize>(poly: &[__m256i; REGISTERS], at: usize) -> Registers {
    // One test instead of eight: with more, the compiler does not inline this.
    assert!(at + 7 * STRIDE < REGISTERS);
    let from = |i: usize| {
        // SAFETY: i <= 7, so by the test above the register is one of the polynomial's.
        unsafe { *poly.get_unchecked(at + i * STRIDE) }
    };
    [
        from(0),
        from(1),
        from(2),
        from(3),
        from(4),
        from(5),
        from(6),
        from(7),
    ]
}

/// The inverse of [`gather`].
#[inline]
#[target_feature(enable = "avx2")]
fn scatter<const STRIDE: usize>(poly: &mut [__m256i; REGISTERS], at: usize, r: Registers) {
    assert!(at + 7 * STRIDE < REGISTERS);
    let mut to = |i: usize| {
        // SAFETY: as in `gather`.
        unsafe { *poly.get_unchecked_mut(at + i * STRIDE) = r[i] }
    };
    to(0);
    to(1);
    to(2);
    to(3);
    to(4);
    to(5);
    to(6);
    to(7);
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_table(factors: &[i32]) -> __m256i {
    assert!(factors.len() == WIDTH);
    // SAFETY: 32 readable bytes; no alignment needed.
    unsafe { _mm256_loadu_si256(factors.as_ptr().cast()) }
}
