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

/// All faults of a file, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// One fault.
    pub fn one(line: usize, column: usize, message: impl Into<String>) -> Self {
        Faults(vec![Fault { line, column, message: message.into() }])
    }

    /// A fault in an option.
    pub fn option(message: impl Into<String>) -> Self {
        Faults::one(0, 0, message)
    }

    /// The faults in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.0.iter()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { "\n" };
            write!(f, "{separator}{}:{}: {}", fault.line, fault.column, fault.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// Collects faults while a file is checked, so that all of them can be reported at once.
#[derive(Debug, Default)]
pub struct Inspector(Vec<Fault>);

impl Inspector {
    /// Adds a fault.
    pub fn fault(&mut self, line: usize, column: usize, message: impl Into<String>) {
        self.0.push(Fault { line, column, message: message.into() });
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
        self.0.sort_by_key(|fault| (fault.line, fault.column));
        Faults(self.0)
    }

    /// Whether there are no faults so far.
    pub fn is_clean(&self) -> bool {
        self.0.is_empty()
    }
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
