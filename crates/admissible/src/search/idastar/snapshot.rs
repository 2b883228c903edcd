//! Snapshots of IDA*.
//!
//! A snapshot is the bound, the counts, the trees, and the path of every stack, each move by its position among the
//! moves of its state. Everything else is rebuilt by replaying the paths. A subtree search under way begins again, and
//! its counts are subtracted. So a restored search expands the same states as an uninterrupted one, with the same
//! counts.

use super::descent::{Frame, Resume, TopFrame};
use super::iteration::{NodeCounts, Problem};
use super::search::IdastarSearch;
use super::trees::{Tree, TreeStats};
use super::walker::{Context, DfsStack};
use crate::heuristic::Heuristic;
use crate::search::move_pruning::MovePruning;
use crate::search::report::Stats;
use crate::search::subtree::{SubtreePolicy, Top};
use crate::space::{Cost, StateSpace};

/// A snapshot of IDA*; see [`Search::snapshot`](crate::search::Search::snapshot).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    counts: SavedCounts,
    bound: Cost,
    least_excess: u64,
    expanded_before_iteration: u64,
    dead_ends: bool,
    /// Whether the proof of unsolvability has ended, and the cost of the solution that it found.
    proof_is_over: bool,
    known: Option<Cost>,
    /// The length of the longest sequences of moves that are pruned.
    longest: u64,
    policy: [u64; 4],
    /// Trees that took more expansions than this are cut.
    cut_above: u64,
    /// The trees that are queued, and those that were started.
    trees: [Vec<SavedTree>; 2],
    /// The stacks in trees that were started; none between two iterations.
    walks: Vec<SavedStack>,
}

/// A tree, by the path to its root.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SavedTree {
    needs: u64,
    stats: TreeStats,
    /// Each move by its position among the moves of its state.
    path: Vec<u64>,
}

/// A stack: a path, and how to resume at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SavedStack {
    end: SavedEnd,
    tree: Option<usize>,
    stats: TreeStats,
    /// Each move by its position among the moves of its state, with [`OVER`] if this stack has no more moves there.
    path: Vec<u64>,
}

/// The bit of a position that says that the later moves were tried or given away.
const OVER: u64 = 1 << 32;

/// The counts that IDA* takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SavedCounts {
    expanded: u64,
    generated: u64,
    iterations: u64,
    layer: Cost,
    peak_bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SavedEnd {
    /// Try the moves from this position on.
    Walk(u64),
    Subtree,
}

/// The version of the format, its first word.
const VERSION: u64 = 3;

impl Snapshot {
    /// The number of states expanded so far.
    pub fn expanded(&self) -> u64 {
        self.counts.expanded
    }

    /// The snapshot as plain numbers.
    pub fn words(&self) -> Vec<u64> {
        let SavedCounts { expanded, generated, iterations, layer, peak_bytes } = self.counts;
        let head = [VERSION, expanded, generated, iterations, layer.into(), peak_bytes, self.bound.into()];
        let known = self.known.map_or([0, 0], |cost| [1, cost.into()]);
        let flags = [self.dead_ends.into(), self.proof_is_over.into()];
        let rest = [self.least_excess, self.expanded_before_iteration, self.longest, self.cut_above];
        let parts: [&[u64]; 5] = [&head, &known, &flags, &rest, &self.policy];
        let mut words = parts.concat();
        let counted = |path: &[u64]| [&[path.len() as u64], path].concat();
        let stats = |stats: TreeStats| [stats.least_room.into(), stats.expanded];
        for trees in &self.trees {
            words.push(trees.len() as u64);
            for tree in trees {
                words.push(tree.needs);
                words.extend(stats(tree.stats));
                words.extend(counted(&tree.path));
            }
        }
        for walk in &self.walks {
            words.extend(match walk.end {
                SavedEnd::Walk(from) => [1, from],
                SavedEnd::Subtree => [2, 0],
            });
            // Trees are numbered from 1 here; 0 is none.
            words.push(walk.tree.map_or(0, |tree| tree as u64 + 1));
            words.extend(stats(walk.stats));
            words.extend(counted(&walk.path));
        }
        words
    }

