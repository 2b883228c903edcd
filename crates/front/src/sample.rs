//! Samples of states with their true distances, for audits of spaces with too many states.
//!
//! A random walk from a goal ends at a state near it. A search with an admissible heuristic finds a shortest solution
//! from there, which gives the distance of every state on it.

use std::collections::HashSet;
use std::ops::ControlFlow;

use admissible::Cost;
use admissible::audit::{Interrupted, Watcher};
use admissible::search::{Guarantee, Limits, Outcome, run};
use admissible_certificate::Number;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::heuristic_spec::HeuristicSpec;
use crate::instance::Instance;
use crate::plan::Plan;

/// The longest random walk.
const LONGEST_WALK: u32 = 80;
/// The limit on expansions of one search; a state that needs more is skipped.
const EXPANSIONS: u64 = 1_000_000;
/// The sampling ends after this many consecutive searches without a new state.
const MAX_FRUITLESS_SEARCHES: u32 = 1_000;

/// A state with its distance to the goal.
pub(crate) type Sampled = (Number, Cost);

/// Up to `states` different states of an instance. Walks begin at the listed goals or, if there are none, at the first
/// goal found.
pub(crate) fn sample(
    instance: &dyn Instance,
    states: usize,
    seed: u64,
    watcher: &dyn Watcher,
) -> Result<Vec<Sampled>, Interrupted> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut goals = instance.goals();
    let mut known = HashSet::new();
    let mut samples = Vec::new();
    // The start comes first: claims about an instance should hold at least there.
    let mut next = Some(instance.start());
    let mut fruitless = 0;
    while samples.len() < states && fruitless < MAX_FRUITLESS_SEARCHES {
        let state = next.take().unwrap_or_else(|| {
            let from = if goals.is_empty() { instance.start() } else { goals[random.random_range(0..goals.len())] };
            random_walk(instance, from, &mut random)
        });
        let before = samples.len();
        for (state, distance) in shortest_path(instance, state) {
            if distance == 0 && goals.is_empty() {
                goals.push(state);
            }
            if known.insert(state) {
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
fn random_walk(instance: &dyn Instance, mut state: Number, random: &mut ChaCha8Rng) -> Number {
    let mut before = None;
    for _ in 0..random.random_range(1..=LONGEST_WALK) {
        let mut onward = Vec::new();
        instance.each_successor(state, &mut |next| {
            if Some(next.state) != before {
                onward.push(next.state);
            }
        });
        if onward.is_empty() {
            break;
        }
        before = Some(state);
        state = onward[random.random_range(0..onward.len())];
    }
    state
}

/// The states on a shortest path to a goal with their distances; none if the search reaches its limit.
fn shortest_path(instance: &dyn Instance, state: Number) -> Vec<Sampled> {
    let here = instance.beginning_at(&instance.state_json(state)).expect("a state of the instance can be a start");
    if here.solvable() == Some(false) {
        return Vec::new();
    }
    let advised = HeuristicSpec::Named(instance.advice(None).heuristic.into());
    let Ok(heuristic) = here.heuristic(&advised) else { return Vec::new() };
    let limits = Limits { expanded: Some(EXPANSIONS), ..Limits::default() };
    let Ok(Some(mut search)) = heuristic.search("astar", &Plan::default(), &limits) else { return Vec::new() };
    let report = run(&mut *search, &limits, &mut ());
    let Outcome::Solved(solution) = report.outcome else { return Vec::new() };
    if solution.guarantee != Guarantee::Optimal {
        return Vec::new();
    }
    let mut left = solution.cost;
    let mut path = vec![(state, left)];
    for &m in &solution.moves {
        let (after, cost) = here.after(path[path.len() - 1].0, m);
        left -= cost;
        path.push((after, left));
    }
    path
}
