//! Keys whose algorithm is known at run time only: from a file, a certificate, a command line.
//!
//! [`SigningKey`], [`VerifyingKey`] and [`Signature`] are enums with one variant for each
//! parameter set, holding the typed value in a `Box`. They read key files of any algorithm, by
//! the object identifier inside, and implement the traits of [`signature`](::signature) like the
//! typed keys. A signature of one algorithm never verifies under a key of another.
//!
//! ```
//! use pqsig::{Signer, Verifier, any::Algorithm};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # #[cfg(all(feature = "getrandom", feature = "mldsa"))] {
//! let algorithm: Algorithm = "ML-DSA-65".parse()?;
//! let signing_key = algorithm.try_generate(&mut pqsig::SysRng)?;
//! let signature = signing_key.try_sign(b"a message")?;
//! assert_eq!(signature.algorithm(), algorithm);
//! signing_key.verifying_key().verify(b"a message", &signature)?;
//! # }
//! # Ok(())
//! # }
//! ```
//!
//! With `pem`, the algorithm comes out of the file:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # #[cfg(all(feature = "pem", feature = "mldsa"))] {
//! use pqsig::{any::SigningKey, pkcs8::DecodePrivateKey};
//!
//! let pem = "-----BEGIN PRIVATE KEY-----\n\
//!     MDQCAQAwCwYJYIZIAWUDBAMRBCKAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZ\n\
//!     GhscHR4f\n\
//!     -----END PRIVATE KEY-----\n";
//! let signing_key = SigningKey::from_pkcs8_pem(pem)?;
//! assert_eq!(signing_key.algorithm().to_string(), "ML-DSA-44");
//! # }
//! # Ok(())
//! # }
//! ```
//!
//! # Adding an algorithm
//!
//! One variant in each of the four enums and one line in each of the tables of `any.rs`.

/// Evaluates `$body` with the typed value inside of `$value`, an `$enum`, as `$inner`.
macro_rules! dispatch {
    ($enum:ident, $value:expr, $inner:ident => $body:expr) => {
        match $value {
            #[cfg(feature = "mldsa")]
            $enum::MlDsa44($inner) => $body,
            #[cfg(feature = "mldsa")]
            $enum::MlDsa65($inner) => $body,
            #[cfg(feature = "mldsa")]
            $enum::MlDsa87($inner) => $body,
            #[cfg(feature = "fndsa")]
            $enum::FnDsa512($inner) => $body,
            #[cfg(feature = "fndsa")]
            $enum::FnDsa1024($inner) => $body,
        }
    };
}

/// The `Algorithm` of `$value`, an `$enum`.
macro_rules! algorithm_of {
    ($enum:ident, $value:expr) => {
        match $value {
            #[cfg(feature = "mldsa")]
            $enum::MlDsa44(_) => Algorithm::MlDsa44,
            #[cfg(feature = "mldsa")]
            $enum::MlDsa65(_) => Algorithm::MlDsa65,
            #[cfg(feature = "mldsa")]
            $enum::MlDsa87(_) => Algorithm::MlDsa87,
            #[cfg(feature = "fndsa")]
            $enum::FnDsa512(_) => Algorithm::FnDsa512,
            #[cfg(feature = "fndsa")]
            $enum::FnDsa1024(_) => Algorithm::FnDsa1024,
        }
    };
}

/// Evaluates `$body` with the key and the signature inside, or fails if their algorithms differ.
macro_rules! dispatch_pair {
    ($key_value:expr, $signature_value:expr, ($key:ident, $signature:ident) => $body:expr) => {
        match ($key_value, $signature_value) {
            #[cfg(feature = "mldsa")]
            (VerifyingKey::MlDsa44($key), Signature::MlDsa44($signature)) => $body,
            #[cfg(feature = "mldsa")]
            (VerifyingKey::MlDsa65($key), Signature::MlDsa65($signature)) => $body,
            #[cfg(feature = "mldsa")]
            (VerifyingKey::MlDsa87($key), Signature::MlDsa87($signature)) => $body,
            #[cfg(feature = "fndsa")]
            (VerifyingKey::FnDsa512($key), Signature::FnDsa512($signature)) => $body,
            #[cfg(feature = "fndsa")]
            (VerifyingKey::FnDsa1024($key), Signature::FnDsa1024($signature)) => $body,
            _ => Err(crate::Error::InvalidSignature),
        }
    };
}

/// Evaluates `$body` with the module (`mldsa`, `fndsa`) and the parameter set of an `Algorithm`.
macro_rules! with_set {
    ($algorithm:expr, $family:ident, $set:ident => $body:expr) => {
        match $algorithm {
            #[cfg(feature = "mldsa")]
            Algorithm::MlDsa44 => with_set!(@ mldsa, MlDsa44, $family, $set => $body),
            #[cfg(feature = "mldsa")]
            Algorithm::MlDsa65 => with_set!(@ mldsa, MlDsa65, $family, $set => $body),
            #[cfg(feature = "mldsa")]
            Algorithm::MlDsa87 => with_set!(@ mldsa, MlDsa87, $family, $set => $body),
            #[cfg(feature = "fndsa")]
            Algorithm::FnDsa512 => with_set!(@ fndsa, FnDsa512, $family, $set => $body),
            #[cfg(feature = "fndsa")]
            Algorithm::FnDsa1024 => with_set!(@ fndsa, FnDsa1024, $family, $set => $body),
        }
    };
    (@ $module:ident, $marker:ident, $family:ident, $set:ident => $body:expr) => {{
        use crate::$module as $family;
        type $set = crate::$module::$marker;
        $body
    }};
}

/// Makes the conversions from typed values, `From<mldsa::$type<MlDsa44>> for $type` and so on.
macro_rules! conversions {
    ($type:ident) => {
        conversions!(@ $type: "mldsa" mldsa { MlDsa44, MlDsa65, MlDsa87 });
        conversions!(@ $type: "fndsa" fndsa { FnDsa512, FnDsa1024 });
    };
    (@ $type:ident: $feature:literal $module:ident { $($set:ident),* }) => {$(
        #[cfg(feature = $feature)]
        impl From<crate::$module::$type<crate::$module::$set>> for $type {
            fn from(value: crate::$module::$type<crate::$module::$set>) -> Self {
                Self::$set(alloc::boxed::Box::new(value))
            }
        }
    )*};
}

mod adapter;
mod algorithm;
#[cfg(feature = "pkcs8")]
mod pkcs8;
mod signature;
mod signing_key;
mod verifying_key;

pub use self::{
    adapter::WithContext, algorithm::Algorithm, signature::Signature, signing_key::SigningKey,
    verifying_key::VerifyingKey,
};
