//! Signing (FIPS 204, Algorithm 7).
//!
//! There is one body, [`sign_body`]. How much memory it has is the business of a [`Memory`]:
//! [`Ample`] keeps what will be needed again, [`Least`] computes it again.

mod ample;
mod least;

pub(crate) use ample::Expanded;

use crate::{
    backend::Backend,
    encode::{self, layout},
    hint::Packer,
    params::{N, ParameterSet},
    poly::{Element as _, Normal, Poly},
    sample,
    sparse::Challenge,
};
use ample::Ample;
use least::Least;
use pqsig_comm::{Error, ct, encoding::ByteArray, mu::Mu, shake::Shake256};
use zeroize::{Zeroize, Zeroizing};

/// How often signing tries before it gives up. FIPS 204, Appendix C, asks for at least 814;
/// NIST's list of potential updates says 821. The chance to get here is below 2^-256, and
/// 821 l stays far below 2^16, so no nonce of a mask ever repeats.
pub(crate) const MAX_ATTEMPTS: u16 = 821;

/// Where signing has a key, and what it keeps of an attempt.
trait Memory<B: Backend, P: ParameterSet> {
    /// Lines 11 to 13: the next y, w = A y, its high and low bits. The encoding of the high bits
    /// is absorbed.
    fn commit(&mut self, b: B, shake: &mut Shake256<B>);

    /// Polynomial `j` of y, which the caller may write to.
    fn y(&mut self, b: B, j: usize) -> &mut Poly<Normal>;

    /// Polynomial `i` of the low bits of w; later less c s2, later plus c t0.
    fn w0(&mut self, i: usize) -> &mut Poly<Normal>;

    /// [`Memory::w0`], and a polynomial that is zero where polynomial `i` of the high bits of w
    /// is.
    fn w0_and_w1(&mut self, b: B, i: usize) -> (&mut Poly<Normal>, &Poly<Normal>);

    /// c times polynomial `j` of s1.
    fn multiply_s1(&mut self, b: B, c: &Challenge, j: usize, out: &mut Poly<Normal>);

    /// c times polynomial `i` of s2.
    fn multiply_s2(&mut self, b: B, c: &Challenge, i: usize, out: &mut Poly<Normal>);

    /// c times polynomial `i` of t0.
    fn multiply_t0(&mut self, b: B, c: &Challenge, i: usize, out: &mut Poly<Normal>);
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
    ) -> Result<(), Error> = sign_ample::<_, P>
}

