//! A folder to work in, the tool to run there, and what to expect of it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The environment variable with the arguments of the tool.
pub(crate) const ARGUMENTS: &str = "PQSIG_TEST_ARGUMENTS";

/// Separates what the test harness prints from what the tool prints.
pub(crate) const MARK: &str = "\x1e\x1d\x1e";

/// A folder that is gone when the test is over.
pub(crate) struct Folder(PathBuf);

/// What came of a run of the tool.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Folder {
    /// An empty folder. `name` is that of the test.
    pub(crate) fn new(name: &str) -> Self {
        let name = format!("cli-{name}-{}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for the test");
        Self(folder)
    }

    /// A folder with a key of `algorithm` in `key.pem` and `pub.pem` and a message in `file`.
    pub(crate) fn with_key(name: &str, algorithm: &str) -> Self {
        let folder = Self::new(name);
        folder.keygen(algorithm, "key.pem", "pub.pem");
        folder.write("file", b"a message");
        folder
    }

    pub(crate) fn keygen(&self, algorithm: &str, private: &str, public: &str) {
        let arguments = [
            "keygen",
            "--algorithm",
            algorithm,
            "--out",
            private,
            "--pub",
        ];
        self.run(&[&arguments[..], &[public]].concat()).succeeds();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("the file is there")
    }

    pub(crate) fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.path(name), content).expect("the file can be written");
    }

    /// Names of the files inside, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().into_string())
            .map(|name| name.expect("names are UTF-8"))
            .collect();
        names.sort();
        names
    }

    /// Runs the tool in this folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with_input(arguments, b"")
    }

    /// Runs the tool in this folder with `input` on its standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let tool = std::env::current_exe().expect("the test knows its file");
        self.start(Command::new(tool), arguments, input)
    }

    /// Runs the tool in this folder in an address space of `limit` kB.
    #[cfg(target_os = "linux")]
    pub(crate) fn run_in_memory(&self, limit: usize, arguments: &[&str]) -> Outcome {
        let tool = std::env::current_exe().expect("the test knows its file");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", r#"ulimit -v "$0" && exec "$@""#, &limit.to_string()])
            .arg(tool)
            // Or else each thread reserves far more than it uses.
            .env("MALLOC_ARENA_MAX", "1");
        self.start(shell, arguments, b"")
    }

    fn start(&self, mut command: Command, arguments: &[&str], input: &[u8]) -> Outcome {
        let arguments = [&["pqsig"], arguments].concat().join("\x1f");
        let mut child = command
            .args(["as_tool", "--exact", "--ignored", "--nocapture"])
            .env(ARGUMENTS, arguments)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        // The tool may end without reading its input.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
        let output = child.wait_with_output().expect("the tool ends");
        let mark = MARK.as_bytes();
        let start = output.stdout.windows(mark.len()).position(|w| w == mark);
        let Some(start) = start else {
            panic!("the tool did not start: {output:?}");
        };
        Outcome {
            code: output.status.code(),
            stdout: output.stdout[start + mark.len()..].to_vec(),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Outcome {
    /// Exit code 0 and nothing on standard error. Returns standard output.
    #[track_caller]
    pub(crate) fn succeeds(self) -> Vec<u8> {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }

    /// Like [`Outcome::succeeds`], for text.
    #[track_caller]
    pub(crate) fn says(self) -> String {
        String::from_utf8(self.succeeds()).expect("text")
    }

    /// The signature does not verify: exit code 1.
    #[track_caller]
    pub(crate) fn does_not_verify(self) {
        self.ends(1, "does not verify");
    }

    /// Exit code 2 and one line on standard error, with `words` in it.
    #[track_caller]
    pub(crate) fn fails(self, words: &str) {
        self.ends(2, words);
    }

    #[track_caller]
    fn ends(self, code: i32, words: &str) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.stdout.is_empty(), "{self:?}");
        let line = self.stderr.strip_suffix('\n').expect("a line");
        assert!(!line.contains(['\n', '\r']), "one line: {line:?}");
        assert!(line.starts_with("pqsig: "), "{line:?}");
        assert!(line.contains(words), "{words:?} in {line:?}");
    }
}
