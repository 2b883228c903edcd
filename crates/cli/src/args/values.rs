//! Values of options: enumerations, and numbers with units.

use std::num::NonZeroU64;
use std::time::Duration;

use admissible_front::{Difficulty, TieBreak, Weight};
use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// The exact format of the puzzle's course
    Course,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlainFormat {
    /// For people
    Text,
    /// JSON
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Text,
    /// JSON
    Json,
    /// Markdown tables
    Markdown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// For people
    Text,
    /// An object for each run
    Json,
    /// Markdown tables
    Markdown,
    /// A line for each run, or the table of --pivot
    Csv,
    /// LaTeX tables for the booktabs package
    Latex,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PivotArgument {
    /// A column for each puzzle, a row for each heuristic
    Puzzle,
    /// A column for each heuristic, a row for each puzzle
    Heuristic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SweepFormat {
    /// For people
    Text,
    /// JSON
    Json,
    /// A line for each run
    Csv,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tie {
    /// The one generated first
    Fifo,
    /// The one generated last
    Lifo,
    /// The one with the least h
    LowH,
}

impl Tie {
    pub(super) fn value(self) -> TieBreak {
        match self {
            Tie::Fifo => TieBreak::Fifo,
            Tie::Lifo => TieBreak::Lifo,
            Tie::LowH => TieBreak::LowH,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On terminals, unless NO_COLOR is set
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

impl Color {
    pub(crate) fn apply(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Parses a number with an optional unit.
fn parse_with_unit(text: &str, units: &[(&str, f64)], expected: &str) -> Result<f64, String> {
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: Option<f64> = number.replace('_', "").parse().ok();
    let factor = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim())).map(|&(_, factor)| factor);
    number.zip(factor).map(|(number, factor)| number * factor).ok_or_else(|| format!("expected {expected}"))
}

pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("", 1.0), ("s", 1.0), ("ms", 1e-3), ("m", 60.0), ("min", 60.0), ("h", 3600.0)];
    let seconds = parse_with_unit(text, &units, "a time such as 500ms, 30s, 5m or 2h")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected a shorter time".into())
}

pub(crate) fn parse_size(text: &str) -> Result<NonZeroU64, String> {
    let (k, m, g) = (1024.0, 1024.0 * 1024.0, 1024.0 * 1024.0 * 1024.0);
    let units = [
        ("", 1.0),
        ("b", 1.0),
        ("k", k),
        ("kb", k),
        ("kib", k),
        ("m", m),
        ("mb", m),
        ("mib", m),
        ("g", g),
        ("gb", g),
        ("gib", g),
    ];
    let bytes = parse_with_unit(text, &units, "a size such as 500M or 4G")?;
    NonZeroU64::new(bytes as u64).ok_or_else(|| "expected at least one byte".into())
}

pub(super) fn parse_count(text: &str) -> Result<u64, String> {
    let expected = "a number such as 1000000 or 20M";
    let count = parse_with_unit(text, &[("", 1.0), ("k", 1e3), ("m", 1e6), ("g", 1e9)], expected)?;
    let whole = count.round();
    if (count - whole).abs() < 1e-3 { Ok(whole as u64) } else { Err(format!("expected {expected}")) }
}

pub(super) fn parse_weight(text: &str) -> Result<Weight, String> {
    let expected = || "expected a number from 1 to 10 with at most three decimals".to_string();
    let weight: f64 = text.parse().map_err(|_| expected())?;
    let thousandths = weight * 1000.0;
    if !(1000.0..=10_000.0).contains(&thousandths) || (thousandths - thousandths.round()).abs() > 1e-6 {
        return Err(expected());
    }
    Weight::new(thousandths.round() as u32, 1000).ok_or_else(expected)
}

pub(super) fn parse_difficulty(text: &str) -> Result<Difficulty, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let range = number(least).zip(number(most)).filter(|(least, most)| least <= most);
    let range = range.map(|(least, most)| Difficulty::Between(least, most));
    range.ok_or_else(|| "expected a number of moves such as 25, or a range such as 20..30".to_string())
}
