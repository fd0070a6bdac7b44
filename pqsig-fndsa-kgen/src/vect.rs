//! Vectors of fixed-point numbers and their transform.
//!
//! A vector of n numbers is either a polynomial or, transformed, n/2 complex numbers: real parts
//! in the first half, imaginary parts in the second. The order of operations inside a butterfly
//! is normative; the order of the butterflies is not.

use crate::{
    fxp::{Complex, from_int, half, mul, mul_complex, sqr},
    mp31::reverse_10,
};

/// Twiddle factors are needed for the first half of every layer only: entry `m + i` with `i < m`
/// (m a power of two) is `W[2m + i]` of `fn-dsa`.
const TWIDDLES: usize = 512;

static TWIDDLE_RE: [i64; TWIDDLES] = twiddles(0);
static TWIDDLE_IM: [i64; TWIDDLES] = twiddles(1);

/// The part (0 real, 1 imaginary) of every twiddle factor.
const fn twiddles(part: usize) -> [i64; TWIDDLES] {
    let mut table = [0; TWIDDLES];
    let mut i = 1;
    while i < TWIDDLES {
        let half_layer = 1 << i.ilog2();
        let (re, im) = unit_root(reverse_10(half_layer + i));
        table[i] = if part == 0 { re } else { im };
        i += 1;
    }
    table
}

/// `exp(i pi j / 1024)` for `j < 1024`, each part rounded to nearest.
const fn unit_root(j: usize) -> Complex {
    if j > 512 {
        let (re, im) = unit_root(1024 - j);
        (-re, im)
    } else if j > 256 {
        let (re, im) = unit_root(512 - j);
        (im, re)
    } else {
        let (cos, sin) = cos_sin(j);
        const ULP: u32 = SCALE - 32;
        let half = 1 << (ULP - 1);
        (((cos + half) >> ULP) as i64, ((sin + half) >> ULP) as i64)
    }
}

/// Fraction bits inside [`cos_sin`].
const SCALE: u32 = 62;

/// Cosine and sine of `pi j / 1024 <= pi / 4` with [`SCALE`] fraction bits, off by less than
/// 2^-56, by their series.
const fn cos_sin(j: usize) -> (i128, i128) {
    /// pi with 62 fraction bits.
    const PI: i128 = 14_488_038_916_154_245_685;
    let angle = PI * j as i128 / 1024;
    let square = (angle * angle) >> SCALE;
    let (mut cos, mut sin) = (1 << SCALE, angle);
    let (mut cos_term, mut sin_term) = (cos, sin);
    let mut k = 1;
    while k < 24 {
        cos_term = -((cos_term * square) >> SCALE) / (k * (k + 1));
        sin_term = -((sin_term * square) >> SCALE) / ((k + 1) * (k + 2));
        cos += cos_term;
        sin += sin_term;
        k += 2;
    }
    (cos, sin)
}

/// The polynomial with integer coefficients as fixed-point numbers.
#[inline(always)]
pub(crate) fn from_ints(out: &mut [i64], coefficients: &[i8]) {
    for (out, &c) in out.iter_mut().zip(coefficients) {
        *out = from_int(i64::from(c));
    }
}

/// Polynomial to complex values, in place.
#[inline(always)]
pub(crate) fn fft(f: &mut [i64]) {
    let (re, im) = f.split_at_mut(f.len() / 2);
    let (mut blocks, mut t) = (1, re.len());
    while t > 1 {
        let twiddles = TWIDDLE_RE[blocks..2 * blocks]
            .iter()
            .zip(&TWIDDLE_IM[blocks..2 * blocks]);
        let blocks_of = re.chunks_exact_mut(t).zip(im.chunks_exact_mut(t));
        for ((re, im), (&c, &s)) in blocks_of.zip(twiddles) {
            let (re0, re1) = re.split_at_mut(t / 2);
            let (im0, im1) = im.split_at_mut(t / 2);
            let low = re0.iter_mut().zip(im0);
            let high = re1.iter_mut().zip(im1);
            for ((xr, xi), (yr, yi)) in low.zip(high) {
                let (zr, zi) = mul_complex((c, s), (*yr, *yi));
                *yr = xr.wrapping_sub(zr);
                *yi = xi.wrapping_sub(zi);
                *xr = xr.wrapping_add(zr);
                *xi = xi.wrapping_add(zi);
            }
        }
        t /= 2;
        blocks *= 2;
    }
}

