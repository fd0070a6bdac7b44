//! Fuzz targets of pqsig, as functions of bytes.
//!
//! ```text
//! scripts/fuzz.sh [SECONDS] [TARGET...]    # libFuzzer, from a corpus of valid inputs
//! cargo +nightly fuzz run verify           # the same by hand, from the folder `fuzz`
//! cargo run --release --bin verify FILE    # one input again, on stable Rust
//! cargo test                               # every target on mutated inputs
//! ```
//!
//! A target panics if a promise of the library is broken: that no input makes it panic, that what
//! is accepted is canonical, that all ways to sign and to verify agree, and that a changed
//! signature is refused.

mod backends;
pub mod seeds;
#[cfg(test)]
mod tests;

pub use backends::{backends, serve};

use core::fmt::Debug;
use pqsig::{
    MultipartSigner, RandomizedSigner, Signer, Verifier,
    any::{Algorithm, Signature, SigningKey, VerifyingKey},
    fndsa, mldsa,
    pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding},
    rand_core::{TryCryptoRng, TryRng},
    spki::{DecodePublicKey, EncodePublicKey},
};
use serde::{Serialize, de::DeserializeOwned};
use std::sync::OnceLock;

/// The `main` of a target.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::$name(data));

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            $crate::replay($crate::$name)
        }
    };
}

/// Runs a target on the files that the command line names.
///
/// # Errors
/// A file that cannot be read.
pub fn replay(target: fn(&[u8])) -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        target(&std::fs::read(&path)?);
        println!("{}: passed", path.display());
    }
    Ok(())
}

/// PKCS#8: what loads is written again, loads as the same key, and signs.
pub fn private_key(data: &[u8]) {
    let mut loaded = Vec::from_iter(SigningKey::from_pkcs8_der(data));
    if let Ok(text) = core::str::from_utf8(data) {
        loaded.extend(SigningKey::from_pkcs8_pem(text));
    }
    for key in loaded {
        let der = key.to_pkcs8_der().expect("a loaded key can be written");
        let again = SigningKey::from_pkcs8_der(der.as_bytes()).expect("what we wrote loads");
        assert!(again == key);
        works(&key);
    }
}

/// SubjectPublicKeyInfo: DER is canonical, so what loads is what we write.
pub fn public_key(data: &[u8]) {
    if let Ok(key) = VerifyingKey::from_public_key_der(data) {
        let der = key.to_public_key_der().expect("encodes");
        assert_eq!(der.as_bytes(), data);
        let pem = key.to_public_key_pem(LineEnding::LF).expect("encodes");
        assert_eq!(VerifyingKey::from_public_key_pem(&pem), Ok(key));
    }
    if let Ok(text) = core::str::from_utf8(data) {
        if let Ok(key) = VerifyingKey::from_public_key_pem(text) {
            assert!(key.to_public_key_der().is_ok());
        }
    }
}

/// The encodings of the standards: what loads is written as it was, and signs.
pub fn raw_key(data: &[u8]) {
    for &algorithm in Algorithm::ALL {
        if let Ok(key) = VerifyingKey::from_bytes(algorithm, data) {
            assert_eq!(key.as_bytes(), data);
        }
    }
    expanded::<mldsa::MlDsa44>(data);
    expanded::<mldsa::MlDsa65>(data);
    expanded::<mldsa::MlDsa87>(data);
    encoded::<fndsa::FnDsa512>(data);
    encoded::<fndsa::FnDsa1024>(data);
}

fn expanded<P: mldsa::ParameterSet>(data: &[u8])
where
    SigningKey: From<mldsa::SigningKey<P>>,
{
    if let Ok(key) = mldsa::SigningKey::<P>::from_expanded_bytes(data) {
        assert_eq!(key.to_expanded_bytes().as_ref(), data);
        works(&key.into());
    }
}

fn encoded<P: fndsa::ParameterSet>(data: &[u8])
where
    SigningKey: From<fndsa::SigningKey<P>>,
{
    if let Ok(key) = fndsa::SigningKey::<P>::from_bytes(data) {
        assert_eq!(key.to_bytes().as_ref(), data);
        works(&key.into());
    }
}

fn works(key: &SigningKey) {
    let signature = key.try_sign(b"fuzz").expect("a loaded key signs");
    let verified = key.verifying_key().verify(b"fuzz", &signature);
    verified.expect("its signature verifies");
}

/// Keys made once: making them anew for each input would cost the fuzzer most of its speed.
fn known() -> &'static [(SigningKey, Signature)] {
    static KNOWN: OnceLock<Vec<(SigningKey, Signature)>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let make = |algorithm: &Algorithm| {
            let key = algorithm.generate(&mut Bytes::new(b"known"));
            let signature = key.sign_with_rng(&mut Bytes::new(b"signature"), MESSAGE);
            (key, signature)
        };
        Algorithm::ALL.iter().map(make).collect()
    })
}

const MESSAGE: &[u8] = b"the message of the known signatures";

