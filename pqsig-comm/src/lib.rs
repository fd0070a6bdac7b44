//! What the signature families of [pqsig](https://docs.rs/pqsig) share.
//!
//! Users meet these items through `pqsig`, `pqsig-mldsa` or the `pqsig-fndsa-*` crates; this
//! crate's own API follows their needs and makes no promise of its own beyond the re-exported
//! names ([`Error`], [`PreHash`], [`MuBuilder`], [`WithContext`], [`Prehashed`]).
//!
//! | module | what |
//! | --- | --- |
//! | [`arch`] | CPU features as values; [`entry!`](crate::entry), which enters a feature once per operation |
//! | [`keccak`] | the permutation Keccak-f\[1600\], one state and four states at once |
//! | [`shake`], [`shake_x4`] | SHAKE128 and SHAKE256 (FIPS 202), one message and four at once |
//! | [`ct`] | secret and public marks, constant-time comparison |
//! | [`mu`] | the message representative that ML-DSA and FN-DSA both sign |
//! | [`prehash`] | the twelve digests of HashML-DSA and HashFN-DSA |
//! | [`adapter`] | `WithContext`, `Prehashed` and the `signature` traits on top of them |
//! | [`encoding`] | byte-array helpers, serde |
//! | [`error`] | the one error type |
//! | [`fndsa`] | what the three FN-DSA crates share: sets, codecs, arithmetic mod q, hashing |

#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod adapter;
pub mod arch;
pub mod ct;
pub mod encoding;
pub mod error;
pub mod fndsa;
pub mod keccak;
pub mod mu;
pub mod prehash;
pub mod shake;
pub mod shake_x4;

pub use crate::{
    adapter::{Prehashed, WithContext},
    error::Error,
    mu::MuBuilder,
    prehash::{PreHash, PrehashDigest},
};

#[cfg(feature = "pkcs8")]
pub use {pkcs8, spki};

#[doc(hidden)]
pub use ::shake::Shake256 as Shake256Digest;
#[doc(hidden)]
pub use {digest, signature, zeroize};
