//! `pqsig keygen`

use super::bench::Folder;
use pqsig::{
    any::{Algorithm, SigningKey, VerifyingKey},
    mldsa::{MlDsa65, SigningKey as MlDsaKey},
    pkcs8::DecodePrivateKey,
    spki::DecodePublicKey,
};

fn private_key(folder: &Folder, name: &str) -> SigningKey {
    let pem = String::from_utf8(folder.read(name)).expect("text");
    SigningKey::from_pkcs8_pem(&pem).expect("a key of any algorithm")
}

fn public_key(folder: &Folder, name: &str) -> VerifyingKey {
    let pem = String::from_utf8(folder.read(name)).expect("text");
    VerifyingKey::from_public_key_pem(&pem).expect("a key of any algorithm")
}

#[test]
fn makes_keys_of_every_algorithm_that_files_may_hold() {
    let mut made = 0;
    for algorithm in Algorithm::ALL {
        if !algorithm.signs_deterministically() && !cfg!(feature = "fndsa-experimental-oid") {
            continue;
        }
        let folder = Folder::with_key("every", algorithm.name());
        let key = private_key(&folder, "key.pem");
        assert_eq!(key.algorithm(), *algorithm);
        assert!(public_key(&folder, "pub.pem") == key.verifying_key());
        made += 1;
    }
    let fndsa = cfg!(all(feature = "fndsa", feature = "fndsa-experimental-oid"));
    assert_eq!(made, if fndsa { 5 } else { 3 });
}

#[cfg(all(feature = "fndsa", not(feature = "fndsa-experimental-oid")))]
#[test]
fn says_what_fn_dsa_key_files_need() {
    let folder = Folder::new("fndsa");
    let arguments = ["keygen", "--algorithm", "FN-DSA-512", "--out", "key.pem"];
    folder.run(&arguments).fails("fndsa-experimental-oid");
    assert!(folder.names().is_empty());
}

#[cfg(all(feature = "fndsa", feature = "fndsa-experimental-oid"))]
#[test]
fn says_that_fn_dsa_keys_are_experimental() {
    let folder = Folder::new("experimental");
    let arguments = ["keygen", "--algorithm", "FN-DSA-512", "--out", "key.pem"];
    assert!(folder.run(&arguments).says().contains("experimental"));
    assert!(
        folder
            .run(&["inspect", "key.pem"])
            .says()
            .contains("experimental")
    );
    let formatted = [&arguments[..4], &["other.pem", "--format", "seed"]].concat();
    folder.run(&formatted).fails("--format is for ML-DSA");
    assert_eq!(folder.names(), ["key.pem"]);
}

#[test]
fn two_keys_differ() {
    let folder = Folder::with_key("differ", "ML-DSA-44");
    folder.keygen("ML-DSA-44", "key2.pem", "pub2.pem");
    assert_ne!(folder.read("key.pem"), folder.read("key2.pem"));
    assert_ne!(folder.read("pub.pem"), folder.read("pub2.pem"));
}

#[test]
fn ml_dsa_65_is_the_default_and_names_are_in_any_case() {
    let folder = Folder::new("default");
    folder.run(&["keygen", "--out", "a.pem"]).succeeds();
    assert_eq!(
        private_key(&folder, "a.pem").algorithm(),
        Algorithm::MlDsa65
    );
    let arguments = ["keygen", "--algorithm", "ml-dsa-87", "--out", "b.pem"];
    folder.run(&arguments).succeeds();
    assert_eq!(
        private_key(&folder, "b.pem").algorithm(),
        Algorithm::MlDsa87
    );
}

#[test]
fn stores_the_three_forms() {
    let folder = Folder::new("forms");
    for (format, has_seed, len) in [
        ("seed", true, 54),
        ("expanded", false, 4060),
        ("both", true, 4098),
    ] {
        let arguments = ["keygen", "--out", "key.pem", "--force", "--format", format];
        folder.run(&arguments).succeeds();
        let pem = String::from_utf8(folder.read("key.pem")).expect("text");
        let key = MlDsaKey::<MlDsa65>::from_pkcs8_pem(&pem).expect("a key");
        assert_eq!(key.seed().is_some(), has_seed, "{format}");
        let base64 = pem.lines().filter(|line| !line.starts_with('-'));
        let characters: usize = base64.map(|line| line.trim_end_matches('=').len()).sum();
        assert_eq!(characters * 3 / 4, len, "{format}: bytes of DER");
    }
}

#[cfg(unix)]
#[test]
fn private_key_files_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_key("mode", "ML-DSA-44");
    let mode = |name: &str| {
        let metadata = std::fs::metadata(folder.path(name)).expect("there");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode("key.pem"), 0o600);

    // Also where an older file is overwritten.
    let all = std::fs::Permissions::from_mode(0o666);
    std::fs::set_permissions(folder.path("key.pem"), all).expect("can be set");
    let arguments = ["keygen", "--out", "key.pem", "--force"];
    folder.run(&arguments).succeeds();
    assert_eq!(mode("key.pem"), 0o600);
}

#[test]
fn overwrites_nothing_unless_forced() {
    let folder = Folder::with_key("overwrite", "ML-DSA-44");
    let old = (folder.read("key.pem"), folder.read("pub.pem"));

    let private_only = ["keygen", "--out", "key.pem"];
    folder.run(&private_only).fails("--force");
    let public_too = ["keygen", "--out", "new.pem", "--pub", "pub.pem"];
    folder.run(&public_too).fails("--force");
    assert_eq!((folder.read("key.pem"), folder.read("pub.pem")), old);
    assert_eq!(folder.names(), ["file", "key.pem", "pub.pem"]);

    let forced = ["keygen", "--out", "key.pem", "--pub", "pub.pem", "--force"];
    folder.run(&forced).succeeds();
    assert_ne!(folder.read("key.pem"), old.0);
    assert!(public_key(&folder, "pub.pem") == private_key(&folder, "key.pem").verifying_key());
    assert_eq!(
        folder.names(),
        ["file", "key.pem", "pub.pem"],
        "no temporary"
    );
}

#[test]
fn one_file_is_not_both_keys() {
    let folder = Folder::new("same");
    let arguments = [
        "keygen",
        "--force",
        "--out",
        "key.pem",
        "--pub",
        "./key.pem",
    ];
    folder.run(&arguments).fails("the same file");
    assert!(folder.names().is_empty());
}

#[test]
fn writes_to_standard_output() {
    let folder = Folder::new("stdout");
    let pem = folder.run(&["keygen", "--out", "-"]).says();
    assert!(SigningKey::from_pkcs8_pem(&pem).is_ok());
}

#[test]
fn refuses_unknown_algorithms_and_folders() {
    let folder = Folder::new("unknown");
    let arguments = ["keygen", "--algorithm", "ML-DSA-66", "--out", "key.pem"];
    folder
        .run(&arguments)
        .fails("the algorithms are ML-DSA-44, ML-DSA-65");
    folder
        .run(&["keygen", "--out", "no/key.pem"])
        .fails("no such file or folder");
    folder.run(&["keygen", "--out", "."]).fails("--force");
    folder.run(&["keygen"]).fails("--out");
    assert!(folder.names().is_empty());
}
