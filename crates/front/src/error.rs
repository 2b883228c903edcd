//! The errors of a request, with messages for the user.

use std::fmt;

use crate::text::Faults;

/// Why a file was not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no puzzle of that name.
    UnknownPuzzle {
        /// The name.
        name: String,
        /// The nearest known name.
        nearest: Option<&'static str>,
    },
    /// The file is empty.
    Empty,
    /// No puzzle recognises the file.
    Unrecognised,
    /// Several puzzles recognise the file.
    Ambiguous(Vec<&'static str>),
    /// The file has faults.
    Faults {
        /// The puzzle that tried to read it.
        puzzle: &'static str,
        /// The faults.
        faults: Faults,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::UnknownPuzzle { name, nearest } => {
                write!(f, "unknown puzzle '{name}'")?;
                suggest(f, *nearest, "admissible list")
            }
            OpenError::Empty => f.write_str("1:1: expected a puzzle, found an empty file"),
            OpenError::Unrecognised => {
                f.write_str("1:1: expected one of the known formats (see: admissible list), found something else")
            }
            OpenError::Ambiguous(names) => {
                write!(f, "it could be {}: say which with --puzzle", names.join(" or "))
            }
            OpenError::Faults { faults, .. } => faults.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {}

/// An error in the expression of a heuristic, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// The expression.
    pub text: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, counted in characters.
    pub column: usize,
    /// The number of characters to mark, at least 1.
    pub length: usize,
    /// What was expected and what was found.
    pub message: String,
    /// A hint for the user.
    pub note: Option<String>,
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ExpressionError {}

/// Why a plan cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// There is no algorithm of that name.
    UnknownAlgorithm {
        /// The name.
        name: String,
        /// The nearest known name.
        nearest: Option<&'static str>,
    },
    /// The puzzle has no heuristic of that name.
    UnknownHeuristic {
        /// The puzzle.
        puzzle: &'static str,
        /// The name.
        name: String,
        /// The nearest known name.
        nearest: Option<&'static str>,
    },
    /// The heuristic is neither a name nor an expression.
    Expression(ExpressionError),
    /// The puzzle has the heuristic, but it does not support this instance.
    HeuristicLacks {
        /// The name.
        name: String,
        /// Why.
        why: String,
    },
    /// The instance cannot be searched from its goals; the text says why.
    NotBackward(String),
    /// The states of this instance of the named puzzle have no keys, which HDA* needs to distribute them among threads.
    NotShared(&'static str),
    /// The counting rule does not exist, or the plan does not fit it; the text says why.
    Counting(String),
    /// The named algorithm has no checkpoints.
    NoCheckpoint(String),
    /// A checkpoint cannot be written or resumed; the text says why.
    Checkpoint(String),
    /// The referee refuses the solution of a search: a bug in this program, and not an answer.
    Refused(String),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::UnknownAlgorithm { name, nearest } => {
                write!(f, "unknown algorithm '{name}'")?;
                suggest(f, *nearest, "admissible list")
            }
            PlanError::UnknownHeuristic { puzzle, name, nearest } => {
                write!(f, "unknown heuristic '{name}' for {puzzle}")?;
                suggest(f, *nearest, &format!("admissible list {puzzle}"))
            }
            PlanError::Expression(error) => write!(f, "heuristic:{error}"),
            PlanError::HeuristicLacks { name, why } => {
                write!(f, "the heuristic '{name}' does not serve this instance: {why}")
            }
            PlanError::NotBackward(why) => write!(f, "bidirectional: there is no search from the goals here: {why}"),
            PlanError::NotShared(puzzle) => {
                write!(
                    f,
                    "hdastar: the states of this {puzzle} instance cannot be distributed among threads; use astar"
                )
            }
            PlanError::Counting(why) => write!(f, "--counting: {why}"),
            PlanError::NoCheckpoint(algorithm) => {
                write!(f, "--checkpoint: {algorithm} has too much in memory to save; use idastar")
            }
            PlanError::Checkpoint(why) => write!(f, "checkpoint: {why}"),
            PlanError::Refused(why) => write!(f, "internal error, no answer: {why}"),
        }
    }
}

impl std::error::Error for PlanError {}

fn suggest(f: &mut fmt::Formatter<'_>, nearest: Option<&str>, list: &str) -> fmt::Result {
    match nearest {
        Some(nearest) => write!(f, ", did you mean '{nearest}'?"),
        None => write!(f, " (see: {list})"),
    }
}
