//! Certificates of optimality: a file with a set of states that proves that no solution costs less than a claimed cost,
//! and a checker that reads it without searching.
//!
//! # The claim and its proof
//!
//! A certificate has a cost `C` (infinite, if it claims that there is no solution) and a set `K` of states, each with a
//! number `g`. With `h` the heuristic that the certificate names, [`Certificate::check`] checks three conditions:
//!
//! 1. the start is in `K` with `g = 0`, unless `h(start) >= C`;
//! 2. no state of `K` is a goal;
//! 3. for every state `s` of `K` and every move from it to a state `t`, of cost `c`: if `g(s) + c + h(t) < C`, then `t`
//!    is in `K`, and `g(t) <= g(s) + c`.
//!
//! *If these hold and `h` is admissible, every solution costs at least `C`.* Suppose there were a solution of cost
//! `D < C` through the states `p0, p1, ..., pn`, and let `d(i)` be its cost up to `pi`. Then, by induction, every `pi`
//! is in `K` with `g(pi) <= d(i)`. For `p0` this is the first condition, since `h(p0) <= D < C`. If it holds for `pi`,
//! then, since `h` never exceeds the cost of the rest of this solution,
//!
//! ```text
//! g(pi) + c + h(pi+1)  <=  d(i) + c + (D - d(i+1))  =  D  <  C,
//! ```
//!
//! so by the third condition `pi+1` is in `K`, with `g(pi+1) <= g(pi) + c <= d(i+1)`. So the goal `pn` is in `K`, which
//! contradicts the second condition.
//!
//! The proof needs nothing else of `g` and `h`: `g` need not be the cost of a path, and `h` need not be consistent. The
//! states that A* closed with `g + h < C` are such a set, but the proof does not depend on the origin of `K`. With `C`
//! infinite, `K` has every state that the start can reach, except behind dead ends that the heuristic recognises.
//!
//! # The file
//!
//! A header ([`admissible_files`]) with the [`Claim`] as JSON; then the states as numbers in increasing order, each as
//! the difference to the previous state and its `g`, in blocks with a checksum each; then the number of states and a
//! checksum of the whole file. The checker reads the file twice in order, makes sure that both passes read the same
//! bytes, and sorts the required states on disk, so a certificate may be larger than memory.

#![forbid(unsafe_code)]

mod check;
mod claim;
mod entries;
mod number;
mod sort;
mod write;

pub use check::{Certificate, Checked, Refusal, Resources};
pub use claim::Claim;
pub use number::Number;
pub use sort::{Sorted, Sorter};
pub use write::{Written, write};

/// The cost of a move or a path.
pub type Cost = u32;

/// A puzzle as the checker sees it: its moves and a heuristic. Shares no code with the searches.
pub trait Rules {
    /// The start.
    fn start(&self) -> Number;

    /// The heuristic's estimate of a valid state, rounded up to whole costs; `None` for a dead end.
    fn estimate(&self, state: Number) -> Option<Cost>;

    /// Expands a state: calls `successor` for every move with the next state, the cost of the move, and the estimate of
    /// the next state. The number comes from the file and need not be valid.
    fn expand(&self, state: Number, successor: &mut dyn FnMut(Number, Cost, Option<Cost>)) -> StateKind;

    /// Whether the start is known to lead to no goal without expanding a state, as by parity.
    fn is_hopeless(&self) -> bool {
        false
    }
}

/// The kind of state that a number encodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateKind {
    /// A goal.
    Goal,
    /// A state that is not a goal.
    NonGoal,
    /// No state of the puzzle.
    Invalid,
}

#[cfg(test)]
mod tests;