    /// The snapshot from plain numbers; `None` if they are not valid.
    pub fn from_words(words: &[u64]) -> Option<Self> {
        let (&[version, expanded, generated, iterations, layer, peak_bytes, bound], rest) =
            words.split_first_chunk()?;
        let (&[is_known, known, dead_ends, proof_is_over], rest) = rest.split_first_chunk()?;
        let (&[least_excess, expanded_before_iteration, longest, cut_above], rest) = rest.split_first_chunk()?;
        let (&policy, mut rest) = rest.split_first_chunk()?;
        let cost = |word: u64| Cost::try_from(word).ok();
        let stats = |least_room: u64, expanded: u64| Some(TreeStats { least_room: cost(least_room)?, expanded });
        let mut trees = [Vec::new(), Vec::new()];
        for trees in &mut trees {
            let (&count, after) = rest.split_first()?;
            rest = after;
            for _ in 0..count {
                let (&[needs, least_room, expanded, length], after) = rest.split_first_chunk()?;
                let (path, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
                trees.push(SavedTree { needs, stats: stats(least_room, expanded)?, path: path.to_vec() });
                rest = after;
            }
        }
        let is = |word: u64| [false, true].into_iter().find(|&is| u64::from(is) == word);
        let mut walks = Vec::new();
        while !rest.is_empty() {
            let (&[end, from, tree, least_room, expanded, length], after) = rest.split_first_chunk()?;
            let end = match (end, from) {
                (1, from) => SavedEnd::Walk(from),
                (2, 0) => SavedEnd::Subtree,
                _ => return None,
            };
            let (path, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
            let tree = tree.checked_sub(1).map(usize::try_from).transpose().ok()?;
            if tree.is_some_and(|tree| tree >= trees[1].len()) {
                return None;
            }
            walks.push(SavedStack { end, tree, stats: stats(least_room, expanded)?, path: path.to_vec() });
            rest = after;
        }
        let counts = SavedCounts { expanded, generated, iterations, layer: cost(layer)?, peak_bytes };
        (version == VERSION && expanded_before_iteration <= expanded).then_some(Snapshot {
            counts,
            bound: cost(bound)?,
            least_excess,
            expanded_before_iteration,
            dead_ends: is(dead_ends)?,
            proof_is_over: is(proof_is_over)?,
            known: if is(is_known)? { Some(cost(known)?) } else { None },
            longest,
            policy,
            cut_above,
            trees,
            walks,
        })
    }
}

impl<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> IdastarSearch<'_, S, H, P> {
    /// A snapshot of the search; `None` once it has ended.
    #[cold]
    pub(super) fn make_snapshot(&mut self) -> Option<Snapshot> {
        if self.outcome.is_some() {
            return None;
        }
        let Stats { mut expanded, mut generated, iterations, layer, peak_bytes, .. } = self.stats;
        let (context, start) = (self.problem.context(), &self.problem.start);
        let mut walks = Vec::new();
        for walker in &mut self.iteration.walkers {
            let Some(resume) = &mut walker.resume else { continue };
            let mut stats = walker.stats;
            if let Resume::Subtree(_) = resume {
                let progress = walker.subtree.as_ref().expect("a subtree search has begun").tally();
                expanded -= progress.expanded;
                generated -= progress.generated;
                stats.expanded -= progress.expanded;
            }
            let (end, path) = save_stack(context, start, &mut walker.path, resume)?;
            walks.push(SavedStack { end, path, tree: walker.tree, stats });
        }
        for stack in &mut self.iteration.waiting {
            let (end, path) = save_stack(context, start, &mut stack.path, &mut stack.resume)?;
            walks.push(SavedStack { end, path, tree: stack.tree, stats: stack.stats });
        }
        let saved = |tree: &Tree<S::Move, H::Eval>| {
            Some(SavedTree { needs: tree.needs, stats: tree.stats, path: positions(context, start, &tree.path)? })
        };
        let all_saved = |trees: &[Tree<S::Move, H::Eval>]| trees.iter().map(saved).collect::<Option<Vec<_>>>();
        let trees = [all_saved(&self.iteration.trees.queued)?, all_saved(&self.iteration.trees.started)?];
        Some(Snapshot {
            counts: SavedCounts { expanded, generated, iterations, layer, peak_bytes },
            bound: self.bound.cost,
            least_excess: self.bound.least_excess,
            expanded_before_iteration: self.expanded_before_iteration,
            dead_ends: self.bound.dead_ends,
            proof_is_over: self.proof.is_over(),
            known: self.proof.known,
            longest: self.problem.pruning.longest() as u64,
            policy: self.iteration.walkers[0].policy.words(),
            cut_above: self.iteration.trees.cut_above,
            trees,
            walks,
        })
    }

    /// Restores a snapshot; false if it does not fit this search.
    #[cold]
    pub(super) fn restore_snapshot(&mut self, snapshot: &Snapshot) -> bool {
        let fresh = self.outcome.is_none() && self.stats == Stats::default();
        fresh && snapshot.bound >= self.bound.cost && self.replay(snapshot).is_some()
    }

    fn replay(&mut self, snapshot: &Snapshot) -> Option<()> {
        let space = self.problem.space;
        if self.problem.pruning.use_length(space, snapshot.longest as usize) {
            self.iteration.renew_subtree_searches(&self.problem);
        }
        let SavedCounts { expanded, generated, iterations, layer, peak_bytes } = snapshot.counts;
        let stacks = snapshot.walks.iter().map(|walk| self.stack(walk, snapshot.bound)).collect::<Option<_>>()?;
        let context = self.problem.context();
        let tree = |saved: &SavedTree| {
            let (path, eval) = replay_positions(context, &self.problem.start, &saved.path)?;
            Some(Tree { path: path.into(), eval, needs: saved.needs, stats: saved.stats })
        };
        let trees = |saved: &[SavedTree]| saved.iter().map(tree).collect::<Option<Vec<_>>>();
        let trees = [trees(&snapshot.trees[0])?, trees(&snapshot.trees[1])?];
        self.iteration.walkers[0].policy = SubtreePolicy::from_words(snapshot.policy)?;
        self.iteration.trees.replace(trees, snapshot.cut_above);
        self.iteration.waiting = stacks;
        self.iteration.earlier = NodeCounts { expanded, generated };
        self.iteration.is_shared = self.iteration.is_worth_sharing(expanded, self.is_large());
        self.bound.cost = snapshot.bound;
        self.bound.least_excess = snapshot.least_excess;
        self.expanded_before_iteration = snapshot.expanded_before_iteration;
        self.bound.dead_ends = snapshot.dead_ends;
        self.proof.known = snapshot.known;
        if snapshot.proof_is_over {
            self.proof.end();
        }
        self.stats = Stats { expanded, generated, iterations, layer, peak_bytes, ..self.stats };
        Some(())
    }

    /// Rebuilds a stack by replaying its path; `None` if the path does not exist.
    fn stack(&mut self, walk: &SavedStack, bound: Cost) -> Option<DfsStack<S, H::Eval, P::Memory>> {
        let Problem { space, heuristic, ref pruning, .. } = self.problem;
        let mut state = self.problem.start.clone();
        let mut top: TopFrame<S, H::Eval, P::Memory> = TopFrame {
            moves: space.moves(&state).into_iter(),
            eval: heuristic.evaluate(space, &state),
            memory: pruning.first(space, &state),
            room: bound,
        };
        let mut path = Vec::with_capacity(walk.path.len());
        for &position in &walk.path {
            let m = top.moves.nth(usize::try_from(position & !OVER).ok()?)?;
            if position & OVER != 0 {
                top.moves.by_ref().for_each(drop);
            }
            let room = top.room.checked_sub(space.cost(&state, m))?;
            let came_by = path.last().map(|frame: &Frame<S, H::Eval, P::Memory>| frame.m);
            let (undo, memory) = pruning.follow(space, top.memory, came_by, &mut state, m)?;
            let eval = heuristic.advance(space, top.eval, &state, m);
            path.push(Frame { m, undo, moves: top.moves, eval: top.eval, memory: top.memory });
            top = TopFrame { moves: pruning.moves(space, &state, m).into_iter(), eval, memory, room };
        }
        let resume = match walk.end {
            SavedEnd::Walk(from) => {
                let from = usize::try_from(from).ok()?;
                (top.moves.by_ref().take(from).count() == from).then_some(())?;
                Resume::Moves(top)
            }
            SavedEnd::Subtree => {
                let came_by = path.last()?.m;
                let root = Top { state: &state, came_by, mark: P::mark(top.memory), eval: top.eval, room: top.room };
                self.iteration.walkers[0].subtree.as_mut()?.begin(root).then_some(())?;
                Resume::Subtree(top)
            }
        };
        Some(DfsStack { state, path, resume, tree: walk.tree, stats: walk.stats })
    }
}

/// The end and the path of a stack in a snapshot. An iterator does not show its position: the moves left are counted,
/// and the iterator is made again.
fn save_stack<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>>(
    context: Context<'_, '_, S, H, P>,
    start: &S::State,
    path: &mut [Frame<S, H::Eval, P::Memory>],
    resume: &mut Resume<S, H::Eval, P::Memory>,
) -> Option<(SavedEnd, Vec<u64>)> {
    let mut state = start.clone();
    let mut came_by = None;
    let mut positions = Vec::with_capacity(path.len());
    for frame in path {
        let position = context.moves(&state, came_by).into_iter().position(|m| m == frame.m)?;
        let is_over = tried_and_left(context, &state, came_by, &mut frame.moves).1 == 0;
        positions.push(position as u64 | if is_over { OVER } else { 0 });
        context.space.apply(&mut state, frame.m);
        came_by = Some(frame.m);
    }
    let end = match resume {
        Resume::Moves(top) => SavedEnd::Walk(tried_and_left(context, &state, came_by, &mut top.moves).0 as u64),
        Resume::Subtree(_) => SavedEnd::Subtree,
    };
    Some((end, positions))
}

/// The positions of the moves of a path among the moves of each state.
fn positions<S: StateSpace, H, P: MovePruning<S>>(
    context: Context<'_, '_, S, H, P>,
    start: &S::State,
    path: &[S::Move],
) -> Option<Vec<u64>> {
    let (mut state, mut came_by) = (start.clone(), None);
    let mut position = |&m: &S::Move| {
        let position = context.moves(&state, came_by).into_iter().position(|other| other == m)?;
        context.space.apply(&mut state, m);
        came_by = Some(m);
        Some(position as u64)
    };
    path.iter().map(&mut position).collect()
}

/// The moves at these positions, and the evaluation at their end; `None` if one does not exist.
fn replay_positions<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>>(
    context: Context<'_, '_, S, H, P>,
    start: &S::State,
    positions: &[u64],
) -> Option<(Vec<S::Move>, H::Eval)> {
    let Context { space, heuristic, .. } = context;
    let (mut state, mut eval, mut path) = (start.clone(), heuristic.evaluate(space, start), Vec::new());
    for &position in positions {
        let moves = context.moves(&state, path.last().copied());
        let m = moves.into_iter().nth(usize::try_from(position).ok()?)?;
        space.apply(&mut state, m);
        eval = heuristic.advance(space, eval, &state, m);
        path.push(m);
    }
    Some((path, eval))
}

/// The number of moves already taken off an iterator over the moves of a state, and the number left.
fn tried_and_left<S: StateSpace, H, P: MovePruning<S>>(
    context: Context<'_, '_, S, H, P>,
    state: &S::State,
    came_by: Option<S::Move>,
    moves: &mut <S::Moves as IntoIterator>::IntoIter,
) -> (usize, usize) {
    let left = moves.by_ref().count();
    let tried = context.moves(state, came_by).into_iter().count() - left;
    *moves = context.moves_from(state, came_by, tried);
    (tried, left)
}
