//! What IDA* leaves out beside the way straight back.

use std::sync::Arc;

use super::signal::Signal;
use crate::pruning::{Mark, NEVER, Pruning};
use crate::space::StateSpace;

/// Says which moves need not be tried after those that led to a state.
pub trait Steer<S: StateSpace>: Sync {
    /// What it has to remember of the path.
    type Mark: Copy + Send;
    /// Whether trees may be walked through in another order than that of their moves.
    const MAY_REORDER: bool;
    /// Before the first move.
    fn first(&self, space: &S, start: &S::State) -> Self::Mark;
    /// After one more move, or `None` if it need not be tried.
    fn next(&self, space: &S, mark: Self::Mark, m: S::Move) -> Option<Self::Mark>;
    /// The machine that it goes by, if there is one.
    fn machine(&self) -> Option<Arc<Pruning>>;
    /// The mark as that machine knows it.
    fn number(mark: Self::Mark) -> Mark;
    /// Called between two iterations: whether from now on it goes by another machine, which leaves out what the one before
    /// did, and more; `None` if that takes longer than the signal allows.
    fn learn(&mut self, space: &S, expanded: u64, signal: &Signal) -> Option<bool>;
    /// The length of the words of the machine that it goes by; 0 if there is none.
    fn longest(&self) -> usize;
    /// Goes by the machine for words of that length: true if that is another one.
    fn go_by(&mut self, space: &S, longest: usize) -> bool;
}

/// Leaves nothing out.
#[derive(Debug, Clone, Copy)]
pub struct Plain;

impl<S: StateSpace> Steer<S> for Plain {
    type Mark = ();
    const MAY_REORDER: bool = false;

    #[inline]
    fn first(&self, _space: &S, _start: &S::State) {}

    #[inline]
    fn next(&self, _space: &S, (): (), _m: S::Move) -> Option<()> {
        Some(())
    }

    fn machine(&self) -> Option<Arc<Pruning>> {
        None
    }

    #[inline]
    fn number((): ()) -> Mark {
        0
    }

    fn learn(&mut self, _space: &S, _expanded: u64, _signal: &Signal) -> Option<bool> {
        Some(false)
    }

    fn longest(&self) -> usize {
        0
    }

    fn go_by(&mut self, _space: &S, _longest: usize) -> bool {
        false
    }
}

/// Leaves out what a machine for words of moves says, once the search is long enough for it to pay.
#[derive(Debug, Default)]
pub struct Pruned {
    machine: Option<Arc<Pruning>>,
    /// The length of its words.
    longest: usize,
    /// The length that was asked for last; there may be no such machine.
    tried: usize,
}

impl<S: StateSpace> Steer<S> for Pruned {
    type Mark = Mark;
    const MAY_REORDER: bool = true;

    fn first(&self, space: &S, start: &S::State) -> Mark {
        self.machine.as_ref().map_or(0, |machine| machine.first(space.class(start)))
    }

    #[inline]
    fn next(&self, space: &S, mark: Mark, m: S::Move) -> Option<Mark> {
        let Some(machine) = &self.machine else { return Some(0) };
        let next = machine.next(mark, space.letter(m));
        (next != NEVER).then_some(next)
    }

    fn machine(&self) -> Option<Arc<Pruning>> {
        self.machine.clone()
    }

    #[inline]
    fn number(mark: Mark) -> Mark {
        mark
    }

    fn learn(&mut self, space: &S, expanded: u64, signal: &Signal) -> Option<bool> {
        let longest = space.words_after(expanded);
        if longest <= self.tried {
            return Some(false);
        }
        let machine = space.pruning_unless(longest, &mut || signal.stop().is_some());
        if machine.is_none() && signal.stop().is_some() {
            return None;
        }
        self.tried = longest;
        let Some(machine) = machine else { return Some(false) };
        (self.machine, self.longest) = (Some(machine), longest);
        Some(true)
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn go_by(&mut self, space: &S, longest: usize) -> bool {
        // Numbers from elsewhere could ask for anything.
        if longest == 0 || longest > space.words_after(u64::MAX) {
            return false;
        }
        (self.machine, self.longest, self.tried) = (space.pruning(longest), longest, longest);
        self.machine.is_some()
    }
}
