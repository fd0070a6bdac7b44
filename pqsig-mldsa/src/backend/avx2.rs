//! The kernels in AVX2, eight coefficients at a time.
//!
//! Arithmetic is that of the portable code, with the same bounds. A product of 32-bit numbers
//! needs 64 bits, so the even and the odd coefficients of a register are multiplied apart and
//! blended again after the reduction.
#![allow(unsafe_code)]

mod bits;
mod ntt;
mod product;
mod rejection;

use super::{
    Backend,
    portable::{Factor, Q_INV},
};
use crate::{
    params::{Eta, N, Q},
    poly::{Domain, Normal, Ntt, Poly, Product},
    sparse::{Challenge, Medium, Small},
};
use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_blend_epi32, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_load_si256, _mm256_movehdup_ps, _mm256_mul_epi32, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_store_si256, _mm256_sub_epi64,
};
use pqsig_comm::arch::Avx2;

/// Coefficients in a register.
const WIDTH: usize = 8;
/// Registers in a polynomial.
const REGISTERS: usize = N / WIDTH;

impl Backend for Avx2 {
    #[inline(always)]
    fn ntt(self, src: &Poly<Normal>, dst: &mut Poly<Ntt>) {
        // SAFETY: `self` proves that the CPU has AVX2; so in all methods here.
        unsafe { ntt::forward(src, dst) }
    }

    #[inline(always)]
    fn inv_ntt(self, src: &Poly<Product>, dst: &mut Poly<Normal>) {
        // SAFETY: as above.
        unsafe { ntt::inverse(src, dst) }
    }

    #[inline(always)]
    fn multiply_small(self, eta: Eta, c: &Challenge, s: &Small, out: &mut Poly<Normal>) {
        // SAFETY: as above.
        unsafe { product::small(eta, c, s, out) }
    }

    #[inline(always)]
    fn multiply_medium(self, c: &Challenge, t: &Medium, out: &mut Poly<Normal>) {
        // SAFETY: as above.
        unsafe { product::medium(c, t, out) }
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

    #[inline(always)]
    fn rej_uniform(self, bytes: &[u8], dst: &mut Poly<Ntt>, filled: usize) -> usize {
        // SAFETY: as above.
        unsafe { rejection::uniform(bytes, &mut dst.coeffs, filled) }
    }

    #[inline(always)]
    fn rej_bounded(self, eta: Eta, bytes: &[u8], dst: &mut Poly<Normal>, filled: usize) -> usize {
        // SAFETY: as above.
        unsafe { rejection::bounded(eta, bytes, &mut dst.coeffs, filled) }
    }

    #[inline(always)]
    fn pack<const BITS: usize>(self, src: &Poly<Normal>, out: &mut [u8]) {
        // SAFETY: as above.
        unsafe { bits::pack::<BITS, false>(0, src, out) }
    }

    #[inline(always)]
    fn pack_below<const BITS: usize>(self, top: i32, src: &Poly<Normal>, out: &mut [u8]) {
        // SAFETY: as above.
        unsafe { bits::pack::<BITS, true>(top, src, out) }
    }

    #[inline(always)]
    fn unpack<const BITS: usize>(self, bytes: &[u8], dst: &mut Poly<Normal>) {
        // SAFETY: as above.
        unsafe { bits::unpack::<BITS, false>(0, bytes, dst) }
    }

    #[inline(always)]
    fn unpack_below<const BITS: usize>(self, top: i32, bytes: &[u8], dst: &mut Poly<Normal>) {
        // SAFETY: as above.
        unsafe { bits::unpack::<BITS, true>(top, bytes, dst) }
    }
}

/// Sums of products, reduced once. In and out as [`Backend::dot_minus`].
#[inline]
#[target_feature(enable = "avx2")]
fn dot(
    row: &[Poly<Ntt>],
    vector: &[Poly<Ntt>],
    minus: Option<(&Poly<Ntt>, &Poly<Ntt>)>,
    out: &mut Poly<Product>,
) {
    for at in (0..N).step_by(WIDTH) {
        let mut even = _mm256_setzero_si256();
        let mut odd = _mm256_setzero_si256();
        for (a, b) in row.iter().zip(vector) {
            let (a, b) = (load(&a.coeffs, at), load(&b.coeffs, at));
            even = _mm256_add_epi64(even, _mm256_mul_epi32(a, b));
            odd = _mm256_add_epi64(odd, _mm256_mul_epi32(odds(a), odds(b)));
        }
        if let Some((c, t)) = minus {
            let (c, t) = (load(&c.coeffs, at), load(&t.coeffs, at));
            even = _mm256_sub_epi64(even, _mm256_mul_epi32(c, t));
            odd = _mm256_sub_epi64(odd, _mm256_mul_epi32(odds(c), odds(t)));
        }
        let q_inv = _mm256_set1_epi32(Q_INV);
        let (even_low, odd_low) = (_mm256_mul_epi32(even, q_inv), _mm256_mul_epi32(odd, q_inv));
        store(
            &mut out.coeffs,
            at,
            montgomery(even, odd, even_low, odd_low),
        );
    }
}

/// Multiplication by a constant in each position, as [`Factor::times`].
#[derive(Clone, Copy)]
struct Factors {
    value: __m256i,
    value_q_inv: __m256i,
}

impl Factors {
    /// The same factor everywhere.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn broadcast(factor: Factor) -> Self {
        Self {
            value: _mm256_set1_epi32(factor.value),
            value_q_inv: _mm256_set1_epi32(factor.value_q_inv),
        }
    }

