//! IDA*: depth-first searches with a growing bound on `g + h`.
//!
//! Korf (1985). One state is changed in place; beside it stands the path, each step with its moves still to try and
//! what the heuristic carries along. Nothing is allocated but the path, and what a [`Dive`] works with where the heuristic
//! has one. A tree search cannot see that it goes in circles, so an unsolvable instance would raise the bound for ever:
//! after a few million expansions a breadth-first search runs beside it, and if that goes through the whole space without
//! a goal there is none.

mod snapshot;

use super::bfs::{Bfs, bfs};
use super::dive::{Depth, Dive, Dived, Top};
use super::report::{Guarantee, Limits, Outcome, Solution, Stats, Stop};
use super::signal::Signal;
use super::steer::{Plain, Pruned, Steer};
use super::{Progress, Search, Visit};
use crate::heuristic::{Heuristic, Properties};
use crate::space::{Cost, StateSpace};
pub use snapshot::Snapshot;

/// Expansions before the search for a proof of unsolvability begins: by then most solvable instances are solved.
const PROOF_AFTER: u64 = 1 << 22;
/// One expansion for the proof in so many.
const PROOF_SHARE: u64 = 8;
/// What the proof may hold, unless the limit on memory is tighter.
const PROOF_BYTES: u64 = 1 << 30;

/// Expansions in one descent, and so levels of recursion: a few hundred kilobytes of stack.
const MOST_AT_ONCE: u64 = 4096;
/// Whoever asks for fewer expansions than this at a time wants to see each of them.
const LEAST_FOR_DIVES: u64 = 1024;

/// Expansions after which more of them are to be expected than it takes to bring a heuristic's tables into a better place.
const SETTLE_AFTER: u64 = 1 << 28;

/// IDA*: a cheapest path if the heuristic is admissible, in almost no memory. Only the way straight back is left out, so
/// that its counts are those of the literature.
///
/// An instance without a solution is proved to have none where every reachable state fits into the memory limit (one
/// gibibyte unless a tighter one is given); otherwise the search goes on until a limit stops it.
pub fn idastar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    limits: &Limits,
) -> IdaStar<'a, S, H, Plain> {
    IdaStar::new(space, start, heuristic, Plain, limits)
}

/// IDA* that leaves out sequences of moves which other sequences make unnecessary, where the space knows of such
/// ([`StateSpace::pruning`]): as good an answer from far fewer states.
pub fn idastar_pruned<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    limits: &Limits,
) -> IdaStar<'a, S, H, Pruned> {
    IdaStar::new(space, start, heuristic, Pruned::default(), limits)
}

/// IDA* under way; see [`idastar`] and [`idastar_pruned`].
pub struct IdaStar<'a, S: StateSpace, H: Heuristic<S>, P: Steer<S>> {
    space: &'a S,
    heuristic: &'a H,
    steer: P,
    properties: Properties,
    start: S::State,
    /// The state at the end of the path, and what is still to be done there; `None` between two iterations.
    state: S::State,
    here: Option<Todo<S, H::Eval, P::Mark>>,
    path: Vec<Step<S, H::Eval, P::Mark>>,
    dive: Option<Box<dyn Dive<S, H::Eval> + 'a>>,
    depth: Depth,
    bound: Cost,
    /// By how much the cheapest path that was cut off in this iteration exceeds the bound.
    least_excess: u64,
    expanded_before_iteration: u64,
    overflowed: bool,
    dead_ends: bool,
    proof: Proof<'a, S>,
    proof_bytes: u64,
    most_bytes: u64,
    /// What the heuristic took for itself when the search had lasted.
    settled_bytes: Option<u64>,
    /// The cost of a solution that the proof came upon, and the solution unless that was in an earlier run.
    known: Option<Cost>,
    best: Option<Solution<S::Move>>,
    signal: Signal,
    stats: Stats,
    outcome: Option<Outcome<S::Move>>,
}

/// What is to be done at the end of the path.
enum Todo<S: StateSpace, E, M> {
    /// The moves that are left; the state is expanded.
    Walk(Here<S, E, M>),
    /// The rest of a dive, or all moves if that finds a goal; the state is not expanded yet.
    Dive(Here<S, E, M>),
}

