//! Move pruning: the moves that IDA* omits.
//!
//! - [`ByGrandparent`]: the move back to the grandparent, recognised by its packed form. Works in every space.
//! - [`ByInverse`]: the inverse of the last move, recognised without applying it ([`Invertible`]).
//! - [`ByAutomaton`]: that move and redundant sequences of moves ([`crate::pruning`]).

use std::sync::Arc;

use super::restore::Restore;
use super::signal::Signal;
use crate::invertible::Invertible;
use crate::pruning::{Mark, MoveAutomaton, NEVER, Prunable};
use crate::space::StateSpace;

/// Decides which moves are pruned, given the moves that led to a state.
pub(super) trait MovePruning<S: StateSpace>: Sync {
    /// What it remembers about the path.
    type Memory: Copy + Send;

    /// The memory before the first move.
    fn first(&self, space: &S, start: &S::State) -> Self::Memory;

    /// The moves to try in a state that `came_by` led to. [`MovePruning::follow`] may prune some of these.
    #[inline]
    fn moves(&self, space: &S, state: &S::State, _came_by: S::Move) -> S::Moves {
        space.moves(state)
    }

    /// Applies a move; `None`, and the state unchanged, if the move is pruned.
    fn follow(
        &self,
        space: &S,
        memory: Self::Memory,
        came_by: Option<S::Move>,
        state: &mut S::State,
        m: S::Move,
    ) -> Option<(S::Undo, Self::Memory)>;

    /// Its automaton, if it has one.
    fn automaton(&self) -> Option<Arc<MoveAutomaton>> {
        None
    }

    /// The mark of that automaton; 0 without one.
    #[inline]
    fn mark(_memory: Self::Memory) -> Mark {
        0
    }

    /// Called between two iterations: may switch to a larger automaton, which prunes more, and then returns true;
    /// `None` if the signal stopped its construction.
    fn learn(&mut self, _space: &S, _expanded: u64, _signal: &Signal) -> Option<bool> {
        Some(false)
    }

    /// The length of the longest sequences that the automaton prunes; 0 without one.
    fn longest(&self) -> usize {
        0
    }

    /// Switches to the automaton for sequences of this length; true if it did.
    fn use_length(&mut self, _space: &S, _longest: usize) -> bool {
        false
    }
}

/// Prunes a move back to the grandparent, which it recognises by its packed form.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByGrandparent;

/// The packed state at the end of a path, and the one before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LastTwo<P> {
    here: P,
    before: Option<P>,
}

impl<S: StateSpace> MovePruning<S> for ByGrandparent {
    type Memory = LastTwo<S::Packed>;

    fn first(&self, space: &S, start: &S::State) -> Self::Memory {
        LastTwo { here: space.pack(start), before: None }
    }

    #[inline]
    fn follow(
        &self,
        space: &S,
        memory: Self::Memory,
        _came_by: Option<S::Move>,
        state: &mut S::State,
        m: S::Move,
    ) -> Option<(S::Undo, Self::Memory)> {
        let restore = Restore::of(state);
        let undo = space.apply(state, m);
        let packed = space.pack(state);
        if memory.before == Some(packed) {
            restore.after(space, state, m, undo);
            return None;
        }
        Some((undo, LastTwo { here: packed, before: Some(memory.here) }))
    }
}

/// Prunes the inverse of the last move.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByInverse;

#[inline]
fn is_inverse<S: Invertible>(space: &S, came_by: Option<S::Move>, m: S::Move) -> bool {
    !S::OMITS_INVERSE && came_by.and_then(|last| space.inverse(last)) == Some(m)
}

impl<S: Invertible> MovePruning<S> for ByInverse {
    type Memory = ();

    fn first(&self, _space: &S, _start: &S::State) {}

    #[inline]
    fn moves(&self, space: &S, state: &S::State, came_by: S::Move) -> S::Moves {
        space.moves_after(state, came_by)
    }

    #[inline]
    fn follow(
        &self,
        space: &S,
        (): (),
        came_by: Option<S::Move>,
        state: &mut S::State,
        m: S::Move,
    ) -> Option<(S::Undo, ())> {
        if is_inverse(space, came_by, m) {
            return None;
        }
        Some((space.apply(state, m), ()))
    }
}

/// Prunes the inverse of the last move and, once the search is long enough for that to pay, redundant sequences of
/// moves.
#[derive(Debug, Default)]
pub(super) struct ByAutomaton {
    automaton: Option<Arc<MoveAutomaton>>,
    /// The length of its longest sequences.
    longest: usize,
    /// The length that was tried last, with or without success.
    tried: usize,
}

impl<S: Prunable> MovePruning<S> for ByAutomaton {
    type Memory = Mark;

    fn first(&self, space: &S, start: &S::State) -> Mark {
        self.automaton.as_ref().map_or(0, |automaton| automaton.first(space.class(start)))
    }

    #[inline]
    fn moves(&self, space: &S, state: &S::State, came_by: S::Move) -> S::Moves {
        space.moves_after(state, came_by)
    }

    #[inline]
    fn follow(
        &self,
        space: &S,
        mark: Mark,
        came_by: Option<S::Move>,
        state: &mut S::State,
        m: S::Move,
    ) -> Option<(S::Undo, Mark)> {
        if is_inverse(space, came_by, m) {
            return None;
        }
        let next = self.automaton.as_ref().map_or(0, |automaton| automaton.next(mark, space.move_index(m)));
        if next == NEVER {
            return None;
        }
        Some((space.apply(state, m), next))
    }

    fn automaton(&self) -> Option<Arc<MoveAutomaton>> {
        self.automaton.clone()
    }

    #[inline]
    fn mark(mark: Mark) -> Mark {
        mark
    }

    fn learn(&mut self, space: &S, expanded: u64, signal: &Signal) -> Option<bool> {
        let longest = space.length_after(expanded);
        if longest <= self.tried {
            return Some(false);
        }
        let automaton = space.automaton(longest, &mut || signal.stop().is_some());
        if automaton.is_none() && signal.stop().is_some() {
            return None;
        }
        self.tried = longest;
        let Some(automaton) = automaton else { return Some(false) };
        (self.automaton, self.longest) = (Some(automaton), longest);
        Some(true)
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn use_length(&mut self, space: &S, longest: usize) -> bool {
        // The length comes from a snapshot and may be invalid.
        if longest == 0 || longest > space.length_after(u64::MAX) {
            return false;
        }
        (self.automaton, self.longest, self.tried) = (space.automaton(longest, &mut || false), longest, longest);
        self.automaton.is_some()
    }
}
