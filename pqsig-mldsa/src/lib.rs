#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod backend;
mod batch;
mod encode;
#[cfg(feature = "hazmat")]
pub mod hazmat;
mod hint;
mod keygen;
mod params;
#[cfg(feature = "pkcs8")]
mod pkcs8;
mod poly;
mod prepared;
mod sample;
#[cfg(feature = "serde")]
mod serde;
mod signature;
mod signing;
mod signing_key;
mod verifying;
mod verifying_key;

#[cfg(feature = "pkcs8")]
pub use crate::pkcs8::PrivateKeyFormat;
pub use crate::{
    batch::verify_batch,
    params::{MlDsa44, MlDsa65, MlDsa87, ParameterSet},
    prepared::{PreparedSigningKey, PreparedVerifyingKey},
    signature::Signature,
    signing_key::SigningKey,
    verifying_key::VerifyingKey,
};
#[cfg(feature = "pkcs8")]
pub use pqsig_comm::{Error, MuBuilder, PreHash, PrehashDigest, Prehashed, WithContext};
