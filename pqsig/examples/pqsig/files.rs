//! Files, with `-` for standard input and output.

use super::report::{Failure, about};
use core::fmt::{self, Display};
use pqsig::MuBuilder;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// Longer than any key or certificate file of ours with text around it.
const KEY_FILE_LIMIT: usize = 1 << 20;

/// How much of a message is in memory at a time.
const PIECE: usize = 1 << 16;

/// A file, or a standard stream.
#[derive(Clone, Debug)]
pub(crate) struct Name(PathBuf);

impl From<std::ffi::OsString> for Name {
    fn from(name: std::ffi::OsString) -> Self {
        Self(name.into())
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_stream() {
            f.write_str("standard stream")
        } else {
            self.0.display().fmt(f)
        }
    }
}

impl Name {
    /// Whether this is `-`.
    pub(crate) fn is_stream(&self) -> bool {
        self.0.as_os_str() == "-"
    }

    /// This name and `.sig`.
    pub(crate) fn with_sig(&self) -> Self {
        let mut name = self.0.clone().into_os_string();
        name.push(".sig");
        Self(name.into())
    }

    /// Whether both names lead to the same file, as far as that can be told.
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        resolve(&self.0) == resolve(&other.0)
    }

    pub(crate) fn exists(&self) -> bool {
        !self.is_stream() && fs::symlink_metadata(&self.0).is_ok()
    }

    fn open(&self) -> Result<Box<dyn Read>, Failure> {
        if self.is_stream() {
            return Ok(Box::new(io::stdin()));
        }
        match File::open(&self.0) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(about(self, describe(&error))),
        }
    }

    /// Reads at most `limit` bytes. The result has `limit + 1` if there are more.
    pub(crate) fn read_up_to(&self, limit: usize) -> Result<Zeroizing<Vec<u8>>, Failure> {
        // Never grown, so that no copy of a secret stays behind.
        let mut buffer = Zeroizing::new(vec![0; limit + 1]);
        let mut file = self.open()?;
        let mut len = 0;
        while len < buffer.len() {
            match read(&mut file, &mut buffer[len..]).map_err(|e| about(self, describe(&e)))? {
                0 => break,
                n => len += n,
            }
        }
        buffer.truncate(len);
        Ok(buffer)
    }

    /// Reads a key or certificate.
    pub(crate) fn read_key_file(&self) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let bytes = self.read_up_to(KEY_FILE_LIMIT)?;
        if bytes.len() > KEY_FILE_LIMIT {
            return Err(about(self, "too long for a key or certificate"));
        }
        Ok(bytes)
    }

    /// Feeds the whole file to `builder`.
    pub(crate) fn stream(&self, mut builder: MuBuilder) -> Result<[u8; 64], Failure> {
        let mut file = self.open()?;
        let mut buffer = vec![0; PIECE];
        loop {
            match read(&mut file, &mut buffer).map_err(|e| about(self, describe(&e)))? {
                0 => return Ok(builder.finalize()),
                n => builder.update(&buffer[..n]),
            }
        }
    }

    /// Writes a file that nobody else can read (mode 0600 on Unix).
    pub(crate) fn write_secret(&self, content: &[u8], replace: bool) -> Result<(), Failure> {
        self.write(content, replace, true)
    }

    /// Writes a file.
    pub(crate) fn write_public(&self, content: &[u8], replace: bool) -> Result<(), Failure> {
        self.write(content, replace, false)
    }

    fn write(&self, content: &[u8], replace: bool, secret: bool) -> Result<(), Failure> {
        let result = if self.is_stream() {
            write_and_flush(&mut io::stdout(), content)
        } else if replace && self.is_device() {
            OpenOptions::new()
                .write(true)
                .open(&self.0)
                .and_then(|mut device| write_and_flush(&mut device, content))
        } else if replace {
            replace_file(&self.0, content, secret)
        } else {
            create_file(&self.0, content, secret)
        };
        result.map_err(|error| about(self, describe(&error)))
    }

    /// Whether this is there, but neither file nor folder: a pipe, `/dev/null`.
    fn is_device(&self) -> bool {
        fs::metadata(&self.0).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    }

    /// The length of the file, if it is there and a regular one.
    pub(crate) fn len_of_file(&self) -> Option<u64> {
        let metadata = fs::metadata(&self.0).ok()?;
        metadata.is_file().then_some(metadata.len())
    }
}

/// Writes a new file, and removes it if that fails half-way.
fn create_file(path: &Path, content: &[u8], secret: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if secret {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = secret;
    let mut file = options.open(path)?;
    write_and_flush(&mut file, content)
        .and_then(|()| file.sync_all())
        .inspect_err(|_| {
            let _ = fs::remove_file(path);
        })
}

/// Puts a new file in the place of an old one in one step.
fn replace_file(path: &Path, content: &[u8], secret: bool) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(name);
    create_file(&temporary, content, secret)?;
    fs::rename(&temporary, path).inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}

fn write_and_flush(out: &mut dyn Write, content: &[u8]) -> io::Result<()> {
    out.write_all(content)?;
    out.flush()
}

fn read(file: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// An absolute path without links, also of a file that is not there yet.
fn resolve(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    match (parent.canonicalize(), path.file_name()) {
        (Ok(parent), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    }
}

/// The usual mistakes, in words of our own.
fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".into(),
        io::ErrorKind::AlreadyExists => "is there already; --force overwrites it".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "is a folder".into(),
        _ => error.to_string(),
    }
}
