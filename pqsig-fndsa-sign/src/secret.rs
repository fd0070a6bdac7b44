//! What a signing key is made of: the encoded key, and what is quick to keep but slow to
//! recompute.

use crate::ntru;
use pqsig_comm::{
    Error, ct,
    encoding::ByteArray,
    fndsa::{
        codec, derive,
        mq::{self, Backend},
        params::{CAPITAL_F_BITS, MAX_CAPITAL_F, ParameterSet, PolyArray},
    },
};
use zeroize::{Zeroize, Zeroizing};

/// ||(f, g)||^2 is below this: `1.17^2 q`, rounded up (Falcon, Algorithm 5).
const MAX_SQUARED_NORM_FG: i32 = 16_823;

/// The secret parts of a signing key. Wiped on drop.
#[derive(Clone)]
pub(crate) struct Secret<P: ParameterSet> {
    /// The encoded key.
    pub(crate) bytes: P::SigningKeyBytes,
    /// G, which the encoding lacks.
    capital_g: P::Poly<i8>,
    /// The hash that hedges the randomness of a signature.
    pub(crate) hedge: [u8; 40],
}

/// The polynomials of a key, small.
pub(crate) struct Small<P: ParameterSet> {
    pub(crate) f: P::Poly<i8>,
    pub(crate) g: P::Poly<i8>,
    pub(crate) capital_f: P::Poly<i8>,
}

impl<P: ParameterSet> Secret<P> {
    pub(crate) const ZERO: Self = Self {
        bytes: P::SigningKeyBytes::ZERO,
        capital_g: P::Poly::ZERO,
        hedge: [0; 40],
    };

    /// The secret of a key that was just generated.
    #[cfg(feature = "kgen")]
    pub(crate) fn of_generated(key: &pqsig_fndsa_kgen::GeneratedKey<P>) -> Self {
        let [_, _, _, capital_g] = key.basis();
        let mut secret = Self::ZERO;
        secret.bytes = *key.signing_key();
        secret.capital_g.as_mut().copy_from_slice(capital_g);
        if let Ok(fields) = fields::<P>(&secret.bytes) {
            derive::hedge_secret(pqsig_comm::arch::Detected, fields.fg, &mut secret.hedge);
        }
        secret
    }

    /// The hash of the verifying key, as the encoding has it.
    pub(crate) fn stored_key_hash(&self) -> Option<&[u8; 64]> {
        Some(fields::<P>(&self.bytes).ok()?.key_hash)
    }

    /// f, g and F, decoded anew.
    #[inline(always)]
    pub(crate) fn small(&self) -> Small<P> {
        let mut small = Small::ZERO;
        if let Ok(fields) = fields::<P>(&self.bytes) {
            // The encoding was checked when the key was made.
            let _ = small.decode(&fields);
        }
        small
    }

    pub(crate) fn capital_g(&self) -> &P::Poly<i8> {
        &self.capital_g
    }
}

impl<P: ParameterSet> Drop for Secret<P> {
    fn drop(&mut self) {
        self.bytes.zeroize();
        self.capital_g.zeroize();
        self.hedge.zeroize();
    }
}

impl<P: ParameterSet> Small<P> {
    const ZERO: Self = Self {
        f: P::Poly::ZERO,
        g: P::Poly::ZERO,
        capital_f: P::Poly::ZERO,
    };

    /// Returns whether all coefficients are in range.
    #[inline(always)]
    fn decode(&mut self, fields: &codec::SigningKeyFields<'_>) -> bool {
        codec::decode_trimmed(P::FG_BITS, fields.f, self.f.as_mut())
            & codec::decode_trimmed(P::FG_BITS, fields.g, self.g.as_mut())
            & codec::decode_trimmed(CAPITAL_F_BITS, fields.capital_f, self.capital_f.as_mut())
    }

    /// ||(f, g)||^2. Out: at most 2^25.
    #[inline(always)]
    fn squared_norm(&self) -> i32 {
        let square = |x: &i8| i32::from(*x) * i32::from(*x);
        (self.f.as_ref().iter().chain(self.g.as_ref()))
            .map(square)
            .sum()
    }
}

impl<P: ParameterSet> Drop for Small<P> {
    fn drop(&mut self) {
        self.f.zeroize();
        self.g.zeroize();
        self.capital_f.zeroize();
    }
}

