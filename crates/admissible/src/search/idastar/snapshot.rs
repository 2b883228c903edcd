//! IDA* written down, and taken up again.
//!
//! A snapshot is the bound, the counts, the trees, and the path of every walk by the numbers of its moves: everything
//! else follows when the paths are walked again. A subtree search that is under way begins anew, with what it had
//! counted taken off. So a search that goes on from a snapshot expands what an undisturbed one would, and counts the
//! same.

use super::descent::{Here, Step, Todo};
use super::iterations::Iterations;
use super::trees::{Reached, Tree};
use super::walker::{Guide, Trail};
use super::work::{Counted, Problem};
use crate::heuristic::Heuristic;
use crate::search::move_pruning::MovePruning;
use crate::search::report::Stats;
use crate::search::subtree::{self, Depth};
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
    /// Trees that took more than this are cut.
    cut_above: u64,
    /// The trees that are ahead, and those that were begun.
    trees: [Vec<Top>; 2],
    /// What is to be done in those that were begun; nothing between two iterations.
    walks: Vec<Walk>,
}

/// A tree, by the way to its top.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Top {
    needs: u64,
    reached: Reached,
    /// The moves by their numbers among those of each state.
    path: Vec<u64>,
}

/// A path, and what is to be done at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Walk {
    end: End,
    tree: Option<usize>,
    reached: Reached,
    /// The moves by their numbers among those of each state, and [`OVER`] if the moves after it are nobody's here.
    path: Vec<u64>,
}

/// The bit of a move's number that says that the others were given away, or tried.
const OVER: u64 = 1 << 32;

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
    Subtree,
}

/// What comes first: changes whenever the meaning of the words does.
const FORM: u64 = 3;

impl Snapshot {
    /// How many states were expanded by then.
    pub fn expanded(&self) -> u64 {
        self.counts.expanded
    }

    /// The snapshot as plain numbers, to be kept.
    pub fn words(&self) -> Vec<u64> {
        let Counts { expanded, generated, iterations, layer, peak_bytes } = self.counts;
        let head = [FORM, expanded, generated, iterations, layer.into(), peak_bytes, self.bound.into()];
        let known = self.known.map_or([0, 0], |cost| [1, cost.into()]);
        let flags = [self.dead_ends.into(), self.proof_is_over.into()];
        let rest = [self.least_excess, self.expanded_before_iteration, self.longest, self.cut_above];
        let parts: [&[u64]; 5] = [&head, &known, &flags, &rest, &self.depth];
        let mut words = parts.concat();
        let counted = |path: &[u64]| [&[path.len() as u64], path].concat();
        let reached = |reached: Reached| [reached.least_room.into(), reached.expanded];
        for trees in &self.trees {
            words.push(trees.len() as u64);
            for top in trees {
                words.push(top.needs);
                words.extend(reached(top.reached));
                words.extend(counted(&top.path));
            }
        }
        for walk in &self.walks {
            words.extend(match walk.end {
                End::Walk(from) => [1, from],
                End::Subtree => [2, 0],
            });
            // The trees are numbered from 1 on here.
            words.push(walk.tree.map_or(0, |tree| tree as u64 + 1));
            words.extend(reached(walk.reached));
            words.extend(counted(&walk.path));
        }
        words
    }

    /// The snapshot that was kept; `None` if the numbers are none.
    pub fn from_words(words: &[u64]) -> Option<Self> {
        let (&[form, expanded, generated, iterations, layer, peak_bytes, bound], rest) = words.split_first_chunk()?;
        let (&[is_known, known, dead_ends, proof_is_over], rest) = rest.split_first_chunk()?;
        let (&[least_excess, expanded_before_iteration, longest, cut_above], rest) = rest.split_first_chunk()?;
        let (&depth, mut rest) = rest.split_first_chunk()?;
        let cost = |word: u64| Cost::try_from(word).ok();
        let reached = |least_room: u64, expanded: u64| Some(Reached { least_room: cost(least_room)?, expanded });
        let mut trees = [Vec::new(), Vec::new()];
        for trees in &mut trees {
            let (&many, after) = rest.split_first()?;
            rest = after;
            for _ in 0..many {
                let (&[needs, least_room, expanded, length], after) = rest.split_first_chunk()?;
                let (path, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
                trees.push(Top { needs, reached: reached(least_room, expanded)?, path: path.to_vec() });
                rest = after;
            }
        }
        let is = |word: u64| [false, true].into_iter().find(|&is| u64::from(is) == word);
        let mut walks = Vec::new();
        while !rest.is_empty() {
            let (&[end, from, tree, least_room, expanded, length], after) = rest.split_first_chunk()?;
            let end = match (end, from) {
                (1, from) => End::Walk(from),
                (2, 0) => End::Subtree,
                _ => return None,
            };
            let (path, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
            let tree = tree.checked_sub(1).map(usize::try_from).transpose().ok()?;
            if tree.is_some_and(|tree| tree >= trees[1].len()) {
                return None;
            }
            walks.push(Walk { end, tree, reached: reached(least_room, expanded)?, path: path.to_vec() });
            rest = after;
        }
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
            cut_above,
            trees,
            walks,
        })
    }
}

