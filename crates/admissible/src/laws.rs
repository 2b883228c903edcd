//! The contracts of the traits as functions that panic where one is broken. Call them from the tests of a puzzle of
//! your own, with states that its start can reach.

use crate::batch::Batch;
use crate::heuristic::Heuristic;
use crate::search::cheapest_move;
use crate::space::{Backward, StateSpace};

/// Checks packing, undoing, costs, inverses, the index and keys around one state.
///
/// # Panics
/// If the space breaks its contract.
pub fn check_space<S: StateSpace>(space: &S, state: &S::State) {
    let packed = space.pack(state);
    assert_eq!(space.pack(&space.unpack(packed)), packed, "unpack after pack is the same state");
    if let Some(size) = space.index_size() {
        assert!(space.index(packed) < size, "the index of {packed:?} is below index_size()");
    }
    let offered: Vec<S::Move> = space.moves(state).into_iter().collect();
    let mut walk = state.clone();
    let mut successors = successors(space, &[packed]);
    assert_eq!(successors.len(), offered.len(), "successors() are as many as the moves");
    for &m in &offered {
        assert!(space.cost(state, m) > 0, "the cost of {m:?} is at least 1");
        let undo = space.apply(&mut walk, m);
        let after = space.pack(&walk);
        assert_eq!(space.pack(&space.unpack(after)), after, "unpack after pack is the same state, after {m:?}");
        let place = successors.iter().position(|&successor| successor == after);
        successors.swap_remove(place.unwrap_or_else(|| panic!("successors() have what {m:?} leads to")));
        let onward: Vec<S::Move> = space.onward(&walk, m).into_iter().collect();
        for next in space.moves(&walk) {
            let left_out = !onward.contains(&next);
            assert!(!left_out || space.inverse(m) == Some(next), "onward() leaves out only the way back, not {next:?}");
        }
        if let Some(back) = space.inverse(m) {
            assert!(space.moves(&walk).into_iter().any(|next| next == back), "the way back of {m:?} is a move");
            let undo_back = space.apply(&mut walk, back);
            assert_eq!(space.pack(&walk), packed, "{back:?} leads back to where {m:?} came from");
            space.undo(&mut walk, back, undo_back);
        }
        space.undo(&mut walk, m, undo);
        assert_eq!(space.pack(&walk), packed, "undo after {m:?} restores the state");
    }
    check_successors(space, packed);
    if S::KEY_WORDS > 0 {
        check_keys(space, state);
    }
}

fn successors<S: StateSpace>(space: &S, states: &[S::Packed]) -> Vec<S::Packed> {
    let mut found = Batch::default();
    space.successors(states, &mut found);
    found.items().to_vec()
}

/// Successors of many states at once are those of one after the other, whatever the order.
fn check_successors<S: StateSpace>(space: &S, packed: S::Packed) {
    let around = [vec![packed], successors(space, &[packed])].concat();
    // More than a space takes at a time.
    let states: Vec<S::Packed> = around.iter().copied().cycle().take(around.len() + 40).collect();
    let mut together = successors(space, &states);
    for after in states.iter().flat_map(|&state| successors(space, &[state])) {
        let place = together.iter().position(|&other| other == after);
        together.swap_remove(place.expect("successors() of many states have those of each"));
    }
    assert!(together.is_empty(), "successors() of many states have no others: {together:?}");
}

/// Whether a move may be left out after another one, which led to the state: the two can be made in either order, and it is the turn
/// of the other one to go last.
fn is_twin<S: StateSpace>(space: &S, state: &S::State, came_by: S::Move, m: S::Move) -> bool {
    let mut after = state.clone();
    space.apply(&mut after, m);
    let mut other_way = state.clone();
    space.retrace(&mut other_way, came_by);
    [m, came_by].into_iter().all(|m| {
        let is_move = space.moves(&other_way).into_iter().any(|offered| offered == m);
        is_move.then(|| space.apply(&mut other_way, m)).is_some()
    }) && space.pack(&other_way) == space.pack(&after)
        && space.turn(m) < space.turn(came_by)
}

