//! Playing an instance by hand: the moves of a state, and the JSON that the page draws.

use admissible::StateSpace as _;
use admissible::search::Observer;
use serde_json::Value;

use crate::answer::Answer;
use crate::error::PlanError;
use crate::heuristic_spec::HeuristicSpec;
use crate::plan::Plan;
use crate::puzzle::BadState;
use crate::solve_checkpoint::SolveProgress;
use crate::task::Task;
use crate::watch::{Spectator, WatchedSearch};

/// A state and its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    /// The state as in the JSON output.
    pub state: Value,
    /// Whether it is a goal.
    pub solved: bool,
    /// The actions by name, each with the state that it leads to.
    pub moves: Vec<(String, Value)>,
}

impl Task {
    /// The constant part of all states: the size of the board, its walls, its goal.
    pub fn board(&self) -> Value {
        self.instance.board_json()
    }

    /// The start.
    pub fn position(&self) -> Position {
        let (instance, space) = (&*self.instance, self.space());
        let start = instance.start();
        let moves = space.moves(&start);
        Position {
            state: instance.state_json(start),
            solved: instance.is_goal(start),
            moves: moves.map(|m| (instance.move_name(start, m), instance.state_json(space.after(start, m)))).collect(),
        }
    }

    /// The same instance with another start.
    ///
    /// # Errors
    /// If the JSON is no state of this instance.
    pub fn beginning_at(&self, state: &Value) -> Result<Task, BadState> {
        Ok(Task { card: self.card, instance: self.instance.beginning_at(state)? })
    }

    /// Why this instance does not support a heuristic; `None` if it does.
    pub fn lacks(&self, heuristic: &str) -> Option<String> {
        HeuristicSpec::parse(self.card, heuristic)
            .and_then(|spec| spec.fits(&|name| self.instance.lacks(name)))
            .err()
            .map(|error| error.to_string())
    }

    /// Whether the start reaches at most `most` states. Calls `go_on` now and then; if it stops the count, the answer
    /// is no.
    pub fn reaches_at_most(&self, most: u64, go_on: &mut dyn FnMut() -> bool) -> bool {
        self.instance.reaches_at_most(most, go_on)
    }

    /// Carries out a plan and shows every visited state to a spectator.
    ///
    /// # Errors
    /// If the plan cannot be carried out.
    pub fn watch(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        spectator: &mut dyn Spectator,
    ) -> Result<Answer, PlanError> {
        let mut watched = WatchedSearch::new(&*self.instance);
        let choice = self.choose(plan)?;
        let ran =
            self.run_choice(choice, SolveProgress::default(), plan, observer, &mut |search, limits, observer| {
                watched.drive(search, limits, observer, spectator)
            })?;
        self.answer(ran, plan.drawing)
    }
}
