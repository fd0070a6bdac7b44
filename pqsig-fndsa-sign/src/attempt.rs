//! One attempt at a signature (Falcon, Algorithm 10).
//!
//! Nothing here is generic over the parameter set: degrees are values, so all sets share the
//! code.

use crate::{
    ffsampling::{self, Dynamic, Stored, Tree},
    fft::{self, Basis},
    flr::Real,
    sampler::Sampler,
};
use pqsig_comm::{
    Error,
    arch::Arch,
    ct,
    fndsa::{
        derive,
        hash_to_point::{Filter, hash_to_point},
        params::{MAX_COEFFICIENT, NONCE_LEN, ParameterSet, SIGN_SEED_LEN},
    },
    mu::Mu,
};

/// The numbers of a parameter set.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    logn: u32,
    inv_sigma: u64,
    sigma_min: u64,
    max_squared_norm: u32,
}

impl Numbers {
    pub(crate) const fn of<P: ParameterSet>() -> Self {
        Self {
            logn: P::LOGN,
            inv_sigma: P::INV_SIGMA,
            sigma_min: P::SIGMA_MIN,
            max_squared_norm: P::MAX_SQUARED_NORM,
        }
    }
}

/// What an attempt works with, and what it leaves: the nonce and s2.
pub(crate) struct Attempt<'a, R> {
    pub(crate) numbers: Numbers,
    pub(crate) mu: &'a Mu,
    pub(crate) basis: Basis<'a, R>,
    /// The memory of [`ffsampling::sample`], 4n numbers.
    pub(crate) targets: &'a mut [R],
    pub(crate) c: &'a mut [u16],
    pub(crate) s2: &'a mut [i16],
    pub(crate) nonce: [u8; NONCE_LEN],
}

pqsig_comm::entry! {
    /// Transforms f, g, F and G into the basis, 4n numbers. In: n numbers in `tmp`.
    pub(crate) fn write_basis[R: Real](
        rows: [&[i8]; 4],
        basis: &mut [R],
        tmp: &mut [R],
    ) = write_basis_body
}

pqsig_comm::entry! {
    /// Decomposes a basis. In: 4n numbers in `gram`, for working memory; the length of the tree.
    pub(crate) fn write_tree[R: Real](
        numbers: Numbers,
        basis: &[R],
        gram: &mut [R],
        tree: &mut [R],
    ) = write_tree_body
}

pqsig_comm::entry! {
    /// An attempt with a tree that is stored. Out: whether it succeeded.
    ///
    /// # Errors
    /// [`Error::SigningFailed`] if the key is corrupted.
    pub(crate) fn with_stored[R: Real](
        attempt: &mut Attempt<'_, R>,
        tree: &[R],
        seed: &[u8; SIGN_SEED_LEN],
        counter: u8,
    ) -> Result<bool, Error> = with_stored_body
}

pqsig_comm::entry! {
    /// An attempt that decomposes the basis as it goes, in 4n numbers of working memory. Out:
    /// whether it succeeded.
    ///
    /// # Errors
    /// [`Error::SigningFailed`] if the key is corrupted.
    pub(crate) fn with_dynamic[R: Real](
        attempt: &mut Attempt<'_, R>,
        gram: &mut [R],
        seed: &[u8; SIGN_SEED_LEN],
        counter: u8,
    ) -> Result<bool, Error> = with_dynamic_body
}

#[inline(always)]
fn write_basis_body<A: Arch, R: Real>(_: A, rows: [&[i8]; 4], basis: &mut [R], tmp: &mut [R]) {
    fft::write_basis(rows, basis, tmp);
}

#[inline(always)]
fn write_tree_body<A: Arch, R: Real>(
    _: A,
    numbers: Numbers,
    basis: &[R],
    gram: &mut [R],
    tree: &mut [R],
) {
    Basis::new(basis).gram(ffsampling::top(gram));
    let source = Dynamic::new(gram, R::from_bits(numbers.inv_sigma));
    ffsampling::record(source, tree, numbers.logn);
}

