//! ACVP: the vectors of NIST's server, and the two tables of its documentation.

use super::folder::{Folder, array, bytes, list, text};
use crate::{
    common::{Fixed, Set, by_name},
    fips204::{Refused, Signer as Oracle},
};
use pqsig_mldsa::{Error, PreHash, Signature, SigningKey, VerifyingKey};
use serde_json::Value;
use sha2::{Digest, Sha256};
use signature::{Signer, Verifier};
use std::collections::{BTreeMap, BTreeSet};

/// Prompt and expected result of each case, with the group of the prompt.
fn cases(folder: &Folder, name: &str, mut each: impl FnMut(&Value, &Value, &Value)) {
    let prompt = folder.json(&format!("acvp/{name}/prompt.json"));
    let expected = folder.json(&format!("acvp/{name}/expectedResults.json"));
    let mut by_id = BTreeMap::new();
    for group in list(&expected, "testGroups") {
        for test in list(group, "tests") {
            let id = (group["tgId"].as_u64(), test["tcId"].as_u64());
            assert!(by_id.insert(id, test).is_none());
        }
    }
    for group in list(&prompt, "testGroups") {
        for test in list(group, "tests") {
            let id = (group["tgId"].as_u64(), test["tcId"].as_u64());
            each(group, test, by_id.remove(&id).expect("a result"));
        }
    }
    assert!(by_id.is_empty(), "results without a prompt");
}

pub(super) fn key_gen(folder: &Folder) -> usize {
    let mut count = 0;
    cases(folder, "ML-DSA-keyGen-FIPS204", |group, test, expected| {
        by_name!(text(group, "parameterSet"), key_gen_case(test, expected));
        count += 1;
    });
    // The projection is prompt and result in one file.
    let projection = folder.json("acvp/ML-DSA-keyGen-FIPS204/internalProjection.json");
    for group in list(&projection, "testGroups") {
        for test in list(group, "tests") {
            by_name!(text(group, "parameterSet"), key_gen_case(test, test));
        }
    }
    count
}

fn key_gen_case<P: Set>(test: &Value, expected: &Value) {
    let key = SigningKey::<P>::from_seed(&array(test, "seed"));
    assert!(key.to_expanded_bytes().as_ref() == bytes(expected, "sk"));
    assert!(key.verifying_key().as_bytes() == bytes(expected, "pk"));
    let imported = SigningKey::<P>::from_expanded_bytes(&bytes(expected, "sk"));
    assert!(imported.expect("consistent") == key);
}

/// The name of a hash function in ACVP.
fn hash(name: &str) -> PreHash {
    match name {
        "SHA2-224" => PreHash::Sha2_224,
        "SHA2-256" => PreHash::Sha2_256,
        "SHA2-384" => PreHash::Sha2_384,
        "SHA2-512" => PreHash::Sha2_512,
        "SHA2-512/224" => PreHash::Sha2_512_224,
        "SHA2-512/256" => PreHash::Sha2_512_256,
        "SHA3-224" => PreHash::Sha3_224,
        "SHA3-256" => PreHash::Sha3_256,
        "SHA3-384" => PreHash::Sha3_384,
        "SHA3-512" => PreHash::Sha3_512,
        "SHAKE-128" => PreHash::Shake128,
        "SHAKE-256" => PreHash::Shake256,
        other => panic!("unknown hash {other}"),
    }
}

/// Calls `$function::<D>` with the digest type of a hash.
macro_rules! by_hash {
    ($hash:expr, $function:ident($($argument:expr),*)) => {
        match $hash {
            PreHash::Sha2_224 => $function::<P, sha2::Sha224>($($argument),*),
            PreHash::Sha2_256 => $function::<P, sha2::Sha256>($($argument),*),
            PreHash::Sha2_384 => $function::<P, sha2::Sha384>($($argument),*),
            PreHash::Sha2_512 => $function::<P, sha2::Sha512>($($argument),*),
            PreHash::Sha2_512_224 => $function::<P, sha2::Sha512_224>($($argument),*),
            PreHash::Sha2_512_256 => $function::<P, sha2::Sha512_256>($($argument),*),
            PreHash::Sha3_224 => $function::<P, sha3::Sha3_224>($($argument),*),
            PreHash::Sha3_256 => $function::<P, sha3::Sha3_256>($($argument),*),
            PreHash::Sha3_384 => $function::<P, sha3::Sha3_384>($($argument),*),
            PreHash::Sha3_512 => $function::<P, sha3::Sha3_512>($($argument),*),
            PreHash::Shake128 => $function::<P, shake::Shake128>($($argument),*),
            PreHash::Shake256 => $function::<P, shake::Shake256>($($argument),*),
            _ => panic!("a thirteenth hash"),
        }
    };
}

