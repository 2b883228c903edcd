//! Reports of searches: counts, outcomes, guarantees, limits and observers.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::idastar::Snapshot;
use crate::space::Cost;

/// The counts of a search, with the same meaning in every algorithm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// States whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// Closed states that were reopened, because a cheaper path to them was found.
    pub reopened: u64,
    /// Expanded states with `g + h` below the cost of the answer: the same for every correct A* with a given consistent
    /// heuristic. HDA* and bidirectional search round `h` up to a whole cost. For IDA*, the states expanded before the
    /// last iteration. Known once the search has ended.
    pub expanded_before_last_layer: u64,
    /// The largest size of the open list; for depth-first search its longest path, for IDA* the length of its current
    /// path.
    pub max_frontier: u64,
    /// Whether the open list may hold a state several times, so that [`Stats::max_frontier`] counts entries.
    pub frontier_duplicates: bool,
    /// States stored at the end.
    pub stored: u64,
    /// The iterations of IDA*; 0 for other searches.
    pub iterations: u64,
    /// The threads in all processes if several worked, else 0. With several threads the counts of the last layer or
    /// iteration differ from run to run.
    pub threads: u64,
    /// The current lower bound: the `f` of the layer, or the bound of the iteration.
    pub layer: Cost,
    /// Bytes of the open and closed lists now; the path of IDA* does not count.
    pub bytes: u64,
    /// The largest value of `bytes` so far.
    pub peak_bytes: u64,
}

impl Stats {
    /// Records the states and bytes in memory.
    pub(crate) fn hold(&mut self, stored: usize, bytes: u64) {
        (self.stored, self.bytes, self.peak_bytes) = (stored as u64, bytes, self.peak_bytes.max(bytes));
    }
}

/// Why a search stopped without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// It reached the limit on expanded states.
    Nodes,
    /// It reached the time limit.
    Time,
    /// It reached the memory limit.
    Memory,
    /// It found no solution within the depth limit.
    Depth,
    /// Every solution costs more than the move limit: its lower bound proves it.
    MoveLimit,
    /// The observer stopped it.
    Interrupted,
    /// It found no solution, but did not follow paths that cost more than [`Cost`] can hold.
    CostOverflow,
    /// It found no solution, but skipped states that a heuristic not known to be admissible called dead ends.
    Unproved,
    /// A process of a distributed search was lost.
    Lost,
}

impl Stop {
    /// A short name for machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Nodes => "node limit",
            Stop::Time => "time limit",
            Stop::Memory => "memory limit",
            Stop::Depth => "depth limit",
            Stop::MoveLimit => "move limit",
            Stop::Interrupted => "interrupted",
            Stop::CostOverflow => "cost overflow",
            Stop::Unproved => "unproved heuristic",
            Stop::Lost => "lost process",
        }
    }

    /// The phrase that follows "stopped" in a sentence.
    pub fn phrase(self) -> &'static str {
        match self {
            Stop::Nodes => "at the node limit",
            Stop::Time => "at the time limit",
            Stop::Memory => "at the memory limit",
            Stop::Depth => "at the depth limit",
            Stop::MoveLimit => "at the move limit",
            Stop::Interrupted => "by an interruption",
            Stop::CostOverflow => "by costs that do not fit",
            Stop::Unproved => "because the heuristic is not known to be admissible",
            Stop::Lost => "because a process is gone",
        }
    }
}

/// What is proved about the cost of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guarantee {
    /// No solution is cheaper.
    Optimal,
    /// It costs at most this many times the optimum.
    Within(Weight),
    /// Nothing.
    None,
}

/// A weight of at least 1, as the exact fraction `numerator / denominator`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    numerator: u32,
    denominator: u32,
}

impl Weight {
    /// The weight 1: weighted A* with it is A*.
    pub const ONE: Weight = Weight { numerator: 1, denominator: 1 };

    /// The fraction, or `None` unless it is at least 1 and both parts are at most 10,000.
    pub fn new(numerator: u32, denominator: u32) -> Option<Self> {
        let fits = denominator > 0 && numerator >= denominator && numerator <= 10_000 && denominator <= 10_000;
        fits.then_some(Weight { numerator, denominator })
    }

