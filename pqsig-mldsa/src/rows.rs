//! The rows of A, for computing products with it: out of memory, or sampled for use once.

use crate::{
    backend::Backend,
    params::ParameterSet,
    poly::{Element as _, Ntt, Poly},
    sample,
};
use core::marker::PhantomData;

/// The rows of A, in order. After the last one, `ParameterSet`'s k-th, there is none.
pub(crate) trait Rows {
    /// The next row. Out: [0, q).
    fn next(&mut self) -> &[Poly<Ntt>];
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

impl<P: ParameterSet> Rows for Kept<'_, P> {
    #[inline(always)]
    fn next(&mut self) -> &[Poly<Ntt>] {
        let (row, rest) = self.rest.split_at(P::L);
        self.rest = rest;
        row
    }
}

/// A that is sampled row by row: 10 kB of memory instead of all of A.
///
/// Polynomials are sampled four at a time; what a row leaves of a group begins the next.
pub(crate) struct Sampled<B: Backend, P> {
    b: B,
    rho: [u8; 32],
    /// At most three polynomials that are left over, and a row of at most seven.
    polys: [Poly<Ntt>; 10],
    /// How many polynomials were sampled.
    sampled: usize,
    /// How many were used.
    used: usize,
    set: PhantomData<P>,
}

impl<B: Backend, P: ParameterSet> Sampled<B, P> {
    #[inline(always)]
    pub(crate) fn new(b: B, rho: &[u8; 32]) -> Self {
        Self {
            b,
            rho: *rho,
            polys: [const { Poly::ZERO }; 10],
            sampled: 0,
            used: 0,
            set: PhantomData,
        }
    }
}

impl<B: Backend, P: ParameterSet> Rows for Sampled<B, P> {
    #[inline(always)]
    fn next(&mut self) -> &[Poly<Ntt>] {
        let mut left = self.sampled - self.used;
        if self.used > 0 {
            // The row before is done with: move what follows it to the front.
            let (row, rest) = self.polys.split_at_mut(P::L);
            row[..left].clone_from_slice(&rest[..left]);
        }
        while left < P::L {
            let group = 4.min(P::K * P::L - self.sampled);
            let polys = &mut self.polys[left..left + group];
            sample::expand_a_part::<B, P>(self.b, &self.rho, self.sampled, polys);
            self.sampled += group;
            left += group;
        }
        self.used += P::L;
        &self.polys[..P::L]
    }
}
