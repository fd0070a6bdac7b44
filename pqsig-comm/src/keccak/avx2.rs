//! Four Keccak states in AVX2: word `i` of all four in one register.
#![allow(unsafe_code)]

use super::{Interleaved, ROUND_CONSTANTS, ROUNDS};
use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_andnot_si256, _mm256_load_si256, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_store_si256,
    _mm256_storeu_si256, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64, _mm256_xor_si256,
};

impl Interleaved {
    /// As [`Arch::read_blocks`](crate::arch::Arch::read_blocks), four words of four states at a time.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn transpose_blocks<const N: usize>(&self, out: &mut [[u8; N]; 4]) {
        let words = N / 8;
        for at in (0..words / 4 * 4).step_by(4) {
            let rows = [
                load(&self.0[at]),
                load(&self.0[at + 1]),
                load(&self.0[at + 2]),
                load(&self.0[at + 3]),
            ];
            let even = [
                _mm256_unpacklo_epi64(rows[0], rows[1]),
                _mm256_unpacklo_epi64(rows[2], rows[3]),
            ];
            let odd = [
                _mm256_unpackhi_epi64(rows[0], rows[1]),
                _mm256_unpackhi_epi64(rows[2], rows[3]),
            ];
            let lanes = [
                _mm256_permute2x128_si256::<0x20>(even[0], even[1]),
                _mm256_permute2x128_si256::<0x20>(odd[0], odd[1]),
                _mm256_permute2x128_si256::<0x31>(even[0], even[1]),
                _mm256_permute2x128_si256::<0x31>(odd[0], odd[1]),
            ];
            for (block, lane) in out.iter_mut().zip(lanes) {
                store_bytes(&mut block[8 * at..8 * at + 32], lane);
            }
        }
        for word in words / 4 * 4..words {
            for (lane, block) in out.iter_mut().enumerate() {
                block[8 * word..8 * word + 8].copy_from_slice(&self.0[word][lane].to_le_bytes());
            }
        }
    }
}

/// Permutes four states.
#[target_feature(enable = "avx2")]
pub(crate) fn f1600_x4(states: &mut Interleaved) {
    let mut a = [_mm256_setzero_si256(); 25];
    for (a, word) in a.iter_mut().zip(&states.0) {
        *a = load(word);
    }
    for constants in ROUND_CONSTANTS.chunks_exact(2) {
        a = one_round(&a, constants[0]);
        a = one_round(&a, constants[1]);
    }
    const { assert!(ROUNDS & 1 == 0) };
    for (word, a) in states.0.iter_mut().zip(a) {
        store(word, a);
    }
}

/// The steps theta, rho, pi, chi and iota of one round, as in the portable code.
#[inline]
#[target_feature(enable = "avx2")]
fn one_round(a: &[__m256i; 25], constant: u64) -> [__m256i; 25] {
    let c0 = parity(a[0], a[5], a[10], a[15], a[20]);
    let c1 = parity(a[1], a[6], a[11], a[16], a[21]);
    let c2 = parity(a[2], a[7], a[12], a[17], a[22]);
    let c3 = parity(a[3], a[8], a[13], a[18], a[23]);
    let c4 = parity(a[4], a[9], a[14], a[19], a[24]);
    let d = [
        _mm256_xor_si256(c4, rotate_1(c1)),
        _mm256_xor_si256(c0, rotate_1(c2)),
        _mm256_xor_si256(c1, rotate_1(c3)),
        _mm256_xor_si256(c2, rotate_1(c4)),
        _mm256_xor_si256(c3, rotate_1(c0)),
    ];
    let with_d = |i: usize| _mm256_xor_si256(a[i], d[i % 5]);
    let [r0, r1, r2, r3, r4] = [
        chi([
            with_d(0),
            rotate::<44, 20>(with_d(6)),
            rotate::<43, 21>(with_d(12)),
            rotate::<21, 43>(with_d(18)),
            rotate::<14, 50>(with_d(24)),
        ]),
        chi([
            rotate::<28, 36>(with_d(3)),
            rotate::<20, 44>(with_d(9)),
            rotate::<3, 61>(with_d(10)),
            rotate::<45, 19>(with_d(16)),
            rotate::<61, 3>(with_d(22)),
        ]),
        chi([
            rotate::<1, 63>(with_d(1)),
            rotate::<6, 58>(with_d(7)),
            rotate::<25, 39>(with_d(13)),
            rotate_8(with_d(19)),
            rotate::<18, 46>(with_d(20)),
        ]),
        chi([
            rotate::<27, 37>(with_d(4)),
            rotate::<36, 28>(with_d(5)),
            rotate::<10, 54>(with_d(11)),
            rotate::<15, 49>(with_d(17)),
            rotate_56(with_d(23)),
        ]),
        chi([
            rotate::<62, 2>(with_d(2)),
            rotate::<55, 9>(with_d(8)),
            rotate::<39, 25>(with_d(14)),
            rotate::<41, 23>(with_d(15)),
            rotate::<2, 62>(with_d(21)),
        ]),
    ];
    let first = _mm256_xor_si256(r0[0], _mm256_set1_epi64x(constant as i64));
    [
        first, r0[1], r0[2], r0[3], r0[4], //
        r1[0], r1[1], r1[2], r1[3], r1[4], //
        r2[0], r2[1], r2[2], r2[3], r2[4], //
        r3[0], r3[1], r3[2], r3[3], r3[4], //
        r4[0], r4[1], r4[2], r4[3], r4[4],
    ]
}

