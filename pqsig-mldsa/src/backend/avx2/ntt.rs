//! The transforms: three layers over the whole polynomial with registers 32 apart, then five
//! layers inside blocks of 64 coefficients, the last three by shuffling pairs of registers.

use super::{Factors, WIDTH, load, store};
use crate::{
    backend::portable::{Factor, INV_NTT_SCALE, ZETAS},
    params::N,
    poly::{Normal, Ntt, Poly, Product},
};
use core::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_blend_epi32, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_loadu_si256, _mm256_moveldup_ps, _mm256_permute2x128_si256, _mm256_setzero_si256,
    _mm256_sub_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

/// A register for each of eight positions.
type Registers = [__m256i; 8];

/// The factors of one layer, laid out as the registers need them.
struct Table<const LEN: usize> {
    value: [i32; LEN],
    value_q_inv: [i32; LEN],
}

impl<const LEN: usize> Table<LEN> {
    /// Each of `LEN / repeat` factors `repeat` times, from `first` on.
    const fn new(first: usize, repeat: usize) -> Self {
        let mut table = Self {
            value: [0; LEN],
            value_q_inv: [0; LEN],
        };
        let mut i = 0;
        while i < LEN {
            let Factor { value, value_q_inv } = ZETAS[first + i / repeat];
            table.value[i] = value;
            table.value_q_inv[i] = value_q_inv;
            i += 1;
        }
        table
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

    /// As [`Table::of_pair`], in the reverse order: for the inverse transform, whose factors are
    /// those of the mirrored pair.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of_mirrored_pair(&self, at: usize) -> Factors {
        self.of_pair(N - 2 * WIDTH - at)
    }
}

