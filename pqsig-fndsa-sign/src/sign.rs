//! Signing: the loop over attempts, and one attempt (FNDSA-SPEC.md, sections 5.1 and 5.2).

use crate::{
    Scratch,
    ffsampling::{self, Dynamic, Stored, Tree},
    fft::{self, Basis},
    flr::{Real, Selected},
    sampler::Sampler,
    secret::Secret,
};
use pqsig_comm::{
    Error,
    arch::Arch,
    ct,
    fndsa::{
        Signature, derive,
        hash_to_point::hash_to_point,
        params::{
            MAX_ATTEMPTS, MAX_COEFFICIENT, NONCE_LEN, ParameterSet, PolyArray, SIGN_SEED_LEN,
        },
    },
    mu::Mu,
    shake::{RATE_256, Reader},
};
use zeroize::{Zeroize, Zeroizing};

pqsig_comm::entry! {
    /// Signs with a key that is not prepared.
    pub(crate) fn compact[P: ParameterSet](
        secret: &Secret<P>,
        scratch: &mut Scratch<P>,
        request: Request<'_>,
    ) -> Result<Signature<P>, Error> = compact_body::<_, P>
}

pqsig_comm::entry! {
    /// Signs with a prepared key.
    pub(crate) fn expanded[P: ParameterSet](
        expanded: &Expanded<P, Selected>,
        attempt: &mut Attempt<P, Selected>,
        request: Request<'_>,
    ) -> Result<Signature<P>, Error> = expanded_body::<_, P>
}

pqsig_comm::entry! {
    /// Prepares a key.
    pub(crate) fn expand[P: ParameterSet](
        secret: &Secret<P>,
        expanded: &mut Expanded<P, Selected>,
    ) = expand_body::<_, P>
}

#[inline(always)]
fn compact_body<A: Arch, P: ParameterSet>(
    arch: A,
    secret: &Secret<P>,
    scratch: &mut Scratch<P>,
    request: Request<'_>,
) -> Result<Signature<P>, Error> {
    (scratch.decomposing).sign(arch, secret, &mut scratch.attempt, request)
}

#[inline(always)]
fn expanded_body<A: Arch, P: ParameterSet>(
    arch: A,
    expanded: &Expanded<P, Selected>,
    attempt: &mut Attempt<P, Selected>,
    request: Request<'_>,
) -> Result<Signature<P>, Error> {
    expanded.sign(arch, attempt, request)
}

#[inline(always)]
fn expand_body<A: Arch, P: ParameterSet>(
    _: A,
    secret: &Secret<P>,
    expanded: &mut Expanded<P, Selected>,
) {
    expanded.fill(secret);
}

/// Working memory of an attempt. Wiped on drop.
pub(crate) struct Attempt<P: ParameterSet, R: Real> {
    /// The memory of [`ffsampling::sample`].
    targets: P::Poly<[R; 4]>,
    c: P::Poly<u16>,
    s2: P::Poly<i16>,
}

/// A basis and the tree of its LDL decompositions: all that depends on the key alone. Wiped on
/// drop.
pub(crate) struct Expanded<P: ParameterSet, R: Real> {
    basis: P::Poly<[R; 4]>,
    /// Up to 11 numbers for each coefficient; 512 uses 10.
    tree: P::Poly<[R; 11]>,
}

/// A basis, and the memory to decompose it in. Wiped on drop.
pub(crate) struct Decomposing<P: ParameterSet, R: Real> {
    basis: P::Poly<[R; 4]>,
    gram: P::Poly<[R; 4]>,
}

/// What one signature is made from besides the basis.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The hedging secret of the key.
    pub(crate) hedge: &'a [u8; SIGN_SEED_LEN],
    pub(crate) mu: &'a Mu,
    pub(crate) randomness: &'a [u8; SIGN_SEED_LEN],
}

impl<P: ParameterSet, R: Real> Attempt<P, R> {
    pub(crate) const ZERO: Self = Self {
        targets: P::Poly::ZERO,
        c: P::Poly::ZERO,
        s2: P::Poly::ZERO,
    };

