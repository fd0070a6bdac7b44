//! Key generation and import (FIPS 204, Algorithms 1 and 6, and section 3.6.2).

use crate::{
    backend::Backend,
    encode::{self, T0_LEN, T1_LEN, layout},
    params::ParameterSet,
    poly::{Element as _, Normal, Ntt, Poly, PolyVec, Product},
    rows::{Kept, Rows, Sampled},
    sample,
};
use pqsig_comm::{Error, ct, shake::Shake256};
use zeroize::{Zeroize, Zeroizing};

/// Polynomials of s1 in the transformed domain, wiped on drop.
type S1Hat<P> = Zeroizing<<P as crate::params::sealed::Params>::VecL<Poly<Ntt>>>;

pqsig_comm::entry! {
    /// FIPS 204, Algorithm 6 (`ML-DSA.KeyGen_internal`).
    pub(crate) fn from_seed[P: ParameterSet](
        seed: &[u8; 32],
        sk: &mut P::SigningKeyBytes,
        vk: &mut P::VerifyingKeyBytes,
    ) = from_seed_body::<_, P>
}

pqsig_comm::entry! {
    /// As [`from_seed`]; leaves A in `a`.
    pub(crate) fn from_seed_with[P: ParameterSet](
        seed: &[u8; 32],
        a: &mut P::Matrix,
        sk: &mut P::SigningKeyBytes,
        vk: &mut P::VerifyingKeyBytes,
    ) = from_seed_with_body::<_, P>
}

pqsig_comm::entry! {
    /// Checks an expanded signing key against itself and computes its verifying key.
    pub(crate) fn import[P: ParameterSet](
        sk: &P::SigningKeyBytes,
        vk: &mut P::VerifyingKeyBytes,
    ) -> Result<(), Error> = import_body::<_, P>
}

pqsig_comm::entry! {
    /// As [`import`], with the key's A at hand.
    pub(crate) fn import_with[P: ParameterSet](
        a: &P::Matrix,
        sk: &P::SigningKeyBytes,
        vk: &mut P::VerifyingKeyBytes,
    ) -> Result<(), Error> = import_with_body::<_, P>
}

#[inline(always)]
fn from_seed_body<B: Backend, P: ParameterSet>(
    b: B,
    seed: &[u8; 32],
    sk: &mut P::SigningKeyBytes,
    vk: &mut P::VerifyingKeyBytes,
) {
    generate::<B, P, _>(b, seed, |rho| Sampled::<B, P>::new(b, rho), sk, vk);
}

#[inline(always)]
fn from_seed_with_body<B: Backend, P: ParameterSet>(
    b: B,
    seed: &[u8; 32],
    a: &mut P::Matrix,
    sk: &mut P::SigningKeyBytes,
    vk: &mut P::VerifyingKeyBytes,
) {
    generate::<B, P, _>(b, seed, |rho| Kept::<P>::sampled(b, rho, a), sk, vk);
}

#[inline(always)]
fn generate<B: Backend, P: ParameterSet, R: Rows>(
    b: B,
    seed: &[u8; 32],
    rows: impl FnOnce(&[u8; 32]) -> R,
    sk: &mut P::SigningKeyBytes,
    vk: &mut P::VerifyingKeyBytes,
) {
    // Step 1: (rho, rho', K) = H(seed || k || l, 128).
    let mut expanded = Zeroizing::new([0; 128]);
    let lengths = [P::K as u8, P::L as u8];
    Shake256::digest(b, &[seed, &lengths], &mut *expanded);
    let (rho, rest) = expanded.split_at(32);
    let (rho_prime, key) = rest.split_at(64);
    let rho: &[u8; 32] = rho.try_into().expect("32 bytes");
    let rho_prime: &[u8; 64] = rho_prime.try_into().expect("64 bytes");
    // rho is part of the verifying key.
    let rho = &ct::declassify(*rho);

    let parts = layout::signing_key_mut::<P>(sk);
    parts.rho.copy_from_slice(rho);
    parts.key.copy_from_slice(key);

    // Step 4: s1 and s2, kept in their encoded form until they are used.
    let mut s1_hat: S1Hat<P> = Zeroizing::new(PolyVec::ZERO);
    let eta_len = P::ETA.encoded_len();
    sample::expand_s::<B, P>(b, rho_prime, |i, s| {
        encode::pack_eta(b, P::ETA, s, &mut parts.s[i * eta_len..][..eta_len]);
        if let Some(s1_hat) = s1_hat.as_mut().get_mut(i) {
            b.ntt(s, s1_hat);
        }
    });

    // Steps 3 and 5 to 9.
    let s2 = &parts.s[P::L * eta_len..];
    let (vk_rho, vk_t1) = layout::verifying_key_mut::<P>(vk);
    vk_rho.copy_from_slice(rho);
    compute_t::<B, P>(b, rows(rho), &s1_hat, s2, |i, t0, t1| {
        encode::pack_t0(b, t0, &mut parts.t0[i * T0_LEN..][..T0_LEN]);
        b.pack::<10>(t1, &mut vk_t1[i * T1_LEN..][..T1_LEN]);
    });
    ct::public(vk);
    Shake256::digest(b, &[vk.as_ref()], parts.tr);
}

