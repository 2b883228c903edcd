//! Drawings of a maze, as plain symbols and with terminal colours.

use std::collections::HashMap;

use admissible::StateSpace as _;
use anstyle::{AnsiColor, Style};

use super::maze::{Die, Maze};
use admissible_front::grid::Direction;
use admissible_front::puzzle::Puzzle as _;

const MARK: Style = Style::new().bold().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));

/// The maze with the upper face of the die in its cell.
pub(super) fn board(maze: &Maze, die: &Die) -> String {
    let up = maze.faces(*die).up;
    maze.picture(|cell| (cell == die.cell).then(|| format!("{MARK}{up}{MARK:#}")))
}

/// The maze with an arrow in every cell that a solution leaves.
pub(super) fn path(maze: &Maze, moves: &[Direction]) -> String {
    let mut arrows = HashMap::new();
    let mut die = maze.start();
    for &direction in moves {
        arrows.insert(die.cell, ["↑", "→", "↓", "←"][direction as usize]);
        maze.apply(&mut die, direction);
    }
    maze.picture(|cell| {
        let arrow = arrows.get(&cell).filter(|_| cell != maze.start && cell != maze.goal)?;
        Some(format!("{MARK}{arrow}{MARK:#}"))
    })
}

impl Maze {
    /// The symbols of the maze with a start. A die that starts on the goal is shown as the goal.
    pub(super) fn symbols(&self, start: u32) -> Vec<Vec<char>> {
        let symbol = |cell: u32| match cell {
            _ if cell == self.goal => 'G',
            _ if cell == start => 'S',
            _ if self.is_free(cell) => '.',
            _ => '*',
        };
        let row = |row| (0..self.columns).map(|column| symbol(self.cell(row, column))).collect();
        (0..self.rows).map(row).collect()
    }

    /// The maze with terminal colours. `inside` may replace the symbol of a cell.
    fn picture(&self, mut inside: impl FnMut(u32) -> Option<String>) -> String {
        let obstacle = AnsiColor::BrightBlack.on_default();
        let end = Style::new().bold().fg_color(Some(AnsiColor::Green.into()));
        let mut text = String::new();
        for row in 0..self.rows {
            let cells: Vec<String> = (0..self.columns)
                .map(|column| {
                    let cell = self.cell(row, column);
                    inside(cell).unwrap_or_else(|| match cell {
                        _ if !self.is_free(cell) => format!("{obstacle}*{obstacle:#}"),
                        _ if cell == self.start => format!("{end}S{end:#}"),
                        _ if cell == self.goal => format!("{end}G{end:#}"),
                        _ => ".".into(),
                    })
                })
                .collect();
            text += &cells.join(" ");
            text.push('\n');
        }
        text
    }
}
