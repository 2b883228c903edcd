//! The parameters of a puzzle. Its card declares them; options, defaults, checks and JSON follow from the declaration.
//!
//! A [`Parameter`] has a name, a kind with its range, and defaults. [`Parameters`] maps names to values;
//! [`Parameters::complete`] checks them against a card and adds the defaults, so that a puzzle only reads them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Range, RangeInclusive};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

use crate::puzzle::Card;

/// A parameter of a puzzle's boards, as its card declares it.
#[derive(Debug)]
pub struct Parameter {
    /// The name, one word: `--name` on the command line, a key in JSON.
    pub name: &'static str,
    /// A noun phrase that can begin a sentence: "the number of pieces".
    pub summary: &'static str,
    /// The type and range of its values.
    pub kind: ParameterKind,
    /// The default for a random instance.
    pub default: Option<Setting>,
    /// The default for the exploration of a whole space; without one, `explore` does not have the option.
    pub explored: Option<Setting>,
}

/// The type and range of a parameter's values.
#[derive(Debug)]
pub enum ParameterKind {
    /// A number of things.
    Count {
        /// The range of the number.
        range: RangeInclusive<usize>,
        /// One of them, in words: "a piece".
        unit: &'static str,
    },
    /// The length of a random walk from the goal, up to this many moves. `generate --difficulty` may choose it.
    Walk(usize),
    /// A fraction.
    Share(Range<f64>),
    /// Rows and columns.
    Size {
        /// The smallest board; its two sides may be swapped.
        least: (usize, usize),
        /// The most cells.
        cells: usize,
        /// The message for smaller boards.
        too_small: &'static str,
        /// The message for larger boards.
        too_large: &'static str,
    },
    /// A word from a list.
    Word(&'static [&'static str]),
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, [rows, columns] or a word")]
pub enum Setting {
    /// A number of things, or of moves.
    Count(usize),
    /// A fraction.
    Share(f64),
    /// Rows and columns.
    Size(usize, usize),
    /// A word.
    Word(Cow<'static, str>),
}

/// The value as the user types it.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Count(count) => count.fmt(f),
            Setting::Share(share) => share.fmt(f),
            Setting::Size(rows, columns) => write!(f, "{rows}x{columns}"),
            Setting::Word(word) => f.write_str(word),
        }
    }
}

/// The use of parameters or of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A random instance.
    Generate,
    /// An audit where no file is given.
    Audit,
    /// An exploration where no file is given.
    Explore,
}

impl Purpose {
    /// Whether it has an option for a parameter.
    pub fn takes(self, parameter: &Parameter) -> bool {
        self == Purpose::Generate || parameter.explored.is_some()
    }

    /// The default of a parameter.
    pub fn default(self, parameter: &Parameter) -> Option<&Setting> {
        match self {
            Purpose::Generate => parameter.default.as_ref(),
            Purpose::Audit | Purpose::Explore => parameter.explored.as_ref(),
        }
    }
}

/// An error in parameters, with a message that says what was expected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ParameterError(pub String);

impl ParameterKind {
    /// Parses a value that the user typed, without checking its range.
    ///
    /// # Errors
    /// A message that says what was expected.
    pub fn parse(&self, text: &str) -> Result<Setting, &'static str> {
        let text = text.trim();
        let read = match self {
            ParameterKind::Count { .. } | ParameterKind::Walk(_) => text.parse().ok().map(Setting::Count),
            ParameterKind::Share(_) => text.parse().ok().map(Setting::Share),
            ParameterKind::Size { .. } => text.split_once(['x', 'X', '×']).and_then(|(rows, columns)| {
                let (rows, columns): (u16, u16) = (rows.trim().parse().ok()?, columns.trim().parse().ok()?);
                Some(Setting::Size(rows.into(), columns.into()))
            }),
            ParameterKind::Word(_) => Some(Setting::Word(text.to_string().into())),
        };
        read.ok_or(self.expected())
    }

    /// The range in words; `None` where it is practically unlimited.
    pub fn range(&self) -> Option<String> {
        match self {
            ParameterKind::Count { range, .. } => Some(format!("{} to {}", range.start(), range.end())),
            ParameterKind::Walk(_) => None,
            ParameterKind::Share(range) => Some(format!("{} to {}", range.start, range.end)),
            ParameterKind::Size { least: (rows, columns), cells, .. } => {
                Some(format!("{rows}x{columns} up to {cells} cells"))
            }
            ParameterKind::Word(words) => Some(listed(words)),
        }
    }

    /// The message for a value of another kind.
    fn expected(&self) -> &'static str {
        match self {
            ParameterKind::Count { .. } | ParameterKind::Walk(_) => "expected a whole number",
            ParameterKind::Share(_) => "expected a number",
            ParameterKind::Size { .. } => "expected rows x columns, such as 20x30",
            ParameterKind::Word(_) => "expected a word",
        }
    }
}