impl<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Iterations<'_, S, H, P> {
    /// Where the search stands; `None` once it has ended.
    #[cold]
    pub(super) fn written_down(&mut self) -> Option<Snapshot> {
        if self.outcome.is_some() {
            return None;
        }
        let Stats { mut expanded, mut generated, iterations, layer, peak_bytes, .. } = self.stats;
        let (guide, start) = (self.problem.guide(), &self.problem.start);
        let mut walks = Vec::new();
        for walker in &mut self.work.walkers {
            let Some(todo) = &mut walker.here else { continue };
            let mut reached = walker.reached;
            if let Todo::Subtree(_) = todo {
                let progress = walker.subtree.as_ref().expect("a subtree search has begun").tally();
                expanded -= progress.expanded;
                generated -= progress.generated;
                reached.expanded -= progress.expanded;
            }
            let (end, path) = walk_of(guide, start, &mut walker.path, todo)?;
            walks.push(Walk { end, path, tree: walker.tree, reached });
        }
        for trail in &mut self.work.waiting {
            let (end, path) = walk_of(guide, start, &mut trail.path, &mut trail.todo)?;
            walks.push(Walk { end, path, tree: trail.tree, reached: trail.reached });
        }
        let top = |tree: &Tree<S::Move, H::Eval>| {
            Some(Top { needs: tree.needs, reached: tree.reached, path: numbers_of(guide, start, &tree.path)? })
        };
        let tops = |trees: &[Tree<S::Move, H::Eval>]| trees.iter().map(top).collect::<Option<Vec<_>>>();
        let trees = [tops(&self.work.trees.ahead)?, tops(&self.work.trees.begun)?];
        Some(Snapshot {
            counts: Counts { expanded, generated, iterations, layer, peak_bytes },
            bound: self.bound.cost,
            least_excess: self.bound.least_excess,
            expanded_before_iteration: self.expanded_before_iteration,
            dead_ends: self.bound.dead_ends,
            proof_is_over: self.proof.is_over(),
            known: self.proof.known,
            longest: self.problem.pruning.longest() as u64,
            depth: self.work.walkers[0].depth.words(),
            cut_above: self.work.trees.cut_above,
            trees,
            walks,
        })
    }

    /// Goes on from a snapshot; false if it is none of this search.
    #[cold]
    pub(super) fn taken_up(&mut self, snapshot: &Snapshot) -> bool {
        let fresh = self.outcome.is_none() && self.stats == Stats::default();
        fresh && snapshot.bound >= self.bound.cost && self.walk_again(snapshot).is_some()
    }

    fn walk_again(&mut self, snapshot: &Snapshot) -> Option<()> {
        let space = self.problem.space;
        if self.problem.pruning.use_length(space, snapshot.longest as usize) {
            self.work.renew_subtree_searches(&self.problem);
        }
        let Counts { expanded, generated, iterations, layer, peak_bytes } = snapshot.counts;
        let trails = snapshot.walks.iter().map(|walk| self.trail(walk, snapshot.bound)).collect::<Option<_>>()?;
        let guide = self.problem.guide();
        let tree = |top: &Top| {
            let (path, eval) = way_by(guide, &self.problem.start, &top.path)?;
            Some(Tree { path: path.into(), eval, needs: top.needs, reached: top.reached })
        };
        let trees = |tops: &[Top]| tops.iter().map(tree).collect::<Option<Vec<_>>>();
        let trees = [trees(&snapshot.trees[0])?, trees(&snapshot.trees[1])?];
        self.work.walkers[0].depth = Depth::from_words(snapshot.depth)?;
        self.work.trees.replace(trees, snapshot.cut_above);
        self.work.waiting = trails;
        self.work.earlier = Counted { expanded, generated };
        self.work.is_shared = self.work.is_worth_sharing(expanded, self.is_large());
        self.bound.cost = snapshot.bound;
        self.bound.least_excess = snapshot.least_excess;
        self.expanded_before_iteration = snapshot.expanded_before_iteration;
        self.bound.dead_ends = snapshot.dead_ends;
        self.proof.known = snapshot.known;
        if snapshot.proof_is_over {
            self.proof.end();
        }
        self.stats =
            Stats { expanded, generated, generated_not_closed: generated, iterations, layer, peak_bytes, ..self.stats };
        Some(())
    }

    /// What is to be done along a path; `None` if there is no such path here.
    fn trail(&mut self, walk: &Walk, bound: Cost) -> Option<Trail<S, H::Eval, P::Memory>> {
        let Problem { space, heuristic, ref pruning, .. } = self.problem;
        let mut state = self.problem.start.clone();
        let mut here: Here<S, H::Eval, P::Memory> = Here {
            moves: space.moves(&state).into_iter(),
            eval: heuristic.evaluate(space, &state),
            memory: pruning.first(space, &state),
            room: bound,
        };
        let mut path = Vec::with_capacity(walk.path.len());
        for &number in &walk.path {
            let m = here.moves.nth(usize::try_from(number & !OVER).ok()?)?;
            if number & OVER != 0 {
                here.moves.by_ref().for_each(drop);
            }
            let room = here.room.checked_sub(space.cost(&state, m))?;
            let came_by = path.last().map(|step: &Step<S, H::Eval, P::Memory>| step.m);
            let (undo, memory) = pruning.follow(space, here.memory, came_by, &mut state, m)?;
            let eval = heuristic.advance(space, here.eval, &state, m);
            path.push(Step { m, undo, moves: here.moves, eval: here.eval, memory: here.memory });
            here = Here { moves: pruning.moves(space, &state, m).into_iter(), eval, memory, room };
        }
        let todo = match walk.end {
            End::Walk(from) => {
                let from = usize::try_from(from).ok()?;
                (here.moves.by_ref().take(from).count() == from).then_some(())?;
                Todo::Walk(here)
            }
            End::Subtree => {
                let came_by = path.last()?.m;
                let top = subtree::Top {
                    state: &state,
                    came_by,
                    mark: P::mark(here.memory),
                    eval: here.eval,
                    room: here.room,
                };
                self.work.walkers[0].subtree.as_mut()?.begin(top).then_some(())?;
                Todo::Subtree(here)
            }
        };
        Some(Trail { state, path, todo, tree: walk.tree, reached: walk.reached })
    }
}

