//! The puzzles. A folder each: the state and its moves, reading and drawing, heuristics, and a referee that replays
//! solutions by rules of its own.
//!
//! Two traits tie a puzzle to the rest. A [`Puzzle`] is one instance, a [`StateSpace`] that can also name, draw and
//! print its states and find its heuristics by name. A [`Family`] is what the registry holds: it recognises a file,
//! reads it and hands the [`Puzzle`] of the right size to a visitor, so that the type is known wherever it matters.
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]

pub mod chexers;
pub mod die;
mod expanse;
pub mod grid;
pub mod klotski;
#[cfg(test)]
mod numbers;
mod puzzle;
mod shelf;
mod survey;
pub mod text;
pub mod tiles;
#[cfg(test)]
mod trial;

pub use expanse::{Expanse, Region, WithChart, WithExpanse};
pub use puzzle::{
    Advice, BadState, Card, Claim, CourseRun, Family, Feature, FeatureCard, GenerateError, HeuristicCard, Illegal,
    Puzzle, ReadOptions, Recipe, Referee, TableBytes, Then, Truth, WithBackward, WithHeuristic, WithPuzzle,
};
pub use shelf::Shelf;
pub use survey::{ScopeCard, ScopeError, Territory, WithSurvey};

#[cfg(doc)]
use admissible::StateSpace;
