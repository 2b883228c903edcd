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

/// Expansions in one descent, and so levels of recursion: a few hundred kilobytes of stack.
const MOST_AT_ONCE: u64 = 4096;

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
        here: None,
        path: Vec::new(),
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
    /// The state at the end of the path, and what is still to be done there; `None` between two iterations.
    state: S::State,
    here: Option<Here<S, H::Eval>>,
    path: Vec<Step<S, H::Eval>>,
    bound: u64,
    next_bound: u64,
    expanded_before_iteration: u64,
    overflowed: bool,
    dead_ends: bool,
    proof: Proof<'a, S>,
    stats: Stats,
    outcome: Option<Outcome<S::Move>>,
}

/// The end of the path.
struct Here<S: StateSpace, E> {
    /// The moves still to try.
    moves: <S::Moves as IntoIterator>::IntoIter,
    eval: E,
    g: Cost,
}

/// A step of the path: the move, and what was still to be done where it was made.
struct Step<S: StateSpace, E> {
    m: S::Move,
    undo: S::Undo,
    moves: <S::Moves as IntoIterator>::IntoIter,
    eval: E,
}

/// The recursion: everything below a state, as far as the bound and the expansions allow. It is twice as fast as a
/// loop over a stack of its own. The state is handed down and back, not borrowed, so that a small one stays in
/// registers. A descent that breaks off leaves its steps behind, last first, and the next one goes on from there.
struct Descent<'a, S: StateSpace, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    bound: u64,
    next_bound: u64,
    generated: u64,
    /// Expansions that may still be made. Each level takes one, so this limits the depth as well.
    left: u64,
    dead_ends: bool,
    /// Where it broke off, if it did.
    end: Option<End<S, H::Eval>>,
    unwound: Vec<Step<S, H::Eval>>,
}

/// Why and where a descent broke off.
enum End<S: StateSpace, E> {
    Goal(Cost),
    Paused(Here<S, E>),
}

impl<S: StateSpace, H: Heuristic<S>> Descent<'_, S, H> {
    fn below(
        &mut self,
        mut state: S::State,
        came_by: Option<S::Move>,
        mut moves: <S::Moves as IntoIterator>::IntoIter,
        eval: H::Eval,
        g: Cost,
    ) -> S::State {
        let (space, heuristic) = (self.space, self.heuristic);
        let way_back = if S::ONWARD_IS_ONWARD { None } else { came_by.and_then(|m| space.inverse(m)) };
        while let Some(m) = moves.next() {
            if !S::ONWARD_IS_ONWARD && Some(m) == way_back {
                continue;
            }
            self.generated += 1;
            let cost = space.cost(&state, m);
            debug_assert!(cost > 0, "moves cost at least 1");
            let undo = space.apply(&mut state, m);
            let next = heuristic.advance(space, eval, &state, m);
            let Some(h) = heuristic.estimate(next).rounded_up(H::SCALE) else {
                self.dead_ends = true;
                space.undo(&mut state, m, undo);
                continue;
            };
            let f = u64::from(g) + u64::from(cost) + u64::from(h);
            if f > self.bound {
                self.next_bound = self.next_bound.min(f);
                space.undo(&mut state, m, undo);
                continue;
            }
            if space.is_goal(&state) {
                self.end = Some(End::Goal(g + cost));
            } else {
                self.left -= 1;
                let onward = space.onward(&state, m).into_iter();
                if self.left == 0 {
                    self.end = Some(End::Paused(Here { moves: onward, eval: next, g: g + cost }));
                } else {
                    state = self.below(state, Some(m), onward, next, g + cost);
                }
            }
            if self.end.is_some() {
                self.unwound.push(Step { m, undo, moves, eval });
                return state;
            }
            space.undo(&mut state, m, undo);
        }
        state
    }
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
        self.here = Some(Here {
            moves: self.space.moves(&self.state).into_iter(),
            eval: self.heuristic.evaluate(self.space, &self.state),
            g: 0,
        });
        if self.properties.admissible {
            self.stats.layer = self.bound as Cost;
        }
        Progress::Layer(self.stats.layer)
    }

    #[cold]
    fn solved(&mut self, cost: Cost) -> Progress {
        let moves = self.path.iter().map(|step| step.m).collect();
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
        let Some(mut here) = self.here.take() else {
            return self.begin_iteration();
        };
        let expansions = expansions.min(MOST_AT_ONCE);
        let mut descent = Descent {
            space: self.space,
            heuristic: self.heuristic,
            bound: self.bound,
            next_bound: self.next_bound,
            generated: 0,
            left: expansions,
            dead_ends: self.dead_ends,
            end: None,
            unwound: Vec::new(),
        };
        let mut state = self.state.clone();
        // Everything below the end of the path, then what is left one step higher, and so on.
        let end = loop {
            let came_by = self.path.last().map(|step| step.m);
            state = descent.below(state, came_by, here.moves, here.eval, here.g);
            if descent.end.is_some() {
                break descent.end;
            }
            let Some(Step { m, undo, moves, eval }) = self.path.pop() else { break None };
            self.space.undo(&mut state, m, undo);
            here = Here { moves, eval, g: here.g - self.space.cost(&state, m) };
        };
        self.state = state;
        self.path.extend(descent.unwound.into_iter().rev());
        self.next_bound = descent.next_bound;
        self.dead_ends = descent.dead_ends;
        self.stats.generated += descent.generated;
        self.stats.generated_not_closed += descent.generated;
        self.stats.expanded += expansions - descent.left;
        self.stats.max_frontier = self.path.len() as u64;
        match end {
            Some(End::Goal(cost)) => return self.solved(cost),
            Some(End::Paused(here)) => self.here = Some(here),
            // A bound above the largest cost would let paths in whose cost does not fit.
            None if self.next_bound > u64::from(Cost::MAX) => {
                self.overflowed = self.next_bound != u64::MAX;
                return self.exhausted();
            }
            None => self.bound = self.next_bound,
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
        if self.outcome.is_some() {
            return;
        }
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome = Some(Outcome::Stopped { why, lower_bound: self.stats.layer });
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        let here = self.here.as_ref()?;
        let parent = self.path.last().map(|step| {
            let mut before = self.state.clone();
            self.space.undo(&mut before, step.m, step.undo);
            self.space.pack(&before)
        });
        Some(Visit {
            state: self.space.pack(&self.state),
            parent,
            g: here.g,
            h: self.heuristic.estimate(here.eval).units().unwrap_or(0),
            scale: H::SCALE,
            backward: false,
        })
    }
}
