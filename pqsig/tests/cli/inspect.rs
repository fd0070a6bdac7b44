//! `pqsig inspect`, and certificates.

use super::bench::Folder;
use core::{str::FromStr, time::Duration};
use pqsig::{
    mldsa::{MlDsa44, Signature, SigningKey},
    pkcs8::DecodePrivateKey,
    spki::EncodePublicKey,
};
use sha2::{Digest, Sha256};
use x509_cert::{
    Certificate, SubjectPublicKeyInfo,
    builder::{Builder, CertificateBuilder, profile::cabf::Root},
    der::{Decode, Encode, EncodePem, pem::LineEnding},
    name::Name,
    serial_number::SerialNumber,
    time::Validity,
};

fn hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn signing_key(folder: &Folder) -> SigningKey<MlDsa44> {
    let pem = String::from_utf8(folder.read("key.pem")).expect("text");
    SigningKey::from_pkcs8_pem(&pem).expect("a key")
}

/// A certificate of the key in `key.pem`.
fn certificate(folder: &Folder) -> Certificate {
    let key = signing_key(folder);
    let name = Name::from_str("CN=pqsig test,O=pqsig,C=CH").expect("a name");
    let profile = Root::new(false, name).expect("a profile");
    let validity = Validity::from_now(Duration::from_secs(3_600)).expect("in range");
    let public = key.verifying_key().to_public_key_der().expect("encodes");
    let public = SubjectPublicKeyInfo::from_der(public.as_bytes()).expect("decodes");
    let builder = CertificateBuilder::new(profile, SerialNumber::from(1_u32), validity, public);
    let built = builder
        .expect("fits the profile")
        .build::<_, Signature<MlDsa44>>(&key);
    built.expect("builds")
}

#[track_caller]
fn check_contains(said: &str, expected: &[&str]) {
    for words in expected {
        assert!(said.contains(words), "{words:?} in {said:?}");
    }
}

#[test]
fn tells_what_keys_are() {
    let folder = Folder::with_key("keys", "ML-DSA-44");
    let der = signing_key(&folder).verifying_key().to_public_key_der();
    let fingerprint = hex(der.expect("encodes").as_bytes());
    let common = ["ML-DSA-44", "1312 bytes", "2420 bytes", &fingerprint];
    let said = folder.run(&["inspect", "key.pem"]).says();
    check_contains(&said, &common);
    check_contains(&said, &["private key", "seed"]);
    let said = folder.run(&["inspect", "pub.pem"]).says();
    check_contains(&said, &common);
    check_contains(&said, &["public key"]);

    let arguments = ["keygen", "--format", "expanded", "--out", "expanded.pem"];
    folder.run(&arguments).succeeds();
    let said = folder.run(&["inspect", "expanded.pem"]).says();
    check_contains(&said, &["expanded", "ML-DSA-65", "1952 bytes"]);
}

#[test]
fn never_prints_a_secret() {
    let folder = Folder::with_key("secret", "ML-DSA-44");
    let said = folder.run(&["inspect", "key.pem"]).says();
    let seed = *signing_key(&folder).seed().expect("stored");
    let hex: String = seed.iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(!said.contains(&hex[..8]));
    let pem = String::from_utf8(folder.read("key.pem")).expect("text");
    let line = pem.lines().nth(1).expect("a line of base64");
    assert!(!said.contains(&line[30..40]));
}

#[test]
fn tells_what_signatures_are() {
    let folder = Folder::with_key("signatures", "ML-DSA-44");
    let arguments = ["sign", "--key", "key.pem", "file"];
    folder.run(&arguments).succeeds();
    let said = folder.run(&["inspect", "file.sig"]).says();
    let digest = hex(&folder.read("file.sig"));
    check_contains(&said, &["signature", "ML-DSA-44", "2420 bytes", &digest]);
}

#[test]
fn tells_what_certificates_are_and_verifies_with_them() {
    let folder = Folder::with_key("certificates", "ML-DSA-44");
    let certificate = certificate(&folder);
    let pem = certificate.to_pem(LineEnding::LF).expect("encodes");
    folder.write("cert.pem", pem.as_bytes());
    let digest = hex(&certificate.to_der().expect("encodes"));
    let said = folder.run(&["inspect", "cert.pem"]).says();
    let expected = [
        "certificate",
        "CN=pqsig test",
        "ML-DSA-44",
        "1312 bytes",
        &digest,
    ];
    check_contains(&said, &expected);

    folder.run(&["sign", "--key", "key.pem", "file"]).succeeds();
    let verify = [
        "verify",
        "--key",
        "cert.pem",
        "--signature",
        "file.sig",
        "file",
    ];
    folder.run(&verify).succeeds();
    folder.write("file", b"another message");
    folder.run(&verify).does_not_verify();
    let sign = ["sign", "--key", "cert.pem", "file"];
    folder.run(&sign).fails("signing needs the private key");
}

#[test]
fn a_certificate_of_another_algorithm_is_refused_in_words() {
    // Ed25519, the key of RFC 8410, section 10.1.
    let folder = Folder::with_key("ed25519", "ML-DSA-44");
    let pem = "-----BEGIN PUBLIC KEY-----\n\
        MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n\
        -----END PUBLIC KEY-----\n";
    folder.write("ed25519.pem", pem.as_bytes());
    folder.run(&["inspect", "ed25519.pem"]).fails("1.3.101.112");
    let verify = [
        "verify",
        "--key",
        "ed25519.pem",
        "--signature",
        "file",
        "file",
    ];
    folder.run(&verify).fails("1.3.101.112");
}

#[test]
fn refuses_what_it_does_not_know() {
    let folder = Folder::with_key("unknown", "ML-DSA-44");
    folder
        .run(&["inspect", "file"])
        .fails("neither a PEM file nor a signature");
    folder.run(&["inspect", "nothing"]).fails("no such file");
    folder.write("huge", &vec![0; 3_000_000]);
    folder.run(&["inspect", "huge"]).fails("too long");
    folder.write(
        "bad.pem",
        b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    );
    folder
        .run(&["inspect", "bad.pem"])
        .fails("bad.pem: not a public key");
}
