//! Counterexamples of an audit as text, JSON and drawn boards.

use admissible::audit::{Inconsistency, Overestimate};
use admissible::search::{Guarantee, Limits, Outcome, run};
use admissible_certificate::Number;

use crate::audit::{InconsistencyShown, OverestimateShown};
use crate::heuristic_spec::HeuristicSpec;
use crate::instance::Instance;
use crate::plan::Plan;

impl dyn Instance + '_ {
    /// Shows an overestimate with a shortest solution by breadth-first search, which uses no heuristic.
    pub(crate) fn overestimate(&self, found: &Overestimate<Number>, scale: u32) -> OverestimateShown {
        let (start, limits) = (self.state_json(found.state), Limits::default());
        let here = self.beginning_at(&start).expect("a state of the instance can be a start");
        let zero = here.heuristic(&HeuristicSpec::Named("zero".into())).expect("every puzzle has it");
        let search = zero.search("bfs", &Plan::default(), &limits).expect("it needs no ability of the space");
        let report = run(&mut *search.expect("it has no tables"), &limits, &mut ());
        let Outcome::Solved(solution) = report.outcome else { panic!("a state with a distance has a solution") };
        debug_assert_eq!((solution.cost, solution.guarantee), (found.distance, Guarantee::Optimal));
        let mut state = found.state;
        let mut boards = vec![self.draw(state)];
        let mut actions = Vec::new();
        for &m in &solution.moves {
            actions.push(here.move_name(state, m));
            state = here.after(state, m).0;
            boards.push(self.draw(state));
        }
        OverestimateShown {
            instance: self.board_json(),
            state: start,
            h: found.h.in_costs(scale),
            distance: found.distance,
            actions,
            boards,
        }
    }

    /// Shows a move on which a heuristic is inconsistent.
    pub(crate) fn inconsistency(&self, found: &Inconsistency<Number>, scale: u32) -> InconsistencyShown {
        let states = [found.before, found.after];
        let joins = |&m: &u32| self.after(found.before, m) == (found.after, found.cost);
        let m = (0..self.count_moves(found.before)).find(joins).expect("a move joins the two states");
        InconsistencyShown {
            instance: self.board_json(),
            action: self.move_name(found.before, m),
            cost: found.cost,
            h: [found.h_before, found.h_after].map(|h| h.in_costs(scale)),
            boards: states.map(|state| self.draw(state)),
            states: states.map(|state| self.state_json(state)),
        }
    }
}
