//! Watching a search: every state that it visits, with what is known of the search at that moment.
//!
//! Unlike a trace, which makes JSON of every state, a [`Moment`] costs little until somebody asks what the state looks
//! like, so a search of a million states can be summed up as it goes by.

use std::collections::HashMap;
use std::ops::ControlFlow;

use admissible::platform::Timestamp;
use admissible::search::{Limits, Observer, Outcome, Progress, Report, Stats, Stop, Visit};
use admissible_certificate::Number;
use serde_json::Value;

use crate::instance::{AnySearch, Instance, MoveIndex};

/// Row and column of what moves, for puzzles in which one thing moves.
pub type Place = (i64, i64);

/// A state that a search visits.
pub struct Moment<'a> {
    /// Whether its successors were produced; a goal is visited without that.
    pub expanded: bool,
    /// The counts after the visit.
    pub stats: &'a Stats,
    /// How many states were met and not visited so far.
    pub open: u64,
    /// The cost so far.
    pub g: u32,
    /// The estimate of the rest.
    pub h: f64,
    /// Where the state is on the board.
    pub place: Option<Place>,
    /// Where its successors are.
    pub reached: &'a [Place],
    state: &'a dyn Fn() -> Value,
}

impl Moment<'_> {
    /// The state as in the JSON output.
    pub fn state(&self) -> Value {
        (self.state)()
    }
}

/// Watches every step of a search.
pub trait Spectator {
    /// Sees a state being visited; may end the search.
    fn moment(&mut self, moment: &Moment<'_>) -> ControlFlow<Stop>;
}

/// A search on an instance, watched.
pub(crate) struct Watched<'a> {
    instance: &'a dyn Instance,
    /// The states that were met, and whether they were visited.
    met: HashMap<Number, bool>,
    open: u64,
    reached: Vec<Place>,
}

/// Visits between two looks at the clock and the observer.
const TICK: u64 = 256;

impl<'a> Watched<'a> {
    pub(crate) fn new(instance: &'a dyn Instance) -> Self {
        let met = HashMap::from([(instance.start(), false)]);
        Watched { instance, met, open: 1, reached: Vec::new() }
    }

    /// Drives a search to its end, a limit, or until somebody stops it.
    pub(crate) fn drive(
        &mut self,
        search: &mut AnySearch<'_>,
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
                Some(visit) => self.look(visit, expanded, &stats, spectator),
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
        (self.met.capacity() * (size_of::<(Number, bool)>() + 1)) as u64
    }

    fn look(
        &mut self,
        visit: &Visit<Number>,
        expanded: bool,
        stats: &Stats,
        spectator: &mut dyn Spectator,
    ) -> ControlFlow<Stop> {
        let (instance, state) = (self.instance, visit.state);
        if self.met.insert(state, true) == Some(false) {
            self.open -= 1;
        }
        self.reached.clear();
        // What lies before a state is not known here, so the half that comes from the goal is shown without it.
        if expanded && !visit.backward {
            instance.each_successor(state, &mut |next| {
                self.met.entry(next.state).or_insert_with(|| {
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
