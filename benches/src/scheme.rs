//! What an implementation has to offer, and the operations that are timed.

use crate::Material;
use std::hint::black_box;

/// An encoded key pair.
#[derive(Clone, PartialEq, Eq)]
pub struct Keys {
    /// The signing key as the standard encodes it (not the seed).
    pub signing: Vec<u8>,
    /// The verifying key.
    pub verifying: Vec<u8>,
}

/// Keys, messages and signatures, to be verified together.
pub type Batch<'a, K> = [(&'a K, &'a [u8], &'a [u8])];

/// One implementation of one parameter set.
///
/// `SigningKey` and `VerifyingKey` are what a caller holds who has prepared nothing; for
/// implementations that decode a key at each use, its bytes. FN-DSA signs with randomness made
/// from the message, so that all implementations do the same work.
pub trait Scheme: 'static {
    /// Crate, version, kind.
    const NAME: &'static str;
    /// Whether keys and signatures follow from seed and message alone, so that all agree.
    const DETERMINISTIC: bool = true;
    /// Whether it accepts what the others sign.
    const INTEROPERATES: bool = true;
    #[allow(missing_docs)]
    type SigningKey: 'static;
    #[allow(missing_docs)]
    type PreparedSigningKey: 'static;
    #[allow(missing_docs)]
    type VerifyingKey: 'static;
    #[allow(missing_docs)]
    type PreparedVerifyingKey: 'static;

    /// A key pair, encoded.
    fn generate(seed: &[u8; 32]) -> Keys;
    /// Decodes a signing key.
    fn import_signing(bytes: &[u8]) -> Self::SigningKey;
    /// Signs.
    fn sign(key: &Self::SigningKey, message: &[u8]) -> Vec<u8>;
    /// Decodes a signing key and signs once.
    fn import_and_sign(bytes: &[u8], message: &[u8]) -> Vec<u8> {
        Self::sign(&Self::import_signing(bytes), message)
    }
    /// Computes what depends on the key alone.
    fn prepare_signing(key: &Self::SigningKey) -> Self::PreparedSigningKey;
    /// Signs with a prepared key.
    fn sign_prepared(key: &mut Self::PreparedSigningKey, message: &[u8]) -> Vec<u8>;
    /// Decodes a verifying key.
    fn import_verifying(bytes: &[u8]) -> Self::VerifyingKey;
    /// Verifies.
    fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool;
    /// Computes what depends on the key alone.
    fn prepare_verifying(key: &Self::VerifyingKey) -> Self::PreparedVerifyingKey;
    /// Verifies with a prepared key.
    fn verify_prepared(key: &Self::PreparedVerifyingKey, message: &[u8], signature: &[u8]) -> bool;
    /// Whether all of many signatures verify, from the keys' encoding.
    fn verify_batch_encoded(items: &Batch<'_, [u8]>) -> bool {
        each_encoded::<Self>(items)
    }
    /// Whether all of many signatures verify.
    fn verify_batch(items: &Batch<'_, Self::VerifyingKey>) -> bool {
        each::<Self>(items)
    }
    /// Whether all of many signatures verify, with prepared keys.
    fn verify_batch_prepared(items: &Batch<'_, Self::PreparedVerifyingKey>) -> bool {
        each_prepared::<Self>(items)
    }
}

fn each_encoded<S: Scheme + ?Sized>(items: &Batch<'_, [u8]>) -> bool {
    items
        .iter()
        .all(|(key, message, signature)| S::verify(&S::import_verifying(key), message, signature))
}

fn each<S: Scheme + ?Sized>(items: &Batch<'_, S::VerifyingKey>) -> bool {
    items
        .iter()
        .all(|(key, message, signature)| S::verify(key, message, signature))
}

