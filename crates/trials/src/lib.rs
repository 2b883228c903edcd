//! Trials: what is promised of limits, interruptions, checkpoints and answers, tried many times at random.
//!
//! Each trial counts what it did and what was wrong, and everything random comes from a seed. [`kills`] ends the program
//! at random moments and has it go on, [`faults`] takes away its disk, [`memory`] gives it little, [`soak`] sets every
//! algorithm against every other, and [`cluster`] ends one process of several.
#![forbid(unsafe_code)]

pub mod cluster;
pub mod faults;
pub mod kills;
pub mod memory;
pub mod program;
pub mod soak;

use std::fmt;

/// What came of a trial.
#[derive(Debug, Default)]
pub struct Tally {
    /// What was done, by name.
    pub figures: Vec<(String, u64)>,
    /// What was wrong, in words.
    pub wrong: Vec<String>,
}

impl Tally {
    /// Adds to a figure.
    pub fn count(&mut self, name: &str, more: u64) {
        match self.figures.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += more,
            None => self.figures.push((name.into(), more)),
        }
    }

    /// A figure; 0 if nothing was counted.
    pub fn figure(&self, name: &str) -> u64 {
        self.figures.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count)
    }

    /// Notes that something was wrong unless it was right.
    pub fn check(&mut self, right: bool, what: impl FnOnce() -> String) {
        if !right {
            let what = what();
            eprintln!("WRONG: {what}");
            self.wrong.push(what);
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, count) in &self.figures {
            writeln!(f, "{name:<44}{count:>12}")?;
        }
        write!(f, "{:<44}{:>12}", "wrong", self.wrong.len())
    }
}
