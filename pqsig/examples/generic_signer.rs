//! Code that signs and never names an algorithm: it asks for the traits of `signature`, and the
//! caller decides. A signed log, in which every line depends on the one before.
//!
//! ```text
//! cargo run --release -p pqsig --example generic_signer -- ML-DSA-44
//! ```

use core::error::Error;
use pqsig::any::{Algorithm, SigningKey};

/// Knows nothing but the crate `signature`: ECDSA or Ed25519 would do as well.
mod log {
    use pqsig::signature::{Error, Keypair, SignatureEncoding, Signer, Verifier};

    /// A log whose entries are signed, each together with the signature of the one before.
    pub(crate) struct SignedLog<K, S> {
        key: K,
        entries: Vec<(String, S)>,
    }

    impl<K, S> SignedLog<K, S>
    where
        K: Signer<S> + Keypair<VerifyingKey: Verifier<S>>,
        S: SignatureEncoding,
    {
        pub(crate) fn new(key: K) -> Self {
            Self {
                key,
                entries: Vec::new(),
            }
        }

        pub(crate) fn append(&mut self, text: &str) -> Result<(), Error> {
            let message = chained(self.entries.last(), text);
            let signature = self.key.try_sign(&message)?;
            self.entries.push((text.to_owned(), signature));
            Ok(())
        }

        pub(crate) fn verify(&self) -> Result<usize, Error> {
            verify(&self.key.verifying_key(), &self.entries)
        }

        pub(crate) fn entries(&self) -> &[(String, S)] {
            &self.entries
        }
    }

    /// How many entries there are, if all are genuine, in order and without a gap.
    pub(crate) fn verify<V, S>(key: &V, entries: &[(String, S)]) -> Result<usize, Error>
    where
        V: Verifier<S>,
        S: SignatureEncoding,
    {
        let mut previous = None;
        for entry in entries {
            key.verify(&chained(previous, &entry.0), &entry.1)?;
            previous = Some(entry);
        }
        Ok(entries.len())
    }

    fn chained<S: SignatureEncoding>(previous: Option<&(String, S)>, text: &str) -> Vec<u8> {
        let mut message = previous.map_or(Vec::new(), |(_, signature)| signature.to_vec());
        message.extend_from_slice(text.as_bytes());
        message
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1);
    let algorithm: Algorithm = name.as_deref().unwrap_or("ML-DSA-65").parse()?;
    let key = SigningKey::try_generate(algorithm)?;

    let mut log = log::SignedLog::new(key.clone());
    for text in ["the door opened", "a light went on", "the door closed"] {
        log.append(text)?;
    }
    println!("{algorithm}: {} entries are genuine", log.verify()?);

    // An entry left out breaks the chain.
    let mut entries = log.entries().to_vec();
    entries.remove(1);
    if log::verify(&key.verifying_key(), &entries).is_ok() {
        return Err("a log with a gap must not verify".into());
    }
    println!("without the second entry, they are not");
    Ok(())
}
