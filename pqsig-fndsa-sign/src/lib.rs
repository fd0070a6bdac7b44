//! Signing with FN-DSA, in the parameter sets [`FnDsa512`] and [`FnDsa1024`], behind the traits
//! of the crate [`signature`].
//!
//! **FIPS 206 is not published.** This is the best guess that the crate `fn-dsa` 0.4.0
//! implements (the putative draft of 2026-07-22), byte for byte, and it will change with the
//! standard. It is not Falcon of round 3 of the NIST project: keys and signatures of one are of
//! no use with the other.
//!
//! ```
//! # #[cfg(all(feature = "getrandom", feature = "kgen"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use pqsig_fndsa_sign::{FnDsa512, Signature, SigningKey};
//! use signature::{Signer, Verifier};
//!
//! let key = SigningKey::<FnDsa512>::try_generate()?;
//! let signature: Signature<FnDsa512> = key.try_sign(b"a message")?;
//! key.verifying_key().verify(b"a message", &signature)?;
//!
//! let stored = key.to_bytes();
//! assert!(SigningKey::<FnDsa512>::from_bytes(&stored)? == key);
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "getrandom", feature = "kgen")))]
//! # fn main() {}
//! ```
//!
//! # Which method for what
//!
//! | to | use |
//! | --- | --- |
//! | sign with randomness of the operating system | `Signer` (feature `getrandom`) |
//! | sign with a generator of your own | `RandomizedSigner` |
//! | bind a context of at most 255 bytes | [`SigningKey::with_context`] |
//! | sign a digest (HashFN-DSA) | [`SigningKey::prehash`], [`SigningKey::sign_prehashed`] |
//! | sign a message in pieces | `MultipartSigner`; `DigestSigner` with `shake::Shake256`; [`SigningKey::mu_builder`] |
//! | sign with one key all day | [`SigningKey::prepare`] |
//! | sign in memory of your own | [`SigningKey::sign_with_scratch`] |
//!
//! # Sizes in bytes
//!
//! | set | signing key | verifying key | signature | [`SigningKey`] | [`PreparedSigningKey`] | [`Scratch`] |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | FN-DSA-512 | 1345 | 897 | 666 | 2858 | 64 304 | 51 200 |
//! | FN-DSA-1024 | 2369 | 1793 | 1280 | 5290 | 128 176 | 102 400 |
//!
//! Signing puts a [`Scratch`] on the stack; with a prepared key, only 18 or 36 kB of it; with
//! `sign_with_scratch`, none. Key generation, import and signing work in a thread with 256 kB of
//! stack in an optimised build, and 512 kB in an unoptimised one. The one exception is
//! [`SigningKey::prepare`] for FN-DSA-1024, which returns 125 kB by value and needs 300 kB on the
//! way; `prepare_boxed` stays within the limit.
//!
//! # Security notes
//!
//! ## Why there is no deterministic signer
//!
//! A signature hides the key by sampling. Two different signatures of the same hash point differ
//! by a short lattice vector, and a few such vectors are the key (ePrint 2024/1709). If nonce and
//! samples were functions of key and message, one difference in rounding between two machines,
//! compilers or versions would give such a pair away. So every signature draws 40 fresh random
//! bytes; they are hashed with a secret of the key and with mu, so that a bad generator does not
//! make two messages share a nonce. `Signer`, which takes no generator, exists with the feature
//! `getrandom` only and asks the operating system. A seeded form is in `hazmat`, for vectors.
//!
//! Against the case that randomness repeats all the same (a virtual machine that is cloned), all
//! targets compute the same bits: each operation is rounded on its own, in a fixed order, without
//! fused multiply-add, and signing refuses to run if the FPU does not round to nearest.
//!
//! ## What is constant-time
//!
//! No branch, index, division by a variable or early exit depends on a secret, beyond what the
//! scheme lets out: how many trials the sampler takes and how many attempts are rejected, both
//! independent of the key; where the encoding of a rejected s2 runs over; whether an imported key
//! is valid. Each such place is a `ct::public` line in the source.
//!
//! | target | numbers | what the claim rests on |
//! | --- | --- | --- |
//! | x86-64, aarch64 | FPU | addition and multiplication of ordinary numbers take the same time; division and square root, a few thousand per signature, may not on some cores |
//! | riscv64 with D | FPU | the same; square root is in integers |
//! | all others, i686 included | integers | 32-bit and 64-bit multiplication in constant time, which Cortex-M3, Cortex-A53 and the like do not have |
//!
//! A [`PreparedSigningKey`] signs without division and square root: those are done when it is
//! made. `--cfg pqsig_fpr_div="emulated"` and `--cfg pqsig_fpr_sqrt="emulated"` do them in
//! integers; `--cfg pqsig_fpr="emulated"` does everything in integers, on any target, with the
//! same result, some ten times slower.
//!
//! ## What is wiped, and what is out of scope
//!
//! Keys, seeds, the state of the sampler and all working memory are wiped when dropped. What
//! cannot be wiped: copies that the compiler makes in registers and spilled stack slots, and
//! moves of a key by its owner. Power analysis and faults are out of scope for portable software.
//! A corrupted key or a hostile generator ends in an error after a bounded time; a careful caller
//! verifies what it signed.
//!
//! # Where each part is
//!
//! | part | file |
//! | --- | --- |
//! | signing keys | `key.rs`, `secret.rs`, `ntru.rs` |
//! | randomness and attempts | `sign.rs`, `attempt.rs` |
//! | transforms and the lattice step | `fft.rs`, `complex.rs`, `roots.rs` |
//! | sampling over the tree | `ffsampling.rs` |
//! | sampling integers | `sampler.rs` |
//! | numbers | `flr.rs`, `flr/native.rs`, `flr/emulated.rs` |
//!
//! # Features
//!
//! | feature | adds | default |
//! | --- | --- | --- |
//! | `alloc` | encodings that need a heap, `prepare_boxed` | yes |
//! | `getrandom` | `Signer`, and `SigningKey::generate`, from the operating system | yes |
//! | `kgen` | key generation (`pqsig-fndsa-kgen`) | yes |
//! | `pkcs8`, `pem` | traits that need them; key files come with the next one | |
//! | `fndsa-experimental-oid` | PKCS#8, under object identifiers that are sure to change | |
//! | `serde` | `Serialize` and `Deserialize` | |
//! | `hazmat` | signing with a seed | |
//! | `toy` | `FnDsaToy`: degrees 4 to 256, insecure | |

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
// Some of it is for `flr::emulated` alone.
#[allow(dead_code)]
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
