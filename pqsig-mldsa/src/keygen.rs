//! Key generation and import (FIPS 204, Algorithms 1 and 6, and section 3.6.2).

use crate::{
    backend::Backend,
    encode::{self, T0_LEN, T1_LEN, layout},
    params::ParameterSet,
    poly::{Element as _, Normal, Poly, Product},
    rows::{Kept, Once, Rows, Vector as _},
    sample,
};
use pqsig_comm::{Error, ct, shake::Shake256};
use zeroize::{Zeroize, Zeroizing};

/// How many polynomials of s1 and s2 are sampled at once.
const GROUP: usize = if cfg!(pqsig_small) { 1 } else { 4 };

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
    generate::<B, P, _>(b, seed, Once::<P>::new, sk, vk);
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
fn generate<B: Backend, P: ParameterSet, R: Rows<B>>(
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
    let mut s1_hat = Zeroizing::new(R::Vector::ZERO);
    let eta_len = P::ETA.encoded_len();
    sample::expand_s::<B, P, GROUP>(b, rho_prime, |i, s| {
        encode::pack_eta(b, P::ETA, s, &mut parts.s[i * eta_len..][..eta_len]);
        if i < P::L {
            s1_hat.set(b, i, s);
        }
    });

    // Steps 3 and 5 to 9.
    let (s1, s2) = parts.s.split_at(P::L * eta_len);
    let (vk_rho, vk_t1) = layout::verifying_key_mut::<P>(vk);
    vk_rho.copy_from_slice(rho);
    compute_t::<B, P, R>(b, rows(rho), (&s1_hat, s1), s2, |i, t0, t1| {
        encode::pack_t0(b, t0, &mut parts.t0[i * T0_LEN..][..T0_LEN]);
        b.pack::<10>(t1, &mut vk_t1[i * T1_LEN..][..T1_LEN]);
    });
    ct::public(vk);
    Shake256::digest(b, &[vk.as_ref()], parts.tr);
}

/// Computes t = A s1 + s2 row by row and hands (t0, t1) of each row to `put`. `s1` and `s2` are
/// encoded.
#[inline(always)]
fn compute_t<B: Backend, P: ParameterSet, R: Rows<B>>(
    b: B,
    mut rows: R,
    (s1_hat, s1): (&R::Vector, &[u8]),
    s2: &[u8],
    mut put: impl FnMut(usize, &Poly<Normal>, &Poly<Normal>),
) {
    let eta_len = P::ETA.encoded_len();
    let again = |j, s: &mut _| encode::unpack_eta(b, P::ETA, &s1[j * eta_len..][..eta_len], s);
    let mut product = Zeroizing::new(Poly::<Product>::ZERO);
    let mut t = Zeroizing::new(Poly::ZERO);
    let mut other = Zeroizing::new(Poly::ZERO);
    for (i, s2) in s2.chunks_exact(eta_len).enumerate() {
        rows.dot(b, s1_hat, again, &mut t, None, &mut product);
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
    check::<B, P, _>(b, Once::<P>::new(layout::signing_key::<P>(sk).rho), sk, vk)
}

#[inline(always)]
fn import_with_body<B: Backend, P: ParameterSet>(
    b: B,
    a: &P::Matrix,
    sk: &P::SigningKeyBytes,
    vk: &mut P::VerifyingKeyBytes,
) -> Result<(), Error> {
    check::<B, P, _>(b, Kept::<P>::new(a), sk, vk)
}

/// Checks all of an expanded signing key but K, for which there is no check.
#[inline(always)]
fn check<B: Backend, P: ParameterSet, R: Rows<B>>(
    b: B,
    rows: R,
    sk: &P::SigningKeyBytes,
    vk: &mut P::VerifyingKeyBytes,
) -> Result<(), Error> {
    let parts = layout::signing_key::<P>(sk);
    let eta_len = P::ETA.encoded_len();

    let mut valid = true;
    let mut s1_hat = Zeroizing::new(R::Vector::ZERO);
    let mut s = Zeroizing::new(Poly::ZERO);
    let encoded = parts
        .s1
        .chunks_exact(eta_len)
        .chain(parts.s2.chunks_exact(eta_len));
    for (i, bytes) in encoded.enumerate() {
        encode::unpack_eta(b, P::ETA, bytes, &mut s);
        valid &= !s.reaches(P::ETA.value() + 1);
        if i < P::L {
            s1_hat.set(b, i, &s);
        }
    }

    let (vk_rho, vk_t1) = layout::verifying_key_mut::<P>(vk);
    vk_rho.copy_from_slice(parts.rho);
    let mut t0_bytes = Zeroizing::new([0; T0_LEN]);
    compute_t::<B, P, R>(b, rows, (&s1_hat, parts.s1), parts.s2, |i, t0, t1| {
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
