//! Key generation of FN-DSA, for the parameter sets [`FnDsa512`] and [`FnDsa1024`].
//!
//! FIPS 206 is not published yet. These keys are a best guess, byte for byte those of the crate
//! `fn-dsa` 0.4.0 (the putative draft of 2026-07-22), and they are **not** Falcon keys of round 3
//! of the NIST project. Expect them to change with the standard.
//!
//! ```
//! use pqsig_fndsa_kgen::{FnDsa512, keygen};
//!
//! # struct Rng(u64);
//! # impl rand_core::TryRng for Rng {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(0) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(0) }
//! #     fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
//! #         out.fill(7);
//! #         Ok(())
//! #     }
//! # }
//! # impl rand_core::TryCryptoRng for Rng {}
//! # let mut rng = Rng(0);
//! // rng: any cryptographic generator of `rand_core`.
//! let (signing_key, verifying_key) = keygen::<FnDsa512, _>(&mut rng);
//! assert_eq!((signing_key.len(), verifying_key.len()), (1345, 897));
//! ```
//!
//! The keys are encoded; `pqsig-fndsa-sign` and `pqsig-fndsa-vrfy` read them, and this crate
//! links neither.
//!
//! # Sizes in bytes
//!
//! | set | signing key | verifying key | scratch memory | stack, optimised | unoptimised |
//! | --- | --- | --- | --- | --- | --- |
//! | FN-DSA-512 | 1345 | 897 | 30 720 | 72 kB | 128 kB |
//! | FN-DSA-1024 | 2369 | 1793 | 61 888 | 100 kB | 192 kB |
//!
//! Nothing is allocated. All working memory is one array on the stack, wiped in the end; there
//! is no recursion. The stack figures are the smallest threads that were seen to work on x86-64
//! Linux, which itself takes some of it; a test keeps a limit.
//!
//! # What is constant-time, and what shows
//!
//! There is no floating point: the solver computes with integers and fixed-point numbers, so the
//! same seed gives the same key on every target.
//!
//! A key is found by trial: candidates f and g are drawn until one passes all tests and the NTRU
//! equation has a solution. How many were drawn and which test each of them failed shows in the
//! time; a candidate that failed is forgotten. For a candidate that becomes a key, no branch,
//! address or division depends on f, g, F or G, with two exceptions that need numbers far out of
//! the range that a solution could come from (fixed-point quotients beyond 63 bits, Babai factors
//! near 2^30), and so are seen with candidates that are about to fail. Each place is a
//! `ct::public` line in the source.
//!
//! What the processor must give: products of 64-bit numbers, shifts of 64-bit numbers by a
//! variable amount and the count of leading zeros in constant time. That holds on x86-64 and on
//! larger Arm cores; on 32-bit targets the compiler makes sequences of these operations (shifts
//! by secret amounts happen in a handful of places: `zint::to_fixed`, `fxp::Divisor`), which is
//! not audited per target.
//!
//! Under valgrind with `--cfg pqsig_ctgrind`, release builds of both backends for x86-64 (rustc
//! 1.95) showed no branch and no address that depends on the seed, but for the marked ones.
//!
//! Wiped: the scratch memory, the seed, f, g, F and G. Not wiped: what the compiler spills.
//!
//! # How it works
//!
//! The order of all steps is that of the crate `fn-dsa` 0.4.0, which follows Falcon (Algorithms 5
//! to 7) with the solver of [Improved Key Pair Generation for Falcon, BAT and Hawk][ntrugen].
//!
//! [ntrugen]: https://eprint.iacr.org/2023/290
//!
//! | part | file |
//! | --- | --- |
//! | search | `search.rs`, `candidate.rs` |
//! | Gaussian sampler | `gauss.rs` |
//! | fixed point, transform | `fxp.rs`, `vect.rs` |
//! | primes | `mp31.rs`, `poly.rs` |
//! | NTRU solver | `ntru.rs`, `ntru/descent.rs`, `bezout.rs`, `ntru/ascent.rs`, `ntru/bottom.rs` |
//!
//! All tables are computed at compile time, but for the sampler's two, which a test recomputes.
//! The exception that `fn-dsa` makes for degree 4 is made here, so keys of degree 4 (feature `toy`) are those of
//! `fn-dsa` too.
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `hazmat` | the module `hazmat`: keys from a seed |
//! | `toy` | `FnDsaToy`, insecure degrees from 4 to 256 |

#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(test)]
extern crate std;

mod bezout;
mod candidate;
mod fxp;
mod gauss;
mod key;
mod mp31;
mod ntru;
mod poly;
mod search;
#[cfg(test)]
mod tests;
mod vect;
mod zint;

pub use key::GeneratedKey;
#[cfg(feature = "toy")]
pub use pqsig_comm::fndsa::FnDsaToy;
pub use pqsig_comm::fndsa::{FnDsa512, FnDsa1024, ParameterSet};
pub use rand_core;

use core::convert::Infallible;
use pqsig_comm::fndsa::params::KEYGEN_SEED_LEN;
use rand_core::{CryptoRng, TryCryptoRng};
use zeroize::Zeroizing;

/// A fresh key pair, encoded: the signing key (1345 or 2369 bytes, a secret) and the verifying
/// key (897 or 1793 bytes).
///
/// Draws exactly 32 bytes from `rng`, in one call.
#[must_use]
pub fn keygen<P: ParameterSet, R: CryptoRng + ?Sized>(
    rng: &mut R,
) -> (P::SigningKeyBytes, P::VerifyingKeyBytes) {
    let Ok::<_, Infallible>(pair) = try_keygen::<P, R>(rng);
    pair
}

/// As [`keygen`], with a generator that may fail.
///
/// # Errors
/// That of `rng`.
pub fn try_keygen<P: ParameterSet, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
) -> Result<(P::SigningKeyBytes, P::VerifyingKeyBytes), R::Error> {
    let mut seed = Zeroizing::new([0; KEYGEN_SEED_LEN]);
    rng.try_fill_bytes(&mut *seed)?;
    let key = GeneratedKey::<P>::from_seed(&*seed);
    Ok((*key.signing_key(), *key.verifying_key()))
}

/// Keys from a seed: for known answers and for protocols that derive keys. Not for ordinary use.
#[cfg(feature = "hazmat")]
pub mod hazmat {
    use crate::{GeneratedKey, ParameterSet};

    /// The key pair of a seed of any length, encoded.
    ///
    /// [`keygen`](crate::keygen) calls it with 32 random bytes. The key is as hard to guess as
    /// the seed, and the seed is as secret as the key; it is read but not wiped here.
    #[must_use]
    pub fn keygen_from_seed<P: ParameterSet>(
        seed: &[u8],
    ) -> (P::SigningKeyBytes, P::VerifyingKeyBytes) {
        let key = generate_from_seed::<P>(seed);
        (*key.signing_key(), *key.verifying_key())
    }

    /// As [`keygen_from_seed`], with the polynomials of the key.
    #[must_use]
    pub fn generate_from_seed<P: ParameterSet>(seed: &[u8]) -> GeneratedKey<P> {
        GeneratedKey::from_seed(seed)
    }
}
