//! The errors of a request, with messages for the user.

use thiserror::Error;

use crate::text::Faults;

/// Why a file was not opened.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no puzzle of that name.
    #[error("unknown puzzle '{name}'{}", hint(*nearest, "admissible list"))]
    UnknownPuzzle {
        /// The name.
        name: String,
        /// The nearest known name.
        nearest: Option<&'static str>,
    },
    /// The file is empty.
    #[error("1:1: expected a puzzle, found an empty file")]
    Empty,
    /// No puzzle recognises the file.
    #[error("1:1: expected one of the known formats (see: admissible list), found something else")]
    Unrecognised,
    /// Several puzzles recognise the file.
    #[error("it could be {}: say which with --puzzle", .0.join(" or "))]
    Ambiguous(Vec<&'static str>),
    /// The file has faults.
    #[error("{faults}")]
    Faults {
        /// The puzzle that tried to read it.
        puzzle: &'static str,
        /// The faults.
        faults: Faults,
    },
}

/// An error in the expression of a heuristic, with its position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{line}:{column}: {message}")]
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

/// Why a plan cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// There is no algorithm of that name.
    #[error("unknown algorithm '{name}'{}", hint(*nearest, "admissible list"))]
    UnknownAlgorithm {
        /// The name.
        name: String,
        /// The nearest known name.
        nearest: Option<&'static str>,
    },
    /// The puzzle has no heuristic of that name.
    #[error("unknown heuristic '{name}' for {puzzle}{}", hint(*nearest, &format!("admissible list {puzzle}")))]
    UnknownHeuristic {
        /// The puzzle.
        puzzle: &'static str,
        /// The name.
        name: String,
        /// The nearest known name.
        nearest: Option<&'static str>,
    },
    /// The heuristic is neither a name nor an expression.
    #[error("heuristic:{0}")]
    Expression(ExpressionError),
    /// The puzzle has the heuristic, but it does not support this instance.
    #[error("the heuristic '{name}' does not support this instance: {why}")]
    HeuristicLacks {
        /// The name.
        name: String,
        /// Why.
        why: String,
    },
    /// The instance cannot be searched from its goals; the text says why.
    #[error("bidirectional: this instance cannot be searched backward: {0}")]
    NotBackward(String),
    /// The states of this instance of the named puzzle have no keys, which HDA* needs to distribute them among threads.
    #[error("hdastar: the states of this {0} instance cannot be distributed among threads; use astar")]
    NotShared(&'static str),
    /// The counting rule does not exist, or the plan does not fit it; the text says why.
    #[error("--counting: {0}")]
    Counting(String),
    /// The named algorithm has no checkpoints.
    #[error("--checkpoint: {0} has too much in memory to save; use idastar")]
    NoCheckpoint(String),
    /// A checkpoint cannot be written or resumed; the text says why.
    #[error("checkpoint: {0}")]
    Checkpoint(String),
    /// The referee refuses the solution of a search: a bug in this program, and not an answer.
    #[error("internal error, no answer: {0}")]
    Refused(String),
}

/// The nearest known name, or else where the known names are listed.
fn hint(nearest: Option<&str>, list: &str) -> String {
    nearest.map_or_else(|| format!(" (see: {list})"), |nearest| format!(", did you mean '{nearest}'?"))
}
