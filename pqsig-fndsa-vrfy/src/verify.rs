//! Verification. Everything here is public.

use pqsig_comm::{
    Error,
    fndsa::{
        ParameterSet, Signature, codec, derive,
        hash_to_point::{BLOCK, HashToPoint, HashToPointX4},
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

/// What [`verify_four`] takes of each signature.
pub(crate) struct Item<'a, P: ParameterSet> {
    /// An encoded key that was checked.
    pub(crate) vk: &'a P::VerifyingKeyBytes,
    pub(crate) mu: Mu,
    pub(crate) signature: &'a Signature<P>,
}

pqsig_comm::entry! {
    /// Verifies four signatures together.
    pub(crate) fn verify_four[P: ParameterSet](
        items: &[Item<'_, P>; 4],
    ) -> [Result<(), Error>; 4] = verify_four_body::<_, P>
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
    let mut t = P::Poly::<i16>::ZERO;
    let mut scratch = P::Poly::<i16>::ZERO;
    let norm = product(b, signature, t.as_mut(), scratch.as_mut(), multiply_by_h);
    let mut rest = Rest {
        t: t.as_ref(),
        norm,
    };
    let mut c = HashToPoint::new(b, signature.nonce(), mu);
    let mut block = [0; BLOCK];
    while rest.is_open() {
        let count = c.next_block(&mut block);
        rest.subtract_from(b, &block[..count]);
    }
    rest.verdict::<P>()
}

/// As [`verify`], for four signatures, whose hashes run side by side.
#[inline(always)]
fn verify_four_body<B: Backend, P: ParameterSet>(
    b: B,
    items: &[Item<'_, P>; 4],
) -> [Result<(), Error>; 4] {
    let mut t = [P::Poly::<i16>::ZERO; 4];
    let mut scratch = P::Poly::<i16>::ZERO;
    let mut norms = [None; 4];
    for ((t, norm), item) in t.iter_mut().zip(&mut norms).zip(items) {
        let multiply_by_h = |s2_hat: &mut [i16], h_hat: &mut [i16]| {
            load::<B, P>(b, item.vk, h_hat);
            b.multiply(s2_hat, h_hat);
        };
        let scratch = scratch.as_mut();
        *norm = product(b, item.signature, t.as_mut(), scratch, multiply_by_h);
    }
    let mut rests: [_; 4] = core::array::from_fn(|lane| Rest {
        t: t[lane].as_ref(),
        norm: norms[lane],
    });
    let inputs = core::array::from_fn(|lane| (items[lane].signature.nonce(), &items[lane].mu));
    let mut c = HashToPointX4::new(b, inputs);
    let mut blocks = [[0; BLOCK]; 4];
    while rests.iter().any(Rest::is_open) {
        let counts = c.next_blocks(&mut blocks);
        for ((rest, block), count) in rests.iter_mut().zip(&blocks).zip(counts) {
            rest.subtract_from(b, &block[..count]);
        }
    }
    rests.map(|rest| rest.verdict::<P>())
}

/// `t = s2 h` and the squared norm of s2; `None` if s2 is not canonical.
#[inline(always)]
fn product<B: Backend, P: ParameterSet>(
    b: B,
    signature: &Signature<P>,
    t: &mut [i16],
    scratch: &mut [i16],
    multiply_by_h: impl FnOnce(&mut [i16], &mut [i16]),
) -> Option<u32> {
    // The bound on the coefficients of s2 is part of decoding.
    if !signature.decode_s2(t) {
        return None;
    }
    let norm = t
        .iter()
        .map(|&s| (i32::from(s) * i32::from(s)) as u32)
        .sum();
    b.ntt(t, scratch);
    multiply_by_h(scratch, t);
    b.inv_ntt(scratch, t);
    Some(norm)
}

/// The part of `t` that no coefficient of c has been seen for yet, and the norm so far: `None`
/// once a coefficient is out of range.
struct Rest<'a> {
    t: &'a [i16],
    norm: Option<u32>,
}

impl Rest<'_> {
    /// Whether more of c is of interest.
    #[inline(always)]
    fn is_open(&self) -> bool {
        self.norm.is_some() && !self.t.is_empty()
    }

    /// Takes the next coefficients of c, or as many as there are left.
    #[inline(always)]
    fn subtract_from<B: Backend>(&mut self, b: B, c: &[u16]) {
        if let Some(norm) = self.norm {
            let count = c.len().min(self.t.len());
            let (t, rest) = self.t.split_at(count);
            self.t = rest;
            // With 1024 coefficients of at most 840 in s2 and in s1, this is below 2^31.
            self.norm = b.difference_norm(&c[..count], t).map(|more| norm + more);
        }
    }

    #[inline(always)]
    fn verdict<P: ParameterSet>(self) -> Result<(), Error> {
        match self.norm {
            Some(norm) if norm <= P::MAX_SQUARED_NORM => Ok(()),
            _ => Err(Error::InvalidSignature),
        }
    }
}
