//! The kernels: everything that is worth rewriting for a CPU, over whole polynomials.
//!
//! [`Backend`] has the portable code as default methods; a SIMD backend overrides what pays. It
//! keeps [`Ntt`](crate::poly::Ntt) values in the standard's order, in which A is sampled.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
pub(crate) mod portable;
#[cfg(test)]
mod tests;

use crate::{
    params::{Eta, Gamma2},
    poly::{Normal, Ntt, Poly, Product},
    sparse::{Challenge, Medium, Small},
};
use pqsig_comm::arch::{Arch, Portable};

/// Kernels on whole polynomials. Bounds hold for every coefficient or value.
pub(crate) trait Backend: Arch {
    /// FIPS 204, Algorithm 41 (`NTT`).
    ///
    /// In: |c| < q. Out: |v| < [`portable::NTT_BOUND`].
    #[inline(always)]
    fn ntt(self, src: &Poly<Normal>, dst: &mut Poly<Ntt>) {
        portable::ntt(&src.coeffs, &mut dst.coeffs);
    }

    /// FIPS 204, Algorithm 42 (`NTT^-1`), with the factor 2^-32 of the product removed.
    ///
    /// In: |v| < q. Out: |c| < 3q/4, so a true value in (-q/4, q/4) comes out exactly.
    #[inline(always)]
    fn inv_ntt(self, src: &Poly<Product>, dst: &mut Poly<Normal>) {
        portable::inv_ntt(&src.coeffs, &mut dst.coeffs);
    }

    /// The product of the challenge and a polynomial of s1 or s2.
    ///
    /// In: |s| <= eta. Out: |c| <= tau eta.
    #[inline(always)]
    fn multiply_small(self, eta: Eta, c: &Challenge, s: &Small, out: &mut Poly<Normal>) {
        portable::multiply_small(eta, c, s, &mut out.coeffs);
    }

    /// The product of the challenge and a polynomial of t0.
    ///
    /// In: |t| <= 2^12. Out: |c| <= tau 2^12.
    #[inline(always)]
    fn multiply_medium(self, c: &Challenge, t: &Medium, out: &mut Poly<Normal>) {
        portable::multiply_medium(c, t, &mut out.coeffs);
    }

    /// The sum of the products `row[j] vector[j]`, at most 7 of them.
    ///
    /// In: |row| < q, |vector| < [`portable::NTT_BOUND`]. Out: |v| < q.
    #[inline(always)]
    fn dot(self, row: &[Poly<Ntt>], vector: &[Poly<Ntt>], out: &mut Poly<Product>) {
        portable::dot(row, vector, None, out);
    }

    /// As [`Backend::dot`], less the product `c t`.
    ///
    /// In: as there; |c| and |t| < [`portable::NTT_BOUND`]. Out: |v| < q.
    #[inline(always)]
    fn dot_minus(
        self,
        row: &[Poly<Ntt>],
        vector: &[Poly<Ntt>],
        (c, t): (&Poly<Ntt>, &Poly<Ntt>),
        out: &mut Poly<Product>,
    ) {
        portable::dot(row, vector, Some((c, t)), out);
    }

    /// Takes candidates for uniform values mod q from `bytes`, three bytes each (FIPS 204,
    /// Algorithms 14 and 30), into `dst[filled..]`; returns the new `filled`.
    ///
    /// In: `bytes.len()` a multiple of 3. Out: [0, q).
    #[inline(always)]
    fn rej_uniform(self, bytes: &[u8], dst: &mut Poly<Ntt>, filled: usize) -> usize {
        portable::rej_uniform(bytes, &mut dst.coeffs, filled)
    }

    /// Takes candidates for small coefficients from `bytes`, half a byte each (FIPS 204,
    /// Algorithms 15 and 31), into `dst[filled..]`; returns the new `filled`.
    ///
    /// Out: [-eta, eta].
    #[inline(always)]
    fn rej_bounded(self, eta: Eta, bytes: &[u8], dst: &mut Poly<Normal>, filled: usize) -> usize {
        portable::rej_bounded(eta, bytes, &mut dst.coeffs, filled)
    }

