//! PKCS#8, DER and PEM.
#![cfg_attr(fuzzing, no_main)]

pqsig_fuzz::target!(private_key);
