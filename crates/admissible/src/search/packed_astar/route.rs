//! The route of successors: onto the open list of a single worker, or to the worker that owns them.

use super::key::Key;
use crate::keyed::Keyed;
use crate::space::Cost;

/// What packed A* does with generated states, which may belong to another worker.
pub(in crate::search) trait Route<S: Keyed, const N: usize> {
    /// Whether inconsistent heuristics are allowed, with which closed states are reopened.
    const REOPENS: bool;
    /// The least number of states in a round.
    const LEAST_ROUND: usize;
    /// Sends a state to its owner; false if it belongs to this worker.
    fn send(&mut self, space: &S, state: &S::State, key: Key<N>, f: u64, h: u32) -> bool;
    /// Whether this search reopens closed states.
    fn reopens(&self) -> bool;
    /// Closes a state reached with this `g`; false if it was closed with a `g` no larger. Only in a search that
    /// reopens.
    fn close(&mut self, key: Key<N>, g: Cost) -> bool;
    /// Counts a goal that was taken off the open list; true if the search ends there.
    fn ends_at_goal(&mut self) -> bool;
    /// The bytes that it takes.
    fn bytes(&self) -> u64;
    /// Whether `more` states can be closed within `bytes`.
    fn has_room(&self, more: usize, bytes: u64) -> bool;
}

/// The route of a single worker, which owns all states.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct SingleWorker;

impl<S: Keyed, const N: usize> Route<S, N> for SingleWorker {
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
        unreachable!("a single worker never reopens")
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
