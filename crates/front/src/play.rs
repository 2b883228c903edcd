//! Playing an instance by hand: where one can go from a state, and what it takes to draw it.

use admissible::StateSpace as _;
use admissible::search::Observer;
use serde_json::Value;

use crate::answer::Answer;
use crate::error::PlanError;
use crate::named::Named;
use crate::plan::Plan;
use crate::puzzle::BadState;
use crate::solve_checkpoint::SolveProgress;
use crate::task::Task;
use crate::watch::{Spectator, Watched};

/// A state, and where one can go from there.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    /// The state as in the JSON output.
    pub state: Value,
    /// Whether it solves the puzzle.
    pub solved: bool,
    /// The actions by name, each with the state that it leads to.
    pub moves: Vec<(String, Value)>,
}

impl Task {
    /// What stays the same in all states: the size of the board, its walls, its goal.
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

    /// Why a heuristic does not serve this instance, if it does not.
    pub fn lacks(&self, heuristic: &str) -> Option<String> {
        Named::parse(self.card, heuristic)
            .and_then(|named| named.fits(&|name| self.instance.lacks(name)))
            .err()
            .map(|error| error.to_string())
    }

    /// Whether at most so many states can be reached from the start. Asks now and then whether to go on; where not, the
    /// answer is no.
    pub fn reaches_at_most(&self, most: u64, go_on: &mut dyn FnMut() -> bool) -> bool {
        self.instance.reaches_at_most(most, go_on)
    }

    /// Carries out a plan and shows every step of the search.
    ///
    /// # Errors
    /// If the plan names what does not exist.
    pub fn watch(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        spectator: &mut dyn Spectator,
    ) -> Result<Answer, PlanError> {
        let mut watched = Watched::new(&*self.instance);
        let choice = self.choose(plan)?;
        let ran =
            self.run_choice(choice, SolveProgress::default(), plan, observer, &mut |search, limits, observer| {
                watched.drive(search, limits, observer, spectator)
            })?;
        self.answer(ran, plan.drawing)
    }
}
