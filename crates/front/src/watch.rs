//! Watching a search: every state that it visits, with the statistics at that moment.
//!
//! A trace makes JSON of every state. A [`Moment`] makes it only on request, so a spectator can summarise a search of a
//! million states as it runs.

use std::collections::HashMap;
use std::ops::ControlFlow;

use admissible::platform::Timestamp;
use admissible::search::{Limits, Observer, Outcome, Progress, Report, Stats, Stop, Visit};
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
}

/// Expansions between two checks of the clock and calls of the observer.
const TICK: u64 = 256;

impl<'a> WatchedSearch<'a> {
    pub(crate) fn new(instance: &'a dyn Instance) -> Self {
        let generated = HashMap::from([(instance.start(), false)]);
        WatchedSearch { instance, generated, open: 1, reached: Vec::new() }
    }

    /// Drives a search to its end or a limit, or until the observer or the spectator stops it.
    pub(crate) fn drive(
        &mut self,
        search: &mut ErasedSearch<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
        spectator: &mut dyn Spectator,
    ) -> Report<MoveIndex> {
        let deadline = limits.time.and_then(|time| Timestamp::now().after(time));
        let mut last = None;
        loop {
            if let Some(outcome) = search.outcome() {
                let outcome = outcome.clone();
                return Report { outcome, stats: search.stats() };
            }
            let before = search.stats().expanded;
            if limits.expanded.is_some_and(|most| before >= most) {
                search.stop(Stop::Nodes);
                continue;
            }
            let progress = search.advance(1);
            let stats = search.stats();
            let expanded = stats.expanded > before;
            // A goal that is taken off the open list is visited without being expanded.
            let at_goal = |visit: &Visit<Number>| {
                search.outcome().and_then(Outcome::cost) == Some(visit.g) && last != Some(*visit)
            };
            let visit = search.last_visit().filter(|visit| expanded || at_goal(visit));
            let mut verdict = match &visit {
                Some(visit) => self.show(visit, expanded, &stats, spectator),
                None => ControlFlow::Continue(()),
            };
            last = visit;
            if let (Progress::Layer(bound), true) = (progress, verdict.is_continue()) {
                verdict = observer.layer(bound, &stats);
            }
            if verdict.is_continue() && stats.expanded.is_multiple_of(TICK) {
                verdict = observer.tick(&stats);
                if deadline.is_some_and(|deadline| Timestamp::now() >= deadline) {
                    verdict = ControlFlow::Break(Stop::Time);
                }
            }
            if limits.bytes.is_some_and(|most| stats.bytes + self.bytes() > most) {
                verdict = ControlFlow::Break(Stop::Memory);
            }
            if let (ControlFlow::Break(why), true) = (verdict, progress != Progress::Ended) {
                search.stop(why);
            }
        }
    }

    fn bytes(&self) -> u64 {
        (self.generated.capacity() * (size_of::<(Number, bool)>() + 1)) as u64
    }

    /// Shows a visit to the spectator, and counts the open states.
    fn show(
        &mut self,
        visit: &Visit<Number>,
        expanded: bool,
        stats: &Stats,
        spectator: &mut dyn Spectator,
    ) -> ControlFlow<Stop> {
        let (instance, state) = (self.instance, visit.state);
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
