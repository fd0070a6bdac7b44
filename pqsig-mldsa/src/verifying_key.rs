//! The verifying key.

use crate::{
    params::ParameterSet, prepared::PreparedVerifyingKey, signature::Signature, verifying,
    verifying::Encoded,
};
use core::{
    fmt,
    hash::{Hash, Hasher},
};
use pqsig_comm::{
    Error,
    adapter::{KeyHash, MuVerifier},
    encoding::{ByteArray, Hex},
    mu::Mu,
};

/// An ML-DSA verifying key: 1312 (44), 1952 (65) or 2592 (87) bytes, and its 64-byte hash.
#[derive(Clone)]
pub struct VerifyingKey<P: ParameterSet> {
    bytes: P::VerifyingKeyBytes,
    /// The `tr` of FIPS 204.
    hash: [u8; 64],
}

impl<P: ParameterSet> VerifyingKey<P> {
    /// Length of the encoding in bytes.
    pub const LEN: usize = P::VerifyingKeyBytes::LEN;

    /// The key with this encoding (FIPS 204, Algorithm 23, `pkDecode`: any bytes of the right
    /// length are a key).
    ///
    /// # Errors
    /// [`Error::InvalidLength`] unless `bytes` has [`VerifyingKey::LEN`] bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::VerifyingKeyBytes::from_slice(bytes).map(Self::from_array)
    }

    /// The encoding (FIPS 204, Algorithm 22).
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// Computes what depends on the key alone, for verifying many signatures with it.
    ///
    /// The result is large: 21, 38 and 67 kB (1 kB is 1024 bytes) for the three sets.
    #[must_use]
    pub fn prepare(&self) -> PreparedVerifyingKey<P> {
        PreparedVerifyingKey::new(self)
    }

    pub(crate) fn from_array(bytes: P::VerifyingKeyBytes) -> Self {
        let mut key = Self {
            bytes,
            hash: [0; 64],
        };
        verifying::key_hash::<P>(&key.bytes, &mut key.hash);
        key
    }

    /// A place to build a key in.
    pub(crate) const EMPTY: Self = Self {
        bytes: P::VerifyingKeyBytes::ZERO,
        hash: [0; 64],
    };

    /// Whoever writes here calls [`VerifyingKey::set_key_hash`].
    pub(crate) const fn array_mut(&mut self) -> &mut P::VerifyingKeyBytes {
        &mut self.bytes
    }

    pub(crate) const fn set_key_hash(&mut self, hash: [u8; 64]) {
        self.hash = hash;
    }

    pub(crate) const fn as_array(&self) -> &P::VerifyingKeyBytes {
        &self.bytes
    }
}

impl<P: ParameterSet> KeyHash for VerifyingKey<P> {
    fn key_hash(&self) -> &[u8; 64] {
        &self.hash
    }
}

impl<P: ParameterSet> MuVerifier for VerifyingKey<P> {
    type Signature = Signature<P>;

    fn check_mu(&self, mu: &Mu, signature: &Signature<P>) -> Result<(), Error> {
        verifying::verify::<P, _>(Encoded(&self.bytes), mu, signature.as_array())
    }
}

pqsig_comm::verifying_key_api!(VerifyingKey<P: ParameterSet>);

impl<P: ParameterSet> AsRef<[u8]> for VerifyingKey<P> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<P: ParameterSet> TryFrom<&[u8]> for VerifyingKey<P> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

impl<P: ParameterSet> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<P: ParameterSet> Eq for VerifyingKey<P> {}

impl<P: ParameterSet> Hash for VerifyingKey<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl<P: ParameterSet> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VerifyingKey")
            .field(&P::NAME)
            .field(&Hex(self.as_bytes()))
            .finish()
    }
}
