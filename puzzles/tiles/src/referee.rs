//! The rules, written a second time on a plain list of numbers.

use serde_json::{Value, json};

use admissible_front::puzzle::{Illegal, Referee};

pub(super) struct TilesReferee {
    pub(super) columns: usize,
    pub(super) start: Vec<u8>,
    pub(super) goal: Vec<u8>,
}

impl Referee for TilesReferee {
    fn replay(&self, actions: &[String]) -> Result<Vec<Value>, Illegal> {
        let mut board = self.start.clone();
        let rows = board.len() / self.columns;
        let mut states = vec![json!(board)];
        for (at, action) in actions.iter().enumerate() {
            let illegal = |reason: String| Illegal { step: at + 1, reason };
            let gap = board.iter().position(|&tile| tile == 0).expect("a board has a gap");
            let (row, column) = (gap / self.columns, gap % self.columns);
            // A tile that moves up comes from below the gap.
            let from = match action.as_str() {
                "UP" if row + 1 < rows => gap + self.columns,
                "DOWN" if row > 0 => gap - self.columns,
                "LEFT" if column + 1 < self.columns => gap + 1,
                "RIGHT" if column > 0 => gap - 1,
                "UP" | "DOWN" | "LEFT" | "RIGHT" => {
                    let place = format!("row {row}, column {column}");
                    return Err(illegal(format!("no tile can move {action} into the gap at {place}")));
                }
                other => return Err(illegal(format!("'{other}' is not one of LEFT, RIGHT, UP and DOWN"))),
            };
            board.swap(gap, from);
            states.push(json!(board));
        }
        if board != self.goal {
            return Err(Illegal { step: actions.len() + 1, reason: "the last board is not the goal".into() });
        }
        Ok(states)
    }
}
