//! Optimal heuristic search over state spaces of your own.
//!
//! Describe a puzzle as a [`StateSpace`], an estimate as a [`Heuristic`], and
//! run any of the algorithms in [`search`] on it. The crate does no input or output, and nothing in it knows a puzzle.
//!
//! ```
//! use admissible::example::{Doublings, Steps};
//! use admissible::search::{Guarantee, Limits, TieBreak, astar, run};
//!
//! // From 3 to 100 by adding one or doubling: 3 6 12 24 25 50 100.
//! let space = Steps { goal: 100 };
//! let mut search = astar(&space, 3, &Doublings, TieBreak::LowH, &Limits::default());
//! let report = run(&mut search, &Limits::default(), &mut ());
//!
//! let solution = report.outcome.solution().expect("there is a way from 3 to 100");
//! assert_eq!(solution.cost, 6);
//! assert_eq!(solution.guarantee, Guarantee::Optimal);
//! ```
//!
//! Every search can be stepped instead of run, one expansion at a time:
//!
//! ```
//! # use admissible::example::{Doublings, Steps};
//! use admissible::search::{Limits, Progress, Search, TieBreak, astar};
//!
//! let space = Steps { goal: 100 };
//! let mut search = astar(&space, 3, &Doublings, TieBreak::LowH, &Limits::default());
//! let mut order = Vec::new();
//! while search.advance(1) != Progress::Ended {
//!     order.extend(search.last_visit().map(|visit| visit.state));
//! }
//! assert_eq!(order[..2], [3, 6]);
//! ```
pub mod audit;
mod backward;
mod batch;
mod bulk;
pub mod example;
pub mod explore;
pub mod heuristic;
mod invertible;
mod keyed;
pub mod laws;
pub mod memory;
pub mod pruning;
mod rank;
pub mod search;
pub mod space;

pub use backward::Backward;
pub use batch::Batch;
pub use bulk::BulkSuccessors;
pub use heuristic::{Estimate, Heuristic, Properties};
pub use invertible::Invertible;
pub use keyed::{Keyed, has_keys};
pub use pruning::Prunable;
pub use rank::Ranked;
pub use space::{AbilityVisitor, Cost, StateSpace};

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
struct Contributing;
