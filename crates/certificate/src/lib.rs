//! Certificates: a set of states that proves that no solution costs less than a claimed cost, in a file, and a checker
//! that goes through it without searching for anything.
//!
//! # What is claimed, and why it suffices
//!
//! A certificate has a cost `C` (infinite, if the claim is that there is no solution) and a set `K` of states, each
//! with a number `g`. [`Certificate::check`] looks at three things, with `h` the heuristic that the certificate names:
//!
//! 1. the start is in `K` with `g = 0`, unless `h(start) >= C`;
//! 2. no state of `K` is a goal;
//! 3. for every state `s` of `K` and every move from it to a state `t`, of cost `c`: if `g(s) + c + h(t) < C`, then `t` is
//!    in `K`, and `g(t) <= g(s) + c`.
//!
//! *If these hold and `h` is admissible, every solution costs at least `C`.* Suppose there were a solution of cost
//! `D < C` through the states `p0, p1, ..., pn`, and let `d(i)` be what it costs up to `pi`. Then every `pi` is in `K`
//! with `g(pi) <= d(i)`. For `p0` that is the first condition: `h(p0) <= D < C`. And if it is so for `pi`, then since
//! `h` never says more than what the rest of this very solution costs,
//!
//! ```text
//! g(pi) + c + h(pi+1)  <=  d(i) + c + (D - d(i+1))  =  D  <  C,
//! ```
//!
//! so by the third condition `pi+1` is in `K`, with `g(pi+1) <= g(pi) + c <= d(i+1)`. So `pn`, a goal, is in `K`, which
//! the second condition excludes.
//!
//! Nothing else is asked of `g`: it need not be the cost of any path, and `h` need not be consistent. What a search
//! closed with `g + h < C` is such a set, but wherever `K` comes from, the proof is the same. With `C` infinite, `K` is
//! all that the start can reach, but for what the heuristic knows to be a dead end.
//!
//! # The file
//!
//! A header ([`admissible_files`]) with the [`Claim`] as JSON; then the states as numbers in increasing order, each as
//! the difference to the one before and its `g`, in blocks with a checksum each; then how many there were, and a
//! checksum of the whole file. The checker reads it twice from front to back, makes sure that it read the same bytes
//! both times, and sorts what the third condition asks for on disk, so a certificate may be larger than memory.

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

/// What a move or a path costs.
pub type Cost = u32;

/// A puzzle as the checker sees it: moves and estimates, and nothing that knows about searching.
pub trait Rules {
    /// The start.
    fn start(&self) -> Number;

    /// What the heuristic says of a state that there is, in whole costs; `None` for a dead end.
    fn estimate(&self, state: Number) -> Option<Cost>;

    /// Looks at a state, and calls `successor` for every move with the state that it leads to, what it costs, and what
    /// the heuristic says of that state.
    fn look(&self, state: Number, successor: &mut dyn FnMut(Number, Cost, Option<Cost>)) -> Look;

    /// Whether it is known without looking at any other state that the start leads to no goal, as by parity.
    fn is_hopeless(&self) -> bool {
        false
    }
}

/// What a number turns out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// A goal.
    Goal,
    /// Another state.
    State,
    /// No state.
    Nothing,
}

#[cfg(test)]
mod tests;
