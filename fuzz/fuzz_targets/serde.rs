//! Keys and signatures in JSON and postcard.
#![cfg_attr(fuzzing, no_main)]

pqsig_fuzz::target!(serde);
