//! Keys in PKCS#8 and SubjectPublicKeyInfo: RFC 9881's, OpenSSL's, BoringSSL's, BouncyCastle's,
//! leancrypto's.

use super::folder::{Folder, base64};
use crate::common::{Set, hex, signature};
use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding};
use pqsig_mldsa::{MlDsa44, MlDsa65, MlDsa87, PrivateKeyFormat, SigningKey, VerifyingKey};
use signature::{Signer, Verifier};

/// The seed of the examples of RFC 9881 and of OpenSSL's codec tests: 0, 1, .. 31.
fn seed() -> [u8; 32] {
    core::array::from_fn(|i| i as u8)
}

/// Label and content of each PEM block in `text`, whatever stands around it.
pub(super) fn blocks(text: &str) -> Vec<(String, Vec<u8>)> {
    let blocks = text.split("-----BEGIN ").skip(1).map(|rest| {
        let (label, rest) = rest.split_once("-----").expect("a label");
        let (body, _) = rest
            .split_once(&format!("-----END {label}-----"))
            .expect("an end");
        (label.to_owned(), base64(body))
    });
    blocks.collect()
}

/// The only PEM block of a file, with the given label.
pub(super) fn block(folder: &Folder, path: &str, label: &str) -> Vec<u8> {
    let [(found, der)] = &blocks(&folder.text(path))[..] else {
        panic!("{path}: not one block")
    };
    assert_eq!(found, label);
    der.clone()
}

/// DER or PEM, as it comes.
pub(super) fn der_or_pem(folder: &Folder, path: &str) -> Vec<u8> {
    let bytes = folder.bytes(path);
    if bytes.starts_with(b"-----") {
        blocks(core::str::from_utf8(&bytes).expect("text"))
            .remove(0)
            .1
    } else {
        bytes
    }
}

/// Loads a key file of the form `format` and checks that it comes out again byte for byte.
fn load<P: Set>(der: &[u8], format: PrivateKeyFormat) -> SigningKey<P> {
    let key = SigningKey::<P>::from_pkcs8_der(der).expect("loads");
    assert_eq!(key.seed().is_some(), format != PrivateKeyFormat::Expanded);
    assert!(key.to_pkcs8_der_with(format).expect("encodes").as_bytes() == der);
    let preferred = key.to_pkcs8_der().expect("encodes");
    match key.seed() {
        Some(_) => assert_eq!(preferred.as_bytes().len(), 54),
        None => assert!(preferred.as_bytes() == der),
    }
    key
}

fn format(name: &str) -> PrivateKeyFormat {
    if name.contains("both") || name.contains("seed-priv") {
        PrivateKeyFormat::Both
    } else if name.contains("expanded") || name.contains("priv-only") {
        PrivateKeyFormat::Expanded
    } else {
        assert!(name.contains("seed"));
        PrivateKeyFormat::Seed
    }
}

/// Whether a pretty-printed dump holds these bytes, in whatever layout.
fn dumped(text: &str, bytes: &[u8]) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    digits.to_lowercase().contains(&hex(bytes))
}

/// Of a dump in der-ascii, only the quoted hexadecimal strings.
fn dumped_ascii(text: &str, bytes: &[u8]) -> bool {
    dumped(
        &text.split('`').skip(1).step_by(2).collect::<String>(),
        bytes,
    )
}

pub(super) fn rfc9881(folder: &Folder) -> usize {
    let mut count = 0;
    for set in ["44", "87"] {
        for kind in ["seed", "expanded", "both"] {
            let name = format!("ML-DSA-{set}-{kind}.priv");
            match set {
                "44" => rfc9881_private::<MlDsa44>(folder, &name),
                _ => rfc9881_private::<MlDsa87>(folder, &name),
            }
            count += 1;
        }
        match set {
            "44" => rfc9881_public::<MlDsa44>(folder, &format!("ML-DSA-{set}")),
            _ => rfc9881_public::<MlDsa87>(folder, &format!("ML-DSA-{set}")),
        }
        count += 2;
    }
    // bad-1: seed and expanded key disagree.
    let bad = block(folder, "rfc9881/bad-ML-DSA-44-1.priv", "PRIVATE KEY");
    assert!(SigningKey::<MlDsa44>::from_pkcs8_der(&bad).is_err());
    count + 1
}

fn rfc9881_private<P: Set>(folder: &Folder, name: &str) {
    let path = format!("rfc9881/{name}");
    let pem = folder.text(&path);
    let key = load::<P>(&block(folder, &path, "PRIVATE KEY"), format(name));
    assert!(key == SigningKey::from_seed(&seed()));
    assert!(SigningKey::from_pkcs8_pem(&pem).expect("loads") == key);
    let written = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
    if format(name) != PrivateKeyFormat::Both {
        assert_eq!(*written, pem);
    }
    let dump = folder.text(&format!("{path}.txt"));
    let secret = match format(name) {
        PrivateKeyFormat::Expanded => key.to_expanded_bytes().as_ref().to_vec(),
        _ => seed().to_vec(),
    };
    assert!(dumped_ascii(&dump, &secret));
}

