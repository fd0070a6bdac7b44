//! The one error type of the family.

use core::fmt;

/// What can go wrong. Verification has a single failure value, [`Error::InvalidSignature`].
///
/// No variant carries data, so an error never leaks a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// A context string of more than 255 bytes.
    ContextTooLong,
    /// A digest whose length is not that of its hash function.
    DigestLength,
    /// A key that is malformed, out of range or inconsistent with itself.
    InvalidKey,
    /// An input of the wrong length.
    InvalidLength,
    /// The signature does not verify.
    InvalidSignature,
    /// The random number generator failed; nothing was signed or generated.
    RngFailed,
    /// Signing gave up after the bounded number of attempts (FIPS 204, Appendix C); the
    /// probability of meeting this with a valid key is below 2^-240.
    SigningFailed,
    /// An algorithm name or object identifier that is not one of ours.
    UnknownAlgorithm,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ContextTooLong => "context is longer than 255 bytes",
            Self::DigestLength => "digest length does not match its hash function",
            Self::InvalidKey => "key is invalid",
            Self::InvalidLength => "input has the wrong length",
            Self::InvalidSignature => "signature is invalid",
            Self::RngFailed => "random number generator failed",
            Self::SigningFailed => "signing exceeded its bounded number of attempts",
            Self::UnknownAlgorithm => "algorithm is unknown",
        })
    }
}

impl core::error::Error for Error {}

impl From<Error> for signature::Error {
    /// Opaque on purpose: the trait methods say only that they failed.
    fn from(_: Error) -> Self {
        Self::new()
    }
}
