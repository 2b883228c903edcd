//! Drawings of a board with terminal colours.

use anstyle::{AnsiColor, Style};

use super::board::Chexers;
use super::hex::{Colour, Hex, Hexes};

/// A hexagon of letters for pieces, `#` for blocks and `o` for exits.
pub(super) fn board(board: &Chexers, pieces: Hexes) -> String {
    let (letter, colour) = match board.colour {
        Colour::Red => ('R', AnsiColor::Red),
        Colour::Green => ('G', AnsiColor::Green),
        Colour::Blue => ('B', AnsiColor::Blue),
    };
    let piece = Style::new().bold().fg_color(Some(colour.into()));
    let exit = Style::new().dimmed().fg_color(Some(colour.into()));
    let block = AnsiColor::BrightBlack.on_default();
    let symbol = |hex: Hex| match hex {
        _ if pieces.contains(hex) => format!("{piece}{letter}{piece:#}"),
        _ if board.blocks.contains(hex) => format!("{block}#{block:#}"),
        _ if board.exits.contains(hex) => format!("{exit}o{exit:#}"),
        _ => ".".into(),
    };
    let mut text = String::new();
    for r in -3_i8..=3 {
        let row: Vec<String> = (-3..=3).filter_map(|q| Hex::new(q, r)).map(symbol).collect();
        text += &" ".repeat(r.unsigned_abs().into());
        text += &row.join(" ");
        text.push('\n');
    }
    text
}