fn rfc9881_public<P: Set>(folder: &Folder, name: &str) {
    let expected = SigningKey::<P>::from_seed(&seed());
    let pem = folder.text(&format!("rfc9881/{name}.pub"));
    let key = VerifyingKey::<P>::from_public_key_pem(&pem).expect("loads");
    assert!(key == *expected.verifying_key());
    assert_eq!(key.to_public_key_pem(LineEnding::LF).expect("encodes"), pem);
    let dump = folder.text(&format!("rfc9881/{name}.pub.txt"));
    assert!(dumped_ascii(&dump, key.as_bytes()));
    // Of the certificate, the dump holds the key too.
    let dump = folder.text(&format!("rfc9881/{name}.crt.txt"));
    assert!(dumped_ascii(&dump, key.as_bytes()));

    // An early form, the bare seed in the OCTET STRING, was printed but is not of the RFC.
    let dump = folder.text(&format!("rfc9881/{name}.priv.txt"));
    assert!(dumped_ascii(&dump, &seed()));
    let mut bare = expected
        .to_pkcs8_der()
        .expect("encodes")
        .as_bytes()
        .to_vec();
    // Outer SEQUENCE and OCTET STRING lose the two bytes of the [0] header.
    assert_eq!(bare.splice(20..22, []).collect::<Vec<_>>(), [0x80, 0x20]);
    (bare[1], bare[19]) = (bare[1] - 2, bare[19] - 2);
    assert!(SigningKey::<P>::from_pkcs8_der(&bare).is_err());
}

pub(super) fn openssl(folder: &Folder) -> usize {
    let path = |name: &str| format!("openssl-3.6.3/codecs/{name}");
    let expected = SigningKey::<MlDsa87>::from_seed(&seed());
    let mut count = 0;
    for name in [
        "prv-87-seed-only.pem",
        "prv-87-priv-only.pem",
        "prv-87-seed-priv.pem",
    ] {
        let der = block(folder, &path(name), "PRIVATE KEY");
        assert!(load::<MlDsa87>(&der, format(name)) == expected);
        count += 1;
    }
    for name in [
        "prv-87-bare-seed.pem",
        "prv-87-bare-priv.pem",
        "prv-87-oqskeypair.pem",
    ] {
        let pem = folder.text(&path(name));
        assert!(
            SigningKey::<MlDsa87>::from_pkcs8_pem(&pem).is_err(),
            "{name}"
        );
        let der = block(folder, &path(name), "PRIVATE KEY");
        assert!(
            SigningKey::<MlDsa87>::from_pkcs8_der(&der).is_err(),
            "{name}"
        );
        count += 1;
    }
    let pem = folder.text(&path("pub-87.pem"));
    let public = VerifyingKey::<MlDsa87>::from_public_key_pem(&pem).expect("loads");
    assert!(public == *expected.verifying_key());
    assert_eq!(
        public.to_public_key_pem(LineEnding::LF).expect("encodes"),
        pem
    );
    count += 1;

    // The signature is deterministic, over the DER of the public key.
    let signed = public.to_public_key_der().expect("encodes");
    let made = signature::<MlDsa87>(&folder.bytes(&path("sig-87.dat")));
    public.verify(signed.as_bytes(), &made).expect("verifies");
    assert!(expected.sign(signed.as_bytes()) == made);
    count += 1;

    // Text dumps: the public one, the one with a seed, and the one without.
    let dump = folder.text(&path("pub-87.txt"));
    assert!(dumped(
        dump.split_once("pub:").expect("a key").1,
        public.as_bytes()
    ));
    let dump = folder.text(&path("prv-87-seed.txt"));
    let (seed_part, rest) = dump.split_once("priv:").expect("a key");
    assert!(dumped(
        seed_part.split_once("seed:").expect("a seed").1,
        &seed()
    ));
    let private = folder.text(&path("prv-87-priv.txt"));
    assert!(!private.contains("seed:"));
    for dump in [rest, private.split_once("priv:").expect("a key").1] {
        let (private, public_part) = dump.split_once("pub:").expect("a key");
        assert!(dumped(private, expected.to_expanded_bytes().as_ref()));
        assert!(dumped(public_part, public.as_bytes()));
    }
    count += 2;

    openssl_test_key::<MlDsa44>(folder, "testmldsa44");
    openssl_test_key::<MlDsa65>(folder, "testmldsa65");
    openssl_test_key::<MlDsa87>(folder, "testmldsa87");
    count + 3
}

/// A key of OpenSSL's test suite, in the form that OpenSSL writes by itself.
fn openssl_test_key<P: Set>(folder: &Folder, name: &str) {
    let private = block(folder, &format!("openssl-3.6.3/{name}.pem"), "PRIVATE KEY");
    let key = load::<P>(&private, PrivateKeyFormat::Both);
    let public = folder.text(&format!("openssl-3.6.3/{name}pub.pem"));
    let public = VerifyingKey::<P>::from_public_key_pem(&public).expect("loads");
    assert!(public == *key.verifying_key());
}

