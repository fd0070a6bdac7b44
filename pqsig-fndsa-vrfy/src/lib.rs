//! Verification of FN-DSA signatures, in the parameter sets [`FnDsa512`] and [`FnDsa1024`],
//! behind the traits of the crate [`signature`].
//!
//! **FIPS 206 is not published.** This is the best guess that the crate `fn-dsa` 0.4.0
//! implements, byte for byte, and it will change with the standard. It is not Falcon of round 3
//! of the NIST project: the bit order, the content of verifying keys, the hashing and the bounds
//! differ. Verifying keys and padded signatures of both have the same lengths and headers; one
//! never verifies as the other.
//!
//! ```
//! use pqsig_fndsa_vrfy::{Error, FnDsa512, Signature, VerifyingKey};
//!
//! fn check(key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
//!     use signature::Verifier;
//!     let key = VerifyingKey::<FnDsa512>::from_bytes(key)?;
//!     let signature = Signature::from_bytes(signature)?;
//!     key.with_context(b"context")?.verify(message, &signature)?;
//!     Ok(())
//! }
//! assert!(check(&[9; 897], b"a message", &[0x39; 666]).is_err());
//! ```
//!
//! # Which method for what
//!
//! | to | use |
//! | --- | --- |
//! | bind a context of at most 255 bytes | [`VerifyingKey::with_context`] |
//! | verify a signature of a digest (HashFN-DSA) | [`VerifyingKey::prehash`], [`VerifyingKey::verify_prehashed`] |
//! | verify a message in pieces | `MultipartVerifier`; `DigestVerifier` with `shake::Shake256`; [`VerifyingKey::mu_builder`] |
//! | verify with one key all day | [`VerifyingKey::prepare`] |
//! | verify many signatures | [`verify_batch`] |
//!
//! # Sizes in bytes
//!
//! | set | verifying key | signature |
//! | --- | --- | --- |
//! | FN-DSA-512 | 897 | 666 |
//! | FN-DSA-1024 | 1793 | 1280 |
//!
//! Verification needs 4 bytes of stack for each of the n coefficients and about 1 kB more: 3 kB
//! for 512, 5 kB for 1024 in an optimised build.
//!
//! # Security notes
//!
//! All that verification handles is public, so its time depends on its inputs, except for the
//! message: of that, only the length shows. There is one failure value, no panic on any input,
//! and no floating point.
//!
//! # Features
//!
//! | feature | adds | default |
//! | --- | --- | --- |
//! | `alloc` | encodings that need a heap | yes |
//! | `pkcs8` | `SignatureBitStringEncoding` | |
//! | `pem` | PEM, where there are key files | |
//! | `fndsa-experimental-oid` | SubjectPublicKeyInfo, under object identifiers that are sure to change | |
//! | `serde` | `Serialize` and `Deserialize` | |
//! | `toy` | `FnDsaToy`: degrees 4 to 256, insecure | |

#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod key;
#[cfg(feature = "fndsa-experimental-oid")]
mod pkcs8;
#[cfg(feature = "serde")]
mod serde;
mod verify;

#[cfg(feature = "toy")]
pub use pqsig_comm::fndsa::FnDsaToy;
pub use {
    crate::{
        batch::verify_batch,
        key::{PreparedVerifyingKey, VerifyingKey},
    },
    pqsig_comm::{
        Error, MuBuilder, PreHash, PrehashDigest, Prehashed, WithContext,
        fndsa::{FnDsa512, FnDsa1024, ParameterSet, Signature},
    },
};
