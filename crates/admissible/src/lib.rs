//! Optimal heuristic search over state spaces of your own.
//!
//! Describe a puzzle as a [`StateSpace`], an estimate as a [`Heuristic`], and
//! run any of the algorithms in [`search`] on it. The crate does no input or output, and nothing in it knows a puzzle.
//!
//! ```
//! use admissible::search::{Astar, Guarantee};
//! use admissible::{Estimate, Heuristic, Properties, StateSpace};
//!
//! /// A row of lamps, a bit each. A switch changes three in a row; all must go out.
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
//!     fn apply(&self, lamps: &mut u32, switch: u32) { *lamps ^= 0b111 << switch; }
//!     fn undo(&self, lamps: &mut u32, switch: u32, (): ()) { *lamps ^= 0b111 << switch; }
//! }
//!
//! /// A switch puts out three lamps at the most.
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
//! let solution = report.outcome.solution().expect("some switches put them out");
//! assert_eq!((solution.cost, solution.guarantee), (4, Guarantee::Optimal));
//! ```
//!
//! A space that implements no more than this gets a fast A* and every other algorithm. States that do not pack into a
//! small value, such as `Vec` or `String`, are searched by three closures: see [`search::AstarFn`].
//!
//! Every search can be stepped instead of run, one expansion at a time:
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
