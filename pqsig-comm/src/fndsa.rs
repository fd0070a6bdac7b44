//! What the FN-DSA crates share: every decision about formats, hashing and numbers.
//!
//! FIPS 206 is not published. This is the best guess that the crate `fn-dsa` 0.4.0 implements
//! (the putative draft of 2026-07-22), byte for byte; it is not Falcon as submitted to round 3
//! of the NIST project. Everything that the published standard may change is in this module:
//!
//! | decision | where |
//! | --- | --- |
//! | degrees, lengths, headers, norm bounds, standard deviations, object identifiers | [`params`] |
//! | bit order, coefficient codecs, layout of keys | [`codec`] |
//! | layout of signatures | [`signature`] |
//! | hashes of keys, seeds, the stream of one attempt | [`derive`](mod@derive) |
//! | hash to point | [`hash_to_point`] |
//! | the message representative mu | [`crate::mu`] (shared with ML-DSA) |
//! | the root of the NTT and the order of its values, which verifying keys store | [`mq`] |

pub mod codec;
pub mod derive;
pub mod hash_to_point;
pub mod mq;
pub mod params;
pub mod signature;

#[cfg(feature = "toy")]
pub use params::FnDsaToy;
pub use {
    params::{FnDsa512, FnDsa1024, ParameterSet},
    signature::Signature,
};
