//! Verifying keys.

use crate::{ParameterSet, Signature, verify};
use core::{
    fmt,
    hash::{Hash, Hasher},
};
use pqsig_comm::{
    Error,
    adapter::{KeyHash, MuVerifier},
    encoding::{ByteArray, Hex},
    fndsa::{codec, params::PolyArray},
    mu::Mu,
};

/// An FN-DSA verifying key: 897 (512) or 1793 bytes (1024), and its 64-byte hash.
///
/// The encoding is that of the crate `fn-dsa` 0.4.0, a best guess until FIPS 206 is published. A
/// Falcon public key of round 3 has the same length and header, but other bits: it is refused,
/// since not all of its values read as below q.
#[derive(Clone)]
pub struct VerifyingKey<P: ParameterSet> {
    bytes: P::VerifyingKeyBytes,
    hash: [u8; 64],
}

impl<P: ParameterSet> VerifyingKey<P> {
    /// Length of the encoding in bytes.
    pub const LEN: usize = P::VERIFYING_KEY_LEN;

    /// The key with this encoding: a header, and n values below q = 12289 of 14 bits each.
    ///
    /// # Errors
    /// [`Error::InvalidLength`] unless `bytes` has [`VerifyingKey::LEN`] bytes;
    /// [`Error::InvalidKey`] for a header of another parameter set, or a value of q or more.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes = P::VerifyingKeyBytes::from_slice(bytes)?;
        codec::decode_verifying_key_with::<P>(&bytes, |_, _| {})?;
        let hash = verify::key_hash::<P>(&bytes);
        Ok(Self { bytes, hash })
    }

    /// The encoding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The encoding as an array.
    #[must_use]
    pub const fn to_array(&self) -> P::VerifyingKeyBytes {
        self.bytes
    }

    pub(crate) const fn as_array(&self) -> &P::VerifyingKeyBytes {
        &self.bytes
    }

    /// Computes what depends on the key alone, for verifying many signatures with it.
    #[must_use]
    pub fn prepare(&self) -> PreparedVerifyingKey<P> {
        PreparedVerifyingKey::new(self)
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
        verify::verify_encoded::<P>(&self.bytes, mu, signature)
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

/// A verifying key with h decoded and scaled: 1986 (512) or 3906 bytes (1024) in memory.
///
/// Verifies like the [`VerifyingKey`] it was made from.
#[derive(Clone)]
pub struct PreparedVerifyingKey<P: ParameterSet> {
    h_hat: P::Poly<i16>,
    key: VerifyingKey<P>,
}

impl<P: ParameterSet> PreparedVerifyingKey<P> {
    /// Prepares `key`.
    #[must_use]
    pub fn new(key: &VerifyingKey<P>) -> Self {
        let mut prepared = Self {
            h_hat: P::Poly::ZERO,
            key: key.clone(),
        };
        verify::prepare::<P>(&key.bytes, &mut prepared.h_hat);
        prepared
    }

    /// The key that this was made from.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.key
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
        verify::verify_prepared::<P>(&self.h_hat, mu, signature)
    }
}

pqsig_comm::verifying_key_api!(PreparedVerifyingKey<P: ParameterSet>);

impl<P: ParameterSet> From<&VerifyingKey<P>> for PreparedVerifyingKey<P> {
    fn from(key: &VerifyingKey<P>) -> Self {
        Self::new(key)
    }
}

impl<P: ParameterSet> PartialEq for PreparedVerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<P: ParameterSet> Eq for PreparedVerifyingKey<P> {}

impl<P: ParameterSet> Hash for PreparedVerifyingKey<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl<P: ParameterSet> fmt::Debug for PreparedVerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PreparedVerifyingKey")
            .field(&P::NAME)
            .field(&Hex(self.as_bytes()))
            .finish()
    }
}
