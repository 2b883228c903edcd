//! Spaces whose states have keys, which packed A*, HDA* and the cluster store and send.
//!
//! A *key* is a state in one or two words that leaves [`Keyed::CODE_BITS`] bits free for the code of the move that led
//! to it. So an entry of the open or closed list is one word or two: `g` and `h` follow from the bucket that holds the
//! entry, and the path is rebuilt from the goal backwards, by taking back the move stored with each closed state.

use crate::space::{AbilityVisitor, StateSpace};

/// A space whose states have keys. With keys [`crate::search::astar`] is several times as fast and takes half the
/// memory.
///
/// The contract, which [`crate::laws`] checks on states that you choose:
///
/// - every move costs 1;
/// - `state_of_key(key(s))` is `s`, `move_of_code(code(m))` is `m`, and `retrace` takes back any move;
/// - [`Keyed::each_move`] lists the moves, but may omit the move back to the state before `came_by`;
///   [`Keyed::each_successor`] lists the keys after them, and may omit transpositions as well.
pub trait Keyed: StateSpace {
    /// The words of a key, 1 or 2.
    const KEY_WORDS: usize;

    /// The number of high bits of a key's first word that are 0 in every key; move codes go there.
    const CODE_BITS: u32;

    /// The largest number of visits that [`Keyed::each_move`] and [`Keyed::each_successor`] make.
    const MAX_VISITS: usize;

    /// Whether keys are dense: a table of half a byte for each number below [`Keyed::key_bound`] (a whole byte with
    /// more than four bits of code) is smaller than a hash table of the states that a search closes. For keys of one
    /// word and at most eight bits of code.
    const DENSE_KEYS: bool = false;

    /// Whether the space computes successor keys from keys: then A* calls [`Keyed::each_successor`] instead of applying
    /// the moves of [`Keyed::each_move`].
    const SUCCESSORS_BY_KEY: bool = false;

    /// The key of a state; the second word is 0 if [`Keyed::KEY_WORDS`] is 1.
    fn key(&self, state: &Self::State) -> [u64; 2];

    /// The state with this key.
    fn state_of_key(&self, key: [u64; 2]) -> Self::State;

    /// An exclusive upper bound of all keys of one word.
    fn key_bound(&self) -> u64 {
        u64::MAX >> Self::CODE_BITS
    }

    /// The code of a move, below `(1 << CODE_BITS) - 2`.
    fn code(&self, m: Self::Move) -> u32;

    /// The move with this code.
    fn move_of_code(&self, code: u32) -> Self::Move;

    /// Restores the state before a move, given only the move.
    fn retrace(&self, state: &mut Self::State, m: Self::Move);

    /// An abstraction of a state that most moves leave unchanged and that takes many values: HDA* distributes states by
    /// it, so that most successors stay with the worker that generates them. `None` to distribute by a hash of the
    /// state.
    #[inline]
    fn abstraction(&self, _state: &Self::State) -> Option<u64> {
        None
    }

    /// Calls `visit` with the moves of a state, in any order; may omit the move back to the state before `came_by`. May
    /// also visit illegal candidates, flagged `false`, to keep the loop branch-free; such a candidate needs only a
    /// code. Returns the number of moves of the state, including omitted ones.
    #[inline]
    fn each_move(
        &self,
        state: &Self::State,
        _came_by: Option<Self::Move>,
        mut visit: impl FnMut(Self::Move, bool),
    ) -> u32 {
        let mut count = 0;
        for m in self.moves(state) {
            visit(m, true);
            count += 1;
        }
        count
    }

    /// Calls `visit` with the moves of a state, in any order, and the key after each; may omit the move back to the
    /// state before `came_by`. May also visit illegal candidates, flagged `false`. Returns the number of moves of the
    /// state, including omitted ones.
    ///
    /// It may also omit a move `m` that is a *transposition*: `m` and `came_by` are legal in either order and lead to
    /// the same state, and [`Keyed::transposition_order`] of `m` is less than that of `came_by`. Then another path of
    /// the same cost leads to the successor: `m` first, then `came_by`. Each omission leads to a
    /// path whose last move is later in the order, so one path always remains.
    #[inline]
    fn each_successor(
        &self,
        _key: [u64; 2],
        state: &Self::State,
        came_by: Option<Self::Move>,
        mut visit: impl FnMut(Self::Move, [u64; 2], bool),
    ) -> u32 {
        let mut after = state.clone();
        self.each_move(state, came_by, |m, is_move| {
            if is_move {
                let undo = self.apply(&mut after, m);
                visit(m, self.key(&after), true);
                self.undo(&mut after, m, undo);
            }
        })
    }

    /// [`Keyed::each_successor`] for `count` states: `state` returns the key of each and the move that led to it, and
    /// the first argument of `visit` is the index of the state. All moves of a state come before those of the next.
    /// Override it if moves of several states are generated faster together.
    #[inline]
    fn each_successor_of_many(
        &self,
        count: usize,
        state: impl Fn(usize) -> ([u64; 2], Option<Self::Move>),
        mut visit: impl FnMut(usize, Self::Move, [u64; 2], bool),
    ) -> u64 {
        let mut moves = 0;
        for at in 0..count {
            let (key, came_by) = state(at);
            let visit = |m: Self::Move, key: [u64; 2], is_move: bool| visit(at, m, key, is_move);
            moves += u64::from(self.each_successor(key, &self.state_of_key(key), came_by, visit));
        }
        moves
    }

    /// Of two moves that are legal in either order, [`Keyed::each_successor`] keeps the order in which the move with
    /// the larger number comes last.
    fn transposition_order(&self, _m: Self::Move) -> u32 {
        0
    }
}

/// Whether a space has keys.
///
/// ```
/// use admissible::example::Steps;
/// assert!(!admissible::has_keys(&Steps { goal: 100 }));
/// ```
pub fn has_keys<S: StateSpace>(space: &S) -> bool {
    struct HasKeys(bool);
    impl<'a, S: StateSpace> AbilityVisitor<'a, S> for HasKeys {
        fn keyed(self, _space: &'a S) -> Self
        where
            S: Keyed,
        {
            HasKeys(true)
        }
    }
    space.abilities(HasKeys(false)).0
}
