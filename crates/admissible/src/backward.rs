//! Spaces that can be searched backward, from the goals towards the start.

use crate::space::{AbilityVisitor, Cost, StateSpace};

/// A space that can list its goals and the predecessors of a state, as [`crate::search::bidirectional`] needs.
pub trait Backward: StateSpace {
    /// Every goal state, or `None` where there are too many to list.
    fn goals(&self) -> Option<Vec<Self::State>>;
    /// Calls `visit` with every state that has a move to `state`, and the cost of that move. The default is for spaces
    /// in which every move is reversed by a move of the same cost: there the predecessors are the successors.
    #[inline]
    fn predecessors(&self, state: &Self::State, mut visit: impl FnMut(Self::State, Cost)) {
        for m in self.moves(state) {
            let mut before = state.clone();
            self.apply(&mut before, m);
            visit(before, self.cost(state, m));
        }
    }
}

/// [`Backward::goals`] of a space with that ability.
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