fn each_prepared<S: Scheme + ?Sized>(items: &Batch<'_, S::PreparedVerifyingKey>) -> bool {
    items
        .iter()
        .all(|(key, message, signature)| S::verify_prepared(key, message, signature))
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Key generation, with the encoding of both keys.
    KeyGen,
    /// Signing with the key that a caller holds.
    Sign,
    /// Decoding the encoded signing key, with all checks that an implementation makes, and signing.
    ImportSign,
    /// Signing with a prepared key.
    SignPrepared,
    /// Decoding the encoded verifying key and verifying.
    Verify,
    /// Verifying with a decoded key.
    VerifyHeld,
    /// Verifying with a prepared key.
    VerifyPrepared,
    /// Verifying 64 signatures under 64 encoded keys; times are per signature, here and below.
    VerifyBatchEncoded,
    /// Verifying 64 signatures under 64 decoded keys.
    VerifyBatch,
    /// Verifying 64 signatures under one prepared key.
    VerifyBatchPrepared,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::KeyGen,
        Self::Sign,
        Self::ImportSign,
        Self::SignPrepared,
        Self::Verify,
        Self::VerifyHeld,
        Self::VerifyPrepared,
        Self::VerifyBatchEncoded,
        Self::VerifyBatch,
        Self::VerifyBatchPrepared,
    ];

    /// The name that filters use.
    pub fn name(self) -> &'static str {
        match self {
            Self::KeyGen => "keygen",
            Self::Sign => "sign",
            Self::ImportSign => "import-sign",
            Self::SignPrepared => "sign-prepared",
            Self::Verify => "verify",
            Self::VerifyHeld => "verify-held",
            Self::VerifyPrepared => "verify-prepared",
            Self::VerifyBatchEncoded => "verify-batch-encoded",
            Self::VerifyBatch => "verify-batch",
            Self::VerifyBatchPrepared => "verify-batch-prepared",
        }
    }

    /// Whether its time depends on the message, so that each is timed by itself.
    pub fn signs(self) -> bool {
        matches!(self, Self::Sign | Self::ImportSign | Self::SignPrepared)
    }

    /// Whether many signatures are verified together.
    pub fn is_batch(self) -> bool {
        self.per_run() > 1
    }

    /// How many results one run gives.
    pub fn per_run(self) -> usize {
        match self {
            Self::VerifyBatchEncoded | Self::VerifyBatch | Self::VerifyBatchPrepared => BATCH,
            _ => 1,
        }
    }
}

/// The size of a batch.
const BATCH: usize = 64;

/// An operation with its inputs; the argument picks the message or the seed.
pub type Workload = Box<dyn FnMut(usize)>;

/// A key pair and a signature.
pub type Transcript = (Keys, Vec<u8>);

/// A [`Scheme`] with its type forgotten.
#[derive(Clone, Copy)]
pub struct Contestant {
    /// [`Scheme::NAME`].
    pub name: &'static str,
    /// [`Scheme::DETERMINISTIC`].
    pub deterministic: bool,
    /// [`Scheme::INTEROPERATES`].
    pub interoperates: bool,
    workload: fn(Operation, &Material) -> Workload,
    alone: fn(Operation, &Material) -> Workload,
    /// A key pair of a seed and its signature of a message.
    pub transcript: fn(&[u8; 32], &[u8]) -> Transcript,
    /// Whether a signature (the last argument) verifies, by every way to verify.
    pub accepts: fn(&[u8], &[u8], &[u8]) -> bool,
}

impl Contestant {
    /// Forgets the type.
    pub fn of<S: Scheme>() -> Self {
        Self {
            name: S::NAME,
            deterministic: S::DETERMINISTIC,
            interoperates: S::INTEROPERATES,
            workload: workload::<S, false>,
            alone: workload::<S, true>,
            transcript: transcript::<S>,
            accepts: accepts::<S>,
        }
    }

    /// Whether this is not ours.
    pub fn is_peer(&self) -> bool {
        !self.name.starts_with("pqsig")
    }

    /// The same without batches: one verification after the other.
    pub fn one_by_one(self) -> Self {
        Self {
            name: "pqsig, one by one",
            workload: self.alone,
            ..self
        }
    }

    /// Makes keys and signatures, and returns what is to be timed.
    pub fn workload(&self, operation: Operation, material: &Material) -> Workload {
        (self.workload)(operation, material)
    }
}

