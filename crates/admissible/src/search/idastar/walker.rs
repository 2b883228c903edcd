//! One walk through a tree of IDA*, which can be paused anywhere, and a part of which can be given away.

use super::descent::{Descent, End, Here, Step, Subtrees, Todo};
use super::trees::Reached;
use crate::heuristic::Heuristic;
use crate::search::move_pruning::MovePruning;
use crate::search::subtree::{Depth, SubtreeProgress, SubtreeSearch, Top};
use crate::space::{Cost, StateSpace};

/// Expansions in one descent, and so levels of recursion: a few hundred kilobytes of stack.
pub(super) const MOST_AT_ONCE: u64 = 4096;
/// Whoever asks for fewer expansions than this at a time wants to see each of them.
pub(super) const LEAST_FOR_SUBTREES: u64 = 1024;

/// How far a walk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Walked {
    /// There is more to do.
    Partly,
    /// Through: there is no goal within the bound.
    Through,
    /// At a goal, with so much of the bound left.
    Goal { room: Cost },
}

/// A path from the start, and what is still to be done along it.
pub(super) struct Trail<S: StateSpace, E, M> {
    /// The state at the end of the path.
    pub(super) state: S::State,
    pub(super) path: Vec<Step<S, E, M>>,
    pub(super) todo: Todo<S, E, M>,
    /// The tree that the path leads into, and how far others came who were on this way before.
    pub(super) tree: Option<usize>,
    pub(super) reached: Reached,
}

/// What every walk through the same tree goes by.
pub(super) struct Guide<'a, 'g, S, H, P> {
    pub(super) space: &'a S,
    pub(super) heuristic: &'a H,
    pub(super) pruning: &'g P,
}

impl<S, H, P> Clone for Guide<'_, '_, S, H, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, H, P> Copy for Guide<'_, '_, S, H, P> {}

impl<S: StateSpace, H, P: MovePruning<S>> Guide<'_, '_, S, H, P> {
    /// The moves that the search tries in a state, in their order.
    pub(super) fn moves(self, state: &S::State, came_by: Option<S::Move>) -> S::Moves {
        match came_by {
            None => self.space.moves(state),
            Some(m) => self.pruning.moves(self.space, state, m),
        }
    }

