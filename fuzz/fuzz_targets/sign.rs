//! All ways to sign agree and verify.
#![cfg_attr(fuzzing, no_main)]

pqsig_fuzz::target!(sign);
