//! Solutions as text: the course output and its reader.

use admissible::StateSpace as _;
use admissible::search::{Outcome, cheapest_move};

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

/// Reads rolls as letters or words, or the course output. Every section of a course output must be legal; the last one
/// is the claim.
pub(super) fn read(maze: &Maze, text: &str) -> Result<Claim, Faults> {
    let lines: Vec<Line<'_>> = paragraphs(text).into_iter().flatten().collect();
    let none = lines.iter().find(|line| line.text.trim().eq_ignore_ascii_case("no solution"));
    let has_rolls = lines.iter().any(|line| line.text.trim_start().starts_with("Rolls:"));
    if let Some(line) = none.filter(|_| has_rolls) {
        return Err(Faults::one(line.number, 1, "expected sections that agree, found 'No solution' beside rolls"));
    }
    let mut sections = lines.iter().filter(|line| line.text.trim_start().starts_with("Rolls:")).peekable();
    while let Some(rolls) = sections.next() {
        let claim = read_rolls(rolls.words().split_off(1).into_iter().map(|word| (rolls.number, word)))?;
        let Claim::Actions(actions) = &claim else { return Ok(claim) };
        if sections.peek().is_none() {
            return Ok(claim);
        }
        if let Err(illegal) = maze.referee().replay(actions) {
            let reason = format!("{} (in the section that ends at line {})", illegal.reason, rolls.number);
            return Ok(Claim::Broken { actions: actions.len() as u32, illegal: Illegal { reason, ..illegal } });
        }
    }
    if none.is_some() {
        return Ok(Claim::Unsolvable);
    }
    read_rolls(lines.iter().flat_map(|line| line.words().into_iter().map(|word| (line.number, word))))
}

fn read_rolls<'a>(words: impl Iterator<Item = (usize, (usize, &'a str))>) -> Result<Claim, Faults> {
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
