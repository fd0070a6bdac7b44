//! Memory for small devices: k polynomials for w, encodings of all else.

use super::Memory;
use crate::{
    backend::{Backend, portable},
    encode::{self, T0_LEN, layout},
    params::ParameterSet,
    poly::{Element as _, Normal, Ntt, Poly, PolyVec, Product},
    sample,
    sparse::{Medium, Small},
};
use pqsig_comm::{encoding::ByteArray, shake::Shake256};
use zeroize::Zeroize;

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
    /// The high bits of w, encoded.
    w1: P::Commitment,
    /// A polynomial of y, w1, s1, s2 or t0.
    poly: Poly<Normal>,
    y_hat: Poly<Ntt>,
    /// An element of A or a row of A y.
    a: Poly<Ntt>,
    product: Poly<Product>,
    small: Small,
    medium: Medium,
}

impl<'a, P: ParameterSet> Least<'a, P> {
    #[inline(always)]
    pub(super) fn new(key: layout::SigningKey<'a>, mask_seed: &'a [u8; 64]) -> Self {
        Self {
            key,
            mask_seed,
            attempts: 0,
            w0: PolyVec::ZERO,
            w1: P::Commitment::ZERO,
            poly: Poly::ZERO,
            y_hat: Poly::ZERO,
            a: Poly::ZERO,
            product: Poly::ZERO,
            small: Small::ZERO,
            medium: Medium::ZERO,
        }
    }

    /// `poly` becomes polynomial `j` of the y of this attempt.
    #[inline(always)]
    fn sample_y<B: Backend>(&mut self, b: B, j: usize) {
        let nonce = (self.attempts - 1) * P::L as u16 + j as u16;
        sample::expand_mask(b, P::GAMMA1, self.mask_seed, nonce, &mut self.poly);
    }

    #[inline(always)]
    fn unpack_small<B: Backend>(&mut self, b: B, vector: &[u8], index: usize) -> &Small {
        let len = P::ETA.encoded_len();
        encode::unpack_eta(b, P::ETA, &vector[index * len..][..len], &mut self.poly);
        self.small.set(&self.poly);
        &self.small
    }
}

impl<B: Backend, P: ParameterSet> Memory<B, P> for Least<'_, P> {
    #[inline(always)]
    fn commit(&mut self, b: B) {
        self.attempts += 1;
        for w0 in self.w0.as_mut() {
            w0.coeffs.fill(0);
        }
        for j in 0..P::L {
            self.sample_y(b, j);
            b.ntt(&self.poly, &mut self.y_hat);
            for (i, w0) in self.w0.as_mut().iter_mut().enumerate() {
                sample::expand_a_one::<B, P>(b, self.key.rho, i * P::L + j, &mut self.a);
                portable::add_product(&self.a, &self.y_hat, &mut w0.coeffs);
            }
        }
        let encoded = self.w1.as_mut().chunks_exact_mut(P::GAMMA2.encoded_len());
        for (w0, bytes) in self.w0.as_mut().iter_mut().zip(encoded) {
            self.product.coeffs = w0.coeffs;
            self.product.reduce();
            b.inv_ntt(&self.product, w0);
            w0.add_q_if_negative();
            b.decompose(P::GAMMA2, w0, &mut self.poly);
            encode::pack_w1_into(b, P::GAMMA2, &self.poly, bytes);
        }
    }

    #[inline(always)]
    fn absorb_w1(&self, _: B, shake: &mut Shake256<B>) {
        shake.absorb(self.w1.as_ref());
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
    fn w0_and_w1(&mut self, b: B, i: usize) -> (&mut Poly<Normal>, &Poly<Normal>) {
        let len = P::GAMMA2.encoded_len();
        encode::unpack_w1(
            b,
            P::GAMMA2,
            &self.w1.as_ref()[i * len..][..len],
            &mut self.poly,
        );
        (&mut self.w0.as_mut()[i], &self.poly)
    }

    #[inline(always)]
    fn s1(&mut self, b: B, j: usize) -> &Small {
        self.unpack_small(b, self.key.s1, j)
    }

    #[inline(always)]
    fn s2(&mut self, b: B, i: usize) -> &Small {
        self.unpack_small(b, self.key.s2, i)
    }

    #[inline(always)]
    fn t0(&mut self, b: B, i: usize) -> &Medium {
        encode::unpack_t0(b, &self.key.t0[i * T0_LEN..][..T0_LEN], &mut self.poly);
        self.medium.set(&self.poly);
        &self.medium
    }
}

impl<P: ParameterSet> Drop for Least<'_, P> {
    fn drop(&mut self) {
        self.w0.zeroize();
        self.w1.zeroize();
        self.poly.zeroize();
        self.y_hat.zeroize();
        self.product.zeroize();
        self.small.zeroize();
        self.medium.zeroize();
    }
}
