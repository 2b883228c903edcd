//! Audits: is a heuristic admissible, is it consistent? An answer by computation for every state.
//!
//! [`Audit`] checks a heuristic on all states that can be reached from a start. The parts of an audit are public as
//! well: a [`Ranking`] of the states, their true costs to the goal ([`Distances`]), and the check itself ([`audit`]),
//! which tests `h <= distance` for each state and `h <= cost + h'` for each move. The heuristic is a black box: it
//! evaluates every state from scratch, and its declared properties are ignored. The [`Findings`] have the counts and
//! the counterexamples nearest to the goal.
//!
//! ```
//! use admissible::Listed;
//! use admissible::audit::{Distances, audit};
//! use admissible::example::{Doublings, Steps};
//!
//! let space = Steps { goal: 100 };
//! let states = Listed::of(&space, 1..=100); // larger numbers are dead ends
//! let distances = Distances::backward(&space, &states, &()).expect("the watcher never stops it");
//! let findings = audit(&space, &states, &distances, &Doublings, &()).expect("the watcher never stops it");
//! assert!(findings.admissible() && findings.consistent());
//! ```
//!
//! `examples/wrong_heuristic.rs` audits an inadmissible heuristic.

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

/// Watches long work, perhaps from several threads at once, and may stop it. `()` never does.
pub trait Watcher: Sync {
    /// Called every few thousand states, with the number of states done since the last call.
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

/// Checks every state of a ranking and every move of each.
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

/// Checks the states of a ranking with these ranks, so that several threads can share the work: [`Findings::merge`]
/// joins their findings.
///
/// # Errors
/// If the watcher stops it.
pub fn audit_some<S: StateSpace, R: Ranking<S>, H: Heuristic<S>>(
    space: &S,
    ranking: &R,
    ranks: Range<usize>,
    distances: &Distances,
    heuristic: &H,
    watcher: &dyn Watcher,
) -> Result<Findings<S::Packed>, Interrupted> {
    for_this_processor(AuditSome { space, ranking, ranks, distances, heuristic, watcher })
}

/// The work of [`audit_some`]: the variable shifts of moves are faster on newer processors.
struct AuditSome<'a, S, R, H> {
    space: &'a S,
    ranking: &'a R,
    ranks: Range<usize>,
    distances: &'a Distances,
    heuristic: &'a H,
    watcher: &'a dyn Watcher,
}

impl<S: StateSpace, R: Ranking<S>, H: Heuristic<S>> Work for AuditSome<'_, S, R, H> {
    type Out = Result<Findings<S::Packed>, Interrupted>;

    #[inline(always)]
    fn run(self) -> Self::Out {
        let AuditSome { space, ranking, ranks, distances, heuristic, watcher } = self;
        let mut findings = Findings::new(heuristic.scale());
        let mut unseen = 0;
        for rank in ranks {
            findings.look(space, heuristic, &ranking.unrank(space, rank), distances.get(rank));
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
