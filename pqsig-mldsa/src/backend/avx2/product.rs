//! Products with the challenge: sums of windows, kept in eight registers.

use super::{WIDTH, load, store};
use crate::{
    params::{Eta, N},
    poly::{Normal, Poly},
    sparse::{self, Challenge, Medium, Small},
};
use core::arch::x86_64::{
    __m128i, __m256i, _mm_srli_si128, _mm256_add_epi8, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_cvtepi8_epi32, _mm256_cvtepi16_epi32, _mm256_extracti128_si256,
    _mm256_loadu_si256, _mm256_setzero_si256, _mm256_sub_epi8, _mm256_sub_epi16,
};

/// Sums of 256 bytes, or of 128 words of 16 bits.
type Sums = [__m256i; 8];

#[target_feature(enable = "avx2")]
pub(super) fn small(eta: Eta, c: &Challenge, s: &Small, out: &mut Poly<Normal>) {
    out.coeffs.fill(0);
    for (ones, minus_ones) in c.groups(sparse::small_limit(eta.value())) {
        let mut sums = [_mm256_setzero_si256(); 8];
        for &place in ones {
            let window = load_window(s.window(place));
            sums = [
                _mm256_add_epi8(sums[0], window[0]),
                _mm256_add_epi8(sums[1], window[1]),
                _mm256_add_epi8(sums[2], window[2]),
                _mm256_add_epi8(sums[3], window[3]),
                _mm256_add_epi8(sums[4], window[4]),
                _mm256_add_epi8(sums[5], window[5]),
                _mm256_add_epi8(sums[6], window[6]),
                _mm256_add_epi8(sums[7], window[7]),
            ];
        }
        for &place in minus_ones {
            let window = load_window(s.window(place));
            sums = [
                _mm256_sub_epi8(sums[0], window[0]),
                _mm256_sub_epi8(sums[1], window[1]),
                _mm256_sub_epi8(sums[2], window[2]),
                _mm256_sub_epi8(sums[3], window[3]),
                _mm256_sub_epi8(sums[4], window[4]),
                _mm256_sub_epi8(sums[5], window[5]),
                _mm256_sub_epi8(sums[6], window[6]),
                _mm256_sub_epi8(sums[7], window[7]),
            ];
        }
        for (i, sum) in sums.into_iter().enumerate() {
            for (j, half) in halves(sum).into_iter().enumerate() {
                let at = 32 * i + 16 * j;
                add(out, at, _mm256_cvtepi8_epi32(half));
                add(out, at + 8, _mm256_cvtepi8_epi32(_mm_srli_si128::<8>(half)));
            }
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn medium(c: &Challenge, t: &Medium, out: &mut Poly<Normal>) {
    out.coeffs.fill(0);
    for (ones, minus_ones) in c.groups(sparse::MEDIUM_LIMIT) {
        for part in [0, N / 2] {
            let mut sums = [_mm256_setzero_si256(); 8];
            for &place in ones {
                let window = load_window(&t.window(place)[part..part + N / 2]);
                sums = [
                    _mm256_add_epi16(sums[0], window[0]),
                    _mm256_add_epi16(sums[1], window[1]),
                    _mm256_add_epi16(sums[2], window[2]),
                    _mm256_add_epi16(sums[3], window[3]),
                    _mm256_add_epi16(sums[4], window[4]),
                    _mm256_add_epi16(sums[5], window[5]),
                    _mm256_add_epi16(sums[6], window[6]),
                    _mm256_add_epi16(sums[7], window[7]),
                ];
            }
            for &place in minus_ones {
                let window = load_window(&t.window(place)[part..part + N / 2]);
                sums = [
                    _mm256_sub_epi16(sums[0], window[0]),
                    _mm256_sub_epi16(sums[1], window[1]),
                    _mm256_sub_epi16(sums[2], window[2]),
                    _mm256_sub_epi16(sums[3], window[3]),
                    _mm256_sub_epi16(sums[4], window[4]),
                    _mm256_sub_epi16(sums[5], window[5]),
                    _mm256_sub_epi16(sums[6], window[6]),
                    _mm256_sub_epi16(sums[7], window[7]),
                ];
            }
            for (i, sum) in sums.into_iter().enumerate() {
                for (j, half) in halves(sum).into_iter().enumerate() {
                    add(out, part + 16 * i + 8 * j, _mm256_cvtepi16_epi32(half));
                }
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn halves(a: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(out: &mut Poly<Normal>, at: usize, value: __m256i) {
    const { assert!(WIDTH == 8) };
    let sum = _mm256_add_epi32(load(&out.coeffs, at), value);
    store(&mut out.coeffs, at, sum);
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_window<T>(window: &[T]) -> Sums {
    assert!(size_of_val(window) == 8 * 32);
    let from = window.as_ptr().cast::<__m256i>();
    // SAFETY: 256 readable bytes of integers; no alignment needed.
    unsafe {
        [
            _mm256_loadu_si256(from),
            _mm256_loadu_si256(from.add(1)),
            _mm256_loadu_si256(from.add(2)),
            _mm256_loadu_si256(from.add(3)),
            _mm256_loadu_si256(from.add(4)),
            _mm256_loadu_si256(from.add(5)),
            _mm256_loadu_si256(from.add(6)),
            _mm256_loadu_si256(from.add(7)),
        ]
    }
}
