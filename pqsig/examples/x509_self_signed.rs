//! A self-signed X.509 certificate (RFC 9881) from the builder of `x509-cert`, in PEM on standard
//! output.
//!
//! ```text
//! cargo run --release -p pqsig --example x509_self_signed -- ML-DSA-65 > certificate.pem
//! openssl verify -CAfile certificate.pem certificate.pem
//! ```
//!
//! The key is made afresh and forgotten, unless a PKCS#8 file in PEM is given instead of the name
//! of an algorithm.

use core::{error::Error, str::FromStr, time::Duration};
use pqsig::{
    SysRng, Verifier,
    any::{Algorithm, Signature, SigningKey, VerifyingKey},
    pkcs8::{DecodePrivateKey, LineEnding},
    rand_core::UnwrapErr,
    spki::{DecodePublicKey, SubjectPublicKeyInfoOwned},
};
use std::fs;
use x509_cert::{
    Certificate,
    builder::{Builder, CertificateBuilder, profile::cabf::Root},
    der::{Encode, EncodePem},
    name::Name,
    serial_number::SerialNumber,
    time::Validity,
};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn main() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args().nth(1).unwrap_or("ML-DSA-65".into());
    let key = match argument.parse::<Algorithm>() {
        Ok(algorithm) => SigningKey::try_generate(algorithm)?,
        Err(_) => SigningKey::from_pkcs8_pem(&fs::read_to_string(argument)?)?,
    };
    let certificate = self_signed(&key)?;
    check(&certificate)?;
    print!("{}", certificate.to_pem(LineEnding::LF)?);
    Ok(())
}

/// A certificate authority of one: 30 days, signed with fresh randomness.
fn self_signed(key: &SigningKey) -> Result<Certificate, Box<dyn Error>> {
    // The builder takes a generator that cannot fail; this one panics instead.
    let mut rng = UnwrapErr(SysRng);
    let name = Name::from_str("CN=pqsig example,O=pqsig,C=CH")?;
    let builder = CertificateBuilder::new(
        Root::new(false, name)?,
        SerialNumber::generate(&mut rng),
        Validity::from_now(30 * DAY)?,
        SubjectPublicKeyInfoOwned::from_key(&key.verifying_key())?,
    )?;
    Ok(builder.build_with_rng::<_, Signature, _>(key, &mut rng)?)
}

/// What a reader of the certificate does: the key out of it, then the signature with the key.
fn check(certificate: &Certificate) -> Result<(), Box<dyn Error>> {
    let tbs = certificate.tbs_certificate();
    let key = VerifyingKey::from_public_key_der(&tbs.subject_public_key_info().to_der()?)?;
    if certificate.signature_algorithm().oid != key.algorithm().oid() {
        return Err("signed with another algorithm".into());
    }
    let bits = certificate.signature().as_bytes().ok_or("unused bits")?;
    let signature = Signature::from_bytes(key.algorithm(), bits)?;
    key.verify(&tbs.to_der()?, &signature)?;
    Ok(())
}
