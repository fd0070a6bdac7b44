//! serde: hexadecimal text in human-readable formats, bytes in the others.
//!
//! A signing key is its seed (32 bytes) where the seed is known, else the expanded key (2560,
//! 4032 or 4896 bytes); the length tells which.

use crate::{ParameterSet, Signature, SigningKey, VerifyingKey};
use pqsig_comm::encoding::{self, ByteArray};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use zeroize::Zeroizing;

impl<P: ParameterSet> Serialize for VerifyingKey<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        encoding::serde::serialize(self.as_bytes(), serializer)
    }
}

impl<'de, P: ParameterSet> Deserialize<'de> for VerifyingKey<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        encoding::serde::deserialize(deserializer).map(Self::from_array)
    }
}

impl<P: ParameterSet> Serialize for Signature<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        encoding::serde::serialize(self.as_bytes(), serializer)
    }
}

impl<'de, P: ParameterSet> Deserialize<'de> for Signature<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        encoding::serde::deserialize(deserializer).map(Self::from_array)
    }
}

impl<P: ParameterSet> Serialize for SigningKey<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.seed() {
            Some(seed) => encoding::serde::serialize(seed, serializer),
            None => encoding::serde::serialize(self.expanded().as_ref(), serializer),
        }
    }
}

impl<'de, P: ParameterSet> Deserialize<'de> for SigningKey<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut buffer = Zeroizing::new(P::SigningKeyBytes::ZERO);
        let bytes = encoding::serde::deserialize_up_to(buffer.as_mut(), deserializer)?;
        match <&[u8; 32]>::try_from(bytes) {
            Ok(seed) => Ok(Self::from_seed(seed)),
            Err(_) => Self::from_expanded_bytes(bytes).map_err(D::Error::custom),
        }
    }
}