/// Computes t = A s1 + s2 row by row and hands (t0, t1) of each row to `put`.
#[inline(always)]
fn compute_t<B: Backend, P: ParameterSet>(
    b: B,
    mut rows: impl Rows,
    s1_hat: &P::VecL<Poly<Ntt>>,
    s2: &[u8],
    mut put: impl FnMut(usize, &Poly<Normal>, &Poly<Normal>),
) {
    let mut product = Zeroizing::new(Poly::<Product>::ZERO);
    let mut t = Zeroizing::new(Poly::ZERO);
    let mut other = Zeroizing::new(Poly::ZERO);
    for (i, s2) in s2.chunks_exact(P::ETA.encoded_len()).enumerate() {
        b.dot(rows.next(), s1_hat.as_ref(), &mut product);
        b.inv_ntt(&product, &mut t);
        encode::unpack_eta(b, P::ETA, s2, &mut other);
        t.add(&other);
        t.add_q_if_negative();
        b.power2round(&mut t, &mut other);
        put(i, &t, &other);
    }
}

#[inline(always)]
fn import_body<B: Backend, P: ParameterSet>(
    b: B,
    sk: &P::SigningKeyBytes,
    vk: &mut P::VerifyingKeyBytes,
) -> Result<(), Error> {
    let rows = Sampled::<B, P>::new(b, layout::signing_key::<P>(sk).rho);
    check::<B, P>(b, rows, sk, vk)
}

#[inline(always)]
fn import_with_body<B: Backend, P: ParameterSet>(
    b: B,
    a: &P::Matrix,
    sk: &P::SigningKeyBytes,
    vk: &mut P::VerifyingKeyBytes,
) -> Result<(), Error> {
    check::<B, P>(b, Kept::<P>::new(a), sk, vk)
}

/// Checks all of an expanded signing key but K, for which there is no check.
#[inline(always)]
fn check<B: Backend, P: ParameterSet>(
    b: B,
    rows: impl Rows,
    sk: &P::SigningKeyBytes,
    vk: &mut P::VerifyingKeyBytes,
) -> Result<(), Error> {
    let parts = layout::signing_key::<P>(sk);
    let eta_len = P::ETA.encoded_len();

    let mut valid = true;
    let mut s1_hat: S1Hat<P> = Zeroizing::new(PolyVec::ZERO);
    let mut s = Zeroizing::new(Poly::ZERO);
    let encoded = parts
        .s1
        .chunks_exact(eta_len)
        .chain(parts.s2.chunks_exact(eta_len));
    for (i, bytes) in encoded.enumerate() {
        encode::unpack_eta(b, P::ETA, bytes, &mut s);
        valid &= !s.reaches(P::ETA.value() + 1);
        if let Some(s1_hat) = s1_hat.as_mut().get_mut(i) {
            b.ntt(&s, s1_hat);
        }
    }

    let (vk_rho, vk_t1) = layout::verifying_key_mut::<P>(vk);
    vk_rho.copy_from_slice(parts.rho);
    let mut t0_bytes = Zeroizing::new([0; T0_LEN]);
    compute_t::<B, P>(b, rows, &s1_hat, parts.s2, |i, t0, t1| {
        encode::pack_t0(b, t0, &mut *t0_bytes);
        valid &= ct::eq(&*t0_bytes, &parts.t0[i * T0_LEN..][..T0_LEN]);
        b.pack::<10>(t1, &mut vk_t1[i * T1_LEN..][..T1_LEN]);
    });

    let mut tr = [0; 64];
    Shake256::digest(b, &[vk.as_ref()], &mut tr);
    valid &= ct::eq(&tr, parts.tr);
    // Whether an import succeeds is what the caller asked.
    if ct::public_flag(valid) {
        Ok(())
    } else {
        vk.as_mut().zeroize();
        Err(Error::InvalidKey)
    }
}