pqsig_comm::entry! {
    /// As [`sign`], for an encoded key.
    pub(crate) fn sign_once[P: ParameterSet](
        sk: &P::SigningKeyBytes,
        mu: &Mu,
        rnd: &[u8; 32],
        signature: &mut P::SignatureBytes,
    ) -> Result<(), Error> = sign_once_body::<_, P>
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
fn sign_once_body<B: Backend, P: ParameterSet>(
    b: B,
    sk: &P::SigningKeyBytes,
    mu: &Mu,
    rnd: &[u8; 32],
    signature: &mut P::SignatureBytes,
) -> Result<(), Error> {
    if cfg!(pqsig_small) {
        sign_least::<B, P>(b, sk, mu, rnd, signature)
    } else {
        let mut expanded = Expanded::<P>::ZERO;
        expanded.fill(b, sk);
        sign_ample(b, &expanded, mu, rnd, MAX_ATTEMPTS, signature)
    }
}

#[inline(always)]
fn sign_ample<B: Backend, P: ParameterSet>(
    b: B,
    expanded: &Expanded<P>,
    mu: &Mu,
    rnd: &[u8; 32],
    attempts: u16,
    signature: &mut P::SignatureBytes,
) -> Result<(), Error> {
    let seed = mask_seed(b, expanded.key(), rnd, mu);
    let memory = Ample::new(b, expanded, &seed);
    sign_body::<B, P, _>(b, memory, mu, attempts, signature)
}

#[inline(always)]
fn sign_least<B: Backend, P: ParameterSet>(
    b: B,
    sk: &P::SigningKeyBytes,
    mu: &Mu,
    rnd: &[u8; 32],
    signature: &mut P::SignatureBytes,
) -> Result<(), Error> {
    let key = layout::signing_key::<P>(sk);
    let seed = mask_seed(b, key.key, rnd, mu);
    let memory = Least::<P>::new(key, &seed);
    sign_body::<B, P, _>(b, memory, mu, MAX_ATTEMPTS, signature)
}

/// Line 7: the rho'' that masks are derived from.
#[inline(always)]
fn mask_seed<B: Backend>(b: B, key: &[u8; 32], rnd: &[u8; 32], mu: &Mu) -> Zeroizing<[u8; 64]> {
    let mut seed = Zeroizing::new([0; 64]);
    Shake256::digest(b, &[key, rnd, mu], &mut *seed);
    seed
}

#[inline(always)]
fn sign_body<B: Backend, P: ParameterSet, M: Memory<B, P>>(
    b: B,
    mut memory: M,
    mu: &Mu,
    attempts: u16,
    signature: &mut P::SignatureBytes,
) -> Result<(), Error> {
    let mut c = Challenge::ZERO;
    let mut product = Zeroizing::new(Poly::ZERO);
    for _ in 0..attempts {
        challenge::<B, P>(b, &mut memory, mu, &mut c, signature);
        if respond::<B, P>(b, &mut memory, &c, &mut product, signature).is_some() {
            return Ok(());
        }
    }
    // Nothing of a rejected attempt may leave.
    signature.as_mut().zeroize();
    Err(Error::SigningFailed)
}

/// Lines 11 to 17: the commitment, its hash, written into the signature, and the challenge.
#[inline(always)]
fn challenge<B: Backend, P: ParameterSet>(
    b: B,
    memory: &mut impl Memory<B, P>,
    mu: &Mu,
    challenge: &mut Challenge,
    signature: &mut P::SignatureBytes,
) {
    let (c_tilde, _, _) = layout::signature_mut::<P>(signature);
    let mut shake = Shake256::new(b);
    shake.absorb(mu);
    memory.commit(b, &mut shake);
    let mut hash = P::CTilde::ZERO;
    shake.finish().read(hash.as_mut());
    // A hash of the commitment. That of a rejected attempt does not leave, but the time of
    // sampling c from it may: by the random-oracle argument of Dilithium, section 5.5, it is
    // independent of the secrets as long as w1 itself stays secret.
    let hash = ct::declassify(hash);
    c_tilde.copy_from_slice(hash.as_ref());
    let mut c = [0; N];
    sample::sample_in_ball::<B, P>(b, &hash, &mut c);
    challenge.set(&c);
}

/// Lines 18 to 33: z and the hint, written into the signature; `None` for a rejection. `product`
/// is space for products with c.
///
/// Each decision is public, and so is its place: how often and where an attempt fails is
/// independent of the secrets (FIPS 204, section 3.2; Dilithium, section 5.5). What a decision is
/// computed from stays secret, so each test looks at a whole polynomial.
#[inline(always)]
fn respond<B: Backend, P: ParameterSet>(
    b: B,
    memory: &mut impl Memory<B, P>,
    c: &Challenge,
    product: &mut Poly<Normal>,
    signature: &mut P::SignatureBytes,
) -> Option<()> {
    let (_, z_bytes, hint_bytes) = layout::signature_mut::<P>(signature);
    let gamma2 = P::GAMMA2.value();

    // r0 = LowBits(w - c s2). While LowBits(w) - c s2 is below gamma2 - beta, it is r0, and
    // w - c s2 has the high bits of w; when it is not, neither is r0. This test comes first
    // because it fails most often.
    for i in 0..P::K {
        memory.multiply_s2(b, c, i, product);
        let w0 = memory.w0(i);
        w0.sub(product);
        accept(!w0.reaches(gamma2 - P::BETA))?;
    }

    // z = y + c s1.
    let z_bytes = z_bytes.chunks_exact_mut(P::GAMMA1.encoded_len());
    for (j, bytes) in z_bytes.enumerate() {
        memory.multiply_s1(b, c, j, product);
        let z = memory.y(b, j);
        z.add(product);
        accept(!z.reaches(P::GAMMA1.value() - P::BETA))?;
        encode::pack_gamma1(b, P::GAMMA1, z, bytes);
    }

    // The hint lets the verifier, who lacks t0, find the high bits of w - c s2.
    let mut packer = Packer::new::<P>(hint_bytes);
    let mut hint = [0; 256];
    for i in 0..P::K {
        memory.multiply_t0(b, c, i, product);
        accept(!product.reaches(gamma2))?;
        let (w0, w1) = memory.w0_and_w1(b, i);
        w0.add(product);
        let ones = b.make_hint(P::GAMMA2, w0, w1, &mut hint);
        // The hint is part of the signature, and its weight decides on acceptance.
        packer.push(&ct::declassify(hint), ct::declassify(ones))?;
    }
    // y became z, which passed every test: it is the signature.
    ct::public(&*signature);
    Some(())
}

/// A decision of the rejection loop, declassified.
#[inline(always)]
fn accept(flag: bool) -> Option<()> {
    ct::public_flag(flag).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MlDsa44, MlDsa65, MlDsa87, SigningKey};
    use pqsig_comm::arch::Portable;

    /// Both kinds of memory give the same signatures.
    fn signatures_do_not_depend_on_memory<P: ParameterSet>() {
        for seed in 0..20 {
            let key = SigningKey::<P>::from_seed(&[seed; 32]);
            let (mu, rnd) = ([seed; 64], [!seed; 32]);
            let mut expanded = Expanded::<P>::ZERO;
            expand::<P>(key.expanded(), &mut expanded);
            let mut ample = P::SignatureBytes::ZERO;
            let made = sign_ample(Portable, &expanded, &mu, &rnd, MAX_ATTEMPTS, &mut ample);
            assert_eq!(made, Ok(()));
            let mut least = P::SignatureBytes::ZERO;
            let made = sign_least::<_, P>(Portable, key.expanded(), &mu, &rnd, &mut least);
            assert_eq!(made, Ok(()));
            assert_eq!(ample.as_ref(), least.as_ref());
        }
    }

    #[test]
    fn signatures_do_not_depend_on_memory_44() {
        signatures_do_not_depend_on_memory::<MlDsa44>();
    }

    #[test]
    fn signatures_do_not_depend_on_memory_65() {
        signatures_do_not_depend_on_memory::<MlDsa65>();
    }

    #[test]
    fn signatures_do_not_depend_on_memory_87() {
        signatures_do_not_depend_on_memory::<MlDsa87>();
    }
}