    /// One attempt: `None` if it was rejected.
    ///
    /// # Errors
    /// [`Error::SigningFailed`] if the sampler met a corrupted key.
    #[inline(always)]
    fn run<A: Arch, T: Tree<R>>(
        &mut self,
        arch: A,
        basis: &Basis<'_, R>,
        tree: T,
        mut stream: Reader<A, RATE_256>,
        mu: &Mu,
    ) -> Result<Option<Signature<P>>, Error> {
        let mut nonce = [0; NONCE_LEN];
        stream.read(&mut nonce);
        // Part of the signature; that of a rejected attempt is a hash of secrets, unrelated to
        // any other. The time of hashing to a point may depend on it.
        ct::public(&nonce);
        hash_to_point(arch, &nonce, mu, self.c.as_mut());

        self.set_target(basis);
        let mut sampler = Sampler::new(stream, R::from_bits(P::SIGMA_MIN), P::LOGN);
        ffsampling::sample(
            self.targets.as_mut().as_flattened_mut(),
            tree,
            &mut sampler,
            P::LOGN,
        );
        if ct::public_flag(sampler.is_exhausted()) {
            return Err(Error::SigningFailed);
        }
        // Which attempt succeeds is independent of the secrets.
        if !ct::public_flag(self.is_short(basis)) {
            return Ok(None);
        }
        // s2 is the signature. Where that of an attempt that does not fit runs over may show:
        // it is a short vector like any other.
        ct::public(self.s2.as_ref());
        Ok(Signature::encode(&nonce, self.s2.as_ref()))
    }

    /// The target of the sampling: (c, 0) in the coordinates of the basis.
    #[inline(always)]
    fn set_target(&mut self, basis: &Basis<'_, R>) {
        let (tmp, top) = halves(self.targets.as_mut().as_flattened_mut());
        let (t0, t1) = top.split_at_mut(P::N);
        for (x, c) in t1.iter_mut().zip(self.c.as_ref()) {
            *x = R::from_i32(i32::from(*c));
        }
        fft::fft(t1, &mut tmp[..P::N]);
        basis.target(t0, t1);
    }

