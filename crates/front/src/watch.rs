//! Watching a search: every state that it visits, with the statistics at that moment.
//!
//! A trace makes JSON of every state. A [`Moment`] makes it only on request, so a spectator can summarise a search of a
//! million states as it runs.

use std::collections::HashMap;
use std::ops::ControlFlow;

use admissible::search::{Limits, Observer, Report, Stats, Stop, Visit, run_traced};
use admissible_certificate::Number;
use serde_json::Value;

use crate::instance::{ErasedSearch, Instance, MoveIndex};

/// The row and column of a state, for puzzles in which one thing moves.
pub type Place = (i64, i64);

/// The visit of a state.
pub struct Moment<'a> {
    /// Whether the state was expanded; a goal is visited without being expanded.
    pub expanded: bool,
    /// The statistics after the visit.
    pub stats: &'a Stats,
    /// The number of states generated and not yet visited.
    pub open: u64,
    /// The cost so far.
    pub g: u32,
    /// The heuristic's estimate.
    pub h: f64,
    /// The position of the state on the board.
    pub place: Option<Place>,
    /// The positions of its successors.
    pub reached: &'a [Place],
    state: &'a dyn Fn() -> Value,
}

impl Moment<'_> {
    /// The state, as in the JSON output.
    pub fn state(&self) -> Value {
        (self.state)()
    }
}

/// Watches every visit of a search.
pub trait Spectator {
    /// Called at every visit; may end the search.
    fn moment(&mut self, moment: &Moment<'_>) -> ControlFlow<Stop>;
}

/// Drives a search on an instance for a spectator.
pub(crate) struct WatchedSearch<'a> {
    instance: &'a dyn Instance,
    /// The generated states, and whether they were visited.
    generated: HashMap<Number, bool>,
    open: u64,
    reached: Vec<Place>,
    /// The number of states expanded at the last visit.
    expanded: u64,
}

impl<'a> WatchedSearch<'a> {
    pub(crate) fn new(instance: &'a dyn Instance) -> Self {
        let generated = HashMap::from([(instance.start(), false)]);
        WatchedSearch { instance, generated, open: 1, reached: Vec::new(), expanded: 0 }
    }

    /// Drives a search to its end or a limit, or until the observer or the spectator stops it.
    pub(crate) fn drive(
        &mut self,
        search: &mut ErasedSearch<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
        spectator: &mut dyn Spectator,
    ) -> Report<MoveIndex> {
        run_traced(search, limits, observer, &mut |visit, stats| {
            let verdict = self.show(&visit, stats, spectator);
            let is_full = limits.bytes.is_some_and(|most| stats.bytes + self.bytes() > most);
            if is_full { ControlFlow::Break(Some(Stop::Memory)) } else { verdict.map_break(Some) }
        })
    }

    fn bytes(&self) -> u64 {
        (self.generated.capacity() * (size_of::<(Number, bool)>() + 1)) as u64
    }

    /// Shows a visit to the spectator, and counts the open states.
    fn show(&mut self, visit: &Visit<Number>, stats: &Stats, spectator: &mut dyn Spectator) -> ControlFlow<Stop> {
        let (instance, state) = (self.instance, visit.state);
        // A goal that is taken off the open list is visited without being expanded.
        let expanded = std::mem::replace(&mut self.expanded, stats.expanded) < stats.expanded;
        if self.generated.insert(state, true) == Some(false) {
            self.open -= 1;
        }
        self.reached.clear();
        // The backward half of a bidirectional search generates predecessors, which an instance cannot list.
        if expanded && !visit.backward {
            instance.each_successor(state, &mut |next| {
                self.generated.entry(next.state).or_insert_with(|| {
                    self.open += 1;
                    false
                });
                self.reached.extend(next.place);
            });
        }
        spectator.moment(&Moment {
            expanded,
            stats,
            open: self.open,
            g: visit.g,
            h: f64::from(visit.h) / f64::from(visit.scale),
            place: instance.place(state),
            reached: &self.reached,
            state: &|| instance.state_json(state),
        })
    }
}
