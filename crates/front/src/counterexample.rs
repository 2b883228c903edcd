//! Counterexamples of an audit as text, JSON and drawn boards.

use admissible::audit::{Inconsistency, Overestimate};
use admissible::search::{Guarantee, Limits, bfs, cheapest_move, run};
use admissible_certificate::Number;

use crate::audit::{InconsistencyShown, OverestimateShown};
use crate::puzzle::Puzzle;

/// Renders the counterexamples of an instance, with its types erased.
pub(crate) trait CounterexampleRenderer {
    fn overestimate(&self, found: &Overestimate<Number>, scale: u32) -> OverestimateShown;
    fn inconsistency(&self, found: &Inconsistency<Number>, scale: u32) -> InconsistencyShown;
}

pub(crate) fn number<P: Puzzle>(puzzle: &P, packed: P::Packed) -> Number {
    Number(puzzle.number_of(&puzzle.unpack(packed)))
}

fn state<P: Puzzle>(puzzle: &P, number: Number) -> P::State {
    puzzle.of_number(number.0).expect("the audit found a state of this puzzle")
}

/// A puzzle as a [`CounterexampleRenderer`].
pub(crate) struct PuzzleRenderer<'a, P>(pub(crate) &'a P);

impl<P: Puzzle> CounterexampleRenderer for PuzzleRenderer<'_, P> {
    /// Finds a shortest solution by breadth-first search, which uses no heuristic.
    fn overestimate(&self, found: &Overestimate<Number>, scale: u32) -> OverestimateShown {
        let (puzzle, limits) = (self.0, Limits::default());
        let start = state(puzzle, found.state);
        let report = run(&mut bfs(puzzle, start.clone(), &limits), &limits, &mut ());
        let solution = report.outcome.solution().expect("a state with a distance has a solution");
        debug_assert_eq!((solution.cost, solution.guarantee), (found.distance, Guarantee::Optimal));
        let mut state = start.clone();
        let mut boards = vec![puzzle.draw(&state)];
        let mut actions = Vec::new();
        for &m in &solution.moves {
            actions.push(puzzle.move_name(&state, m));
            puzzle.apply(&mut state, m);
            boards.push(puzzle.draw(&state));
        }
        OverestimateShown {
            instance: puzzle.board_json(),
            state: puzzle.state_json(&start),
            h: found.h.in_costs(scale),
            distance: found.distance,
            actions,
            boards,
        }
    }

    fn inconsistency(&self, found: &Inconsistency<Number>, scale: u32) -> InconsistencyShown {
        let puzzle = self.0;
        let [before, after] = [found.before, found.after].map(|number| state(puzzle, number));
        let (_, m) =
            cheapest_move(puzzle, puzzle.pack(&before), puzzle.pack(&after)).expect("a move joins the two states");
        InconsistencyShown {
            instance: puzzle.board_json(),
            action: puzzle.move_name(&before, m),
            cost: found.cost,
            h: [found.h_before, found.h_after].map(|h| h.in_costs(scale)),
            boards: [puzzle.draw(&before), puzzle.draw(&after)],
            states: [puzzle.state_json(&before), puzzle.state_json(&after)],
        }
    }
}
