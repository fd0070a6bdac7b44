//! The signature type.

use crate::params::{MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use core::{
    fmt,
    hash::{Hash, Hasher},
};
use pqsig_comm::{
    Error,
    encoding::{ByteArray, Hex},
};
use signature::SignatureEncoding;

/// An ML-DSA signature: 2420 (44), 3309 (65) or 4627 (87) bytes.
///
/// Any bytes of the right length make one; whether the encoding inside is well-formed is part of
/// verification.
#[derive(Clone, Copy)]
pub struct Signature<P: ParameterSet> {
    bytes: P::SignatureBytes,
}

impl<P: ParameterSet> Signature<P> {
    /// Length in bytes.
    pub const LEN: usize = P::SignatureBytes::LEN;

    /// The signature with this encoding (FIPS 204, Algorithm 26).
    ///
    /// # Errors
    /// [`Error::InvalidLength`] unless `bytes` has [`Signature::LEN`] bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::SignatureBytes::from_slice(bytes).map(Self::from_array)
    }

    /// The encoding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    pub(crate) const fn from_array(bytes: P::SignatureBytes) -> Self {
        Self { bytes }
    }

    pub(crate) const fn as_array(&self) -> &P::SignatureBytes {
        &self.bytes
    }
}

impl<P: ParameterSet> AsRef<[u8]> for Signature<P> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<P: ParameterSet> TryFrom<&[u8]> for Signature<P> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

impl<P: ParameterSet> PartialEq for Signature<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<P: ParameterSet> Eq for Signature<P> {}

impl<P: ParameterSet> Hash for Signature<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl<P: ParameterSet> fmt::Debug for Signature<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Signature")
            .field(&P::NAME)
            .field(&Hex(self.as_bytes()))
            .finish()
    }
}

/// A generic `From<Signature<P>>` or `TryFrom<[u8; N]>` would overlap with core's own, and one
/// for `P::SignatureBytes` with every other crate's: hence the lengths as numbers.
macro_rules! array_conversions {
    ($($set:ident: $len:literal),*) => {$(
        impl SignatureEncoding for Signature<$set> {
            type Repr = [u8; $len];
        }

        impl From<Signature<$set>> for [u8; $len] {
            fn from(signature: Signature<$set>) -> Self {
                signature.bytes
            }
        }

        impl From<[u8; $len]> for Signature<$set> {
            fn from(bytes: [u8; $len]) -> Self {
                Self { bytes }
            }
        }
    )*};
}

array_conversions!(MlDsa44: 2420, MlDsa65: 3309, MlDsa87: 4627);
