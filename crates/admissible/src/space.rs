//! State spaces: the description of a puzzle that every search needs.
//!
//! A [`StateSpace`] is an implicit graph: states, the moves of a state and the cost of a move. One implementation
//! serves every algorithm. Best-first searches unpack a stored state, apply a move, pack the result and undo;
//! depth-first searches apply, descend and undo. So moves change a state in place, and a search that stores millions
//! of states stores them in a smaller form, [`StateSpace::Packed`].
//!
//! Further abilities of a space are separate, optional traits. A space names the abilities that it has in one place,
//! [`StateSpace::abilities`]:
//!
//! | ability | enables |
//! |---|---|
//! | [`Keyed`] | packed A*, HDA* and the cluster |
//! | [`Indexed`] | closed lists that are plain arrays |
//! | [`Invertible`] | IDA* that omits the inverse of the last move without applying it |
//! | [`Prunable`] | IDA* that omits redundant sequences of moves |
//! | [`BulkSuccessors`] | faster exploration of all states reachable from a start |
//! | [`Backward`] | bidirectional search, distances to the goals |

use std::fmt::Debug;
use std::hash::Hash;

use crate::backward::Backward;
use crate::bulk::BulkSuccessors;
use crate::indexed::Indexed;
use crate::invertible::Invertible;
use crate::keyed::Keyed;
use crate::pruning::Prunable;

/// The cost of a move or a path. Moves cost at least 1.
pub type Cost = u32;

/// A graph of states, given by its moves.
///
/// The contract, which [`crate::laws`] checks on states that you choose:
///
/// - `unpack(pack(s))` is `s`, and two states are equal exactly if their packed forms are equal;
/// - `undo` after `apply` restores the state;
/// - every cost is at least 1.
pub trait StateSpace: Sized + Sync {
    /// A state in the form that moves work on.
    type State: Clone + Send;
    /// A state in the form that a closed list stores.
    type Packed: Copy + Eq + Hash + Debug + Send + Sync;
    /// One move.
    type Move: Copy + Eq + Debug + Send + Sync;
    /// The moves of one state. They are owned, so the state may change while a search iterates over them; a bit set or
    /// a small array allocates nothing.
    type Moves: IntoIterator<Item = Self::Move, IntoIter: Send>;
    /// What `undo` needs to restore the state before `apply`; often `()`.
    type Undo: Copy + Send;

    /// The compact form of a state.
    fn pack(&self, state: &Self::State) -> Self::Packed;
    /// The state with this packed form.
    fn unpack(&self, packed: Self::Packed) -> Self::State;
    /// Whether the state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;
    /// The moves of a state, in the order in which a search tries them.
    fn moves(&self, state: &Self::State) -> Self::Moves;
    /// Applies a move that [`StateSpace::moves`] returned.
    fn apply(&self, state: &mut Self::State, m: Self::Move) -> Self::Undo;
    /// Takes back the move that was applied last.
    fn undo(&self, state: &mut Self::State, m: Self::Move, undo: Self::Undo);

    /// The cost of a move, given the state before it; at least 1.
    fn cost(&self, _before: &Self::State, _m: Self::Move) -> Cost {
        1
    }

    /// Names the abilities that the space has beyond the items above: `visitor.keyed(self).invertible(self)`.
    ///
    /// An algorithm calls it once, at the start of a search, with a visitor for the ability that it can use.
    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor
    }
}

/// Receives the abilities that a space names. An algorithm overrides the method of the ability that it uses: inside it
/// the trait bound holds, and the visitor keeps the result.
///
/// ```
/// use admissible::example::Steps;
/// use admissible::{AbilityVisitor, Invertible, StateSpace};
///
/// /// Whether a space names the inverses of its moves.
/// struct IsInvertible(bool);
///
/// impl<'a, S: StateSpace> AbilityVisitor<'a, S> for IsInvertible {
///     fn invertible(self, _space: &'a S) -> Self
///     where
///         S: Invertible,
///     {
///         IsInvertible(true)
///     }
/// }
/// assert!(!Steps { goal: 100 }.abilities(IsInvertible(false)).0, "halving is no move");
/// ```
pub trait AbilityVisitor<'a, S: StateSpace>: Sized {
    /// The states have keys.
    fn keyed(self, _space: &'a S) -> Self
    where
        S: Keyed,
    {
        self
    }

    /// Packed states index an array.
    fn indexed(self, _space: &'a S) -> Self
    where
        S: Indexed,
    {
        self
    }

    /// Moves have inverses.
    fn invertible(self, _space: &'a S) -> Self
    where
        S: Invertible,
    {
        self
    }

    /// Redundant sequences of moves are known.
    fn prunable(self, _space: &'a S) -> Self
    where
        S: Prunable,
    {
        self
    }

    /// The space generates the successors of many states together.
    fn bulk_successors(self, _space: &'a S) -> Self
    where
        S: BulkSuccessors,
    {
        self
    }

    /// The space can list its goals and the predecessors of a state.
    fn backward(self, _space: &'a S) -> Self
    where
        S: Backward,
    {
        self
    }
}
