//! What a search has to say: counts, outcome, guarantee. Plain data that formats nothing.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::idastar::Snapshot;
use crate::space::Cost;

/// Counts, with one meaning each in every algorithm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// States whose successors were produced.
    pub expanded: u64,
    /// Successors produced.
    pub generated: u64,
    /// Successors that were not closed when they were produced, on the frontier already or not; 0 for searches that do
    /// not look, as [`astar`](super::astar) may be one.
    pub generated_not_closed: u64,
    /// Closed states that were reached more cheaply and opened again.
    pub reopened: u64,
    /// Open states that were reached more cheaply before they were expanded; 0 for searches that do not look.
    pub improved: u64,
    /// Expanded states with `g + h` below the cost of the answer: the same for every correct A* with a given consistent
    /// heuristic. For IDA*, the states expanded before the last iteration. Known once the search has ended.
    pub expanded_before_last_layer: u64,
    /// The largest open list; for depth-first search its longest path, for IDA* the length of the path where it stands.
    pub max_frontier: u64,
    /// Whether the open list may hold a state several times, so that [`Stats::max_frontier`] counts entries.
    pub frontier_duplicates: bool,
    /// States held at the end.
    pub stored: u64,
    /// The iterations of IDA*, each of which starts again at the root; 0 for the others.
    pub iterations: u64,
    /// The threads that took part, in all processes, where there were several; then counts of the last layer or
    /// iteration differ from run to run.
    pub threads: u64,
    /// The lower bound that the search works at: the `f` of the layer, the bound of the iteration.
    pub layer: Cost,
    /// Bytes held in open and closed lists now; the path of IDA* does not count.
    pub bytes: u64,
    /// The most bytes held so far.
    pub peak_bytes: u64,
}

/// Why a search ended without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The limit on expanded states was reached.
    Nodes,
    /// The time was up.
    Time,
    /// The memory was used up.
    Memory,
    /// Everything within the depth limit was searched.
    Depth,
    /// Somebody asked it to stop.
    Interrupted,
    /// No solution was found, but some paths cost more than [`Cost`] can hold and were not followed.
    CostOverflow,
    /// No solution was found, but parts were left out on the word of a heuristic that is not known to be admissible.
    Unproved,
    /// A process that took part is gone.
    Lost,
}

impl Stop {
    /// One word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Nodes => "node limit",
            Stop::Time => "time limit",
            Stop::Memory => "memory limit",
            Stop::Depth => "depth limit",
            Stop::Interrupted => "interrupted",
            Stop::CostOverflow => "cost overflow",
            Stop::Unproved => "unproved heuristic",
            Stop::Lost => "lost process",
        }
    }

    /// What follows "stopped" in a sentence.
    pub fn phrase(self) -> &'static str {
        match self {
            Stop::Nodes => "at the node limit",
            Stop::Time => "at the time limit",
            Stop::Memory => "at the memory limit",
            Stop::Depth => "at the depth limit",
            Stop::Interrupted => "by an interruption",
            Stop::CostOverflow => "by costs that do not fit",
            Stop::Unproved => "for want of an admissible heuristic",
            Stop::Lost => "because a process is gone",
        }
    }
}

/// What is proved about the cost of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guarantee {
    /// There is no cheaper one.
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
    /// The weight 1, with which weighted A* is A*.
    pub const ONE: Weight = Weight { numerator: 1, denominator: 1 };

    /// The fraction, or `None` unless it is at least 1 and both parts are at most 10,000.
    pub fn new(numerator: u32, denominator: u32) -> Option<Self> {
        let fits = denominator > 0 && numerator >= denominator && numerator <= 10_000 && denominator <= 10_000;
        fits.then_some(Weight { numerator, denominator })
    }

    /// The number above the line.
    pub fn numerator(self) -> u64 {
        self.numerator.into()
    }

    /// The number below the line.
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
    /// With the proof that there is none.
    Unsolvable,
    /// With neither.
    Stopped {
        /// What stopped it.
        why: Stop,
        /// Every solution costs at least this much.
        lower_bound: Cost,
    },
}

impl<M> Outcome<M> {
    /// The solution, if there is one.
    pub fn solution(&self) -> Option<&Solution<M>> {
        match self {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// The cost of the solution, if there is one.
    pub fn cost(&self) -> Option<Cost> {
        self.solution().map(|solution| solution.cost)
    }
}

/// A finished search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report<M> {
    /// How it ended.
    pub outcome: Outcome<M>,
    /// What it took.
    pub stats: Stats,
}

/// How much a search may take. Nothing is limited by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// States to expand: the same run stops at the same state on every machine.
    pub expanded: Option<u64>,
    /// Bytes to hold.
    pub bytes: Option<u64>,
    /// Time to spend.
    pub time: Option<Duration>,
}

/// Watches a search and may stop it. `()` watches nothing.
pub trait Observer {
    /// Called every few thousand expanded states.
    fn tick(&mut self, _stats: &Stats) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
    /// Called while what a heuristic needs is built, before the search begins: so much of so much is done.
    fn preparing(&mut self, _done: u64, _of: u64) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
    /// Called when the search has proved that no solution costs less than `bound`.
    fn layer(&mut self, _bound: Cost, _stats: &Stats) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
    /// A flag that is raised when the search is to end at once: steps that take long look at it between ticks.
    fn flag(&self) -> Option<Arc<AtomicBool>> {
        None
    }
    /// Whether a checkpoint is due, for searches that can write one; `why` the search is about to stop, if it is.
    fn checkpoint_due(&mut self, _why: Option<Stop>) -> bool {
        false
    }
    /// Saves the checkpoint that [`Observer::checkpoint_due`] asked for.
    fn save_checkpoint(&mut self, _snapshot: &Snapshot) {}
}

impl Observer for () {}

/// Counts expansions by their `f`, exactly, at the price of one comparison as long as `f` stays the same.
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
