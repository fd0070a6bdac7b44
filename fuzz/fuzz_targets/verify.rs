//! Signatures near and far from valid ones.
#![cfg_attr(fuzzing, no_main)]

pqsig_fuzz::target!(verify);
