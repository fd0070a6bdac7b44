//! serde: hexadecimal text in human-readable formats, bytes in the others. (`Signature` has its
//! own beside its type.)

use crate::{ParameterSet, VerifyingKey};
use pqsig_comm::encoding;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

impl<P: ParameterSet> Serialize for VerifyingKey<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        encoding::serde::serialize(self.as_bytes(), serializer)
    }
}

impl<'de, P: ParameterSet> Deserialize<'de> for VerifyingKey<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes: P::VerifyingKeyBytes = encoding::serde::deserialize(deserializer)?;
        Self::from_bytes(bytes.as_ref()).map_err(D::Error::custom)
    }
}
