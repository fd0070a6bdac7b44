//! Signing: the loop over attempts (Falcon, Algorithm 10), and the memory it needs.

use crate::{
    attempt::{self, Attempt, Numbers},
    ffsampling,
    fft::Basis,
    flr::Real,
    secret::Secret,
};
use pqsig_comm::{
    Error,
    arch::Detected,
    ct,
    fndsa::{
        Signature, derive,
        params::{MAX_ATTEMPTS, NONCE_LEN, ParameterSet, PolyArray, SIGN_SEED_LEN},
    },
    mu::Mu,
};
use zeroize::{Zeroize, Zeroizing};

/// What one signature is made from besides the basis.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The hedging secret of the key.
    pub(crate) hedge: &'a [u8; SIGN_SEED_LEN],
    pub(crate) mu: &'a Mu,
    pub(crate) randomness: &'a [u8; SIGN_SEED_LEN],
}

/// Working memory of an attempt. Wiped on drop.
pub(crate) struct Workspace<P: ParameterSet, R: Real> {
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

impl<P: ParameterSet, R: Real> Workspace<P, R> {
    pub(crate) const ZERO: Self = Self {
        targets: P::Poly::ZERO,
        c: P::Poly::ZERO,
        s2: P::Poly::ZERO,
    };

    /// Tries until an attempt succeeds: `run` does one with a seed and a counter.
    ///
    /// # Errors
    /// [`Error::SigningFailed`] after [`MAX_ATTEMPTS`], if the key is corrupted, or if the FPU
    /// does not round to nearest.
    fn sign(
        &mut self,
        request: Request<'_>,
        basis: &[R],
        mut run: impl FnMut(&mut Attempt<'_, R>, &[u8; SIGN_SEED_LEN], u8) -> Result<bool, Error>,
    ) -> Result<Signature<P>, Error> {
        if !R::rounds_to_nearest() {
            return Err(Error::SigningFailed);
        }
        let Request {
            hedge,
            mu,
            randomness,
        } = request;
        let mut seed = Zeroizing::new([0; SIGN_SEED_LEN]);
        derive::sign_seed(Detected, hedge, mu, randomness, &mut seed);
        let mut attempt = Attempt {
            numbers: Numbers::of::<P>(),
            mu,
            basis: Basis::new(basis),
            targets: self.targets.as_mut().as_flattened_mut(),
            c: self.c.as_mut(),
            s2: self.s2.as_mut(),
            nonce: [0; NONCE_LEN],
        };
        for counter in 0..MAX_ATTEMPTS {
            if !run(&mut attempt, &seed, counter)? {
                continue;
            }
            // s2 is the signature. Where that of an attempt that does not fit runs over may
            // show: it is a short vector like any other.
            ct::public(attempt.s2);
            if let Some(signature) = Signature::encode(&attempt.nonce, attempt.s2) {
                return Ok(signature);
            }
        }
        Err(Error::SigningFailed)
    }
}

impl<P: ParameterSet, R: Real> Expanded<P, R> {
    pub(crate) const ZERO: Self = Self {
        basis: P::Poly::ZERO,
        tree: P::Poly::ZERO,
    };

    /// Computes basis and tree.
    pub(crate) fn fill(&mut self, secret: &Secret<P>) {
        let mut gram = Zeroizing::new(P::Poly::<[R; 4]>::ZERO);
        let gram = gram.as_mut().as_flattened_mut();
        let basis = self.basis.as_mut().as_flattened_mut();
        let tree = &mut self.tree.as_mut().as_flattened_mut()[..ffsampling::tree_len(P::LOGN)];
        write_basis(secret, basis, gram);
        attempt::write_tree(Numbers::of::<P>(), basis, gram, tree);
    }

    /// The tree, to break it.
    #[cfg(test)]
    fn tree_mut(&mut self) -> &mut [R] {
        self.tree.as_mut().as_flattened_mut()
    }

    /// Signs.
    ///
    /// # Errors
    /// As [`Workspace::sign`].
    pub(crate) fn sign(
        &self,
        workspace: &mut Workspace<P, R>,
        request: Request<'_>,
    ) -> Result<Signature<P>, Error> {
        let tree = self.tree.as_ref().as_flattened();
        let basis = self.basis.as_ref().as_flattened();
        workspace.sign(request, basis, |attempt, seed, counter| {
            attempt::with_stored(attempt, tree, seed, counter)
        })
    }
}

impl<P: ParameterSet, R: Real> Decomposing<P, R> {
    pub(crate) const ZERO: Self = Self {
        basis: P::Poly::ZERO,
        gram: P::Poly::ZERO,
    };

    /// Computes the basis and signs.
    ///
    /// # Errors
    /// As [`Workspace::sign`].
    pub(crate) fn sign(
        &mut self,
        secret: &Secret<P>,
        workspace: &mut Workspace<P, R>,
        request: Request<'_>,
    ) -> Result<Signature<P>, Error> {
        let gram = self.gram.as_mut().as_flattened_mut();
        let basis = self.basis.as_mut().as_flattened_mut();
        write_basis(secret, basis, gram);
        workspace.sign(request, basis, |attempt, seed, counter| {
            attempt::with_dynamic(attempt, gram, seed, counter)
        })
    }
}

/// In: at least n numbers in `tmp`.
fn write_basis<P: ParameterSet, R: Real>(secret: &Secret<P>, basis: &mut [R], tmp: &mut [R]) {
    let small = secret.small();
    let rows = [
        small.f.as_ref(),
        small.g.as_ref(),
        small.capital_f.as_ref(),
        secret.capital_g().as_ref(),
    ];
    attempt::write_basis(rows, basis, &mut tmp[..P::N]);
}

impl<P: ParameterSet, R: Real> Drop for Workspace<P, R> {
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

#[cfg(test)]
mod tests;
