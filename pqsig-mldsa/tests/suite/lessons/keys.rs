//! Entries C: signing keys, PKCS#8 and SubjectPublicKeyInfo; and of G: serde.

use crate::{
    common::{Set, Stream, for_each_set},
    fips204,
};
use pqsig_mldsa::{Error, PreparedSigningKey, Signature, SigningKey, VerifyingKey};
use signature::Signer;

for_each_set!(
    l29_malformed_expanded_keys_are_errors,
    l30_secrets_out_of_range_are_refused,
    l30_inconsistent_expanded_keys_are_refused,
    l37_seed_is_kept,
    l40_lengths_of_the_drafts_are_refused,
);

fn l29_malformed_expanded_keys_are_errors<P: Set>() {
    let len = SigningKey::<P>::from_seed(&[0; 32])
        .to_expanded_bytes()
        .as_ref()
        .len();
    assert_eq!(
        len,
        [2560, 4032, 4896][[4, 6, 8]
            .iter()
            .position(|&k| k == P::NUMBERS.k)
            .expect("a set")]
    );
    for fill in [0x00, 0x24, 0x44, 0x55, 0xAA, 0xFF] {
        let key = SigningKey::<P>::from_expanded_bytes(&vec![fill; len]);
        assert_eq!(key.err(), Some(Error::InvalidKey), "{fill}");
    }
    let mut stream = Stream::of::<P>("L29");
    for _ in 0..200 {
        let key = SigningKey::<P>::from_expanded_bytes(&stream.bytes(len));
        assert_eq!(key.err(), Some(Error::InvalidKey));
    }
    for other in [
        0,
        1,
        32,
        64,
        128,
        len - 1,
        len + 1,
        2 * len,
        2560,
        4032,
        4896,
    ] {
        let key = SigningKey::<P>::from_expanded_bytes(&vec![0; other]);
        let expected = if other == len {
            Error::InvalidKey
        } else {
            Error::InvalidLength
        };
        assert_eq!(key.err(), Some(expected), "{other}");
    }
}

/// Each coefficient of s1 and s2 in turn gets a value whose bits are no number in [-eta, eta],
/// with t0 and tr to match, so that nothing but the range is wrong.
fn l30_secrets_out_of_range_are_refused<P: Set>() {
    let numbers = P::NUMBERS;
    let mut stream = Stream::of::<P>("L30");
    let (_, sk) = numbers.key_gen_internal(&stream.array());
    let (eta, bits) = (numbers.eta, if numbers.eta == 2 { 3 } else { 4 });
    let mut cases = 0;
    for poly in 0..numbers.l + numbers.k {
        for j in [0, 1, 2, 7, 8, 100, 254, 255] {
            let mut secret = numbers.sk_decode(&sk);
            // One past eta, and the far end of what the bits can say: eta - (2^bits - 1).
            let value = [-eta - 1, eta - (1 << bits) + 1][stream.number(0..=1)];
            let s1_len = secret.s1.len();
            match poly.checked_sub(s1_len) {
                Some(i) => secret.s2[i][j] = value,
                None => secret.s1[poly][j] = value,
            }
            let (t1, t0) = numbers.t_of(&secret.rho, &secret.s1, &secret.s2);
            secret.t0 = t0;
            secret.tr = fips204::h(&[&numbers.pk_encode(&secret.rho, &t1)], 64);
            let bytes = numbers.sk_encode(&secret);
            let key = SigningKey::<P>::from_expanded_bytes(&bytes);
            assert_eq!(
                key.err(),
                Some(Error::InvalidKey),
                "s[{poly}][{j}] = {value}"
            );
            cases += 1;
        }
    }
    assert_eq!(cases, 8 * (numbers.l + numbers.k));
}

/// Every byte but those of K is checked against the others.
fn l30_inconsistent_expanded_keys_are_refused<P: Set>() {
    let key = SigningKey::<P>::from_seed(&[30; 32]);
    let good = key.to_expanded_bytes().as_ref().to_vec();
    let mut stream = Stream::of::<P>("L30 bytes");
    let mut cases = 0;
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= stream.number(1..=255) as u8;
        let imported = SigningKey::<P>::from_expanded_bytes(&bytes);
        assert_eq!(imported.is_ok(), (32..64).contains(&at), "byte {at}");
        cases += 1;
    }
    assert_eq!(cases, good.len());
}

