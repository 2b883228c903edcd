//! What a puzzle has to say about itself to be searched.
//!
//! A [`StateSpace`] is a graph that is never written down: states, the moves of a state and what a move costs. One
//! implementation serves every algorithm. Best-first searches unpack a stored state, apply a move, pack the result and
//! undo; depth-first searches apply, descend and undo. So moves change a state in place, and a search that keeps
//! millions of states keeps them in the smaller form, [`StateSpace::Packed`].

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use crate::batch::Batch;
use crate::pruning::{Pruning, words_after};

/// What a move or a path costs. Moves cost at least 1.
pub type Cost = u32;

/// A graph of states, given by its moves.
///
/// The contract, which [`crate::laws`] checks on examples of your own:
///
/// - `unpack(pack(s))` is `s`, and two states are the same state exactly if their packed forms are equal;
/// - `undo` after `apply` restores the state;
/// - every cost is at least 1;
/// - `inverse(m)`, where it is given, leads back to where `m` came from;
/// - with keys: `of_key(key(s))` is `s`, `decode(code(m))` is `m`, `retrace` takes back any move, and every cost is 1;
/// - `list_onward` has the moves without the way back, and `each_onward` the keys after them, without some twins.
pub trait StateSpace: Sync {
    /// A state as it is comfortable to work on.
    type State: Clone + Send;
    /// A state as a closed list keeps it by the million.
    type Packed: Copy + Eq + Hash + Debug + Send + Sync;
    /// One move.
    type Move: Copy + Eq + Debug + Send + Sync;
    /// The moves of one state. They are owned, so the state may change while they are walked; a bit set or a small
    /// array allocates nothing.
    type Moves: IntoIterator<Item = Self::Move, IntoIter: Send>;
    /// Whatever `apply` destroys and `undo` needs; often `()`.
    type Undo: Copy + Send;

    /// The compact form of a state.
    fn pack(&self, state: &Self::State) -> Self::Packed;
    /// The state that was packed.
    fn unpack(&self, packed: Self::Packed) -> Self::State;
    /// Whether the state solves the puzzle.
    fn is_goal(&self, state: &Self::State) -> bool;
    /// The moves of a state, in the order in which a search tries them.
    fn moves(&self, state: &Self::State) -> Self::Moves;
    /// Plays a move that [`StateSpace::moves`] offered.
    fn apply(&self, state: &mut Self::State, m: Self::Move) -> Self::Undo;
    /// Takes back the last move played.
    fn undo(&self, state: &mut Self::State, m: Self::Move, undo: Self::Undo);

    /// What a move costs in the state before it; at least 1.
    fn cost(&self, _before: &Self::State, _m: Self::Move) -> Cost {
        1
    }

    /// The move that leads straight back, where there is one: depth-first searches skip it.
    fn inverse(&self, _m: Self::Move) -> Option<Self::Move> {
        None
    }

    /// The moves of a state that was reached by `came_by`. A space with a table of moves may leave out the way back
    /// here, and says so in [`StateSpace::ONWARD_IS_ONWARD`].
    fn onward(&self, state: &Self::State, _came_by: Self::Move) -> Self::Moves {
        self.moves(state)
    }

    /// Whether [`StateSpace::onward`] leaves out the way back, so that searches need not compare every move with it.
    const ONWARD_IS_ONWARD: bool = false;

    /// Sequences of up to `longest` moves that depth-first searches need not try, for spaces where what a sequence does
    /// depends only on the [`StateSpace::class`] of the state; see [`crate::pruning`].
    fn pruning(&self, _longest: usize) -> Option<Arc<Pruning>> {
        None
    }

    /// The same, unless it takes so long that `give_up`, which is asked every few milliseconds, says so: then `None`.
    fn pruning_unless(&self, longest: usize, _give_up: &mut dyn FnMut() -> bool) -> Option<Arc<Pruning>> {
        self.pruning(longest)
    }

    /// How long the words of [`StateSpace::pruning`] should be after so many expansions: finding longer ones takes longer. 0 for
    /// none.
    fn words_after(&self, expanded: u64) -> usize {
        words_after(&[(1 << 16, 8), (1 << 20, 12)], expanded)
    }

    /// The class of a state for [`StateSpace::pruning`].
    fn class(&self, _state: &Self::State) -> usize {
        0
    }

    /// The letter of a move for [`StateSpace::pruning`], below [`crate::pruning::LETTERS`].
    fn letter(&self, _m: Self::Move) -> usize {
        0
    }

    /// Adds every state that a move from one of these leads to, in any order. A space that sees that in the packed form says
    /// so here, for searches that do nothing but list states.
    #[inline]
    fn successors(&self, states: &[Self::Packed], found: &mut Batch<Self::Packed>) {
        for &packed in states {
            let mut state = self.unpack(packed);
            for m in self.moves(&state) {
                let undo = self.apply(&mut state, m);
                found.push(self.pack(&state));
                self.undo(&mut state, m, undo);
            }
        }
    }

    /// Whether a goal can be reached, where that is known without a search (the parity of a sliding puzzle).
    fn solvable(&self, _state: &Self::State) -> Option<bool> {
        None
    }

    /// The size of a perfect hash: `Some(n)` promises that [`StateSpace::index`] maps packed states one to one into
    /// `0..n`, and lets closed lists be plain arrays instead of hash tables.
    fn index_size(&self) -> Option<u32> {
        None
    }

    /// The place of a packed state in `0..index_size()`.
    fn index(&self, _packed: Self::Packed) -> u32 {
        unreachable!("index() is called only where index_size() is given")
    }

