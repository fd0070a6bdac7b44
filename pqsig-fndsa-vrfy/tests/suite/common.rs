//! What the tests share: the oracle, repeatable random bytes, the vector folder.

use fn_dsa::{
    CryptoRng, DomainContext, HashIdentifier, KeyPairGenerator, KeyPairGeneratorStandard,
    KeyPairGeneratorWeak, RngCore, RngError, SigningKey, SigningKeyStandard, SigningKeyWeak,
    VerifyingKey as _, VerifyingKeyStandard, VerifyingKeyWeak,
};
use pqsig_fndsa_vrfy::{Error, ParameterSet, Signature, VerifyingKey};
use serde_json::Value;
use shake::{
    Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// One test for each standard set out of a generic function.
macro_rules! for_each_set {
    ($($name:ident),* $(,)?) => {$(
        mod $name {
            #[test]
            fn fn_dsa_512() {
                super::$name::<pqsig_fndsa_vrfy::FnDsa512>();
            }

            #[test]
            fn fn_dsa_1024() {
                super::$name::<pqsig_fndsa_vrfy::FnDsa1024>();
            }
        }
    )*};
}
pub(crate) use for_each_set;

/// How many rounds a test runs.
pub(crate) fn rounds(short: usize, long: usize) -> usize {
    match std::env::var_os("PQSIG_LONG") {
        Some(value) if value != "0" => long,
        _ => short,
    }
}

/// A stream of random bytes that is the same in every run, and the generator of the oracle.
pub(crate) struct Stream(<Shake256 as ExtendableOutput>::Reader);

impl Stream {
    pub(crate) fn new(seed: &[u8]) -> Self {
        let mut shake = Shake256::default();
        shake.update(seed);
        Self(shake.finalize_xof())
    }

    pub(crate) fn of<P: ParameterSet>(label: &str) -> Self {
        Self::new(format!("{label} {}", P::NAME).as_bytes())
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.next_u64() as usize % bound
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.fill_bytes(&mut bytes);
        bytes
    }
}

impl CryptoRng for Stream {}

impl RngCore for Stream {
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }

    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.0.read(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn fill_bytes(&mut self, dest: &mut [u8]) {
        self.0.read(dest);
    }

    fn try_fill_bytes(&mut self, dest: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(dest);
        Ok(())
    }
}

/// A key pair of `fn-dsa`.
pub(crate) struct Oracle<P: ParameterSet> {
    pub(crate) sk: Vec<u8>,
    pub(crate) vk: Vec<u8>,
    pub(crate) key: VerifyingKey<P>,
}

impl<P: ParameterSet> Oracle<P> {
    pub(crate) fn new(rng: &mut Stream) -> Self {
        let mut sk = vec![0; P::SIGNING_KEY_LEN];
        let mut vk = vec![0; P::VERIFYING_KEY_LEN];
        if P::LOGN < 9 {
            KeyPairGeneratorWeak::default().keygen(P::LOGN, rng, &mut sk, &mut vk);
        } else {
            KeyPairGeneratorStandard::default().keygen(P::LOGN, rng, &mut sk, &mut vk);
        }
        let key = VerifyingKey::from_bytes(&vk).expect("a good key");
        Self { sk, vk, key }
    }

    pub(crate) fn sign(&self, rng: &mut Stream, ctx: &[u8], id: &[u8], hv: &[u8]) -> Vec<u8> {
        let mut signature = vec![0; P::SIGNATURE_LEN];
        let (ctx, id) = (DomainContext(ctx), HashIdentifier(id));
        let signed = if P::LOGN < 9 {
            let mut key = SigningKeyWeak::decode(&self.sk).expect("a good key");
            key.sign(rng, &ctx, &id, hv, &mut signature)
        } else {
            let mut key = SigningKeyStandard::decode(&self.sk).expect("a good key");
            key.sign(rng, &ctx, &id, hv, &mut signature)
        };
        signed.expect("signs");
        signature
    }
}

/// The verdict of `fn-dsa`.
pub(crate) fn oracle_verifies<P: ParameterSet>(
    vk: &[u8],
    signature: &[u8],
    ctx: &[u8],
    id: &[u8],
    hv: &[u8],
) -> bool {
    let (ctx, id) = (DomainContext(ctx), HashIdentifier(id));
    if P::LOGN < 9 {
        VerifyingKeyWeak::decode(vk).is_some_and(|key| key.verify(signature, &ctx, &id, hv))
    } else {
        VerifyingKeyStandard::decode(vk).is_some_and(|key| key.verify(signature, &ctx, &id, hv))
    }
}

/// Our verdict on a message, from encodings; the plain and the prepared key must agree.
pub(crate) fn verifies<P: ParameterSet>(
    vk: &[u8],
    signature: &[u8],
    ctx: &[u8],
    message: &[u8],
) -> bool {
    let verdict = || {
        let key = VerifyingKey::<P>::from_bytes(vk)?;
        let signature = Signature::<P>::from_bytes(signature)?;
        let mut mu = key.mu_builder(ctx)?;
        mu.update(message);
        let mu = mu.finalize();
        let verdict = key.verify_mu(&mu, &signature);
        assert_eq!(key.prepare().verify_mu(&mu, &signature), verdict);
        verdict
    };
    let verdict: Result<(), Error> = verdict();
    verdict.is_ok()
}

/// The folder of vectors, if there is one.
pub(crate) fn folder() -> Option<PathBuf> {
    let root = match std::env::var_os("PQSIG_VECTORS") {
        Some(named) => {
            let named = PathBuf::from(named);
            assert!(named.is_dir(), "PQSIG_VECTORS: no folder {named:?}");
            named
        }
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors"),
    };
    if root.is_dir() {
        Some(root)
    } else {
        eprintln!("no vector folder: skipped");
        None
    }
}

pub(crate) fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}")))
        .expect("JSON")
}

pub(crate) fn hex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2));
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("hexadecimal"))
        .collect()
}

/// The bytes of a hexadecimal field.
pub(crate) fn field(value: &Value, name: &str) -> Vec<u8> {
    hex(value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no field {name}")))
}