fn l37_seed_is_kept<P: Set>() {
    let seed = Stream::of::<P>("L37").array();
    let key = SigningKey::<P>::from_seed(&seed);
    assert_eq!(key.seed(), Some(&seed));
    assert_eq!(key.prepare().seed(), Some(&seed));
    let prepared = PreparedSigningKey::<P>::from_seed(&seed);
    assert!(prepared == key.prepare() && prepared.seed() == Some(&seed));
    assert_eq!(prepared.sign(b"message"), key.sign(b"message"));
    assert_eq!(key.clone().seed(), Some(&seed));
    let imported = SigningKey::<P>::from_expanded_bytes(key.to_expanded_bytes().as_ref());
    let imported = imported.expect("valid");
    assert_eq!(imported.seed(), None);
    // The same key all the same.
    assert!(imported == key);
    let mut stream = Stream::of::<P>("L37 generated");
    let generated = SigningKey::<P>::generate_from_rng(&mut stream);
    let expected = Stream::of::<P>("L37 generated").array();
    assert_eq!(generated.seed(), Some(&expected));
}

/// 3293 and 4595 bytes were signatures of Dilithium3 and 5; 4000 and 4864 bytes keys of theirs.
fn l40_lengths_of_the_drafts_are_refused<P: Set>() {
    for len in [2420, 3293, 3309, 4595, 4627] {
        let signature = Signature::<P>::from_bytes(&vec![0; len]);
        assert_eq!(signature.is_ok(), len == Signature::<P>::LEN);
    }
    for len in [2528, 2544, 3504, 4000, 4016, 4864, 4880] {
        let key = SigningKey::<P>::from_expanded_bytes(&vec![0; len]);
        assert_eq!(key.err(), Some(Error::InvalidLength));
    }
    for len in [1312, 1472, 1760, 1952, 2592] {
        let key = VerifyingKey::<P>::from_bytes(&vec![0; len]);
        assert_eq!(key.is_ok(), len == VerifyingKey::<P>::LEN);
    }
}

#[cfg(feature = "pem")]
mod files {
    use super::*;
    use pkcs8::{
        AlgorithmIdentifierRef, DecodePrivateKey, DecodePublicKey, EncodePrivateKey,
        EncodePublicKey, LineEnding, ObjectIdentifier, PrivateKeyInfoRef,
        der::{
            AnyRef, Encode,
            asn1::{BitStringRef, OctetStringRef},
        },
        spki::SubjectPublicKeyInfo,
    };
    use pqsig_mldsa::PrivateKeyFormat::{self, Both, Expanded, Seed};

    for_each_set!(
        l32_the_three_forms_by_their_tag,
        l35_public_key_of_a_private_key_is_checked,
        l37_forms_with_a_seed_need_one,
        l38_pem_labels,
        l40_object_identifiers_of_the_drafts_are_refused,
        parameters_must_be_absent,
    );

    fn document<P: Set>(key: &SigningKey<P>, format: PrivateKeyFormat) -> Vec<u8> {
        key.to_pkcs8_der_with(format)
            .expect("encodes")
            .as_bytes()
            .to_vec()
    }

