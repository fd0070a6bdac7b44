//! The signing key.

use crate::{
    encode::layout, keygen, params::ParameterSet, prepared::PreparedSigningKey,
    signature::Signature, signing, verifying_key::VerifyingKey,
};
use core::fmt;
use pqsig_comm::{
    Error, PreHash,
    adapter::{ImplicitRandomness, KeyHash, MuSigner},
    ct,
    encoding::ByteArray,
    mu::Mu,
};
use signature::{
    KeypairRef,
    rand_core::{CryptoRng, TryCryptoRng},
};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// An ML-DSA signing key: the seed where it is known, the expanded key and the verifying key,
/// all as bytes: 4, 6 and 7 kB (1 kB is 1024 bytes) in memory. Wiped on drop.
///
/// `Signer` is the deterministic variant of FIPS 204 (`rnd` is 32 zero bytes), as elsewhere in
/// RustCrypto. `RandomizedSigner` is the hedged one, which FIPS 204 (section 3.4) prefers: it
/// resists faults and side channels better. Prefer it where a random number generator is at
/// hand.
#[derive(Clone)]
pub struct SigningKey<P: ParameterSet> {
    seed: Option<[u8; 32]>,
    expanded: P::SigningKeyBytes,
    verifying_key: VerifyingKey<P>,
}

impl<P: ParameterSet> SigningKey<P> {
    /// The key that `seed` (the xi of FIPS 204) expands to (Algorithm 6).
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let mut key = Self::EMPTY;
        key.set_seed(seed);
        key
    }

    /// A fresh key (FIPS 204, Algorithm 1) from 32 bytes of `rng`, drawn in one call.
    #[must_use]
    pub fn generate_from_rng<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate_from_rng(rng);
        key
    }

    /// A fresh key (FIPS 204, Algorithm 1) from 32 bytes of `rng`, drawn in one call.
    ///
    /// # Errors
    /// That of `rng`.
    pub fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Zeroizing::new([0; 32]);
        rng.try_fill_bytes(&mut *seed)?;
        Ok(Self::from_seed(&seed))
    }

    /// A fresh key from the operating system's random number generator.
    ///
    /// # Panics
    /// If the operating system delivers no random bytes; [`SigningKey::try_generate`] does not.
    #[cfg(feature = "getrandom")]
    #[must_use]
    pub fn generate() -> Self {
        Self::try_generate().expect("the operating system's random number generator failed")
    }

    /// A fresh key from the operating system's random number generator.
    ///
    /// # Errors
    /// [`Error::RngFailed`].
    #[cfg(feature = "getrandom")]
    pub fn try_generate() -> Result<Self, Error> {
        Self::try_generate_from_rng(&mut getrandom::SysRng).map_err(|_| Error::RngFailed)
    }

    /// The key with this expanded encoding (FIPS 204, Algorithm 25, `skDecode`).
    ///
    /// Every check that can be made is made: s1 and s2 in range, t0 and tr those that rho, s1
    /// and s2 give. The secret K cannot be checked.
    ///
    /// # Errors
    /// [`Error::InvalidLength`] unless `bytes` has 2560 (44), 4032 (65) or 4896 (87) bytes;
    /// [`Error::InvalidKey`] if a check fails.
    pub fn from_expanded_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::EMPTY;
        key.set_expanded(bytes)?;
        Ok(key)
    }

    /// The expanded encoding (FIPS 204, Algorithm 24, `skEncode`): 2560 (44), 4032 (65) or 4896
    /// (87) bytes. A secret: wipe it after use.
    #[must_use]
    pub fn to_expanded_bytes(&self) -> P::SigningKeyBytes {
        self.expanded
    }

    /// The seed (the xi of FIPS 204), or `None` after an import of an expanded key.
    #[must_use]
    pub fn seed(&self) -> Option<&[u8; 32]> {
        self.seed.as_ref()
    }

    /// The verifying key.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }

    /// Computes what depends on the key alone, for signing many messages with it.
    ///
    /// The result is large: 28, 48 and 79 kB (1 kB is 1024 bytes) for the three sets.
    #[must_use]
    pub fn prepare(&self) -> PreparedSigningKey<P> {
        PreparedSigningKey::new(self)
    }

    /// Signs a message representative deterministically.
    ///
    /// # Errors
    /// [`Error::SigningFailed`], with a probability below 2^-256.
    pub fn sign_mu_deterministic(&self, mu: &[u8; 64]) -> Result<Signature<P>, Error> {
        self.sign_mu_with_randomness(mu, &DETERMINISTIC)
    }

    /// Signs a digest that was computed elsewhere (HashML-DSA), deterministically.
    ///
    /// # Errors
    /// [`Error::DigestLength`] if `digest` is not of the length of `hash`,
    /// [`Error::ContextTooLong`], [`Error::SigningFailed`].
    pub fn sign_prehashed_deterministic(
        &self,
        hash: PreHash,
        digest: &[u8],
        context: &[u8],
    ) -> Result<Signature<P>, Error> {
        self.sign_mu_deterministic(&self.with_context(context)?.mu_prehashed(hash, digest)?)
    }

    /// A place to build a key in.
    pub(crate) const EMPTY: Self = Self {
        seed: None,
        expanded: P::SigningKeyBytes::ZERO,
        verifying_key: VerifyingKey::EMPTY,
    };

    pub(crate) const fn expanded(&self) -> &P::SigningKeyBytes {
        &self.expanded
    }

    /// As [`SigningKey::from_seed`], in place.
    pub(crate) fn set_seed(&mut self, seed: &[u8; 32]) {
        self.set_seed_by(seed, keygen::from_seed::<P>);
    }

    /// As [`SigningKey::set_seed`], with a `keygen` of the caller's.
    pub(crate) fn set_seed_by(
        &mut self,
        seed: &[u8; 32],
        keygen: impl FnOnce(&[u8; 32], &mut P::SigningKeyBytes, &mut P::VerifyingKeyBytes),
    ) {
        ct::secret(seed);
        self.seed = Some(*seed);
        keygen(seed, &mut self.expanded, self.verifying_key.array_mut());
        self.set_key_hash();
    }

    /// As [`SigningKey::from_expanded_bytes`], in place; after an error there is no key.
    pub(crate) fn set_expanded(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.set_expanded_by(bytes, keygen::import::<P>)
    }

    /// As [`SigningKey::set_expanded`], with an `import` of the caller's.
    pub(crate) fn set_expanded_by(
        &mut self,
        bytes: &[u8],
        import: impl FnOnce(&P::SigningKeyBytes, &mut P::VerifyingKeyBytes) -> Result<(), Error>,
    ) -> Result<(), Error> {
        ct::secret(bytes);
        self.seed = None;
        self.expanded = P::SigningKeyBytes::from_slice(bytes)?;
        // rho is part of the verifying key.
        ct::public(layout::signing_key::<P>(&self.expanded).rho);
        import(&self.expanded, self.verifying_key.array_mut())?;
        self.set_key_hash();
        Ok(())
    }

    /// tr is part of the expanded key.
    fn set_key_hash(&mut self) {
        let tr = layout::signing_key::<P>(&self.expanded).tr;
        // The hash of the verifying key is public.
        self.verifying_key.set_key_hash(ct::declassify(*tr));
    }
}

