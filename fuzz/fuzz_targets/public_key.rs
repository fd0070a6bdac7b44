//! SubjectPublicKeyInfo, DER and PEM.
#![cfg_attr(fuzzing, no_main)]

pqsig_fuzz::target!(public_key);