    /// The same without the first so many, or without any.
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

/// Walks through a tree, or a part of one.
pub(super) struct Walker<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> {
    pub(super) state: S::State,
    /// What is still to be done at the end of the path; `None` if there is nothing at all.
    pub(super) here: Option<Todo<S, H::Eval, P::Memory>>,
    pub(super) path: Vec<Step<S, H::Eval, P::Memory>>,
    pub(super) subtree: Option<Box<dyn SubtreeSearch<S, H::Eval> + 'a>>,
    pub(super) depth: Depth,
    /// The tree that it is in, and how far it came there.
    pub(super) tree: Option<usize>,
    pub(super) reached: Reached,
    /// By how much the cheapest path that was cut off in this iteration exceeds the bound.
    pub(super) least_excess: u64,
    pub(super) dead_ends: bool,
    /// What it took in all.
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

impl<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Walker<'a, S, H, P> {
    pub(super) fn new(state: S::State, subtree: Option<Box<dyn SubtreeSearch<S, H::Eval> + 'a>>) -> Self {
        Walker {
            state,
            here: None,
            path: Vec::new(),
            depth: Depth::new(subtree.is_some()),
            subtree,
            tree: None,
            reached: Reached::NOWHERE,
            least_excess: u64::MAX,
            dead_ends: false,
            expanded: 0,
            generated: 0,
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.here.is_none()
    }

    /// Takes over what is to be done along a path; a subtree search there begins.
    pub(super) fn take(&mut self, trail: Trail<S, H::Eval, P::Memory>) {
        let Trail { state, path, todo, tree, reached } = trail;
        if let (Todo::Subtree(here), Some(Step { m: came_by, .. })) = (&todo, path.last()) {
            let (mark, came_by) = (P::mark(here.memory), *came_by);
            let top = Top { state: &state, came_by, mark, eval: here.eval, room: here.room };
            let begun = self.subtree.as_mut().is_some_and(|subtree| subtree.begin(top));
            assert!(begun, "a subtree search that another walker could begin");
        }
        (self.state, self.path, self.here) = (state, path, Some(todo));
        (self.tree, self.reached) = (tree, reached);
    }

    /// Whether it knows how far it comes, whoever does the work.
    fn tells_room(&self) -> bool {
        self.subtree.as_ref().is_none_or(|subtree| subtree.least_room().is_some())
    }

    /// Goes on with at most so many expansions; in steps it does not use subtree searches.
    pub(super) fn advance(&mut self, guide: Guide<'a, '_, S, H, P>, expansions: u64, in_steps: bool) -> Walked {
        let Guide { space, heuristic, pruning } = guide;
        let Some(mut todo) = self.here.take() else { return Walked::Through };
        let expansions = expansions.min(MOST_AT_ONCE);
        let tells_room = self.tells_room();
        let mut no_subtrees = Depth::new(false);
        let mut descent = Descent {
            space,
            heuristic,
            pruning,
            subtree: self.subtree.as_deref_mut(),
            depth: if in_steps { &mut no_subtrees } else { &mut self.depth },
            least_excess: self.least_excess,
            least_room: self.reached.least_room,
            pruned: 0,
            left: expansions,
            subtrees: Subtrees::default(),
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
                Todo::Subtree(here) => {
                    let room = here.room;
                    match descent.go_on_in_subtree(room) {
                        SubtreeProgress::Through => {}
                        SubtreeProgress::Partly => descent.end = Some(End::Paused(Todo::Subtree(here))),
                        SubtreeProgress::Goal => {
                            // It is not a state that the walk has produced in this descent.
                            descent.subtrees.void_generated += 1;
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
            let Some(Step { m, undo, moves, eval, memory }) = self.path.pop() else { break None };
            space.undo(&mut state, m, undo);
            let room = room + space.cost(&state, m);
            todo = Todo::Walk(Here { moves, eval, memory, room });
            if descent.left == 0 {
                break Some(End::Paused(todo));
            }
        };
        self.state = state;
        self.path.extend(descent.unwound.into_iter().rev());
        self.least_excess = descent.least_excess;
        self.dead_ends = descent.dead_ends;
        if tells_room {
            self.reached.least_room = descent.least_room;
        }
        let Subtrees { expanded: progress, generated, void_expanded, void_generated } = descent.subtrees;
        let expanded = expansions - descent.left;
        let walked = expanded - progress;
        let generated = generated + descent.pruned + walked + u64::from(matches!(end, Some(End::Goal { .. })));
        self.generated = self.generated + generated - void_generated;
        self.expanded = self.expanded + expanded - void_expanded;
        self.reached.expanded = self.reached.expanded + expanded - void_expanded;
        match end {
            Some(End::Goal { room }) => Walked::Goal { room },
            Some(End::Paused(todo)) => {
                self.here = Some(todo);
                Walked::Partly
            }
            None => Walked::Through,
        }
    }

    /// How long the path is to the first state with moves that nobody has tried yet, as far as that can be told.
    pub(super) fn first_branch(&self) -> Option<usize> {
        self.here.as_ref()?;
        self.path.iter().position(|step| step.moves.size_hint().1 != Some(0))
    }

    /// Gives away the moves that are left at the first state of the path that has any: from there on the trees are
    /// largest.
    pub(super) fn split(
        &mut self,
        guide: Guide<'_, '_, S, H, P>,
        start: &S::State,
        bound: Cost,
    ) -> Option<Trail<S, H::Eval, P::Memory>> {
        let space = guide.space;
        let (mut state, mut came_by, mut room) = (start.clone(), None, bound);
        let mut above = Vec::new();
        for step in &mut self.path {
            let left = step.moves.by_ref().count();
            if left > 0 {
                let all = guide.moves(&state, came_by).into_iter().count();
                let moves = guide.moves_from(&state, came_by, all - left);
                let todo = Todo::Walk(Here { moves, eval: step.eval, memory: step.memory, room });
                return Some(Trail { state, path: above, todo, tree: self.tree, reached: Reached::NOWHERE });
            }
            // Nothing is left to do there for whoever goes that way.
            let moves = guide.moves_from(&state, came_by, usize::MAX);
            room -= space.cost(&state, step.m);
            let undo = space.apply(&mut state, step.m);
            above.push(Step { m: step.m, undo, moves, eval: step.eval, memory: step.memory });
            came_by = Some(step.m);
        }
        None
    }
}
