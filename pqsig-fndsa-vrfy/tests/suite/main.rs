//! The integration tests of `pqsig-fndsa-vrfy`, in one binary.
//!
//! | module | what |
//! | --- | --- |
//! | `vectors` | every FN-DSA signature of the vector folder, where that folder exists |
//! | `falcon` | Falcon of round 3: refused; its known answers as a test of the arithmetic |
//! | `differential` | verdicts against the crate `fn-dsa` 0.4.0 |
//! | `lessons` | what broke in other libraries, one test for each entry |
//! | `traits` | the trait surface, serde, key files |
//!
//! `PQSIG_LONG=1` runs the long form of the tests that have one.

mod common;
mod differential;
mod falcon;
mod lessons;
mod traits;
mod vectors;
