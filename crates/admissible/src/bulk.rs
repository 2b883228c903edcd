//! Spaces that find the successors of many states together.

use crate::batch::Batch;
use crate::space::StateSpace;

/// A space that makes packed successors from packed states, for searches that do nothing but list states.
pub trait BulkSuccessors: StateSpace {
    /// Adds the state after every move of every one of these states, in any order.
    fn successors(&self, states: &[Self::Packed], found: &mut Batch<Self::Packed>);
}

/// The same for any space, one state after the other.
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