    /// The words of a *key*, 1 or 2; 0 if the space has no keys. A key is a state that leaves [`StateSpace::CODE_BITS`]
    /// free for the move that led to it, and with keys [`crate::search::astar`] is several times as fast and takes half
    /// the memory. A space with keys promises that every move costs 1, and says how many moves a state has at the most
    /// ([`StateSpace::MOST_ONWARD`]).
    const KEY_WORDS: usize = 0;

    /// The highest bits of a key's first word that are 0 in every key; codes of moves go there.
    const CODE_BITS: u32 = 0;

    /// The key of a state; the second word is 0 if [`StateSpace::KEY_WORDS`] is 1.
    fn key(&self, _state: &Self::State) -> [u64; 2] {
        unreachable!("key() is called only where KEY_WORDS is given")
    }

    /// Whether keys lie so close together that a table with half a byte for every number below [`StateSpace::key_bound`], or a
    /// whole one with more than four bits of code, is smaller than a list of those that were met; for keys of one word and at most
    /// eight bits of code.
    const DENSE_KEYS: bool = false;

    /// A number that all keys are below.
    fn key_bound(&self) -> u64 {
        unreachable!("key_bound() is called only where DENSE_KEYS is given")
    }

    /// The state with that key.
    fn of_key(&self, _key: [u64; 2]) -> Self::State {
        unreachable!("of_key() is called only where KEY_WORDS is given")
    }

    /// A number that most moves leave as it is and that takes many values, for sharing states out among workers so that
    /// most successors stay where they are produced; `None` if nobody has thought of one.
    #[inline]
    fn neighbourhood(&self, _state: &Self::State) -> Option<u64> {
        None
    }

    /// A number for a move, below `(1 << CODE_BITS) - 2`.
    fn code(&self, _m: Self::Move) -> u32 {
        unreachable!("code() is called only where KEY_WORDS is given")
    }

    /// The move with that number.
    fn decode(&self, _code: u32) -> Self::Move {
        unreachable!("decode() is called only where KEY_WORDS is given")
    }

    /// How often [`StateSpace::list_onward`] and [`StateSpace::each_onward`] call `visit` at the most.
    const MOST_ONWARD: usize = 0;

    /// Calls `visit` with the moves of a state, in any order, without the way back of `came_by`. Which moves there are cannot be
    /// predicted, so others may be named as well, which need no more than a [`StateSpace::code`]: the last argument says whether it is
    /// one. Returns how many moves the state has, with the way back.
    #[inline]
    fn list_onward(
        &self,
        state: &Self::State,
        came_by: Option<Self::Move>,
        mut visit: impl FnMut(Self::Move, bool),
    ) -> u32 {
        let back = came_by.and_then(|m| self.inverse(m));
        let mut count = 0;
        for m in self.moves(state) {
            visit(m, Some(m) != back);
            count += 1;
        }
        count
    }

    /// Whether keys are made from keys: then A* asks for [`StateSpace::each_onward`] instead of playing what is listed.
    const STEPS_BY_KEY: bool = false;

    /// Calls `visit` with the moves of a state, in any order, and the key after each, without the way back of `came_by`. Which moves
    /// there are cannot be predicted, so others may be tried as well: the last argument says whether it is one. Returns how many
    /// moves the state has, with those that are left out.
    ///
    /// A move `m` may be left out as well if it has a *twin*: if `m` could have been made before `came_by`, `came_by` after it, the
    /// two lead to the same state either way, and [`StateSpace::turn`] of `m` is less than that of `came_by`. Then what `m` leads to
    /// is found from another state that is as cheap: the one that `m` leads to instead of `came_by`, and if that leaves out
    /// `came_by` in turn, from one by a move with a larger turn still.
    #[inline]
    fn each_onward(
        &self,
        _key: [u64; 2],
        state: &Self::State,
        came_by: Option<Self::Move>,
        mut visit: impl FnMut(Self::Move, [u64; 2], bool),
    ) -> u32 {
        let mut after = state.clone();
        self.list_onward(state, came_by, |m, is_move| {
            if is_move {
                let undo = self.apply(&mut after, m);
                visit(m, self.key(&after), true);
                self.undo(&mut after, m, undo);
            }
        })
    }

    /// The same for so many states: `state` gives the key of each and the move that led there, and `visit` is told which of them a
    /// move is of. All moves of a state come before those of the next. For spaces that know the moves of several states faster
    /// than of one after the other.
    #[inline]
    fn each_onward_of_several(
        &self,
        count: usize,
        state: impl Fn(usize) -> ([u64; 2], Option<Self::Move>),
        mut visit: impl FnMut(usize, Self::Move, [u64; 2], bool),
    ) -> u64 {
        let mut moves = 0;
        for at in 0..count {
            let (key, came_by) = state(at);
            let visit = |m: Self::Move, key: [u64; 2], is_move: bool| visit(at, m, key, is_move);
            moves += u64::from(self.each_onward(key, &self.of_key(key), came_by, visit));
        }
        moves
    }

    /// Of two moves that can be made in either order, the one with the larger number goes last in [`StateSpace::each_onward`].
    fn turn(&self, _m: Self::Move) -> u32 {
        0
    }

    /// Goes back to the state before a move, of which nothing is left but the move.
    fn retrace(&self, state: &mut Self::State, m: Self::Move) {
        let back = self.inverse(m).expect("retrace() is written for moves without an inverse");
        self.apply(state, back);
    }
}

/// A space that can be walked from its goals towards the start, as [`crate::search::bidirectional`] does.
pub trait Backward: StateSpace {
    /// Every goal state, or `None` where there are too many to list.
    fn goals(&self) -> Option<Vec<Self::State>>;
    /// Calls `visit` with every state that has a move to `state`, and what that move costs.
    fn predecessors(&self, state: &Self::State, visit: impl FnMut(Self::State, Cost));
}
