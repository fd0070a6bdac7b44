//! Arithmetic mod q = 12289 and the NTT.
//!
//! A polynomial is a slice of n signed 16-bit values, congruent to its coefficients or to the
//! values of its NTT; bounds are stated where they are not obvious. [`Backend`] has the kernels,
//! for any n = 2^logn from 4 to 1024.
//!
//! # The transform
//!
//! The value number i of the NTT of `a`, in the order that verifying keys store, is `a(x)` at
//! `x = 7^((2 brv_logn(i) + 1) 1024 / n)`, where `brv` reverses bits; 7 is a primitive 2048-th
//! root of unity.
//!
//! The kernels keep the values in another order, which suits vectors: the stored values are read
//! as rows of n / 32 and written column by column. [`position`] translates, and the codec of
//! verifying keys is all that has to care.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;
#[cfg(test)]
mod tests;

pub use portable::{INV_NTT_BOUND, MUL_BOUND, NTT_BOUND, NTT_INPUT_BOUND, canonical, center};

use super::hash_to_point::Filter;
use crate::arch::Portable;

/// Values that are worked on side by side.
const LANES: usize = 32;

/// Kernels on polynomials. All are constant-time but for lengths.
///
/// The large ones are compiled once for each token, not into each operation.
pub trait Backend: Filter {
    /// The NTT of `a`, which is overwritten.
    ///
    /// In: |a| <= [`NTT_INPUT_BOUND`]. Out: |v| <= [`NTT_BOUND`].
    fn ntt(self, a: &mut [i16], a_hat: &mut [i16]) {
        portable::ntt(a, a_hat);
    }

    /// n times the polynomial with the NTT `a_hat`, which is overwritten: the inverse of
    /// [`Backend::ntt`] for a product with a factor from [`Backend::prescale`], which divides
    /// by n.
    ///
    /// In: |v| <= [`MUL_BOUND`]. Out: |a| <= [`INV_NTT_BOUND`].
    fn inv_ntt(self, a_hat: &mut [i16], a: &mut [i16]) {
        portable::inv_ntt(a_hat, a);
    }

    /// Multiplies an NTT by 2^16 / n, which makes it a factor for [`Backend::multiply`].
    ///
    /// In: any. Out: |v| < q.
    #[inline(always)]
    fn prescale(self, a_hat: &mut [i16]) {
        portable::prescale(a_hat);
    }

    /// `a_hat = a_hat b_hat / 2^16`, value by value.
    ///
    /// In: any a, |b| < q. Out: |v| <= [`MUL_BOUND`].
    #[inline(always)]
    fn multiply(self, a_hat: &mut [i16], b_hat: &[i16]) {
        portable::multiply(a_hat, b_hat);
    }

    /// `a_hat = a_hat / b_hat`, value by value. Returns whether no value of `b_hat` is zero mod
    /// q; where one is, the quotient is zero.
    ///
    /// In: any. Out: |v| < q.
    #[must_use]
    fn divide(self, a_hat: &mut [i16], b_hat: &[i16]) -> bool {
        portable::divide(a_hat, b_hat)
    }

    /// Subtracts and measures: the residues of `c - t` in [-q/2, q/2] give the sum of their
    /// squares, if none exceeds 840 in absolute value.
    ///
    /// In: c in [0, q), |t| <= [`INV_NTT_BOUND`], at most 68 values.
    #[inline(always)]
    #[must_use]
    fn difference_norm(self, c: &[u16], t: &[i16]) -> Option<u32> {
        portable::difference_norm(c, t)
    }
}

impl Backend for Portable {}

// Compilers vectorise the portable kernels for NEON.
#[cfg(not(target_arch = "x86_64"))]
impl Backend for crate::arch::Simd {}

/// Where the kernels keep the value number `i` of an NTT of degree `2^logn`.
#[inline(always)]
#[must_use]
pub const fn position(logn: u32, i: usize) -> usize {
    let row = (1 << logn) / if logn < 5 { 1 << logn } else { LANES };
    (i % row) * LANES + i / row
}