/// Layers 6 to 8, whose butterflies are between coefficients 4, 2 and 1 apart.
static LAYER_4: Table<128> = Table::new(32, 4);
static LAYER_2: Table<128> = Table::new(64, 2);
static LAYER_1: Table<128> = Table::new(128, 1);

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn forward(src: &Poly<Normal>, dst: &mut Poly<Ntt>) {
    for at in (0..32).step_by(WIDTH) {
        let mut r = gather(&src.coeffs, at, 32);
        layer(&mut r, 4, &ZETAS[1..2]);
        layer(&mut r, 2, &ZETAS[2..4]);
        layer(&mut r, 1, &ZETAS[4..8]);
        scatter(&mut dst.coeffs, at, 32, &r);
    }
    for block in 0..N / 64 {
        let at = 64 * block;
        let mut r = gather(&dst.coeffs, at, WIDTH);
        layer(&mut r, 2, &ZETAS[8 + 2 * block..][..2]);
        layer(&mut r, 1, &ZETAS[16 + 4 * block..][..4]);
        for pair in (0..8).step_by(2) {
            let at = at + pair * WIDTH;
            let (a, b) = split_4(r[pair], r[pair + 1]);
            let (a, b) = butterfly(a, LAYER_4.of_pair(at).times_paired(b));
            let (a, b) = split_2(a, b);
            let (a, b) = butterfly(a, LAYER_2.of_pair(at).times_paired(b));
            let (a, b) = split_1(a, b);
            let zetas = LAYER_1.of_pair(at);
            let (a, b) = butterfly(a, zetas.times(b, zetas.odds()));
            // Each split is its own inverse.
            let (a, b) = split_1(a, b);
            let (a, b) = split_2(a, b);
            (r[pair], r[pair + 1]) = split_4(a, b);
        }
        scatter(&mut dst.coeffs, at, WIDTH, &r);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn inverse(src: &Poly<Product>, dst: &mut Poly<Normal>) {
    for block in 0..N / 64 {
        let at = 64 * block;
        let mut r = gather(&src.coeffs, at, WIDTH);
        for pair in (0..8).step_by(2) {
            let at = at + pair * WIDTH;
            let (a, b) = split_4(r[pair], r[pair + 1]);
            let (a, b) = split_2(a, b);
            let (a, b) = split_1(a, b);
            let zetas = reversed(LAYER_1.of_mirrored_pair(at));
            let (a, b) = inverse_butterfly(a, b);
            let (a, b) = split_1(a, zetas.times(b, zetas.odds()));
            let zetas = reversed(LAYER_2.of_mirrored_pair(at));
            let (a, b) = inverse_butterfly(a, b);
            let (a, b) = split_2(a, zetas.times_paired(b));
            let zetas = reversed(LAYER_4.of_mirrored_pair(at));
            let (a, b) = inverse_butterfly(a, b);
            (r[pair], r[pair + 1]) = split_4(a, zetas.times_paired(b));
        }
        inverse_layer(&mut r, 1, &ZETAS[28 - 4 * block..][..4]);
        inverse_layer(&mut r, 2, &ZETAS[14 - 2 * block..][..2]);
        scatter(&mut dst.coeffs, at, WIDTH, &r);
    }
    let scale = Factors::broadcast(INV_NTT_SCALE);
    for at in (0..32).step_by(WIDTH) {
        let mut r = gather(&dst.coeffs, at, 32);
        inverse_layer(&mut r, 1, &ZETAS[4..8]);
        inverse_layer(&mut r, 2, &ZETAS[2..4]);
        inverse_layer(&mut r, 4, &ZETAS[1..2]);
        for r in &mut r {
            *r = scale.times_paired(*r);
        }
        scatter(&mut dst.coeffs, at, 32, &r);
    }
}

/// Butterflies between registers `distance` apart.
#[inline]
#[target_feature(enable = "avx2")]
fn layer(r: &mut Registers, distance: usize, zetas: &[Factor]) {
    for (block, &zeta) in zetas.iter().enumerate() {
        let zeta = Factors::broadcast(zeta);
        for i in 2 * distance * block..2 * distance * block + distance {
            (r[i], r[i + distance]) = butterfly(r[i], zeta.times_paired(r[i + distance]));
        }
    }
}

/// The inverse of [`layer`] but for the factor 2. The factors of the inverse transform are those
/// of the forward one in the reverse order, negated; [`inverse_butterfly`] has the sign.
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_layer(r: &mut Registers, distance: usize, zetas: &[Factor]) {
    for (block, &zeta) in zetas.iter().rev().enumerate() {
        let zeta = Factors::broadcast(zeta);
        for i in 2 * distance * block..2 * distance * block + distance {
            let (sum, difference) = inverse_butterfly(r[i], r[i + distance]);
            (r[i], r[i + distance]) = (sum, zeta.times_paired(difference));
        }
    }
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

/// Factors in the reverse order.
#[inline]
#[target_feature(enable = "avx2")]
fn reversed(factors: Factors) -> Factors {
    use core::arch::x86_64::{_mm256_permutevar8x32_epi32, _mm256_setr_epi32};
    let order = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    Factors {
        value: _mm256_permutevar8x32_epi32(factors.value, order),
        value_q_inv: _mm256_permutevar8x32_epi32(factors.value_q_inv, order),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn gather(coeffs: &[i32; N], at: usize, stride: usize) -> Registers {
    let mut r = [_mm256_setzero_si256(); 8];
    for (i, r) in r.iter_mut().enumerate() {
        *r = load(coeffs, at + i * stride);
    }
    r
}

#[inline]
#[target_feature(enable = "avx2")]
fn scatter(coeffs: &mut [i32; N], at: usize, stride: usize, r: &Registers) {
    for (i, &r) in r.iter().enumerate() {
        store(coeffs, at + i * stride, r);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_table(factors: &[i32]) -> __m256i {
    assert!(factors.len() == WIDTH);
    // SAFETY: 32 readable bytes; no alignment needed.
    unsafe { _mm256_loadu_si256(factors.as_ptr().cast()) }
}