    fn algorithm<P: Set>() -> AlgorithmIdentifierRef<'static> {
        AlgorithmIdentifierRef {
            oid: VerifyingKey::<P>::OID,
            parameters: None,
        }
    }

    /// A PKCS#8 document around the given private key field.
    fn wrap<P: Set>(private_key: &[u8], public_key: Option<&[u8]>) -> Vec<u8> {
        let octets = OctetStringRef::new(private_key).expect("short enough");
        let mut info = PrivateKeyInfoRef::new(algorithm::<P>(), octets);
        info.public_key = public_key.map(|key| BitStringRef::from_bytes(key).expect("fits"));
        info.to_der().expect("encodes")
    }

    fn octets(tag: u8, content: &[u8]) -> Vec<u8> {
        let len = content.len();
        let header = match len {
            0..=0x7F => vec![tag, len as u8],
            _ => vec![tag, 0x82, (len >> 8) as u8, len as u8],
        };
        [header, content.to_vec()].concat()
    }

    fn l32_the_three_forms_by_their_tag<P: Set>() {
        let key = SigningKey::<P>::from_seed(&[32; 32]);
        let seed = key.seed().expect("a seed");
        let expanded = key.to_expanded_bytes();
        let expanded = expanded.as_ref();
        let both = [octets(0x04, seed), octets(0x04, expanded)].concat();
        let forms = [
            (Seed, octets(0x80, seed)),
            (Expanded, octets(0x04, expanded)),
            (Both, octets(0x30, &both)),
        ];
        for (format, private_key) in &forms {
            let der = document(&key, *format);
            assert_eq!(der, wrap::<P>(private_key, None));
            let loaded = SigningKey::<P>::from_pkcs8_der(&der).expect("loads");
            assert!(loaded == key);
            assert_eq!(loaded.seed().is_some(), *format != Expanded);
        }
        assert_eq!(
            key.to_pkcs8_der().expect("encodes").as_bytes(),
            document(&key, Seed)
        );
        assert_eq!(document(&key, Seed).len(), 54);

        // Right length, wrong tag; wrong length, right tag; and the halves of `both` swapped,
        // alone, or not of one key.
        let other = SigningKey::<P>::from_seed(&[33; 32]).to_expanded_bytes();
        let pair = |a: &[u8], b: &[u8]| octets(0x30, &[octets(0x04, a), octets(0x04, b)].concat());
        let malformed = [
            seed.to_vec(),
            expanded.to_vec(),
            octets(0x04, seed),
            octets(0x81, seed),
            octets(0xA0, seed),
            octets(0xA0, &octets(0x04, seed)),
            octets(0x80, expanded),
            octets(0x80, &seed[..31]),
            octets(0x80, &[0; 33]),
            octets(0x80, &[]),
            octets(0x04, &expanded[1..]),
            octets(0x04, &[expanded, &[0]].concat()),
            octets(0x03, expanded),
            octets(0x30, &octets(0x04, seed)),
            octets(0x30, &octets(0x04, expanded)),
            octets(0x31, &both),
            pair(expanded, seed),
            pair(seed, other.as_ref()),
            pair(&[0; 32], expanded),
            pair(&seed[..31], expanded),
            octets(0x30, &[both.clone(), octets(0x04, seed)].concat()),
            [octets(0x80, seed), vec![0]].concat(),
            [octets(0x04, expanded), octets(0x04, seed)].concat(),
            octets(0x30, &[octets(0x80, seed), octets(0x04, expanded)].concat()),
            vec![],
        ];
        for (case, private_key) in malformed.iter().enumerate() {
            let der = wrap::<P>(private_key, None);
            assert!(SigningKey::<P>::from_pkcs8_der(&der).is_err(), "{case}");
        }
        assert_eq!(malformed.len(), 25);
    }

    fn l35_public_key_of_a_private_key_is_checked<P: Set>() {
        let key = SigningKey::<P>::from_seed(&[35; 32]);
        let public = key.verifying_key().as_bytes();
        let seed = octets(0x80, key.seed().expect("a seed"));
        let expanded = octets(0x04, key.to_expanded_bytes().as_ref());
        for private_key in [seed, expanded] {
            let load = |public: &[u8]| {
                SigningKey::<P>::from_pkcs8_der(&wrap::<P>(&private_key, Some(public)))
            };
            assert!(load(public).expect("loads") == key);
            let mut changed = public.to_vec();
            changed[public.len() - 1] ^= 1;
            let wrong = [
                &changed[..],
                &vec![0; public.len()],
                &public[1..],
                &[public, &[0]].concat(),
                &[],
            ];
            for wrong in wrong {
                assert!(load(wrong).is_err());
            }
        }
    }

    fn l37_forms_with_a_seed_need_one<P: Set>() {
        let key = SigningKey::<P>::from_seed(&[37; 32]);
        let loaded = SigningKey::<P>::from_pkcs8_der(&document(&key, Seed)).expect("loads");
        assert_eq!(loaded.seed(), key.seed());
        let bare = SigningKey::<P>::from_pkcs8_der(&document(&key, Expanded)).expect("loads");
        assert_eq!(bare.seed(), None);
        assert!(bare.to_pkcs8_der_with(Seed).is_err());
        assert!(bare.to_pkcs8_der_with(Both).is_err());
        let written = bare.to_pkcs8_der().expect("encodes");
        assert_eq!(written.as_bytes(), document(&key, Expanded));
    }

    fn l38_pem_labels<P: Set>() {
        let key = SigningKey::<P>::from_seed(&[38; 32]);
        let private = key
            .to_pkcs8_pem(LineEnding::LF)
            .expect("encodes")
            .to_string();
        let vk = key.verifying_key();
        let public = vk.to_public_key_pem(LineEnding::LF).expect("encodes");
        for (pem, label) in [(&private, "PRIVATE KEY"), (&public, "PUBLIC KEY")] {
            assert!(pem.starts_with(&format!("-----BEGIN {label}-----\n")));
            assert!(pem.ends_with(&format!("-----END {label}-----\n")));
            assert!(pem.lines().all(|line| line.len() <= 64) && !pem.contains('\r'));
        }
        assert!(SigningKey::<P>::from_pkcs8_pem(&private).expect("loads") == key);
        assert!(VerifyingKey::<P>::from_public_key_pem(&public).expect("loads") == *vk);
        let labels = [
            "ML-DSA PRIVATE KEY",
            "EC PRIVATE KEY",
            "ENCRYPTED PRIVATE KEY",
            "RSA PUBLIC KEY",
            "CERTIFICATE",
            "",
        ];
        for label in labels {
            let private = private.replace("PRIVATE KEY", label);
            assert!(
                SigningKey::<P>::from_pkcs8_pem(&private).is_err(),
                "{label}"
            );
            let public = public.replace("PUBLIC KEY", label);
            assert!(
                VerifyingKey::<P>::from_public_key_pem(&public).is_err(),
                "{label}"
            );
        }
        assert!(SigningKey::<P>::from_pkcs8_pem(&public).is_err());
        assert!(VerifyingKey::<P>::from_public_key_pem(&private).is_err());
    }

    /// Dilithium's identifiers in OpenSSL forks and hybrids of the draft years.
    fn l40_object_identifiers_of_the_drafts_are_refused<P: Set>() {
        let key = SigningKey::<P>::from_seed(&[40; 32]);
        let seed = octets(0x80, key.seed().expect("a seed"));
        let drafts = [
            "1.3.6.1.4.1.2.267.7.4.4",
            "1.3.6.1.4.1.2.267.7.6.5",
            "1.3.6.1.4.1.2.267.7.8.7",
            "1.3.6.1.4.1.2.267.12.4.4",
            "1.3.6.1.4.1.2.267.12.6.5",
            "1.3.6.1.4.1.2.267.12.8.7",
            "2.16.840.1.101.3.4.3",
        ];
        for oid in drafts.map(ObjectIdentifier::new_unwrap) {
            let algorithm = AlgorithmIdentifierRef {
                oid,
                parameters: None,
            };
            let octets = OctetStringRef::new(&seed).expect("short");
            let private = PrivateKeyInfoRef::new(algorithm, octets).to_der();
            assert!(SigningKey::<P>::from_pkcs8_der(&private.expect("encodes")).is_err());
            let public = SubjectPublicKeyInfo {
                algorithm,
                subject_public_key: BitStringRef::from_bytes(key.verifying_key().as_bytes())
                    .expect("fits"),
            };
            let public = public.to_der().expect("encodes");
            assert!(VerifyingKey::<P>::from_public_key_der(&public).is_err());
        }
    }

    /// RFC 9881, section 2: absent, and NULL is not absent.
    fn parameters_must_be_absent<P: Set>() {
        let key = SigningKey::<P>::from_seed(&[41; 32]);
        let seed = octets(0x80, key.seed().expect("a seed"));
        let load = |parameters: Option<AnyRef<'_>>| {
            let algorithm = AlgorithmIdentifierRef {
                oid: VerifyingKey::<P>::OID,
                parameters,
            };
            let octets = OctetStringRef::new(&seed).expect("short");
            let private = PrivateKeyInfoRef::new(algorithm, octets).to_der();
            let private = SigningKey::<P>::from_pkcs8_der(&private.expect("encodes")).is_ok();
            let public = SubjectPublicKeyInfo {
                algorithm,
                subject_public_key: BitStringRef::from_bytes(key.verifying_key().as_bytes())
                    .expect("fits"),
            };
            let public = public.to_der().expect("encodes");
            (
                private,
                VerifyingKey::<P>::from_public_key_der(&public).is_ok(),
            )
        };
        assert_eq!(load(None), (true, true));
        assert_eq!(load(Some(AnyRef::NULL)), (false, false));
        let oid = VerifyingKey::<P>::OID;
        assert_eq!(load(Some(AnyRef::from(&oid))), (false, false));
    }
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;
    use crate::common::hex;
    use serde_json::json;

    for_each_set!(l79_serde);

    /// A byte string with its length in front, as postcard writes it.
    fn postcard_bytes(bytes: &[u8]) -> Vec<u8> {
        let len = bytes.len();
        let prefix = match len {
            0..=0x7F => vec![len as u8],
            _ => vec![len as u8 | 0x80, (len >> 7) as u8],
        };
        [&prefix, bytes].concat()
    }

    macro_rules! round_trip {
        ($value:expr, $type:ty, $bytes:expr) => {{
            let (value, bytes): (&$type, &[u8]) = (&$value, $bytes);
            let text = serde_json::to_value(value).expect("serializes");
            assert_eq!(text, json!(hex(bytes)));
            assert!(serde_json::from_value::<$type>(text).expect("loads") == *value);
            let upper = json!(hex(bytes).to_uppercase());
            let upper = serde_json::from_value::<$type>(upper);
            assert!(upper.is_err() || upper.expect("checked") == *value);
            let binary = postcard::to_stdvec(value).expect("serializes");
            assert_eq!(binary, postcard_bytes(bytes));
            assert!(postcard::from_bytes::<$type>(&binary).expect("loads") == *value);
            // A wrong length is an error in both.
            for wrong in [
                &bytes[1..],
                &[bytes, &[0]].concat(),
                &[],
                &bytes[..bytes.len() / 2],
            ] {
                assert!(serde_json::from_value::<$type>(json!(hex(wrong))).is_err());
                assert!(postcard::from_bytes::<$type>(&postcard_bytes(wrong)).is_err());
            }
            for wrong in [
                json!("zz"),
                json!(hex(bytes)[1..]),
                json!(7),
                json!(null),
                json!({}),
            ] {
                assert!(serde_json::from_value::<$type>(wrong).is_err());
            }
        }};
    }

    fn l79_serde<P: Set>() {
        let key = SigningKey::<P>::from_seed(&[79; 32]);
        let made = key.sign_mu_deterministic(&[79; 64]).expect("signs");
        round_trip!(made, Signature<P>, made.as_bytes());
        let vk = key.verifying_key();
        round_trip!(*vk, VerifyingKey<P>, vk.as_bytes());
        // A signing key is its seed where that is known, else its expanded form, checked.
        round_trip!(key, SigningKey<P>, &[79; 32]);
        let expanded = key.to_expanded_bytes();
        let imported = SigningKey::<P>::from_expanded_bytes(expanded.as_ref()).expect("valid");
        round_trip!(imported, SigningKey<P>, expanded.as_ref());
        let mut changed = expanded.as_ref().to_vec();
        changed[200] ^= 1;
        assert!(serde_json::from_value::<SigningKey<P>>(json!(hex(&changed))).is_err());
        assert!(postcard::from_bytes::<SigningKey<P>>(&postcard_bytes(&changed)).is_err());
    }
}
