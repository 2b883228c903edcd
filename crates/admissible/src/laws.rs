//! Checks of the traits' contracts: functions that panic if a contract is broken. Call them from the tests of your
//! puzzle, with states that can be reached from its start.

mod keyed;

use std::collections::HashSet;

use crate::backward::Backward;
use crate::batch::Batch;
use crate::bulk::BulkSuccessors;
use crate::heuristic::Heuristic;
use crate::indexed::Indexed;
use crate::invertible::Invertible;
use crate::keyed::Keyed;
use crate::pruning::{MAX_MOVES, NEVER, Prunable};
use crate::search::cheapest_move;
use crate::space::{AbilityVisitor, StateSpace};
pub use keyed::check_keyed;

/// Checks packing, undoing and costs around one state, and every ability that the space names.
///
/// # Panics
/// If the space breaks its contract.
pub fn check_space<S: StateSpace>(space: &S, state: &S::State) {
    let packed = space.pack(state);
    assert_eq!(space.pack(&space.unpack(packed)), packed, "unpack after pack is the same state");
    let mut walk = state.clone();
    for m in space.moves(state) {
        assert!(space.cost(state, m) > 0, "the cost of {m:?} is at least 1");
        let undo = space.apply(&mut walk, m);
        let after = space.pack(&walk);
        assert_eq!(space.pack(&space.unpack(after)), after, "unpack after pack is the same state, after {m:?}");
        space.undo(&mut walk, m, undo);
        assert_eq!(space.pack(&walk), packed, "undo after {m:?} restores the state");
    }
    space.abilities(CheckAbilities { state });
}

/// Checks every ability of a space around one state.
struct CheckAbilities<'v, S: StateSpace> {
    state: &'v S::State,
}