/// The end of the path.
struct Here<S: StateSpace, E, M> {
    /// The moves still to try.
    moves: <S::Moves as IntoIterator>::IntoIter,
    eval: E,
    mark: M,
    /// What the bound leaves for the rest of the path.
    room: Cost,
}

/// A step of the path: the move, and what was still to be done where it was made.
struct Step<S: StateSpace, E, M> {
    m: S::Move,
    undo: S::Undo,
    moves: <S::Moves as IntoIterator>::IntoIter,
    eval: E,
    mark: M,
}

/// The recursion: everything below a state, as far as the bound and the expansions allow. It is twice as fast as a
/// loop over a stack of its own. The state is handed down and back, not borrowed, so that a small one stays in
/// registers. A descent that breaks off leaves its steps behind, last first, and the next one goes on from there.
struct Descent<'a, 'd, S: StateSpace, H: Heuristic<S>, P: Steer<S>> {
    space: &'a S,
    heuristic: &'a H,
    steer: &'d P,
    dive: Option<&'d mut (dyn Dive<S, H::Eval> + 'a)>,
    depth: &'d mut Depth,
    /// By how much the cheapest of the paths that were not followed exceeds the bound.
    least_excess: u64,
    /// Successors that were not followed; the others were expanded or the goal.
    pruned: u64,
    /// Expansions that may still be made. Each level takes one, so this limits the depth as well.
    left: u64,
    dives: Dives,
    dead_ends: bool,
    /// Where it broke off, if it did.
    end: Option<End<S, H::Eval, P::Mark>>,
    unwound: Vec<Step<S, H::Eval, P::Mark>>,
}

/// What dives did in one descent.
#[derive(Default)]
struct Dives {
    expanded: u64,
    generated: u64,
    /// Of the work of earlier descents, what counts no more because a dive came upon a goal.
    void_expanded: u64,
    void_generated: u64,
}

/// Why and where a descent broke off.
enum End<S: StateSpace, E, M> {
    Goal { room: Cost },
    Paused(Todo<S, E, M>),
}

impl<S: StateSpace, H: Heuristic<S>, P: Steer<S>> Descent<'_, '_, S, H, P> {
    /// `room` is what the bound leaves for the rest of the path.
    fn below(&mut self, mut state: S::State, came_by: Option<S::Move>, here: Here<S, H::Eval, P::Mark>) -> S::State {
        let (space, heuristic) = (self.space, self.heuristic);
        let Here { mut moves, eval, mark, room } = here;
        let way_back = if S::ONWARD_IS_ONWARD { None } else { came_by.and_then(|m| space.inverse(m)) };
        while let Some(m) = moves.next() {
            if !S::ONWARD_IS_ONWARD && Some(m) == way_back {
                continue;
            }
            let Some(next_mark) = self.steer.next(space, mark, m) else { continue };
            let cost = space.cost(&state, m);
            debug_assert!(cost > 0, "moves cost at least 1");
            let undo = space.apply(&mut state, m);
            let next = heuristic.advance(space, eval, &state, m);
            let Some(h) = heuristic.estimate(next).rounded_up(H::SCALE) else {
                self.dead_ends = true;
                self.pruned += 1;
                space.undo(&mut state, m, undo);
                continue;
            };
            let needed = u64::from(cost) + u64::from(h);
            if needed > u64::from(room) {
                self.pruned += 1;
                // Rarely true, so a branch is cheaper than always writing the smaller one.
                let excess = needed - u64::from(room);
                if excess < self.least_excess {
                    self.least_excess = excess;
                }
                space.undo(&mut state, m, undo);
                continue;
            }
            let parent_room = room;
            let room = room - cost;
            if space.is_goal(&state) {
                self.end = Some(End::Goal { room });
            } else {
                let here = Here { moves: space.onward(&state, m).into_iter(), eval: next, mark: next_mark, room };
                match self.dive(&state, m, &here) {
                    Dived::Through => {
                        space.undo(&mut state, m, undo);
                        if self.left == 0 {
                            let rest = Here { moves, eval, mark, room: parent_room };
                            self.end = Some(End::Paused(Todo::Walk(rest)));
                            return state;
                        }
                        continue;
                    }
                    Dived::Partly => self.end = Some(End::Paused(Todo::Dive(here))),
                    Dived::Goal => {
                        self.left -= 1;
                        if self.left == 0 {
                            self.end = Some(End::Paused(Todo::Walk(here)));
                        } else {
                            state = self.below(state, Some(m), here);
                        }
                    }
                }
            }
            if self.end.is_some() {
                self.unwound.push(Step { m, undo, moves, eval, mark });
                return state;
            }
            space.undo(&mut state, m, undo);
        }
        state
    }