impl Parameter {
    /// A number of things, with its defaults for a random instance and for a whole space.
    pub const fn count(
        name: &'static str,
        summary: &'static str,
        range: RangeInclusive<usize>,
        unit: &'static str,
        [default, explored]: [usize; 2],
    ) -> Self {
        let (default, explored) = (Some(Setting::Count(default)), Some(Setting::Count(explored)));
        Parameter { name, summary, kind: ParameterKind::Count { range, unit }, default, explored }
    }

    /// The value, if it is of the right kind and in range.
    fn check(&self, setting: &Setting) -> Result<Setting, ParameterError> {
        let refuse = |why: String| Err(ParameterError(why));
        match (&self.kind, setting) {
            (ParameterKind::Count { range, .. }, Setting::Count(count)) if !range.contains(count) => {
                refuse(format!("{} lies between {} and {}", self.summary, range.start(), range.end()))
            }
            (ParameterKind::Walk(most), Setting::Count(count)) if count > most => {
                refuse(format!("--{}: expected at most {most} moves", self.name))
            }
            // JSON writes 0 for 0.0.
            (ParameterKind::Share(_), &Setting::Count(count)) => self.check(&Setting::Share(count as f64)),
            (ParameterKind::Share(range), Setting::Share(share)) if !range.contains(share) => {
                refuse(format!("{} lies between {} and {}", self.summary, range.start, range.end))
            }
            (ParameterKind::Size { least, cells, too_small, too_large }, &Setting::Size(rows, columns)) => {
                let product = rows.saturating_mul(columns);
                if rows.min(columns) < least.0.min(least.1) || product < least.0 * least.1 {
                    refuse(too_small.to_string())
                } else if product > *cells {
                    refuse(too_large.to_string())
                } else {
                    Ok(setting.clone())
                }
            }
            (ParameterKind::Word(words), Setting::Word(word)) if !words.contains(&&**word) => {
                refuse(format!("{} is {}, not '{word}'", self.summary, listed(words)))
            }
            (ParameterKind::Count { .. } | ParameterKind::Walk(_), Setting::Count(_))
            | (ParameterKind::Share(_), Setting::Share(_))
            | (ParameterKind::Word(_), Setting::Word(_)) => Ok(setting.clone()),
            (kind, _) => refuse(format!("--{}: {}, found {setting}", self.name, kind.expected())),
        }
    }

    /// Its summary and its range, in words.
    pub fn description(&self) -> String {
        match (&self.kind, self.kind.range()) {
            (_, None) => self.summary.into(),
            (ParameterKind::Word(_), Some(words)) => format!("{}: {words}", self.summary),
            (_, Some(range)) => format!("{}, {range}", self.summary),
        }
    }

    /// The declaration as JSON.
    pub fn json(&self) -> Value {
        let mut json = json!({ "name": self.name, "summary": self.summary });
        let kind = match &self.kind {
            ParameterKind::Count { range, .. } => {
                json!({ "kind": "count", "least": range.start(), "most": range.end() })
            }
            ParameterKind::Walk(most) => json!({ "kind": "walk", "least": 0, "most": most }),
            ParameterKind::Share(range) => json!({ "kind": "share", "least": range.start, "below": range.end }),
            ParameterKind::Size { least, cells, .. } => json!({ "kind": "size", "least": least, "cells": cells }),
            ParameterKind::Word(words) => json!({ "kind": "word", "words": words }),
        };
        for (name, value) in kind.as_object().into_iter().flatten() {
            json[name] = value.clone();
        }
        json["default"] = json!(self.default);
        json["explored"] = json!(self.explored);
        json
    }
}

