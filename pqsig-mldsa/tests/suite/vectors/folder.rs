//! Files of the vector folder, and which of them were read.

use super::{FOLDERS, WITHOUT_CASES};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
};

pub(super) struct Folder {
    root: PathBuf,
    read: Mutex<BTreeSet<String>>,
}

impl Folder {
    /// `None` if there is none. A folder that was named but does not exist is an error.
    pub(super) fn open() -> Option<Self> {
        let root = match std::env::var_os("PQSIG_VECTORS") {
            Some(named) => {
                let named = PathBuf::from(named);
                assert!(named.is_dir(), "PQSIG_VECTORS: no folder {named:?}");
                named
            }
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors"),
        };
        let read = Mutex::default();
        root.is_dir().then_some(Self { root, read })
    }

    pub(super) fn bytes(&self, path: &str) -> Vec<u8> {
        let bytes =
            fs::read(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        self.read
            .lock()
            .expect("not poisoned")
            .insert(path.to_owned());
        bytes
    }

    pub(super) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).expect("text")
    }

    pub(super) fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&self.bytes(path)).expect("JSON")
    }

    /// The files below `path`, in order.
    pub(super) fn list(&self, path: &str) -> Vec<String> {
        let mut files = Vec::new();
        for entry in fs::read_dir(self.root.join(path)).expect("a folder") {
            let entry = entry.expect("readable");
            let name = entry.file_name().into_string().expect("plain name");
            let path = format!("{path}/{name}");
            if entry.file_type().expect("known").is_dir() {
                files.extend(self.list(&path));
            } else {
                files.push(path);
            }
        }
        files.sort();
        files
    }

    /// The ML-DSA files that no section has read.
    pub(super) fn unread(&self) -> Vec<String> {
        let read = self.read.lock().expect("not poisoned");
        let mut files: Vec<_> = FOLDERS
            .iter()
            .flat_map(|folder| self.list(folder))
            .collect();
        files.retain(|file| {
            let name = file.rsplit('/').next().expect("a name");
            !read.contains(file) && !WITHOUT_CASES.contains(&name) && !name.starts_with("falcon")
        });
        files
    }
}

/// The text of a field.
#[track_caller]
pub(super) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    let text = value[field].as_str();
    text.unwrap_or_else(|| panic!("no text {field}"))
}

/// The bytes of a hexadecimal field.
#[track_caller]
pub(super) fn bytes(value: &Value, field: &str) -> Vec<u8> {
    crate::common::unhex(text(value, field))
}

/// A hexadecimal field of known length.
#[track_caller]
pub(super) fn array<const N: usize>(value: &Value, field: &str) -> [u8; N] {
    bytes(value, field).try_into().expect("length")
}

#[track_caller]
pub(super) fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    let list = value[field].as_array();
    list.unwrap_or_else(|| panic!("no list {field}"))
}

/// The bytes of base64 or base64url text, whatever its line breaks and padding.
pub(super) fn base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut value, mut bits) = (0_u32, 0);
    for character in text.bytes() {
        let digit = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' | b'\n' | b'\r' => continue,
            _ => panic!("not base64: {character}"),
        };
        value = value << 6 | u32::from(digit);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((value >> bits) as u8);
            value &= (1 << bits) - 1;
        }
    }
    bytes
}
