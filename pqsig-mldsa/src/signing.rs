//! Signing (FIPS 204, Algorithm 7).

use crate::{
    backend::Backend,
    encode::{self, T0_LEN, layout},
    hint::Packer,
    params::{N, ParameterSet},
    poly::{Element as _, Normal, Ntt, Poly, PolyVec, Product},
    sample::{self, Masks},
    sparse::{Challenge, Medium, Small},
};
use pqsig_comm::{Error, ct, encoding::ByteArray, mu::Mu, shake::Shake256};
use zeroize::{Zeroize, Zeroizing};

/// How often signing tries before it gives up. FIPS 204, Appendix C, asks for at least 814;
/// NIST's list of potential updates says 821. The chance to get here is below 2^-256, and
/// 821 l stays far below 2^16, so no nonce of a mask ever repeats.
pub(crate) const MAX_ATTEMPTS: u16 = 821;

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

    /// Steps 1 to 5: unpacks the secrets, samples A.
    #[inline(always)]
    fn fill<B: Backend>(&mut self, b: B, sk: &P::SigningKeyBytes) {
        self.fill_secrets(b, sk);
        sample::expand_a::<B, P>(b, layout::signing_key::<P>(sk).rho, self.a.as_mut());
    }

    #[inline(always)]
    fn fill_secrets<B: Backend>(&mut self, b: B, sk: &P::SigningKeyBytes) {
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

pqsig_comm::entry! {
    /// Expands a key.
    pub(crate) fn expand[P: ParameterSet](
        sk: &P::SigningKeyBytes,
        expanded: &mut Expanded<P>,
    ) = expand_body::<_, P>
}

pqsig_comm::entry! {
    /// Expands all of a key but A.
    pub(crate) fn expand_secrets[P: ParameterSet](
        sk: &P::SigningKeyBytes,
        expanded: &mut Expanded<P>,
    ) = expand_secrets_body::<_, P>
}

pqsig_comm::entry! {
    /// FIPS 204, Algorithm 7 (`ML-DSA.Sign_internal`) from line 7 on, for an expanded key.
    pub(crate) fn sign[P: ParameterSet](
        expanded: &Expanded<P>,
        mu: &Mu,
        rnd: &[u8; 32],
        attempts: u16,
        signature: &mut P::SignatureBytes,
    ) -> Result<(), Error> = sign_body::<_, P>
}

pqsig_comm::entry! {
    /// Expands a key, signs once and wipes what it expanded.
    pub(crate) fn expand_and_sign[P: ParameterSet](
        sk: &P::SigningKeyBytes,
        mu: &Mu,
        rnd: &[u8; 32],
        signature: &mut P::SignatureBytes,
    ) -> Result<(), Error> = expand_and_sign_body::<_, P>
}

#[inline(always)]
fn expand_body<B: Backend, P: ParameterSet>(
    b: B,
    sk: &P::SigningKeyBytes,
    expanded: &mut Expanded<P>,
) {
    expanded.fill(b, sk);
}

#[inline(always)]
fn expand_secrets_body<B: Backend, P: ParameterSet>(
    b: B,
    sk: &P::SigningKeyBytes,
    expanded: &mut Expanded<P>,
) {
    expanded.fill_secrets(b, sk);
}

#[inline(always)]
fn expand_and_sign_body<B: Backend, P: ParameterSet>(
    b: B,
    sk: &P::SigningKeyBytes,
    mu: &Mu,
    rnd: &[u8; 32],
    signature: &mut P::SignatureBytes,
) -> Result<(), Error> {
    let mut expanded = Expanded::<P>::ZERO;
    expanded.fill(b, sk);
    sign_body(b, &expanded, mu, rnd, MAX_ATTEMPTS, signature)
}

#[inline(always)]
fn sign_body<B: Backend, P: ParameterSet>(
    b: B,
    expanded: &Expanded<P>,
    mu: &Mu,
    rnd: &[u8; 32],
    attempts: u16,
    signature: &mut P::SignatureBytes,
) -> Result<(), Error> {
    let mut rho_double_prime = Zeroizing::new([0; 64]);
    Shake256::digest(b, &[&expanded.key, rnd, mu], &mut *rho_double_prime);

    let mut masks = Masks::new(b, P::GAMMA1, &rho_double_prime);
    let mut state = Attempt::<P>::ZERO;
    for _ in 0..attempts {
        state.commit(b, expanded, &mut masks);
        state.challenge(b, mu, signature);
        if state.respond(b, expanded, signature).is_some() {
            return Ok(());
        }
    }
    // Nothing of a rejected attempt may leave.
    signature.as_mut().zeroize();
    Err(Error::SigningFailed)
}

/// The working memory of one attempt. Wiped on drop.
struct Attempt<P: ParameterSet> {
    y: P::VecL<Poly<Normal>>,
    y_hat: P::VecL<Poly<Ntt>>,
    /// The high bits of w.
    w1: P::VecK<Poly<Normal>>,
    /// The low bits of w; later less c s2, later plus c t0.
    w0: P::VecK<Poly<Normal>>,
    challenge: Challenge,
    product: Poly<Product>,
    poly: Poly<Normal>,
}

impl<P: ParameterSet> Attempt<P> {
    const ZERO: Self = Self {
        y: PolyVec::ZERO,
        y_hat: PolyVec::ZERO,
        w1: PolyVec::ZERO,
        w0: PolyVec::ZERO,
        challenge: Challenge::ZERO,
        product: Poly::ZERO,
        poly: Poly::ZERO,
    };

    /// Lines 11 to 13: y from the masks, w = A y, its high and low bits.
    #[inline(always)]
    fn commit<B: Backend>(&mut self, b: B, expanded: &Expanded<P>, masks: &mut Masks<'_, B>) {
        for (y, y_hat) in self.y.as_mut().iter_mut().zip(self.y_hat.as_mut()) {
            masks.next(y);
            b.ntt(y, y_hat);
        }
        let rows = expanded.a.as_ref().chunks_exact(P::L);
        for ((row, w0), w1) in rows.zip(self.w0.as_mut()).zip(self.w1.as_mut()) {
            b.dot(row, self.y_hat.as_ref(), &mut self.product);
            b.inv_ntt(&self.product, w0);
            w0.add_q_if_negative();
            b.decompose(P::GAMMA2, w0, w1);
        }
    }

    /// Lines 15 to 17: the commitment hash, written into the signature, and the challenge.
    #[inline(always)]
    fn challenge<B: Backend>(&mut self, b: B, mu: &Mu, signature: &mut P::SignatureBytes) {
        let (c_tilde, _, _) = layout::signature_mut::<P>(signature);
        let mut shake = Shake256::new(b);
        shake.absorb(mu);
        let mut bytes = [0; 192];
        for w1 in self.w1.as_ref() {
            shake.absorb(encode::pack_w1(b, P::GAMMA2, w1, &mut bytes));
        }
        let mut hash = P::CTilde::ZERO;
        shake.finish().read(hash.as_mut());
        // A hash of the commitment. That of a rejected attempt does not leave, but the time of
        // sampling c from it may: by the random-oracle argument of Dilithium, section 5.5, it is
        // independent of the secrets as long as w1 itself stays secret.
        let hash = ct::declassify(hash);
        c_tilde.copy_from_slice(hash.as_ref());
        let mut c = [0; N];
        sample::sample_in_ball::<B, P>(b, &hash, &mut c);
        self.challenge.set(&c);
    }

    /// Lines 18 to 33: z and the hint, written into the signature; `None` for a rejection.
    ///
    /// Each decision is public, and so is its place: how often and where an attempt fails is
    /// independent of the secrets (FIPS 204, section 3.2; Dilithium, section 5.5). What a
    /// decision is computed from stays secret, so each test looks at a whole polynomial.
    #[inline(always)]
    fn respond<B: Backend>(
        &mut self,
        b: B,
        expanded: &Expanded<P>,
        signature: &mut P::SignatureBytes,
    ) -> Option<()> {
        let (_, z_bytes, hint_bytes) = layout::signature_mut::<P>(signature);
        let gamma2 = P::GAMMA2.value();

        // r0 = LowBits(w - c s2). While LowBits(w) - c s2 is below gamma2 - beta, it is r0, and
        // w - c s2 has the high bits of w; when it is not, neither is r0. This test comes first
        // because it fails most often.
        for (w0, s2) in self.w0.as_mut().iter_mut().zip(expanded.s2.as_ref()) {
            b.multiply_small(P::ETA, &self.challenge, s2, &mut self.poly);
            w0.sub(&self.poly);
            accept(!w0.reaches(gamma2 - P::BETA))?;
        }

        // z = y + c s1.
        let z_bytes = z_bytes.chunks_exact_mut(P::GAMMA1.encoded_len());
        let rows = self.y.as_mut().iter_mut().zip(expanded.s1.as_ref());
        for ((y, s1), bytes) in rows.zip(z_bytes) {
            b.multiply_small(P::ETA, &self.challenge, s1, &mut self.poly);
            y.add(&self.poly);
            accept(!y.reaches(P::GAMMA1.value() - P::BETA))?;
            encode::pack_gamma1(b, P::GAMMA1, y, bytes);
        }

        // The hint lets the verifier, who lacks t0, find the high bits of w - c s2.
        let mut packer = Packer::new::<P>(hint_bytes);
        let mut hint = [0; 256];
        let rows = self.w0.as_mut().iter_mut().zip(self.w1.as_ref());
        for ((w0, w1), t0) in rows.zip(expanded.t0.as_ref()) {
            b.multiply_medium(&self.challenge, t0, &mut self.poly);
            accept(!self.poly.reaches(gamma2))?;
            w0.add(&self.poly);
            let ones = b.make_hint(P::GAMMA2, w0, w1, &mut hint);
            // The hint is part of the signature, and its weight decides on acceptance.
            packer.push(&ct::declassify(hint), ct::declassify(ones))?;
        }
        // y became z, which passed every test: it is the signature.
        ct::public(&*signature);
        Some(())
    }
}

/// A decision of the rejection loop, declassified.
#[inline(always)]
fn accept(flag: bool) -> Option<()> {
    ct::public_flag(flag).then_some(())
}

impl<P: ParameterSet> Drop for Attempt<P> {
    fn drop(&mut self) {
        self.y.zeroize();
        self.y_hat.zeroize();
        self.w1.zeroize();
        self.w0.zeroize();
        self.product.zeroize();
        self.poly.zeroize();
    }
}
