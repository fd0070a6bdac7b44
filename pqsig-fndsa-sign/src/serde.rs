//! serde: the encoded key (1345 or 2369 bytes), as hexadecimal text in human-readable formats and
//! as bytes in the others.

use crate::{ParameterSet, SigningKey};
use pqsig_comm::encoding::{self, ByteArray};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use zeroize::Zeroizing;

impl<P: ParameterSet> Serialize for SigningKey<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        encoding::serde::serialize(self.secret().bytes.as_ref(), serializer)
    }
}

impl<'de, P: ParameterSet> Deserialize<'de> for SigningKey<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut buffer = Zeroizing::new(P::SigningKeyBytes::ZERO);
        let bytes = encoding::serde::deserialize_up_to(buffer.as_mut(), deserializer)?;
        Self::from_bytes(bytes).map_err(D::Error::custom)
    }
}