fn digest_of<D: pqsig_mldsa::PrehashDigest>(message: &[u8]) -> Vec<u8> {
    let mut digest = D::default();
    digest.update(message);
    let mut bytes = vec![0; D::PREHASH.digest_len()];
    digest.finalize_prehash(&mut bytes);
    bytes
}

pub(super) fn sig_gen(folder: &Folder) -> usize {
    let mut count = 0;
    cases(folder, "ML-DSA-sigGen-FIPS204", |group, test, expected| {
        by_name!(
            text(group, "parameterSet"),
            sig_gen_case(group, test, expected)
        );
        count += 1;
    });
    count
}

fn sig_gen_case<P: Set>(group: &Value, test: &Value, expected: &Value) {
    let key = SigningKey::<P>::from_expanded_bytes(&bytes(test, "sk")).expect("consistent");
    let rnd: Option<[u8; 32]> = match group["deterministic"].as_bool() {
        Some(true) => None,
        Some(false) => Some(array(test, "rnd")),
        None => panic!("neither deterministic nor hedged"),
    };
    for signature in interface(group, test, |interface| interface.sign(&key, rnd)) {
        assert!(signature.as_bytes() == bytes(expected, "signature"));
    }
}

/// How a case hands over its message.
enum Interface {
    Pure {
        context: Vec<u8>,
        message: Vec<u8>,
    },
    PreHash {
        context: Vec<u8>,
        message: Vec<u8>,
        hash: PreHash,
    },
    Mu([u8; 64]),
    Internal(Vec<u8>),
}

fn interface<T>(group: &Value, test: &Value, run: impl FnOnce(Interface) -> T) -> T {
    let context = || bytes(test, "context");
    let message = || bytes(test, "message");
    let prehash = group["preHash"].as_str();
    let external_mu = group["externalMu"].as_bool();
    run(
        match (text(group, "signatureInterface"), prehash, external_mu) {
            ("external", Some("pure"), None | Some(false)) => Interface::Pure {
                context: context(),
                message: message(),
            },
            ("external", Some("preHash"), None | Some(false)) => Interface::PreHash {
                context: context(),
                message: message(),
                hash: hash(text(test, "hashAlg")),
            },
            ("internal", None | Some("none"), Some(true)) => Interface::Mu(array(test, "mu")),
            ("internal", None | Some("none"), Some(false)) => Interface::Internal(message()),
            other => panic!("unknown interface {other:?}"),
        },
    )
}

impl Interface {
    /// Signs by every way there is for this interface; all results must be the expected one.
    fn sign<P: Set>(&self, key: &SigningKey<P>, rnd: Option<[u8; 32]>) -> Vec<Signature<P>> {
        let prepared = key.prepare();
        match self {
            Self::Pure { context, message } => {
                let (plain, prepared) = (key.with_context(context), prepared.with_context(context));
                let (plain, prepared) = (plain.expect("fits"), prepared.expect("fits"));
                match rnd {
                    None => vec![plain.sign(message), prepared.sign(message)],
                    Some(rnd) => {
                        use signature::RandomizedSigner;
                        vec![
                            plain.sign_with_rng(&mut Fixed(&rnd), message),
                            prepared.sign_with_rng(&mut Fixed(&rnd), message),
                        ]
                    }
                }
            }
            Self::PreHash {
                context,
                message,
                hash,
            } => by_hash!(*hash, sign_prehashed(key, context, message, rnd)),
            Self::Mu(mu) => match rnd {
                None => vec![
                    key.sign_mu_deterministic(mu).expect("signs"),
                    prepared.sign_mu_deterministic(mu).expect("signs"),
                ],
                Some(rnd) => vec![
                    key.sign_mu_with_rng(&mut Fixed(&rnd), mu).expect("signs"),
                    prepared
                        .sign_mu_with_rng(&mut Fixed(&rnd), mu)
                        .expect("signs"),
                ],
            },
            Self::Internal(message) => sign_internal(key, message, &rnd.unwrap_or_default()),
        }
    }

