//! IDA* written down, and taken up again.
//!
//! A snapshot is the bound, the counts, and the path by the numbers of its moves: everything else follows when the path is
//! walked again. A dive that is under way begins anew, with what it had counted taken off. So a search that goes on
//! from a snapshot expands what an undisturbed one would, and counts the same.

use super::{Here, IdaStar, Proof, Step, Todo};
use crate::heuristic::Heuristic;
use crate::search::dive::{Depth, Top};
use crate::search::report::Stats;
use crate::search::steer::Steer;
use crate::space::{Cost, StateSpace};

/// Where an IDA* stands; see [`Search::snapshot`](crate::search::Search::snapshot).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    counts: Counts,
    bound: Cost,
    least_excess: u64,
    expanded_before_iteration: u64,
    dead_ends: bool,
    /// Whether nobody looks for a proof of unsolvability any more, and what it came upon.
    proof_is_over: bool,
    known: Option<Cost>,
    /// The length of the words that are left out.
    longest: u64,
    depth: [u64; 4],
    /// By their numbers among the moves of each state.
    path: Vec<u64>,
    /// What is to be done at the end of the path; `None` between two iterations.
    end: Option<End>,
}

/// The counts that IDA* takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counts {
    expanded: u64,
    generated: u64,
    iterations: u64,
    layer: Cost,
    peak_bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Go on with the moves from this number on.
    Walk(u64),
    Dive,
}

/// What comes first: changes whenever the meaning of the words does.
const FORM: u64 = 1;

impl Snapshot {
    /// How many states were expanded by then.
    pub fn expanded(&self) -> u64 {
        self.counts.expanded
    }

    /// The snapshot as plain numbers, to be kept.
    pub fn words(&self) -> Vec<u64> {
        let Counts { expanded, generated, iterations, layer, peak_bytes } = self.counts;
        let end = match self.end {
            None => [0, 0],
            Some(End::Walk(from)) => [1, from],
            Some(End::Dive) => [2, 0],
        };
        let head = [FORM, expanded, generated, iterations, layer.into(), peak_bytes, self.bound.into()];
        let known = self.known.map_or([0, 0], |cost| [1, cost.into()]);
        let flags = [self.dead_ends.into(), self.proof_is_over.into()];
        let rest = [self.least_excess, self.expanded_before_iteration, self.longest];
        let parts: [&[u64]; 7] = [&head, &known, &flags, &rest, &self.depth, &end, &self.path];
        parts.concat()
    }

    /// The snapshot that was kept; `None` if the numbers are none.
    pub fn from_words(words: &[u64]) -> Option<Self> {
        let (&[form, expanded, generated, iterations, layer, peak_bytes, bound], rest) = words.split_first_chunk()?;
        let (&[is_known, known, dead_ends, proof_is_over], rest) = rest.split_first_chunk()?;
        let (&[least_excess, expanded_before_iteration, longest], rest) = rest.split_first_chunk()?;
        let (&depth, rest) = rest.split_first_chunk()?;
        let (&[end, from], path) = rest.split_first_chunk()?;
        let is = |word: u64| [false, true].into_iter().find(|&is| u64::from(is) == word);
        let end = match (end, from) {
            (0, 0) if path.is_empty() => None,
            (1, from) => Some(End::Walk(from)),
            (2, 0) => Some(End::Dive),
            _ => return None,
        };
        let cost = |word: u64| Cost::try_from(word).ok();
        let counts = Counts { expanded, generated, iterations, layer: cost(layer)?, peak_bytes };
        (form == FORM && expanded_before_iteration <= expanded).then_some(Snapshot {
            counts,
            bound: cost(bound)?,
            least_excess,
            expanded_before_iteration,
            dead_ends: is(dead_ends)?,
            proof_is_over: is(proof_is_over)?,
            known: if is(is_known)? { Some(cost(known)?) } else { None },
            longest,
            depth,
            path: path.to_vec(),
            end,
        })
    }
}

