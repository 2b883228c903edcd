//! Searches distributed over several processes, independent of how the processes are connected.
//!
//! An implementation of [`Processes`] drives the [`Shard`]s of its process and carries [`Entry`]s between processes. It
//! needs to know neither the space nor the heuristic: the result is a list of move codes.

pub use super::packed_astar::{Before, Entry, Place, Shard, Worked, shard};
use super::report::{Guarantee, Limits, Observer, Outcome, Report, Solution, Stats, Stop};
use crate::erased::Erased;
use crate::heuristic::{Heuristic, Zero};
use crate::keyed::Keyed;
use crate::space::{AbilityVisitor, Cost, StateSpace};

/// A search by several processes.
pub struct Job<'a, const N: usize> {
    /// Makes the shard of a worker; `None` if its first tables do not fit into memory.
    pub make: &'a (dyn Fn(Place) -> Option<Box<dyn Shard<N> + 'a>> + Sync),
    /// Whether the heuristic is admissible: then the first solution is optimal, and layers are lower bounds.
    pub admissible: bool,
    /// The number of states of the last layer to return.
    pub samples: usize,
    /// The limits of this process; the shards already have the limit on bytes.
    pub limits: Limits,
}

/// The result of a search by several processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributedRun {
    /// How it ended.
    pub end: DistributedEnd,
    /// The counts of all processes together.
    pub stats: Stats,
    /// The number of states expanded in each layer.
    pub layers: Vec<(Cost, u64)>,
    /// The first states of the last layer, by key.
    pub samples: Vec<[u64; 2]>,
    /// The number of goals found.
    pub goals: u64,
}

/// How a search by several processes ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DistributedEnd {
    /// With a path: the codes of its moves.
    Path(Vec<u32>),
    /// All reachable states were expanded, except dead ends.
    Exhausted {
        /// Whether the heuristic called some state a dead end.
        dead_ends: bool,
    },
    /// With neither.
    Stopped {
        /// Why it stopped.
        why: Stop,
        /// The layer that all workers had reached.
        lower_bound: Cost,
    },
}

/// Processes that search together. Each runs the same job and returns the same end.
pub trait Processes: Send + Sync + std::fmt::Debug {
    /// The number of workers in this process.
    fn workers_here(&self) -> usize;
    /// Runs a job with keys of one word.
    fn run_one_word(&self, job: &Job<'_, 1>, observer: &mut dyn Observer) -> DistributedRun;
    /// Runs a job with keys of two words.
    fn run_two_words(&self, job: &Job<'_, 2>, observer: &mut dyn Observer) -> DistributedRun;
}

/// The settings of a run, without the types of space and heuristic.
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
        // A packed state can be sent to every thread.
        let packed = space.pack(start);
        if const { S::KEY_WORDS == 1 } {
            let make = &|place| {
                let start = &space.unpack(packed);
                shard::<S, H, 1>(space, start, heuristic, place, passes_goals, bytes)
            };
            self.processes.run_one_word(&Job { make, admissible, samples, limits }, self.observer)
        } else {
            let make = &|place| {
                let start = &space.unpack(packed);
                shard::<S, H, 2>(space, start, heuristic, place, passes_goals, bytes)
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
            DistributedEnd::Exhausted { dead_ends } => Outcome::exhausted(false, dead_ends && !admissible, stats.layer),
            DistributedEnd::Stopped { why, lower_bound } => Outcome::Stopped { why, lower_bound },
        };
        Report { outcome, stats }
    }

    fn layers<S: Keyed>(self, space: &S, start: &S::State) -> DistributedLayers<S::State> {
        let farthest = self.samples;
        // Erased, so that no search is compiled just for the zero heuristic.
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

/// The layers of a distributed breadth-first exploration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributedLayers<S> {
    /// The number of states at each depth.
    pub depths: Vec<u64>,
    /// The number of goals among them.
    pub goals: u64,
    /// Some of the farthest states.
    pub farthest: Vec<S>,
    /// Why it stopped early, if it did; then the last depth may be incomplete.
    pub stopped: Option<Stop>,
    /// The counts.
    pub stats: Stats,
}

/// Breadth-first exploration by several processes; returns up to `farthest` of the farthest states. `None` for spaces
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