/// `ALONE`: batches are verified one by one, whatever the scheme offers.
fn workload<S: Scheme, const ALONE: bool>(operation: Operation, material: &Material) -> Workload {
    let seeds = material.seeds.clone();
    let messages = material.messages.clone();
    let message = move |i: usize| messages[i % messages.len()];
    let keys = S::generate(&seeds[0]);
    let signing = S::import_signing(&keys.signing);
    match operation {
        Operation::KeyGen => Box::new(move |i| {
            black_box(S::generate(black_box(&seeds[i % seeds.len()])));
        }),
        Operation::Sign => Box::new(move |i| {
            black_box(S::sign(&signing, black_box(&message(i))));
        }),
        Operation::ImportSign => Box::new(move |i| {
            let message = message(i);
            black_box(S::import_and_sign(
                black_box(&keys.signing),
                black_box(&message),
            ));
        }),
        Operation::SignPrepared => {
            let mut key = S::prepare_signing(&signing);
            Box::new(move |i| {
                black_box(S::sign_prepared(&mut key, black_box(&message(i))));
            })
        }
        Operation::Verify => {
            let signatures = signatures::<S>(&signing, &message);
            Box::new(move |i| {
                let key = S::import_verifying(black_box(&keys.verifying));
                assert!(S::verify(&key, &message(i % BATCH), &signatures[i % BATCH]));
            })
        }
        Operation::VerifyHeld => {
            let signatures = signatures::<S>(&signing, &message);
            let key = S::import_verifying(&keys.verifying);
            Box::new(move |i| {
                assert!(S::verify(
                    black_box(&key),
                    &message(i % BATCH),
                    &signatures[i % BATCH]
                ));
            })
        }
        Operation::VerifyPrepared => {
            let signatures = signatures::<S>(&signing, &message);
            let key = S::prepare_verifying(&S::import_verifying(&keys.verifying));
            Box::new(move |i| {
                let (key, message) = (black_box(&key), message(i % BATCH));
                assert!(S::verify_prepared(key, &message, &signatures[i % BATCH]));
            })
        }
        Operation::VerifyBatchEncoded => {
            let verify = if ALONE {
                each_encoded::<S>
            } else {
                S::verify_batch_encoded
            };
            let batch = Signed::many::<S>(&seeds, message);
            Box::new(move |_| {
                let keys = batch.keys.iter().map(|keys| &keys.verifying[..]);
                assert!(verify(black_box(&batch.items(keys))));
            })
        }
        Operation::VerifyBatch => {
            let batch = Signed::many::<S>(&seeds, message);
            let keys = batch
                .keys
                .iter()
                .map(|keys| S::import_verifying(&keys.verifying));
            let keys: Vec<_> = keys.collect();
            let verify = if ALONE { each::<S> } else { S::verify_batch };
            Box::new(move |_| assert!(verify(black_box(&batch.items(&keys)))))
        }
        Operation::VerifyBatchPrepared => {
            let batch = Signed::many::<S>(&seeds[..1], message);
            let key = S::import_verifying(&batch.keys[0].verifying);
            let key = S::prepare_verifying(&key);
            let verify = if ALONE {
                each_prepared::<S>
            } else {
                S::verify_batch_prepared
            };
            Box::new(move |_| {
                let items = batch.items(core::iter::repeat(&key));
                assert!(verify(black_box(&items)));
            })
        }
    }
}

fn signatures<S: Scheme>(
    key: &S::SigningKey,
    message: &impl Fn(usize) -> [u8; 32],
) -> Vec<Vec<u8>> {
    (0..BATCH).map(|i| S::sign(key, &message(i))).collect()
}

/// A batch of messages that were signed with as many keys as there are seeds.
struct Signed {
    keys: Vec<Keys>,
    messages: Vec<[u8; 32]>,
    signatures: Vec<Vec<u8>>,
}

impl Signed {
    fn many<S: Scheme>(seeds: &[[u8; 32]], message: impl Fn(usize) -> [u8; 32]) -> Self {
        let messages: Vec<_> = (0..BATCH).map(message).collect();
        // Some peers ignore the seed, so that a second key of it would be another one.
        let keys: Vec<_> = seeds.iter().take(BATCH).map(S::generate).collect();
        let keys: Vec<_> = keys.iter().cycle().take(BATCH).cloned().collect();
        let signed = keys.iter().zip(&messages);
        let signatures = signed
            .map(|(keys, message)| S::sign(&S::import_signing(&keys.signing), message))
            .collect();
        Self {
            keys,
            messages,
            signatures,
        }
    }

    fn items<'a, K: ?Sized + 'a>(
        &'a self,
        keys: impl IntoIterator<Item = &'a K>,
    ) -> Vec<(&'a K, &'a [u8], &'a [u8])> {
        let signed = self.messages.iter().zip(&self.signatures);
        let items = keys.into_iter().zip(signed);
        items
            .map(|(key, (message, signature))| (key, &message[..], &signature[..]))
            .collect()
    }
}

fn transcript<S: Scheme>(seed: &[u8; 32], message: &[u8]) -> Transcript {
    let keys = S::generate(seed);
    let key = S::import_signing(&keys.signing);
    let signature = S::sign(&key, message);
    let prepared = S::sign_prepared(&mut S::prepare_signing(&key), message);
    let imported = S::import_and_sign(&keys.signing, message);
    assert!(
        !S::DETERMINISTIC || (signature == prepared && signature == imported),
        "{}: a prepared or imported key signs differently",
        S::NAME
    );
    (keys, signature)
}

fn accepts<S: Scheme>(encoded: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let key = S::import_verifying(encoded);
    let prepared = S::prepare_verifying(&key);
    let plain = S::verify(&key, message, signature);
    assert_eq!(
        plain,
        S::verify_prepared(&prepared, message, signature),
        "{}",
        S::NAME
    );
    let batches = [
        S::verify_batch_encoded(&[(encoded, message, signature); 5]),
        S::verify_batch(&[(&key, message, signature); 5]),
        S::verify_batch_prepared(&[(&prepared, message, signature); 5]),
    ];
    assert_eq!(batches, [plain; 3], "{}", S::NAME);
    plain
}
