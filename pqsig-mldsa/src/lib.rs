//! ML-DSA, the lattice signature of [FIPS 204], in the parameter sets [`MlDsa44`], [`MlDsa65`]
//! and [`MlDsa87`], behind the traits of the crate [`signature`](::signature).
//!
//! ```
//! use pqsig_mldsa::{MlDsa65, Signature, SigningKey, VerifyingKey};
//! use signature::{Signer, Verifier};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # #[cfg(feature = "getrandom")] {
//! let signing_key = SigningKey::<MlDsa65>::try_generate()?;
//! let signature: Signature<MlDsa65> = signing_key.try_sign(b"a message")?;
//!
//! let encoded = signing_key.verifying_key().as_bytes();
//! let verifying_key = VerifyingKey::<MlDsa65>::from_bytes(encoded)?;
//! verifying_key.verify(b"a message", &signature)?;
//! # }
//! # Ok(())
//! # }
//! ```
//!
//! # Which method for what
//!
//! | to | use |
//! | --- | --- |
//! | sign deterministically | `Signer` (the `rnd` of FIPS 204 is zero, as elsewhere in RustCrypto) |
//! | sign hedged, which FIPS 204 prefers | `RandomizedSigner` |
//! | bind a context of at most 255 bytes | [`SigningKey::with_context`], [`VerifyingKey::with_context`] |
//! | sign a digest (HashML-DSA) | [`SigningKey::prehash`], [`SigningKey::sign_prehashed`] |
//! | sign a message in pieces | `MultipartSigner`; `DigestSigner` with `shake::Shake256`; [`SigningKey::mu_builder`] |
//! | sign or verify with one key all day | [`SigningKey::prepare`], [`VerifyingKey::prepare`] |
//! | verify many signatures | [`verify_batch`] |
//!
//! # Sizes in bytes
//!
//! | set | verifying key | signature | seed | expanded signing key |
//! | --- | --- | --- | --- | --- |
//! | ML-DSA-44 | 1312 | 2420 | 32 | 2560 |
//! | ML-DSA-65 | 1952 | 3309 | 32 | 4032 |
//! | ML-DSA-87 | 2592 | 4627 | 32 | 4896 |
//!
//! # Security notes
//!
//! * Key generation, import and signing have no branch, index or division that depends on a
//!   secret, beyond what FIPS 204 lets out: which candidates rejection sampling accepts, and how
//!   often and where an attempt at signing is rejected. Each such place is a `ct::public` or
//!   `ct::declassify` line in the source, with its reason. Verification handles public values only.
//! * Keys and all intermediate secrets that are named in the code are wiped when dropped. What
//!   cannot be wiped: copies that the compiler makes in registers and spilled stack slots, and
//!   moves of a key by its owner.
//! * Power analysis and faults are out of scope for portable software. The hedged variant makes
//!   fault attacks harder.
//!
//! # Backends
//!
//! | backend | chosen |
//! | --- | --- |
//! | AVX2 | at run time on x86-64 |
//! | portable | everywhere else, and with `--cfg pqsig_backend="portable"` |
//!
//! All give the same bytes.
//!
//! # Memory
//!
//! Nothing is allocated. In an optimised build on x86-64, the stack that an operation takes beside
//! what it returns, in kB of 1024 bytes, for the sets 44, 65 and 87:
//!
//! | | key generation | import | signing | verification | prepared signing | prepared verification |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | default | 24, 27, 30 | 35, 38, 42 | 54, 79, 119 | 25, 27, 31 | 30, 37, 48 | 12, 14, 18 |
//! | `--cfg pqsig_small` | 10, 12, 13 | 12, 14, 16 | 15, 19, 24 | 8, 8, 8 | the same | the same |
//!
//! [`verify_batch`] needs at most 64 kB. Whatever the target, every operation works in a thread with
//! 256 kB of stack in an optimised build, and 512 kB in an unoptimised one. With
//! `--cfg pqsig_small`, A is sampled anew wherever it is used, y and the secrets are unpacked when
//! they are needed, and batches are verified one by one.
//!
//! # Features
//!
//! | feature | adds | default |
//! | --- | --- | --- |
//! | `alloc` | encodings that need a heap: PKCS#8, SPKI | yes |
//! | `getrandom` | `SigningKey::generate` from the operating system | yes |
//! | `pkcs8` | keys in PKCS#8 and SubjectPublicKeyInfo (RFC 9881) | yes |
//! | `pem` | the same in PEM | yes |
//! | `serde` | `Serialize` and `Deserialize` | |
//! | `hazmat` | the internal functions of FIPS 204 | |
//!
//! # Where each algorithm of FIPS 204 is
//!
//! | algorithms | file |
//! | --- | --- |
//! | 1 `KeyGen`, 6 `KeyGen_internal` | `signing_key.rs`, `keygen.rs` |
//! | 2 `Sign`, 3 `Verify`, 4 `HashML-DSA.Sign`, 5 `HashML-DSA.Verify` | `pqsig-comm`: `adapter.rs`, `mu.rs`, `prehash.rs` |
//! | 7 `Sign_internal` | `signing.rs` |
//! | 8 `Verify_internal` | `verifying.rs` |
//! | 9 to 13 bits and bytes, 16 to 19 `BitPack` and its kin | `backend/portable.rs` (`pack`, `unpack`) |
//! | 14 `CoeffFromThreeBytes`, 15 `CoeffFromHalfByte` | `backend/portable.rs` (`rej_uniform`, `rej_bounded`) |
//! | 20 `HintBitPack`, 21 `HintBitUnpack` | `hint.rs` |
//! | 22 to 28 encodings of keys, signatures, w1 | `encode.rs` |
//! | 29 to 34 sampling | `sample.rs` |
//! | 35 `Power2Round`, 36 to 38 `Decompose` and its parts, 39 `MakeHint`, 40 `UseHint` | `backend/portable.rs` |
//! | 41 `NTT`, 42 `NTT^-1`, 43 `BitRev8` | `backend/portable.rs` |
//! | 44 to 48 arithmetic on vectors of polynomials | `poly.rs`, `backend/portable.rs` (`dot`, `multiply`) |
//! | 49 `MontgomeryReduce` | `backend/portable.rs` (`reduce`) |
//!
//! [FIPS 204]: https://doi.org/10.6028/NIST.FIPS.204

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
mod rows;
mod sample;
#[cfg(feature = "serde")]
mod serde;
mod signature;
mod signing;
mod signing_key;
mod sparse;
#[cfg(test)]
mod trace_tests;
mod verifying;
mod verifying_key;

#[cfg(feature = "pkcs8")]
pub use crate::pkcs8::PrivateKeyFormat;
pub use crate::{
    batch::{verify_batch, verify_batch_encoded, verify_batch_prepared},
    params::{MlDsa44, MlDsa65, MlDsa87, ParameterSet},
    prepared::{PreparedSigningKey, PreparedVerifyingKey},
    signature::Signature,
    signing_key::SigningKey,
    verifying_key::VerifyingKey,
};
pub use pqsig_comm::{Error, MuBuilder, PreHash, PrehashDigest, Prehashed, WithContext};
