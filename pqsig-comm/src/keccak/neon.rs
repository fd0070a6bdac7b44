//! Four Keccak states in NEON: twice two states, a word of both in one register.
#![allow(unsafe_code)]

use super::{Interleaved, ROUND_CONSTANTS};
use core::arch::aarch64::{
    uint64x2_t, vbcaxq_u64, vbicq_u64, vdupq_n_u64, veor3q_u64, veorq_u64, vld1q_u64, vrax1q_u64,
    vshlq_n_u64, vsriq_n_u64, vst1q_u64, vxarq_u64,
};

/// Two states.
type Pair = [uint64x2_t; 25];

/// The permutation, from the four steps that the Armv8.2 instructions are about.
macro_rules! permutation {
    ($(#[$feature:meta])+) => {
        /// Permutes four states.
        $(#[$feature])+
        pub(crate) fn f1600_x4(states: &mut Interleaved) {
            for at in [0, 2] {
                let mut pair = [vdupq_n_u64(0); 25];
                for (pair, words) in pair.iter_mut().zip(&states.0) {
                    let words: &[u64] = &words[at..at + 2];
                    // SAFETY: 16 readable bytes.
                    *pair = unsafe { vld1q_u64(words.as_ptr()) };
                }
                for constant in ROUND_CONSTANTS {
                    pair = one_round(&pair, constant);
                }
                for (pair, words) in pair.into_iter().zip(&mut states.0) {
                    let words: &mut [u64] = &mut words[at..at + 2];
                    // SAFETY: 16 writable bytes.
                    unsafe { vst1q_u64(words.as_mut_ptr(), pair) };
                }
            }
        }

        /// The steps theta, rho, pi, chi and iota of one round, as in the portable code.
        #[inline]
        $(#[$feature])+
        fn one_round(a: &Pair, constant: u64) -> Pair {
            let parity = |i: usize| xor3(xor3(a[i], a[i + 5], a[i + 10]), a[i + 15], a[i + 20]);
            let c = [parity(0), parity(1), parity(2), parity(3), parity(4)];
            let d = [
                xor_rotated(c[4], c[1]),
                xor_rotated(c[0], c[2]),
                xor_rotated(c[1], c[3]),
                xor_rotated(c[2], c[4]),
                xor_rotated(c[3], c[0]),
            ];
            let first = veorq_u64(a[0], d[0]);
            let [r0, r1, r2, r3, r4] = [
                chi([
                    first,
                    rotate_xor::<44, 20>(a[6], d[1]),
                    rotate_xor::<43, 21>(a[12], d[2]),
                    rotate_xor::<21, 43>(a[18], d[3]),
                    rotate_xor::<14, 50>(a[24], d[4]),
                ]),
                chi([
                    rotate_xor::<28, 36>(a[3], d[3]),
                    rotate_xor::<20, 44>(a[9], d[4]),
                    rotate_xor::<3, 61>(a[10], d[0]),
                    rotate_xor::<45, 19>(a[16], d[1]),
                    rotate_xor::<61, 3>(a[22], d[2]),
                ]),
                chi([
                    rotate_xor::<1, 63>(a[1], d[1]),
                    rotate_xor::<6, 58>(a[7], d[2]),
                    rotate_xor::<25, 39>(a[13], d[3]),
                    rotate_xor::<8, 56>(a[19], d[4]),
                    rotate_xor::<18, 46>(a[20], d[0]),
                ]),
                chi([
                    rotate_xor::<27, 37>(a[4], d[4]),
                    rotate_xor::<36, 28>(a[5], d[0]),
                    rotate_xor::<10, 54>(a[11], d[1]),
                    rotate_xor::<15, 49>(a[17], d[2]),
                    rotate_xor::<56, 8>(a[23], d[3]),
                ]),
                chi([
                    rotate_xor::<62, 2>(a[2], d[2]),
                    rotate_xor::<55, 9>(a[8], d[3]),
                    rotate_xor::<39, 25>(a[14], d[4]),
                    rotate_xor::<41, 23>(a[15], d[0]),
                    rotate_xor::<2, 62>(a[21], d[1]),
                ]),
            ];
            let first = veorq_u64(r0[0], vdupq_n_u64(constant));
            [
                first, r0[1], r0[2], r0[3], r0[4], //
                r1[0], r1[1], r1[2], r1[3], r1[4], //
                r2[0], r2[1], r2[2], r2[3], r2[4], //
                r3[0], r3[1], r3[2], r3[3], r3[4], //
                r4[0], r4[1], r4[2], r4[3], r4[4],
            ]
        }

        /// The step chi on one row.
        #[inline]
        $(#[$feature])+
        fn chi(b: [uint64x2_t; 5]) -> [uint64x2_t; 5] {
            [
                xor_masked(b[0], b[2], b[1]),
                xor_masked(b[1], b[3], b[2]),
                xor_masked(b[2], b[4], b[3]),
                xor_masked(b[3], b[0], b[4]),
                xor_masked(b[4], b[1], b[0]),
            ]
        }
    };
}

/// With what every AArch64 has.
pub(crate) mod plain {
    use super::*;

    /// `a ^ b ^ c`.
    #[inline]
    #[target_feature(enable = "neon")]
    fn xor3(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        veorq_u64(veorq_u64(a, b), c)
    }

    /// `a ^ (b <<< 1)`.
    #[inline]
    #[target_feature(enable = "neon")]
    fn xor_rotated(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        veorq_u64(a, vsriq_n_u64::<63>(vshlq_n_u64::<1>(b), b))
    }

    /// `(a ^ b) <<< LEFT`, which is `(a ^ b) >>> RIGHT`.
    #[inline]
    #[target_feature(enable = "neon")]
    fn rotate_xor<const LEFT: i32, const RIGHT: i32>(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        let x = veorq_u64(a, b);
        vsriq_n_u64::<RIGHT>(vshlq_n_u64::<LEFT>(x), x)
    }

    /// `a ^ (b & !c)`.
    #[inline]
    #[target_feature(enable = "neon")]
    fn xor_masked(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        veorq_u64(a, vbicq_u64(b, c))
    }

    permutation! { #[target_feature(enable = "neon")] }
}

/// With the SHA-3 instructions of Armv8.2.
pub(crate) mod sha3 {
    use super::*;

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    fn xor3(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        veor3q_u64(a, b, c)
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    fn xor_rotated(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        vrax1q_u64(a, b)
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    fn rotate_xor<const LEFT: i32, const RIGHT: i32>(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        vxarq_u64::<RIGHT>(a, b)
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    fn xor_masked(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        vbcaxq_u64(a, b, c)
    }

    permutation! { #[target_feature(enable = "neon,sha3")] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arch::Neon, keccak::tests::equals_portable};

    /// Also where the CPU has the SHA-3 instructions, which the token's own method prefers.
    #[test]
    fn neon_equals_portable() {
        let Some(neon) = Neon::detect() else { return };
        // SAFETY: the CPU has NEON.
        equals_portable(neon, |states| unsafe { plain::f1600_x4(states) });
    }
}
