//! `pqsig verify`

use super::{files::Name, keys, report, report::Failure};
use pqsig::any::{Signature, VerifyingKey};

/// Verify the signature of a file.
///
/// The exit code is 0 if it verifies, 1 if it does not, and 2 if that could not be found out.
#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// PEM file with the public key, a certificate of it, or the private key.
    #[arg(long, short, value_name = "PEM")]
    key: Name,
    /// File with the signature.
    #[arg(long, short, value_name = "FILE")]
    signature: Name,
    /// The context in which the file was signed.
    #[arg(long, short, default_value = "", hide_default_value = true)]
    context: String,
    /// File that was signed, of any length.
    file: Name,
}

impl Verify {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let names = [&self.key, &self.signature, &self.file];
        if names.iter().filter(|name| name.is_stream()).count() > 1 {
            let message = "only one of key, signature and file can come from standard input";
            return Err(Failure::input(message));
        }
        let key = keys::read_verifying_key(&self.key)?;
        let builder = key.mu_builder(self.context.as_bytes())?;
        let signature = self.read_signature(&key)?;
        let mu = self.file.stream(builder)?;
        let Self { file, .. } = &self;
        match (signature, key.algorithm()) {
            (Some(signature), algorithm) if key.verify_mu(&mu, &signature).is_ok() => {
                report::line(format_args!("{algorithm} signature of {file} verifies"))
            }
            (_, algorithm) => Err(Failure::DoesNotVerify(format!(
                "{algorithm} signature of {file} does not verify"
            ))),
        }
    }

    /// `None` for what cannot be a signature of this algorithm.
    fn read_signature(&self, key: &VerifyingKey) -> Result<Option<Signature>, Failure> {
        let algorithm = key.algorithm();
        let bytes = self.signature.read_up_to(algorithm.signature_len())?;
        Ok(Signature::from_bytes(algorithm, &bytes).ok())
    }
}