pub(super) fn hackathon(folder: &Folder) -> usize {
    let mut count = 0;
    for provider in ["bc", "ossl35"] {
        for (set, oid) in [("44", 17), ("65", 18), ("87", 19)] {
            let path = format!(
                "pqc-hackathon/{provider}/artifacts_certs_r5/ml-dsa-{set}-2.16.840.1.101.3.4.3.{oid}"
            );
            count += match set {
                "44" => hackathon_keys::<MlDsa44>(folder, &path),
                "65" => hackathon_keys::<MlDsa65>(folder, &path),
                _ => hackathon_keys::<MlDsa87>(folder, &path),
            };
        }
    }
    count
}

/// The three forms of one key; they must be the key of the certificate next to them.
fn hackathon_keys<P: Set>(folder: &Folder, path: &str) -> usize {
    let certificate = folder.bytes(&format!("{path}_ta.der"));
    let kinds = ["seed", "expandedkey", "both"];
    for kind in kinds {
        let der = folder.bytes(&format!("{path}_{kind}_priv.der"));
        let key = load::<P>(&der, format(kind));
        let public = key.verifying_key().as_bytes();
        assert!(
            certificate
                .windows(public.len())
                .any(|window| window == public)
        );
    }
    kinds.len()
}

pub(super) fn bouncy_castle(folder: &Folder) -> usize {
    let path = |set: &str| format!("bc-test-data/pkix__cert__mldsa__ML-DSA-{set}.pem");
    bouncy_castle_keys::<MlDsa44>(folder, &path("44"));
    bouncy_castle_keys::<MlDsa65>(folder, &path("65"));
    bouncy_castle_keys::<MlDsa87>(folder, &path("87"));
    6
}

fn bouncy_castle_keys<P: Set>(folder: &Folder, path: &str) {
    let blocks = blocks(&folder.text(path));
    let labels: Vec<_> = blocks.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["PRIVATE KEY", "PUBLIC KEY", "CERTIFICATE"]);
    let key = load::<P>(&blocks[0].1, PrivateKeyFormat::Seed);
    assert!(key == SigningKey::from_seed(&seed()));
    let public = VerifyingKey::<P>::from_public_key_der(&blocks[1].1).expect("loads");
    assert!(public == *key.verifying_key());
    assert!(public.to_public_key_der().expect("encodes").as_bytes() == blocks[1].1);
}

pub(super) fn leancrypto(folder: &Folder) -> usize {
    leancrypto_key::<MlDsa44>(folder, "ml-dsa44_int2");
    leancrypto_key::<MlDsa65>(folder, "ml-dsa65_int1");
    leancrypto_key::<MlDsa87>(folder, "ml-dsa87_cacert");
    leancrypto_key::<MlDsa87>(folder, "ml-dsa87_leaf");
    4
}

/// An expanded key alone, and the certificate that holds its public half.
fn leancrypto_key<P: Set>(folder: &Folder, name: &str) {
    let der = der_or_pem(folder, &format!("leancrypto/{name}.privkey"));
    let key = load::<P>(&der, PrivateKeyFormat::Expanded);
    let public = key.verifying_key().as_bytes();
    let certificate = der_or_pem(folder, &format!("leancrypto/{name}.der"));
    assert!(
        certificate
            .windows(public.len())
            .any(|window| window == public)
    );
}

pub(super) fn boringssl_signed_data(folder: &Folder) -> usize {
    signed_data::<MlDsa44>(folder, "mldsa-44");
    signed_data::<MlDsa87>(folder, "mldsa-87");
    2
}

fn signed_data<P: Set>(folder: &Folder, name: &str) {
    let text = folder.text(&format!(
        "boringssl/verify_signed_data_unittest__{name}.pem"
    ));
    let blocks = blocks(&text);
    let labels: Vec<_> = blocks.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["PUBLIC KEY", "ALGORITHM", "DATA", "SIGNATURE"]);
    let key = VerifyingKey::<P>::from_public_key_der(&blocks[0].1).expect("loads");
    let public = key.to_public_key_der().expect("encodes");
    assert!(public.as_bytes() == blocks[0].1);
    // The algorithm is that of the key: the same DER stands in the public key.
    let algorithm = &blocks[1].1;
    assert!(
        public
            .as_bytes()
            .windows(algorithm.len())
            .any(|window| window == algorithm)
    );
    // A BIT STRING: tag, three bytes of length, no unused bits.
    let bit_string = &blocks[3].1;
    assert_eq!((bit_string[0], bit_string[4]), (0x03, 0));
    let made = signature::<P>(&bit_string[5..]);
    key.verify(&blocks[2].1, &made).expect("verifies");

    // With NULL for parameters, which BoringSSL has a test of its own against.
    let mut with_null = public.as_bytes().to_vec();
    assert_eq!(with_null[5], 0x0B);
    with_null.splice(17..17, [0x05, 0x00]);
    with_null[5] += 2;
    let len = u16::from_be_bytes([with_null[2], with_null[3]]) + 2;
    with_null[2..4].copy_from_slice(&len.to_be_bytes());
    assert!(VerifyingKey::<P>::from_public_key_der(&with_null).is_err());
}