    /// Dives below a state if it lies deep enough. As long as no dive has been there, there may be a goal.
    #[inline]
    fn dive(&mut self, state: &S::State, came_by: S::Move, here: &Here<S, H::Eval, P::Mark>) -> Dived {
        if self.depth.is_deep_enough(here.room) { self.begin_dive(state, came_by, here) } else { Dived::Goal }
    }

    #[cold]
    #[inline(never)]
    fn begin_dive(&mut self, state: &S::State, came_by: S::Move, here: &Here<S, H::Eval, P::Mark>) -> Dived {
        let Some(dive) = &mut self.dive else { return Dived::Goal };
        let top = Top { state, came_by, mark: P::number(here.mark), eval: here.eval, room: here.room };
        if !dive.begin(top) {
            return Dived::Goal;
        }
        // The first state is a successor that the walk has produced.
        self.dives.generated += 1;
        let dived = self.go_on_diving(here.room);
        if dived == Dived::Goal {
            self.dives.generated -= 1;
        }
        dived
    }

    /// Goes on with a dive that began with so much room. If that comes upon a goal it has never been.
    fn go_on_diving(&mut self, room: Cost) -> Dived {
        let dive = self.dive.as_mut().expect("a dive has begun");
        let before = dive.tally();
        let dived = dive.advance(self.left);
        let tally = dive.tally();
        if dived == Dived::Goal {
            self.dives.void_expanded += before.expanded;
            self.dives.void_generated += before.generated;
            return dived;
        }
        self.left -= tally.expanded - before.expanded;
        self.dives.expanded += tally.expanded - before.expanded;
        self.dives.generated += tally.generated - before.generated;
        if dived == Dived::Through {
            self.least_excess = self.least_excess.min(tally.least_excess);
            self.depth.learn(room, tally.expanded);
        }
        dived
    }
}

/// The breadth-first search that may prove that there is no solution.
enum Proof<'a, S: StateSpace> {
    NotNeeded,
    Later(Limits),
    Running(Box<Bfs<'a, S>>, Limits),
}

impl<'a, S: StateSpace, H: Heuristic<S>, P: Steer<S>> IdaStar<'a, S, H, P> {
    fn new(space: &'a S, start: S::State, heuristic: &'a H, steer: P, limits: &Limits) -> Self {
        let eval = heuristic.evaluate(space, &start);
        let solvable = space.solvable(&start);
        let bound = heuristic.estimate(eval).rounded_up(H::SCALE);
        let proof = match solvable {
            Some(_) => Proof::NotNeeded,
            None => Proof::Later(Limits { bytes: Some(limits.bytes.unwrap_or(u64::MAX).min(PROOF_BYTES)), ..*limits }),
        };
        let dive = heuristic.dive(space, steer.machine());
        let mut search = IdaStar {
            space,
            heuristic,
            properties: heuristic.properties(space),
            state: start.clone(),
            start,
            here: None,
            path: Vec::new(),
            depth: Depth::new(dive.is_some()),
            dive,
            steer,
            bound: bound.unwrap_or(0),
            least_excess: u64::MAX,
            expanded_before_iteration: 0,
            overflowed: false,
            dead_ends: false,
            proof,
            proof_bytes: 0,
            most_bytes: limits.bytes.unwrap_or(u64::MAX),
            settled_bytes: None,
            known: None,
            best: None,
            signal: Signal::default(),
            stats: Stats::default(),
            outcome: None,
        };
        if solvable == Some(false) {
            search.outcome = Some(Outcome::Unsolvable);
        } else if bound.is_none() {
            search.dead_ends = true;
            search.exhausted();
        } else if space.is_goal(&search.start) {
            let guarantee = search.guarantee();
            search.outcome = Some(Outcome::Solved(Solution { cost: 0, moves: Vec::new(), guarantee }));
        }
        search
    }

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

