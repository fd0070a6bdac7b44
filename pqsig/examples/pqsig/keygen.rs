//! `pqsig keygen`

use super::{files::Name, report, report::Failure};
use pqsig::{
    any::{Algorithm, SigningKey},
    mldsa::PrivateKeyFormat,
    pkcs8::{EncodePrivateKey, LineEnding, SecretDocument},
    spki::EncodePublicKey,
};

/// Make a key.
///
/// The private key goes to a PEM file (PKCS#8) that only its owner can read. With --pub, the
/// public key goes to another one. FN-DSA keys are experimental: FIPS 206 is not published, and
/// files with them will stop working when it is.
#[derive(Debug, clap::Args)]
pub(crate) struct Keygen {
    /// ML-DSA-44, ML-DSA-65, ML-DSA-87, FN-DSA-512 or FN-DSA-1024.
    #[arg(long, short, default_value = "ML-DSA-65", value_parser = algorithm)]
    algorithm: Algorithm,
    /// File for the private key.
    #[arg(long, short, value_name = "PEM")]
    out: Name,
    /// File for the public key.
    #[arg(long = "pub", value_name = "PEM")]
    public: Option<Name>,
    /// What of an ML-DSA key is stored [default: seed].
    #[arg(long)]
    format: Option<Format>,
    /// Overwrite files.
    #[arg(long)]
    force: bool,
}

/// The forms of RFC 9881.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Seed,
    Expanded,
    Both,
}

impl Keygen {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.check_names()?;
        let key = SigningKey::try_generate(self.algorithm)?;
        let private = encode(&key, self.format)?.to_pem("PRIVATE KEY", LineEnding::LF);
        let private = private.map_err(|error| Failure::input(error.to_string()))?;
        let public = key.verifying_key().to_public_key_pem(LineEnding::LF);
        let public = public.map_err(|error| Failure::input(error.to_string()))?;

        self.out.write_secret(private.as_bytes(), self.force)?;
        if let Some(name) = &self.public {
            name.write_public(public.as_bytes(), self.force)?;
        }
        self.tell()
    }

    /// Finds what would fail before anything is written.
    fn check_names(&self) -> Result<(), Failure> {
        if let Some(public) = &self.public {
            if self.out.is_same_file(public) {
                return Err(Failure::input("--out and --pub name the same file"));
            }
        }
        for name in [Some(&self.out), self.public.as_ref()]
            .into_iter()
            .flatten()
        {
            if name.exists() && !self.force {
                let message = "is there already; --force overwrites it";
                return Err(report::about(name, message));
            }
        }
        Ok(())
    }

    fn tell(&self) -> Result<(), Failure> {
        let streams = [Some(&self.out), self.public.as_ref()];
        if streams.into_iter().flatten().any(Name::is_stream) {
            return Ok(());
        }
        let Self { algorithm, out, .. } = self;
        let note = if algorithm.signs_deterministically() {
            ""
        } else {
            " (experimental)"
        };
        report::line(format_args!("{algorithm} private key{note}: {out}"))?;
        if let Some(public) = &self.public {
            report::line(format_args!("{algorithm} public key{note}: {public}"))?;
        }
        Ok(())
    }
}

fn encode(key: &SigningKey, format: Option<Format>) -> Result<SecretDocument, Failure> {
    let algorithm = key.algorithm();
    let is_mldsa = algorithm.signs_deterministically();
    let document = match format {
        Some(_) if !is_mldsa => {
            return Err(Failure::input(format!(
                "--format is for ML-DSA keys; {algorithm} keys have one form"
            )));
        }
        None if !is_mldsa => key.to_pkcs8_der(),
        None | Some(Format::Seed) => key.to_pkcs8_der_with(PrivateKeyFormat::Seed),
        Some(Format::Expanded) => key.to_pkcs8_der_with(PrivateKeyFormat::Expanded),
        Some(Format::Both) => key.to_pkcs8_der_with(PrivateKeyFormat::Both),
    };
    document.map_err(|error| {
        Failure::input(if is_mldsa {
            error.to_string()
        } else {
            format!(
                "{algorithm} key files are experimental; build this tool with the feature \
                 `fndsa-experimental-oid` to have them"
            )
        })
    })
}

fn algorithm(name: &str) -> Result<Algorithm, String> {
    name.parse().map_err(|_| {
        let names: Vec<&str> = Algorithm::ALL.iter().map(|a| a.name()).collect();
        format!("the algorithms are {}", names.join(", "))
    })
}
