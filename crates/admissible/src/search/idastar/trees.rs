//! The trees that an iteration goes through, and in which order.
//!
//! Every iteration but the last goes through everything within its bound, so that order does not matter there; the last
//! one ends at the first goal. An optimal path runs within the smaller bound of the iteration before for most of its
//! length. So the tree below the start is cut into trees, and those in which the iteration before came farthest have
//! their turn first. Korf's 100 15-puzzles, with tables for 6, 6 and 3 tiles, take 7 % of their last iterations and not
//! 16 %, all together; his 24-puzzles 25, 32, 38, 40 and 44, with four tables of 6, less than 1 % each and not 3 to 56
//! %. A tree whose turn has come is cut further if it was large, so that trees stay small while iterations grow.

use std::cmp::Reverse;

use super::descent::{Here, Step, Todo};
use super::walker::{Guide, Trail};
use crate::heuristic::Heuristic;
use crate::search::move_pruning::MovePruning;
use crate::space::{Cost, StateSpace};

/// Trees farther from the start are not cut: the way to a tree is gone once in each iteration, and in a corridor with
/// short side ways it would soon take longer than the trees.
const MOST_MOVES: usize = 64;

/// How far an iteration came in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reached {
    /// What the bound left at the farthest state, if that is known.
    pub(super) least_room: Cost,
    pub(super) expanded: u64,
}

impl Reached {
    pub(super) const NOWHERE: Self = Reached { least_room: Cost::MAX, expanded: 0 };

    fn add(&mut self, other: Reached) {
        self.least_room = self.least_room.min(other.least_room);
        self.expanded += other.expanded;
    }
}

/// Everything below a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tree<M, E> {
    /// The moves that lead there.
    pub(super) path: Box<[M]>,
    /// What the heuristic has found there.
    pub(super) eval: E,
    /// The least bound that the state is within.
    pub(super) needs: u64,
    /// In this iteration, if it had its turn, or else in the one before; of what was part of another tree then, what is
    /// to be supposed.
    pub(super) reached: Reached,
}

/// All trees of an iteration.
#[derive(Debug)]
pub(super) struct Trees<M, E> {
    /// Those whose turn will come, the next one last.
    pub(super) ahead: Vec<Tree<M, E>>,
    /// Those that had their turn, or are beyond the bound.
    pub(super) begun: Vec<Tree<M, E>>,
    /// Trees that took more than this in the iteration before are cut, as far as all of them have no more than these
    /// bytes.
    pub(super) cut_above: u64,
    most_bytes: u64,
    /// How many moves there are in all paths.
    moves: usize,
    /// By how much the least of those beyond the bound exceeds it.
    pub(super) least_excess: u64,
    pub(super) dead_ends: bool,
    /// The states on top of trees that were expanded, and the successors of those that were cut.
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

/// What comes next, with the state on top expanded.
pub(super) enum Next<S: StateSpace, E, M> {
    /// A tree to walk through.
    Tree(Trail<S, E, M>),
    /// The trees of one that was cut; along the path to its top nothing is left to do.
    Cut(Trail<S, E, M>),
}

impl<M: Copy + Eq, E: Copy> Trees<M, E> {
    /// One tree with everything in it, which was gone through up to no bound at all.
    pub(super) fn new(eval: E, most_bytes: u64) -> Self {
        let whole = Tree { path: Box::new([]), eval, needs: 0, reached: Reached::NOWHERE };
        Trees {
            ahead: Vec::new(),
            begun: vec![whole],
            cut_above: u64::MAX,
            most_bytes,
            moves: 0,
            least_excess: u64::MAX,
            dead_ends: false,
            expanded: 0,
            generated: 0,
        }
    }

    /// Goes on with others: those that are ahead, and those that were begun.
    pub(super) fn replace(&mut self, [ahead, begun]: [Vec<Tree<M, E>>; 2], cut_above: u64) {
        self.moves = ahead.iter().chain(&begun).map(|tree| tree.path.len()).sum();
        (self.ahead, self.begun, self.cut_above) = (ahead, begun, cut_above);
    }

    /// What the trees take that were cut off others.
    pub(super) fn bytes(&self) -> u64 {
        let cut_off = (self.ahead.len() + self.begun.len()).saturating_sub(1);
        (cut_off * size_of::<Tree<M, E>>() + self.moves * size_of::<M>()) as u64
    }

    /// Begins an iteration after one that is through.
    pub(super) fn begin(&mut self, cut_above: u64) {
        debug_assert!(self.ahead.is_empty(), "the iteration before is through");
        self.cut_above = cut_above;
        self.least_excess = u64::MAX;
        self.ahead = std::mem::take(&mut self.begun);
        // Among equals the first stays the first.
        self.ahead.reverse();
        self.ahead.sort_by_key(|tree| (Reverse(tree.reached.least_room), tree.reached.expanded));
    }

    /// Notes how far a walk came in a tree.
    pub(super) fn note(&mut self, tree: Option<usize>, reached: Reached) {
        if let Some(tree) = tree {
            self.begun[tree].reached.add(reached);
        }
    }

