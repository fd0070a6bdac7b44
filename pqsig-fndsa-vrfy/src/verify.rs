//! Verification. Everything here is public.

use pqsig_comm::{
    Error,
    fndsa::{
        ParameterSet, Signature, codec, derive,
        hash_to_point::{BLOCK, HashToPoint},
        mq::Backend,
        params::PolyArray,
    },
    mu::Mu,
};

pqsig_comm::entry! {
    /// The hash of an encoded verifying key.
    pub(crate) fn key_hash[P: ParameterSet](vk: &P::VerifyingKeyBytes) -> [u8; 64]
        = derive::key_hash::<_, P>
}

pqsig_comm::entry! {
    /// Turns an encoded verifying key that was checked into what [`verify_prepared`] takes.
    pub(crate) fn prepare[P: ParameterSet](
        vk: &P::VerifyingKeyBytes,
        h_hat: &mut P::Poly<i16>,
    ) = prepare_body::<_, P>
}

pqsig_comm::entry! {
    /// Verifies with a prepared key.
    pub(crate) fn verify_prepared[P: ParameterSet](
        h_hat: &P::Poly<i16>,
        mu: &Mu,
        signature: &Signature<P>,
    ) -> Result<(), Error> = verify_prepared_body::<_, P>
}

pqsig_comm::entry! {
    /// Verifies with an encoded key that was checked.
    pub(crate) fn verify_encoded[P: ParameterSet](
        vk: &P::VerifyingKeyBytes,
        mu: &Mu,
        signature: &Signature<P>,
    ) -> Result<(), Error> = verify_encoded_body::<_, P>
}

#[inline(always)]
fn prepare_body<B: Backend, P: ParameterSet>(
    b: B,
    vk: &P::VerifyingKeyBytes,
    h_hat: &mut P::Poly<i16>,
) {
    load::<B, P>(b, vk, h_hat.as_mut());
}

#[inline(always)]
fn verify_prepared_body<B: Backend, P: ParameterSet>(
    b: B,
    h_hat: &P::Poly<i16>,
    mu: &Mu,
    signature: &Signature<P>,
) -> Result<(), Error> {
    verify(b, mu, signature, |s2_hat, _| {
        b.multiply(s2_hat, h_hat.as_ref());
    })
}

#[inline(always)]
fn verify_encoded_body<B: Backend, P: ParameterSet>(
    b: B,
    vk: &P::VerifyingKeyBytes,
    mu: &Mu,
    signature: &Signature<P>,
) -> Result<(), Error> {
    verify(b, mu, signature, |s2_hat, h_hat| {
        load::<B, P>(b, vk, h_hat);
        b.multiply(s2_hat, h_hat);
    })
}

/// Decodes a key that was checked, as a factor for products.
#[inline(always)]
fn load<B: Backend, P: ParameterSet>(b: B, vk: &P::VerifyingKeyBytes, h_hat: &mut [i16]) {
    // A key is checked when it is made, so this does not fail.
    let checked = codec::decode_verifying_key::<P>(vk, h_hat);
    debug_assert!(checked.is_ok());
    b.prescale(h_hat);
}

/// Accepts a signature of mu iff `(s1, s2)` with `s1 = c - s2 h` is short: no coefficient above
/// 840, and the squared norm at most beta^2.
///
/// `multiply_by_h` multiplies its first argument, the NTT of s2, by h; it may use the second one
/// as scratch.
#[inline(always)]
fn verify<B: Backend, P: ParameterSet>(
    b: B,
    mu: &Mu,
    signature: &Signature<P>,
    multiply_by_h: impl FnOnce(&mut [i16], &mut [i16]),
) -> Result<(), Error> {
    let mut s2 = P::Poly::<i16>::ZERO;
    let s2 = s2.as_mut();
    let mut s2_hat = P::Poly::<i16>::ZERO;
    let s2_hat = s2_hat.as_mut();

    // The bound on the coefficients of s2 is part of decoding.
    if !signature.decode_s2(s2) {
        return Err(Error::InvalidSignature);
    }
    // With 1024 coefficients of at most 840 in s2 and in s1 the norm is below 2^31.
    let mut norm: u32 = s2
        .iter()
        .map(|&s| (i32::from(s) * i32::from(s)) as u32)
        .sum();

    b.ntt(s2, s2_hat);
    multiply_by_h(s2_hat, s2);
    let mut t = s2;
    b.inv_ntt(s2_hat, t);

    let mut c = HashToPoint::new(b, signature.nonce(), mu);
    let mut block = [0; BLOCK];
    while !t.is_empty() {
        let count = c.next_block(&mut block).min(t.len());
        let (head, tail) = t.split_at_mut(count);
        norm += b
            .difference_norm(&block[..count], head)
            .ok_or(Error::InvalidSignature)?;
        t = tail;
    }
    if norm <= P::MAX_SQUARED_NORM {
        Ok(())
    } else {
        Err(Error::InvalidSignature)
    }
}