    /// The numerator.
    pub fn numerator(self) -> u64 {
        self.numerator.into()
    }

    /// The denominator.
    pub fn denominator(self) -> u64 {
        self.denominator.into()
    }
}

/// A path from the start to a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution<M> {
    /// The sum of the moves' costs.
    pub cost: Cost,
    /// The moves, first to last.
    pub moves: Vec<M>,
    /// What is proved about the cost.
    pub guarantee: Guarantee,
}

/// How a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome<M> {
    /// With a solution.
    Solved(Solution<M>),
    /// With a proof that no solution exists.
    Unsolvable,
    /// With neither.
    Stopped {
        /// Why it stopped.
        why: Stop,
        /// Every solution costs at least this much.
        lower_bound: Cost,
    },
}

impl<M> Outcome<M> {
    /// The outcome of a search that found no solution: a proof, unless it left out states whose cost overflowed, or
    /// that a heuristic not known to be admissible called dead ends.
    pub(crate) fn exhausted(overflowed: bool, unproved_dead_ends: bool, lower_bound: Cost) -> Self {
        match (overflowed, unproved_dead_ends) {
            (true, _) => Outcome::Stopped { why: Stop::CostOverflow, lower_bound },
            (false, true) => Outcome::Stopped { why: Stop::Unproved, lower_bound },
            (false, false) => Outcome::Unsolvable,
        }
    }

    /// The solution, if one was found.
    pub fn solution(&self) -> Option<&Solution<M>> {
        match self {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// The cost of the solution, if one was found.
    pub fn cost(&self) -> Option<Cost> {
        self.solution().map(|solution| solution.cost)
    }
}

/// The report on a search that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report<M> {
    /// How it ended.
    pub outcome: Outcome<M>,
    /// Its counts.
    pub stats: Stats,
}

/// The limits of a search; by default none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Expanded states: the same run stops at the same state on every machine.
    pub expanded: Option<u64>,
    /// Bytes of memory.
    pub bytes: Option<u64>,
    /// Elapsed time.
    pub time: Option<Duration>,
}

/// Watches a search and may stop it. `()` never does.
pub trait Observer {
    /// Called every few thousand expanded states.
    fn tick(&mut self, _stats: &Stats) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
    /// Called while the tables of a heuristic are built, before the search begins: `done` of `of` units of work are
    /// done.
    fn preparing(&mut self, _done: u64, _of: u64) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
    /// Called when the search has proved that no solution costs less than `bound`.
    fn layer(&mut self, _bound: Cost, _stats: &Stats) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
    /// A flag that stops the search when raised: long steps poll it between ticks.
    fn flag(&self) -> Option<Arc<AtomicBool>> {
        None
    }
    /// Whether a checkpoint is due; `why` is set if the search is about to stop.
    fn checkpoint_due(&mut self, _why: Option<Stop>) -> bool {
        false
    }
    /// Saves a checkpoint; called after [`Observer::checkpoint_due`] returned true.
    fn save_checkpoint(&mut self, _snapshot: &Snapshot) {}
}

impl Observer for () {}

/// Counts expansions by `f`; one comparison while `f` stays the same.
#[derive(Debug, Default)]
pub(crate) struct LayerCounts {
    current: u64,
    count: u64,
    earlier: BTreeMap<u64, u64>,
}

impl LayerCounts {
    #[inline]
    pub(crate) fn count(&mut self, f: u64) {
        if f != self.current {
            self.change_to(f);
        }
        self.count += 1;
    }

    #[cold]
    fn change_to(&mut self, f: u64) {
        *self.earlier.entry(self.current).or_default() += self.count;
        self.current = f;
        self.count = 0;
    }

    pub(crate) fn below(&self, f: u64) -> u64 {
        let current = if self.current < f { self.count } else { 0 };
        self.earlier.range(..f).map(|(_, count)| count).sum::<u64>() + current
    }
}
