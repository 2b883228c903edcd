//! The rules, written a second time on a plain map from coordinates to pieces and blocks.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use admissible_front::puzzle::{Illegal, Referee};

/// The coordinates `(q, r)`.
type Place = (i32, i32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occupant {
    Piece,
    Block,
}

pub(super) struct BoardReferee {
    pub(super) colour: &'static str,
    pub(super) board: BTreeMap<Place, Occupant>,
}

impl BoardReferee {
    fn is_exit(&self, (q, r): Place) -> bool {
        match self.colour {
            "red" => q == 3,
            "green" => r == 3,
            _ => q + r == -3,
        }
    }

    /// Applies one action, or returns the rule that it breaks.
    fn apply(&self, board: &mut BTreeMap<Place, Occupant>, action: &str) -> Result<(), String> {
        let (word, places) = action_parts(action).ok_or_else(|| format!("'{action}' is not an action"))?;
        if let Some(outside) = places.iter().find(|&&place| !is_on_board(place)) {
            return Err(format!("{outside:?} is not on the board"));
        }
        let from = places[0];
        match board.get(&from) {
            Some(Occupant::Piece) => {}
            Some(Occupant::Block) => return Err(format!("a block stands on {from:?}, not a piece")),
            None => return Err(format!("no piece stands on {from:?}")),
        }
        match (word, &places[1..]) {
            ("EXIT", []) if self.is_exit(from) => {}
            ("EXIT", []) => return Err(format!("{from:?} is not an exit of {}", self.colour)),
            ("MOVE", &[to]) => {
                is_free(board, to)?;
                if !are_neighbours(from, to) {
                    return Err(format!("{to:?} is not beside {from:?}"));
                }
                board.insert(to, Occupant::Piece);
            }
            ("JUMP", &[to]) => {
                is_free(board, to)?;
                let (q, r) = (to.0 - from.0, to.1 - from.1);
                let over = (from.0 + q / 2, from.1 + r / 2);
                if q % 2 != 0 || r % 2 != 0 || !are_neighbours(from, over) {
                    return Err(format!("{to:?} is not two steps straight on from {from:?}"));
                }
                if !board.contains_key(&over) {
                    return Err(format!("nothing stands on {over:?} to jump over"));
                }
                board.insert(to, Occupant::Piece);
            }
            _ => return Err(format!("'{action}' is not an action")),
        }
        board.remove(&from);
        Ok(())
    }
}

impl Referee for BoardReferee {
    fn replay(&self, actions: &[String]) -> Result<Vec<Value>, Illegal> {
        let mut board = self.board.clone();
        let mut states = vec![show(&board)];
        for (at, action) in actions.iter().enumerate() {
            self.apply(&mut board, action).map_err(|reason| Illegal { step: at + 1, reason })?;
            states.push(show(&board));
        }
        let reason = match pieces(&board).count() {
            0 => return Ok(states),
            1 => "a piece is left on the board".to_string(),
            left => format!("{left} pieces are left on the board"),
        };
        Err(Illegal { step: actions.len() + 1, reason })
    }
}

fn is_on_board((q, r): Place) -> bool {
    let reach = -3..=3;
    reach.contains(&q) && reach.contains(&r) && reach.contains(&(q + r))
}

/// The distance of two hexes is the largest of their distances along q, r and q + r.
fn are_neighbours(a: Place, b: Place) -> bool {
    let (q, r) = (b.0 - a.0, b.1 - a.1);
    q.abs().max(r.abs()).max((q + r).abs()) == 1
}

fn is_free(board: &BTreeMap<Place, Occupant>, place: Place) -> Result<(), String> {
    match board.get(&place) {
        Some(Occupant::Piece) => Err(format!("a piece stands on {place:?}")),
        Some(Occupant::Block) => Err(format!("a block stands on {place:?}")),
        None => Ok(()),
    }
}

fn pieces(board: &BTreeMap<Place, Occupant>) -> impl Iterator<Item = Place> {
    board.iter().filter(|(_, occupant)| **occupant == Occupant::Piece).map(|(&place, _)| place)
}

/// The pieces row by row, as in the JSON output.
fn show(board: &BTreeMap<Place, Occupant>) -> Value {
    let mut places: Vec<Place> = pieces(board).collect();
    places.sort_by_key(|&(q, r)| (r, q));
    json!(places)
}

/// The word of an action and its places.
fn action_parts(action: &str) -> Option<(&str, Vec<Place>)> {
    let (word, places) = action.strip_suffix('.')?.split_once(" from ")?;
    let places = places.split(" to ").map(|place| {
        let (q, r) = place.strip_prefix('(')?.strip_suffix(')')?.split_once(", ")?;
        Some((q.parse().ok()?, r.parse().ok()?))
    });
    Some((word, places.collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(colour: &'static str, pieces: &[Place], blocks: &[Place]) -> BoardReferee {
        let pieces = pieces.iter().map(|&place| (place, Occupant::Piece));
        let blocks = blocks.iter().map(|&place| (place, Occupant::Block));
        BoardReferee { colour, board: pieces.chain(blocks).collect() }
    }

    fn actions(text: &[&str]) -> Vec<String> {
        text.iter().map(|&action| action.into()).collect()
    }

    #[test]
    fn a_solution_passes_state_by_state() {
        let referee = referee("green", &[(0, 1), (1, 0)], &[(-1, 2)]);
        let solution = actions(&[
            "JUMP from (0, 1) to (-2, 3).",
            "MOVE from (1, 0) to (1, 1).",
            "EXIT from (-2, 3).",
            "MOVE from (1, 1) to (0, 2).",
            "MOVE from (0, 2) to (0, 3).",
            "EXIT from (0, 3).",
        ]);
        let states = referee.replay(&solution).unwrap();
        let expected =
            json!([[[1, 0], [0, 1]], [[1, 0], [-2, 3]], [[1, 1], [-2, 3]], [[1, 1]], [[0, 2]], [[0, 3]], [],]);
        assert_eq!(Value::from(states), expected);
        assert_eq!(referee.replay(&solution[1..]).unwrap_err().step, 2);
    }

    #[test]
    fn each_broken_rule_is_named() {
        let referee = referee("blue", &[(0, 0), (1, 0), (-3, 0)], &[(0, -1), (0, 1)]);
        for (action, reason) in [
            ("WALK from (0, 0) to (1, -1).", "'WALK from (0, 0) to (1, -1).' is not an action"),
            ("MOVE from (0, 0).", "'MOVE from (0, 0).' is not an action"),
            ("EXIT from (-3, 0) to (-3, 1).", "'EXIT from (-3, 0) to (-3, 1).' is not an action"),
            ("EXIT from (-3, 0)", "'EXIT from (-3, 0)' is not an action"),
            ("MOVE from (0, 0) to (0, x).", "'MOVE from (0, 0) to (0, x).' is not an action"),
            ("MOVE from (-3, 0) to (-4, 0).", "(-4, 0) is not on the board"),
            ("MOVE from (9, 0) to (0, 0).", "(9, 0) is not on the board"),
            ("EXIT from (2, 2).", "(2, 2) is not on the board"),
            ("MOVE from (2, 0) to (3, 0).", "no piece stands on (2, 0)"),
            ("MOVE from (0, 1) to (0, 2).", "a block stands on (0, 1), not a piece"),
            ("MOVE from (0, 0) to (1, 0).", "a piece stands on (1, 0)"),
            ("MOVE from (0, 0) to (0, -1).", "a block stands on (0, -1)"),
            ("JUMP from (-3, 0) to (0, 0).", "a piece stands on (0, 0)"),
            ("MOVE from (0, 0) to (1, 1).", "(1, 1) is not beside (0, 0)"),
            ("MOVE from (0, 0) to (2, 0).", "(2, 0) is not beside (0, 0)"),
            ("MOVE from (0, 0) to (-1, -1).", "(-1, -1) is not beside (0, 0)"),
            ("JUMP from (0, 0) to (-1, 0).", "(-1, 0) is not two steps straight on from (0, 0)"),
            ("JUMP from (0, 0) to (3, 0).", "(3, 0) is not two steps straight on from (0, 0)"),
            ("JUMP from (0, 0) to (2, -1).", "(2, -1) is not two steps straight on from (0, 0)"),
            ("JUMP from (1, 0) to (-3, 2).", "(-3, 2) is not two steps straight on from (1, 0)"),
            ("JUMP from (0, 0) to (-2, 0).", "nothing stands on (-1, 0) to jump over"),
            ("EXIT from (0, 0).", "(0, 0) is not an exit of blue"),
        ] {
            let illegal =
                referee.replay(&actions(&["MOVE from (1, 0) to (2, 0).", "MOVE from (2, 0) to (1, 0).", action]));
            assert_eq!(illegal, Err(Illegal { step: 3, reason: reason.into() }));
        }
    }

    #[test]
    fn no_piece_may_be_left() {
        let referee = referee("red", &[(3, 0), (3, -1)], &[]);
        let left = |text: &[&str]| referee.replay(&actions(text)).unwrap_err();
        assert_eq!(left(&[]), Illegal { step: 1, reason: "2 pieces are left on the board".into() });
        let one = Illegal { step: 2, reason: "a piece is left on the board".into() };
        assert_eq!(left(&["EXIT from (3, 0)."]), one);
    }
}