pqsig_comm::entry! {
    /// Takes the encoded key in `secret` apart and computes the
    /// rest of `secret` and the verifying key.
    ///
    /// Everything that could keep the key from signing is checked, except for the hash of the
    /// verifying key: ranges, f invertible, G in range, the norm of (f, g), the NTRU equation
    /// over the integers. What may be learnt is that one of them failed.
    ///
    /// # Errors
    /// [`Error::InvalidKey`].
    pub(crate) fn import[P: ParameterSet](
        secret: &mut Secret<P>,
        vk: &mut P::VerifyingKeyBytes,
    ) -> Result<(), Error> = import_body::<_, P>
}

#[inline(always)]
fn import_body<B: Backend, P: ParameterSet>(
    b: B,
    secret: &mut Secret<P>,
    vk: &mut P::VerifyingKeyBytes,
) -> Result<(), Error> {
    let fields = fields::<P>(&secret.bytes)?;
    let mut small = Small::<P>::ZERO;
    check(small.decode(&fields))?;
    check(small.squared_norm() < MAX_SQUARED_NORM_FG)?;
    derive::hedge_secret(b, fields.fg, &mut secret.hedge);

    let mut h_hat = Zeroizing::new(P::Poly::<i16>::ZERO);
    check(verifying_polynomial::<B, P>(b, &small, &mut h_hat))?;
    // h is public.
    ct::public(h_hat.as_ref());
    codec::encode_verifying_key::<P>(h_hat.as_ref(), vk);

    let in_range = last_polynomial::<B, P>(b, &mut h_hat, &small, &mut secret.capital_g);
    check(in_range)?;
    check(ntru::is_solution::<P>(
        &small.f,
        &small.g,
        &small.capital_f,
        &secret.capital_g,
    ))
}

/// The fields of an encoded key.
///
/// # Errors
/// [`Error::InvalidKey`] for a wrong header.
fn fields<P: ParameterSet>(
    bytes: &P::SigningKeyBytes,
) -> Result<codec::SigningKeyFields<'_>, Error> {
    // The header tells the parameter set and no more.
    if let Some(header) = bytes.as_ref().first() {
        ct::public(header);
    }
    codec::split_signing_key::<P>(bytes)
}

/// Whether a key is valid is public.
#[inline(always)]
fn check(flag: bool) -> Result<(), Error> {
    if ct::public_flag(flag) {
        Ok(())
    } else {
        Err(Error::InvalidKey)
    }
}

/// The NTT of h = g / f. Returns whether f is invertible.
#[inline(always)]
fn verifying_polynomial<B: Backend, P: ParameterSet>(
    b: B,
    small: &Small<P>,
    h_hat: &mut P::Poly<i16>,
) -> bool {
    let mut f_hat = Zeroizing::new(P::Poly::<i16>::ZERO);
    transform::<B, P>(b, &small.g, h_hat);
    transform::<B, P>(b, &small.f, &mut f_hat);
    b.divide(h_hat.as_mut(), f_hat.as_ref())
}

/// G = h F mod q, centred. Returns whether it is in range. `h_hat` is overwritten.
#[inline(always)]
fn last_polynomial<B: Backend, P: ParameterSet>(
    b: B,
    h_hat: &mut P::Poly<i16>,
    small: &Small<P>,
    capital_g: &mut P::Poly<i8>,
) -> bool {
    let mut product = Zeroizing::new(P::Poly::<i16>::ZERO);
    transform::<B, P>(b, &small.capital_f, &mut product);
    b.prescale(h_hat.as_mut());
    b.multiply(product.as_mut(), h_hat.as_ref());
    b.inv_ntt(product.as_mut(), h_hat.as_mut());
    let limit = i16::from(MAX_CAPITAL_F);
    let mut outside = 0;
    for (to, from) in capital_g.as_mut().iter_mut().zip(h_hat.as_ref()) {
        let value = mq::center(*from);
        outside |= (limit - value) | (limit + value);
        *to = value as i8;
    }
    outside >= 0
}

#[inline(always)]
fn transform<B: Backend, P: ParameterSet>(b: B, a: &P::Poly<i8>, a_hat: &mut P::Poly<i16>) {
    let mut wide = Zeroizing::new(P::Poly::<i16>::ZERO);
    for (wide, a) in wide.as_mut().iter_mut().zip(a.as_ref()) {
        *wide = i16::from(*a);
    }
    b.ntt(wide.as_mut(), a_hat.as_mut());
}
