//! Keys with everything computed that depends on the key alone.

use crate::{
    keygen, params::ParameterSet, signature::Signature, signing, signing_key::DETERMINISTIC,
    signing_key::SigningKey, verifying, verifying_key::VerifyingKey,
};
use core::fmt;
use pqsig_comm::{
    Error, PreHash,
    adapter::{ImplicitRandomness, KeyHash, MuSigner, MuVerifier},
    encoding::ByteArray,
    mu::Mu,
};
use signature::KeypairRef;
use zeroize::ZeroizeOnDrop;

/// A signing key with A and the unpacked secrets: 28 (44), 48 (65) or 79 kB (87; 1 kB is 1024
/// bytes). Keep it in a `Box` where the stack is small. Wiped on drop.
///
/// Signs and exports like the [`SigningKey`] it was made from, with the same bytes.
pub struct PreparedSigningKey<P: ParameterSet> {
    expanded: signing::Expanded<P>,
    key: SigningKey<P>,
}

impl<P: ParameterSet> PreparedSigningKey<P> {
    /// A place to build a key in.
    pub(crate) const EMPTY: Self = Self {
        expanded: signing::Expanded::ZERO,
        key: SigningKey::EMPTY,
    };

    /// Prepares `key`.
    #[must_use]
    pub fn new(key: &SigningKey<P>) -> Self {
        // One constant: an unoptimised build would put each part on the stack once more.
        let mut prepared = Self::EMPTY;
        prepared.key.clone_from(key);
        prepared.fill();
        prepared
    }

    /// As [`SigningKey::from_seed`] and [`PreparedSigningKey::new`], with A computed once.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let mut prepared = Self::EMPTY;
        let Self { expanded, key } = &mut prepared;
        key.set_seed_by(seed, |seed, sk, vk| {
            keygen::from_seed_with::<P>(seed, expanded.matrix_mut(), sk, vk);
        });
        signing::expand_secrets::<P>(key.expanded(), expanded);
        prepared
    }

    /// As [`SigningKey::from_expanded_bytes`] and [`PreparedSigningKey::new`], with A computed
    /// once. The same checks are made.
    ///
    /// # Errors
    /// [`Error::InvalidLength`] unless `bytes` has 2560 (44), 4032 (65) or 4896 (87) bytes;
    /// [`Error::InvalidKey`] if a check fails.
    pub fn from_expanded_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut prepared = Self::EMPTY;
        let Self { expanded, key } = &mut prepared;
        key.set_expanded_by(bytes, |sk, vk| {
            signing::expand::<P>(sk, expanded);
            keygen::import_with::<P>(expanded.matrix(), sk, vk)
        })?;
        Ok(prepared)
    }

    /// Reads a key file in place.
    #[cfg(feature = "pkcs8")]
    #[inline(never)]
    pub(crate) fn load(&mut self, info: pkcs8::PrivateKeyInfoRef<'_>) -> pkcs8::Result<()> {
        self.key.load(info)?;
        self.fill();
        Ok(())
    }

    fn fill(&mut self) {
        signing::expand::<P>(self.key.expanded(), &mut self.expanded);
    }

    /// The key that this was made from.
    #[must_use]
    pub fn signing_key(&self) -> &SigningKey<P> {
        &self.key
    }

    /// The verifying key.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        self.key.verifying_key()
    }

    /// The seed (the xi of FIPS 204), or `None` after an import of an expanded key.
    #[must_use]
    pub fn seed(&self) -> Option<&[u8; 32]> {
        self.key.seed()
    }

    /// As [`SigningKey::to_expanded_bytes`].
    #[must_use]
    pub fn to_expanded_bytes(&self) -> P::SigningKeyBytes {
        self.key.to_expanded_bytes()
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

    #[inline(always)]
    fn sign_within(&self, mu: &Mu, rnd: &[u8; 32], attempts: u16) -> Result<Signature<P>, Error> {
        let mut bytes = P::SignatureBytes::ZERO;
        signing::sign::<P>(&self.expanded, mu, rnd, attempts, &mut bytes)?;
        Ok(Signature::from_array(bytes))
    }
}

impl<P: ParameterSet> KeyHash for PreparedSigningKey<P> {
    fn key_hash(&self) -> &[u8; 64] {
        self.key.key_hash()
    }
}

impl<P: ParameterSet> MuSigner for PreparedSigningKey<P> {
    type Signature = Signature<P>;
    type Randomness = [u8; 32];

    #[inline(always)]
    fn sign_mu_with_randomness(&self, mu: &Mu, rnd: &[u8; 32]) -> Result<Signature<P>, Error> {
        self.sign_within(mu, rnd, signing::MAX_ATTEMPTS)
    }
}

impl<P: ParameterSet> ImplicitRandomness for PreparedSigningKey<P> {
    fn implicit_randomness() -> Result<[u8; 32], Error> {
        Ok(DETERMINISTIC)
    }
}

pqsig_comm::signing_key_api!(PreparedSigningKey<P: ParameterSet>);
pqsig_comm::signer_traits!(PreparedSigningKey<P: ParameterSet>);

impl<P: ParameterSet> From<&SigningKey<P>> for PreparedSigningKey<P> {
    fn from(key: &SigningKey<P>) -> Self {
        Self::new(key)
    }
}

impl<P: ParameterSet> AsRef<VerifyingKey<P>> for PreparedSigningKey<P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        self.verifying_key()
    }
}

impl<P: ParameterSet> KeypairRef for PreparedSigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
}

