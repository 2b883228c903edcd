//! The logs of course programs: a section for each heuristic, with the solution at its end.
//!
//! Three kinds are read. Our own course output ends a section with the states after `Solution:` and with `Rolls:`;
//! either will do. Another program names the roll before each state of the solution: `Move down to:`. A third prints
//! the board of every state, with the die as `D`.

use super::maze::{Die, Maze};
use admissible_front::grid::Direction;
use admissible_front::puzzle::{Claim, Illegal, Puzzle as _};
use admissible_front::text::{Faults, Line};

use super::solution::read_rolls;

/// The claim of a section, and the line at which it ends.
pub(super) struct Section {
    pub(super) line: usize,
    pub(super) claim: Claim,
}

/// The sections of a log. A text that is not a log has none.
pub(super) fn sections(maze: &Maze, lines: &[Line<'_>]) -> Result<Vec<Section>, Faults> {
    // Rows of S could also be rolls: only a log with faces or titles has boards.
    let has_boards = lines.iter().any(|line| is_title(line.text, "topface") || is_title(line.text, "initial state"));
    let mut log = Log { maze, sections: Vec::new(), rolls: None, places: Vec::new(), lists_solution: false };
    let (mut row, mut last) = (0, 0);
    for line in lines {
        let text = line.text.trim();
        let is_row = has_boards && text.chars().all(|c| c.is_whitespace() || "SG.*D".contains(c));
        row = match is_row {
            true if line.number == last + 1 => row + 1,
            is_row => usize::from(is_row),
        };
        let words: Vec<&str> = text.split_whitespace().take(3).collect();
        if is_row {
            let column = line.cells().iter().position(|&(_, c)| c == 'D');
            log.places.extend(column.map(|column| (line.number, (row - 1, column))));
        } else if text.eq_ignore_ascii_case("no solution") {
            (log.rolls, log.places) = (None, Vec::new());
            log.sections.push(Section { line: line.number, claim: Claim::Unsolvable });
        } else if is_title(text, "rolls:") {
            log.end(last)?;
            let claim = read_rolls(line.words().split_off(1).into_iter().map(|word| (line.number, word)))?;
            log.sections.push(Section { line: line.number, claim });
        } else if is_title(text, "starting at") {
            log.end(last)?;
            log.rolls = Some(Vec::new());
        } else if let (&["Move", word, "to:"], Some(rolls)) = (&words[..], &mut log.rolls) {
            let roll = roll(word).ok_or_else(|| {
                Faults::one(line.number, 1, format!("expected up, down, left or right, found '{word}'"))
            })?;
            rolls.push(Maze::letter(roll).to_string());
        } else if is_title(text, "solution:") {
            log.lists_solution = true;
        } else if log.lists_solution
            && let Some(place) = listed_place(text)
        {
            log.places.push((line.number, place));
        } else if is_title(text, "heuristic") || is_title(text, "length:") || text.starts_with("---") {
            log.end(last)?;
        }
        last = line.number;
    }
    log.end(last)?;
    Ok(log.sections)
}

/// Whether the text begins with a title, in either case.
pub(super) fn is_title(text: &str, title: &str) -> bool {
    text.trim_start().get(..title.len()).is_some_and(|start| start.eq_ignore_ascii_case(title))
}

/// Row and column of a listed state, such as `3. row 1, column 0, north 4, up 2, south`.
fn listed_place(text: &str) -> Option<(usize, usize)> {
    let (number, state) = text.split_once(". row ")?;
    let (row, rest) = state.split_once(", column ")?;
    let (column, _) = rest.split_once(',')?;
    number.parse::<usize>().ok()?;
    Some((row.parse().ok()?, column.parse().ok()?))
}

fn roll(word: &str) -> Option<Direction> {
    let at = ["up", "right", "down", "left"].iter().position(|known| known.eq_ignore_ascii_case(word))?;
    Some(Direction::ALL[at])
}

/// The sections so far, and the solution of the one that is being read.
struct Log<'a> {
    maze: &'a Maze,
    sections: Vec<Section>,
    /// The rolls by name.
    rolls: Option<Vec<String>>,
    /// The lines and the places of the die, on boards or in a list of states.
    places: Vec<(usize, (usize, usize))>,
    /// Whether a list of states would be that of the solution.
    lists_solution: bool,
}

impl Log<'_> {
    /// Ends a section.
    fn end(&mut self, line: usize) -> Result<(), Faults> {
        self.lists_solution = false;
        let places = std::mem::take(&mut self.places);
        let claim = match (self.rolls.take(), &places[..]) {
            (Some(rolls), _) => Claim::Actions(rolls),
            (None, [first, rest @ ..]) => self.read_places(*first, rest)?,
            (None, []) => return Ok(()),
        };
        self.sections.push(Section { line, claim });
        Ok(())
    }

    /// The rolls between the places of the die.
    fn read_places(
        &self,
        (line, first): (usize, (usize, usize)),
        rest: &[(usize, (usize, usize))],
    ) -> Result<Claim, Faults> {
        let Die { cell, .. } = self.maze.start();
        let (row, column) = Maze::place(self.maze, cell);
        if first != (row as usize, column as usize) {
            let message = format!("expected the die at the start, row {row} and column {column}, found it elsewhere");
            return Err(Faults::one(line, 1, message));
        }
        let (mut before, mut rolls) = (first, Vec::new());
        for &(line, here) in rest {
            let step = |direction: &Direction| {
                let (rows, columns) = direction.step();
                before.0.checked_add_signed(rows).zip(before.1.checked_add_signed(columns)) == Some(here)
            };
            let Some(direction) = Direction::ALL.into_iter().find(step) else {
                let reason = format!("the die at line {line} is not one roll from the one before");
                let illegal = Illegal { step: rolls.len() + 1, reason };
                return Ok(Claim::Broken { actions: rest.len() as u32, illegal });
            };
            rolls.push(Maze::letter(direction).to_string());
            before = here;
        }
        Ok(Claim::Actions(rolls))
    }
}
