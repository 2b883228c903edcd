//! Rankings: the states of a space, or of a part of it, numbered from 0 without gaps.
//!
//! Audits and explorations keep their data in arrays by rank. A puzzle that can compute ranks implements [`Ranking`]
//! and stores no states. [`Listed`] ranks the states of a list, and [`Reached`](crate::explore::Reached) the states
//! that can be reached from a start.

use std::hash::Hash;

use crate::backward::{Backward, listed_goals};
use crate::search::closed::Nodes;
use crate::space::StateSpace;

/// A bijection between some states of a space and `0..size`. No shortest path to a goal may leave these states: then
/// distances within them are true distances.
///
/// The provided methods unrank and rank states. A ranking that can compute how a move changes the rank should override
/// them, which may be ten times as fast.
pub trait Ranking<S: StateSpace>: Sync {
    /// Whether every move can be reversed by a move. Then the distances of neighbours differ by at most 1, and two bits
    /// a state show which neighbour is nearer to the goal.
    const REVERSIBLE: bool = false;

    /// The number of states.
    fn size(&self) -> usize;
    /// The state of a rank below [`Ranking::size`].
    fn unrank(&self, space: &S, rank: usize) -> S::State;
    /// The rank of a state; `None` if it is not among the ranked states.
    fn rank(&self, space: &S, state: &S::State) -> Option<usize>;

    /// Calls `visit` with the rank of every goal.
    fn goals(&self, space: &S, visit: impl FnMut(usize)) {
        match listed_goals(space) {
            Some(goals) => goals.iter().filter_map(|goal| self.rank(space, goal)).for_each(visit),
            None => (0..self.size()).filter(|&rank| space.is_goal(&self.unrank(space, rank))).for_each(visit),
        }
    }

    /// Calls `visit` with the rank of every state that has a move to this one.
    #[inline]
    fn predecessors(&self, space: &S, rank: usize, mut visit: impl FnMut(usize))
    where
        S: Backward,
    {
        space.predecessors(&self.unrank(space, rank), |before, _| {
            if let Some(before) = self.rank(space, &before) {
                visit(before);
            }
        });
    }

    /// Calls `visit` with the rank of every state that this one has a move to.
    #[inline]
    fn successors(&self, space: &S, rank: usize, mut visit: impl FnMut(usize)) {
        let mut state = self.unrank(space, rank);
        for m in space.moves(&state) {
            let undo = space.apply(&mut state, m);
            if let Some(after) = self.rank(space, &state) {
                visit(after);
            }
            space.undo(&mut state, m, undo);
        }
    }
}

/// A ranking by list: the rank of a state is its position.
#[derive(Debug)]
pub struct Listed<P> {
    nodes: Nodes<P>,
}

impl<P: Copy + Eq + Hash> Listed<P> {
    /// Ranks these states in this order, without duplicates.
    ///
    /// # Panics
    /// If there are two billion states.
    pub fn of<S: StateSpace<Packed = P>>(space: &S, states: impl IntoIterator<Item = S::State>) -> Self {
        let mut nodes = Nodes::new(space, None);
        for state in states {
            nodes.find_or_insert(space, space.pack(&state), 0, None).expect("31 bits number the states of a list");
        }
        Listed { nodes }
    }
}

impl<P, S> Ranking<S> for Listed<P>
where
    P: Copy + Eq + Hash + Sync,
    S: StateSpace<Packed = P>,
{
    fn size(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn unrank(&self, space: &S, rank: usize) -> S::State {
        space.unpack(self.nodes.packed(rank as u32))
    }

    #[inline]
    fn rank(&self, space: &S, state: &S::State) -> Option<usize> {
        self.nodes.find(space, space.pack(state)).map(|id| id as usize)
    }
}
