//! The floating-point transform, and the pointwise arithmetic around it.
//!
//! A transform of degree n is n/2 complex numbers, all real parts first, in *natural order*:
//! entry j is the value at `exp(pi i (1 + 4j) / n)`. The specification has them in bit-reversed
//! order, in place; here each layer reads two halves and writes runs of blocks (an autosort
//! transform), so that both the layers and the splitting of [`crate::ffsampling`] run over
//! contiguous memory. Each number goes through the same operations in the same order either way.
//!
//! There are no kernels for vectors of numbers written by hand: loops over contiguous memory
//! become vector code by themselves (SSE2, AVX2, NEON). With AVX2 all arithmetic of this module
//! and of the walk over the tree is 15 % of the time of a signature (FN-DSA-512, key prepared);
//! the sampler and Keccak are the rest, so little is left to gain.

use crate::{complex::Complex, flr::Real, roots};

/// Transforms the polynomial in `f`, with `tmp` as working memory.
///
/// In: both of length n = 2^logn, `logn` at least 2.
#[inline(always)]
pub(crate) fn fft<R: Real>(f: &mut [R], tmp: &mut [R]) {
    let half = f.len() / 2;
    let mut blocks = 1;
    while blocks < half {
        layer(blocks, f, tmp);
        blocks *= 2;
        if blocks == half {
            // An odd number of layers.
            f.copy_from_slice(tmp);
            break;
        }
        layer(blocks, tmp, f);
        blocks *= 2;
    }
}

/// The inverse of [`fft`]: the polynomial whose transform is in `f`.
#[inline(always)]
pub(crate) fn inverse_fft<R: Real>(f: &mut [R], tmp: &mut [R]) {
    let half = f.len() / 2;
    let mut blocks = half;
    while blocks > 1 {
        blocks /= 2;
        inverse_layer(blocks, f, tmp);
        if blocks == 1 {
            f.copy_from_slice(tmp);
            break;
        }
        blocks /= 2;
        inverse_layer(blocks, tmp, f);
    }
    // 2^-(logn - 1), exactly.
    let scale = R::from_bits(u64::from(1023 - half.trailing_zeros()) << 52);
    for x in f {
        *x = *x * scale;
    }
}

/// One layer: from `blocks` blocks to twice as many.
///
/// Before: entry j of block i is at `j * blocks + i`. Entries j and j + ht of block i become
/// entry j of blocks i and i + `blocks`, at `j * 2 * blocks` and on.
#[inline(always)]
fn layer<R: Real>(blocks: usize, from: &[R], to: &mut [R]) {
    match blocks {
        1 => layer_of(1, from, to),
        2 => layer_of(2, from, to),
        4 => layer_of(4, from, to),
        _ => layer_of(blocks, from, to),
    }
}

#[inline(always)]
fn layer_of<R: Real>(blocks: usize, from: &[R], to: &mut [R]) {
    let half = from.len() / 2;
    let twiddles = roots::layer(blocks);
    let (re, im) = from.split_at(half);
    let (re_0, re_1) = re.split_at(half / 2);
    let (im_0, im_1) = im.split_at(half / 2);
    let (to_re, to_im) = to.split_at_mut(half);
    let inputs = (re_0.chunks_exact(blocks).zip(im_0.chunks_exact(blocks)))
        .zip(re_1.chunks_exact(blocks).zip(im_1.chunks_exact(blocks)));
    let outputs = (to_re.chunks_exact_mut(2 * blocks)).zip(to_im.chunks_exact_mut(2 * blocks));
    for (((a_re, a_im), (b_re, b_im)), (to_re, to_im)) in inputs.zip(outputs) {
        let (plus_re, minus_re) = to_re.split_at_mut(blocks);
        let (plus_im, minus_im) = to_im.split_at_mut(blocks);
        for i in 0..blocks {
            let a = Complex::load(a_re, a_im, i);
            let z = Complex::load(b_re, b_im, i) * twiddles.get(i);
            (a + z).store(plus_re, plus_im, i);
            (a - z).store(minus_re, minus_im, i);
        }
    }
}

/// The inverse of [`layer`], up to a factor of two: from twice `blocks` blocks to `blocks`.
#[inline(always)]
fn inverse_layer<R: Real>(blocks: usize, from: &[R], to: &mut [R]) {
    match blocks {
        1 => inverse_layer_of(1, from, to),
        2 => inverse_layer_of(2, from, to),
        4 => inverse_layer_of(4, from, to),
        _ => inverse_layer_of(blocks, from, to),
    }
}

#[inline(always)]
fn inverse_layer_of<R: Real>(blocks: usize, from: &[R], to: &mut [R]) {
    let half = from.len() / 2;
    let twiddles = roots::layer(blocks);
    let (re, im) = from.split_at(half);
    let (to_re, to_im) = to.split_at_mut(half);
    let (re_0, re_1) = to_re.split_at_mut(half / 2);
    let (im_0, im_1) = to_im.split_at_mut(half / 2);
    let inputs = (re.chunks_exact(2 * blocks)).zip(im.chunks_exact(2 * blocks));
    let outputs = (re_0
        .chunks_exact_mut(blocks)
        .zip(im_0.chunks_exact_mut(blocks)))
    .zip(
        re_1.chunks_exact_mut(blocks)
            .zip(im_1.chunks_exact_mut(blocks)),
    );
    for ((re, im), ((a_re, a_im), (b_re, b_im))) in inputs.zip(outputs) {
        let (u_re, v_re) = re.split_at(blocks);
        let (u_im, v_im) = im.split_at(blocks);
        for i in 0..blocks {
            let u = Complex::load(u_re, u_im, i);
            let v = Complex::load(v_re, v_im, i);
            (u + v).store(a_re, a_im, i);
            (u - v).mul_conj(twiddles.get(i)).store(b_re, b_im, i);
        }
    }
}

