//! The command line.

use clap::{Parser, Subcommand, ValueEnum, builder::PossibleValuesParser, builder::TypedValueParser};
use pqsig::any::Algorithm;
use std::path::PathBuf;

/// Makes ML-DSA (FIPS 204) and FN-DSA keys, signs and verifies files with them.
///
/// Exit codes: 0 success; 1 a signature is invalid; 2 wrong usage, or a file cannot be used.
#[derive(Debug, Parser)]
#[command(name = "pqsig", version)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Keygen(Keygen),
    Pubkey(Pubkey),
    Sign(Sign),
    Verify(Verify),
    Inspect(Inspect),
}

/// Make a key.
#[derive(Debug, clap::Args)]
pub struct Keygen {
    /// Which algorithm the key is for.
    #[arg(long, default_value = "ML-DSA-65", ignore_case = true, value_parser = algorithms())]
    pub algorithm: Algorithm,
    /// Where the private key goes (PKCS#8 in PEM, readable by its owner only).
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Where the public key goes (SubjectPublicKeyInfo in PEM).
    #[arg(long = "pub", value_name = "FILE")]
    pub public: Option<PathBuf>,
    /// The form of an ML-DSA private key (RFC 9881); the seed is recommended, and the default.
    #[arg(long)]
    pub format: Option<KeyFormat>,
    /// Replace files that exist.
    #[arg(long)]
    pub force: bool,
}

/// Write the public key of a private key or of a certificate.
#[derive(Debug, clap::Args)]
pub struct Pubkey {
    /// The private key or certificate.
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// Where the public key goes (SubjectPublicKeyInfo in PEM).
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Replace a file that exists.
    #[arg(long)]
    pub force: bool,
}

/// Sign a file.
#[derive(Debug, clap::Args)]
pub struct Sign {
    /// The private key (PKCS#8, PEM or DER).
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// A context string of at most 255 bytes, which verification needs, too.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub context: String,
    /// Make the same signature each time (ML-DSA only). Without it, fresh randomness protects
    /// against faults and side channels.
    #[arg(long)]
    pub deterministic: bool,
    /// Where the signature goes: FILE.sig if not given.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace a signature that exists.
    #[arg(long)]
    pub force: bool,
    /// What to sign; - is standard input.
    pub file: PathBuf,
}

/// Verify the signature of a file.
#[derive(Debug, clap::Args)]
pub struct Verify {
    /// The public key, certificate or private key (PEM or DER).
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// The signature: FILE.sig if not given.
    #[arg(long, value_name = "FILE")]
    pub signature: Option<PathBuf>,
    /// The context string that was signed with.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub context: String,
    /// What was signed; - is standard input.
    pub file: PathBuf,
}

/// Say what a key, certificate or signature file is. A self-signed certificate is verified.
#[derive(Debug, clap::Args)]
pub struct Inspect {
    /// The files.
    #[arg(required = true)]
    pub file: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum KeyFormat {
    /// The 32-byte seed.
    Seed,
    /// The expanded key of FIPS 204.
    Expanded,
    /// The seed and the expanded key.
    Both,
}

fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.iter().map(|algorithm| algorithm.name()))
        .try_map(|name| name.parse::<Algorithm>())
}
