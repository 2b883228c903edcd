//! Drawings of a board with terminal colours.

use anstyle::{AnsiColor, Style};

use super::board::{Board, Tiles};
use super::word::Word;

/// A grid of tiles, those in their goal cells in green.
pub(super) fn board<W: Word>(space: &Tiles<W>, board: &Board<W>) -> String {
    let home = AnsiColor::Green.on_default();
    let away = Style::new().bold();
    let width = (space.cells() - 1).to_string().len();
    let rule = |left: &str, middle: &str, right: &str| {
        let cells = vec!["─".repeat(width + 2); space.columns];
        format!("{left}{}{right}\n", cells.join(middle))
    };
    let (tiles, goal) = (space.list(board), space.list(&space.goal));
    let cell = |(&tile, &wanted): (&u8, &u8)| match tile {
        0 => " ".repeat(width + 2),
        _ if tile == wanted => format!(" {home}{tile:>width$}{home:#} "),
        _ => format!(" {away}{tile:>width$}{away:#} "),
    };
    let rows: Vec<String> = tiles
        .chunks(space.columns)
        .zip(goal.chunks(space.columns))
        .map(|(tiles, goal)| format!("│{}│\n", tiles.iter().zip(goal).map(cell).collect::<Vec<_>>().join("│")))
        .collect();
    rule("┌", "┬", "┐") + &rows.join(&rule("├", "┼", "┤")) + &rule("└", "┴", "┘")
}
