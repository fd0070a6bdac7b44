//! Memory for speed: everything is kept.

use super::Memory;
use crate::{
    backend::Backend,
    encode::{self, T0_LEN, layout},
    params::ParameterSet,
    poly::{Element as _, Normal, Ntt, Poly, PolyVec, Product},
    sample::{self, Masks},
    sparse::{Challenge, Medium, Small},
};
use pqsig_comm::shake::Shake256;
use zeroize::{Zeroize, Zeroizing};

/// Everything that signing needs of a key, expanded: A and the secrets as polynomials. The
/// secrets are wiped on drop.
pub(crate) struct Expanded<P: ParameterSet> {
    a: P::Matrix,
    s1: P::VecL<Small>,
    s2: P::VecK<Small>,
    t0: P::VecK<Medium>,
    /// K, the secret that masks are derived from.
    key: [u8; 32],
}

impl<P: ParameterSet> Expanded<P> {
    pub(crate) const ZERO: Self = Self {
        a: P::Matrix::ZERO,
        s1: PolyVec::ZERO,
        s2: PolyVec::ZERO,
        t0: PolyVec::ZERO,
        key: [0; 32],
    };

    /// A.
    pub(crate) const fn matrix(&self) -> &P::Matrix {
        &self.a
    }

    /// A, to be sampled. The secrets follow by [`expand_secrets`].
    pub(crate) const fn matrix_mut(&mut self) -> &mut P::Matrix {
        &mut self.a
    }

    /// K.
    pub(super) const fn key(&self) -> &[u8; 32] {
        &self.key
    }

    /// Steps 1 to 5: unpacks the secrets, samples A.
    #[inline(always)]
    pub(super) fn fill<B: Backend>(&mut self, b: B, sk: &P::SigningKeyBytes) {
        self.fill_secrets(b, sk);
        sample::expand_a::<B, P>(b, layout::signing_key::<P>(sk).rho, self.a.as_mut());
    }

    #[inline(always)]
    pub(super) fn fill_secrets<B: Backend>(&mut self, b: B, sk: &P::SigningKeyBytes) {
        let parts = layout::signing_key::<P>(sk);
        self.key = *parts.key;
        let mut poly = Zeroizing::new(Poly::ZERO);
        let mut unpack_s = |bytes: &[u8], s: &mut [Small]| {
            for (bytes, s) in bytes.chunks_exact(P::ETA.encoded_len()).zip(s) {
                encode::unpack_eta(b, P::ETA, bytes, &mut poly);
                s.set(&poly);
            }
        };
        unpack_s(parts.s1, self.s1.as_mut());
        unpack_s(parts.s2, self.s2.as_mut());
        for (bytes, t0) in parts.t0.chunks_exact(T0_LEN).zip(self.t0.as_mut()) {
            encode::unpack_t0(b, bytes, &mut poly);
            t0.set(&poly);
        }
    }
}

impl<P: ParameterSet> Drop for Expanded<P> {
    fn drop(&mut self) {
        self.s1.zeroize();
        self.s2.zeroize();
        self.t0.zeroize();
        self.key.zeroize();
    }
}

/// An expanded key, and y and w as polynomials. Wiped on drop.
pub(super) struct Ample<'a, B: Backend, P: ParameterSet> {
    expanded: &'a Expanded<P>,
    masks: Masks<'a, B>,
    y: P::VecL<Poly<Normal>>,
    y_hat: P::VecL<Poly<Ntt>>,
    w1: P::VecK<Poly<Normal>>,
    w0: P::VecK<Poly<Normal>>,
    product: Poly<Product>,
}

impl<'a, B: Backend, P: ParameterSet> Ample<'a, B, P> {
    /// `mask_seed` is rho''.
    #[inline(always)]
    pub(super) fn new(b: B, expanded: &'a Expanded<P>, mask_seed: &'a [u8; 64]) -> Self {
        Self {
            expanded,
            masks: Masks::new(b, P::GAMMA1, mask_seed),
            y: PolyVec::ZERO,
            y_hat: PolyVec::ZERO,
            w1: PolyVec::ZERO,
            w0: PolyVec::ZERO,
            product: Poly::ZERO,
        }
    }
}

impl<B: Backend, P: ParameterSet> Memory<B, P> for Ample<'_, B, P> {
    #[inline(always)]
    fn commit(&mut self, b: B, shake: &mut Shake256<B>) {
        let mut bytes = [0; 192];
        for (y, y_hat) in self.y.as_mut().iter_mut().zip(self.y_hat.as_mut()) {
            self.masks.next(y);
            b.ntt(y, y_hat);
        }
        let rows = self.expanded.a.as_ref().chunks_exact(P::L);
        for ((row, w0), w1) in rows.zip(self.w0.as_mut()).zip(self.w1.as_mut()) {
            b.dot(row, self.y_hat.as_ref(), &mut self.product);
            b.inv_ntt(&self.product, w0);
            w0.add_q_if_negative();
            b.decompose(P::GAMMA2, w0, w1);
            shake.absorb(encode::pack_w1(b, P::GAMMA2, w1, &mut bytes));
        }
    }

    #[inline(always)]
    fn y(&mut self, _: B, j: usize) -> &mut Poly<Normal> {
        &mut self.y.as_mut()[j]
    }

    #[inline(always)]
    fn w0(&mut self, i: usize) -> &mut Poly<Normal> {
        &mut self.w0.as_mut()[i]
    }

    #[inline(always)]
    fn w0_and_w1(&mut self, _: B, i: usize) -> (&mut Poly<Normal>, &Poly<Normal>) {
        (&mut self.w0.as_mut()[i], &self.w1.as_ref()[i])
    }

    #[inline(always)]
    fn multiply_s1(&mut self, b: B, c: &Challenge, j: usize, out: &mut Poly<Normal>) {
        b.multiply_small(P::ETA, c, &self.expanded.s1.as_ref()[j], out);
    }

    #[inline(always)]
    fn multiply_s2(&mut self, b: B, c: &Challenge, i: usize, out: &mut Poly<Normal>) {
        b.multiply_small(P::ETA, c, &self.expanded.s2.as_ref()[i], out);
    }

    #[inline(always)]
    fn multiply_t0(&mut self, b: B, c: &Challenge, i: usize, out: &mut Poly<Normal>) {
        b.multiply_medium(c, &self.expanded.t0.as_ref()[i], out);
    }
}

impl<B: Backend, P: ParameterSet> Drop for Ample<'_, B, P> {
    fn drop(&mut self) {
        self.y.zeroize();
        self.y_hat.zeroize();
        self.w1.zeroize();
        self.w0.zeroize();
        self.product.zeroize();
    }
}
