//! The subtrees that an iteration searches, and their order.
//!
//! Every iteration but the last searches everything within its bound, so the order matters only in the last, which ends
//! at the first goal. Most of an optimal path lies within the smaller bound of the iteration before. So the search tree
//! is cut into subtrees, and those in which the iteration before left the least room come first. Korf's 100 15-puzzles,
//! with tables for 6, 6 and 3 tiles, take 7 % of their last iterations instead of 16 %; his 24-puzzles 25, 32, 38, 40
//! and 44, with four tables of 6, less than 1 % each instead of 3 to 56 %. A subtree that was large is cut further when
//! its turn comes, so that subtrees stay small while iterations grow.

use std::cmp::Reverse;

use super::descent::{Frame, Resume, TopFrame};
use super::walker::{Context, DfsStack};
use crate::heuristic::Heuristic;
use crate::search::move_pruning::MovePruning;
use crate::space::{Cost, StateSpace};

/// Subtrees deeper than this are not cut: each iteration replays the path to every subtree, which in a corridor
/// with short branches would soon take longer than the subtrees.
const MOST_MOVES: usize = 64;

/// What an iteration did in a subtree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeStats {
    /// The least room (bound minus `g`) at any expanded state, if known.
    pub(super) least_room: Cost,
    pub(super) expanded: u64,
}

impl TreeStats {
    pub(super) const NONE: Self = TreeStats { least_room: Cost::MAX, expanded: 0 };

    fn add(&mut self, other: TreeStats) {
        self.least_room = self.least_room.min(other.least_room);
        self.expanded += other.expanded;
    }
}

/// The subtree below a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tree<M, E> {
    /// The moves to its root.
    pub(super) path: Box<[M]>,
    /// The evaluation of its root.
    pub(super) eval: E,
    /// The `f` of its root: the least bound that includes it.
    pub(super) needs: u64,
    /// Of this iteration if it has started on the tree, else of the one before; an estimate if the tree was part of
    /// another one then.
    pub(super) stats: TreeStats,
}

/// All subtrees of an iteration.
#[derive(Debug)]
pub(super) struct Trees<M, E> {
    /// Those still to search, the next one last.
    pub(super) queued: Vec<Tree<M, E>>,
    /// Those that were started, or are beyond the bound.
    pub(super) started: Vec<Tree<M, E>>,
    /// Trees that took more expansions than this in the iteration before are cut, while all trees fit into
    /// `most_bytes`.
    pub(super) cut_above: u64,
    most_bytes: u64,
    /// The moves of all paths together.
    moves: usize,
    /// The least amount by which the `f` of a root exceeds the bound.
    pub(super) least_excess: u64,
    pub(super) dead_ends: bool,
    /// The roots that were expanded, and the successors of those that were cut.
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

/// The next step of an iteration, which expands the root of a subtree.
pub(super) enum NextTree<S: StateSpace, E, M> {
    /// A tree to search.
    Tree(DfsStack<S, E, M>),
    /// A tree was cut; the stack to its root has no moves left.
    Cut(DfsStack<S, E, M>),
}

impl<M: Copy + Eq, E: Copy> Trees<M, E> {
    /// A single tree, the whole search tree.
    pub(super) fn new(eval: E, most_bytes: u64) -> Self {
        let whole = Tree { path: Box::new([]), eval, needs: 0, stats: TreeStats::NONE };
        Trees {
            queued: Vec::new(),
            started: vec![whole],
            cut_above: u64::MAX,
            most_bytes,
            moves: 0,
            least_excess: u64::MAX,
            dead_ends: false,
            expanded: 0,
            generated: 0,
        }
    }

    /// Replaces all trees by those of a snapshot.
    pub(super) fn replace(&mut self, [queued, started]: [Vec<Tree<M, E>>; 2], cut_above: u64) {
        self.moves = queued.iter().chain(&started).map(|tree| tree.path.len()).sum();
        (self.queued, self.started, self.cut_above) = (queued, started, cut_above);
    }

    /// The bytes of the trees that came from cutting.
    pub(super) fn bytes(&self) -> u64 {
        let cut_off = (self.queued.len() + self.started.len()).saturating_sub(1);
        (cut_off * size_of::<Tree<M, E>>() + self.moves * size_of::<M>()) as u64
    }

    /// Begins an iteration after one that is complete.
    pub(super) fn begin(&mut self, cut_above: u64) {
        debug_assert!(self.queued.is_empty(), "the iteration before is complete");
        self.cut_above = cut_above;
        self.least_excess = u64::MAX;
        self.queued = std::mem::take(&mut self.started);
        // Reversed, since the next one is last: the stable sort then keeps the order of equal trees.
        self.queued.reverse();
        self.queued.sort_by_cached_key(|tree| (Reverse(tree.stats.least_room), tree.stats.expanded));
    }

    /// Adds what a walker did in a tree.
    pub(super) fn note(&mut self, tree: Option<usize>, stats: TreeStats) {
        if let Some(tree) = tree {
            self.started[tree].stats.add(stats);
        }
    }