    fn verify<P: Set>(&self, key: &VerifyingKey<P>, signature: &Signature<P>) -> Vec<bool> {
        let prepared = key.prepare();
        match self {
            Self::Pure { context, message } => {
                let (plain, prepared) = (key.with_context(context), prepared.with_context(context));
                let (plain, prepared) = (plain.expect("fits"), prepared.expect("fits"));
                vec![
                    plain.verify(message, signature).is_ok(),
                    prepared.verify(message, signature).is_ok(),
                ]
            }
            Self::PreHash {
                context,
                message,
                hash,
            } => by_hash!(*hash, verify_prehashed(key, context, message, signature)),
            Self::Mu(mu) => vec![
                key.verify_mu(mu, signature).is_ok(),
                prepared.verify_mu(mu, signature).is_ok(),
            ],
            Self::Internal(message) => verify_internal(key, message, signature),
        }
    }
}

fn sign_prehashed<P: Set, D: pqsig_mldsa::PrehashDigest>(
    key: &SigningKey<P>,
    context: &[u8],
    message: &[u8],
    rnd: Option<[u8; 32]>,
) -> Vec<Signature<P>> {
    let digest = digest_of::<D>(message);
    let typed = key.with_context(context).expect("fits").prehash::<D>();
    match rnd {
        None => {
            let digested = key.sign_prehashed_deterministic(D::PREHASH, &digest, context);
            vec![typed.sign(message), digested.expect("signs")]
        }
        Some(rnd) => {
            use signature::RandomizedSigner;
            let digested = key.sign_prehashed(D::PREHASH, &digest, context, &mut Fixed(&rnd));
            let typed = typed.sign_with_rng(&mut Fixed(&rnd), message);
            vec![typed, digested.expect("signs")]
        }
    }
}

fn verify_prehashed<P: Set, D: pqsig_mldsa::PrehashDigest>(
    key: &VerifyingKey<P>,
    context: &[u8],
    message: &[u8],
    signature: &Signature<P>,
) -> Vec<bool> {
    let digest = digest_of::<D>(message);
    let typed = key.with_context(context).expect("fits").prehash::<D>();
    let digested = key.verify_prehashed(D::PREHASH, &digest, context, signature);
    assert!(matches!(digested, Ok(()) | Err(Error::InvalidSignature)));
    vec![typed.verify(message, signature).is_ok(), digested.is_ok()]
}

/// mu of M', as Algorithms 7 and 8 compute it, without the feature `hazmat`.
fn mu_of<P: Set>(key: &VerifyingKey<P>, m_prime: &[u8]) -> [u8; 64] {
    let tr = crate::fips204::h(&[key.as_bytes()], 64);
    let mu = crate::fips204::h(&[&tr, m_prime], 64);
    mu.try_into().expect("64 bytes")
}

fn sign_internal<P: Set>(key: &SigningKey<P>, m_prime: &[u8], rnd: &[u8; 32]) -> Vec<Signature<P>> {
    let mu = mu_of(key.verifying_key(), m_prime);
    let mut signatures = vec![key.sign_mu_with_rng(&mut Fixed(rnd), &mu).expect("signs")];
    #[cfg(feature = "hazmat")]
    {
        let (first, second) = m_prime.split_at(m_prime.len() / 3);
        for pieces in [&[m_prime][..], &[first, second], &[&[], first, &[], second]] {
            let signature = pqsig_mldsa::hazmat::sign_internal(key, pieces, rnd);
            signatures.push(signature.expect("signs"));
        }
    }
    signatures.dedup();
    signatures
}

