//! Certificates and signed data of other implementations (RFC 9881, RFC 9882).

use super::{
    folder::Folder,
    keys::{block, blocks, der_or_pem},
};
use crate::common::Set;
use cms::{
    content_info::ContentInfo,
    signed_data::{SignedData, SignerInfo},
};
use pkcs8::spki::SubjectPublicKeyInfoOwned;
use pqsig_mldsa::{MlDsa44, MlDsa65, MlDsa87, Signature, VerifyingKey};
use sha2::{Digest, Sha256, Sha512};
use signature::Verifier;
use x509_cert::{
    Certificate,
    der::{Decode, Encode, Reader, SliceReader, asn1::ObjectIdentifier},
};

const ALGORITHMS: [(&str, Check); 3] = [
    ("2.16.840.1.101.3.4.3.17", check::<MlDsa44>),
    ("2.16.840.1.101.3.4.3.18", check::<MlDsa65>),
    ("2.16.840.1.101.3.4.3.19", check::<MlDsa87>),
];

type Check = fn(&SubjectPublicKeyInfoOwned, &[u8], &[u8]);

/// Verifies `signature` over `message`, and that neither verifies changed.
fn check<P: Set>(key: &SubjectPublicKeyInfoOwned, message: &[u8], signature: &[u8]) {
    use pkcs8::DecodePublicKey;
    let der = key.to_der().expect("encodes");
    let key = VerifyingKey::<P>::from_public_key_der(&der).expect("a key of this set");
    let verify = |message: &[u8], signature: &[u8]| {
        let signature = Signature::<P>::from_bytes(signature).expect("right length");
        key.verify(message, &signature)
    };
    verify(message, signature).expect("verifies");
    let mut changed = message.to_vec();
    changed[message.len() / 2] ^= 1;
    assert!(verify(&changed, signature).is_err());
    let mut changed = signature.to_vec();
    changed[signature.len() / 2] ^= 1;
    assert!(verify(message, &changed).is_err());
}

/// Checks by the algorithm of the signature, which must be one of ours.
fn check_by_oid(
    oid: &ObjectIdentifier,
    key: &SubjectPublicKeyInfoOwned,
    message: &[u8],
    signature: &[u8],
) {
    let oid = oid.to_string();
    let (_, check) = ALGORITHMS
        .iter()
        .find(|(known, _)| *known == oid)
        .expect("ML-DSA");
    check(key, message, signature);
}

/// A certificate, and what was signed as it stands in the file.
struct Signed {
    certificate: Certificate,
    tbs: Vec<u8>,
}

fn certificate(der: &[u8]) -> Signed {
    let certificate = Certificate::from_der(der).expect("a certificate");
    let mut reader = SliceReader::new(der).expect("short enough");
    let tbs = reader.sequence(|fields| {
        let tbs = fields.tlv_bytes()?.to_vec();
        fields.drain(fields.remaining_len())?;
        Ok::<_, x509_cert::der::Error>(tbs)
    });
    Signed {
        certificate,
        tbs: tbs.expect("a sequence"),
    }
}

fn key_of(signed: &Signed) -> &SubjectPublicKeyInfoOwned {
    signed
        .certificate
        .tbs_certificate()
        .subject_public_key_info()
}

/// Verifies the signature of `signed` by the key of `issuer`.
fn check_issued(signed: &Signed, issuer: &Signed) {
    let certificate = &signed.certificate;
    let tbs = certificate.tbs_certificate();
    assert_eq!(tbs.issuer(), issuer.certificate.tbs_certificate().subject());
    let algorithm = certificate.signature_algorithm();
    assert_eq!(algorithm, tbs.signature());
    assert!(algorithm.parameters.is_none());
    let signature = certificate.signature().as_bytes().expect("whole bytes");
    check_by_oid(&algorithm.oid, key_of(issuer), &signed.tbs, signature);
}

pub(super) fn self_signed(folder: &Folder) -> usize {
    let mut ders = vec![
        block(folder, "rfc9881/ML-DSA-44.crt", "CERTIFICATE"),
        block(folder, "rfc9881/ML-DSA-87.crt", "CERTIFICATE"),
    ];
    for set in ["44", "65", "87"] {
        let path = format!("bc-test-data/pkix__cert__mldsa__ML-DSA-{set}.pem");
        ders.push(blocks(&folder.text(&path)).pop().expect("a certificate").1);
    }
    for file in folder.list("pqc-hackathon") {
        if file.contains("/ml-dsa-") && file.ends_with("_ta.der") {
            ders.push(folder.bytes(&file));
        }
    }
    for der in &ders {
        let certificate = certificate(der);
        let tbs = certificate.certificate.tbs_certificate().to_der();
        assert!(tbs.expect("encodes") == certificate.tbs);
        check_issued(&certificate, &certificate);
    }
    ders.len()
}