    /// The next tree within the bound, or its cut; `None` if no tree is left.
    pub(super) fn next<S, H, P>(
        &mut self,
        context: Context<'_, '_, S, H, P>,
        start: &S::State,
        bound: Cost,
    ) -> Option<NextTree<S, E, P::Memory>>
    where
        S: StateSpace<Move = M>,
        H: Heuristic<S, Eval = E>,
        P: MovePruning<S>,
    {
        loop {
            let tree = self.queued.pop()?;
            if tree.needs > u64::from(bound) {
                self.least_excess = self.least_excess.min(tree.needs - u64::from(bound));
                self.started.push(Tree { stats: TreeStats::NONE, ..tree });
                continue;
            }
            // A larger automaton may prune the path by now.
            let Some(mut stack) = context.stack(start, &tree, bound) else {
                self.moves -= tree.path.len();
                continue;
            };
            self.expanded += 1;
            if tree.stats.expanded > self.cut_above
                && tree.path.len() < MOST_MOVES
                && let Some(trees) = self.cut(context, &tree, &stack, bound)
            {
                self.moves -= tree.path.len();
                self.moves += trees.iter().map(|tree| tree.path.len()).sum::<usize>();
                self.queued.extend(trees.into_iter().rev());
                let Resume::Moves(top) = &mut stack.resume else { unreachable!("no subtree search has begun") };
                top.moves.by_ref().for_each(drop);
                return Some(NextTree::Cut(stack));
            }
            stack.tree = Some(self.started.len());
            self.started.push(Tree { stats: TreeStats { expanded: 1, ..TreeStats::NONE }, ..tree });
            return Some(NextTree::Tree(stack));
        }
    }

    /// The trees that one is cut into; `None` if one of their roots is a goal, which is left for a walker to find, or
    /// if they exceed the memory limit.
    fn cut<S, H, P>(
        &mut self,
        context: Context<'_, '_, S, H, P>,
        tree: &Tree<M, E>,
        stack: &DfsStack<S, E, P::Memory>,
        bound: Cost,
    ) -> Option<Vec<Tree<M, E>>>
    where
        S: StateSpace<Move = M>,
        H: Heuristic<S, Eval = E>,
        P: MovePruning<S>,
    {
        let Context { space, heuristic, pruning } = context;
        let Resume::Moves(top) = &stack.resume else { unreachable!("no subtree search has begun") };
        let came_by = tree.path.last().copied();
        let spent = bound - top.room;
        let (mut trees, mut dead_ends, mut generated) = (Vec::new(), false, 0);
        for m in context.moves(&stack.state, came_by) {
            let mut state = stack.state.clone();
            if pruning.follow(space, top.memory, came_by, &mut state, m).is_none() {
                continue;
            }
            generated += 1;
            let cost = space.cost(&stack.state, m);
            if space.is_goal(&state) {
                return None;
            }
            let eval = heuristic.advance(space, top.eval, &state, m);
            match heuristic.estimate(eval).rounded_up(heuristic.scale()) {
                None => dead_ends = true,
                Some(h) => {
                    let path = tree.path.iter().copied().chain([m]).collect();
                    let needs = u64::from(spent) + u64::from(cost) + u64::from(h);
                    trees.push(Tree { path, eval, needs, stats: tree.stats });
                }
            }
        }
        let bytes = trees.len() * (size_of::<Tree<M, E>>() + (tree.path.len() + 1) * size_of::<M>());
        if self.bytes() + bytes as u64 > self.most_bytes {
            return None;
        }
        let share = tree.stats.expanded / trees.len().max(1) as u64;
        trees.iter_mut().for_each(|tree| tree.stats.expanded = share);
        self.dead_ends |= dead_ends;
        self.generated += generated;
        Some(trees)
    }
}

impl<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Context<'_, '_, S, H, P> {
    /// The stack at the root of a tree, with all moves to try; `None` if the path is pruned or beyond the bound.
    fn stack(
        self,
        start: &S::State,
        tree: &Tree<S::Move, H::Eval>,
        bound: Cost,
    ) -> Option<DfsStack<S, H::Eval, P::Memory>> {
        let Context { space, pruning, .. } = self;
        let (mut state, mut memory, mut room) = (start.clone(), pruning.first(space, start), bound);
        let (mut came_by, mut path) = (None, Vec::with_capacity(tree.path.len()));
        for &m in &tree.path {
            // No moves are left there, so the evaluation is never used.
            let no_moves = self.moves_from(&state, came_by, usize::MAX);
            room = room.checked_sub(space.cost(&state, m))?;
            let (undo, next_memory) = pruning.follow(space, memory, came_by, &mut state, m)?;
            path.push(Frame { m, undo, moves: no_moves, eval: tree.eval, memory });
            (memory, came_by) = (next_memory, Some(m));
        }
        let moves = self.moves(&state, came_by).into_iter();
        let resume = Resume::Moves(TopFrame { moves, eval: tree.eval, memory, room });
        Some(DfsStack { state, path, resume, tree: None, stats: TreeStats::NONE })
    }
}
