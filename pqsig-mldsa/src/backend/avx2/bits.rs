//! Packing and unpacking of coefficients of any width up to 20 bits: eight coefficients of
//! `BITS` bits are `BITS` bytes, four of them in each half of a register.

use super::{WIDTH, load, store};
use crate::{
    params::N,
    poly::{Normal, Poly},
};
use core::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm_or_si128, _mm_storeu_si128, _mm256_and_si256,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_or_si256,
    _mm256_set_m128i, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_shuffle_epi8,
    _mm256_slli_epi64, _mm256_sllv_epi64, _mm256_srli_epi64, _mm256_srlv_epi32, _mm256_sub_epi32,
};

/// A byte that a shuffle makes zero.
const NONE: i8 = -1;

/// How to find a coefficient in the bytes.
struct Unpacking<const BITS: usize>;

impl<const BITS: usize> Unpacking<BITS> {
    /// Where the second half of a group is loaded: 16 bytes from here hold its coefficients.
    const UPPER: usize = BITS.saturating_sub(16);

    /// Coefficient i starts in bit 8 `offset` + `shift` and takes at most 4 bytes from there.
    const SHUFFLE: [i8; 32] = {
        assert!(BITS <= 20);
        let mut shuffle = [NONE; 32];
        let mut i = 0;
        while i < WIDTH {
            let base = if i < 4 { 0 } else { Self::UPPER };
            let mut byte = BITS * i / 8;
            let last = (BITS * (i + 1) - 1) / 8;
            let mut at = 4 * i;
            while byte <= last {
                shuffle[at] = (byte - base) as i8;
                assert!(byte - base < 16);
                byte += 1;
                at += 1;
            }
            i += 1;
        }
        shuffle
    };

    const SHIFT: [i32; WIDTH] = {
        let mut shift = [0; WIDTH];
        let mut i = 0;
        while i < WIDTH {
            shift[i] = (BITS * i % 8) as i32;
            i += 1;
        }
        shift
    };
}

/// `top - v` (if `BELOW`) or `v`, for each number v of `BITS` bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn unpack<const BITS: usize, const BELOW: bool>(
    top: i32,
    bytes: &[u8],
    dst: &mut Poly<Normal>,
) {
    assert!(bytes.len() == 32 * BITS);
    let shuffle = load_32(&Unpacking::<BITS>::SHUFFLE);
    let shift = load_32(&Unpacking::<BITS>::SHIFT);
    let mask = _mm256_set1_epi32((1 << BITS) - 1);
    let top = _mm256_set1_epi32(top);
    for at in (0..N).step_by(WIDTH) {
        let from = at / WIDTH * BITS;
        let upper = Unpacking::<BITS>::UPPER;
        let pair = if from + upper + 16 <= bytes.len() {
            let group = &bytes[from..from + upper + 16];
            _mm256_set_m128i(load_16(&group[upper..]), load_16(&group[..16]))
        } else {
            // Near the end a load of 16 bytes would go past it.
            let mut padded = [0; 16];
            padded[..BITS].copy_from_slice(&bytes[from..from + BITS]);
            _mm256_set_m128i(load_16(&padded), load_16(&padded))
        };
        let words = _mm256_srlv_epi32(_mm256_shuffle_epi8(pair, shuffle), shift);
        let values = _mm256_and_si256(words, mask);
        let values = if BELOW {
            _mm256_sub_epi32(top, values)
        } else {
            values
        };
        store(&mut dst.coeffs, at, values);
    }
}

/// Where the coefficients go, taken in pairs: pair i starts in bit `2 BITS i`.
struct Packing<const BITS: usize>;

impl<const BITS: usize> Packing<BITS> {
    /// First byte of the second half of a group. A group of at most 16 bytes is put together in
    /// one register instead.
    const UPPER: usize = if BITS > 16 { BITS / 2 } else { 0 };

    const SHIFT: [i64; 4] = {
        let mut shift = [0; 4];
        let mut pair = 0;
        while pair < 4 {
            shift[pair] = (2 * BITS * pair % 8) as i64;
            pair += 1;
        }
        shift
    };

