//! Rejection sampling: eight candidates at a time are tested, and those that pass moved to the
//! front by a permutation from a table.
//!
//! The mask of accepted candidates is the index into the table. It says nothing about the
//! accepted values, so it may be seen (for the secret s1 and s2 as for the public A).

use crate::{
    backend::portable,
    params::{Eta, N, Q},
};
use core::arch::x86_64::{
    __m128i, __m256i, _mm_and_si128, _mm_cmpgt_epi8, _mm_cvtsi64_si128, _mm_loadu_si128,
    _mm_movemask_epi8, _mm_set1_epi8, _mm_setr_epi8, _mm_shuffle_epi8, _mm_srli_epi16,
    _mm_srli_si128, _mm_unpacklo_epi8, _mm256_and_si256, _mm256_castsi256_ps, _mm256_cmpgt_epi32,
    _mm256_cvtepi8_epi32, _mm256_cvtepu8_epi32, _mm256_movemask_ps, _mm256_permutevar8x32_epi32,
    _mm256_set_m128i, _mm256_set1_epi32, _mm256_setr_epi8, _mm256_shuffle_epi8,
    _mm256_storeu_si256,
};

/// For each mask of eight accepted or rejected candidates, the indices of the accepted ones;
/// what follows them does not matter.
static ACCEPTED: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
};

/// As [`portable::rej_uniform`].
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn uniform(bytes: &[u8], dst: &mut [i32; N], mut filled: usize) -> usize {
    let mut at = 0;
    while filled + 8 <= N && at + 24 <= bytes.len() {
        let candidates = spread_3(&bytes[at..at + 24]);
        let accepted = _mm256_cmpgt_epi32(_mm256_set1_epi32(Q), candidates);
        let mask = _mm256_movemask_ps(_mm256_castsi256_ps(accepted)) as u8;
        let order = _mm256_cvtepu8_epi32(load_8(&ACCEPTED[usize::from(mask)]));
        store_8(dst, filled, _mm256_permutevar8x32_epi32(candidates, order));
        filled += mask.count_ones() as usize;
        at += 24;
    }
    portable::rej_uniform(&bytes[at..], dst, filled)
}

/// Eight numbers of three bytes each, less the top bit.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_3(bytes: &[u8]) -> __m256i {
    // Numbers 0 to 3 are bytes 0 to 11 of the first load, 4 to 7 bytes 4 to 15 of the second.
    let pair = _mm256_set_m128i(load_16(&bytes[8..24]), load_16(&bytes[0..16]));
    #[rustfmt::skip]
    let order = _mm256_setr_epi8(
        0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1,
        4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1,
    );
    _mm256_and_si256(
        _mm256_shuffle_epi8(pair, order),
        _mm256_set1_epi32(0x7F_FFFF),
    )
}

/// As [`portable::rej_bounded`].
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn bounded(eta: Eta, bytes: &[u8], dst: &mut [i32; N], mut filled: usize) -> usize {
    // The coefficient of each half byte, and the first half byte that is rejected.
    #[rustfmt::skip]
    let (values, end) = match eta {
        Eta::Two => (_mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0), 15),
        Eta::Four => (_mm_setr_epi8(4, 3, 2, 1, 0, -1, -2, -3, -4, 0, 0, 0, 0, 0, 0, 0), 9),
    };
    let mut at = 0;
    while filled + 16 <= N && at + 8 <= bytes.len() {
        let bytes = load_8(&bytes[at..at + 8]);
        let low = _mm_and_si128(bytes, _mm_set1_epi8(15));
        let high = _mm_and_si128(_mm_srli_epi16::<4>(bytes), _mm_set1_epi8(15));
        let halves = _mm_unpacklo_epi8(low, high);
        let accepted = _mm_cmpgt_epi8(_mm_set1_epi8(end), halves);
        let mask = pqsig_comm::ct::declassify(_mm_movemask_epi8(accepted) as u16);
        let coeffs = _mm_shuffle_epi8(values, halves);
        for (mask, coeffs) in [
            (mask as u8, coeffs),
            ((mask >> 8) as u8, _mm_srli_si128::<8>(coeffs)),
        ] {
            let order = load_8(&ACCEPTED[usize::from(mask)]);
            store_8(
                dst,
                filled,
                _mm256_cvtepi8_epi32(_mm_shuffle_epi8(coeffs, order)),
            );
            filled += mask.count_ones() as usize;
        }
        at += 8;
    }
    portable::rej_bounded(eta, &bytes[at..], dst, filled)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_8(bytes: &[u8]) -> __m128i {
    let mut word = [0; 8];
    word.copy_from_slice(bytes);
    _mm_cvtsi64_si128(i64::from_le_bytes(word))
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
fn store_8(coeffs: &mut [i32; N], at: usize, value: __m256i) {
    let coeffs: &mut [i32] = &mut coeffs[at..at + 8];
    // SAFETY: 32 writable bytes; no alignment needed.
    unsafe { _mm256_storeu_si256(coeffs.as_mut_ptr().cast(), value) }
}
