//! `pqsig sign` and `pqsig verify`

use super::bench::{Folder, Outcome};
use pqsig::any::Algorithm;

fn verify(folder: &Folder, key: &str, more: &[&str]) -> Outcome {
    let arguments = ["verify", "--key", key, "--signature", "file.sig"];
    folder.run(&[&arguments[..], more].concat())
}

fn sign(folder: &Folder, more: &[&str]) -> Outcome {
    folder.run(&[&["sign", "--key", "key.pem"], more].concat())
}

/// The algorithms that key files may name.
fn algorithms() -> impl Iterator<Item = Algorithm> {
    let experimental = cfg!(feature = "fndsa-experimental-oid");
    let all = Algorithm::ALL.iter().copied();
    all.filter(move |algorithm| experimental || algorithm.signs_deterministically())
}

#[test]
fn signs_and_verifies_with_every_algorithm() {
    for algorithm in algorithms() {
        let folder = Folder::with_key("all", algorithm.name());
        let said = sign(&folder, &["file"]).says();
        assert!(said.contains(algorithm.name()) && said.contains("file.sig"));
        assert_eq!(folder.read("file.sig").len(), algorithm.signature_len());
        for key in ["pub.pem", "key.pem"] {
            let said = verify(&folder, key, &["file"]).says();
            assert!(said.contains("verifies"), "{said}");
        }
        folder.write("file", b"another message");
        verify(&folder, "pub.pem", &["file"]).does_not_verify();
    }
}

#[test]
fn what_is_changed_does_not_verify() {
    for algorithm in algorithms() {
        let folder = Folder::with_key("changed", algorithm.name());
        sign(&folder, &["file"]).succeeds();
        let good = folder.read("file.sig");
        for position in [0, 1, 40, good.len() / 2, good.len() - 1] {
            let mut bad = good.clone();
            bad[position] ^= 1;
            folder.write("file.sig", &bad);
            verify(&folder, "pub.pem", &["file"]).does_not_verify();
        }
        let longer = [&good[..], &[0]].concat();
        for bad in [&good[..good.len() - 1], &longer, &[], &vec![0; 3_000_000]] {
            folder.write("file.sig", bad);
            verify(&folder, "pub.pem", &["file"]).does_not_verify();
        }
        folder.write("file.sig", &good);
        verify(&folder, "pub.pem", &["file"]).succeeds();

        folder.keygen(algorithm.name(), "key2.pem", "pub2.pem");
        verify(&folder, "pub2.pem", &["file"]).does_not_verify();
    }
}

#[test]
fn a_signature_of_another_algorithm_does_not_verify() {
    let folder = Folder::with_key("other", "ML-DSA-44");
    sign(&folder, &["file"]).succeeds();
    folder.keygen("ML-DSA-65", "key65.pem", "pub65.pem");
    verify(&folder, "pub65.pem", &["file"]).does_not_verify();
}

#[test]
fn a_damaged_key_is_not_used() {
    let folder = Folder::with_key("damaged", "ML-DSA-44");
    sign(&folder, &["file"]).succeeds();
    let pem = String::from_utf8(folder.read("pub.pem")).expect("text");

    // A character of the key itself: a key, but another one.
    let mut lines: Vec<String> = pem.lines().map(Into::into).collect();
    let changed = if lines[10].starts_with('A') { "B" } else { "A" };
    lines[10].replace_range(..1, changed);
    folder.write("bad.pem", lines.join("\n").as_bytes());
    verify(&folder, "bad.pem", &["file"]).does_not_verify();

    // Cut short.
    lines.remove(10);
    folder.write("bad.pem", lines.join("\n").as_bytes());
    verify(&folder, "bad.pem", &["file"]).fails("bad.pem");
    // A character that is none of base64.
    folder.write("bad.pem", pem.replacen("MII", "M*I", 1).as_bytes());
    verify(&folder, "bad.pem", &["file"]).fails("bad.pem");
    // The end is missing.
    folder.write("bad.pem", &pem.as_bytes()[..pem.len() / 2]);
    verify(&folder, "bad.pem", &["file"]).fails("not a PEM file");
    // Of another kind.
    folder.write("bad.pem", pem.replace("PUBLIC", "STRANGE").as_bytes());
    verify(&folder, "bad.pem", &["file"]).fails("holds a STRANGE KEY");
    folder.write(
        "bad.pem",
        pem.replace("PUBLIC", "ENCRYPTED PRIVATE").as_bytes(),
    );
    verify(&folder, "bad.pem", &["file"]).fails("encrypted private keys are not supported");
    // Without end.
    folder.write("bad.pem", &vec![b'-'; 3_000_000]);
    verify(&folder, "bad.pem", &["file"]).fails("too long");
}

