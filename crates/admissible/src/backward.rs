//! Spaces that can be walked from their goals towards the start.

use crate::space::{AbilityVisitor, Cost, StateSpace};

/// A space whose goals and predecessors can be listed, as [`crate::search::bidirectional`] needs it.
pub trait Backward: StateSpace {
    /// Every goal state, or `None` where there are too many to list.
    fn goals(&self) -> Option<Vec<Self::State>>;
    /// Calls `visit` with every state that has a move to `state`, and what that move costs. The default serves spaces in
    /// which every move is taken back by a move of the same cost: there the predecessors are the successors.
    #[inline]
    fn predecessors(&self, state: &Self::State, mut visit: impl FnMut(Self::State, Cost)) {
        for m in self.moves(state) {
            let mut before = state.clone();
            self.apply(&mut before, m);
            visit(before, self.cost(state, m));
        }
    }
}

/// [`Backward::goals`] of a space that can be walked backward.
pub fn listed_goals<S: StateSpace>(space: &S) -> Option<Vec<S::State>> {
    struct Goals<S: StateSpace>(Option<Vec<S::State>>);
    impl<'a, S: StateSpace> AbilityVisitor<'a, S> for Goals<S> {
        fn backward(self, space: &'a S) -> Self
        where
            S: Backward,
        {
            Goals(space.goals())
        }
    }
    space.abilities(Goals(None)).0
}
