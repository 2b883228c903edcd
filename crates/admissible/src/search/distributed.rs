//! Searches whose shards are distributed over several processes: the part that does not depend on how they are
//! connected.
//!
//! [`Processes`] carry states from one process to another. They get shards that they can drive without knowing the
//! space or the heuristic, and hand back the codes of moves.

use super::packed_astar::Sharing;
pub use super::packed_astar::{Before, Entry, Place, Shard, Worked, shard};
use super::report::{Guarantee, Limits, Observer, Outcome, Report, Solution, Stats, Stop};
use crate::erased::Erased;
use crate::heuristic::{Heuristic, Zero};
use crate::keyed::Keyed;
use crate::space::{AbilityVisitor, Cost, StateSpace};

/// A search by several processes.
pub struct Job<'a, const N: usize> {
    /// Makes the shard of a worker; `None` where its first tables do not fit.
    pub make: &'a (dyn Fn(Place) -> Option<Box<dyn Shard<N> + 'a>> + Sync),
    /// Whether what is found first is proved to be cheapest, and layers are lower bounds.
    pub admissible: bool,
    /// How many states of a layer are to be remembered, until there is a later one.
    pub samples: usize,
    /// What this process may take; the shards know the bytes already.
    pub limits: Limits,
}

/// What a search by several processes comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributedRun {
    /// How it ended.
    pub end: DistributedEnd,
    /// What it took, in all processes together.
    pub stats: Stats,
    /// How many states were expanded in which layer.
    pub layers: Vec<(Cost, u64)>,
    /// The first states of the last layer.
    pub samples: Vec<[u64; 2]>,
    /// The number of goals that were found.
    pub goals: u64,
}

/// How a search by several processes ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DistributedEnd {
    /// With a path: the codes of its moves.
    Path(Vec<u32>),
    /// Everything that can be reached was expanded, but for dead ends if there were any.
    Exhausted {
        /// Whether the heuristic called some state a dead end.
        dead_ends: bool,
    },
    /// With neither.
    Stopped {
        /// What stopped it.
        why: Stop,
        /// The layer that all had come to.
        lower_bound: Cost,
    },
}

/// Processes that search together. All of them are given the same job, and all are told the same end.
pub trait Processes: Send + Sync + std::fmt::Debug {
    /// How many workers this process has.
    fn workers_here(&self) -> usize;
    /// Carries out a job with keys of one word.
    fn run_one_word(&self, job: &Job<'_, 1>, observer: &mut dyn Observer) -> DistributedRun;
    /// Carries out a job with keys of two words.
    fn run_two_words(&self, job: &Job<'_, 2>, observer: &mut dyn Observer) -> DistributedRun;
}

/// What is the same for every space.
struct Setup<'a> {
    processes: &'a dyn Processes,
    limits: Limits,
    observer: &'a mut dyn Observer,
    passes_goals: bool,
    samples: usize,
}

impl Setup<'_> {
    fn run<S: Keyed, H: Heuristic<S>>(self, space: &S, start: &S::State, heuristic: &H) -> DistributedRun {
        let bytes = self.limits.bytes.unwrap_or(u64::MAX) / self.processes.workers_here().max(1) as u64;
        let admissible = heuristic.properties(space).admissible;
        let Setup { limits, samples, passes_goals, .. } = self;
        let sharing = Sharing::default();
        // A packed state can be sent to every thread.
        let packed = space.pack(start);
        if const { S::KEY_WORDS == 1 } {
            let make = &|place| {
                let start = &space.unpack(packed);
                shard::<S, H, 1>(space, start, heuristic, place, sharing, passes_goals, bytes)
            };
            self.processes.run_one_word(&Job { make, admissible, samples, limits }, self.observer)
        } else {
            let make = &|place| {
                let start = &space.unpack(packed);
                shard::<S, H, 2>(space, start, heuristic, place, sharing, passes_goals, bytes)
            };
            self.processes.run_two_words(&Job { make, admissible, samples, limits }, self.observer)
        }
    }

