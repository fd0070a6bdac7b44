//! What the user is told: results on standard output, failures in one line of words.

use core::fmt::{self, Display};
use std::io::{self, Write};

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The signature is not one of this file, key and context: exit code 1.
    DoesNotVerify(String),
    /// The command line, a file or the system is at fault: exit code 2.
    Input(String),
}

impl Failure {
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::Input(message.into())
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::DoesNotVerify(_) => 1,
            Self::Input(_) => 2,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::DoesNotVerify(message) | Self::Input(message)) = self;
        // File names may hold anything.
        f.write_str(&message.replace(['\n', '\r'], " "))
    }
}

impl From<pqsig::Error> for Failure {
    fn from(error: pqsig::Error) -> Self {
        Self::input(error.to_string())
    }
}

/// Prints a line to standard output.
pub(crate) fn line(text: impl Display) -> Result<(), Failure> {
    writeln!(io::stdout(), "{text}").map_err(|error| about("standard output", error))
}

/// A failure to do with `name`.
pub(crate) fn about(name: impl Display, error: impl Display) -> Failure {
    Failure::input(format!("{name}: {error}"))
}
