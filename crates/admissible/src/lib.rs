//! Optimal heuristic search over state spaces of your own: A*, IDA*, bidirectional search and more.
//!
//! 1. Describe your puzzle: implement [`StateSpace`], a graph of states given by its moves.
//! 2. Describe an estimate of the cost to the goal: implement [`Heuristic`].
//! 3. Solve it: run an algorithm from [`search`].
//!
//! # A whole program
//!
//! ```
//! use admissible::search::{Astar, Guarantee};
//! use admissible::{Estimate, Heuristic, Properties, StateSpace};
//!
//! /// A row of lamps, one bit each. A move flips three neighbouring lamps; the goal is to turn all lamps off.
//! struct Lamps;
//!
//! impl StateSpace for Lamps {
//!     type State = u32;
//!     type Packed = u32;
//!     type Move = u32;
//!     type Moves = std::ops::Range<u32>;
//!     type Undo = ();
//!
//!     fn pack(&self, lamps: &u32) -> u32 { *lamps }
//!     fn unpack(&self, packed: u32) -> u32 { packed }
//!     fn is_goal(&self, lamps: &u32) -> bool { *lamps == 0 }
//!     fn moves(&self, _lamps: &u32) -> std::ops::Range<u32> { 0..20 }
//!     fn apply(&self, lamps: &mut u32, first: u32) { *lamps ^= 0b111 << first; }
//!     fn undo(&self, lamps: &mut u32, first: u32, (): ()) { *lamps ^= 0b111 << first; }
//! }
//!
//! /// A move turns off at most three lamps.
//! struct Thirds;
//!
//! impl Heuristic<Lamps> for Thirds {
//!     type Eval = u32;
//!
//!     fn evaluate(&self, _space: &Lamps, lamps: &u32) -> u32 { lamps.count_ones().div_ceil(3) }
//!     fn estimate(&self, eval: u32) -> Estimate { Estimate::new(eval) }
//!     fn properties(&self, _space: &Lamps) -> Properties { Properties::CONSISTENT }
//! }
//!
//! let report = Astar::new(&Lamps, &Thirds).solve(0b100_0001);
//! let solution = report.outcome.solution().expect("the lamps can be turned off");
//! assert_eq!((solution.cost, solution.guarantee), (4, Guarantee::Optimal));
//! ```
//!
//! A space that implements no more than this gets a fast A*, and every other algorithm that works without an optional
//! ability (see [`space`]). If your states do not pack into a small value (a `Vec`, a `String`), give A* three closures
//! instead: see [`search::AstarFn`].
//!
//! # Where to look
//!
//! - [`search`]: all algorithms, in a table; limits, observers and reports.
//! - [`space`]: optional abilities of a space, each of which makes some algorithm faster or possible.
//! - [`heuristic`]: estimates, what is known about them, and combinations such as the maximum of two.
//! - [`laws`]: checks of the contracts of all traits, for the tests of your puzzle.
//! - [`audit`]: checks a heuristic on every state of a space: is it admissible, is it consistent?
//! - [`explore`]: counts the states of a whole space by distance, and finds the farthest.
//!
//! The crate does no input or output, and nothing in it depends on a particular puzzle.
//!
//! # One expansion at a time
//!
//! A search can be stepped instead of run:
//!
//! ```
//! use admissible::example::{Doublings, Steps};
//! use admissible::search::{Astar, Progress, Search};
//!
//! // From 3 to 100 by adding one or doubling.
//! let space = Steps { goal: 100 };
//! let mut search = Astar::new(&space, &Doublings).search(3);
//! let mut order = Vec::new();
//! while search.advance(1) != Progress::Ended {
//!     order.extend(search.last_visit().map(|visit| visit.state));
//! }
//! assert_eq!(order[..2], [3, 6]);
//! ```
#![deny(clippy::disallowed_methods)]

pub mod audit;
mod backward;
mod batch;
mod bulk;
mod erased;
pub mod example;
pub mod explore;
pub mod heuristic;
mod indexed;
mod invertible;
mod keyed;
pub mod laws;
pub mod memory;
pub mod permutation;
pub mod platform;
pub mod pruning;
mod ranking;
pub mod search;
pub mod space;

pub use backward::{Backward, listed_goals};
pub use batch::Batch;
pub use bulk::BulkSuccessors;
pub use erased::Erased;
pub use heuristic::{Estimate, Heuristic, Properties};
pub use indexed::Indexed;
pub use invertible::Invertible;
pub use keyed::{Keyed, has_keys};
pub use pruning::Prunable;
pub use ranking::{Listed, Ranking};
pub use space::{AbilityVisitor, Cost, StateSpace};

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
struct Contributing;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryChapter;
