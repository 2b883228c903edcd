//! A solution as text, checked by the referee.

use admissible::search::Solution;

use super::{Instance, MoveIndex};
use crate::answer::SolvedAnswer;
use crate::error::PlanError;
use crate::plan::Drawing;

impl dyn Instance + '_ {
    /// A solution as text, after the referee has replayed it and reached the same states.
    pub(crate) fn replayed(&self, solution: &Solution<MoveIndex>, drawing: Drawing) -> Result<SolvedAnswer, PlanError> {
        let mut path = vec![self.start()];
        let mut actions = Vec::with_capacity(solution.moves.len());
        for &m in &solution.moves {
            let state = path[path.len() - 1];
            actions.push(self.move_name(state, m));
            path.push(self.after(state, m).0);
        }
        let picture = if drawing == Drawing::Ends { self.draw_path(&solution.moves) } else { None };
        let drawn = match drawing {
            Drawing::Nothing => &[],
            Drawing::Ends if picture.is_some() => &[],
            Drawing::Ends if actions.is_empty() => &path[..],
            Drawing::Ends => &[path[0], path[path.len() - 1]],
            Drawing::EveryStep => &path[..],
        };
        let states: Vec<_> = path.iter().map(|&state| self.state_json(state)).collect();
        match self.referee().replay(&actions) {
            Ok(replayed) if replayed == states => {}
            Ok(_) => return Err(PlanError::Refused("the referee reaches other states than the search".into())),
            Err(illegal) => {
                let why = format!("the referee refuses action {}: {}", illegal.step, illegal.reason);
                return Err(PlanError::Refused(why));
            }
        }
        Ok(SolvedAnswer {
            cost: solution.cost,
            guarantee: solution.guarantee,
            actions,
            states,
            extras: self.solution_extras(&solution.moves),
            boards: drawn.iter().map(|&state| self.draw(state)).collect(),
            picture,
        })
    }
}
