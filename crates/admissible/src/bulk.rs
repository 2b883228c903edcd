//! Spaces that generate the successors of many states together.

use crate::batch::Batch;
use crate::space::StateSpace;

/// A space that computes packed successors from packed states, for explorations that only list states.
pub trait BulkSuccessors: StateSpace {
    /// Adds the successors of all these states, in any order.
    fn successors(&self, states: &[Self::Packed], found: &mut Batch<Self::Packed>);
}

/// [`BulkSuccessors::successors`] for any space, one state after the other.
#[inline]
pub(crate) fn successors<S: StateSpace>(space: &S, states: &[S::Packed], found: &mut Batch<S::Packed>) {
    for &packed in states {
        let mut state = space.unpack(packed);
        for m in space.moves(&state) {
            let undo = space.apply(&mut state, m);
            found.push(space.pack(&state));
            space.undo(&mut state, m, undo);
        }
    }
}