/// The transform of a polynomial with small coefficients.
#[inline(always)]
pub(crate) fn fft_of_small<R: Real>(coefficients: &[i8], f: &mut [R], tmp: &mut [R]) {
    for (x, c) in f.iter_mut().zip(coefficients) {
        *x = R::from_i32(i32::from(*c));
    }
    fft(f, tmp);
}

/// Negates all numbers; exact.
#[inline(always)]
pub(crate) fn negate<R: Real>(f: &mut [R]) {
    for x in f {
        *x = -*x;
    }
}

/// The basis `[[g, -f], [G, -F]]` of the lattice, transformed.
pub(crate) struct Basis<'a, R> {
    pub(crate) b00: &'a [R],
    pub(crate) b01: &'a [R],
    pub(crate) b10: &'a [R],
    pub(crate) b11: &'a [R],
}

impl<'a, R: Real> Basis<'a, R> {
    /// The basis that [`write_basis`] wrote.
    #[inline(always)]
    pub(crate) fn new(rows: &'a [R]) -> Self {
        let (row_0, row_1) = rows.split_at(rows.len() / 2);
        let (b00, b01) = row_0.split_at(row_0.len() / 2);
        let (b10, b11) = row_1.split_at(row_1.len() / 2);
        Self { b00, b01, b10, b11 }
    }

    /// The Gram matrix of the rows, as [`crate::ffsampling`] takes it: g00 and g11, which are
    /// real, then g01. Out: 2n numbers.
    #[inline(always)]
    pub(crate) fn gram(&self, gram: &mut [R]) {
        let half = self.b00.len() / 2;
        let split = |b: &'a [R]| b.split_at(half);
        let (b00, b01) = (split(self.b00), split(self.b01));
        let (b10, b11) = (split(self.b10), split(self.b11));
        let (g00, rest) = gram.split_at_mut(half);
        let (g11, rest) = rest.split_at_mut(half);
        let (g01_re, g01_im) = rest.split_at_mut(half);
        for k in 0..half {
            let b00 = Complex::load(b00.0, b00.1, k);
            let b01 = Complex::load(b01.0, b01.1, k);
            let b10 = Complex::load(b10.0, b10.1, k);
            let b11 = Complex::load(b11.0, b11.1, k);
            g00[k] = b00.norm() + b01.norm();
            g11[k] = b10.norm() + b11.norm();
            (b00.mul_conj(b10) + b01.mul_conj(b11)).store(g01_re, g01_im, k);
        }
    }

    /// The target `(c, 0)` in the coordinates of the basis. In: the transform of c in `t1`.
    #[inline(always)]
    pub(crate) fn target(&self, t0: &mut [R], t1: &mut [R]) {
        let half = t0.len() / 2;
        let inv_q = R::from_bits(crate::flr::constants::INV_Q);
        let (b01_re, b01_im) = self.b01.split_at(half);
        let (b11_re, b11_im) = self.b11.split_at(half);
        let (t0_re, t0_im) = t0.split_at_mut(half);
        let (t1_re, t1_im) = t1.split_at_mut(half);
        for k in 0..half {
            let c = Complex::load(t1_re, t1_im, k);
            let x = c * Complex::load(b01_re, b01_im, k);
            let y = c * Complex::load(b11_re, b11_im, k);
            x.scale(-inv_q).store(t1_re, t1_im, k);
            y.scale(inv_q).store(t0_re, t0_im, k);
        }
    }

    /// The lattice point with the coordinates `(z0, z1)`, in place.
    #[inline(always)]
    pub(crate) fn point(&self, z0: &mut [R], z1: &mut [R]) {
        let half = z0.len() / 2;
        let split = |b: &'a [R]| b.split_at(half);
        let (b00, b01) = (split(self.b00), split(self.b01));
        let (b10, b11) = (split(self.b10), split(self.b11));
        let (z0_re, z0_im) = z0.split_at_mut(half);
        let (z1_re, z1_im) = z1.split_at_mut(half);
        for k in 0..half {
            let z0 = Complex::load(z0_re, z0_im, k);
            let z1 = Complex::load(z1_re, z1_im, k);
            let x = z0 * Complex::load(b00.0, b00.1, k) + z1 * Complex::load(b10.0, b10.1, k);
            let y = z1 * Complex::load(b11.0, b11.1, k) + z0 * Complex::load(b01.0, b01.1, k);
            x.store(z0_re, z0_im, k);
            y.store(z1_re, z1_im, k);
        }
    }
}

/// Writes the transformed basis, row by row. In: `rows` of length 4n, `tmp` of length n.
#[inline(always)]
pub(crate) fn write_basis<R: Real>(
    [f, g, big_f, big_g]: [&[i8]; 4],
    rows: &mut [R],
    tmp: &mut [R],
) {
    let n = tmp.len();
    let mut slots = rows.chunks_exact_mut(n);
    for (coefficients, minus) in [(g, false), (f, true), (big_g, false), (big_f, true)] {
        if let Some(slot) = slots.next() {
            fft_of_small(coefficients, slot, tmp);
            if minus {
                negate(slot);
            }
        }
    }
}
