//! Solutions as text: the course output and its reader.

use admissible::StateSpace as _;
use admissible::search::{Outcome, cheapest_move};

use super::log::{Section, is_title, sections};
use super::maze::{Die, Maze};
use admissible_front::grid::Direction;
use admissible_front::puzzle::{Claim, CourseRun, Illegal, Puzzle as _};
use admissible_front::text::{Faults, Line, paragraphs};

/// The output that the course asks for. "generated" follows the counting rule of the search; "visited" counts every
/// state taken off the frontier, the goal included.
pub(super) fn course(maze: &Maze, run: &CourseRun<'_, Maze>) -> String {
    let mut text = String::new();
    let mut line = |content: String| {
        text += &content;
        text.push('\n');
    };
    let show = |die: Die, by: Option<Direction>| {
        let (row, column) = Maze::place(maze, die.cell);
        let faces = maze.faces(die);
        let by = by.map_or("start", Maze::word);
        format!("row {row}, column {column}, north {}, up {}, {by}", faces.north, faces.up)
    };
    line(format!("Heuristic: {}", run.heuristic));
    line("Visited states:".into());
    for (at, visit) in run.visited.iter().enumerate() {
        let by = visit.parent.and_then(|parent| cheapest_move(maze, parent, visit.state));
        line(format!("{:>5}. {}", at + 1, show(maze.unpack(visit.state), by.map(|(_, m)| m))));
    }
    line(format!("Nodes generated: {}", run.stats.generated));
    line(format!("Nodes visited: {}", run.visited.len()));
    match run.outcome {
        Outcome::Solved(solution) => {
            line(format!("Moves in the solution: {}", solution.cost));
            line("Solution:".into());
            let mut die = maze.start();
            line(format!("{:>5}. {}", 0, show(die, None)));
            for (at, &m) in solution.moves.iter().enumerate() {
                maze.apply(&mut die, m);
                line(format!("{:>5}. {}", at + 1, show(die, Some(m))));
            }
            let letters: Vec<&str> = solution.moves.iter().map(|&m| Maze::letter(m)).collect();
            line(format!("Rolls: {}", letters.join(" ")));
        }
        Outcome::Unsolvable => line("No solution".into()),
        Outcome::Stopped { why, lower_bound } => {
            line(format!("Stopped {}: every solution has at least {lower_bound} moves", why.phrase()));
        }
    }
    text
}

/// Reads rolls as letters or words, or the log of a course program. Every section of a log must be legal; the last one
/// is the claim.
pub(super) fn read(maze: &Maze, text: &str) -> Result<Claim, Faults> {
    let lines: Vec<Line<'_>> = paragraphs(text).into_iter().flatten().collect();
    let mut sections = sections(maze, &lines)?;
    let is_denial = |section: &Section| section.claim == Claim::Unsolvable;
    if let Some(denial) = sections.iter().find(|section| is_denial(section))
        && !sections.iter().all(is_denial)
    {
        let message = "expected sections that agree, found 'No solution' beside rolls";
        return Err(Faults::one(denial.line, 1, message));
    }
    let Some(last) = sections.pop() else {
        if let Some(line) = lines.iter().find(|line| is_title(line.text, "heuristic") || line.text.contains("---")) {
            let message = "expected a log with a solution ('Rolls: ...', states after 'Solution:', 'Move down to:', \
                           boards with the die 'D', or 'No solution'), found none";
            return Err(Faults::one(line.number, 1, message));
        }
        return read_rolls(lines.iter().flat_map(|line| line.words().into_iter().map(|word| (line.number, word))));
    };
    for Section { line, claim } in sections {
        let (actions, illegal) = match claim {
            Claim::Actions(actions) => match maze.referee().replay(&actions) {
                Ok(_) => continue,
                Err(illegal) => (actions.len() as u32, illegal),
            },
            Claim::Broken { actions, illegal } => (actions, illegal),
            Claim::Unsolvable => continue,
        };
        let reason = format!("{} (in the section that ends at line {line})", illegal.reason);
        return Ok(Claim::Broken { actions, illegal: Illegal { reason, ..illegal } });
    }
    Ok(last.claim)
}

pub(super) fn read_rolls<'a>(words: impl Iterator<Item = (usize, (usize, &'a str))>) -> Result<Claim, Faults> {
    let mut actions = Vec::new();
    for (line, (column, word)) in words {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() {
            continue;
        }
        let known = Direction::ALL.into_iter().find(|&direction| {
            word.eq_ignore_ascii_case(Maze::letter(direction)) || word.eq_ignore_ascii_case(Maze::word(direction))
        });
        match known {
            Some(direction) => actions.push(Maze::letter(direction).to_string()),
            None => return Err(Faults::one(line, column, format!("expected a roll (N, E, S or W), found '{word}'"))),
        }
    }
    Ok(Claim::Actions(actions))
}