impl<S: StateSpace, H: Heuristic<S>, P: Steer<S>> IdaStar<'_, S, H, P> {
    /// Where the search stands; `None` once it has ended.
    #[cold]
    pub(super) fn written_down(&mut self) -> Option<Snapshot> {
        if self.outcome.is_some() {
            return None;
        }
        let Stats { mut expanded, mut generated, iterations, layer, peak_bytes, .. } = self.stats;
        let came_by = self.path.last().map(|step| step.m);
        let end = match &mut self.here {
            None => None,
            Some(Todo::Walk(here)) => {
                // An iterator does not tell how far it is: what is left of it is counted, and it is made anew.
                let left = here.moves.by_ref().count();
                let from = moves_of(self.space, &self.state, came_by).into_iter().count() - left;
                here.moves = moves_of(self.space, &self.state, came_by).into_iter();
                skip(&mut here.moves, from);
                Some(End::Walk(from as u64))
            }
            Some(Todo::Dive(_)) => {
                let dived = self.dive.as_ref().expect("a dive has begun").tally();
                expanded -= dived.expanded;
                generated -= dived.generated;
                Some(End::Dive)
            }
        };
        Some(Snapshot {
            counts: Counts { expanded, generated, iterations, layer, peak_bytes },
            bound: self.bound,
            least_excess: self.least_excess,
            expanded_before_iteration: self.expanded_before_iteration,
            dead_ends: self.dead_ends,
            proof_is_over: matches!(self.proof, Proof::NotNeeded),
            known: self.known,
            longest: self.steer.longest() as u64,
            depth: self.depth.words(),
            path: self.path_by_numbers()?,
            end,
        })
    }

    fn path_by_numbers(&self) -> Option<Vec<u64>> {
        let mut state = self.start.clone();
        let mut came_by = None;
        let number = |step: &Step<S, H::Eval, P::Mark>| {
            let number = moves_of(self.space, &state, came_by).into_iter().position(|m| m == step.m)?;
            self.space.apply(&mut state, step.m);
            came_by = Some(step.m);
            Some(number as u64)
        };
        self.path.iter().map(number).collect()
    }

    /// Goes on from a snapshot; false if it is none of this search.
    #[cold]
    pub(super) fn taken_up(&mut self, snapshot: &Snapshot) -> bool {
        let fresh = self.outcome.is_none() && self.stats == Stats::default();
        fresh && snapshot.bound >= self.bound && self.walk_again(snapshot).is_some()
    }

    fn walk_again(&mut self, snapshot: &Snapshot) -> Option<()> {
        let (space, heuristic) = (self.space, self.heuristic);
        if self.steer.go_by(space, snapshot.longest as usize) {
            self.dive = heuristic.dive(space, self.steer.machine());
        }
        let Counts { expanded, generated, iterations, layer, peak_bytes } = snapshot.counts;
        let mut state = self.start.clone();
        let mut here: Here<S, H::Eval, P::Mark> = Here {
            moves: space.moves(&state).into_iter(),
            eval: heuristic.evaluate(space, &state),
            mark: self.steer.first(space, &state),
            room: snapshot.bound,
        };
        let mut path = Vec::with_capacity(snapshot.path.len());
        for &number in &snapshot.path {
            let m = here.moves.nth(usize::try_from(number).ok()?)?;
            let mark = self.steer.next(space, here.mark, m)?;
            let room = here.room.checked_sub(space.cost(&state, m))?;
            let undo = space.apply(&mut state, m);
            let eval = heuristic.advance(space, here.eval, &state, m);
            path.push(Step { m, undo, moves: here.moves, eval: here.eval, mark: here.mark });
            here = Here { moves: space.onward(&state, m).into_iter(), eval, mark, room };
        }
        let here = match snapshot.end {
            None => None,
            Some(End::Walk(from)) => {
                let from = usize::try_from(from).ok()?;
                (skip(&mut here.moves, from) == from).then_some(())?;
                Some(Todo::Walk(here))
            }
            Some(End::Dive) => {
                let came_by = path.last()?.m;
                let top = Top { state: &state, came_by, mark: P::number(here.mark), eval: here.eval, room: here.room };
                self.dive.as_mut()?.begin(top).then_some(())?;
                Some(Todo::Dive(here))
            }
        };
        self.depth = Depth::from_words(snapshot.depth)?;
        self.state = state;
        self.here = here;
        self.path = path;
        self.bound = snapshot.bound;
        self.least_excess = snapshot.least_excess;
        self.expanded_before_iteration = snapshot.expanded_before_iteration;
        self.dead_ends = snapshot.dead_ends;
        self.known = snapshot.known;
        if snapshot.proof_is_over {
            self.proof = Proof::NotNeeded;
        }
        self.stats =
            Stats { expanded, generated, generated_not_closed: generated, iterations, layer, peak_bytes, ..self.stats };
        Some(())
    }
}

/// The moves that the search tries in a state, in their order.
fn moves_of<S: StateSpace>(space: &S, state: &S::State, came_by: Option<S::Move>) -> S::Moves {
    match came_by {
        None => space.moves(state),
        Some(m) => space.onward(state, m),
    }
}

/// Takes so many off an iterator, or as many as there are; how many those were.
fn skip(moves: &mut impl Iterator, count: usize) -> usize {
    moves.by_ref().take(count).count()
}
