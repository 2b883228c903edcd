//! Where the successors of a state go: onto the open list of a single worker, or to the worker that owns them.

use super::key::Key;
use crate::keyed::Keyed;
use crate::space::Cost;

/// What packed A* does with states that may not be its own.
pub(in crate::search) trait Route<S: Keyed, const N: usize> {
    /// Whether there may be heuristics with which a closed state is found more cheaply later.
    const REOPENS: bool;
    /// The least number of states in a round.
    const LEAST_ROUND: usize;
    /// Hands a state over to its owner; false if that is whoever produced it.
    fn send(&mut self, space: &S, state: &S::State, key: Key<N>, f: u64, h: u32) -> bool;
    /// Whether this search is one that opens closed states again.
    fn reopens(&self) -> bool;
    /// Closes a state that was reached at that cost, unless it was as cheaply before: whether it was not. Only in such
    /// a search.
    fn close(&mut self, key: Key<N>, g: Cost) -> bool;
    /// Told of a goal that was taken off the open list: whether the search ends there.
    fn ends_at_goal(&mut self) -> bool;
    /// What it holds.
    fn bytes(&self) -> u64;
    /// Whether so many more states can be closed within so many bytes.
    fn has_room(&self, more: usize, bytes: u64) -> bool;
}

/// All states are one's own.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Alone;

impl<S: Keyed, const N: usize> Route<S, N> for Alone {
    const REOPENS: bool = false;
    const LEAST_ROUND: usize = 1;

    #[inline]
    fn send(&mut self, _space: &S, _state: &S::State, _key: Key<N>, _f: u64, _h: u32) -> bool {
        false
    }

    fn reopens(&self) -> bool {
        false
    }

    fn close(&mut self, _key: Key<N>, _g: Cost) -> bool {
        unreachable!("nothing is opened again")
    }

    #[inline]
    fn ends_at_goal(&mut self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        0
    }

    #[inline]
    fn has_room(&self, _more: usize, _bytes: u64) -> bool {
        true
    }
}
