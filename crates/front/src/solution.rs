//! The default course format of solutions: plain text, one action per line.

use admissible::search::Outcome;

use crate::puzzle::{Claim, Puzzle};
use crate::text::{Faults, paragraphs};

/// The text of an unsolvable instance.
const NO_SOLUTION: &str = "No solution";

/// The actions of a solution, or why there is no solution.
pub(crate) fn write<P: Puzzle>(puzzle: &P, outcome: &Outcome<P::Move>) -> String {
    match outcome {
        Outcome::Solved(solution) => {
            let mut state = puzzle.start();
            let mut line = |&m: &P::Move| {
                let name = puzzle.move_name(&state, m);
                puzzle.apply(&mut state, m);
                name + "\n"
            };
            solution.moves.iter().map(&mut line).collect()
        }
        Outcome::Unsolvable => format!("{NO_SOLUTION}\n"),
        Outcome::Stopped { why, lower_bound } => {
            format!("# stopped {}: every solution costs at least {lower_bound}\n", why.phrase())
        }
    }
}

/// Reads the format of [`write`]. Lines that begin with `#` are comments.
pub(crate) fn read(text: &str) -> Result<Claim, Faults> {
    let paragraphs = paragraphs(text);
    let lines: Vec<_> = paragraphs.iter().flatten().filter(|line| !line.text.trim_start().starts_with('#')).collect();
    let denials: Vec<_> = lines.iter().filter(|line| line.text.trim().eq_ignore_ascii_case(NO_SOLUTION)).collect();
    match denials.first() {
        Some(_) if lines.len() == 1 => Ok(Claim::Unsolvable),
        Some(_) if denials.len() == lines.len() => {
            Err(Faults::one(denials[1].number, 1, "expected 'No solution' once, found it again"))
        }
        Some(line) => Err(Faults::one(line.number, 1, "expected 'No solution' alone, found other lines beside it")),
        None => Ok(Claim::Actions(lines.iter().map(|line| line.text.trim().to_string()).collect())),
    }
}
