//! Sets the cfg `pqsig_avx512` where the compiler knows the intrinsics of AVX-512: they are
//! stable from Rust 1.89 on, which is newer than this crate's oldest compiler.

use std::{env, process::Command};

/// The first minor version of Rust 1 with stable AVX-512 intrinsics.
const AVX512_SINCE: u32 = 89;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(pqsig_avx512)");
    // An unknown version is taken for an old one: then AVX2 is the best that is used.
    if minor_version().is_some_and(|minor| minor >= AVX512_SINCE) {
        println!("cargo::rustc-cfg=pqsig_avx512");
    }
}

/// The `y` of `rustc 1.y.z`.
fn minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?)
        .arg("--version")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.strip_prefix("rustc 1.")?
        .split('.')
        .next()?
        .parse()
        .ok()
}