/// The `rnd` of the deterministic variant (FIPS 204, Algorithm 2, line 5).
pub(crate) const DETERMINISTIC: [u8; 32] = [0; 32];

impl<P: ParameterSet> KeyHash for SigningKey<P> {
    fn key_hash(&self) -> &[u8; 64] {
        self.verifying_key.key_hash()
    }
}

impl<P: ParameterSet> MuSigner for SigningKey<P> {
    type Signature = Signature<P>;
    type Randomness = [u8; 32];

    #[inline(always)]
    fn sign_mu_with_randomness(&self, mu: &Mu, rnd: &[u8; 32]) -> Result<Signature<P>, Error> {
        let mut bytes = P::SignatureBytes::ZERO;
        signing::sign_once::<P>(&self.expanded, mu, rnd, &mut bytes)?;
        Ok(Signature::from_array(bytes))
    }
}

impl<P: ParameterSet> ImplicitRandomness for SigningKey<P> {
    fn implicit_randomness() -> Result<[u8; 32], Error> {
        Ok(DETERMINISTIC)
    }
}

pqsig_comm::signing_key_api!(SigningKey<P: ParameterSet>);
pqsig_comm::signer_traits!(SigningKey<P: ParameterSet>);

impl<P: ParameterSet> crypto_common::Generate for SigningKey<P> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Self::try_generate_from_rng(rng)
    }
}

impl<P: ParameterSet> AsRef<VerifyingKey<P>> for SigningKey<P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }
}

impl<P: ParameterSet> KeypairRef for SigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
}

/// Constant-time. Keys are equal if their expanded forms are, whether or not the seed is known.
impl<P: ParameterSet> PartialEq for SigningKey<P> {
    fn eq(&self, other: &Self) -> bool {
        ct::public_flag(ct::eq(self.expanded.as_ref(), other.expanded.as_ref()))
    }
}

impl<P: ParameterSet> Eq for SigningKey<P> {}

impl<P: ParameterSet> Drop for SigningKey<P> {
    fn drop(&mut self) {
        self.seed.zeroize();
        self.expanded.zeroize();
    }
}

impl<P: ParameterSet> ZeroizeOnDrop for SigningKey<P> {}

impl<P: ParameterSet> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("set", &P::NAME)
            .finish_non_exhaustive()
    }
}
