//! The rows of A, for computing products with it: out of memory, or sampled for use once.

use crate::{
    backend::{Backend, portable},
    params::ParameterSet,
    poly::{Element as _, Normal, Ntt, Poly, PolyVec, Product},
    sample,
};
use core::marker::PhantomData;
use zeroize::Zeroize;

/// The rows of A, in order, for products with one vector of l polynomials. After the last row,
/// `ParameterSet`'s k-th, there is none.
pub(crate) trait Rows<B: Backend> {
    /// What is kept of the vector.
    type Vector: Vector;

    /// The product of the next row and `vector`, less `minus` where there is one. Polynomial `j`
    /// of the vector is what `again` gives, which may be called or not; it is put into `space`.
    ///
    /// In: |vector| < q; |minus| < [`portable::NTT_BOUND`]. Out: |v| < q.
    fn dot(
        &mut self,
        b: B,
        vector: &Self::Vector,
        again: impl Fn(usize, &mut Poly<Normal>),
        space: &mut Poly<Normal>,
        minus: Option<(&Poly<Ntt>, &Poly<Ntt>)>,
        out: &mut Poly<Product>,
    );
}

/// A vector of l polynomials, as [`Rows`] like it best.
pub(crate) trait Vector: Zeroize {
    const ZERO: Self;

    /// Sets polynomial `j`. In: |c| < q.
    fn set<B: Backend>(&mut self, b: B, j: usize, poly: &Poly<Normal>);
}

/// A vector that is transformed once and kept: 1 kB for each polynomial.
pub(crate) struct Transformed<P: ParameterSet>(P::VecL<Poly<Ntt>>);

impl<P: ParameterSet> Vector for Transformed<P> {
    const ZERO: Self = Self(PolyVec::ZERO);

    #[inline(always)]
    fn set<B: Backend>(&mut self, b: B, j: usize, poly: &Poly<Normal>) {
        b.ntt(poly, &mut self.0.as_mut()[j]);
    }
}

/// A vector of which nothing is kept.
pub(crate) struct Forgotten;

impl Vector for Forgotten {
    const ZERO: Self = Self;

    #[inline(always)]
    fn set<B: Backend>(&mut self, _: B, _: usize, _: &Poly<Normal>) {}
}

impl<P: ParameterSet> Zeroize for Transformed<P> {
    #[inline]
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Zeroize for Forgotten {
    #[inline(always)]
    fn zeroize(&mut self) {}
}

#[inline(always)]
fn dot<B: Backend, P: ParameterSet>(
    b: B,
    row: &[Poly<Ntt>],
    vector: &Transformed<P>,
    minus: Option<(&Poly<Ntt>, &Poly<Ntt>)>,
    out: &mut Poly<Product>,
) {
    match minus {
        None => b.dot(row, vector.0.as_ref(), out),
        Some(minus) => b.dot_minus(row, vector.0.as_ref(), minus, out),
    }
}

/// A that is in memory.
pub(crate) struct Kept<'a, P> {
    rest: &'a [Poly<Ntt>],
    set: PhantomData<P>,
}

impl<'a, P: ParameterSet> Kept<'a, P> {
    #[inline(always)]
    pub(crate) fn new(a: &'a P::Matrix) -> Self {
        Self {
            rest: a.as_ref(),
            set: PhantomData,
        }
    }

    /// Samples A into `a`.
    #[inline(always)]
    pub(crate) fn sampled<B: Backend>(b: B, rho: &[u8; 32], a: &'a mut P::Matrix) -> Self {
        sample::expand_a::<B, P>(b, rho, a.as_mut());
        Self::new(a)
    }
}

impl<B: Backend, P: ParameterSet> Rows<B> for Kept<'_, P> {
    type Vector = Transformed<P>;

    #[inline(always)]
    fn dot(
        &mut self,
        b: B,
        vector: &Transformed<P>,
        _: impl Fn(usize, &mut Poly<Normal>),
        _: &mut Poly<Normal>,
        minus: Option<(&Poly<Ntt>, &Poly<Ntt>)>,
        out: &mut Poly<Product>,
    ) {
        let (row, rest) = self.rest.split_at(P::L);
        self.rest = rest;
        dot(b, row, vector, minus, out);
    }
}