#[test]
fn text_around_a_key_is_skipped() {
    let folder = Folder::with_key("around", "ML-DSA-44");
    sign(&folder, &["file"]).succeeds();
    let pem = folder.read("pub.pem");
    let around = [b"caf\xe9: a key\n", &pem[..], b"\nmore text\n", &pem].concat();
    folder.write("around.pem", &around);
    verify(&folder, "around.pem", &["file"]).succeeds();
    let windows = String::from_utf8(pem).expect("text").replace('\n', "\r\n");
    folder.write("windows.pem", windows.as_bytes());
    verify(&folder, "windows.pem", &["file"]).succeeds();
}

#[test]
fn contexts_are_told_apart() {
    for algorithm in algorithms() {
        let folder = Folder::with_key("context", algorithm.name());
        sign(&folder, &["--context", "release", "file"]).succeeds();
        verify(&folder, "pub.pem", &["--context", "release", "file"]).succeeds();
        verify(&folder, "pub.pem", &["--context", "Release", "file"]).does_not_verify();
        verify(&folder, "pub.pem", &["file"]).does_not_verify();

        sign(&folder, &["file"]).succeeds();
        verify(&folder, "pub.pem", &["--context", "", "file"]).succeeds();
        verify(&folder, "pub.pem", &["--context", "release", "file"]).does_not_verify();
    }
}

#[test]
fn contexts_have_255_bytes_at_most() {
    let folder = Folder::with_key("long-context", "ML-DSA-44");
    let longest = "c".repeat(255);
    sign(&folder, &["--context", &longest, "file"]).succeeds();
    verify(&folder, "pub.pem", &["--context", &longest, "file"]).succeeds();
    // 128 characters, 256 bytes.
    for context in ["c".repeat(256), "\u{e9}".repeat(128)] {
        sign(&folder, &["--context", &context, "file"]).fails("255 bytes");
        verify(&folder, "pub.pem", &["--context", &context, "file"]).fails("255 bytes");
    }
}

#[test]
fn signing_is_hedged_unless_asked_otherwise() {
    let folder = Folder::with_key("hedged", "ML-DSA-65");
    let signature = |more: &[&str]| {
        sign(&folder, &[more, &["file"]].concat()).succeeds();
        verify(&folder, "pub.pem", &["file"]).succeeds();
        folder.read("file.sig")
    };
    assert_ne!(signature(&[]), signature(&[]));
    let deterministic = signature(&["--deterministic"]);
    assert_eq!(deterministic, signature(&["--deterministic"]));
}

#[cfg(all(feature = "fndsa", feature = "fndsa-experimental-oid"))]
#[test]
fn there_is_no_deterministic_fn_dsa() {
    let folder = Folder::with_key("fndsa-deterministic", "FN-DSA-512");
    sign(&folder, &["--deterministic", "file"]).fails("no deterministic FN-DSA-512");
    assert_eq!(folder.names(), ["file", "key.pem", "pub.pem"]);
}

#[test]
fn large_files_are_streamed() {
    let folder = Folder::with_key("large", "ML-DSA-44");
    let len = 48 << 20;
    let file = std::fs::File::create(folder.path("file")).expect("a file");
    file.set_len(len).expect("a sparse file");
    sign(&folder, &["file"]).succeeds();
    verify(&folder, "pub.pem", &["file"]).succeeds();
    file.set_len(len + 1).expect("a byte longer");
    verify(&folder, "pub.pem", &["file"]).does_not_verify();
}

#[cfg(target_os = "linux")]
#[test]
fn large_files_are_never_in_memory() {
    let folder = Folder::with_key("memory", "ML-DSA-44");
    let file = std::fs::File::create(folder.path("file")).expect("a file");
    file.set_len(160 << 20).expect("a sparse file");
    let arguments = ["sign", "--key", "key.pem", "file"];
    folder.run_in_memory(128 << 10, &arguments).succeeds();
}