    /// FIPS 204, Algorithm 35 (`Power2Round`): `t = t1 2^13 + t0`, in place of `t`.
    ///
    /// In: [0, q). Out: t1 in [0, 2^10), t0 in (-2^12, 2^12].
    #[inline(always)]
    fn power2round(self, t: &mut Poly<Normal>, t1: &mut Poly<Normal>) {
        portable::power2round(&mut t.coeffs, &mut t1.coeffs);
    }

    /// FIPS 204, Algorithm 36 (`Decompose`): low bits in place of `r`, high bits into `r1`.
    ///
    /// In: [0, q). Out: r1 in [0, (q-1) / (2 gamma2)), r0 in [-gamma2, gamma2].
    #[inline(always)]
    fn decompose(self, gamma2: Gamma2, r: &mut Poly<Normal>, r1: &mut Poly<Normal>) {
        portable::decompose(gamma2, &mut r.coeffs, &mut r1.coeffs);
    }

    /// FIPS 204, Algorithm 39 (`MakeHint`) in the form that signing needs: `hint[i]` is 1 where
    /// adding `ct0` changed the high bits `w1`. Returns the number of ones.
    ///
    /// In: r0 = LowBits(w) - cs2 + ct0, below 2 gamma2 in absolute value; w1 = HighBits(w - cs2).
    #[inline(always)]
    fn make_hint(
        self,
        gamma2: Gamma2,
        r0: &Poly<Normal>,
        w1: &Poly<Normal>,
        hint: &mut [u8; 256],
    ) -> usize {
        portable::make_hint(gamma2, &r0.coeffs, &w1.coeffs, hint)
    }

    /// FIPS 204, Algorithm 40 (`UseHint`), in place.
    ///
    /// In: [0, q); hint 0 or 1. Out: [0, (q-1) / (2 gamma2)).
    #[inline(always)]
    fn use_hint(self, gamma2: Gamma2, hint: &[u8; 256], r: &mut Poly<Normal>) {
        portable::use_hint(gamma2, hint, &mut r.coeffs);
    }

    /// FIPS 204, Algorithm 16 (`SimpleBitPack`) with `BITS` bits for each coefficient.
    ///
    /// In: [0, 2^BITS). `out` has 32 `BITS` bytes.
    #[inline(always)]
    fn pack<const BITS: usize>(self, src: &Poly<Normal>, out: &mut [u8]) {
        portable::pack::<BITS>(&src.coeffs, out, |c| c);
    }

    /// FIPS 204, Algorithm 17 (`BitPack`) of `top - c`.
    ///
    /// In: `top - c` in [0, 2^BITS). `out` has 32 `BITS` bytes.
    #[inline(always)]
    fn pack_below<const BITS: usize>(self, top: i32, src: &Poly<Normal>, out: &mut [u8]) {
        portable::pack::<BITS>(&src.coeffs, out, |c| top - c);
    }

    /// FIPS 204, Algorithm 18 (`SimpleBitUnpack`). Out: [0, 2^BITS).
    #[inline(always)]
    fn unpack<const BITS: usize>(self, bytes: &[u8], dst: &mut Poly<Normal>) {
        portable::unpack::<BITS>(bytes, &mut dst.coeffs, |v| v);
    }

    /// FIPS 204, Algorithm 19 (`BitUnpack`). Out: (top - 2^BITS, top].
    #[inline(always)]
    fn unpack_below<const BITS: usize>(self, top: i32, bytes: &[u8], dst: &mut Poly<Normal>) {
        portable::unpack::<BITS>(bytes, &mut dst.coeffs, |v| top - v);
    }
}

impl Backend for Portable {}

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon")
)))]
impl Backend for pqsig_comm::arch::Simd {}
