//! The outcome of an input does not depend on the backend.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pqsig_fuzz::backends(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("--serve") {
        pqsig_fuzz::serve()
    } else {
        pqsig_fuzz::replay(pqsig_fuzz::backends)
    }
}
