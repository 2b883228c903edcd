//! A walker: a depth-first search of a subtree that can pause anywhere, and whose stack can be split.

use super::descent::{Descent, End, Frame, Resume, SubtreeCounts, TopFrame};
use super::trees::TreeStats;
use crate::heuristic::Heuristic;
use crate::search::move_pruning::MovePruning;
use crate::search::subtree::{SubtreePolicy, SubtreeProgress, SubtreeSearch, Top};
use crate::space::{Cost, StateSpace};

/// The most expansions in one descent, and so the most levels of recursion: a few hundred kilobytes of stack.
pub(super) const MOST_AT_ONCE: u64 = 4096;
/// A caller that asks for fewer expansions than this at a time steps through the search; subtree searches would hide
/// the steps.
pub(super) const LEAST_FOR_SUBTREES: u64 = 1024;

/// The progress of a walker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WalkProgress {
    /// It has not finished.
    Partly,
    /// It has finished: no goal is within the bound.
    Through,
    /// It is at a goal; `room` is the bound minus `g`.
    Goal { room: Cost },
}

/// The stack of a depth-first search: a path from the start, with the moves still to try along it.
pub(super) struct DfsStack<S: StateSpace, E, M> {
    /// The state at the end of the path.
    pub(super) state: S::State,
    pub(super) path: Vec<Frame<S, E, M>>,
    pub(super) resume: Resume<S, E, M>,
    /// The tree that the path leads into, and what was done there with this stack so far.
    pub(super) tree: Option<usize>,
    pub(super) stats: TreeStats,
}

/// What all walkers share.
pub(super) struct Context<'a, 'g, S, H, P> {
    pub(super) space: &'a S,
    pub(super) heuristic: &'a H,
    pub(super) pruning: &'g P,
}

impl<S, H, P> Clone for Context<'_, '_, S, H, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, H, P> Copy for Context<'_, '_, S, H, P> {}

impl<S: StateSpace, H, P: MovePruning<S>> Context<'_, '_, S, H, P> {
    /// The moves that the search tries in a state, in their order.
    pub(super) fn moves(self, state: &S::State, came_by: Option<S::Move>) -> S::Moves {
        match came_by {
            None => self.space.moves(state),
            Some(m) => self.pruning.moves(self.space, state, m),
        }
    }

    /// The moves without the first `first`.
    pub(super) fn moves_from(
        self,
        state: &S::State,
        came_by: Option<S::Move>,
        first: usize,
    ) -> <S::Moves as IntoIterator>::IntoIter {
        let mut moves = self.moves(state, came_by).into_iter();
        moves.by_ref().take(first).for_each(drop);
        moves
    }
}

