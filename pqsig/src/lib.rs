//! Post-quantum signatures: ML-DSA (FIPS 204) and FN-DSA, behind the traits of the crate
//! [`signature`] that the RustCrypto ecosystem shares.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(all(feature = "alloc", any(feature = "fndsa", feature = "mldsa")))]
pub mod any;

/// ML-DSA (FIPS 204): the crate `pqsig-mldsa`.
#[cfg(feature = "mldsa")]
pub mod mldsa {
    #[doc(inline)]
    pub use pqsig_mldsa::*;
}

/// FN-DSA, a best guess until FIPS 206 is published: the crates `pqsig-fndsa-kgen`,
/// `pqsig-fndsa-sign` and `pqsig-fndsa-vrfy`.
///
/// This is byte for byte what the crate `fn-dsa` 0.4.0 implements. It is not Falcon of round 3 of
/// the NIST project, and it will change with the standard.
#[cfg(feature = "fndsa")]
pub mod fndsa {
    #[doc(inline)]
    pub use pqsig_fndsa_kgen::{keygen, try_keygen};
    #[doc(inline)]
    pub use pqsig_fndsa_sign::*;
    #[doc(inline)]
    pub use pqsig_fndsa_vrfy::{PreparedVerifyingKey, verify_batch};

    /// Key generation and signing from a given seed, for known answers.
    #[cfg(feature = "hazmat")]
    pub mod hazmat {
        #[doc(inline)]
        pub use {pqsig_fndsa_kgen::hazmat::*, pqsig_fndsa_sign::hazmat::*};
    }
}

#[cfg(feature = "getrandom")]
#[doc(no_inline)]
pub use getrandom::SysRng;
#[doc(inline)]
pub use pqsig_comm::{Error, MuBuilder, PreHash, PrehashDigest, Prehashed, WithContext};
#[cfg(feature = "pkcs8")]
#[doc(no_inline)]
pub use pqsig_comm::{pkcs8, spki};
#[doc(no_inline)]
pub use signature::{
    self, DigestSigner, DigestVerifier, Keypair, KeypairRef, MultipartSigner, MultipartVerifier,
    RandomizedDigestSigner, RandomizedMultipartSigner, RandomizedSigner, SignatureEncoding, Signer,
    Verifier, digest, rand_core,
};