/// The parity of a column.
#[inline]
#[target_feature(enable = "avx2")]
fn parity(a: __m256i, b: __m256i, c: __m256i, d: __m256i, e: __m256i) -> __m256i {
    let upper = _mm256_xor_si256(_mm256_xor_si256(a, b), c);
    _mm256_xor_si256(upper, _mm256_xor_si256(d, e))
}

/// Rotates each word left by one bit: an addition runs on more ports than a shift.
#[inline]
#[target_feature(enable = "avx2")]
fn rotate_1(a: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_add_epi64(a, a), _mm256_srli_epi64::<63>(a))
}

/// The step chi on one row.
#[inline]
#[target_feature(enable = "avx2")]
fn chi(b: [__m256i; 5]) -> [__m256i; 5] {
    [
        _mm256_xor_si256(b[0], _mm256_andnot_si256(b[1], b[2])),
        _mm256_xor_si256(b[1], _mm256_andnot_si256(b[2], b[3])),
        _mm256_xor_si256(b[2], _mm256_andnot_si256(b[3], b[4])),
        _mm256_xor_si256(b[3], _mm256_andnot_si256(b[4], b[0])),
        _mm256_xor_si256(b[4], _mm256_andnot_si256(b[0], b[1])),
    ]
}

/// Rotates each word left. `LEFT + RIGHT` must be 64.
#[inline]
#[target_feature(enable = "avx2")]
fn rotate<const LEFT: i32, const RIGHT: i32>(a: __m256i) -> __m256i {
    const { assert!(LEFT + RIGHT == 64) };
    _mm256_or_si256(_mm256_slli_epi64::<LEFT>(a), _mm256_srli_epi64::<RIGHT>(a))
}

/// Rotates each word left by a byte.
#[inline]
#[target_feature(enable = "avx2")]
fn rotate_8(a: __m256i) -> __m256i {
    let (low, high) = (0x0605_0403_0201_0007, 0x0e0d_0c0b_0a09_080f);
    _mm256_shuffle_epi8(a, _mm256_set_epi64x(high, low, high, low))
}

/// Rotates each word left by seven bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn rotate_56(a: __m256i) -> __m256i {
    let (low, high) = (0x0007_0605_0403_0201, 0x080f_0e0d_0c0b_0a09);
    _mm256_shuffle_epi8(a, _mm256_set_epi64x(high, low, high, low))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &[u64; 4]) -> __m256i {
    debug_assert!(words.as_ptr().cast::<__m256i>().is_aligned());
    // SAFETY: 32 readable bytes, at an address that `Interleaved` aligns to 32.
    unsafe { _mm256_load_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(words: &mut [u64; 4], value: __m256i) {
    debug_assert!(words.as_ptr().cast::<__m256i>().is_aligned());
    // SAFETY: 32 writable bytes, at an address that `Interleaved` aligns to 32.
    unsafe { _mm256_store_si256(words.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_bytes(bytes: &mut [u8], value: __m256i) {
    assert!(bytes.len() == 32);
    // SAFETY: 32 writable bytes; no alignment needed.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arch::Avx2, keccak::tests::equals_portable};

    /// Also where the CPU has AVX-512, which the token's own method prefers.
    #[test]
    fn avx2_equals_portable() {
        let Some(avx2) = Avx2::detect() else { return };
        // SAFETY: the CPU has AVX2.
        equals_portable(avx2, |states| unsafe { f1600_x4(states) });
    }
}