/// The first byte picks the algorithm. The rest is a signature, then the difference to a valid
/// one, so that the fuzzer gets past the first checks.
pub fn verify(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else {
        return;
    };
    let (key, valid) = &known()[usize::from(first) % known().len()];
    let vk = key.verifying_key();
    // As it is; the chance that it is a forgery is nil.
    if let Ok(signature) = Signature::from_bytes(key.algorithm(), rest) {
        assert!(signature == *valid || vk.verify(MESSAGE, &signature).is_err());
    }
    let _ = Signature::try_from(rest);
    // Both schemes are strongly unforgeable: nobody makes another signature of a signed message.
    let mut bytes = valid.as_bytes().to_vec();
    for (byte, difference) in bytes.iter_mut().zip(rest) {
        *byte ^= difference;
    }
    if let Ok(signature) = Signature::from_bytes(key.algorithm(), &bytes) {
        let accepted = vk.verify(MESSAGE, &signature).is_ok();
        assert_eq!(accepted, signature == *valid);
    }
    // The valid signature, of another message.
    assert!(rest == MESSAGE || vk.verify(rest, valid).is_err());
}

/// The first byte picks the algorithm, the second the length of the context, 32 bytes are the seed
/// of the key; the rest is context and message.
pub fn sign(data: &[u8]) {
    let Some((&[first, length], rest)) = data.split_first_chunk() else {
        return;
    };
    let Some((seed, rest)) = rest.split_first_chunk::<32>() else {
        return;
    };
    let (context, message) = rest.split_at(usize::from(length).min(rest.len()));
    let key = key_of(first, seed);
    let signer = key.with_context(context).expect("at most 255 bytes");
    let vk = key.verifying_key();
    let verifier = vk.with_context(context).expect("at most 255 bytes");
    let mut mu = key.mu_builder(context).expect("at most 255 bytes");
    let (head, tail) = message.split_at(message.len() / 3);
    mu.update(head);
    mu.update(tail);
    let mu = mu.finalize();

    let hedged = signer.sign_with_rng(&mut Bytes::new(seed), message);
    let by_mu = key.sign_mu_with_rng(&mut Bytes::new(seed), &mu);
    assert_eq!(by_mu.as_ref(), Ok(&hedged));
    verifier.verify(message, &hedged).expect("verifies");
    vk.verify_mu(&mu, &hedged).expect("verifies");
    assert_eq!(vk.verify(message, &hedged).is_ok(), context.is_empty());
    if key.algorithm().signs_deterministically() {
        let signature = signer.sign(message);
        assert_eq!(signer.multipart_sign(&[head, tail]), signature);
        verifier.verify(message, &signature).expect("verifies");
    }
}

/// The key that an input asks for.
fn key_of(pick: u8, seed: &[u8; 32]) -> SigningKey {
    // FN-DSA's key generation is slow: its keys are known ones.
    match pick % 8 {
        0 | 1 => mldsa::SigningKey::<mldsa::MlDsa44>::from_seed(seed).into(),
        2 | 3 => mldsa::SigningKey::<mldsa::MlDsa65>::from_seed(seed).into(),
        4 | 5 => mldsa::SigningKey::<mldsa::MlDsa87>::from_seed(seed).into(),
        n => known()[usize::from(n) - 3].0.clone(),
    }
}

/// serde: what loads is written, and loads as the same.
pub fn serde(data: &[u8]) {
    fn both<T: Serialize + DeserializeOwned + PartialEq + Debug>(data: &[u8]) {
        if let Ok(value) = serde_json::from_slice::<T>(data) {
            let text = serde_json::to_string(&value).expect("encodes");
            assert_eq!(serde_json::from_str::<T>(&text).expect("loads"), value);
        }
        if let Ok(value) = postcard::from_bytes::<T>(data) {
            let bytes = postcard::to_stdvec(&value).expect("encodes");
            assert_eq!(postcard::from_bytes::<T>(&bytes).expect("loads"), value);
        }
    }
    both::<mldsa::Signature<mldsa::MlDsa44>>(data);
    both::<mldsa::VerifyingKey<mldsa::MlDsa44>>(data);
    both::<mldsa::SigningKey<mldsa::MlDsa44>>(data);
    both::<fndsa::Signature<fndsa::FnDsa512>>(data);
    both::<fndsa::VerifyingKey<fndsa::FnDsa512>>(data);
    both::<fndsa::SigningKey<fndsa::FnDsa512>>(data);
}

/// A generator that repeats its bytes with a count.
struct Bytes<'a> {
    bytes: &'a [u8],
    count: u8,
}

impl<'a> Bytes<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, count: 0 }
    }
}

impl TryRng for Bytes<'_> {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut out = [0; 4];
        self.try_fill_bytes(&mut out)?;
        Ok(u32::from_le_bytes(out))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut out = [0; 8];
        self.try_fill_bytes(&mut out)?;
        Ok(u64::from_le_bytes(out))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for (byte, value) in out.iter_mut().zip(self.bytes.iter().cycle()) {
            *byte = value ^ self.count;
        }
        self.count = self.count.wrapping_add(1);
        Ok(())
    }
}

impl TryCryptoRng for Bytes<'_> {}
