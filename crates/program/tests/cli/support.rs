//! Running the program.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

pub(crate) const ANSWERED: i32 = 0;
pub(crate) const REFUTED: i32 = 1;
pub(crate) const BAD_INPUT: i32 = 2;
pub(crate) const STOPPED: i32 = 3;
pub(crate) const INTERRUPTED: i32 = 130;

/// A program that runs longer hangs, and fails its test.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Variables that would change what the program prints.
const LEFT_OUT: [&str; 4] = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"];

/// The tests share their tables, and leave none in the user's cache folder.
pub(crate) const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");

/// A temporary folder in which the program runs.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder can be created"))
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        Folder::new().and(name, content)
    }

    /// Adds a file.
    pub(crate) fn and(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.write(name, content);
        self
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), content).expect("the file can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The names of all files in it, including hidden ones.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("the folder exists");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs the program with these arguments and empty standard input.
    pub(crate) fn run(&self, words: &str) -> Run {
        self.run_with(&words.split_whitespace().collect::<Vec<_>>(), b"")
    }

    pub(crate) fn run_with(&self, words: &[&str], input: impl Into<Vec<u8>>) -> Run {
        let mut command = Command::new(cargo_bin!("admissible"));
        command.current_dir(self.path()).args(words).write_stdin(input).timeout(TIMEOUT);
        command.env("ADMISSIBLE_CACHE", TABLES);
        for name in LEFT_OUT {
            command.env_remove(name);
        }
        Run::new(words.join(" "), command.output().expect("the program starts"))
    }

    /// The program as a command, to start and observe.
    pub(crate) fn process(&self, words: &str) -> std::process::Command {
        let mut command = std::process::Command::new(cargo_bin!("admissible"));
        command.current_dir(self.path()).args(words.split_whitespace());
        command.env("ADMISSIBLE_CACHE", TABLES);
        for name in LEFT_OUT {
            command.env_remove(name);
        }
        command
    }
}

/// A finished run.
pub(crate) struct Run {
    command: String,
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    /// Standard error without the lines of progress, which only slow machines print.
    pub(crate) err: String,
    pub(crate) progress: Vec<String>,
    /// Notes on the counting rule, one for the run or none.
    pub(crate) counting: String,
}

impl Run {
    pub(crate) fn new(command: String, output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        let (progress, messages): (Vec<String>, Vec<String>) =
            text(output.stderr).split_inclusive('\n').map(String::from).partition(|line| is_progress(line));
        let is_counting = |line: &String| {
            ["note: --format course is --counting", "note: counted as"]
                .iter()
                .any(|beginning| line.starts_with(beginning))
        };
        let (counting, messages): (Vec<String>, Vec<String>) = messages.into_iter().partition(is_counting);
        let (out, err, counting) = (text(output.stdout), messages.concat(), counting.concat());
        let run = Run { command, code: output.status.code(), out, err, progress, counting };
        assert!(!run.err.contains("panicked"), "{run}");
        run
    }

    /// Checks the exit code and that standard error is empty; returns standard output.
    #[track_caller]
    pub(crate) fn prints(&self, code: i32) -> &str {
        assert_eq!((self.code, self.err.as_str()), (Some(code), ""), "{self}");
        &self.out
    }

    /// Checks that the input was refused with nothing on standard output; returns standard error.
    #[track_caller]
    pub(crate) fn refuses(&self) -> &str {
        assert_eq!((self.code, self.out.as_str()), (Some(BAD_INPUT), ""), "{self}");
        &self.err
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Run { command, code, err, .. } = self;
        // Long solutions would hide the failure.
        let out: String = self.out.chars().take(5000).collect();
        write!(f, "admissible {command}\n--- exit code {code:?}, standard output:\n{out}--- standard error:\n{err}---")
    }
}

/// Whether a line on standard error is one of progress, which only slow machines print.
pub(crate) fn is_progress(line: &str) -> bool {
    [" s  bound ", " s  at most ", " s  building tables: "].iter().any(|part| line.contains(part))
}

/// Compares whole texts and shows both in full if they differ.
#[track_caller]
pub(crate) fn assert_text(got: &str, expected: &str) {
    assert!(got == expected, "--- expected:\n{expected}--- got:\n{got}---");
}

/// Replaces time and memory, which differ between runs, by `*`.
pub(crate) fn masked(text: &str) -> String {
    let mask = |line: &str| match line.split_whitespace().next() {
        Some(name @ ("time" | "memory")) if line.starts_with("  ") => format!("  {name} *\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(mask).collect()
}

/// Runs the program on text from a file called `puzzle`.
pub(crate) fn solve(puzzle: &str, options: &str) -> Run {
    Folder::with("puzzle", puzzle).run(&format!("solve puzzle {options}"))
}

pub(crate) fn has_escape_codes(text: &str) -> bool {
    text.contains('\u{1b}')
}