#[test]
fn reads_standard_input_and_writes_standard_output() {
    let folder = Folder::with_key("streams", "ML-DSA-44");
    let arguments = ["sign", "--key", "key.pem", "--out", "-", "-"];
    let made = folder.run_with_input(&arguments, b"piped").succeeds();
    assert_eq!(made.len(), Algorithm::MlDsa44.signature_len());

    folder.write("file.sig", &made);
    folder.write("file", b"piped");
    verify(&folder, "pub.pem", &["file"]).succeeds();
    let arguments = ["verify", "--key", "pub.pem", "--signature", "file.sig", "-"];
    folder.run_with_input(&arguments, b"piped").succeeds();
    folder
        .run_with_input(&arguments, b"Piped")
        .does_not_verify();
    let arguments = ["verify", "--key", "pub.pem", "--signature", "-", "file"];
    folder.run_with_input(&arguments, &made).succeeds();
    let arguments = ["verify", "--key", "-", "--signature", "file.sig", "file"];
    let key = folder.read("pub.pem");
    folder.run_with_input(&arguments, &key).succeeds();

    let arguments = ["verify", "--key", "-", "--signature", "file.sig", "-"];
    folder.run(&arguments).fails("only one");
    folder
        .run(&["sign", "--key", "-", "-"])
        .fails("standard input");
    folder
        .run(&["sign", "--key", "key.pem", "-"])
        .fails("--out");
}

#[test]
fn the_empty_file_is_a_file() {
    let folder = Folder::with_key("empty", "ML-DSA-87");
    folder.write("file", b"");
    sign(&folder, &["file"]).succeeds();
    verify(&folder, "pub.pem", &["file"]).succeeds();
}

#[test]
fn an_old_signature_is_replaced_and_nothing_else() {
    let folder = Folder::with_key("replace", "ML-DSA-65");
    sign(&folder, &["file"]).succeeds();
    let old = folder.read("file.sig");
    sign(&folder, &["file"]).succeeds();
    assert_ne!(folder.read("file.sig"), old);

    let key = folder.read("key.pem");
    for out in ["file", "./file", "key.pem"] {
        sign(&folder, &["--out", out, "file"]).fails("would overwrite");
    }
    sign(&folder, &["--out", "pub.pem", "file"]).fails("not a signature");
    assert_eq!(folder.read("key.pem"), key);
    assert_eq!(folder.read("file"), b"a message");
    assert_eq!(folder.names(), ["file", "file.sig", "key.pem", "pub.pem"]);
}

#[test]
fn missing_files_are_named() {
    let folder = Folder::with_key("missing", "ML-DSA-44");
    sign(&folder, &["nothing"]).fails("nothing: no such file");
    folder
        .run(&["sign", "--key", "no.pem", "file"])
        .fails("no.pem: no such file");
    verify(&folder, "pub.pem", &["file"]).fails("file.sig: no such file");
    sign(&folder, &["file"]).succeeds();
    verify(&folder, "pub.pem", &["nothing"]).fails("nothing: no such file");
    verify(&folder, "no.pem", &["file"]).fails("no.pem: no such file");
    sign(&folder, &["--out", "no/file.sig", "file"]).fails("no such file or folder");
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    sign(&folder, &["folder"]).fails("folder: ");
    sign(&folder, &["--out", "folder", "file"]).fails("folder: ");
}

#[test]
fn signing_needs_a_private_key() {
    let folder = Folder::with_key("private", "ML-DSA-44");
    let arguments = ["sign", "--key", "pub.pem", "file"];
    folder
        .run(&arguments)
        .fails("signing needs the private key");
    folder
        .run(&["sign", "--key", "file", "file"])
        .fails("not a PEM file");
}

#[test]
fn every_stored_form_signs() {
    for format in ["seed", "expanded", "both"] {
        let folder = Folder::new("form");
        folder.write("file", b"a message");
        let arguments = ["keygen", "--format", format, "--out", "key.pem"];
        let arguments = [&arguments[..], &["--pub", "pub.pem"]].concat();
        folder.run(&arguments).succeeds();
        sign(&folder, &["file"]).succeeds();
        verify(&folder, "pub.pem", &["file"]).succeeds();
    }
}
