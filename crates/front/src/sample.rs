//! Samples of states with their true distances, for audits of spaces with too many states.
//!
//! A random walk from a goal ends at a state near it. A search with an admissible heuristic finds a shortest solution
//! from there, which gives the distance of every state on it.

use std::ops::ControlFlow;

use crate::audit::{AuditError, StateShown};
use crate::counterexample::{CounterexampleRenderer, PuzzleRenderer, number};
use crate::heuristic_spec::HeuristicSpec;
use crate::puzzle::Puzzle;
use admissible::audit::{Findings, Interrupted, Watcher};
use admissible::search::{Guarantee, Limits, TieBreak, astar, run};
use admissible::{Cost, Heuristic as _, listed_goals};
use admissible_certificate::Number;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Samples the states of an instance, with its types erased.
pub(crate) trait Sampler {
    /// Whether the instance supports a heuristic.
    fn fits(&self, heuristic: &HeuristicSpec) -> bool;
    /// Samples states and passes them to `user`.
    fn sample(
        &self,
        states: usize,
        seed: u64,
        watcher: &dyn Watcher,
        user: &mut dyn FnMut(&dyn Sample) -> Result<(), AuditError>,
    ) -> Result<(), AuditError>;
}

/// A sample of states with their distances.
pub(crate) trait Sample {
    /// The renderer of counterexamples.
    fn renderer(&self) -> Box<dyn CounterexampleRenderer + '_>;
    fn len(&self) -> usize;
    fn distance(&self, at: usize) -> Cost;
    fn shown(&self, at: usize) -> StateShown;
    /// The findings about a heuristic, and its estimate of each state.
    fn audit(&self, heuristic: &HeuristicSpec) -> Result<(Findings<Number>, Vec<f64>), AuditError>;
}

/// A puzzle as a [`Sampler`].
pub(crate) struct PuzzleSampler<'a, P>(pub(crate) &'a P);

impl<P: Puzzle> Sampler for PuzzleSampler<'_, P> {
    fn fits(&self, heuristic: &HeuristicSpec) -> bool {
        heuristic.fits(&|name| self.0.lacks(name)).is_ok()
    }

    fn sample(
        &self,
        states: usize,
        seed: u64,
        watcher: &dyn Watcher,
        user: &mut dyn FnMut(&dyn Sample) -> Result<(), AuditError>,
    ) -> Result<(), AuditError> {
        let goals = listed_goals(self.0).unwrap_or_default();
        let states = sample(self.0, goals, states, seed, watcher)?;
        user(&PuzzleSample { puzzle: self.0, states })
    }
}

/// A sample of a puzzle's states.
struct PuzzleSample<'a, P: Puzzle> {
    puzzle: &'a P,
    states: Vec<(P::State, Cost)>,
}

impl<P: Puzzle> Sample for PuzzleSample<'_, P> {
    fn renderer(&self) -> Box<dyn CounterexampleRenderer + '_> {
        Box::new(PuzzleRenderer(self.puzzle))
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn distance(&self, at: usize) -> Cost {
        self.states[at].1
    }

    fn shown(&self, at: usize) -> StateShown {
        let state = &self.states[at].0;
        StateShown { state: self.puzzle.state_json(state), board: self.puzzle.draw(state) }
    }

    fn audit(&self, heuristic: &HeuristicSpec) -> Result<(Findings<Number>, Vec<f64>), AuditError> {
        let heuristic = heuristic.on(self.puzzle)?;
        let mut findings = Findings::new(heuristic.scale());
        let mut estimates = Vec::with_capacity(self.states.len());
        for (state, distance) in &self.states {
            findings.look(self.puzzle, &heuristic, state, Some(*distance));
            let h = heuristic.evaluate(self.puzzle, state).in_costs(heuristic.scale());
            estimates.push(h.unwrap_or(f64::INFINITY));
        }
        Ok((findings.map(|packed| number(self.puzzle, packed)), estimates))
    }
}

/// The longest random walk.
const LONGEST_WALK: u32 = 80;
/// The limit on expansions of one search; a state that needs more is skipped.
const EXPANSIONS: u64 = 1_000_000;
/// The sampling ends after this many consecutive searches without a new state.
const MAX_FRUITLESS_SEARCHES: u32 = 1_000;

/// Up to `states` different states, each with its distance to the goal. Walks begin at the given goals or, if there are
/// none, at the first goal found.
fn sample<P: Puzzle>(
    puzzle: &P,
    mut goals: Vec<P::State>,
    states: usize,
    seed: u64,
    watcher: &dyn Watcher,
) -> Result<Vec<(P::State, Cost)>, Interrupted> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut distances = std::collections::HashMap::new();
    let mut samples = Vec::new();
    // The start comes first: claims about an instance should hold at least there.
    let mut next = Some(puzzle.start());
    let mut fruitless = 0;
    while samples.len() < states && fruitless < MAX_FRUITLESS_SEARCHES {
        let state = next.take().unwrap_or_else(|| {
            let from =
                if goals.is_empty() { puzzle.start() } else { goals[random.random_range(0..goals.len())].clone() };
            random_walk(puzzle, from, &mut random)
        });
        let before = samples.len();
        for (state, distance) in shortest_path(puzzle, &state) {
            if distance == 0 && goals.is_empty() {
                goals.push(state.clone());
            }
            if distances.insert(puzzle.pack(&state), distance).is_none() {
                samples.push((state, distance));
            }
        }
        fruitless = if samples.len() > before { 0 } else { fruitless + 1 };
        if watcher.watch((samples.len() - before) as u64) == ControlFlow::Break(()) {
            return Err(Interrupted);
        }
    }
    samples.truncate(states);
    Ok(samples)
}

/// The end of a random walk that never undoes its last move.
fn random_walk<P: Puzzle>(puzzle: &P, mut state: P::State, random: &mut ChaCha8Rng) -> P::State {
    let mut before = None;
    for _ in 0..random.random_range(1..=LONGEST_WALK) {
        let leads_back = |m: P::Move| {
            let mut after = state.clone();
            puzzle.apply(&mut after, m);
            before == Some(puzzle.pack(&after))
        };
        let moves: Vec<P::Move> = puzzle.moves(&state).into_iter().filter(|&m| !leads_back(m)).collect();
        if moves.is_empty() {
            break;
        }
        let m = moves[random.random_range(0..moves.len())];
        before = Some(puzzle.pack(&state));
        puzzle.apply(&mut state, m);
    }
    state
}

/// The states on a shortest path to a goal with their distances; none if the search reaches its limit.
fn shortest_path<P: Puzzle>(puzzle: &P, state: &P::State) -> Vec<(P::State, Cost)> {
    if puzzle.solvable(state) == Some(false) {
        return Vec::new();
    }
    let Some(heuristic) = puzzle.heuristic(puzzle.advice().heuristic) else { return Vec::new() };
    let limits = Limits { expanded: Some(EXPANSIONS), ..Limits::default() };
    let mut state = state.clone();
    let mut search = astar(puzzle, state.clone(), &heuristic, TieBreak::LowH, &limits);
    let report = run(&mut search, &limits, &mut ());
    let Some(solution) = report.outcome.solution().filter(|found| found.guarantee == Guarantee::Optimal) else {
        return Vec::new();
    };
    let mut left = solution.cost;
    let mut path = vec![(state.clone(), left)];
    for &m in &solution.moves {
        left -= puzzle.cost(&state, m);
        puzzle.apply(&mut state, m);
        path.push((state.clone(), left));
    }
    path
}