    /// Computes s1 and s2 from the sampled coordinates, and whether they are short enough.
    #[inline(always)]
    fn is_short(&mut self, basis: &Basis<'_, R>) -> bool {
        let (tmp, top) = halves(self.targets.as_mut().as_flattened_mut());
        let tmp = &mut tmp[..P::N];
        let (x, y) = top.split_at_mut(P::N);
        basis.point(x, y);
        fft::inverse_fft(x, tmp);
        fft::inverse_fft(y, tmp);

        let mut measure = Measure::default();
        for (x, c) in x.iter().zip(self.c.as_ref()) {
            measure.add(i32::from(*c).wrapping_sub(x.rint() as i32));
        }
        for (y, s2) in y.iter().zip(self.s2.as_mut()) {
            let value = 0i32.wrapping_sub(y.rint() as i32);
            measure.add(value);
            *s2 = value as i16;
        }
        measure.is_within(P::MAX_SQUARED_NORM)
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

impl<P: ParameterSet, R: Real> Expanded<P, R> {
    pub(crate) const ZERO: Self = Self {
        basis: P::Poly::ZERO,
        tree: P::Poly::ZERO,
    };

    /// Computes basis and tree.
    #[inline(always)]
    pub(crate) fn fill(&mut self, secret: &Secret<P>) {
        let mut gram = Zeroizing::new(P::Poly::<[R; 4]>::ZERO);
        let gram = gram.as_mut().as_flattened_mut();
        let basis = self.basis.as_mut().as_flattened_mut();
        let tree = self.tree.as_mut().as_flattened_mut();
        write_basis(secret, basis, gram);
        Basis::new(basis).gram(ffsampling::top(gram));
        let source = Dynamic::new(gram, R::from_bits(P::INV_SIGMA));
        ffsampling::record(source, &mut tree[..ffsampling::tree_len(P::LOGN)], P::LOGN);
    }

    /// Signs.
    #[inline(always)]
    pub(crate) fn sign<A: Arch>(
        &self,
        arch: A,
        attempt: &mut Attempt<P, R>,
        request: Request<'_>,
    ) -> Result<Signature<P>, Error> {
        let basis = Basis::new(self.basis.as_ref().as_flattened());
        let tree = self.tree.as_ref().as_flattened();
        attempts::<A, P, R>(arch, request, |stream, mu| {
            attempt.run(arch, &basis, Stored::new(tree), stream, mu)
        })
    }
}

impl<P: ParameterSet, R: Real> Decomposing<P, R> {
    pub(crate) const ZERO: Self = Self {
        basis: P::Poly::ZERO,
        gram: P::Poly::ZERO,
    };

    /// Computes the basis and signs.
    #[inline(always)]
    pub(crate) fn sign<A: Arch>(
        &mut self,
        arch: A,
        secret: &Secret<P>,
        attempt: &mut Attempt<P, R>,
        request: Request<'_>,
    ) -> Result<Signature<P>, Error> {
        let gram = self.gram.as_mut().as_flattened_mut();
        let basis = self.basis.as_mut().as_flattened_mut();
        write_basis(secret, basis, gram);
        let basis = Basis::new(basis);
        attempts::<A, P, R>(arch, request, |stream, mu| {
            basis.gram(ffsampling::top(gram));
            let tree = Dynamic::new(gram, R::from_bits(P::INV_SIGMA));
            attempt.run(arch, &basis, tree, stream, mu)
        })
    }
}

/// Tries until an attempt succeeds.
///
/// # Errors
/// [`Error::SigningFailed`] after [`MAX_ATTEMPTS`], if the sampler met a corrupted key, or if the
/// FPU does not round to nearest.
#[inline(always)]
fn attempts<A: Arch, P: ParameterSet, R: Real>(
    arch: A,
    request: Request<'_>,
    mut attempt: impl FnMut(Reader<A, RATE_256>, &Mu) -> Result<Option<Signature<P>>, Error>,
) -> Result<Signature<P>, Error> {
    if !R::rounds_to_nearest() {
        return Err(Error::SigningFailed);
    }
    let mut seed = Zeroizing::new([0; SIGN_SEED_LEN]);
    derive::sign_seed(
        arch,
        request.hedge,
        request.mu,
        request.randomness,
        &mut seed,
    );
    for counter in 0..MAX_ATTEMPTS {
        let stream = derive::attempt_stream(arch, &seed, counter);
        if let Some(signature) = attempt(stream, request.mu)? {
            return Ok(signature);
        }
    }
    Err(Error::SigningFailed)
}

#[inline(always)]
fn write_basis<P: ParameterSet, R: Real>(secret: &Secret<P>, basis: &mut [R], tmp: &mut [R]) {
    let small = secret.small();
    let rows = [
        small.f.as_ref(),
        small.g.as_ref(),
        small.capital_f.as_ref(),
        secret.capital_g().as_ref(),
    ];
    fft::write_basis(rows, basis, &mut tmp[..P::N]);
}

/// The working memory of the lower levels and that of the top.
#[inline(always)]
fn halves<R>(memory: &mut [R]) -> (&mut [R], &mut [R]) {
    memory.split_at_mut(memory.len() / 2)
}

impl<P: ParameterSet, R: Real> Drop for Attempt<P, R> {
    fn drop(&mut self) {
        self.targets.zeroize();
        self.c.zeroize();
        self.s2.zeroize();
    }
}

impl<P: ParameterSet, R: Real> Drop for Expanded<P, R> {
    fn drop(&mut self) {
        self.basis.zeroize();
        self.tree.zeroize();
    }
}

impl<P: ParameterSet, R: Real> Drop for Decomposing<P, R> {
    fn drop(&mut self) {
        self.basis.zeroize();
        self.gram.zeroize();
    }
}