pub(super) fn chains(folder: &Folder) -> usize {
    let chains = [
        vec![
            "boringssl/verify_unittest__mldsa-root.pem",
            "boringssl/verify_unittest__mldsa-intermediate.pem",
            "boringssl/verify_unittest__mldsa-leaf.pem",
        ],
        vec![
            "leancrypto/ml-dsa87_cacert.der",
            "leancrypto/ml-dsa65_int1.der",
            "leancrypto/ml-dsa44_int2.der",
            "leancrypto/ml-dsa87_leaf.der",
        ],
    ];
    let mut count = 0;
    for chain in chains {
        let chain = chain
            .iter()
            .map(|path| certificate(&der_or_pem(folder, path)));
        let chain: Vec<_> = chain.collect();
        check_issued(&chain[0], &chain[0]);
        count += 1;
        for pair in chain.windows(2) {
            check_issued(&pair[1], &pair[0]);
            count += 1;
        }
    }
    count
}

pub(super) fn signed_data(folder: &Folder) -> usize {
    let mut count = 0;
    let mut check = |der: &[u8], signer: Option<&str>| {
        let info = ContentInfo::from_der(der).expect("a content info");
        let data = info.content.to_der().expect("encodes");
        check_signed_data(
            folder,
            &SignedData::from_der(&data).expect("signed data"),
            signer,
        );
        count += 1;
    };
    // The RFC's signers are the keys of RFC 9881; their certificates are not in the message.
    let certificate = |set: &str| format!("bc-test-data/pkix__cert__mldsa__ML-DSA-{set}.pem");
    let rfc = block(folder, "rfc9882/mldsa44-signed-attrs.pem", "CMS");
    check(&rfc, Some(&certificate("44")));
    for set in ["44", "65", "87"] {
        let path = format!("leancrypto/rfc9882_cms_mldsa{set}.pem");
        check(&block(folder, &path, "CMS"), Some(&certificate(set)));
        let path = format!("bc-test-data/pkix__cms__mldsa__SignedData_ML-DSA-{set}.pem");
        check(&block(folder, &path, "CMS"), Some(&certificate(set)));
    }
    for file in folder.list("pqc-hackathon") {
        if file.contains("/ml-dsa-") && file.ends_with("_signed_attrs.der") {
            check(&folder.bytes(&file), None);
        }
    }
    let dump = folder.text("rfc9882/mldsa44-signed-attrs.txt");
    assert!(dump.contains("2.16.840.1.101.3.4.3.17"));
    count
}

/// One signer with signed attributes: their digest is that of the content, and the signature is
/// over their DER as a SET.
fn check_signed_data(folder: &Folder, data: &SignedData, signer_path: Option<&str>) {
    let [signer] = data.signer_infos.0.as_slice() else {
        panic!("one signer")
    };
    let attributes = signer.signed_attrs.as_ref().expect("signed attributes");
    let content = data.encap_content_info.econtent.as_ref().expect("content");
    let digest = digest(signer, content.value());
    let message_digest = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
    let attribute = attributes
        .iter()
        .find(|attribute| attribute.oid == message_digest);
    let [value] = attribute.expect("a message digest").values.as_slice() else {
        panic!("one value")
    };
    assert_eq!(value.value(), digest);

    let embedded = data.certificates.iter().flat_map(|set| set.0.iter());
    let embedded = embedded.map(|choice| match choice {
        cms::cert::CertificateChoices::Certificate(_) => {
            certificate(&choice.to_der().expect("encodes"))
        }
        other => panic!("not a certificate: {other:?}"),
    });
    let embedded: Vec<_> = match signer_path {
        Some(path) => {
            let der = blocks(&folder.text(path)).pop().expect("a certificate").1;
            vec![certificate(&der)]
        }
        None => embedded.collect(),
    };
    let [signer_certificate] = &embedded[..] else {
        panic!("one certificate")
    };
    let message = attributes.to_der().expect("encodes");
    let algorithm = &signer.signature_algorithm;
    assert!(algorithm.parameters.is_none());
    check_by_oid(
        &algorithm.oid,
        key_of(signer_certificate),
        &message,
        signer.signature.as_bytes(),
    );
}

fn digest(signer: &SignerInfo, content: &[u8]) -> Vec<u8> {
    match signer.digest_alg.oid.to_string().as_str() {
        "2.16.840.1.101.3.4.2.1" => Sha256::digest(content).to_vec(),
        "2.16.840.1.101.3.4.2.3" => Sha512::digest(content).to_vec(),
        other => panic!("unknown digest {other}"),
    }
}
