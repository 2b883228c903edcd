//! IDA*: depth-first searches with a growing bound on `g + h`.
//!
//! Korf (1985). One state is changed in place; beside it stands the path, each step with its moves still to try and
//! what the heuristic carries along. Nothing is allocated but the path. A tree search cannot see that it goes in
//! circles, so an unsolvable instance would raise the bound for ever: after a few million expansions a breadth-first
//! search runs beside it, and if that goes through the whole space without a goal there is none.

use super::bfs::{Bfs, bfs};
use super::report::{Guarantee, Limits, Outcome, Solution, Stats, Stop};
use super::{Progress, Search, Visit};
use crate::heuristic::{Heuristic, Properties};
use crate::space::{Cost, StateSpace};

/// Expansions before the search for a proof of unsolvability begins: by then most solvable instances are solved.
const PROOF_AFTER: u64 = 1 << 22;
/// One expansion for the proof in so many.
const PROOF_SHARE: u64 = 8;
/// What the proof may hold, unless the limit on memory is tighter.
const PROOF_BYTES: u64 = 1 << 30;

/// IDA*: a cheapest path if the heuristic is admissible, in almost no memory.
///
/// An instance without a solution is proved to have none where every reachable state fits into the memory limit (one
/// gibibyte unless a tighter one is given); otherwise the search goes on until a limit stops it.
pub fn idastar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    limits: &Limits,
) -> IdaStar<'a, S, H> {
    let eval = heuristic.evaluate(space, &start);
    let solvable = space.solvable(&start);
    let bound = heuristic.estimate(eval).rounded_up(H::SCALE).map_or(u64::MAX, u64::from);
    let proof = match solvable {
        Some(_) => Proof::NotNeeded,
        None => Proof::Later(Limits { bytes: Some(limits.bytes.unwrap_or(u64::MAX).min(PROOF_BYTES)), ..*limits }),
    };
    let mut search = IdaStar {
        space,
        heuristic,
        properties: heuristic.properties(space),
        state: start.clone(),
        start,
        path: Vec::new(),
        current: None,
        bound,
        next_bound: u64::MAX,
        expanded_before_iteration: 0,
        overflowed: false,
        dead_ends: false,
        proof,
        stats: Stats::default(),
        outcome: None,
    };
    if solvable == Some(false) {
        search.outcome = Some(Outcome::Unsolvable);
    } else if bound == u64::MAX {
        search.dead_ends = true;
        search.exhausted();
    } else if space.is_goal(&search.start) {
        let guarantee = search.guarantee();
        search.outcome = Some(Outcome::Solved(Solution { cost: 0, moves: Vec::new(), guarantee }));
    }
    search
}

/// IDA* under way; see [`idastar`].
pub struct IdaStar<'a, S: StateSpace, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    properties: Properties,
    start: S::State,
    /// The state at the end of the path.
    state: S::State,
    /// The steps above the current one.
    path: Vec<Step<S, H::Eval>>,
    /// `None` between two iterations.
    current: Option<Step<S, H::Eval>>,
    bound: u64,
    next_bound: u64,
    expanded_before_iteration: u64,
    overflowed: bool,
    dead_ends: bool,
    proof: Proof<'a, S>,
    stats: Stats,
    outcome: Option<Outcome<S::Move>>,
}

struct Step<S: StateSpace, E> {
    moves: <S::Moves as IntoIterator>::IntoIter,
    eval: E,
    g: Cost,
    /// The move that led here and what takes it back; `None` at the root.
    came_by: Option<(S::Move, S::Undo)>,
    /// The move not worth trying, where the space knows it.
    way_back: Option<S::Move>,
}

/// The breadth-first search that may prove that there is no solution.
enum Proof<'a, S: StateSpace> {
    NotNeeded,
    Later(Limits),
    Running(Box<Bfs<'a, S>>),
}

