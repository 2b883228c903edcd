//! The contract of spaces with keys.

use super::after;
use crate::keyed::Keyed;

/// Whether a move leads back to the state before `came_by`.
fn leads_back<S: Keyed>(space: &S, state: &S::State, came_by: Option<S::Move>, m: S::Move) -> bool {
    let Some(came_by) = came_by else { return false };
    let mut before = state.clone();
    space.retrace(&mut before, came_by);
    space.pack(&before) == space.pack(&after(space, state, m))
}

/// Whether a move may be omitted after `came_by`: the two commute, and `came_by` is the one to come last.
fn is_transposition<S: Keyed>(space: &S, state: &S::State, came_by: S::Move, m: S::Move) -> bool {
    let after = after(space, state, m);
    let mut other_way = state.clone();
    space.retrace(&mut other_way, came_by);
    [m, came_by].into_iter().all(|m| {
        let is_move = space.moves(&other_way).into_iter().any(|offered| offered == m);
        is_move.then(|| space.apply(&mut other_way, m)).is_some()
    }) && space.pack(&other_way) == space.pack(&after)
        && space.transposition_order(m) < space.transposition_order(came_by)
}

/// Checks that `each_move` lists the moves, perhaps without the one that leads back.
fn check_each_move<S: Keyed>(space: &S, state: &S::State, came_by: Option<S::Move>) {
    let mut listed = Vec::new();
    let mut visits = 0;
    let count = space.each_move(state, came_by, |m, is_move| {
        visits += 1;
        listed.extend(is_move.then_some(m));
    });
    assert_eq!(count as usize, space.moves(state).into_iter().count(), "each_move() counts the moves of a state");
    assert!(visits <= S::MAX_VISITS, "each_move() makes at most MAX_VISITS visits");
    for m in space.moves(state) {
        match listed.iter().position(|&other| other == m) {
            Some(place) => drop(listed.swap_remove(place)),
            None => assert!(leads_back(space, state, came_by, m), "each_move() has {m:?} after {came_by:?}"),
        }
    }
    assert!(listed.is_empty(), "each_move() has no others after {came_by:?}: {listed:?}");
}

/// Checks that `each_successor` follows the moves, perhaps without the one that leads back and some transpositions.
fn check_each_successor<S: Keyed>(space: &S, state: &S::State, came_by: Option<S::Move>) {
    let mut found = Vec::new();
    let mut visits = 0;
    let count = space.each_successor(space.key(state), state, came_by, |m, key, is_move| {
        visits += 1;
        if is_move {
            found.push((m, key));
        }
    });
    assert_eq!(count as usize, space.moves(state).into_iter().count(), "each_successor() counts the moves of a state");
    assert!(visits <= S::MAX_VISITS, "each_successor() makes at most MAX_VISITS visits");
    for m in space.moves(state) {
        let expected = (m, space.key(&after(space, state, m)));
        match found.iter().position(|&other| other == expected) {
            Some(place) => drop(found.swap_remove(place)),
            None => assert!(
                leads_back(space, state, came_by, m)
                    || came_by.is_some_and(|before| is_transposition(space, state, before, m)),
                "each_successor() has {m:?} after {came_by:?}"
            ),
        }
    }
    assert!(found.is_empty(), "each_successor() has no others after {came_by:?}: {found:?}");
}

/// Checks that `each_successor_of_many` gives the successors of one state after the other.
fn check_each_successor_of_many<S: Keyed>(space: &S, state: &S::State) {
    let reached_by = |m: S::Move| (space.key(&after(space, state, m)), Some(m));
    let around: Vec<_> =
        std::iter::once((space.key(state), None)).chain(space.moves(state).into_iter().map(reached_by)).collect();
    // More states than a space handles at a time.
    let states: Vec<_> = around.iter().copied().cycle().take(around.len() + 20).collect();
    let (mut together, mut alone, mut visits) = (Vec::new(), Vec::new(), 0);
    let count = space.each_successor_of_many(
        states.len(),
        |at| states[at],
        |at, m, key, is_move| {
            visits += 1;
            together.extend(is_move.then_some((at, m, key)));
        },
    );
    assert!(
        visits <= states.len() * S::MAX_VISITS,
        "each_successor_of_many() makes at most MAX_VISITS visits for each state"
    );
    let counts = states.iter().enumerate().map(|(at, &(key, came_by))| {
        let found = |m, key, is_move: bool| alone.extend(is_move.then_some((at, m, key)));
        u64::from(space.each_successor(key, &space.state_of_key(key), came_by, found))
    });
    assert_eq!(count, counts.sum::<u64>(), "each_successor_of_many() counts the moves of all states");
    assert_eq!(together, alone, "each_successor_of_many() has what each_successor() has");
}

/// Checks keys, codes, successors by key and retracing around one state.
///
/// # Panics
/// If the space breaks its contract.
pub fn check_keyed<S: Keyed>(space: &S, state: &S::State) {
    check_each_move(space, state, None);
    check_each_successor(space, state, None);
    check_each_successor_of_many(space, state);
    let packed = space.pack(state);
    let key = space.key(state);
    let mut walk = state.clone();
    for m in space.moves(state) {
        assert_eq!(space.cost(state, m), 1, "with keys {m:?} costs 1");
        let code = space.code(m);
        assert!(u64::from(code) + 2 < 1 << S::CODE_BITS, "the code of {m:?} leaves two numbers free");
        assert_eq!(space.move_of_code(code), m, "move_of_code after code is the same move");
        let undo = space.apply(&mut walk, m);
        let (after, key_after) = (space.pack(&walk), space.key(&walk));
        check_each_move(space, &walk, Some(m));
        check_each_successor(space, &walk, Some(m));
        assert_eq!(key_after[0] >> (64 - S::CODE_BITS), 0, "a key leaves the bits of a code free");
        assert!(S::KEY_WORDS == 2 || key_after[1] == 0, "a key of one word has no second one");
        if S::DENSE_KEYS {
            let fits = key_after[0] < space.key_bound() && S::KEY_WORDS == 1 && S::CODE_BITS <= 8;
            assert!(fits, "dense keys have one word below key_bound()");
        }
        assert_eq!(
            space.pack(&space.state_of_key(key_after)),
            after,
            "state_of_key after key is the same state, after {m:?}"
        );
        assert_eq!(key_after == key, after == packed, "different states have different keys");
        let mut back = walk.clone();
        space.retrace(&mut back, m);
        assert_eq!(space.pack(&back), packed, "retrace of {m:?} restores the state before it");
        space.undo(&mut walk, m, undo);
    }
}
