//! The command-line tool of `examples/pqsig`, run as a program.
//!
//! The tool is compiled into this test, so that what is tested is never out of date. Each run of
//! the tool is this program again, with the test [`as_tool`] alone and the arguments in the
//! environment.

#[path = "../examples/pqsig/main.rs"]
#[allow(dead_code, reason = "its `main` is not that of this program")]
mod tool;

mod cli {
    pub(crate) mod bench;
    mod inspect;
    mod keygen;
    mod sign_verify;
    mod usage;
}

use cli::bench::{ARGUMENTS, MARK};

/// Not a test: the tool, for the other tests to start.
#[test]
#[ignore = "this is the program that the other tests run"]
fn as_tool() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else {
        return;
    };
    print!("{MARK}");
    let arguments = arguments.split('\x1f').map(Into::into).collect();
    std::process::exit(tool::run(arguments).into())
}
