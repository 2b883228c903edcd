//! Fault injection and soak tests of limits, interruptions, checkpoints and answers.
//!
//! Each trial counts its runs and its failures; everything random comes from a seed. [`kills`] kills the program at
//! random moments and resumes it, [`faults`] and [`writes`] fill its disk, [`memory`] and [`writes::spaces`] limit its
//! memory, [`files`] has each file operation fail in turn, [`allocations`] ends memory at every stage, [`endings`]
//! stops every command at random moments, and [`soak`] compares all algorithms with each other. Of a distributed
//! search, [`cluster`] kills one process, [`stops`] stops one, and [`wire`] puts a hostile proxy between two.
#![forbid(unsafe_code)]

pub mod allocations;
pub mod cluster;
pub mod endings;
pub mod faults;
pub mod files;
mod instances;
pub mod kills;
pub mod memory;
pub mod program;
pub mod soak;
pub mod stops;
pub mod wire;
pub mod writes;

use std::fmt;

/// The environment variable that names the file operation that fails in the program with faults.
pub const FAILING_OPERATION: &str = "ADMISSIBLE_FAILING_OPERATION";
/// The environment variable that names the bytes beyond which its allocations fail.
pub const MOST_ALLOCATED: &str = "ADMISSIBLE_MOST_ALLOCATED";

/// The file operations and the most allocated bytes, as the program with faults tells them at its end.
fn fault_figures(err: &str) -> Option<(u64, u64)> {
    let line = err.lines().rev().find_map(|line| line.strip_prefix("faulty: "))?;
    let (operations, bytes) = line.strip_suffix(" bytes")?.split_once(" operations, ")?;
    Some((operations.parse().ok()?, bytes.parse().ok()?))
}

/// The counts and failures of a trial.
#[derive(Debug, Default)]
pub struct Tally {
    /// Counters by name.
    pub figures: Vec<(String, u64)>,
    /// Descriptions of the failures.
    pub wrong: Vec<String>,
}

impl Tally {
    /// Adds to a counter.
    pub fn count(&mut self, name: &str, more: u64) {
        match self.figures.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += more,
            None => self.figures.push((name.into(), more)),
        }
    }

    /// The value of a counter; 0 if it was never increased.
    pub fn figure(&self, name: &str) -> u64 {
        self.figures.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count)
    }

    /// Records and prints a failure if a condition does not hold.
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
