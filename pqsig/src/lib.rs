//! Post-quantum signatures: [ML-DSA](mldsa) (FIPS 204) and [FN-DSA](fndsa) (a best guess of FIPS
//! 206, which is not published), behind the traits of the crate [`signature`] that RustCrypto
//! shares.
//!
//! ```
//! # #[cfg(all(feature = "getrandom", feature = "mldsa"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use pqsig::mldsa::{MlDsa65, Signature, SigningKey, VerifyingKey};
//! use pqsig::{RandomizedSigner, SysRng, Verifier};
//!
//! let signing_key = SigningKey::<MlDsa65>::try_generate()?;
//! let signature: Signature<MlDsa65> =
//!     signing_key.try_sign_with_rng(&mut SysRng, b"a message")?;
//!
//! let sent = (signing_key.verifying_key().as_bytes(), signature.as_bytes());
//! let verifying_key = VerifyingKey::<MlDsa65>::from_bytes(sent.0)?;
//! verifying_key.verify(b"a message", &Signature::from_bytes(sent.1)?)?;
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "getrandom", feature = "mldsa")))]
//! # fn main() {}
//! ```
//!
//! # What to use
//!
//! | for | use |
//! | --- | --- |
//! | new systems, certificates, anything that lasts | [`mldsa`], in doubt [`MlDsa65`](mldsa::MlDsa65) |
//! | experiments with small signatures | [`fndsa`]; it will change with the standard |
//! | an algorithm that a file or a peer chooses | [`any`] |
//! | code that names no algorithm | bounds on [`Signer`], [`Verifier`], [`Keypair`]; see the example `generic_signer` |
//!
//! # Contexts, digests, pieces
//!
//! A context of at most 255 bytes says what a signature is for. A digest may stand for the message
//! (HashML-DSA, HashFN-DSA); such a signature never verifies as one of the message itself. A
//! message of any length streams in through mu, which gives the same signature as all at once.
//!
//! ```
//! # #[cfg(all(feature = "getrandom", feature = "mldsa"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use pqsig::mldsa::{MlDsa44, Signature, SigningKey};
//! use pqsig::{MultipartSigner, PreHash, Signer, SysRng, Verifier};
//!
//! let key = SigningKey::<MlDsa44>::from_seed(&[7; 32]);
//!
//! // A context.
//! let letters = key.with_context(b"letters")?;
//! let signature: Signature<MlDsa44> = letters.try_sign(b"a message")?;
//! key.verifying_key().with_context(b"letters")?.verify(b"a message", &signature)?;
//! assert!(key.verifying_key().verify(b"a message", &signature).is_err());
//!
//! // In pieces.
//! assert_eq!(letters.try_multipart_sign(&[b"a ", b"message"])?, signature);
//! let mut builder = key.mu_builder(b"letters")?;
//! builder.update(b"a mess");
//! builder.update(b"age");
//! assert_eq!(key.sign_mu_deterministic(&builder.finalize())?, signature);
//!
//! // A digest that was made elsewhere; here of SHA-256.
//! let digest = [0x5a; 32];
//! let signature = key.sign_prehashed(PreHash::Sha2_256, &digest, b"", &mut SysRng)?;
//! key.verifying_key().verify_prehashed(PreHash::Sha2_256, &digest, b"", &signature)?;
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "getrandom", feature = "mldsa")))]
//! # fn main() {}
//! ```
//!
//! # Keys in files
//!
//! [`pkcs8`] and [`spki`] have the traits; the forms are those of RFC 9881, which OpenSSL 3.5
//! reads and writes.
//!
//! ```
//! # #[cfg(all(feature = "getrandom", feature = "mldsa", feature = "pem"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use pqsig::mldsa::{MlDsa87, SigningKey, VerifyingKey};
//! use pqsig::pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding};
//! use pqsig::spki::{DecodePublicKey, EncodePublicKey};
//!
//! let key = SigningKey::<MlDsa87>::try_generate()?;
//! let pem = key.to_pkcs8_pem(LineEnding::LF)?;
//! assert!(SigningKey::from_pkcs8_pem(&pem)? == key);
//!
//! let pem = key.verifying_key().to_public_key_pem(LineEnding::LF)?;
//! assert_eq!(VerifyingKey::from_public_key_pem(&pem)?, *key.verifying_key());
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "getrandom", feature = "mldsa", feature = "pem")))]
//! # fn main() {}
//! ```
//!
//! # Sizes in bytes
//!
//! | set | verifying key | signature | signing key |
//! | --- | --- | --- | --- |
//! | ML-DSA-44 | 1312 | 2420 | 32 (seed) or 2560 |
//! | ML-DSA-65 | 1952 | 3309 | 32 (seed) or 4032 |
//! | ML-DSA-87 | 2592 | 4627 | 32 (seed) or 4896 |
//! | FN-DSA-512 | 897 | 666 | 1345 |
//! | FN-DSA-1024 | 1793 | 1280 | 2369 |
//!
//! # Security notes
//!
//! * Signing, key generation and import are constant-time in all secrets, except for what the
//!   algorithms reveal by design. Verification handles public values only. The crates of the
//!   families say more.
//! * [`Signer`] is deterministic for ML-DSA. [`RandomizedSigner`] is hedged: it resists faults and
//!   side channels better; prefer it. FN-DSA has no deterministic variant.
//! * Keys and named intermediate secrets are wiped on drop. Registers, spilled stack slots and the
//!   places that a key was moved from are not.
//! * Bad input of any kind gives an `Err`, not a panic.
//!
//! # Stack
//!
//! Key generation, signing and verification of every set work in a thread with 256 kB of stack in
//! an optimised build, and 512 kB in an unoptimised one. Prepared keys are large values (20 to
//! 125 kB): keep them in a `Box`. Keys of [`any`] are boxed.
//!
//! # Features
//!
//! They add API and change nothing else.
//!
//! | feature | adds | default |
//! | --- | --- | --- |
//! | `mldsa` | [`mldsa`] | yes |
//! | `fndsa` | [`fndsa`] | yes |
//! | `alloc` | [`any`], and encodings that need a heap | yes |
//! | `getrandom` | `try_generate`, [`SysRng`] | yes |
//! | `pkcs8` | PKCS#8, SubjectPublicKeyInfo, algorithm identifiers | yes |
//! | `pem` | the same in PEM | yes |
//! | `serde` | `Serialize` and `Deserialize` for keys and signatures | |
//! | `hazmat` | internal functions and given seeds, for test vectors | |
//! | `fndsa-experimental-oid` | FN-DSA key files, under object identifiers that are sure to change | |
//! | `toy` | FN-DSA in insecure degrees | |
//!
//! # Code generation
//!
//! Set in `RUSTFLAGS`, by whoever builds the final program:
//!
//! | `--cfg` | effect |
//! | --- | --- |
//! | `pqsig_backend="portable"` | no SIMD at all |
//! | `pqsig_backend="no_avx2"` | no AVX2, nor AVX-512 |
//! | `pqsig_backend="no_avx512"` | no AVX-512, which serves Keccak only |
//! | `pqsig_fpr="emulated"` | FN-DSA signs with integers only |
//! | `pqsig_fpr_div="emulated"`, `pqsig_fpr_sqrt="emulated"` | the same for division, for square roots: for cores where they take a variable time |
//! | `pqsig_small` | ML-DSA in least memory: 8 kB of stack to verify, 15 to 24 kB to sign, at twice the time for a signature |
//! | `pqsig_ctgrind` | marks secrets for valgrind; for tests |
//!
//! Keys and signatures are the same bytes with all of them.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(feature = "alloc", any(feature = "fndsa", feature = "mldsa")))]
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

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "getrandom", feature = "mldsa"))]
#[doc = include_str!("../../README.md")]
struct Readme;
