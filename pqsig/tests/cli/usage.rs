//! The command line itself.

use super::bench::Folder;

#[test]
fn helps() {
    let folder = Folder::new("help");
    let said = folder.run(&["--help"]).says();
    for command in ["keygen", "sign", "verify", "inspect"] {
        assert!(said.contains(command), "{said}");
        let said = folder.run(&[command, "--help"]).says();
        assert!(said.contains("Usage:"), "{said}");
    }
    let said = folder.run(&["--version"]).says();
    assert_eq!(
        said.trim_end(),
        concat!("pqsig ", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn mistakes_are_told_in_one_line() {
    let folder = Folder::new("mistakes");
    folder.run(&[]).fails("--help");
    folder.run(&["jump"]).fails("jump");
    folder.run(&["sign", "file"]).fails("--key");
    folder.run(&["sign", "--key", "key.pem"]).fails("<FILE>");
    folder
        .run(&["verify", "--key", "pub.pem", "file"])
        .fails("--signature");
    folder.run(&["verify", "--fast", "file"]).fails("--fast");
    folder.run(&["inspect"]).fails("<FILE>");
    let arguments = ["keygen", "--format", "raw", "--out", "key.pem"];
    folder.run(&arguments).fails("raw");
    assert!(folder.names().is_empty());
}

#[test]
fn odd_file_names_stay_in_one_line() {
    let folder = Folder::new("names");
    folder
        .run(&["inspect", "no\nsuch\nfile"])
        .fails("no such file");
}
