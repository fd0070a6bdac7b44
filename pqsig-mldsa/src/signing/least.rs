//! Memory for small devices: k polynomials for w, encodings of all else.

use super::Memory;
use crate::{
    backend::Backend,
    encode::{self, T0_LEN, layout},
    params::{N, ParameterSet},
    poly::{Element, Normal, Poly, PolyVec, Product},
    sample,
    sparse::{Challenge, Medium, Small},
};
use pqsig_comm::shake::Shake256;
use zeroize::{Zeroize, Zeroizing};

/// A bit for each coefficient: whether it is not zero.
#[derive(Clone)]
struct Flags([u8; N / 8]);

impl Flags {
    /// In: [0, 2^31).
    #[inline(always)]
    fn set(&mut self, poly: &Poly<Normal>) {
        for (byte, coeffs) in self.0.iter_mut().zip(poly.coeffs.chunks_exact(8)) {
            // The sign of -c.
            let flag = |c: i32| (c.wrapping_neg() >> 31 & 1) as u8;
            *byte = (coeffs.iter().rev()).fold(0, |byte, &c| byte << 1 | flag(c));
        }
    }

    /// Out: 0 or 1.
    #[inline(always)]
    fn get(&self, poly: &mut Poly<Normal>) {
        for (i, coeff) in poly.coeffs.iter_mut().enumerate() {
            *coeff = i32::from(self.0[i / 8] >> (i % 8) & 1);
        }
    }
}

impl Zeroize for Flags {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Element for Flags {
    const ZERO: Self = Self([0; N / 8]);
}

/// An encoded key, w, and room for one polynomial of each other kind. Wiped on drop.
///
/// A is sampled anew at each attempt, column by column, and y twice: for w and for z.
pub(super) struct Least<'a, P: ParameterSet> {
    key: layout::SigningKey<'a>,
    /// rho''.
    mask_seed: &'a [u8; 64],
    /// How many attempts began.
    attempts: u16,
    /// The low bits of w. Before that, the sums that become w.
    w0: P::VecK<Poly<Normal>>,
    /// Where the high bits of w are not zero, a bit for each coefficient.
    w1: P::VecK<Flags>,
    /// A polynomial of y, w1, s1, s2 or t0.
    poly: Poly<Normal>,
}

impl<'a, P: ParameterSet> Least<'a, P> {
    #[inline(always)]
    pub(super) fn new(key: layout::SigningKey<'a>, mask_seed: &'a [u8; 64]) -> Self {
        Self {
            key,
            mask_seed,
            attempts: 0,
            w0: PolyVec::ZERO,
            w1: PolyVec::ZERO,
            poly: Poly::ZERO,
        }
    }

    /// `poly` becomes polynomial `j` of the y of this attempt.
    #[inline(always)]
    fn sample_y<B: Backend>(&mut self, b: B, j: usize) {
        let nonce = (self.attempts - 1) * P::L as u16 + j as u16;
        sample::expand_mask(b, P::GAMMA1, self.mask_seed, nonce, &mut self.poly);
    }

    /// c times polynomial `index` of `vector`, which is s1 or s2, encoded.
    #[inline(always)]
    fn multiply_small<B: Backend>(
        &mut self,
        b: B,
        c: &Challenge,
        vector: &[u8],
        index: usize,
        out: &mut Poly<Normal>,
    ) {
        let len = P::ETA.encoded_len();
        encode::unpack_eta(b, P::ETA, &vector[index * len..][..len], &mut self.poly);
        let mut small = Zeroizing::new(Small::ZERO);
        small.set(&self.poly);
        b.multiply_small(P::ETA, c, &small, out);
    }

    /// The sums that become w.
    #[inline(always)]
    fn multiply_a<B: Backend>(&mut self, b: B) {
        let mut y_hat = Zeroizing::new(Poly::ZERO);
        for w0 in self.w0.as_mut() {
            w0.coeffs.fill(0);
        }
        for j in 0..P::L {
            self.sample_y(b, j);
            b.ntt(&self.poly, &mut y_hat);
            for (i, w0) in self.w0.as_mut().iter_mut().enumerate() {
                let (rho, index) = (self.key.rho, i * P::L + j);
                sample::add_product_with_a::<B, P>(b, rho, index, &y_hat, &mut w0.coeffs);
            }
        }
    }
}

impl<B: Backend, P: ParameterSet> Memory<B, P> for Least<'_, P> {
    #[inline(always)]
    fn commit(&mut self, b: B, shake: &mut Shake256<B>) {
        self.attempts += 1;
        self.multiply_a(b);
        let mut product = Zeroizing::new(Poly::<Product>::ZERO);
        let mut bytes = [0; 192];
        for (w0, flags) in self.w0.as_mut().iter_mut().zip(self.w1.as_mut()) {
            product.coeffs = w0.coeffs;
            product.reduce();
            b.inv_ntt(&product, w0);
            w0.add_q_if_negative();
            b.decompose(P::GAMMA2, w0, &mut self.poly);
            shake.absorb(encode::pack_w1(b, P::GAMMA2, &self.poly, &mut bytes));
            flags.set(&self.poly);
        }
    }

    #[inline(always)]
    fn y(&mut self, b: B, j: usize) -> &mut Poly<Normal> {
        self.sample_y(b, j);
        &mut self.poly
    }

    #[inline(always)]
    fn w0(&mut self, i: usize) -> &mut Poly<Normal> {
        &mut self.w0.as_mut()[i]
    }

    #[inline(always)]
    fn w0_and_w1(&mut self, _: B, i: usize) -> (&mut Poly<Normal>, &Poly<Normal>) {
        self.w1.as_ref()[i].get(&mut self.poly);
        (&mut self.w0.as_mut()[i], &self.poly)
    }

    #[inline(always)]
    fn multiply_s1(&mut self, b: B, c: &Challenge, j: usize, out: &mut Poly<Normal>) {
        self.multiply_small(b, c, self.key.s1, j, out);
    }

    #[inline(always)]
    fn multiply_s2(&mut self, b: B, c: &Challenge, i: usize, out: &mut Poly<Normal>) {
        self.multiply_small(b, c, self.key.s2, i, out);
    }

    #[inline(always)]
    fn multiply_t0(&mut self, b: B, c: &Challenge, i: usize, out: &mut Poly<Normal>) {
        encode::unpack_t0(b, &self.key.t0[i * T0_LEN..][..T0_LEN], &mut self.poly);
        let mut medium = Zeroizing::new(Medium::ZERO);
        medium.set(&self.poly);
        b.multiply_medium(c, &medium, out);
    }
}

impl<P: ParameterSet> Drop for Least<'_, P> {
    fn drop(&mut self) {
        self.w0.zeroize();
        self.w1.zeroize();
        self.poly.zeroize();
    }
}
