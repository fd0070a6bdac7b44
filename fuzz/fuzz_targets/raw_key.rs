//! Keys in the encodings of the standards.
#![cfg_attr(fuzzing, no_main)]

pqsig_fuzz::target!(raw_key);
