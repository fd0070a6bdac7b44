//! FN-DSA signing.
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

mod attempt;
mod complex;
mod ffsampling;
mod fft;
mod flr;
#[cfg(feature = "hazmat")]
pub mod hazmat;
mod key;
mod ntru;
#[cfg(feature = "fndsa-experimental-oid")]
mod pkcs8;
mod prepared;
mod roots;
mod sampler;
mod secret;
#[cfg(feature = "serde")]
mod serde;
mod sign;
#[cfg(test)]
mod tests;
mod word;

pub use crate::{
    key::SigningKey,
    prepared::{PreparedSigningKey, Scratch},
};
#[cfg(feature = "toy")]
pub use pqsig_comm::fndsa::FnDsaToy;
pub use pqsig_comm::{
    Error, MuBuilder, PreHash, PrehashDigest, Prehashed, WithContext,
    fndsa::{FnDsa512, FnDsa1024, ParameterSet, Signature},
};
pub use pqsig_fndsa_vrfy::VerifyingKey;