impl<S: StateSpace, H: Heuristic<S>> IdaStar<'_, S, H> {
    fn guarantee(&self) -> Guarantee {
        if self.properties.admissible { Guarantee::Optimal } else { Guarantee::None }
    }

    #[cold]
    fn exhausted(&mut self) -> Progress {
        let why = if self.overflowed {
            Some(Stop::CostOverflow)
        } else if self.dead_ends && !self.properties.admissible {
            Some(Stop::Unproved)
        } else {
            None
        };
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome =
            Some(why.map_or(Outcome::Unsolvable, |why| Outcome::Stopped { why, lower_bound: self.stats.layer }));
        Progress::Ended
    }

    /// Gives the proof its share; true if there is no solution.
    #[cold]
    fn prove(&mut self, expansions: u64) -> bool {
        if let Proof::Later(limits) = &self.proof {
            self.proof = Proof::Running(Box::new(bfs(self.space, self.start.clone(), limits)));
        }
        let Proof::Running(proof) = &mut self.proof else { return false };
        let until = proof.stats().expanded + expansions;
        while proof.outcome().is_none() && proof.stats().expanded < until {
            proof.advance(until - proof.stats().expanded);
        }
        self.stats.bytes = proof.stats().bytes;
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.stats.bytes);
        match proof.outcome() {
            None => false,
            Some(Outcome::Unsolvable) => true,
            // There is a goal, or the space is too large to tell.
            Some(_) => {
                self.proof = Proof::NotNeeded;
                self.stats.bytes = 0;
                false
            }
        }
    }

    fn begin_iteration(&mut self) -> Progress {
        self.stats.iterations += 1;
        self.expanded_before_iteration = self.stats.expanded;
        self.next_bound = u64::MAX;
        self.state = self.start.clone();
        self.stats.expanded += 1;
        self.current = Some(Step {
            moves: self.space.moves(&self.state).into_iter(),
            eval: self.heuristic.evaluate(self.space, &self.state),
            g: 0,
            came_by: None,
            way_back: None,
        });
        if self.properties.admissible {
            self.stats.layer = self.bound as Cost;
        }
        Progress::Layer(self.stats.layer)
    }

    #[cold]
    fn solved(&mut self, last: Step<S, H::Eval>) -> Progress {
        let cost = last.g;
        let steps = self.path.iter().chain([&last]);
        let moves = steps.filter_map(|step| step.came_by.map(|(m, _)| m)).collect();
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome = Some(Outcome::Solved(Solution { cost, moves, guarantee: self.guarantee() }));
        Progress::Ended
    }
}

impl<S: StateSpace, H: Heuristic<S>> Search<S> for IdaStar<'_, S, H> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        let Some(mut step) = self.current.take() else {
            return self.begin_iteration();
        };
        // The loop works on locals, which the compiler keeps in registers.
        let (space, heuristic) = (self.space, self.heuristic);
        let bound = self.bound;
        let mut state = self.state.clone();
        let mut next_bound = self.next_bound;
        let mut generated = 0_u64;
        let mut expanded = 0_u64;
        let progress = loop {
            let Some(m) = step.moves.next() else {
                let Some((m, undo)) = step.came_by else {
                    break Progress::Layer(0);
                };
                space.undo(&mut state, m, undo);
                step = self.path.pop().expect("only the root has no move that led to it");
                continue;
            };
            if Some(m) == step.way_back {
                continue;
            }
            generated += 1;
            let cost = space.cost(&state, m);
            debug_assert!(cost > 0, "moves cost at least 1");
            let undo = space.apply(&mut state, m);
            let eval = heuristic.advance(space, step.eval, &state, m);
            let Some(h) = heuristic.estimate(eval).rounded_up(H::SCALE) else {
                self.dead_ends = true;
                space.undo(&mut state, m, undo);
                continue;
            };
            let g = u64::from(step.g) + u64::from(cost);
            let f = g + u64::from(h);
            if f > bound {
                next_bound = next_bound.min(f);
                space.undo(&mut state, m, undo);
                continue;
            }
            let next = Step {
                moves: space.onward(&state, m).into_iter(),
                eval,
                g: g as Cost,
                came_by: Some((m, undo)),
                way_back: space.inverse(m),
            };
            let goal = space.is_goal(&state);
            self.path.push(std::mem::replace(&mut step, next));
            if goal {
                break Progress::Ended;
            }
            expanded += 1;
            if expanded == expansions {
                break Progress::Running;
            }
        };
        self.state = state;
        self.next_bound = next_bound;
        self.stats.generated += generated;
        self.stats.generated_not_closed += generated;
        self.stats.expanded += expanded;
        self.stats.max_frontier = self.stats.max_frontier.max(self.path.len() as u64);
        match progress {
            Progress::Ended => return self.solved(step),
            Progress::Running => self.current = Some(step),
            Progress::Layer(_) => {
                // A bound above the largest cost would let paths in whose cost does not fit.
                self.overflowed |= next_bound != u64::MAX && next_bound > u64::from(Cost::MAX);
                if next_bound > u64::from(Cost::MAX) {
                    return self.exhausted();
                }
                self.bound = next_bound;
            }
        }
        if self.stats.expanded >= PROOF_AFTER
            && !matches!(self.proof, Proof::NotNeeded)
            && self.prove(expansions.div_ceil(PROOF_SHARE))
        {
            self.stats.expanded_before_last_layer = self.expanded_before_iteration;
            self.outcome = Some(Outcome::Unsolvable);
            return Progress::Ended;
        }
        Progress::Running
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn outcome(&self) -> Option<&Outcome<S::Move>> {
        self.outcome.as_ref()
    }

    fn stop(&mut self, why: Stop) {
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome.get_or_insert(Outcome::Stopped { why, lower_bound: self.stats.layer });
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        let step = self.current.as_ref()?;
        let parent = step.came_by.map(|(m, undo)| {
            let mut before = self.state.clone();
            self.space.undo(&mut before, m, undo);
            self.space.pack(&before)
        });
        Some(Visit {
            state: self.space.pack(&self.state),
            parent,
            g: step.g,
            h: self.heuristic.estimate(step.eval).units().unwrap_or(0),
            scale: H::SCALE,
            backward: false,
        })
    }
}
