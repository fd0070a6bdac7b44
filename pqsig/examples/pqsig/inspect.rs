//! `pqsig inspect`

use super::{
    files::Name,
    keys::{self, Pem},
    report::{self, Failure, about},
};
use pqsig::any::{Algorithm, Signature, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use x509_cert::{Certificate, der::Encode};

/// Tell what a key, certificate or signature is.
///
/// The fingerprint of a key, public or private, is the SHA-256 of the SubjectPublicKeyInfo of the
/// public key; that of a certificate or signature is the SHA-256 of all of it.
#[derive(Debug, clap::Args)]
pub(crate) struct Inspect {
    /// PEM file with a key or certificate, or a file with a signature.
    file: Name,
}

impl Inspect {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let bytes = self.file.read_key_file()?;
        if let Ok(signature) = Signature::try_from(bytes.as_slice()) {
            return print_signature(&signature);
        }
        match Pem::parse(&bytes).map_err(|message| {
            let is_pem = bytes.windows(11).any(|window| window == b"-----BEGIN ");
            let message = if is_pem {
                message
            } else {
                format!("neither a PEM file nor a signature ({} bytes)", bytes.len())
            };
            about(&self.file, message)
        })? {
            Pem::Private(key) => print_private(&key),
            Pem::Public(key) => print_public(&key),
            Pem::Certificate(certificate) => print_certificate(&self.file, &certificate),
        }
    }
}

fn print_signature(signature: &Signature) -> Result<(), Failure> {
    let algorithm = signature.algorithm();
    row("type", "signature, going by its length")?;
    row("algorithm", describe(algorithm))?;
    row("signature", size(algorithm.signature_len()))?;
    row("SHA-256", hex(signature.as_bytes()))
}

fn print_private(key: &SigningKey) -> Result<(), Failure> {
    row("type", "private key")?;
    row("algorithm", describe(key.algorithm()))?;
    row("stored as", stored_form(key))?;
    print_key(&key.verifying_key())
}

fn print_public(key: &VerifyingKey) -> Result<(), Failure> {
    row("type", "public key")?;
    row("algorithm", describe(key.algorithm()))?;
    print_key(key)
}

fn print_key(key: &VerifyingKey) -> Result<(), Failure> {
    row("public key", size(key.algorithm().verifying_key_len()))?;
    row("signature", size(key.algorithm().signature_len()))?;
    row("SHA-256", hex(&keys::public_key_der(key)?))
}

fn print_certificate(name: &Name, certificate: &Certificate) -> Result<(), Failure> {
    let fields = certificate.tbs_certificate();
    let validity = fields.validity();
    let der = certificate.to_der().map_err(|error| about(name, error))?;
    row("type", "certificate")?;
    row("subject", fields.subject())?;
    row("issuer", fields.issuer())?;
    row("not before", validity.not_before)?;
    row("not after", validity.not_after)?;
    let signed_with = certificate.signature_algorithm().oid;
    match Algorithm::from_oid(&signed_with) {
        Ok(algorithm) => row("signed with", algorithm)?,
        Err(_) => row("signed with", signed_with)?,
    }
    row("size", size(der.len()))?;
    row("SHA-256", hex(&der))?;
    match Pem::Certificate(Box::new(certificate.clone())).verifying_key() {
        Ok(key) => {
            row("algorithm", describe(key.algorithm()))?;
            row("public key", size(key.algorithm().verifying_key_len()))?;
            row("key SHA-256", hex(&keys::public_key_der(&key)?))
        }
        Err(message) => row("algorithm", message),
    }
}

fn row(name: &str, value: impl core::fmt::Display) -> Result<(), Failure> {
    report::line(format_args!("{:<13}{value}", format!("{name}:")))
}

fn describe(algorithm: Algorithm) -> String {
    if algorithm.signs_deterministically() {
        format!("{algorithm} (FIPS 204)")
    } else {
        format!("{algorithm} (experimental: FIPS 206 is not published)")
    }
}

fn size(bytes: usize) -> String {
    format!("{bytes} bytes")
}

fn stored_form(key: &SigningKey) -> &'static str {
    let seed = match key {
        SigningKey::MlDsa44(key) => key.seed(),
        SigningKey::MlDsa65(key) => key.seed(),
        SigningKey::MlDsa87(key) => key.seed(),
        _ => return "signing key",
    };
    match seed {
        Some(_) => "seed of 32 bytes",
        None => "expanded key, without the seed",
    }
}

fn hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