/// Complex values to polynomial, in place.
#[inline(always)]
pub(crate) fn ifft(f: &mut [i64]) {
    let (re, im) = f.split_at_mut(f.len() / 2);
    let (mut blocks, mut t) = (re.len() / 2, 2);
    while blocks > 0 {
        let twiddles = TWIDDLE_RE[blocks..2 * blocks]
            .iter()
            .zip(&TWIDDLE_IM[blocks..2 * blocks]);
        let blocks_of = re.chunks_exact_mut(t).zip(im.chunks_exact_mut(t));
        for ((re, im), (&c, &s)) in blocks_of.zip(twiddles) {
            let (re0, re1) = re.split_at_mut(t / 2);
            let (im0, im1) = im.split_at_mut(t / 2);
            let low = re0.iter_mut().zip(im0);
            let high = re1.iter_mut().zip(im1);
            for ((xr, xi), (yr, yi)) in low.zip(high) {
                let difference = (half(xr.wrapping_sub(*yr)), half(xi.wrapping_sub(*yi)));
                *xr = half(xr.wrapping_add(*yr));
                *xi = half(xi.wrapping_add(*yi));
                (*yr, *yi) = mul_complex((c, -s), difference);
            }
        }
        t *= 2;
        blocks /= 2;
    }
}

/// `a * b` into `a`, both transformed.
#[inline(always)]
pub(crate) fn mul_assign(a: &mut [i64], b: &[i64]) {
    let (a_re, a_im) = a.split_at_mut(a.len() / 2);
    let (b_re, b_im) = b.split_at(b.len() / 2);
    let a = a_re.iter_mut().zip(a_im);
    for ((ar, ai), (&br, &bi)) in a.zip(b_re.iter().zip(b_im)) {
        (*ar, *ai) = mul_complex((*ar, *ai), (br, bi));
    }
}

/// `|a|^2 + |b|^2` of entry `k` of two transformed polynomials.
#[inline(always)]
pub(crate) fn norm_at(a: &[i64], b: &[i64], k: usize) -> i64 {
    let half = a.len() / 2;
    let of = |v: &[i64]| sqr(v[k]).wrapping_add(sqr(v[k + half]));
    of(a).wrapping_add(of(b))
}

/// Conjugate of `a`, every entry times a real number: `c * r[k]` in two steps, as the
/// crate `fn-dsa` orders them.
#[inline(always)]
pub(crate) fn conjugate_and_scale(a: &mut [i64], c: i64, r: &[i64]) {
    let (re, im) = a.split_at_mut(a.len() / 2);
    for ((re, im), &r) in re.iter_mut().zip(im).zip(r) {
        *re = mul(mul(*re, c), r);
        *im = mul(mul(im.wrapping_neg(), c), r);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Lcg, sha256_hex};
    use std::vec::Vec;

    #[test]
    fn roots_are_those_of_the_reference() {
        let table: Vec<Complex> = (0..1024).map(|k| unit_root(reverse_10(k))).collect();
        let bytes: Vec<u8> = table
            .iter()
            .flat_map(|(re, im)| [re.to_le_bytes(), im.to_le_bytes()].concat())
            .collect();
        assert_eq!(
            sha256_hex(&bytes),
            "e0746da83816f05bd5a3bbe0867bba11ee2bab9cd781780ce4d205d6c51b03d9"
        );
        for m in [1, 2, 4, 256] {
            for i in 0..m {
                assert_eq!((TWIDDLE_RE[m + i], TWIDDLE_IM[m + i]), table[2 * m + i]);
            }
        }
    }

    #[test]
    fn transforms_are_inverse_and_multiply() {
        let mut rng = Lcg::new(2);
        for logn in 1..=10 {
            let n = 1 << logn;
            let mut random = || -> Vec<i64> { (0..n).map(|_| rng.next() as i64 % 50).collect() };
            let (a, b) = (random(), random());
            let fixed = |v: &[i64]| -> Vec<i64> { v.iter().map(|&x| from_int(x)).collect() };
            let (mut fa, mut fb) = (fixed(&a), fixed(&b));
            fft(&mut fa);
            ifft(&mut fa);
            for (x, &expected) in fa.iter().zip(&a) {
                assert!((x - from_int(expected)).abs() < 1 << 12);
            }
            fft(&mut fa);
            fft(&mut fb);
            mul_assign(&mut fa, &fb);
            ifft(&mut fa);
            for i in 0..n {
                let mut expected = 0;
                for j in 0..n {
                    let sign = if j <= i { 1 } else { -1 };
                    expected += sign * a[j] * b[(n + i - j) % n];
                }
                assert!((fa[i] - from_int(expected)).abs() < 1 << 24);
            }
        }
    }
}
