//! Verification (FIPS 204, Algorithm 8). Everything here is public.

use crate::{
    backend::Backend,
    encode::{self, T1_LEN, layout},
    hint::Hint,
    params::{D, N, ParameterSet},
    poly::{Element as _, Ntt, Poly, PolyVec, Product},
    sample,
};
use pqsig_comm::{Error, ct, encoding::ByteArray, mu::Mu, shake::Shake256};

/// Everything that verification needs of a key, expanded: A and the transform of t1 2^d.
#[derive(Clone)]
pub(crate) struct Expanded<P: ParameterSet> {
    a: P::Matrix,
    t1_hat: P::VecK<Poly<Ntt>>,
}

impl<P: ParameterSet> Expanded<P> {
    pub(crate) const ZERO: Self = Self {
        a: P::Matrix::ZERO,
        t1_hat: PolyVec::ZERO,
    };

    /// FIPS 204, Algorithm 23 (`pkDecode`), and lines 5 and 9 as far as the key goes.
    #[inline(always)]
    fn fill<B: Backend>(&mut self, b: B, vk: &P::VerifyingKeyBytes) {
        let (rho, t1) = layout::verifying_key::<P>(vk);
        let mut poly = Poly::ZERO;
        for (bytes, t1_hat) in t1.chunks_exact(T1_LEN).zip(self.t1_hat.as_mut()) {
            b.unpack::<10>(bytes, &mut poly);
            for t1 in &mut poly.coeffs {
                // At most (2^10 - 1) 2^13 = q - 1.
                *t1 <<= D;
            }
            b.ntt(&poly, t1_hat);
        }
        sample::expand_a::<B, P>(b, rho, self.a.as_mut());
    }
}

pqsig_comm::entry! {
    /// Expands a key.
    pub(crate) fn expand[P: ParameterSet](
        vk: &P::VerifyingKeyBytes,
        expanded: &mut Expanded<P>,
    ) = expand_body::<_, P>
}

pqsig_comm::entry! {
    /// FIPS 204, Algorithm 8 (`ML-DSA.Verify_internal`), for an expanded key.
    pub(crate) fn verify[P: ParameterSet](
        expanded: &Expanded<P>,
        mu: &Mu,
        signature: &P::SignatureBytes,
    ) -> Result<(), Error> = verify_body::<_, P>
}

pqsig_comm::entry! {
    /// Expands a key and verifies once.
    pub(crate) fn expand_and_verify[P: ParameterSet](
        vk: &P::VerifyingKeyBytes,
        mu: &Mu,
        signature: &P::SignatureBytes,
    ) -> Result<(), Error> = expand_and_verify_body::<_, P>
}

pqsig_comm::entry! {
    /// H(vk, 64), the `tr` of FIPS 204.
    pub(crate) fn key_hash[P: ParameterSet](vk: &P::VerifyingKeyBytes, tr: &mut [u8; 64])
        = key_hash_body::<_, P::VerifyingKeyBytes>
}

#[inline(always)]
fn key_hash_body<B: Backend, V: ByteArray>(b: B, vk: &V, tr: &mut [u8; 64]) {
    Shake256::digest(b, &[vk.as_ref()], tr);
}

#[inline(always)]
fn expand_body<B: Backend, P: ParameterSet>(
    b: B,
    vk: &P::VerifyingKeyBytes,
    expanded: &mut Expanded<P>,
) {
    expanded.fill(b, vk);
}

#[inline(always)]
fn expand_and_verify_body<B: Backend, P: ParameterSet>(
    b: B,
    vk: &P::VerifyingKeyBytes,
    mu: &Mu,
    signature: &P::SignatureBytes,
) -> Result<(), Error> {
    let decoded = Decoded::<P>::new(b, signature)?;
    let mut expanded = Expanded::<P>::ZERO;
    expanded.fill(b, vk);
    decoded.verify(b, &expanded, mu)
}

#[inline(always)]
fn verify_body<B: Backend, P: ParameterSet>(
    b: B,
    expanded: &Expanded<P>,
    mu: &Mu,
    signature: &P::SignatureBytes,
) -> Result<(), Error> {
    Decoded::<P>::new(b, signature)?.verify(b, expanded, mu)
}

/// A signature whose hint is well-formed and whose z is in range.
struct Decoded<'a, P: ParameterSet> {
    c_tilde: &'a [u8],
    z_hat: P::VecL<Poly<Ntt>>,
    hint: Hint<'a>,
}

impl<'a, P: ParameterSet> Decoded<'a, P> {
    /// FIPS 204, Algorithm 27 (`sigDecode`), and the norm test of line 13.
    #[inline(always)]
    fn new<B: Backend>(b: B, signature: &'a P::SignatureBytes) -> Result<Self, Error> {
        let (c_tilde, z_bytes, hint) = layout::signature::<P>(signature);
        let hint = Hint::decode::<P>(hint).ok_or(Error::InvalidSignature)?;
        let mut decoded = Self {
            c_tilde,
            z_hat: PolyVec::ZERO,
            hint,
        };
        let mut z = Poly::ZERO;
        let z_bytes = z_bytes.chunks_exact(P::GAMMA1.encoded_len());
        for (bytes, z_hat) in z_bytes.zip(decoded.z_hat.as_mut()) {
            encode::unpack_gamma1(b, P::GAMMA1, bytes, &mut z);
            if z.reaches(P::GAMMA1.value() - P::BETA) {
                return Err(Error::InvalidSignature);
            }
            b.ntt(&z, z_hat);
        }
        Ok(decoded)
    }

    /// Lines 8 to 13.
    #[inline(always)]
    fn verify<B: Backend>(&self, b: B, expanded: &Expanded<P>, mu: &Mu) -> Result<(), Error> {
        let mut c = [0; N];
        let mut c_hat = Poly::ZERO;
        let c_tilde = P::CTilde::from_slice(self.c_tilde)?;
        sample::sample_in_ball::<B, P>(b, &c_tilde, &mut c);
        let mut poly = Poly::new(c.map(i32::from));
        b.ntt(&poly, &mut c_hat);

        let mut shake = Shake256::new(b);
        shake.absorb(mu);
        let mut product = Poly::<Product>::ZERO;
        let mut hint = [0; 256];
        let mut bytes = [0; 192];
        let rows = expanded.a.as_ref().chunks_exact(P::L);
        for (i, (row, t1_hat)) in rows.zip(expanded.t1_hat.as_ref()).enumerate() {
            b.dot_minus(row, self.z_hat.as_ref(), (&c_hat, t1_hat), &mut product);
            b.inv_ntt(&product, &mut poly);
            poly.add_q_if_negative();
            self.hint.row(i, &mut hint);
            b.use_hint(P::GAMMA2, &hint, &mut poly);
            shake.absorb(encode::pack_w1(b, P::GAMMA2, &poly, &mut bytes));
        }
        let mut expected = P::CTilde::ZERO;
        shake.finish().read(expected.as_mut());
        if ct::eq(expected.as_ref(), self.c_tilde) {
            Ok(())
        } else {
            Err(Error::InvalidSignature)
        }
    }
}