fn verify_internal<P: Set>(
    key: &VerifyingKey<P>,
    m_prime: &[u8],
    signature: &Signature<P>,
) -> Vec<bool> {
    let mu = mu_of(key, m_prime);
    let mut verdicts = vec![key.verify_mu(&mu, signature).is_ok()];
    #[cfg(feature = "hazmat")]
    {
        let (first, second) = m_prime.split_at(m_prime.len() / 3);
        for pieces in [&[m_prime][..], &[first, second]] {
            let verdict = pqsig_mldsa::hazmat::verify_internal(key, pieces, signature);
            verdicts.push(verdict.is_ok());
        }
    }
    verdicts.dedup();
    verdicts
}

pub(super) fn sig_ver(folder: &Folder) -> usize {
    let (mut count, mut valid) = (0, 0);
    cases(folder, "ML-DSA-sigVer-FIPS204", |group, test, expected| {
        let passed = expected["testPassed"].as_bool().expect("a verdict");
        by_name!(
            text(group, "parameterSet"),
            sig_ver_case(group, test, passed)
        );
        valid += usize::from(passed);
        count += 1;
    });
    // The projection says why a case fails, and has the same cases.
    let projection = folder.json("acvp/ML-DSA-sigVer-FIPS204/internalProjection.json");
    let mut reasons = BTreeMap::<&str, usize>::new();
    for group in list(&projection, "testGroups") {
        for test in list(group, "tests") {
            let passed = test["testPassed"].as_bool().expect("a verdict");
            by_name!(
                text(group, "parameterSet"),
                sig_ver_case(group, test, passed)
            );
            *reasons.entry(text(test, "reason")).or_default() += 1;
        }
    }
    assert_eq!(reasons.len(), 5);
    assert!(reasons.values().all(|&cases| cases == 27), "{reasons:?}");
    assert_eq!(valid, 27);
    count
}

fn sig_ver_case<P: Set>(group: &Value, test: &Value, passed: bool) {
    let key = VerifyingKey::<P>::from_bytes(&bytes(test, "pk")).expect("right length");
    let signature = Signature::<P>::from_bytes(&bytes(test, "signature")).expect("right length");
    let verdicts = interface(group, test, |interface| interface.verify(&key, &signature));
    let reason = test["reason"].as_str();
    assert!(
        verdicts.iter().all(|&verdict| verdict == passed),
        "{reason:?}"
    );
}

/// Deterministic signatures that take every rejection branch, or many attempts.
pub(super) fn rejection_tables(folder: &Folder) -> usize {
    let tables = folder.json("acvp-doc-kats/ml_dsa_sign_internal_rejection_kats.json");
    let mut count = 0;
    let mut branches = BTreeSet::new();
    for test in list(&tables, "rejectionCases") {
        branches.extend(by_name!(text(test, "parameterSet"), rejection_case(test)));
        count += 1;
    }
    let refused = |branch: fn(&Refused) -> bool| branches.iter().any(branch);
    assert!(refused(|r| r.z) && refused(|r| r.r0) && refused(|r| r.hint));
    for test in list(&tables, "rejectionCounts") {
        let attempts = by_name!(text(test, "parameterSet"), rejection_case(test));
        let rejections = test["rejectionCount"].as_u64().expect("a number");
        assert!(attempts.len() as u64 == rejections && rejections >= 64);
        count += 1;
    }
    count
}

/// Why the attempts before the last one were refused, by the oracle.
fn rejection_case<P: Set>(test: &Value) -> Vec<Refused> {
    let key = SigningKey::<P>::from_seed(&array(test, "seed"));
    let sk = key.to_expanded_bytes();
    let keys = Sha256::new()
        .chain_update(key.verifying_key().as_bytes())
        .chain_update(sk);
    assert_eq!(keys.finalize()[..], bytes(test, "keyHash"));
    let m_prime = bytes(test, "mPrime");
    for signature in sign_internal(&key, &m_prime, &[0; 32]) {
        let hash = Sha256::digest(signature.as_bytes());
        assert_eq!(hash[..], bytes(test, "signatureHash"));
    }
    let mu = mu_of(key.verifying_key(), &m_prime);
    let signer = Oracle::new(P::NUMBERS, sk.as_ref(), &mu, &[0; 32]);
    (0..)
        .map(|attempt| signer.attempt(attempt).refused)
        .take_while(|refused| *refused != Refused::default())
        .collect()
}