#[inline(always)]
fn with_stored_body<A: Filter, R: Real>(
    arch: A,
    attempt: &mut Attempt<'_, R>,
    tree: &[R],
    seed: &[u8; SIGN_SEED_LEN],
    counter: u8,
) -> Result<bool, Error> {
    attempt.run(arch, Stored::new(tree), seed, counter)
}

#[inline(always)]
fn with_dynamic_body<A: Filter, R: Real>(
    arch: A,
    attempt: &mut Attempt<'_, R>,
    gram: &mut [R],
    seed: &[u8; SIGN_SEED_LEN],
    counter: u8,
) -> Result<bool, Error> {
    attempt.basis.gram(ffsampling::top(gram));
    let tree = Dynamic::new(gram, R::from_bits(attempt.numbers.inv_sigma));
    attempt.run(arch, tree, seed, counter)
}

impl<R: Real> Attempt<'_, R> {
    #[inline(always)]
    fn run<A: Filter, T: Tree<R>>(
        &mut self,
        arch: A,
        tree: T,
        seed: &[u8; SIGN_SEED_LEN],
        counter: u8,
    ) -> Result<bool, Error> {
        let mut stream = derive::attempt_stream(arch, seed, counter);
        stream.read(&mut self.nonce);
        // Part of the signature; that of a rejected attempt is a hash of secrets, unrelated to
        // any other. The time of hashing to a point may depend on it.
        ct::public(&self.nonce);
        hash_to_point(arch, &self.nonce, self.mu, self.c);

        self.set_target();
        let Numbers {
            logn, sigma_min, ..
        } = self.numbers;
        let mut sampler = Sampler::new(stream, R::from_bits(sigma_min), logn);
        ffsampling::sample(self.targets, tree, &mut sampler, logn);
        // With a valid key it never is.
        if ct::public_flag(sampler.is_exhausted()) {
            return Err(Error::SigningFailed);
        }
        // Which attempt succeeds is independent of the secrets.
        Ok(ct::public_flag(self.is_short()))
    }

    /// The target of the sampling: (c, 0) in the coordinates of the basis.
    #[inline(always)]
    fn set_target(&mut self) {
        let n = self.c.len();
        let (tmp, top) = self.targets.split_at_mut(2 * n);
        let (t0, t1) = top.split_at_mut(n);
        for (x, c) in t1.iter_mut().zip(&*self.c) {
            *x = R::from_i32(i32::from(*c));
        }
        fft::fft(t1, &mut tmp[..n]);
        self.basis.target(t0, t1);
    }

    /// Computes s1 and s2 from the sampled coordinates; whether they are short enough.
    #[inline(always)]
    fn is_short(&mut self) -> bool {
        let n = self.c.len();
        let (tmp, top) = self.targets.split_at_mut(2 * n);
        let (x, y) = top.split_at_mut(n);
        self.basis.point(x, y);
        for part in [&mut *x, &mut *y] {
            fft::inverse_fft(part, &mut tmp[..n]);
        }

        let mut measure = Measure::default();
        for (x, c) in x.iter().zip(&*self.c) {
            measure.add(i32::from(*c).wrapping_sub(x.rint() as i32));
        }
        for (y, s2) in y.iter().zip(&mut *self.s2) {
            let value = 0i32.wrapping_sub(y.rint() as i32);
            measure.add(value);
            *s2 = value as i16;
        }
        measure.is_within(self.numbers.max_squared_norm)
    }
}

/// The norms of a vector.
#[derive(Default)]
struct Measure {
    /// Negative if a coefficient is out of bounds.
    outside: i32,
    /// Right if none is: 2 * 1024 * 840^2 < 2^31.
    squared: u32,
}

impl Measure {
    #[inline(always)]
    fn add(&mut self, value: i32) {
        const LIMIT: i32 = MAX_COEFFICIENT as i32;
        // Where one of these wraps, its sign is set all the same.
        self.outside |= LIMIT.wrapping_sub(value) | LIMIT.wrapping_add(value);
        let value = value.cast_unsigned();
        self.squared = self.squared.wrapping_add(value.wrapping_mul(value));
    }

    #[inline(always)]
    fn is_within(&self, max_squared: u32) -> bool {
        (self.outside >= 0) & (self.squared <= max_squared)
    }
}

#[cfg(test)]
mod tests;