/// Searches a tree, or a part of one.
pub(super) struct Walker<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> {
    pub(super) state: S::State,
    /// How to resume at the end of the path; `None` if the walker is idle.
    pub(super) resume: Option<Resume<S, H::Eval, P::Memory>>,
    pub(super) path: Vec<Frame<S, H::Eval, P::Memory>>,
    pub(super) subtree: Option<Box<dyn SubtreeSearch<S, H::Eval> + 'a>>,
    pub(super) policy: SubtreePolicy,
    /// The tree that it is in, and what it did there.
    pub(super) tree: Option<usize>,
    pub(super) stats: TreeStats,
    /// The least amount by which the `f` of a pruned state exceeds the bound, in this iteration.
    pub(super) least_excess: u64,
    pub(super) dead_ends: bool,
    /// Its counts over all trees.
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

impl<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Walker<'a, S, H, P> {
    pub(super) fn new(state: S::State, subtree: Option<Box<dyn SubtreeSearch<S, H::Eval> + 'a>>) -> Self {
        Walker {
            state,
            resume: None,
            path: Vec::new(),
            policy: SubtreePolicy::new(subtree.is_some()),
            subtree,
            tree: None,
            stats: TreeStats::NONE,
            least_excess: u64::MAX,
            dead_ends: false,
            expanded: 0,
            generated: 0,
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.resume.is_none()
    }

    /// Takes over a stack; if that is inside a subtree search, begins the subtree search again.
    pub(super) fn take(&mut self, stack: DfsStack<S, H::Eval, P::Memory>) {
        let DfsStack { state, path, resume, tree, stats } = stack;
        if let (Resume::Subtree(top), Some(Frame { m: came_by, .. })) = (&resume, path.last()) {
            let (mark, came_by) = (P::mark(top.memory), *came_by);
            let root = Top { state: &state, came_by, mark, eval: top.eval, room: top.room };
            let started = self.subtree.as_mut().is_some_and(|subtree| subtree.begin(root));
            assert!(started, "every walker can begin the same subtree searches");
        }
        (self.state, self.path, self.resume) = (state, path, Some(resume));
        (self.tree, self.stats) = (tree, stats);
    }

    /// Whether the least room is known, with or without subtree searches.
    fn tells_room(&self) -> bool {
        self.subtree.as_ref().is_none_or(|subtree| subtree.least_room().is_some())
    }

    /// Continues with at most `expansions` expansions; without subtree searches if `in_steps`.
    pub(super) fn advance(
        &mut self,
        context: Context<'a, '_, S, H, P>,
        expansions: u64,
        in_steps: bool,
    ) -> WalkProgress {
        let Context { space, heuristic, pruning } = context;
        let Some(mut resume) = self.resume.take() else { return WalkProgress::Through };
        let expansions = expansions.min(MOST_AT_ONCE);
        let tells_room = self.tells_room();
        let mut no_subtrees = SubtreePolicy::new(false);
        let mut descent = Descent {
            space,
            heuristic,
            pruning,
            subtree: self.subtree.as_deref_mut(),
            policy: if in_steps { &mut no_subtrees } else { &mut self.policy },
            least_excess: self.least_excess,
            least_room: self.stats.least_room,
            pruned: 0,
            left: expansions,
            subtrees: SubtreeCounts::default(),
            dead_ends: self.dead_ends,
            end: None,
            unwound: Vec::new(),
        };
        let mut state = self.state.clone();
        // Search everything below the end of the path, then what is left one frame higher, and so on.
        let end = loop {
            let came_by = self.path.last().map(|frame| frame.m);
            let room = match resume {
                Resume::Moves(top) => {
                    let room = top.room;
                    state = descent.search_below(state, came_by, top);
                    room
                }
                Resume::Subtree(top) => {
                    let room = top.room;
                    match descent.continue_subtree(room) {
                        SubtreeProgress::Through => {}
                        SubtreeProgress::Partly => descent.end = Some(End::Paused(Resume::Subtree(top))),
                        SubtreeProgress::Goal => {
                            // The walk did not generate this state in this descent.
                            descent.subtrees.void_generated += 1;
                            descent.left -= 1;
                            resume = Resume::Moves(top);
                            if descent.left == 0 {
                                break Some(End::Paused(resume));
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
            let Some(Frame { m, undo, moves, eval, memory }) = self.path.pop() else { break None };
            space.undo(&mut state, m, undo);
            let room = room + space.cost(&state, m);
            resume = Resume::Moves(TopFrame { moves, eval, memory, room });
            if descent.left == 0 {
                break Some(End::Paused(resume));
            }
        };
        self.state = state;
        self.path.extend(descent.unwound.into_iter().rev());
        self.least_excess = descent.least_excess;
        self.dead_ends = descent.dead_ends;
        if tells_room {
            self.stats.least_room = descent.least_room;
        }
        let SubtreeCounts { expanded: progress, generated, void_expanded, void_generated } = descent.subtrees;
        let expanded = expansions - descent.left;
        let walked = expanded - progress;
        let generated = generated + descent.pruned + walked + u64::from(matches!(end, Some(End::Goal { .. })));
        self.generated = self.generated + generated - void_generated;
        self.expanded = self.expanded + expanded - void_expanded;
        self.stats.expanded = self.stats.expanded + expanded - void_expanded;
        match end {
            Some(End::Goal { room }) => WalkProgress::Goal { room },
            Some(End::Paused(resume)) => {
                self.resume = Some(resume);
                WalkProgress::Partly
            }
            None => WalkProgress::Through,
        }
    }

    /// The depth of the first state on the path with moves left, as far as `size_hint` shows.
    pub(super) fn first_branch(&self) -> Option<usize> {
        self.resume.as_ref()?;
        self.path.iter().position(|frame| frame.moves.size_hint().1 != Some(0))
    }

    /// Splits the stack: gives away the moves left at the first state of the path that has any, where subtrees are
    /// largest.
    pub(super) fn split(
        &mut self,
        context: Context<'_, '_, S, H, P>,
        start: &S::State,
        bound: Cost,
    ) -> Option<DfsStack<S, H::Eval, P::Memory>> {
        let space = context.space;
        let (mut state, mut came_by, mut room) = (start.clone(), None, bound);
        let mut above = Vec::new();
        for frame in &mut self.path {
            let left = frame.moves.by_ref().count();
            if left > 0 {
                let all = context.moves(&state, came_by).into_iter().count();
                let moves = context.moves_from(&state, came_by, all - left);
                let resume = Resume::Moves(TopFrame { moves, eval: frame.eval, memory: frame.memory, room });
                return Some(DfsStack { state, path: above, resume, tree: self.tree, stats: TreeStats::NONE });
            }
            // The new owner of the stack has no moves to try there.
            let moves = context.moves_from(&state, came_by, usize::MAX);
            room -= space.cost(&state, frame.m);
            let undo = space.apply(&mut state, frame.m);
            above.push(Frame { m: frame.m, undo, moves, eval: frame.eval, memory: frame.memory });
            came_by = Some(frame.m);
        }
        None
    }
}
