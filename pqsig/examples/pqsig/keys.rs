//! Keys in PEM files.

use super::{
    files::Name,
    report::{Failure, about},
};
use pqsig::{
    any::{SigningKey, VerifyingKey},
    pkcs8::DecodePrivateKey,
    spki::{DecodePublicKey, EncodePublicKey},
};
use x509_cert::{
    Certificate,
    der::{DecodePem, Encode},
};

/// What a PEM file may hold.
pub(crate) enum Pem {
    Private(SigningKey),
    Public(VerifyingKey),
    Certificate(Box<Certificate>),
}

impl Pem {
    /// Reads the first block of the file `name`.
    pub(crate) fn read(name: &Name) -> Result<Self, Failure> {
        let bytes = name.read_key_file()?;
        Self::parse(&bytes).map_err(|message| about(name, message))
    }

    /// Reads the first block of PEM in `bytes`, which may have text around it.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let (label, block) = first_block(bytes).ok_or("not a PEM file")?;
        match label {
            "PRIVATE KEY" => SigningKey::from_pkcs8_pem(block)
                .map(Self::Private)
                .map_err(|error| format!("not a private key that can be used: {error}")),
            "PUBLIC KEY" => VerifyingKey::from_public_key_pem(block)
                .map(Self::Public)
                .map_err(|error| format!("not a public key that can be used: {error}")),
            "CERTIFICATE" => Certificate::from_pem(block)
                .map(|certificate| Self::Certificate(Box::new(certificate)))
                .map_err(|error| format!("not a certificate: {error}")),
            "ENCRYPTED PRIVATE KEY" => Err("encrypted private keys are not supported".into()),
            label => Err(format!("holds a {label}, not a key or certificate")),
        }
    }

    /// The verifying key inside.
    pub(crate) fn verifying_key(&self) -> Result<VerifyingKey, String> {
        match self {
            Self::Private(key) => Ok(key.verifying_key()),
            Self::Public(key) => Ok(key.clone()),
            Self::Certificate(certificate) => key_of_certificate(certificate),
        }
    }
}

/// The private key in the file `name`.
pub(crate) fn read_signing_key(name: &Name) -> Result<SigningKey, Failure> {
    match Pem::read(name)? {
        Pem::Private(key) => Ok(key),
        Pem::Public(_) => Err(about(name, "a public key; signing needs the private key")),
        Pem::Certificate(_) => Err(about(name, "a certificate; signing needs the private key")),
    }
}

/// The public key in the file `name`, or that of the certificate or private key there.
pub(crate) fn read_verifying_key(name: &Name) -> Result<VerifyingKey, Failure> {
    Pem::read(name)?
        .verifying_key()
        .map_err(|message| about(name, message))
}

/// The public key as other programs store it: a SubjectPublicKeyInfo in DER.
pub(crate) fn public_key_der(key: &VerifyingKey) -> Result<Vec<u8>, Failure> {
    let document = key.to_public_key_der();
    document.map(|der| der.into_vec()).map_err(|error| {
        Failure::input(format!(
            "no public key file for {}: {error}",
            key.algorithm()
        ))
    })
}

fn key_of_certificate(certificate: &Certificate) -> Result<VerifyingKey, String> {
    let info = certificate.tbs_certificate().subject_public_key_info();
    let der = info.to_der().map_err(|error| error.to_string())?;
    VerifyingKey::from_public_key_der(&der)
        .map_err(|error| format!("the key of the certificate cannot be used: {error}"))
}

/// The label of the first block and the block with its first and last line.
fn first_block(bytes: &[u8]) -> Option<(&str, &str)> {
    let (begin, end) = ("-----BEGIN ", "-----END ");
    // Text around the block need not be UTF-8.
    let start = find(bytes, begin.as_bytes())?;
    let bytes = &bytes[start..];
    let tail = find(bytes, end.as_bytes())?;
    let line_end = bytes[tail..].iter().position(|byte| *byte == b'\n');
    let block = str::from_utf8(&bytes[..line_end.map_or(bytes.len(), |n| tail + n + 1)]).ok()?;
    let label = block.strip_prefix(begin)?.split("-----").next()?;
    Some((label, block))
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}
