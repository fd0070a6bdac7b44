//! `pqsig`: makes keys, signs files and verifies signatures with ML-DSA and FN-DSA.
//!
//! ```text
//! pqsig keygen  --algorithm ML-DSA-65 --out key.pem --pub pub.pem
//! pqsig sign    --key key.pem --out file.sig file
//! pqsig verify  --key pub.pem --signature file.sig file
//! pqsig inspect key.pem
//! ```
//!
//! Keys are PEM files as OpenSSL 3.5 reads and writes them. Signatures are the bare bytes of the
//! standard. Files are read in pieces, so they may be of any length. `-` is standard input, and
//! standard output where a file is written.
//!
//! Exit codes: 0 for success, 1 if a signature does not verify, 2 for anything else.

mod files;
mod inspect;
mod keygen;
mod keys;
mod report;
mod sign;
mod verify;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind};
use report::Failure;
use std::{ffi::OsString, process::ExitCode};

/// Post-quantum signatures of files: ML-DSA (FIPS 204) and FN-DSA.
///
/// Exit codes: 0 for success, 1 if a signature does not verify, 2 for anything else.
#[derive(Debug, Parser)]
#[command(name = "pqsig", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Keygen(keygen::Keygen),
    Sign(sign::Sign),
    Verify(verify::Verify),
    Inspect(inspect::Inspect),
}

fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os().collect()))
}

/// Everything but where the arguments come from. Returns the exit code.
pub(crate) fn run(arguments: Vec<OsString>) -> u8 {
    match parse(arguments).and_then(execute) {
        Ok(()) => 0,
        Err(failure) => {
            eprintln!("pqsig: {failure}");
            failure.exit_code()
        }
    }
}

fn execute(command: Option<Command>) -> Result<(), Failure> {
    match command {
        None => Ok(()),
        Some(Command::Keygen(keygen)) => keygen.run(),
        Some(Command::Sign(sign)) => sign.run(),
        Some(Command::Verify(verify)) => verify.run(),
        Some(Command::Inspect(inspect)) => inspect.run(),
    }
}

/// `None` if the user asked for help or the version and has got it.
fn parse(arguments: Vec<OsString>) -> Result<Option<Command>, Failure> {
    let matches = Arguments::command().try_get_matches_from(arguments);
    match matches.and_then(|mut matches| Arguments::from_arg_matches_mut(&mut matches)) {
        Ok(arguments) => Ok(Some(arguments.command)),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                report::line(error.to_string().trim_end())?;
                Ok(None)
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Err(Failure::input("a command is missing; try `pqsig --help`"))
            }
            _ => Err(Failure::input(one_line(&error.to_string()))),
        },
    }
}

/// The message of `clap` without its usage text and line breaks.
fn one_line(message: &str) -> String {
    let message = message.split("\n\nUsage:").next().unwrap_or(message);
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let message = message.split("\n\nFor more information").next();
    let words: Vec<&str> = message.unwrap_or_default().split_whitespace().collect();
    words.join(" ")
}
