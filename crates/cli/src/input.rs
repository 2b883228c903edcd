//! Reading and parsing files, with messages for every fault.

use std::fs::File;
use std::io::{self, Read};

use admissible_front::{ExpressionError, Faults, OpenError, PlanError, Registry, Task, classic};

use crate::Failure;
use crate::args::ReadArguments;
use crate::show::{BAD, DIM};

/// The largest file that is read.
const MAX_BYTES: u64 = 256 << 20;

/// The most faults shown: a file of another kind has thousands.
const MAX_FAULTS: usize = 8;

/// The text of a file.
pub(crate) fn read(path: &str) -> Result<String, Failure> {
    let name = shown(path);
    let bytes = take(path).map_err(|error| Failure::new(format!("{name}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let (line, column) = position(&bytes[..good]);
        Failure::new(format!("{name}:{line}:{column}: expected text in UTF-8, found the byte 0x{:02x}", bytes[good]))
    })?;
    if let Some(at) = text.find('\0') {
        let (line, column) = position(&text.as_bytes()[..at]);
        let message = format!("{name}:{line}:{column}: expected text, found a NUL byte: this looks like a binary file");
        return Err(Failure::new(message));
    }
    Ok(text)
}

/// The bytes of a file, if they are not too many.
fn take(path: &str) -> io::Result<Vec<u8>> {
    let expected = format!("expected a puzzle of at most {} MiB", MAX_BYTES >> 20);
    let source: Box<dyn Read> = if path == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::other("expected a file, found a directory"));
        }
        if metadata.len() > MAX_BYTES {
            return Err(io::Error::other(format!("{expected}, found {} MiB", metadata.len() >> 20)));
        }
        Box::new(file)
    };
    let mut bytes = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { Err(io::Error::other(format!("{expected}, found more"))) } else { Ok(bytes) }
}

/// Line and column, from 1, after these bytes.
fn position(before: &[u8]) -> (usize, usize) {
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}

/// The name of a file in messages.
pub(crate) fn shown(path: &str) -> String {
    if path == "-" { "standard input".into() } else { path.into() }
}

/// The text of a layout given as `puzzle:name`; `None` for other names, or if a file has this name.
fn named(file: &str, puzzles: Registry) -> Result<Option<String>, Failure> {
    let Some((puzzle, name)) = file.split_once(':') else { return Ok(None) };
    let Some(card) = puzzles.cards().find(|card| card.name == puzzle) else { return Ok(None) };
    if std::path::Path::new(file).exists() {
        return Ok(None);
    }
    match classic(card, name) {
        Ok(found) => Ok(Some(found.text)),
        Err(nearest) => {
            let hint = nearest.map_or(String::new(), |name| format!(", did you mean '{puzzle}:{name}'?"));
            Err(Failure::new(format!("unknown layout '{file}'{hint} (see: admissible list {puzzle})")))
        }
    }
}

/// Opens the instance in a file, or a named layout.
pub(crate) fn open_task(file: &str, reading: &ReadArguments, puzzles: Registry) -> Result<Task, Failure> {
    open_text(file, &named_or_read(file, puzzles)?, reading, puzzles)
}

/// The text of a named layout, or of a file.
pub(crate) fn named_or_read(file: &str, puzzles: Registry) -> Result<String, Failure> {
    named(file, puzzles)?.map_or_else(|| read(file), Ok)
}

/// Opens an instance, given the text of its file.
pub(crate) fn open_text(file: &str, text: &str, reading: &ReadArguments, puzzles: Registry) -> Result<Task, Failure> {
    let name = shown(file);
    puzzles.open(text, reading.puzzle.as_deref(), &reading.options()).map_err(|error| match error {
        OpenError::Faults { puzzle, faults } => {
            let guessed = reading.puzzle.is_none() && faults.iter().any(|fault| fault.line > 0);
            Failure::Message(faults_message(&name, text, &faults, guessed.then_some(puzzle)))
        }
        OpenError::Empty | OpenError::Unrecognised => Failure::new(format!("{name}:{error}")),
        OpenError::Ambiguous(_) => Failure::new(format!("{name}: {error}")),
        other => Failure::new(other),
    })
}

/// Every fault with its position and, below it, the line with a mark. `guessed` is the kind of puzzle if it was
/// guessed, perhaps wrongly.
pub(crate) fn faults_message(name: &str, text: &str, faults: &Faults, guessed: Option<&str>) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> = split_lines(text);
    let mut messages = Vec::new();
    for fault in faults.iter().take(MAX_FAULTS) {
        if fault.line == 0 {
            messages.push(format!("{BAD}error{BAD:#}: {}", fault.message));
            continue;
        }
        let message = format!("{BAD}error{BAD:#}: {name}:{}:{}: {}", fault.line, fault.column, fault.message);
        messages.push(message + &marked(&lines, fault.line, fault.column, 1));
    }
    let more = faults.count().saturating_sub(MAX_FAULTS);
    if more > 0 {
        messages.push(format!("... and {more} more"));
    }
    if let Some(puzzle) = guessed {
        messages.push(format!("{DIM}(read as a {puzzle} puzzle; choose another with --puzzle){DIM:#}"));
    }
    messages.join("\n")
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        let PlanError::Expression(fault) = &error else { return Failure::new(error) };
        let ExpressionError { text, line, column, length, note, .. } = fault;
        let mark = marked(&text.split('\n').collect::<Vec<_>>(), *line, *column, *length);
        let note = note.as_ref().map_or(String::new(), |note| format!("\n{DIM}({note}){DIM:#}"));
        Failure::Message(format!("{BAD}error{BAD:#}: {error}{mark}{note}"))
    }
}

/// The line `number` with `length` characters marked, on separate lines; empty if the line is too long to show.
fn marked(lines: &[&str], number: usize, column: usize, length: usize) -> String {
    let Some(line) = lines.get(number - 1).filter(|line| line.chars().count() <= 120) else { return String::new() };
    let width = number.to_string().len();
    let line: String = [' '].into_iter().chain(line.chars().map(|c| if c.is_control() { ' ' } else { c })).collect();
    let (line, indent) = (line.trim_end(), " ".repeat(column.saturating_sub(1)));
    let mark = "^".repeat(length);
    format!("\n {DIM}{number} |{DIM:#}{line}\n {DIM}{:width$} |{DIM:#} {indent}{BAD}{mark}{BAD:#}", "")
}

/// Splits lines as the parsers do: at LF, CR LF or CR.
fn split_lines(text: &str) -> Vec<&str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r')).collect()
}
