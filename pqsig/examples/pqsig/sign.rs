//! `pqsig sign`

use super::{files::Name, keys, report, report::Failure};
use pqsig::any::{Algorithm, Signature, SigningKey};

/// Sign a file.
///
/// Signing is hedged: it mixes fresh randomness with the key, so that two signatures of a file
/// differ. The signature goes to FILE.sig unless --out names another file.
#[derive(Debug, clap::Args)]
pub(crate) struct Sign {
    /// PEM file with the private key.
    #[arg(long, short, value_name = "PEM")]
    key: Name,
    /// Sign in this context, of at most 255 bytes: who verifies must name it too.
    #[arg(long, short, default_value = "", hide_default_value = true)]
    context: String,
    /// Make the same signature each time (ML-DSA only).
    #[arg(long)]
    deterministic: bool,
    /// File for the signature.
    #[arg(long, short, value_name = "FILE")]
    out: Option<Name>,
    /// File to sign, of any length.
    file: Name,
}

impl Sign {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.key.is_stream() && self.file.is_stream() {
            let message = "key and file cannot both come from standard input";
            return Err(Failure::input(message));
        }
        let out = self.out()?;
        let key = keys::read_signing_key(&self.key)?;
        let signature = self.sign(&key)?;
        out.write_public(signature.as_bytes(), true)?;
        if out.is_stream() {
            return Ok(());
        }
        report::line(format_args!("{} signature: {out}", key.algorithm()))
    }

    fn sign(&self, key: &SigningKey) -> Result<Signature, Failure> {
        let algorithm = key.algorithm();
        if self.deterministic && !algorithm.signs_deterministically() {
            return Err(Failure::input(format!(
                "--deterministic is for ML-DSA: there is no deterministic {algorithm}"
            )));
        }
        let mu = self.file.stream(key.mu_builder(self.context.as_bytes())?)?;
        Ok(if self.deterministic {
            key.sign_mu(&mu)?
        } else {
            key.sign_mu_with_rng(&mut pqsig::SysRng, &mu)?
        })
    }

    /// Where the signature goes. An older signature there is replaced, any other file is not.
    fn out(&self) -> Result<Name, Failure> {
        let out = match &self.out {
            Some(out) => out.clone(),
            None if self.file.is_stream() => {
                let message = "--out is needed when the file is standard input";
                return Err(Failure::input(message));
            }
            None => self.file.with_sig(),
        };
        if !out.is_stream() && (out.is_same_file(&self.file) || out.is_same_file(&self.key)) {
            let message = "would overwrite what it signs or the key";
            return Err(report::about(out, message));
        }
        let is_signature = |len| {
            Algorithm::ALL
                .iter()
                .any(|a| a.signature_len() as u64 == len)
        };
        match out.len_of_file() {
            Some(len) if !out.is_stream() && !is_signature(len) => {
                let message = "is there already and not a signature; it is not overwritten";
                Err(report::about(out, message))
            }
            _ => Ok(out),
        }
    }
}