/// Constant-time.
impl<P: ParameterSet> PartialEq for PreparedSigningKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<P: ParameterSet> Eq for PreparedSigningKey<P> {}

impl<P: ParameterSet> ZeroizeOnDrop for PreparedSigningKey<P> {}

impl<P: ParameterSet> fmt::Debug for PreparedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedSigningKey")
            .field("set", &P::NAME)
            .finish_non_exhaustive()
    }
}

/// A verifying key with A and the transform of t1: 21 (44), 38 (65) or 67 kB (87; 1 kB is 1024
/// bytes). Keep it in a `Box` where the stack is small.
#[derive(Clone)]
pub struct PreparedVerifyingKey<P: ParameterSet> {
    expanded: verifying::Expanded<P>,
    key: VerifyingKey<P>,
}

impl<P: ParameterSet> PreparedVerifyingKey<P> {
    /// Prepares `key`.
    #[must_use]
    pub fn new(key: &VerifyingKey<P>) -> Self {
        let mut prepared = Self {
            expanded: verifying::Expanded::ZERO,
            key: key.clone(),
        };
        verifying::expand::<P>(key.as_array(), &mut prepared.expanded);
        prepared
    }

    /// The key that this was made from.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.key
    }

    pub(crate) const fn expanded(&self) -> &verifying::Expanded<P> {
        &self.expanded
    }

    /// The encoding of the key.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.key.as_bytes()
    }
}

impl<P: ParameterSet> KeyHash for PreparedVerifyingKey<P> {
    fn key_hash(&self) -> &[u8; 64] {
        self.key.key_hash()
    }
}

impl<P: ParameterSet> MuVerifier for PreparedVerifyingKey<P> {
    type Signature = Signature<P>;

    fn check_mu(&self, mu: &Mu, signature: &Signature<P>) -> Result<(), Error> {
        verifying::verify::<P, _>(&self.expanded, mu, signature.as_array())
    }
}

pqsig_comm::verifying_key_api!(PreparedVerifyingKey<P: ParameterSet>);

impl<P: ParameterSet> From<&VerifyingKey<P>> for PreparedVerifyingKey<P> {
    fn from(key: &VerifyingKey<P>) -> Self {
        Self::new(key)
    }
}

impl<P: ParameterSet> AsRef<VerifyingKey<P>> for PreparedVerifyingKey<P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        &self.key
    }
}

impl<P: ParameterSet> PartialEq for PreparedVerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<P: ParameterSet> Eq for PreparedVerifyingKey<P> {}

impl<P: ParameterSet> core::hash::Hash for PreparedVerifyingKey<P> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl<P: ParameterSet> fmt::Debug for PreparedVerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PreparedVerifyingKey")
            .field(&self.key)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MlDsa44, MlDsa65, MlDsa87};

    /// The attempt limit ends in an error that leaves nothing, one attempt more in the signature
    /// that an unlimited loop makes; 814 is the least that FIPS 204, Appendix C, allows.
    fn attempts_are_bounded<P: ParameterSet>() {
        const { assert!(signing::MAX_ATTEMPTS >= 821) };
        assert!(usize::from(signing::MAX_ATTEMPTS) * P::L <= usize::from(u16::MAX));
        let key = SigningKey::<P>::from_seed(&[7; 32]).prepare();
        let mut rejected = 0;
        for byte in 0..20 {
            let mu = [byte; 64];
            let expected = key.sign_mu_deterministic(&mu).expect("signs");
            let needed = (0..)
                .find(|&limit| key.sign_within(&mu, &DETERMINISTIC, limit).is_ok())
                .expect("some limit suffices");
            assert!(needed > 0);
            rejected += needed - 1;
            let mut bytes = P::SignatureBytes::ZERO;
            let result =
                signing::sign::<P>(&key.expanded, &mu, &DETERMINISTIC, needed - 1, &mut bytes);
            assert_eq!(result, Err(Error::SigningFailed));
            assert!(bytes == P::SignatureBytes::ZERO);
            assert_eq!(key.sign_within(&mu, &DETERMINISTIC, needed), Ok(expected));
        }
        assert!(rejected > 0);
    }

    #[test]
    fn sizes_are_those_of_the_docs() {
        fn kilobytes<T>() -> usize {
            (size_of::<T>() + 512) / 1024
        }
        assert_eq!(kilobytes::<PreparedSigningKey<MlDsa44>>(), 28);
        assert_eq!(kilobytes::<PreparedSigningKey<MlDsa65>>(), 48);
        assert_eq!(kilobytes::<PreparedSigningKey<MlDsa87>>(), 79);
        assert_eq!(kilobytes::<PreparedVerifyingKey<MlDsa44>>(), 21);
        assert_eq!(kilobytes::<PreparedVerifyingKey<MlDsa65>>(), 38);
        assert_eq!(kilobytes::<PreparedVerifyingKey<MlDsa87>>(), 67);
        assert_eq!(kilobytes::<SigningKey<MlDsa44>>(), 4);
        assert_eq!(kilobytes::<SigningKey<MlDsa65>>(), 6);
        assert_eq!(kilobytes::<SigningKey<MlDsa87>>(), 7);
    }

    #[test]
    fn attempts_are_bounded_44() {
        attempts_are_bounded::<MlDsa44>();
    }

    #[test]
    fn attempts_are_bounded_65() {
        attempts_are_bounded::<MlDsa65>();
    }

    #[test]
    fn attempts_are_bounded_87() {
        attempts_are_bounded::<MlDsa87>();
    }
}
