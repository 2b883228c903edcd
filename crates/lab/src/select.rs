//! Lists of heuristics and algorithms, as written on the command line.

use admissible_front::{ALGORITHMS, AlgorithmCard, PlanError, nearest};

/// The heuristics of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heuristics {
    /// Every heuristic on the puzzle's card.
    All,
    /// These names and expressions.
    Named(Vec<String>),
}

impl Heuristics {
    /// Reads `all`, or a list.
    ///
    /// # Errors
    /// If an item of the list is empty.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.trim() == "all" {
            return Ok(Heuristics::All);
        }
        Ok(Heuristics::Named(names(text)?))
    }
}

/// Reads a list of algorithms.
///
/// # Errors
/// If a name is unknown or an item of the list is empty.
pub fn read_algorithms(text: &str) -> Result<Vec<&'static AlgorithmCard>, String> {
    let known = |name: &String| {
        let unknown = || PlanError::UnknownAlgorithm {
            name: name.clone(),
            nearest: nearest(name, ALGORITHMS.iter().map(|card| card.name)),
        };
        ALGORITHMS.iter().find(|card| card.name == name).ok_or_else(|| unknown().to_string())
    };
    names(text)?.iter().map(known).collect()
}

/// The items of a list in their order, without repetitions.
fn names(text: &str) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = Vec::new();
    for name in split(text) {
        if name.is_empty() {
            return Err("expected a name before and after each comma".into());
        }
        if !names.iter().any(|known| known == name) {
            names.push(name.into());
        }
    }
    Ok(names)
}

/// Splits at commas outside parentheses, since a heuristic may be an expression: `max(manhattan, blockers - 1)`.
pub fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_parentheses_do_not_separate() {
        assert_eq!(split("zero, max(a, min(b, 2)) ,c"), ["zero", "max(a, min(b, 2))", "c"]);
        assert_eq!(split("a),b"), ["a)", "b"]);
    }

    #[test]
    fn lists_are_read_without_repetitions() {
        let named = |names: &[&str]| Ok(Heuristics::Named(names.iter().map(|&name| name.into()).collect()));
        assert_eq!(Heuristics::read("all"), Ok(Heuristics::All));
        assert_eq!(Heuristics::read("zero,manhattan,zero"), named(&["zero", "manhattan"]));
        assert!(Heuristics::read("zero,,manhattan").is_err());
        assert!(Heuristics::read("").is_err());
        assert_eq!(read_algorithms("bfs,astar").map(|cards| cards[0].name), Ok("bfs"));
        assert_eq!(
            read_algorithms("asta").map(drop),
            Err("unknown algorithm 'asta', did you mean 'astar'?".to_string())
        );
    }
}
