//! Classic layouts by name, with their optimal costs.

use crate::puzzle::Card;

/// A layout that ships with the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classic {
    /// The puzzle.
    pub puzzle: &'static str,
    /// The name on the command line, after the puzzle and a colon.
    pub name: &'static str,
    /// Its Chinese name.
    pub chinese: &'static str,
    /// Its name in English.
    pub english: &'static str,
    /// The fewest steps; `None` if it has no solution.
    pub steps: Option<u32>,
    /// The fewest moves, in which a run of one piece counts once.
    pub moves: Option<u32>,
    /// The text of its file.
    pub text: String,
}

/// Every classic layout on a puzzle's card.
pub fn classics(card: &'static Card) -> Vec<Classic> {
    let mut found: Vec<Classic> = Vec::new();
    for line in card.classics.lines() {
        let Some(head) = line.strip_prefix("# ") else {
            if let Some(last) = found.last_mut() {
                last.text += &format!("{line}\n");
            }
            continue;
        };
        let mut words = head.splitn(5, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (name, steps, moves) = (word(), word(), word());
        let is_count = |word: &str| word == "-" || word.bytes().all(|digit| digit.is_ascii_digit());
        // The first lines are comments on the file.
        if !is_count(steps) {
            continue;
        }
        let (chinese, english) = (word(), word());
        let number = |word: &str| word.parse().ok();
        let (steps, moves) = (number(steps), number(moves));
        found.push(Classic { puzzle: card.name, name, chinese, english, steps, moves, text: String::new() });
    }
    found
}

/// The layout of that name, in Latin letters, Chinese or English. Case and the separators of words do not matter.
///
/// # Errors
/// The nearest known name, if one is near.
pub fn classic(card: &'static Card, name: &str) -> Result<Classic, Option<&'static str>> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_', ' ', ',', '\''], "");
    let all = classics(card);
    let names = |known: &Classic| [known.name, known.chinese, known.english].map(plain);
    match all.iter().find(|known| names(known).contains(&plain(name))) {
        Some(found) => Ok(found.clone()),
        None => Err(crate::registry::nearest(name, all.iter().map(|known| known.name))),
    }
}
