//! Solutions as text: the course output, a word a line, and its reader.

use admissible::search::Outcome;

use super::board::Slide;
use super::{WORDS, word};
use admissible_front::puzzle::Claim;
use admissible_front::text::{Faults, paragraphs};

/// The words of a solution, or one word for the outcome.
pub(super) fn course(outcome: &Outcome<Slide>) -> String {
    match outcome {
        Outcome::Solved(solution) => solution.moves.iter().map(|&slide| format!("{}\n", word(slide))).collect(),
        Outcome::Unsolvable => "UNSOLVABLE\n".into(),
        Outcome::Stopped { .. } => "UNSOLVED\n".into(),
    }
}

/// Reads words in any case and punctuation, or `UNSOLVABLE` alone.
pub(super) fn read(text: &str) -> Result<Claim, Faults> {
    let mut actions = Vec::new();
    for line in paragraphs(text).iter().flatten() {
        for (column, word) in line.words() {
            for name in word.split(|c: char| !c.is_alphanumeric()).filter(|name| !name.is_empty()) {
                if name.eq_ignore_ascii_case("UNSOLVABLE") {
                    let alone = text.split_whitespace().count() == 1;
                    let message = "expected UNSOLVABLE to stand alone, found moves beside it";
                    return alone.then_some(Claim::Unsolvable).ok_or(Faults::one(line.number, column, message));
                }
                let Some(known) = WORDS.iter().find(|known| known.eq_ignore_ascii_case(name)) else {
                    let message = format!("expected LEFT, RIGHT, UP, DOWN or UNSOLVABLE, found '{name}'");
                    return Err(Faults::one(line.number, column, message));
                };
                actions.push((*known).to_string());
            }
        }
    }
    Ok(Claim::Actions(actions))
}