    /// The products, for factors that are equal in positions 2i and 2i + 1.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn times_paired(self, a: __m256i) -> __m256i {
        self.times(a, self)
    }

    /// The products, with the factors of the odd positions moved to the even ones in `odd`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn times(self, a: __m256i, odd: Self) -> __m256i {
        let a_odd = odds(a);
        montgomery(
            _mm256_mul_epi32(a, self.value),
            _mm256_mul_epi32(a_odd, odd.value),
            _mm256_mul_epi32(a, self.value_q_inv),
            _mm256_mul_epi32(a_odd, odd.value_q_inv),
        )
    }

    /// The factors of the odd positions, moved to the even ones.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn odds(self) -> Self {
        Self {
            value: odds(self.value),
            value_q_inv: odds(self.value_q_inv),
        }
    }
}

/// Montgomery reduction of 64-bit products of the even and the odd positions, given their low
/// halves times q^-1.
#[inline]
#[target_feature(enable = "avx2")]
fn montgomery(even: __m256i, odd: __m256i, even_low: __m256i, odd_low: __m256i) -> __m256i {
    let q = _mm256_set1_epi32(Q);
    // The low halves cancel; the high halves are the results.
    let even = _mm256_sub_epi64(even, _mm256_mul_epi32(even_low, q));
    let odd = _mm256_sub_epi64(odd, _mm256_mul_epi32(odd_low, q));
    _mm256_blend_epi32::<0b1010_1010>(odds(even), odd)
}

/// Moves the odd positions to the even ones.
#[inline]
#[target_feature(enable = "avx2")]
fn odds(a: __m256i) -> __m256i {
    _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(a)))
}

/// The coefficients in registers, eight in each.
#[inline]
fn registers<T: Domain>(poly: &Poly<T>) -> &[__m256i; REGISTERS] {
    const { assert!(align_of::<Poly<Normal>>() >= align_of::<__m256i>()) };
    // SAFETY: the same number of bytes, aligned alike, and every value of either is one of the
    // other.
    unsafe { &*poly.coeffs.as_ptr().cast() }
}

/// As [`registers`].
#[inline]
fn registers_mut<T: Domain>(poly: &mut Poly<T>) -> &mut [__m256i; REGISTERS] {
    // SAFETY: as in `registers`; the borrow is exclusive.
    unsafe { &mut *poly.coeffs.as_mut_ptr().cast() }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(coeffs: &[i32; N], at: usize) -> __m256i {
    let coeffs: &[i32] = &coeffs[at..at + WIDTH];
    debug_assert!(coeffs.as_ptr().cast::<__m256i>().is_aligned());
    // SAFETY: 32 readable bytes; `Poly` is aligned to 32 and `at` is a multiple of 8.
    unsafe { _mm256_load_si256(coeffs.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(coeffs: &mut [i32; N], at: usize, value: __m256i) {
    let coeffs: &mut [i32] = &mut coeffs[at..at + WIDTH];
    debug_assert!(coeffs.as_ptr().cast::<__m256i>().is_aligned());
    // SAFETY: 32 writable bytes; `Poly` is aligned to 32 and `at` is a multiple of 8.
    unsafe { _mm256_store_si256(coeffs.as_mut_ptr().cast(), value) }
}
