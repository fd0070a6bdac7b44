//! A key as it comes out of the search.

use crate::search::{self, Basis, Memory};
use pqsig_comm::{
    ct,
    encoding::ByteArray,
    fndsa::{
        codec, derive,
        params::{ParameterSet, PolyArray},
    },
};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A generated key: encoded, and the polynomials that it encodes, for a signer that would
/// otherwise decode them again (and compute G, which the encoding leaves out).
///
/// Size in bytes, about: 4.3 kB (512), 8.3 kB (1024). Wiped on drop.
pub struct GeneratedKey<P: ParameterSet> {
    signing_key: P::SigningKeyBytes,
    verifying_key: P::VerifyingKeyBytes,
    f: P::Poly<i8>,
    g: P::Poly<i8>,
    capital_f: P::Poly<i8>,
    capital_g: P::Poly<i8>,
}

impl<P: ParameterSet> GeneratedKey<P> {
    /// A fresh key from 32 bytes of `rng`, drawn in one call.
    ///
    /// # Errors
    /// That of `rng`.
    pub fn try_generate_from_rng<R: rand_core::TryCryptoRng + ?Sized>(
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut seed = zeroize::Zeroizing::new([0; pqsig_comm::fndsa::params::KEYGEN_SEED_LEN]);
        rng.try_fill_bytes(&mut *seed)?;
        Ok(Self::from_seed(&*seed))
    }

    /// The key of a seed of any length.
    pub(crate) fn from_seed(seed: &[u8]) -> Self {
        ct::secret(seed);
        let mut key = Self {
            signing_key: P::SigningKeyBytes::ZERO,
            verifying_key: P::VerifyingKeyBytes::ZERO,
            f: PolyArray::ZERO,
            g: PolyArray::ZERO,
            capital_f: PolyArray::ZERO,
            capital_g: PolyArray::ZERO,
        };
        // Only one of these is compiled for a parameter set.
        match P::LOGN {
            10 => key.fill::<{ search::scratch_len(10) }>(seed),
            9 => key.fill::<{ search::scratch_len(9) }>(seed),
            _ => key.fill::<{ search::scratch_len(8) }>(seed),
        }
        key
    }

    /// Searches and encodes, with `SCRATCH` numbers of working memory on the stack.
    #[inline(never)]
    fn fill<const SCRATCH: usize>(&mut self, seed: &[u8]) {
        let mut scratch = [0; SCRATCH];
        let mut h_hat = P::Poly::<i16>::ZERO;
        let mut values = P::Poly::<i16>::ZERO;
        let mut temporary = P::Poly::<i16>::ZERO;
        let mut basis = Basis {
            f: self.f.as_mut(),
            g: self.g.as_mut(),
            capital_f: self.capital_f.as_mut(),
            capital_g: self.capital_g.as_mut(),
        };
        let mut memory = Memory {
            scratch: &mut scratch,
            h_hat: h_hat.as_mut(),
            values: values.as_mut(),
            temporary: temporary.as_mut(),
        };
        search::search(seed, P::FG_BITS, &mut basis, &mut memory);
        scratch.zeroize();
        values.zeroize();
        temporary.zeroize();

        // f and g were made sure to fit, and h = g/f is public.
        ct::public(h_hat.as_ref());
        codec::encode_verifying_key::<P>(h_hat.as_ref(), &mut self.verifying_key);
        let key_hash = derive::key_hash::<_, P>(pqsig_comm::arch::Detected, &self.verifying_key);
        let fits = codec::encode_signing_key::<P>(
            self.f.as_ref(),
            self.g.as_ref(),
            self.capital_f.as_ref(),
            &key_hash,
            &mut self.signing_key,
        );
        debug_assert!(ct::public_flag(fits));
    }

    /// The encoded signing key: 1345 or 2369 bytes. A secret.
    #[must_use]
    pub fn signing_key(&self) -> &P::SigningKeyBytes {
        &self.signing_key
    }

    /// The encoded verifying key: 897 or 1793 bytes.
    #[must_use]
    pub fn verifying_key(&self) -> &P::VerifyingKeyBytes {
        &self.verifying_key
    }

    /// f, g, F and G: coefficients, n each. Secrets.
    ///
    /// `f G - g F = q` modulo `X^n + 1`; f and g fit the bits that the encoding has for them,
    /// F and G are in `[-127, 127]`.
    #[must_use]
    pub fn basis(&self) -> [&[i8]; 4] {
        [
            self.f.as_ref(),
            self.g.as_ref(),
            self.capital_f.as_ref(),
            self.capital_g.as_ref(),
        ]
    }
}

impl<P: ParameterSet> Drop for GeneratedKey<P> {
    fn drop(&mut self) {
        self.signing_key.zeroize();
        self.f.zeroize();
        self.g.zeroize();
        self.capital_f.zeroize();
        self.capital_g.zeroize();
    }
}

impl<P: ParameterSet> ZeroizeOnDrop for GeneratedKey<P> {}

impl<P: ParameterSet> core::fmt::Debug for GeneratedKey<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("GeneratedKey").finish_non_exhaustive()
    }
}