    /// How many expansions the proof is behind. It has its share of every [`MOST_AT_ONCE`] expansions, so that the same
    /// search ends at the same state however it is asked for them.
    fn proof_is_owed(&self) -> u64 {
        let whole = self.stats.expanded / MOST_AT_ONCE * MOST_AT_ONCE;
        let share = whole.saturating_sub(PROOF_AFTER) / PROOF_SHARE;
        match &self.proof {
            Proof::NotNeeded => 0,
            Proof::Later(_) => share,
            Proof::Running(proof, _) => share.saturating_sub(proof.stats().expanded),
        }
    }

    /// Goes on with the proof; true if there is no solution.
    #[cold]
    fn prove(&mut self, expansions: u64) -> bool {
        if let Proof::Later(limits) = self.proof {
            self.proof = Proof::Running(Box::new(bfs(self.space, self.start.clone(), &limits)), limits);
        }
        let Proof::Running(proof, limits) = &mut self.proof else { return false };
        proof.heed(&self.signal);
        let until = proof.stats().expanded + expansions;
        while proof.outcome().is_none() && proof.stats().expanded < until {
            proof.advance(until - proof.stats().expanded);
        }
        self.proof_bytes = proof.stats().bytes;
        match proof.outcome() {
            None => false,
            Some(Outcome::Unsolvable) => true,
            // The whole search is to end; if it is taken up again, so is the proof.
            Some(Outcome::Stopped { why: Stop::Time | Stop::Interrupted, .. }) => {
                self.proof = Proof::Later(*limits);
                false
            }
            // There is a goal, or the space is too large to tell.
            Some(outcome) => {
                self.known = outcome.cost();
                self.best = outcome.solution().cloned();
                self.proof = Proof::NotNeeded;
                self.proof_bytes = 0;
                false
            }
        }
    }

    #[cold]
    fn proved_unsolvable(&mut self) -> Progress {
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome = Some(Outcome::Unsolvable);
        Progress::Ended
    }

    fn begin_iteration(&mut self) -> Progress {
        // A solution within the bound was passed over, so the heuristic has called a state on its path a dead end.
        if self.dead_ends && self.known.is_some_and(|cost| cost < self.bound) {
            return self.exhausted();
        }
        let learnt = self.steer.learn(self.space, self.stats.expanded + 1, &self.signal);
        // Without an answer it is to end: the iteration has not begun.
        let (Some(learnt), Some(settled)) = (learnt, self.settle()) else { return Progress::Running };
        if learnt || settled {
            self.dive = self.heuristic.dive(self.space, self.steer.machine());
        }
        self.stats.iterations += 1;
        self.depth.begin(self.stats.expanded - self.expanded_before_iteration);
        self.expanded_before_iteration = self.stats.expanded;
        self.least_excess = u64::MAX;
        self.state = self.start.clone();
        self.stats.expanded += 1;
        self.here = Some(Todo::Walk(Here {
            moves: self.space.moves(&self.state).into_iter(),
            eval: self.heuristic.evaluate(self.space, &self.state),
            mark: self.steer.first(self.space, &self.state),
            room: self.bound,
        }));
        if self.properties.admissible {
            self.stats.layer = self.bound;
        }
        Progress::Layer(self.stats.layer)
    }

    /// Has the heuristic settle when the time has come; true if it did, `None` if the search is to end.
    fn settle(&mut self) -> Option<bool> {
        if self.settled_bytes.is_some() || self.stats.expanded < SETTLE_AFTER {
            return Some(false);
        }
        let most = self.most_bytes.saturating_sub(self.proof_bytes);
        let bytes = self.heuristic.settle(most, &mut || self.signal.stop().is_some())?;
        self.settled_bytes = Some(bytes);
        Some(bytes > 0)
    }

    #[cold]
    fn solved(&mut self, cost: Cost) -> Progress {
        let moves = self.path.iter().map(|step| step.m).collect();
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome = Some(Outcome::Solved(Solution { cost, moves, guarantee: self.guarantee() }));
        Progress::Ended
    }
}