    /// The next tree within the bound, or what became of it; `None` if there are none any more.
    pub(super) fn next<S, H, P>(
        &mut self,
        guide: Guide<'_, '_, S, H, P>,
        start: &S::State,
        bound: Cost,
    ) -> Option<Next<S, E, P::Memory>>
    where
        S: StateSpace<Move = M>,
        H: Heuristic<S, Eval = E>,
        P: MovePruning<S>,
    {
        loop {
            let tree = self.ahead.pop()?;
            if tree.needs > u64::from(bound) {
                self.least_excess = self.least_excess.min(tree.needs - u64::from(bound));
                self.begun.push(Tree { reached: Reached::NOWHERE, ..tree });
                continue;
            }
            // By now it may be known that one need not go there.
            let Some(mut trail) = guide.trail(start, &tree, bound) else {
                self.moves -= tree.path.len();
                continue;
            };
            self.expanded += 1;
            if tree.reached.expanded > self.cut_above
                && tree.path.len() < MOST_MOVES
                && let Some(trees) = self.cut(guide, &tree, &trail, bound)
            {
                self.moves -= tree.path.len();
                self.moves += trees.iter().map(|tree| tree.path.len()).sum::<usize>();
                self.ahead.extend(trees.into_iter().rev());
                let Todo::Walk(here) = &mut trail.todo else { unreachable!("no subtree search has begun") };
                here.moves.by_ref().for_each(drop);
                return Some(Next::Cut(trail));
            }
            trail.tree = Some(self.begun.len());
            self.begun.push(Tree { reached: Reached { expanded: 1, ..Reached::NOWHERE }, ..tree });
            return Some(Next::Tree(trail));
        }
    }

    /// The trees that one is cut into; `None` if there is a goal among their tops, for whoever walks there to come
    /// upon, or there is no room for them.
    fn cut<S, H, P>(
        &mut self,
        guide: Guide<'_, '_, S, H, P>,
        tree: &Tree<M, E>,
        trail: &Trail<S, E, P::Memory>,
        bound: Cost,
    ) -> Option<Vec<Tree<M, E>>>
    where
        S: StateSpace<Move = M>,
        H: Heuristic<S, Eval = E>,
        P: MovePruning<S>,
    {
        let Guide { space, heuristic, pruning } = guide;
        let Todo::Walk(here) = &trail.todo else { unreachable!("no subtree search has begun") };
        let came_by = tree.path.last().copied();
        let spent = bound - here.room;
        let (mut trees, mut dead_ends, mut generated) = (Vec::new(), false, 0);
        for m in guide.moves(&trail.state, came_by) {
            let mut state = trail.state.clone();
            if pruning.follow(space, here.memory, came_by, &mut state, m).is_none() {
                continue;
            }
            generated += 1;
            let cost = space.cost(&trail.state, m);
            if space.is_goal(&state) {
                return None;
            }
            let eval = heuristic.advance(space, here.eval, &state, m);
            match heuristic.estimate(eval).rounded_up(heuristic.scale()) {
                None => dead_ends = true,
                Some(h) => {
                    let path = tree.path.iter().copied().chain([m]).collect();
                    let needs = u64::from(spent) + u64::from(cost) + u64::from(h);
                    trees.push(Tree { path, eval, needs, reached: tree.reached });
                }
            }
        }
        let bytes = trees.len() * (size_of::<Tree<M, E>>() + (tree.path.len() + 1) * size_of::<M>());
        if self.bytes() + bytes as u64 > self.most_bytes {
            return None;
        }
        let share = tree.reached.expanded / trees.len().max(1) as u64;
        trees.iter_mut().for_each(|tree| tree.reached.expanded = share);
        self.dead_ends |= dead_ends;
        self.generated += generated;
        Some(trees)
    }
}

impl<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Guide<'_, '_, S, H, P> {
    /// The way to a tree, with everything to do at its end; `None` if one need not go there.
    fn trail(
        self,
        start: &S::State,
        tree: &Tree<S::Move, H::Eval>,
        bound: Cost,
    ) -> Option<Trail<S, H::Eval, P::Memory>> {
        let Guide { space, pruning, .. } = self;
        let (mut state, mut memory, mut room) = (start.clone(), pruning.first(space, start), bound);
        let (mut came_by, mut path) = (None, Vec::with_capacity(tree.path.len()));
        for &m in &tree.path {
            // Nothing is left to do there, so nobody will ask what the heuristic had found.
            let over = self.moves_from(&state, came_by, usize::MAX);
            room = room.checked_sub(space.cost(&state, m))?;
            let (undo, next_memory) = pruning.follow(space, memory, came_by, &mut state, m)?;
            path.push(Step { m, undo, moves: over, eval: tree.eval, memory });
            (memory, came_by) = (next_memory, Some(m));
        }
        let moves = self.moves(&state, came_by).into_iter();
        let todo = Todo::Walk(Here { moves, eval: tree.eval, memory, room });
        Some(Trail { state, path, todo, tree: None, reached: Reached::NOWHERE })
    }
}
