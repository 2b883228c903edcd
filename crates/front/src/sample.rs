//! States with their true distance, for spaces that have too many to look at all of them.
//!
//! A random walk from a goal gives a state that is not too far from it; a search with a heuristic that is known to be
//! admissible gives a shortest solution from there, and every state on it has a known distance as well.

use std::ops::ControlFlow;

use crate::audit::AuditError;
use crate::counterexample::{OnBoard, Shows, number};
use crate::named::Named;
use crate::puzzle::Puzzle;
use admissible::audit::{Findings, Interrupted, Watcher};
use admissible::search::{Guarantee, Limits, TieBreak, astar, run};
use admissible::{Cost, Heuristic as _, listed_goals};
use admissible_certificate::Number;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Draws states of an instance that has too many to audit them all.
pub(crate) trait Sampler {
    /// Whether a heuristic serves the instance.
    fn fits(&self, heuristic: &Named) -> bool;
    /// Draws states and hands them over.
    fn sample(
        &self,
        states: usize,
        seed: u64,
        watcher: &dyn Watcher,
        user: &mut dyn FnMut(&dyn Sample) -> Result<(), AuditError>,
    ) -> Result<(), AuditError>;
}

/// States with their distances.
pub(crate) trait Sample {
    /// Shows counterexamples.
    fn board(&self) -> Box<dyn Shows + '_>;
    fn len(&self) -> usize;
    /// What a heuristic is found to be, and its estimate of each state.
    fn audit(&self, heuristic: &Named) -> Result<(Findings<Number>, Vec<f64>), AuditError>;
}

/// The samples of an instance.
pub(crate) struct SampleOf<'a, P>(pub(crate) &'a P);

impl<P: Puzzle> Sampler for SampleOf<'_, P> {
    fn fits(&self, heuristic: &Named) -> bool {
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
        user(&Sampled { puzzle: self.0, states })
    }
}

/// A typed sample.
struct Sampled<'a, P: Puzzle> {
    puzzle: &'a P,
    states: Vec<(P::State, Cost)>,
}

impl<P: Puzzle> Sample for Sampled<'_, P> {
    fn board(&self) -> Box<dyn Shows + '_> {
        Box::new(OnBoard(self.puzzle))
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn audit(&self, heuristic: &Named) -> Result<(Findings<Number>, Vec<f64>), AuditError> {
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
/// States that one search may expand; a state that takes more is passed over.
const EXPANSIONS: u64 = 1_000_000;
/// Searches in a row that may bring nothing new before the sampling ends.
const PATIENCE: u32 = 1_000;

/// About so many different states, each with its distance to the goal. Walks begin at the given goals or, where none
/// are given, at the first one found.
fn sample<P: Puzzle>(
    puzzle: &P,
    mut goals: Vec<P::State>,
    states: usize,
    seed: u64,
    watcher: &dyn Watcher,
) -> Result<Vec<(P::State, Cost)>, Interrupted> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut known = std::collections::HashMap::new();
    let mut samples = Vec::new();
    // The start comes first: what is claimed about an instance should hold where it begins.
    let mut next = Some(puzzle.start());
    let mut luckless = 0;
    while samples.len() < states && luckless < PATIENCE {
        let state = next.take().unwrap_or_else(|| {
            let from =
                if goals.is_empty() { puzzle.start() } else { goals[random.random_range(0..goals.len())].clone() };
            walk(puzzle, from, &mut random)
        });
        let before = samples.len();
        for (state, distance) in shortest_way(puzzle, &state) {
            if distance == 0 && goals.is_empty() {
                goals.push(state.clone());
            }
            if known.insert(puzzle.pack(&state), distance).is_none() {
                samples.push((state, distance));
            }
        }
        luckless = if samples.len() > before { 0 } else { luckless + 1 };
        if watcher.watch((samples.len() - before) as u64) == ControlFlow::Break(()) {
            return Err(Interrupted);
        }
    }
    samples.truncate(states);
    Ok(samples)
}

/// Where a random walk ends that does not turn around.
fn walk<P: Puzzle>(puzzle: &P, mut state: P::State, random: &mut ChaCha8Rng) -> P::State {
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

/// The states on a shortest way to a goal with their distances, or none if that takes too long to find.
fn shortest_way<P: Puzzle>(puzzle: &P, state: &P::State) -> Vec<(P::State, Cost)> {
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
    let mut way = vec![(state.clone(), left)];
    for &m in &solution.moves {
        left -= puzzle.cost(&state, m);
        puzzle.apply(&mut state, m);
        way.push((state.clone(), left));
    }
    way
}