/// What is listed are the moves without the way back.
fn check_list_onward<S: StateSpace>(space: &S, state: &S::State, came_by: Option<S::Move>) {
    let mut listed = Vec::new();
    let mut visits = 0;
    let count = space.list_onward(state, came_by, |m, is_move| {
        visits += 1;
        listed.extend(is_move.then_some(m));
    });
    assert_eq!(count as usize, space.moves(state).into_iter().count(), "list_onward() counts the moves of a state");
    assert!(visits <= S::MOST_ONWARD, "list_onward() makes at most MOST_ONWARD visits");
    let back = came_by.and_then(|m| space.inverse(m));
    for m in space.moves(state).into_iter().filter(|&m| Some(m) != back) {
        let place = listed.iter().position(|&other| other == m);
        listed.swap_remove(place.unwrap_or_else(|| panic!("list_onward() has {m:?} after {came_by:?}")));
    }
    assert!(listed.is_empty(), "list_onward() has no others after {came_by:?}: {listed:?}");
}

/// The moves onward are the moves without the way back and some twins, and have the keys after them.
fn check_each_onward<S: StateSpace>(space: &S, state: &S::State, came_by: Option<S::Move>) {
    let mut onward = Vec::new();
    let mut visits = 0;
    let count = space.each_onward(space.key(state), state, came_by, |m, key, is_move| {
        visits += 1;
        if is_move {
            onward.push((m, key));
        }
    });
    assert_eq!(count as usize, space.moves(state).into_iter().count(), "each_onward() counts the moves of a state");
    assert!(visits <= S::MOST_ONWARD, "each_onward() makes at most MOST_ONWARD visits");
    let back = came_by.and_then(|m| space.inverse(m));
    for m in space.moves(state).into_iter().filter(|&m| Some(m) != back) {
        let mut after = state.clone();
        space.apply(&mut after, m);
        let expected = (m, space.key(&after));
        match onward.iter().position(|&found| found == expected) {
            Some(place) => drop(onward.swap_remove(place)),
            None => assert!(
                came_by.is_some_and(|before| is_twin(space, state, before, m)),
                "each_onward() has {m:?} after {came_by:?}"
            ),
        }
    }
    assert!(onward.is_empty(), "each_onward() has no others after {came_by:?}: {onward:?}");
}

/// The moves onward of many states at once are those of one after the other.
fn check_onward_of_several<S: StateSpace>(space: &S, state: &S::State) {
    let after = |m: S::Move| {
        let mut after = state.clone();
        space.apply(&mut after, m);
        (space.key(&after), Some(m))
    };
    let around: Vec<_> =
        std::iter::once((space.key(state), None)).chain(space.moves(state).into_iter().map(after)).collect();
    // More than a space takes at a time.
    let states: Vec<_> = around.iter().copied().cycle().take(around.len() + 20).collect();
    let (mut together, mut alone, mut visits) = (Vec::new(), Vec::new(), 0);
    let count = space.each_onward_of_several(
        states.len(),
        |at| states[at],
        |at, m, key, is_move| {
            visits += 1;
            together.extend(is_move.then_some((at, m, key)));
        },
    );
    assert!(
        visits <= states.len() * S::MOST_ONWARD,
        "each_onward_of_several() makes at most MOST_ONWARD visits for each"
    );
    let counts = states.iter().enumerate().map(|(at, &(key, came_by))| {
        let found = |m, key, is_move: bool| alone.extend(is_move.then_some((at, m, key)));
        u64::from(space.each_onward(key, &space.of_key(key), came_by, found))
    });
    assert_eq!(count, counts.sum::<u64>(), "each_onward_of_several() counts the moves of all states");
    assert_eq!(together, alone, "each_onward_of_several() has what each_onward() has");
}

