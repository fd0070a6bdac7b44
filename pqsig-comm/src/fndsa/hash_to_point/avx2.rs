//! The filter in vectors of eight words.
#![allow(unsafe_code)]

use super::{BLOCK, Filter, LIMIT, keep};
use crate::{arch::Avx2, fndsa::params::Q, shake::RATE_256};
use core::arch::x86_64::*;

impl Filter for Avx2 {
    #[inline(always)]
    fn accept(self, bytes: &[u8; RATE_256], coefficients: &mut [u16; BLOCK]) -> usize {
        // SAFETY: `self` proves that the CPU has AVX2.
        unsafe { accept(bytes, coefficients) }
    }
}

/// Words of one vector.
const WORDS: usize = 8;

/// For each set of words, where the bytes of its members begin, in order.
static BEGINNINGS: [[u8; WORDS]; 1 << WORDS] = {
    let mut table = [[0; WORDS]; 1 << WORDS];
    let mut set = 0;
    while set < table.len() {
        let (mut count, mut word) = (0, 0);
        while word < WORDS {
            if set >> word & 1 == 1 {
                table[set][count] = 2 * word as u8;
                count += 1;
            }
            word += 1;
        }
        set += 1;
    }
    table
};

/// [`Filter::accept`].
#[inline]
#[target_feature(enable = "avx2")]
fn accept(bytes: &[u8; RATE_256], coefficients: &mut [u16; BLOCK]) -> usize {
    let mut count = 0;
    let mut vectors = bytes.chunks_exact(2 * WORDS);
    for vector in &mut vectors {
        // SAFETY: 16 readable bytes; no alignment needed.
        let words = unsafe { _mm_loadu_si128(vector.as_ptr().cast()) };
        let below = _mm_cmpeq_epi16(words, _mm_min_epu16(words, set_all(LIMIT - 1)));
        let accepted = _mm_movemask_epi8(_mm_packs_epi16(below, _mm_setzero_si128())) as u8;
        let beginnings = u64::from_le_bytes(BEGINNINGS[usize::from(accepted)]);
        let beginnings = _mm_cvtsi64_si128(beginnings as i64);
        // Each byte twice, and one more for the second: both bytes of the words.
        let order = _mm_add_epi8(
            _mm_unpacklo_epi8(beginnings, beginnings),
            set_all(u16::from_le_bytes([0, 1])),
        );
        // `count` is at most the number of words seen before, so all eight have a place.
        let place = &mut coefficients[count..count + WORDS];
        // SAFETY: 16 writable bytes; no alignment needed.
        unsafe {
            _mm_storeu_si128(
                place.as_mut_ptr().cast(),
                _mm_shuffle_epi8(modulo(words), order),
            );
        }
        count += accepted.count_ones() as usize;
    }
    let rest = vectors.remainder().chunks_exact(2).map(|pair| {
        let word = u16::from_le_bytes([pair[0], pair[1]]);
        (word, super::modulo(word))
    });
    keep(rest, coefficients, count)
}

/// As [`super::modulo`].
#[inline]
#[target_feature(enable = "avx2")]
fn modulo(words: __m128i) -> __m128i {
    [4 * Q, 2 * Q, Q]
        .into_iter()
        .fold(words, |words, multiple| {
            _mm_min_epu16(words, _mm_sub_epi16(words, set_all(multiple)))
        })
}

#[inline]
#[target_feature(enable = "avx2")]
fn set_all(value: u16) -> __m128i {
    _mm_set1_epi16(value as i16)
}
