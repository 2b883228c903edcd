//! Searches whose parts are spread over more than one process: what is the same wherever they are.
//!
//! Whoever carries states from one process to another is a [`Crew`]. It gets parts that it can drive without knowing
//! the space or the heuristic, and hands back numbers of moves.

use super::packed_astar::{Place, Shard, Sharing, shard};
use super::report::{Guarantee, Limits, Observer, Outcome, Report, Solution, Stats, Stop};
use crate::heuristic::{Heuristic, Zero};
use crate::keyed::Keyed;
use crate::space::{AbilityVisitor, Cost, StateSpace};

/// A search for a crew.
pub struct Job<'a, const N: usize> {
    /// Makes the part of a worker; `None` where its first tables do not fit.
    pub make: &'a (dyn Fn(Place) -> Option<Box<dyn Shard<N> + 'a>> + Sync),
    /// Whether what is found first is proved to be cheapest, and layers are lower bounds.
    pub admissible: bool,
    /// How many states of a layer are to be remembered, until there is a later one.
    pub samples: usize,
    /// What this process may take; the bytes are known to the parts already.
    pub limits: Limits,
}

/// What a crew has to say in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crewed {
    /// How it ended.
    pub end: CrewEnd,
    /// What it took, in all processes together.
    pub stats: Stats,
    /// How many states were expanded in which layer.
    pub layers: Vec<(Cost, u64)>,
    /// The first states of the last layer.
    pub samples: Vec<[u64; 2]>,
    /// The goals that were come upon.
    pub goals: u64,
}

/// How a search of a crew ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CrewEnd {
    /// With a path: the numbers of its moves.
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
pub trait Crew: Send + Sync + std::fmt::Debug {
    /// How many workers this process has.
    fn workers_here(&self) -> usize;
    /// Carries out a job with keys of one word.
    fn carry_one(&self, job: &Job<'_, 1>, observer: &mut dyn Observer) -> Crewed;
    /// Carries out a job with keys of two words.
    fn carry_two(&self, job: &Job<'_, 2>, observer: &mut dyn Observer) -> Crewed;
}

/// How to go about it, whatever the space.
struct Errand<'a> {
    crew: &'a dyn Crew,
    limits: Limits,
    observer: &'a mut dyn Observer,
    passes_goals: bool,
    samples: usize,
}

impl Errand<'_> {
    fn carry<S: Keyed, H: Heuristic<S>>(self, space: &S, start: &S::State, heuristic: &H) -> Crewed {
        let bytes = self.limits.bytes.unwrap_or(u64::MAX) / self.crew.workers_here().max(1) as u64;
        let admissible = heuristic.properties(space).admissible;
        let Errand { limits, samples, passes_goals, .. } = self;
        let sharing = Sharing::default();
        // A packed state can be sent to every thread.
        let packed = space.pack(start);
        match S::KEY_WORDS {
            1 => {
                let make = &|place| {
                    let start = &space.unpack(packed);
                    shard::<S, H, 1>(space, start, heuristic, place, sharing, passes_goals, bytes)
                };
                self.crew.carry_one(&Job { make, admissible, samples, limits }, self.observer)
            }
            _ => {
                let make = &|place| {
                    let start = &space.unpack(packed);
                    shard::<S, H, 2>(space, start, heuristic, place, sharing, passes_goals, bytes)
                };
                self.crew.carry_two(&Job { make, admissible, samples, limits }, self.observer)
            }
        }
    }

    fn astar<S: Keyed, H: Heuristic<S>>(self, space: &S, start: &S::State, heuristic: &H) -> Report<S::Move> {
        let Crewed { end, stats, .. } = self.carry(space, start, heuristic);
        let admissible = heuristic.properties(space).admissible;
        let outcome = match end {
            CrewEnd::Path(codes) => {
                let guarantee = if admissible { Guarantee::Optimal } else { Guarantee::None };
                let moves: Vec<S::Move> = codes.into_iter().map(|code| space.move_of_code(code)).collect();
                Outcome::Solved(Solution { cost: moves.len() as Cost, moves, guarantee })
            }
            CrewEnd::Exhausted { dead_ends: true } if !admissible => {
                Outcome::Stopped { why: Stop::Unproved, lower_bound: stats.layer }
            }
            CrewEnd::Exhausted { .. } => Outcome::Unsolvable,
            CrewEnd::Stopped { why, lower_bound } => Outcome::Stopped { why, lower_bound },
        };
        Report { outcome, stats }
    }

    fn layers<S: Keyed>(self, space: &S, start: &S::State) -> CrewedLayers<S::State> {
        let farthest = self.samples;
        let crewed = self.carry(space, start, &Zero);
        let stopped = match crewed.end {
            CrewEnd::Stopped { why, .. } => Some(why),
            CrewEnd::Exhausted { .. } | CrewEnd::Path(_) => None,
        };
        let mut depths = Vec::new();
        for (depth, states) in crewed.layers {
            depths.resize((depth as usize + 1).max(depths.len()), 0);
            depths[depth as usize] += states;
        }
        CrewedLayers {
            depths,
            goals: crewed.goals,
            farthest: crewed.samples.into_iter().take(farthest).map(|key| space.state_of_key(key)).collect(),
            stopped,
            stats: crewed.stats,
        }
    }
}

/// Hash-distributed A* by a crew; see [`hdastar`](super::hdastar). `None` for spaces without keys.
pub fn crewed_astar<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    start: &S::State,
    heuristic: &H,
    crew: &dyn Crew,
    limits: Limits,
    observer: &mut dyn Observer,
) -> Option<Report<S::Move>> {
    struct Run<'v, S: StateSpace, H> {
        start: &'v S::State,
        heuristic: &'v H,
        errand: Option<Errand<'v>>,
        report: Option<Report<S::Move>>,
    }
    impl<'a, S: StateSpace, H: Heuristic<S>> AbilityVisitor<'a, S> for Run<'_, S, H> {
        fn keyed(mut self, space: &'a S) -> Self
        where
            S: Keyed,
        {
            self.report = self.errand.take().map(|errand| errand.astar(space, self.start, self.heuristic));
            self
        }
    }
    let errand = Some(Errand { crew, limits, observer, passes_goals: false, samples: 0 });
    space.abilities(Run { start, heuristic, errand, report: None }).report
}

/// Everything that can be reached from a state, or as much of it as was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrewedLayers<S> {
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

/// Breadth-first exploration by a crew, with up to so many of the farthest states. `None` for spaces without keys.
pub fn crewed_layers<S: StateSpace>(
    space: &S,
    start: &S::State,
    crew: &dyn Crew,
    farthest: usize,
    limits: Limits,
    observer: &mut dyn Observer,
) -> Option<CrewedLayers<S::State>> {
    struct Run<'v, S: StateSpace> {
        start: &'v S::State,
        errand: Option<Errand<'v>>,
        layers: Option<CrewedLayers<S::State>>,
    }
    impl<'a, S: StateSpace> AbilityVisitor<'a, S> for Run<'_, S> {
        fn keyed(mut self, space: &'a S) -> Self
        where
            S: Keyed,
        {
            self.layers = self.errand.take().map(|errand| errand.layers(space, self.start));
            self
        }
    }
    let errand = Some(Errand { crew, limits, observer, passes_goals: true, samples: farthest });
    space.abilities(Run { start, errand, layers: None }).layers
}