/// Values of parameters by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parameters(BTreeMap<String, Setting>);

impl<const N: usize> From<[(&str, Setting); N]> for Parameters {
    fn from(settings: [(&str, Setting); N]) -> Self {
        settings.into_iter().map(|(name, setting)| (name.to_string(), setting)).collect()
    }
}

impl FromIterator<(String, Setting)> for Parameters {
    fn from_iter<I: IntoIterator<Item = (String, Setting)>>(settings: I) -> Self {
        Parameters(settings.into_iter().collect())
    }
}

impl Parameters {
    /// Parses the names and values that the user typed for a puzzle.
    ///
    /// # Errors
    /// If a name is not on the card, or a value is of another kind.
    pub fn read(card: &Card, purpose: Purpose, typed: &[(String, String)]) -> Result<Self, ParameterError> {
        let read = |(name, text): &(String, String)| {
            let setting = card.parameter(purpose, name)?.kind.parse(text);
            let setting = setting.map_err(|why| ParameterError(format!("--{name}: {why}, found '{text}'")))?;
            Ok((name.clone(), setting))
        };
        typed.iter().map(read).collect()
    }

    /// Sets the value of a parameter.
    pub fn set(&mut self, name: &str, setting: Setting) {
        self.0.insert(name.into(), setting);
    }

    /// The names of the parameters that have a value.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Checks the values and adds the defaults of a card.
    /// [`Family::generate`](crate::puzzle::Family::generate) and [`Family::scope`](crate::puzzle::Family::scope) get
    /// such complete parameters.
    ///
    /// # Errors
    /// If a name is not on the card, or a value is of another kind or out of range.
    pub fn complete(&self, card: &Card, purpose: Purpose) -> Result<Self, ParameterError> {
        let defaults = card.parameters.iter().filter_map(|parameter| {
            let setting = purpose.default(parameter)?.clone();
            Some((parameter.name.to_string(), setting))
        });
        let mut complete: Parameters = defaults.collect();
        for (name, setting) in &self.0 {
            complete.set(name, card.parameter(purpose, name)?.check(setting)?);
        }
        Ok(complete)
    }

    /// The value of a parameter, if it has one.
    pub fn get(&self, name: &str) -> Option<&Setting> {
        self.0.get(name)
    }

    /// The value of a count or a walk that has a default.
    ///
    /// # Panics
    /// If the card declares no such parameter. [`share`](Self::share), [`size`](Self::size) and [`word`](Self::word)
    /// panic likewise.
    pub fn count(&self, name: &str) -> usize {
        match self.get(name) {
            Some(&Setting::Count(count)) => count,
            other => panic!("the card declares no count '{name}' with a default, it is {other:?}"),
        }
    }

    /// The value of a fraction that has a default.
    pub fn share(&self, name: &str) -> f64 {
        match self.get(name) {
            Some(&Setting::Share(share)) => share,
            other => panic!("the card declares no share '{name}' with a default, it is {other:?}"),
        }
    }

    /// The rows and columns of a size that has a default.
    pub fn size(&self, name: &str) -> (usize, usize) {
        match self.get(name) {
            Some(&Setting::Size(rows, columns)) => (rows, columns),
            other => panic!("the card declares no size '{name}' with a default, it is {other:?}"),
        }
    }

    /// The word of a parameter that has a default.
    pub fn word(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Setting::Word(word)) => word,
            other => panic!("the card declares no word '{name}' with a default, it is {other:?}"),
        }
    }
}

impl Card {
    /// The parameter of that name.
    ///
    /// # Errors
    /// If there is none; the message lists the parameters that the purpose takes.
    pub fn parameter(&self, purpose: Purpose, name: &str) -> Result<&'static Parameter, ParameterError> {
        let found = self.parameters.iter().find(|parameter| parameter.name == name);
        found.ok_or_else(|| {
            let known = self.parameters.iter().filter(|parameter| purpose.takes(parameter));
            let known: Vec<String> = known.map(|parameter| format!("--{}", parameter.name)).collect();
            let others = if known.is_empty() { String::new() } else { format!(", only for {}", known.join(", ")) };
            ParameterError(format!("--{name}: {} has no use for it{others}", self.name))
        })
    }
}

/// Joins words as in "red, green or blue".
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => one.to_string(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}