fn check_keys<S: StateSpace>(space: &S, state: &S::State) {
    check_list_onward(space, state, None);
    check_each_onward(space, state, None);
    check_onward_of_several(space, state);
    let packed = space.pack(state);
    let key = space.key(state);
    let mut walk = state.clone();
    for m in space.moves(state) {
        assert_eq!(space.cost(state, m), 1, "with keys {m:?} costs 1");
        let code = space.code(m);
        assert!(u64::from(code) + 2 < 1 << S::CODE_BITS, "the code of {m:?} leaves two numbers free");
        assert_eq!(space.decode(code), m, "decode after code is the same move");
        let undo = space.apply(&mut walk, m);
        let (after, key_after) = (space.pack(&walk), space.key(&walk));
        check_list_onward(space, &walk, Some(m));
        check_each_onward(space, &walk, Some(m));
        assert_eq!(key_after[0] >> (64 - S::CODE_BITS), 0, "a key leaves room for a code");
        assert!(S::KEY_WORDS == 2 || key_after[1] == 0, "a key of one word has no second one");
        if S::DENSE_KEYS {
            let fits = key_after[0] < space.key_bound() && S::KEY_WORDS == 1 && S::CODE_BITS <= 8;
            assert!(fits, "dense keys have one word below key_bound()");
        }
        assert_eq!(space.pack(&space.of_key(key_after)), after, "of_key after key is the same state, after {m:?}");
        assert_eq!(key_after == key, after == packed, "two states have two keys");
        let mut back = walk.clone();
        space.retrace(&mut back, m);
        assert_eq!(space.pack(&back), packed, "retrace of {m:?} leads to where it came from");
        space.undo(&mut walk, m, undo);
    }
}

/// Checks that every successor of a state has it among its predecessors, at the same cost, and that every predecessor
/// has a move to it.
///
/// # Panics
/// If it is not so.
pub fn check_backward<S: Backward>(space: &S, state: &S::State) {
    let packed = space.pack(state);
    let mut walk = state.clone();
    for m in space.moves(state) {
        let cost = space.cost(state, m);
        let undo = space.apply(&mut walk, m);
        let mut found = false;
        space.predecessors(&walk, |before, back| found |= space.pack(&before) == packed && back == cost);
        assert!(found, "the state before {m:?} is among the predecessors");
        space.undo(&mut walk, m, undo);
    }
    space.predecessors(state, |before, cost| {
        let there = cheapest_move(space, space.pack(&before), packed);
        assert!(there.is_some_and(|(least, _)| least <= cost), "every predecessor has a move to the state");
    });
}

/// Checks that what the space lists as goals are goals.
///
/// # Panics
/// If one is not.
pub fn check_goals<S: Backward>(space: &S) {
    let goals = space.goals().unwrap_or_default();
    assert!(goals.iter().all(|goal| space.is_goal(goal)), "what is listed as a goal is one");
}

/// Checks that the incremental estimate of every successor equals the one from scratch, and that so does what is recalled.
///
/// # Panics
/// If one differs.
pub fn check_incremental<S: StateSpace, H: Heuristic<S>>(space: &S, heuristic: &H, state: &S::State) {
    let eval = heuristic.evaluate(space, state);
    let estimate = heuristic.estimate(eval);
    let recalled = estimate.units().map(|units| heuristic.recall(space, state, units));
    if let Some(recalled) = recalled {
        assert_eq!(heuristic.estimate(recalled), estimate, "recall() gives what evaluate() gives");
    }
    let mut walk = state.clone();
    for m in space.moves(state) {
        let undo = space.apply(&mut walk, m);
        let after = |eval| heuristic.estimate(heuristic.advance(space, eval, &walk, m));
        let afresh = heuristic.estimate(heuristic.evaluate(space, &walk));
        assert_eq!(after(eval), afresh, "advance() by {m:?} gives what evaluate() gives");
        if let Some(recalled) = recalled {
            assert_eq!(after(recalled), afresh, "advance() by {m:?} gives the same after recall()");
        }
        space.undo(&mut walk, m, undo);
    }
}
