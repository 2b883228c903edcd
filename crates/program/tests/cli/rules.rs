//! An independent replayer: applies actions to the states of the JSON output, by the rules of the puzzles.

use serde::Deserialize;

use crate::answers::Solved;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Die {
    pub(crate) row: i32,
    pub(crate) col: i32,
    pub(crate) top: u8,
    pub(crate) north: u8,
    pub(crate) east: u8,
}

/// In reading order.
pub(crate) type Tiles = Vec<usize>;
/// The rows of a klotski board.
pub(crate) type Rows = Vec<String>;
/// The hexes of the pieces.
pub(crate) type Pieces = Vec<(i32, i32)>;

/// Replays a solution, and checks every state on the way.
#[track_caller]
pub(crate) fn assert_replays<State: Clone + PartialEq + std::fmt::Debug>(
    answer: &Solved<State>,
    rule: impl Fn(&State, &str) -> State,
) {
    for (pair, action) in answer.states.windows(2).zip(&answer.actions) {
        assert_eq!(rule(&pair[0], action), pair[1], "{action} in {pair:?}");
    }
}

pub(crate) fn roll(die: &Die, action: &str) -> Die {
    let &Die { row, col, top, north, east } = die;
    match action {
        "N" => Die { row: row - 1, top: 7 - north, north: top, ..*die },
        "S" => Die { row: row + 1, top: north, north: 7 - top, ..*die },
        "E" => Die { col: col + 1, top: 7 - east, east: top, ..*die },
        "W" => Die { col: col - 1, top: east, east: 7 - top, ..*die },
        other => panic!("'{other}' is not a roll"),
    }
}

/// An action names the direction in which a tile moves into the gap.
pub(crate) fn slide(columns: usize) -> impl Fn(&Tiles, &str) -> Tiles {
    move |tiles, action| {
        let gap = tiles.iter().position(|&tile| tile == 0).expect("there is a gap");
        let from = match action {
            "LEFT" => gap + 1,
            "RIGHT" => gap - 1,
            "UP" => gap + columns,
            "DOWN" => gap - columns,
            other => panic!("'{other}' is not a slide"),
        };
        assert!(from / columns == gap / columns || from % columns == gap % columns, "{action} wraps around");
        let mut after = tiles.clone();
        after.swap(gap, from);
        after
    }
}

/// An action is the upper left cell of a piece and a direction, such as `(3,1) down`.
pub(crate) fn step(rows: &Rows, action: &str) -> Rows {
    let mut cells: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let (place, way) = action.split_once(' ').expect("a place and a way");
    let (row, column) = place.trim_matches(['(', ')']).split_once(',').expect("a row and a column");
    let (row, column): (usize, usize) = (row.parse().expect("a number"), column.parse().expect("a number"));
    let piece: &[(usize, usize)] = match cells[row][column] {
        '1' => &[(0, 0), (0, 1), (1, 0), (1, 1)],
        '2' => &[(0, 0)],
        '<' => &[(0, 0), (0, 1)],
        '^' => &[(0, 0), (1, 0)],
        other => panic!("no piece begins at '{other}'"),
    };
    let (down, right) = match way {
        "up" => (-1, 0),
        "down" => (1, 0),
        "left" => (0, -1),
        "right" => (0, 1),
        other => panic!("'{other}' is not a way"),
    };
    let taken: Vec<(usize, usize, char)> = piece
        .iter()
        .map(|&(r, c)| (row + r, column + c, std::mem::replace(&mut cells[row + r][column + c], '.')))
        .collect();
    for (row, column, symbol) in taken {
        let cell = &mut cells[row.wrapping_add_signed(down)][column.wrapping_add_signed(right)];
        assert_eq!(*cell, '.', "{action} runs into a piece");
        *cell = symbol;
    }
    cells.into_iter().map(String::from_iter).collect()
}

/// Pieces are listed row by row, from north to south.
pub(crate) fn play(pieces: &Pieces, action: &str) -> Pieces {
    let numbers: Vec<i32> = action
        .split(|c: char| c != '-' && !c.is_ascii_digit())
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().expect("a coordinate"))
        .collect();
    let mut after: Pieces = pieces.iter().copied().filter(|&piece| piece != (numbers[0], numbers[1])).collect();
    assert_eq!(after.len() + 1, pieces.len(), "no piece for {action}");
    match (action.split(' ').next(), &numbers[2..]) {
        (Some("MOVE" | "JUMP"), &[q, r]) => after.push((q, r)),
        (Some("EXIT"), []) => {}
        _ => panic!("'{action}' is not an action"),
    }
    after.sort_by_key(|&(q, r)| (r, q));
    after
}