    /// Moves the bytes of the first (`parity` 0) or the second (1) pair of each half.
    const fn shuffle(parity: usize) -> [i8; 32] {
        let mut shuffle = [NONE; 32];
        let mut half = 0;
        while half < 2 {
            let start = 2 * BITS * (2 * half + parity);
            let base = if half == 0 { 0 } else { Self::UPPER };
            let mut byte = start / 8;
            let last = (start + 2 * BITS - 1) / 8;
            let mut from = 8 * parity;
            while byte <= last {
                shuffle[16 * half + byte - base] = from as i8;
                byte += 1;
                from += 1;
            }
            half += 1;
        }
        shuffle
    }

    const FIRST: [i8; 32] = Self::shuffle(0);
    const SECOND: [i8; 32] = Self::shuffle(1);
}

/// `top - c` (if `BELOW`) or `c`, for each coefficient c, in `BITS` bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn pack<const BITS: usize, const BELOW: bool>(
    top: i32,
    src: &Poly<Normal>,
    out: &mut [u8],
) {
    assert!(out.len() == 32 * BITS);
    let first = load_32(&Packing::<BITS>::FIRST);
    let second = load_32(&Packing::<BITS>::SECOND);
    let shift = load_32(&Packing::<BITS>::SHIFT);
    let top = _mm256_set1_epi32(top);
    let low_words = _mm256_set1_epi64x(0xFFFF_FFFF);
    for at in (0..N).step_by(WIDTH) {
        let values = load(&src.coeffs, at);
        let values = if BELOW {
            _mm256_sub_epi32(top, values)
        } else {
            values
        };
        // Pairs of 2 BITS bits in 64, moved to their place inside a byte.
        let odds = _mm256_srli_epi64::<32>(values);
        let odds = shift_left::<BITS>(odds);
        let pairs = _mm256_or_si256(_mm256_and_si256(values, low_words), odds);
        let pairs = _mm256_sllv_epi64(pairs, shift);
        let halves = _mm256_or_si256(
            _mm256_shuffle_epi8(pairs, first),
            _mm256_shuffle_epi8(pairs, second),
        );
        let (lower, upper) = (
            _mm256_castsi256_si128(halves),
            _mm256_extracti128_si256::<1>(halves),
        );
        let to = at / WIDTH * BITS;
        write_group::<BITS>(&mut out[to..], lower, upper);
    }
}

/// Writes a group. What follows it in `out` may be overwritten.
#[inline]
#[target_feature(enable = "avx2")]
fn write_group<const BITS: usize>(out: &mut [u8], lower: __m128i, upper: __m128i) {
    let at = Packing::<BITS>::UPPER;
    let mut end = [0; 32];
    let (to, direct) = if out.len() >= at + 16 {
        (&mut *out, true)
    } else {
        (&mut end[..], false)
    };
    if at == 0 {
        store_16(&mut to[..16], _mm_or_si128(lower, upper));
    } else {
        store_16(&mut to[..16], lower);
        store_16(&mut to[at..at + 16], upper);
    }
    if !direct {
        out.copy_from_slice(&end[..out.len()]);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn shift_left<const BITS: usize>(a: __m256i) -> __m256i {
    // An intrinsic takes an `i32` constant, and a `usize` one cannot be converted yet.
    match BITS {
        3 => _mm256_slli_epi64::<3>(a),
        4 => _mm256_slli_epi64::<4>(a),
        6 => _mm256_slli_epi64::<6>(a),
        10 => _mm256_slli_epi64::<10>(a),
        13 => _mm256_slli_epi64::<13>(a),
        18 => _mm256_slli_epi64::<18>(a),
        _ => {
            const { assert!(matches!(BITS, 3 | 4 | 6 | 10 | 13 | 18 | 20)) };
            _mm256_slli_epi64::<20>(a)
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_16(bytes: &[u8]) -> __m128i {
    assert!(bytes.len() == 16);
    // SAFETY: 16 readable bytes; no alignment needed.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_32<T, const LEN: usize>(table: &'static [T; LEN]) -> __m256i {
    const { assert!(size_of::<[T; LEN]>() == 32) };
    // SAFETY: 32 readable bytes of integers; no alignment needed.
    unsafe { _mm256_loadu_si256(table.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_16(bytes: &mut [u8], value: __m128i) {
    assert!(bytes.len() == 16);
    // SAFETY: 16 writable bytes; no alignment needed.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), value) }
}