    fn astar<S: Keyed, H: Heuristic<S>>(self, space: &S, start: &S::State, heuristic: &H) -> Report<S::Move> {
        let DistributedRun { end, stats, .. } = self.run(space, start, heuristic);
        let admissible = heuristic.properties(space).admissible;
        let outcome = match end {
            DistributedEnd::Path(codes) => {
                let guarantee = if admissible { Guarantee::Optimal } else { Guarantee::None };
                let moves: Vec<S::Move> = codes.into_iter().map(|code| space.move_of_code(code)).collect();
                Outcome::Solved(Solution { cost: moves.len() as Cost, moves, guarantee })
            }
            DistributedEnd::Exhausted { dead_ends: true } if !admissible => {
                Outcome::Stopped { why: Stop::Unproved, lower_bound: stats.layer }
            }
            DistributedEnd::Exhausted { .. } => Outcome::Unsolvable,
            DistributedEnd::Stopped { why, lower_bound } => Outcome::Stopped { why, lower_bound },
        };
        Report { outcome, stats }
    }

    fn layers<S: Keyed>(self, space: &S, start: &S::State) -> DistributedLayers<S::State> {
        let farthest = self.samples;
        // Erased, as other heuristics are: a search of its own would be compiled for nothing but the estimate 0.
        let run = self.run(space, start, &Erased::new(&Zero));
        let stopped = match run.end {
            DistributedEnd::Stopped { why, .. } => Some(why),
            DistributedEnd::Exhausted { .. } | DistributedEnd::Path(_) => None,
        };
        let mut depths = Vec::new();
        for (depth, states) in run.layers {
            depths.resize((depth as usize + 1).max(depths.len()), 0);
            depths[depth as usize] += states;
        }
        DistributedLayers {
            depths,
            goals: run.goals,
            farthest: run.samples.into_iter().take(farthest).map(|key| space.state_of_key(key)).collect(),
            stopped,
            stats: run.stats,
        }
    }
}

/// Hash-distributed A* by several processes; see [`hdastar`](super::hdastar). `None` for spaces without keys.
pub fn distributed_astar<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    start: &S::State,
    heuristic: &H,
    processes: &dyn Processes,
    limits: Limits,
    observer: &mut dyn Observer,
) -> Option<Report<S::Move>> {
    struct Run<'v, S: StateSpace, H> {
        start: &'v S::State,
        heuristic: &'v H,
        setup: Option<Setup<'v>>,
        report: Option<Report<S::Move>>,
    }
    impl<'a, S: StateSpace, H: Heuristic<S>> AbilityVisitor<'a, S> for Run<'_, S, H> {
        fn keyed(mut self, space: &'a S) -> Self
        where
            S: Keyed,
        {
            self.report = self.setup.take().map(|setup| setup.astar(space, self.start, self.heuristic));
            self
        }
    }
    let setup = Some(Setup { processes, limits, observer, passes_goals: false, samples: 0 });
    space.abilities(Run { start, heuristic, setup, report: None }).report
}

/// Everything that can be reached from a state, or as much of it as was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributedLayers<S> {
    /// How many states there are at each depth.
    pub depths: Vec<u64>,
    /// The goals among them.
    pub goals: u64,
    /// Some of the farthest.
    pub farthest: Vec<S>,
    /// Why it was stopped, if it was; then the last depth need not be whole.
    pub stopped: Option<Stop>,
    /// What it took.
    pub stats: Stats,
}

/// Breadth-first exploration by several processes, with up to `farthest` of the farthest states. `None` for spaces
/// without keys.
pub fn distributed_layers<S: StateSpace>(
    space: &S,
    start: &S::State,
    processes: &dyn Processes,
    farthest: usize,
    limits: Limits,
    observer: &mut dyn Observer,
) -> Option<DistributedLayers<S::State>> {
    struct Run<'v, S: StateSpace> {
        start: &'v S::State,
        setup: Option<Setup<'v>>,
        layers: Option<DistributedLayers<S::State>>,
    }
    impl<'a, S: StateSpace> AbilityVisitor<'a, S> for Run<'_, S> {
        fn keyed(mut self, space: &'a S) -> Self
        where
            S: Keyed,
        {
            self.layers = self.setup.take().map(|setup| setup.layers(space, self.start));
            self
        }
    }
    let setup = Some(Setup { processes, limits, observer, passes_goals: true, samples: farthest });
    space.abilities(Run { start, setup, layers: None }).layers
}
