//! An anytime search beside the exact one: some solution soon, better ones later.
//!
//! Both take turns on the same thread, so that either can be stopped as easily as one alone. The incumbent, the best
//! solution so far, belongs to the whole solve. When it costs no more than the lower bound of the exact search, it is
//! proved optimal.

use std::time::Duration;

use admissible::Cost;
use admissible::platform::Timestamp;
use admissible::search::{Guarantee, Limits, Outcome, Progress, Search, Signal, Solution, Stats, Stop, Visit};
use admissible_certificate::Number;

use crate::error::PlanError;
use crate::heuristic_spec::HeuristicSpec;
use crate::instance::{ErasedSearch, ErasedSpace, InstanceHeuristic, MoveIndex};
use crate::plan::{Drawing, Plan};
use crate::task::Task;

/// The name of the anytime search. It is not in [`ALGORITHMS`](crate::ALGORITHMS).
pub(crate) const ANYTIME: &str = "beam";

/// A solve this short has no anytime search.
const DELAY: Duration = Duration::from_secs(1);
/// After the delay, the anytime search gets half of the time for this long, and an eighth later.
const EAGER: Duration = Duration::from_secs(4);
/// The length of a turn.
const TURN: Duration = Duration::from_millis(4);
/// The expansions between two looks at the clock.
const STRIDE: u64 = 64;
/// The most bytes of the anytime search, and its share of the memory limit.
const MOST_BYTES: u64 = 512 << 20;
const SHARE_OF_BYTES: u64 = 32;

/// The best solution of a solve so far.
pub(crate) struct Incumbent<'a> {
    task: &'a Task,
    plan: &'a Plan,
    /// When the solve began.
    begin: Timestamp,
    /// The time that the anytime search has had.
    spent: Duration,
    best: Option<Solution<MoveIndex>>,
    /// Why the referee refused a solution, if it did.
    refused: Option<PlanError>,
    /// The heuristic of the last stage, for the time in which the tables of the next one are built.
    pub(crate) interim: Option<HeuristicSpec>,
}

impl<'a> Incumbent<'a> {
    /// The incumbent of a plan that leaves everything to the puzzle; `None` if the plan wants none, or wants a
    /// reproducible search.
    pub(crate) fn of(task: &'a Task, plan: &'a Plan, begin: Timestamp) -> Option<Self> {
        let is_free = plan.algorithm.is_none() && plan.heuristic.is_none() && plan.limits.expanded.is_none();
        let is_plain = plan.checkpoints.is_none() && plan.resumed.is_none() && plan.processes.is_none();
        let is_hopeless = task.instance.solvable() == Some(false);
        (plan.anytime && is_free && is_plain && !is_hopeless).then_some(Incumbent {
            task,
            plan,
            begin,
            spent: Duration::ZERO,
            best: None,
            refused: None,
            interim: None,
        })
    }

    /// The incumbent.
    pub(crate) fn best(&self) -> Option<&Solution<MoveIndex>> {
        self.best.as_ref()
    }

    /// The refusal of the referee, if there was one.
    pub(crate) fn take_refusal(&mut self) -> Option<PlanError> {
        self.refused.take()
    }

    /// The bytes of the anytime search.
    fn bytes(&self) -> u64 {
        self.plan.limits.bytes.map_or(MOST_BYTES, |most| MOST_BYTES.min(most / SHARE_OF_BYTES))
    }

    /// An anytime search with an admissible heuristic.
    pub(crate) fn search<'h>(&self, heuristic: &'h dyn InstanceHeuristic) -> Option<Box<ErasedSearch<'h>>> {
        let limits = Limits { bytes: Some(self.bytes()), ..Limits::default() };
        let search = heuristic.properties().admissible.then(|| heuristic.search(ANYTIME, self.plan, &limits));
        search.and_then(Result::ok).flatten()
    }

    /// Gives the anytime search a turn, if it is due. Drops it when it has ended.
    pub(crate) fn work(&mut self, anytime: &mut Option<Box<ErasedSearch<'_>>>) {
        let Some(search) = anytime else { return };
        let elapsed = self.begin.elapsed().saturating_sub(DELAY);
        let eager = elapsed.min(EAGER);
        if self.spent >= eager / 2 + (elapsed - eager) / 8 {
            return;
        }
        let begin = Timestamp::now();
        let mut progress = Progress::Running;
        while progress != Progress::Ended && begin.elapsed() < TURN {
            progress = search.advance(STRIDE);
        }
        if let Some(found) = search.best() {
            self.offer(found);
        }
        if progress == Progress::Ended {
            *anytime = None;
        }
        self.spent += begin.elapsed();
    }

    /// Takes a solution that is better than the incumbent, if the referee agrees.
    fn offer(&mut self, found: Solution<MoveIndex>) {
        if self.best.as_ref().is_some_and(|best| best.cost <= found.cost) {
            return;
        }
        match self.task.instance.replayed(&found, Drawing::Nothing) {
            Ok(replayed) => {
                if let Some(events) = &self.plan.events {
                    events.improved(&replayed);
                }
                self.best = Some(Solution { guarantee: Guarantee::None, ..found });
            }
            Err(error) => self.refused = Some(error),
        }
    }
}

/// An exact search with an anytime search beside it.
pub(crate) struct Accompanied<'s, 'i, 'a> {
    pub(crate) exact: Box<ErasedSearch<'s>>,
    pub(crate) anytime: Option<Box<ErasedSearch<'s>>>,
    pub(crate) incumbent: &'i mut Incumbent<'a>,
    /// Every solution costs at least this much.
    pub(crate) bound: Cost,
    /// The memory limit of the exact search.
    pub(crate) bytes: Option<u64>,
    /// The incumbent as the outcome, once it is proved optimal.
    pub(crate) proved: Option<Outcome<MoveIndex>>,
}

impl Search<ErasedSpace<'static>> for Accompanied<'_, '_, '_> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.proved.is_some() {
            return Progress::Ended;
        }
        self.incumbent.work(&mut self.anytime);
        let progress = self.exact.advance(expansions);
        if let Progress::Layer(bound) = progress {
            self.bound = self.bound.max(bound);
        }
        // A closed list may double at once. Leave the memory to it.
        let reserved = self.incumbent.bytes();
        if self.bytes.is_some_and(|most| self.exact.stats().bytes > most.saturating_sub(reserved) / 2) {
            self.anytime = None;
        }
        match &self.incumbent.best {
            Some(best) if best.cost <= self.bound && progress != Progress::Ended => {
                self.proved = Some(Outcome::Solved(Solution { guarantee: Guarantee::Optimal, ..best.clone() }));
                self.exact.stop(Stop::Interrupted);
                Progress::Ended
            }
            _ => progress,
        }
    }

    fn stats(&self) -> Stats {
        let mut stats = self.exact.stats();
        stats.layer = stats.layer.max(self.bound);
        stats
    }

    fn outcome(&self) -> Option<&Outcome<MoveIndex>> {
        self.proved.as_ref().or_else(|| self.exact.outcome())
    }

    fn stop(&mut self, why: Stop) {
        self.exact.stop(why);
    }

    fn last_visit(&self) -> Option<Visit<Number>> {
        self.exact.last_visit()
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.exact.set_signal(signal);
        if let Some(anytime) = &mut self.anytime {
            anytime.set_signal(signal);
        }
    }

    fn best(&self) -> Option<Solution<MoveIndex>> {
        self.exact.best()
    }

    fn stride(&self) -> u64 {
        self.exact.stride()
    }

    fn begin_at(&mut self, bound: Cost) {
        self.bound = self.bound.max(bound);
        self.exact.begin_at(bound);
    }
}