/// A walk by the numbers of its moves. An iterator does not tell how far it is: what is left of it is counted, and it
/// is made anew.
fn walk_of<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>>(
    guide: Guide<'_, '_, S, H, P>,
    start: &S::State,
    path: &mut [Step<S, H::Eval, P::Memory>],
    todo: &mut Todo<S, H::Eval, P::Memory>,
) -> Option<(End, Vec<u64>)> {
    let mut state = start.clone();
    let mut came_by = None;
    let mut numbers = Vec::with_capacity(path.len());
    for step in path {
        let number = guide.moves(&state, came_by).into_iter().position(|m| m == step.m)?;
        let is_over = used_of(guide, &state, came_by, &mut step.moves).1 == 0;
        numbers.push(number as u64 | if is_over { OVER } else { 0 });
        guide.space.apply(&mut state, step.m);
        came_by = Some(step.m);
    }
    let end = match todo {
        Todo::Walk(here) => End::Walk(used_of(guide, &state, came_by, &mut here.moves).0 as u64),
        Todo::Subtree(_) => End::Subtree,
    };
    Some((end, numbers))
}

/// The numbers of moves among those of each state.
fn numbers_of<S: StateSpace, H, P: MovePruning<S>>(
    guide: Guide<'_, '_, S, H, P>,
    start: &S::State,
    path: &[S::Move],
) -> Option<Vec<u64>> {
    let (mut state, mut came_by) = (start.clone(), None);
    let mut number = |&m: &S::Move| {
        let number = guide.moves(&state, came_by).into_iter().position(|other| other == m)?;
        guide.space.apply(&mut state, m);
        came_by = Some(m);
        Some(number as u64)
    };
    path.iter().map(&mut number).collect()
}

/// The moves of these numbers, and what the heuristic finds at their end; `None` if there are no such moves.
fn way_by<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>>(
    guide: Guide<'_, '_, S, H, P>,
    start: &S::State,
    numbers: &[u64],
) -> Option<(Vec<S::Move>, H::Eval)> {
    let Guide { space, heuristic, .. } = guide;
    let (mut state, mut eval, mut path) = (start.clone(), heuristic.evaluate(space, start), Vec::new());
    for &number in numbers {
        let moves = guide.moves(&state, path.last().copied());
        let m = moves.into_iter().nth(usize::try_from(number).ok()?)?;
        space.apply(&mut state, m);
        eval = heuristic.advance(space, eval, &state, m);
        path.push(m);
    }
    Some((path, eval))
}

/// How many of the moves of a state were taken off an iterator, and how many are left.
fn used_of<S: StateSpace, H, P: MovePruning<S>>(
    guide: Guide<'_, '_, S, H, P>,
    state: &S::State,
    came_by: Option<S::Move>,
    moves: &mut <S::Moves as IntoIterator>::IntoIter,
) -> (usize, usize) {
    let left = moves.by_ref().count();
    let used = guide.moves(state, came_by).into_iter().count() - left;
    *moves = guide.moves_from(state, came_by, used);
    (used, left)
}