/// A that is sampled for use once: row by row, or with `--cfg pqsig_small` not even that.
#[cfg(not(pqsig_small))]
pub(crate) type Once<P> = Sampled<P>;
/// A that is sampled for use once: row by row, or with `--cfg pqsig_small` not even that.
#[cfg(pqsig_small)]
pub(crate) type Once<P> = Streamed<P>;

/// A that is sampled row by row: 10 kB of memory instead of all of A.
///
/// Polynomials are sampled four at a time; what a row leaves of a group begins the next.
#[cfg_attr(pqsig_small, allow(dead_code, reason = "tests compare it"))]
pub(crate) struct Sampled<P> {
    rho: [u8; 32],
    /// At most three polynomials that are left over, and a row of at most seven.
    polys: [Poly<Ntt>; 10],
    /// How many polynomials were sampled.
    sampled: usize,
    /// How many were used.
    used: usize,
    set: PhantomData<P>,
}

#[cfg_attr(pqsig_small, allow(dead_code, reason = "tests compare it"))]
impl<P: ParameterSet> Sampled<P> {
    #[inline(always)]
    pub(crate) fn new(rho: &[u8; 32]) -> Self {
        Self {
            rho: *rho,
            polys: [const { Poly::ZERO }; 10],
            sampled: 0,
            used: 0,
            set: PhantomData,
        }
    }

    /// Out: [0, q).
    #[inline(always)]
    fn next<B: Backend>(&mut self, b: B) -> &[Poly<Ntt>] {
        let mut left = self.sampled - self.used;
        if self.used > 0 {
            // The row before is done with: move what follows it to the front.
            let (row, rest) = self.polys.split_at_mut(P::L);
            row[..left].clone_from_slice(&rest[..left]);
        }
        while left < P::L {
            let group = 4.min(P::K * P::L - self.sampled);
            let polys = &mut self.polys[left..left + group];
            sample::expand_a_part::<B, P>(b, &self.rho, self.sampled, polys);
            self.sampled += group;
            left += group;
        }
        self.used += P::L;
        &self.polys[..P::L]
    }
}

impl<B: Backend, P: ParameterSet> Rows<B> for Sampled<P> {
    type Vector = Transformed<P>;

    #[inline(always)]
    fn dot(
        &mut self,
        b: B,
        vector: &Transformed<P>,
        _: impl Fn(usize, &mut Poly<Normal>),
        _: &mut Poly<Normal>,
        minus: Option<(&Poly<Ntt>, &Poly<Ntt>)>,
        out: &mut Poly<Product>,
    ) {
        dot(b, self.next(b), vector, minus, out);
    }
}

/// A that is sampled number by number, for a vector that is computed again for each row: 1 kB of
/// memory for A and the vector together.
#[cfg_attr(not(pqsig_small), allow(dead_code, reason = "tests compare it"))]
pub(crate) struct Streamed<P> {
    rho: [u8; 32],
    /// How many polynomials were used.
    used: usize,
    transformed: Poly<Ntt>,
    set: PhantomData<P>,
}

#[cfg_attr(not(pqsig_small), allow(dead_code, reason = "tests compare it"))]
impl<P: ParameterSet> Streamed<P> {
    #[inline(always)]
    pub(crate) fn new(rho: &[u8; 32]) -> Self {
        Self {
            rho: *rho,
            used: 0,
            transformed: Poly::ZERO,
            set: PhantomData,
        }
    }
}

impl<B: Backend, P: ParameterSet> Rows<B> for Streamed<P> {
    type Vector = Forgotten;

    #[inline(always)]
    fn dot(
        &mut self,
        b: B,
        _: &Forgotten,
        again: impl Fn(usize, &mut Poly<Normal>),
        space: &mut Poly<Normal>,
        minus: Option<(&Poly<Ntt>, &Poly<Ntt>)>,
        out: &mut Poly<Product>,
    ) {
        out.coeffs.fill(0);
        if let Some((c, t)) = minus {
            portable::sub_product(c, t, &mut out.coeffs);
        }
        for j in 0..P::L {
            again(j, space);
            b.ntt(space, &mut self.transformed);
            let (vector, sum) = (&self.transformed, &mut out.coeffs);
            sample::add_product_with_a::<B, P>(b, &self.rho, self.used, vector, sum);
            self.used += 1;
        }
        out.reduce();
    }
}

impl<P> Drop for Streamed<P> {
    #[inline]
    fn drop(&mut self) {
        self.transformed.zeroize();
    }
}
