//! Is a heuristic what it is said to be? An answer for every state, not an argument.
//!
//! An audit takes every state of a space, or of a part from which no way to a goal leads outside (a [`Ranking`]), works
//! out the true cost to the goal ([`Distances`]), and then looks at each state for `h <= distance` and at each move for
//! `h <= cost + h'`. The heuristic is a black box: it is asked from scratch about every state, and nothing it says
//! about itself is believed. What comes out ([`Findings`]) has the counts and the smallest counterexamples. [`Audit`]
//! does it all for the states that a start can reach.
//!
//! ```
//! use admissible::Listed;
//! use admissible::audit::{Distances, audit};
//! use admissible::example::{Doublings, Steps};
//!
//! let space = Steps { goal: 100 };
//! let states = Listed::of(&space, 1..=100); // from larger numbers there is no way back
//! let distances = Distances::backward(&space, &states, &()).expect("nobody interrupts");
//! let findings = audit(&space, &states, &distances, &Doublings, &()).expect("nobody interrupts");
//! assert!(findings.admissible() && findings.consistent());
//! ```
//!
//! `examples/wrong_heuristic.rs` audits one that is wrong.

mod builder;
mod distances;
mod findings;

use std::fmt;
use std::ops::{ControlFlow, Range};

pub use builder::Audit;
pub use distances::Distances;
pub use findings::{Findings, Inconsistency, Overestimate};

use crate::heuristic::Heuristic;
use crate::memory::{Work, for_this_processor};
use crate::ranking::Ranking;
use crate::space::StateSpace;

/// Watches long work, perhaps from several threads at once, and may stop it. `()` watches nothing.
pub trait Watcher: Sync {
    /// Called now and then with the number of states done since the last call.
    fn watch(&self, _states: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Watcher for () {}

/// The states between two calls of a [`Watcher`].
pub(crate) const WATCH_EVERY: u64 = 1 << 14;

/// The watcher stopped the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Looks at every state of a ranking and at every move of each.
///
/// # Errors
/// If the watcher stops it.
pub fn audit<S: StateSpace, R: Ranking<S>, H: Heuristic<S>>(
    space: &S,
    ranking: &R,
    distances: &Distances,
    heuristic: &H,
    watcher: &dyn Watcher,
) -> Result<Findings<S::Packed>, Interrupted> {
    audit_some(space, ranking, 0..ranking.size(), distances, heuristic, watcher)
}

/// Looks at the states of a ranking with these numbers, so that several threads can share the work: their findings are
/// put together with [`Findings::merge`].
///
/// # Errors
/// If the watcher stops it.
pub fn audit_some<S: StateSpace, R: Ranking<S>, H: Heuristic<S>>(
    space: &S,
    ranking: &R,
    numbers: Range<usize>,
    distances: &Distances,
    heuristic: &H,
    watcher: &dyn Watcher,
) -> Result<Findings<S::Packed>, Interrupted> {
    for_this_processor(LookAtSome { space, ranking, numbers, distances, heuristic, watcher })
}

/// What [`audit_some`] does. Moves shift by a variable amount, which newer processors do faster.
struct LookAtSome<'a, S, R, H> {
    space: &'a S,
    ranking: &'a R,
    numbers: Range<usize>,
    distances: &'a Distances,
    heuristic: &'a H,
    watcher: &'a dyn Watcher,
}

impl<S: StateSpace, R: Ranking<S>, H: Heuristic<S>> Work for LookAtSome<'_, S, R, H> {
    type Out = Result<Findings<S::Packed>, Interrupted>;

    #[inline(always)]
    fn run(self) -> Self::Out {
        let LookAtSome { space, ranking, numbers, distances, heuristic, watcher } = self;
        let mut findings = Findings::new(heuristic.scale());
        let mut unseen = 0;
        for number in numbers {
            findings.look(space, heuristic, &ranking.unrank(space, number), distances.get(number));
            unseen += 1;
            if unseen == WATCH_EVERY {
                unseen = 0;
                if watcher.watch(WATCH_EVERY) == ControlFlow::Break(()) {
                    return Err(Interrupted);
                }
            }
        }
        let _ = watcher.watch(unseen);
        Ok(findings)
    }
}
