//! Four Keccak states in AVX-512VL: three-operand logic and rotations halve the instructions of
//! a round, and 32 registers hold all of it.
//!
//! One state alone, a row in each 512-bit register, was measured too: it takes as long as the
//! scalar code, because all its permutations of words share one port.
#![allow(unsafe_code)]
// Compiled only where build.rs finds a compiler that is new enough.
#![allow(clippy::incompatible_msrv)]

use super::{Interleaved, ROUND_CONSTANTS};
use core::arch::x86_64::{
    __m256i, _mm256_load_si256, _mm256_rol_epi64, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_store_si256, _mm256_ternarylogic_epi64, _mm256_xor_si256,
};

/// Truth table of `a ^ b ^ c`.
const XOR: i32 = 0x96;
/// Truth table of `a ^ (!b & c)`.
const CHI: i32 = 0xD2;

/// Permutes four states.
#[target_feature(enable = "avx512f,avx512vl")]
pub(crate) fn f1600_x4(states: &mut Interleaved) {
    let mut a = [_mm256_setzero_si256(); 25];
    for (a, word) in a.iter_mut().zip(&states.0) {
        // SAFETY: a word of `Interleaved` is 32 bytes, aligned to 32.
        *a = unsafe { _mm256_load_si256(word.as_ptr().cast()) };
    }
    for constant in ROUND_CONSTANTS {
        a = one_round(&a, constant);
    }
    for (word, a) in states.0.iter_mut().zip(a) {
        // SAFETY: a word of `Interleaved` is 32 bytes, aligned to 32.
        unsafe { _mm256_store_si256(word.as_mut_ptr().cast(), a) };
    }
}

/// The steps theta, rho, pi, chi and iota of one round, as in the portable code.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn one_round(a: &[__m256i; 25], constant: u64) -> [__m256i; 25] {
    let column = |x: usize| xor3(xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
    let c = [column(0), column(1), column(2), column(3), column(4)];
    let turned = [
        _mm256_rol_epi64::<1>(c[0]),
        _mm256_rol_epi64::<1>(c[1]),
        _mm256_rol_epi64::<1>(c[2]),
        _mm256_rol_epi64::<1>(c[3]),
        _mm256_rol_epi64::<1>(c[4]),
    ];
    let with_d = |i: usize| xor3(a[i], c[(i + 4) % 5], turned[(i + 1) % 5]);
    let [r0, r1, r2, r3, r4] = [
        chi([
            with_d(0),
            _mm256_rol_epi64::<44>(with_d(6)),
            _mm256_rol_epi64::<43>(with_d(12)),
            _mm256_rol_epi64::<21>(with_d(18)),
            _mm256_rol_epi64::<14>(with_d(24)),
        ]),
        chi([
            _mm256_rol_epi64::<28>(with_d(3)),
            _mm256_rol_epi64::<20>(with_d(9)),
            _mm256_rol_epi64::<3>(with_d(10)),
            _mm256_rol_epi64::<45>(with_d(16)),
            _mm256_rol_epi64::<61>(with_d(22)),
        ]),
        chi([
            _mm256_rol_epi64::<1>(with_d(1)),
            _mm256_rol_epi64::<6>(with_d(7)),
            _mm256_rol_epi64::<25>(with_d(13)),
            _mm256_rol_epi64::<8>(with_d(19)),
            _mm256_rol_epi64::<18>(with_d(20)),
        ]),
        chi([
            _mm256_rol_epi64::<27>(with_d(4)),
            _mm256_rol_epi64::<36>(with_d(5)),
            _mm256_rol_epi64::<10>(with_d(11)),
            _mm256_rol_epi64::<15>(with_d(17)),
            _mm256_rol_epi64::<56>(with_d(23)),
        ]),
        chi([
            _mm256_rol_epi64::<62>(with_d(2)),
            _mm256_rol_epi64::<55>(with_d(8)),
            _mm256_rol_epi64::<39>(with_d(14)),
            _mm256_rol_epi64::<41>(with_d(15)),
            _mm256_rol_epi64::<2>(with_d(21)),
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

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_ternarylogic_epi64::<XOR>(a, b, c)
}

/// The step chi on one row.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn chi(b: [__m256i; 5]) -> [__m256i; 5] {
    [
        _mm256_ternarylogic_epi64::<CHI>(b[0], b[1], b[2]),
        _mm256_ternarylogic_epi64::<CHI>(b[1], b[2], b[3]),
        _mm256_ternarylogic_epi64::<CHI>(b[2], b[3], b[4]),
        _mm256_ternarylogic_epi64::<CHI>(b[3], b[4], b[0]),
        _mm256_ternarylogic_epi64::<CHI>(b[4], b[0], b[1]),
    ]
}
