//! The rules of the maze, written a second time on a plain grid: the die is six numbers that a roll permutes.

use serde_json::{Value, json};

use admissible_front::puzzle::{Illegal, Referee};

pub(super) struct MazeReferee {
    pub(super) rows: Vec<Vec<char>>,
    /// Row and column of the die at the start.
    pub(super) start: (i64, i64),
    /// The faces of the die at the start: top, north, east.
    pub(super) faces: [u8; 3],
}

/// The faces in this order: top, bottom, north, south, east, west.
#[derive(Clone, Copy)]
struct Cube([u8; 6]);

impl Cube {
    fn roll(self, direction: &str) -> Option<Cube> {
        let [top, bottom, north, south, east, west] = self.0;
        Some(Cube(match direction {
            "N" => [south, north, top, bottom, east, west],
            "S" => [north, south, bottom, top, east, west],
            "E" => [west, east, north, south, top, bottom],
            "W" => [east, west, north, south, bottom, top],
            _ => return None,
        }))
    }
}

impl MazeReferee {
    fn symbol(&self, row: i64, column: i64) -> Option<char> {
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }
}

impl Referee for MazeReferee {
    fn replay(&self, actions: &[String]) -> Result<Vec<Value>, Illegal> {
        let show = |row: i64, column: i64, cube: Cube| {
            let [top, _, north, _, east, _] = cube.0;
            json!({ "row": row, "col": column, "top": top, "north": north, "east": east })
        };
        let (mut row, mut column) = self.start;
        let [top, north, east] = self.faces;
        let mut cube = Cube([top, 7 - top, north, 7 - north, east, 7 - east]);
        let mut states = vec![show(row, column, cube)];
        for (at, action) in actions.iter().enumerate() {
            let illegal = |reason: String| Illegal { step: at + 1, reason };
            let rolled = cube.roll(action).ok_or_else(|| illegal(format!("'{action}' is not one of N, E, S and W")))?;
            match action.as_str() {
                "N" => row -= 1,
                "S" => row += 1,
                "E" => column += 1,
                _ => column -= 1,
            }
            match self.symbol(row, column) {
                None => return Err(illegal(format!("rolling {action} leaves the maze"))),
                Some('*') => return Err(illegal(format!("rolling {action} runs into an obstacle"))),
                Some(_) => {}
            }
            if rolled.0[0] == 6 {
                return Err(illegal(format!("rolling {action} brings the 6 up")));
            }
            cube = rolled;
            states.push(show(row, column, cube));
        }
        let illegal = |reason: &str| Illegal { step: actions.len() + 1, reason: reason.to_string() };
        if self.symbol(row, column) != Some('G') {
            return Err(illegal("the die does not end on the goal"));
        }
        if cube.0[0] != 1 {
            return Err(illegal("the die does not end with the 1 up"));
        }
        Ok(states)
    }
}