impl<S: StateSpace, H: Heuristic<S>, P: Steer<S>> Search<S> for IdaStar<'_, S, H, P> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        // Behind is the proof only after the search was taken up from a snapshot.
        let owed = self.proof_is_owed();
        if owed > 0 {
            return if self.prove(owed.min(MOST_AT_ONCE)) { self.proved_unsolvable() } else { Progress::Running };
        }
        let Some(mut todo) = self.here.take() else {
            return self.begin_iteration();
        };
        let expansions = expansions.min(MOST_AT_ONCE);
        let mut no_dives = Depth::new(false);
        let in_steps = expansions < LEAST_FOR_DIVES;
        let mut descent = Descent {
            space: self.space,
            heuristic: self.heuristic,
            steer: &self.steer,
            dive: self.dive.as_deref_mut(),
            depth: if in_steps { &mut no_dives } else { &mut self.depth },
            least_excess: self.least_excess,
            pruned: 0,
            left: expansions,
            dives: Dives::default(),
            dead_ends: self.dead_ends,
            end: None,
            unwound: Vec::new(),
        };
        let mut state = self.state.clone();
        // Everything below the end of the path, then what is left one step higher, and so on.
        let end = loop {
            let came_by = self.path.last().map(|step| step.m);
            let room = match todo {
                Todo::Walk(here) => {
                    let room = here.room;
                    state = descent.below(state, came_by, here);
                    room
                }
                Todo::Dive(here) => {
                    let room = here.room;
                    match descent.go_on_diving(room) {
                        Dived::Through => {}
                        Dived::Partly => descent.end = Some(End::Paused(Todo::Dive(here))),
                        Dived::Goal => {
                            // It is not a state that the walk has produced in this descent.
                            descent.dives.void_generated += 1;
                            descent.left -= 1;
                            todo = Todo::Walk(here);
                            if descent.left == 0 {
                                break Some(End::Paused(todo));
                            }
                            continue;
                        }
                    }
                    room
                }
            };
            if descent.end.is_some() {
                break descent.end;
            }
            let Some(Step { m, undo, moves, eval, mark }) = self.path.pop() else { break None };
            self.space.undo(&mut state, m, undo);
            let room = room + self.space.cost(&state, m);
            todo = Todo::Walk(Here { moves, eval, mark, room });
            if descent.left == 0 {
                break Some(End::Paused(todo));
            }
        };
        self.state = state;
        self.path.extend(descent.unwound.into_iter().rev());
        self.least_excess = descent.least_excess;
        self.dead_ends = descent.dead_ends;
        let Dives { expanded: dived, generated, void_expanded, void_generated } = descent.dives;
        let expanded = expansions - descent.left;
        let walked = expanded - dived;
        let generated = generated + descent.pruned + walked + u64::from(matches!(end, Some(End::Goal { .. })));
        self.stats.generated = self.stats.generated + generated - void_generated;
        self.stats.generated_not_closed = self.stats.generated;
        self.stats.expanded = self.stats.expanded + expanded - void_expanded;
        self.stats.max_frontier = self.path.len() as u64;
        self.stats.bytes = self.proof_bytes + self.settled_bytes.unwrap_or(0);
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.stats.bytes);
        match end {
            Some(End::Goal { room }) => return self.solved(self.bound - room),
            Some(End::Paused(todo)) => self.here = Some(todo),
            None if self.least_excess == u64::MAX => return self.exhausted(),
            None => match Cost::try_from(u64::from(self.bound) + self.least_excess) {
                Ok(bound) => self.bound = bound,
                // A bound above the largest cost would let paths in whose cost does not fit.
                Err(_) => {
                    self.overflowed = true;
                    return self.exhausted();
                }
            },
        }
        let owed = self.proof_is_owed();
        if owed > 0 && self.prove(owed) { self.proved_unsolvable() } else { Progress::Running }
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

    fn heed(&mut self, signal: &Signal) {
        self.signal = signal.clone();
    }

    fn best(&self) -> Option<Solution<S::Move>> {
        self.best.clone()
    }

    fn snapshot(&mut self) -> Option<Snapshot> {
        self.written_down()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        self.taken_up(snapshot)
    }

    fn begin_at(&mut self, bound: Cost) {
        if self.properties.admissible && self.stats.iterations == 0 && bound > self.bound {
            self.bound = bound;
            self.depth.be_cautious();
        }
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        let Some(Todo::Walk(here)) = &self.here else { return None };
        let parent = self.path.last().map(|step| {
            let mut before = self.state.clone();
            self.space.undo(&mut before, step.m, step.undo);
            self.space.pack(&before)
        });
        Some(Visit {
            state: self.space.pack(&self.state),
            parent,
            g: self.bound - here.room,
            h: self.heuristic.estimate(here.eval).units().unwrap_or(0),
            scale: H::SCALE,
            backward: false,
        })
    }
}
