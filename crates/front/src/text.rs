//! Reading text files: lines and words with their positions, and faults that point at them.

use std::fmt;

/// A fault in a file or an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1; 0 where the fault is in an option and not in the file.
    pub line: usize,
    /// The column, from 1, counted in characters.
    pub column: usize,
    /// What was expected and what was found.
    pub message: String,
}

/// All faults of a file, at least one. Of very many, only [`MOST_FAULTS`] are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults {
    kept: Vec<Fault>,
    /// The number of faults that are not kept.
    more: usize,
}

/// The most faults of a file that are kept: a file of another kind has millions.
pub const MOST_FAULTS: usize = 1000;

impl Faults {
    /// One fault.
    pub fn one(line: usize, column: usize, message: impl Into<String>) -> Self {
        Faults { kept: vec![Fault { line, column, message: message.into() }], more: 0 }
    }

    /// A fault in an option.
    pub fn option(message: impl Into<String>) -> Self {
        Faults::one(0, 0, message)
    }

    /// The kept faults in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.kept.iter()
    }

    /// The number of faults that were found, those that are not kept included.
    pub fn count(&self) -> usize {
        self.kept.len() + self.more
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.kept.iter().enumerate() {
            let separator = if i == 0 { "" } else { "\n" };
            write!(f, "{separator}{}:{}: {}", fault.line, fault.column, fault.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// Collects faults while a file is checked, so that all of them can be reported at once.
#[derive(Debug, Default)]
pub struct Inspector {
    kept: Vec<Fault>,
    more: usize,
}

impl Inspector {
    /// Adds a fault. Beyond [`MOST_FAULTS`] it is only counted.
    pub fn fault(&mut self, line: usize, column: usize, message: impl Into<String>) {
        if self.is_full() {
            self.more += 1;
        } else {
            self.kept.push(Fault { line, column, message: message.into() });
        }
    }

    /// Whether further faults are only counted. A reader may then stop early.
    pub fn is_full(&self) -> bool {
        self.kept.len() >= MOST_FAULTS
    }

    /// Returns `checked` if there are no faults.
    ///
    /// # Errors
    /// All faults.
    pub fn pass<T>(self, checked: T) -> Result<T, Faults> {
        if self.is_clean() { Ok(checked) } else { Err(self.faults()) }
    }

    /// All faults, in the order of the file.
    fn faults(mut self) -> Faults {
        self.kept.sort_by_key(|fault| (fault.line, fault.column));
        Faults { kept: self.kept, more: self.more }
    }

    /// Whether there are no faults so far.
    pub fn is_clean(&self) -> bool {
        self.kept.is_empty()
    }
}

/// The longest text of a small board, in bytes: the largest has a few thousand.
pub const MOST_TEXT: usize = 1 << 20;

/// Refuses a text that is longer than any board of a puzzle, before its content is looked at.
///
/// # Errors
/// If it has more than [`MOST_TEXT`] bytes.
pub fn check_length(text: &str) -> Result<(), Faults> {
    if text.len() <= MOST_TEXT {
        return Ok(());
    }
    let (most, found) = (MOST_TEXT >> 20, text.len().div_ceil(1 << 20));
    Err(Faults::one(1, 1, format!("expected a board, in at most {most} MiB of text, found {found} MiB")))
}

/// The longest beginning of a text by which its kind is recognised, in bytes.
const RECOGNISED_BY: usize = 1 << 16;

/// The beginning of a text, by which its kind is recognised: whole lines, unless one of them is very long.
pub fn beginning(text: &str) -> &str {
    if text.len() <= RECOGNISED_BY {
        return text;
    }
    let most = &text[..text.floor_char_boundary(RECOGNISED_BY)];
    most.rfind(['\n', '\r']).map_or(most, |end| &most[..=end])
}

/// A line that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// Its text without the line ending.
    pub text: &'a str,
}

impl<'a> Line<'a> {
    /// Its non-blank characters, each with its column. Inlined, like [`paragraphs`], into the puzzles' crates, which
    /// are optimised for speed: a maze may have millions of cells.
    #[inline]
    pub fn cells(&self) -> Vec<(usize, char)> {
        let columns = self.text.chars().enumerate();
        columns.filter(|(_, c)| !c.is_whitespace()).map(|(at, c)| (at + 1, c)).collect()
    }

    /// Its words, each with its first column.
    pub fn words(&self) -> Vec<(usize, &'a str)> {
        let text = self.text;
        let (mut counted, mut column) = (0, 1);
        text.split_whitespace()
            .map(|word| {
                let at = word.as_ptr() as usize - text.as_ptr() as usize;
                column += text[counted..at].chars().count();
                counted = at;
                (column, word)
            })
            .collect()
    }

    /// The column after its last non-blank character.
    pub fn end(&self) -> usize {
        self.text.trim_end().chars().count() + 1
    }
}

/// Splits text into paragraphs: runs of lines that are not blank. Lines end with LF, CR LF or CR; a byte order mark at
/// the beginning is skipped.
#[inline]
pub fn paragraphs(text: &str) -> Vec<Vec<Line<'_>>> {
    let mut paragraphs = vec![Vec::new()];
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut number = 0;
    while !rest.is_empty() {
        number += 1;
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let line = &rest[..end];
        let ending = if rest[end..].starts_with("\r\n") { 2 } else { usize::from(end < rest.len()) };
        rest = &rest[end + ending..];
        if line.trim().is_empty() {
            paragraphs.push(Vec::new());
        } else {
            paragraphs.last_mut().expect("there is always a last paragraph").push(Line { number, text: line });
        }
    }
    paragraphs.retain(|paragraph: &Vec<Line<'_>>| !paragraph.is_empty());
    paragraphs
}

/// A character as it appears in messages.
pub fn shown(c: char) -> String {
    if c.is_control() { format!("character U+{:04X}", c as u32) } else { format!("'{c}'") }
}

/// The order given by `--move-order`: a permutation of the names, written with commas or, where every name is one
/// letter, without.
///
/// # Errors
/// If it is not a permutation of the names.
pub fn move_order(order: Option<&str>, names: &[&str]) -> Result<Vec<usize>, Faults> {
    let Some(order) = order else { return Ok((0..names.len()).collect()) };
    let letters = names.iter().all(|name| name.len() == 1) && !order.contains(',');
    let words: Vec<String> = if letters {
        order.chars().filter(|c| !c.is_whitespace()).map(String::from).collect()
    } else {
        order.split([',', ' ']).filter(|word| !word.is_empty()).map(String::from).collect()
    };
    let places: Vec<usize> =
        words.iter().filter_map(|word| names.iter().position(|name| name.eq_ignore_ascii_case(word))).collect();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    if words.len() != names.len() || sorted != (0..names.len()).collect::<Vec<_>>() {
        let example = if letters { names.concat() } else { names.join(",") };
        return Err(Faults::option(format!("--move-order: expected each of {example} once, found '{order}'")));
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_ending_is_recognised() {
        for text in ["ab\ncd\n", "ab\r\ncd", "ab\rcd\r", "\u{feff}ab\ncd"] {
            let lines = paragraphs(text);
            assert_eq!(lines.len(), 1, "{text:?}");
            assert_eq!(lines[0], [Line { number: 1, text: "ab" }, Line { number: 2, text: "cd" }], "{text:?}");
        }
    }

    #[test]
    fn blank_lines_separate_paragraphs_and_are_counted() {
        let parts = paragraphs("\n1 2\n \t\n\n3 4\n\n");
        assert_eq!(parts.len(), 2);
        assert_eq!((parts[0][0].number, parts[1][0].number), (2, 5));
        assert_eq!(parts[1][0].words(), [(1, "3"), (3, "4")]);
    }

    #[test]
    fn millions_of_faults_are_counted_and_not_kept() {
        let mut inspector = Inspector::default();
        for column in (1..=3_000_000).rev() {
            inspector.fault(1, column, "expected something else");
        }
        let faults = inspector.pass(()).unwrap_err();
        assert_eq!((faults.count(), faults.iter().count()), (3_000_000, MOST_FAULTS));
    }

    #[test]
    fn a_beginning_is_of_whole_lines() {
        assert_eq!(beginning("short\n"), "short\n");
        let lines = "..*\n".repeat(100_000);
        assert!(beginning(&lines).ends_with("*\n") && beginning(&lines).len() > RECOGNISED_BY - 5);
        assert_eq!(beginning(&"é".repeat(100_000)).len(), RECOGNISED_BY);
        assert!(check_length(&lines).is_ok());
        let message = check_length(&"é".repeat(MOST_TEXT)).unwrap_err().to_string();
        assert_eq!(message, "1:1: expected a board, in at most 1 MiB of text, found 2 MiB");
    }

    #[test]
    fn a_move_order_is_a_permutation() {
        let names = ["N", "E", "S", "W"];
        assert_eq!(move_order(None, &names).unwrap(), [0, 1, 2, 3]);
        assert_eq!(move_order(Some("ESWN"), &names).unwrap(), [1, 2, 3, 0]);
        assert_eq!(move_order(Some("e,s,w,n"), &names).unwrap(), [1, 2, 3, 0]);
        for wrong in ["ESW", "ESWW", "ESWX", "ESWNN", ""] {
            assert!(move_order(Some(wrong), &names).is_err(), "{wrong}");
        }
        assert_eq!(move_order(Some("down,up"), &["up", "down"]).unwrap(), [1, 0]);
    }
}
