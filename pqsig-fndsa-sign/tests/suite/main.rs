//! The integration tests of `pqsig-fndsa-sign`, in one binary; `stack.rs` next door is its own.
//!
//! | module | what |
//! | --- | --- |
//! | `differential` | keys, signatures and verdicts against the crate `fn-dsa` 0.4.0 |
//! | `robustness` | 10,000 signatures under one key, flipped and mutated keys, odd generators |
//! | `api` | the trait surface, and that all ways to sign agree |
//! | `wipe` | that dropped memory holds no secrets |
//!
//! `PQSIG_LONG=1` runs the long form of the tests that have one.
#![cfg(feature = "kgen")]

mod api;
mod common;
mod differential;
mod robustness;
mod wipe;
