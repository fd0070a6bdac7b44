//! Byte arrays of a fixed length, as the key and signature types hold them.

use crate::Error;
use zeroize::Zeroize;

/// A fixed-size byte array: `[u8; N]` for some `N` that the trait does not name.
///
/// Parameter sets give their key and signature encodings as types that implement this, since
/// `[u8; P::LEN]` is not expressible in stable Rust.
pub trait ByteArray:
    AsRef<[u8]>
    + AsMut<[u8]>
    + for<'a> TryFrom<&'a [u8]>
    + Copy
    + Eq
    + core::hash::Hash
    + core::fmt::Debug
    + Zeroize
    + Send
    + Sync
    + Unpin
    + 'static
{
    /// Length in bytes.
    const LEN: usize;

    /// All bytes zero.
    const ZERO: Self;

    /// The array with the bytes of `bytes`.
    ///
    /// # Errors
    /// [`Error::InvalidLength`] unless `bytes` has [`ByteArray::LEN`] bytes.
    fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Self::try_from(bytes).map_err(|_| Error::InvalidLength)
    }

    /// `bytes`, seen as the array.
    ///
    /// # Errors
    /// As [`ByteArray::from_slice`].
    fn ref_from_slice(bytes: &[u8]) -> Result<&Self, Error>;
}

impl<const N: usize> ByteArray for [u8; N] {
    const LEN: usize = N;
    const ZERO: Self = [0; N];

    fn ref_from_slice(bytes: &[u8]) -> Result<&Self, Error> {
        bytes.try_into().map_err(|_| Error::InvalidLength)
    }
}

/// Formats bytes as lower-case hexadecimal, for `Debug` of public values.
#[derive(Clone, Copy)]
pub struct Hex<'a>(pub &'a [u8]);

impl core::fmt::Debug for Hex<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// serde for byte strings of known length: hexadecimal text in human-readable formats, bytes in
/// the others.
#[cfg(feature = "serde")]
pub mod serde {
    use super::ByteArray;
    use serde_core::{Deserializer, Serializer, de::Error as _};

    /// Writes `bytes`.
    ///
    /// # Errors
    /// Whatever the serializer says.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serdect::slice::serialize_hex_lower_or_bin(&bytes, serializer)
    }

    /// Reads at most `buffer.len()` bytes, and returns those that there were.
    ///
    /// # Errors
    /// Too many bytes, or whatever the deserializer says.
    pub fn deserialize_up_to<'de, 'b, D: Deserializer<'de>>(
        buffer: &'b mut [u8],
        deserializer: D,
    ) -> Result<&'b [u8], D::Error> {
        serdect::slice::deserialize_hex_or_bin(buffer, deserializer)
    }

    /// Reads exactly `T::LEN` bytes.
    ///
    /// # Errors
    /// A wrong length, or whatever the deserializer says.
    pub fn deserialize<'de, T: ByteArray, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let mut array = T::ZERO;
        let length = deserialize_up_to(array.as_mut(), deserializer)?.len();
        if length == T::LEN {
            Ok(array)
        } else {
            Err(D::Error::invalid_length(
                length,
                &"a key or signature of the exact length",
            ))
        }
    }
}
