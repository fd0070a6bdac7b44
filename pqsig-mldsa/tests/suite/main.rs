//! The integration tests of `pqsig-mldsa`, in one binary; `stack.rs` next door is its own.
//!
//! | module | what |
//! | --- | --- |
//! | `vectors` | every ML-DSA file of the vector folder, where that folder exists |
//! | `wycheproof` | the sign and verify files of Project Wycheproof |
//! | `kat` | small known answers, and the accumulated test of CCTV |
//! | `fips204` | the oracle: a direct transcription of the pseudocode of FIPS 204 |
//! | `reference` | keys, signatures and verdicts against the oracle |
//! | `differential` | the same against the crates `ml-dsa` and `fips204` |
//! | `lessons` | what broke in other libraries, one test for each entry |
//! | `robustness` | many rounds, every bit flip, random and mutated inputs |
//! | `traits` | the trait surface, and that all ways to sign agree |
//!
//! `PQSIG_LONG=1` runs the long form of the tests that have one; so does a release build.

mod common;
mod differential;
mod fips204;
mod kat;
mod lessons;
mod reference;
mod robustness;
mod traits;
mod vectors;
mod wycheproof;