impl<'a, S: StateSpace> AbilityVisitor<'a, S> for CheckAbilities<'_, S> {
    fn keyed(self, space: &'a S) -> Self
    where
        S: Keyed,
    {
        check_keyed(space, self.state);
        self
    }

    fn indexed(self, space: &'a S) -> Self
    where
        S: Indexed,
    {
        check_indexed(space, self.state);
        self
    }

    fn invertible(self, space: &'a S) -> Self
    where
        S: Invertible,
    {
        check_invertible(space, self.state);
        self
    }

    fn prunable(self, space: &'a S) -> Self
    where
        S: Prunable,
    {
        check_prunable(space, self.state);
        self
    }

    fn bulk_successors(self, space: &'a S) -> Self
    where
        S: BulkSuccessors,
    {
        check_bulk_successors(space, self.state);
        self
    }

    fn backward(self, space: &'a S) -> Self
    where
        S: Backward,
    {
        check_backward(space, self.state);
        self
    }
}

/// The state after a move.
fn after<S: StateSpace>(space: &S, state: &S::State, m: S::Move) -> S::State {
    let mut after = state.clone();
    space.apply(&mut after, m);
    after
}

/// Checks that a state and its successors have different indexes below the bound.
///
/// # Panics
/// If they do not.
pub fn check_indexed<S: Indexed>(space: &S, state: &S::State) {
    let packed = space.pack(state);
    let around = space.moves(state).into_iter().map(|m| space.pack(&after(space, state, m))).chain([packed]);
    let around: HashSet<S::Packed> = around.collect();
    for &packed in &around {
        assert!(space.index(packed) < space.index_bound(), "the index of {packed:?} is below the bound");
    }
    let indexes: HashSet<u32> = around.iter().map(|&packed| space.index(packed)).collect();
    assert_eq!(indexes.len(), around.len(), "different states have different indexes");
}

/// Checks that the inverse of every move leads back, and that [`Invertible::moves_after`] omits nothing else.
///
/// # Panics
/// If the space breaks its contract.
pub fn check_invertible<S: Invertible>(space: &S, state: &S::State) {
    let packed = space.pack(state);
    for m in space.moves(state) {
        let mut walk = after(space, state, m);
        let inverse = space.inverse(m);
        let offered: Vec<S::Move> = space.moves_after(&walk, m).into_iter().collect();
        for next in space.moves(&walk) {
            let omitted = !offered.contains(&next);
            assert!(!omitted || inverse == Some(next), "moves_after() omits only the inverse, not {next:?}");
        }
        if let Some(back) = inverse {
            assert!(space.moves(&walk).into_iter().any(|next| next == back), "the inverse of {m:?} is a move");
            assert!(!S::OMITS_INVERSE || !offered.contains(&back), "moves_after() omits the inverse of {m:?}");
            space.apply(&mut walk, back);
            assert_eq!(space.pack(&walk), packed, "{back:?} leads back to the state before {m:?}");
        }
    }
}

/// The length of the sequences that [`check_prunable`] tries.
const LONGEST: usize = 4;

/// Checks that with pruning, sequences of up to four moves still reach every state that they reach without.
///
/// # Panics
/// If one is lost.
pub fn check_prunable<S: Prunable>(space: &S, state: &S::State) {
    let Some(automaton) = space.automaton(LONGEST, &mut || false) else { return };
    let reached = |is_pruned: bool| {
        let mut reached = HashSet::from([space.pack(state)]);
        let mut layer = vec![(state.clone(), automaton.first(space.class(state)))];
        for _ in 0..LONGEST {
            let mut next = Vec::new();
            for (state, mark) in layer {
                let mut seen = [false; MAX_MOVES];
                for m in space.moves(&state) {
                    let index = space.move_index(m);
                    assert!(!std::mem::replace(&mut seen[index], true), "the moves of a state have different indices");
                    let mark = if is_pruned { automaton.next(mark, index) } else { 0 };
                    if mark != NEVER {
                        let after = after(space, &state, m);
                        reached.insert(space.pack(&after));
                        next.push((after, mark));
                    }
                }
            }
            layer = next;
        }
        reached
    };
    assert_eq!(reached(true), reached(false), "pruning loses no state");
}

fn successors<S: BulkSuccessors>(space: &S, states: &[S::Packed]) -> Vec<S::Packed> {
    let mut found = Batch::default();
    space.successors(states, &mut found);
    found.items().to_vec()
}

/// Checks the successors of one state against its moves, and those of many states against those of each.
///
/// # Panics
/// If they differ.
pub fn check_bulk_successors<S: BulkSuccessors>(space: &S, state: &S::State) {
    let packed = space.pack(state);
    let around = successors(space, &[packed]);
    let mut left = around.clone();
    for m in space.moves(state) {
        let after = space.pack(&after(space, state, m));
        let place = left.iter().position(|&successor| successor == after);
        left.swap_remove(place.unwrap_or_else(|| panic!("successors() has the state after {m:?}")));
    }
    assert!(left.is_empty(), "successors() has one state for each move");
    // More states than a space handles at a time.
    let states: Vec<S::Packed> = around.iter().copied().chain([packed]).cycle().take(around.len() + 41).collect();
    let mut together = successors(space, &states);
    for after in states.iter().flat_map(|&state| successors(space, &[state])) {
        let place = together.iter().position(|&other| other == after);
        together.swap_remove(place.expect("successors() of many states has those of each"));
    }
    assert!(together.is_empty(), "successors() of many states has no others: {together:?}");
}

/// Checks that every successor of a state has it among its predecessors, at the same cost, and that every predecessor
/// has a move to it.
///
/// # Panics
/// If the space breaks its contract.
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

/// Checks that the listed goals are goals.
///
/// # Panics
/// If one is not.
pub fn check_goals<S: Backward>(space: &S) {
    let goals = space.goals().unwrap_or_default();
    assert!(goals.iter().all(|goal| space.is_goal(goal)), "every listed goal is a goal");
}

/// Checks that the incremental estimate of every successor equals the one from scratch, also after
/// [`Heuristic::eval_from_h`].
///
/// # Panics
/// If one differs.
pub fn check_incremental<S: StateSpace, H: Heuristic<S>>(space: &S, heuristic: &H, state: &S::State) {
    let eval = heuristic.evaluate(space, state);
    let estimate = heuristic.estimate(eval);
    let from_h = estimate.units().map(|units| heuristic.eval_from_h(space, state, units));
    if let Some(from_h) = from_h {
        assert_eq!(heuristic.estimate(from_h), estimate, "eval_from_h() gives what evaluate() gives");
    }
    let mut walk = state.clone();
    for m in space.moves(state) {
        let undo = space.apply(&mut walk, m);
        let after = |eval| heuristic.estimate(heuristic.advance(space, eval, &walk, m));
        let afresh = heuristic.estimate(heuristic.evaluate(space, &walk));
        assert_eq!(after(eval), afresh, "advance() by {m:?} gives what evaluate() gives");
        if let Some(from_h) = from_h {
            assert_eq!(after(from_h), afresh, "advance() by {m:?} gives the same after eval_from_h()");
        }
        space.undo(&mut walk, m, undo);
    }
}
