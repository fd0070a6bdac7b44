//! The signature type.

#[cfg(feature = "toy")]
use super::params::FnDsaToy;
use super::{
    codec,
    params::{FnDsa512, FnDsa1024, NONCE_LEN, ParameterSet},
};
use crate::{
    Error,
    encoding::{ByteArray, Hex},
};
use core::{
    fmt,
    hash::{Hash, Hasher},
};
use signature::SignatureEncoding;

/// An FN-DSA signature: 666 (512) or 1280 bytes (1024).
///
/// The encoding is that of the crate `fn-dsa` 0.4.0, a best guess until FIPS 206 is published. A
/// padded Falcon signature of round 3 has the same length and header and cannot be told apart,
/// but it does not verify.
///
/// Any bytes of the right length with the right header make one; whether the encoding of s2 is
/// canonical is part of verification.
#[derive(Clone, Copy)]
pub struct Signature<P: ParameterSet> {
    bytes: P::SignatureBytes,
}

/// The header and the nonce.
const PREFIX_LEN: usize = 1 + NONCE_LEN;

impl<P: ParameterSet> Signature<P> {
    /// Length in bytes.
    pub const LEN: usize = P::SIGNATURE_LEN;

    /// The signature with this encoding.
    ///
    /// # Errors
    /// [`Error::InvalidLength`] unless `bytes` has [`Signature::LEN`] bytes;
    /// [`Error::InvalidSignature`] unless the first byte is that of the parameter set.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes = P::SignatureBytes::from_slice(bytes)?;
        if bytes.as_ref().first() == Some(&P::SIGNATURE_HEADER) {
            Ok(Self { bytes })
        } else {
            Err(Error::InvalidSignature)
        }
    }

    /// Encodes a signature: header, nonce, compressed s2. `None` if s2 does not fit.
    ///
    /// For the signing crate.
    #[must_use]
    pub fn encode(nonce: &[u8; NONCE_LEN], s2: &[i16]) -> Option<Self> {
        let mut bytes = P::SignatureBytes::ZERO;
        let (prefix, field) = bytes.as_mut().split_at_mut(PREFIX_LEN);
        prefix[0] = P::SIGNATURE_HEADER;
        prefix[1..].copy_from_slice(nonce);
        codec::compress(s2, field).then_some(Self { bytes })
    }

    /// The encoding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The nonce.
    #[inline(always)]
    #[must_use]
    pub fn nonce(&self) -> &[u8; NONCE_LEN] {
        // Every signature is longer than its prefix.
        self.as_bytes()[1..]
            .first_chunk()
            .unwrap_or(&[0; NONCE_LEN])
    }

    /// Decodes s2; whether the encoding is canonical.
    ///
    /// Out, if so: [-840, 840].
    #[inline(always)]
    #[must_use]
    pub fn decode_s2(&self, s2: &mut [i16]) -> bool {
        codec::decompress(&self.as_bytes()[PREFIX_LEN..], s2)
    }

    /// The encoding as an array.
    #[must_use]
    pub const fn to_array(&self) -> P::SignatureBytes {
        self.bytes
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
    ($($set:ty: $len:literal),*) => {$(
        impl SignatureEncoding for Signature<$set> {
            type Repr = [u8; $len];
        }

        impl From<Signature<$set>> for [u8; $len] {
            fn from(signature: Signature<$set>) -> Self {
                signature.bytes
            }
        }
    )*};
}

array_conversions!(FnDsa512: 666, FnDsa1024: 1280);
#[cfg(feature = "toy")]
array_conversions!(
    FnDsaToy<2>: 47,
    FnDsaToy<3>: 52,
    FnDsaToy<4>: 63,
    FnDsaToy<5>: 82,
    FnDsaToy<6>: 122,
    FnDsaToy<7>: 200,
    FnDsaToy<8>: 356
);

#[cfg(feature = "serde")]
mod serde {
    use super::{ParameterSet, Signature};
    use crate::encoding;
    use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

    impl<P: ParameterSet> Serialize for Signature<P> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            encoding::serde::serialize(self.as_bytes(), serializer)
        }
    }

    impl<'de, P: ParameterSet> Deserialize<'de> for Signature<P> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let bytes: P::SignatureBytes = encoding::serde::deserialize(deserializer)?;
            Self::from_bytes(bytes.as_ref()).map_err(D::Error::custom)
        }
    }
}

#[cfg(all(feature = "pkcs8", feature = "alloc"))]
impl<P: ParameterSet> spki::SignatureBitStringEncoding for Signature<P> {
    fn to_bitstring(&self) -> pkcs8::der::Result<pkcs8::der::asn1::BitString> {
        pkcs8::der::asn1::BitString::from_bytes(self.as_bytes())
    }
}

#[cfg(feature = "fndsa-experimental-oid")]
impl<P: ParameterSet> spki::AssociatedAlgorithmIdentifier for Signature<P> {
    type Params = pkcs8::der::AnyRef<'static>;
    const ALGORITHM_IDENTIFIER: spki::AlgorithmIdentifierRef<'static> =
        super::params::algorithm_identifier::<P>();
}
