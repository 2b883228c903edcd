//! Layouts that have names, and what is known of them.

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
    /// The board as a file has it.
    pub text: String,
}

const KLOTSKI: &str = include_str!("../../../instances/klotski/classics.txt");

/// Every layout with a name: a head line `# name steps moves Chinese English` and the rows of the board.
pub fn classics() -> Vec<Classic> {
    let mut found: Vec<Classic> = Vec::new();
    for line in KLOTSKI.lines() {
        let Some(head) = line.strip_prefix("# ") else {
            if let Some(last) = found.last_mut() {
                last.text += &format!("{line}\n");
            }
            continue;
        };
        let mut words = head.splitn(5, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (name, steps, moves) = (word(), word(), word());
        let known = |word: &str| word == "-" || word.bytes().all(|digit| digit.is_ascii_digit());
        // The first lines say what the file is.
        if !known(steps) {
            continue;
        }
        let (chinese, english) = (word(), word());
        let number = |word: &str| word.parse().ok();
        let (steps, moves) = (number(steps), number(moves));
        found.push(Classic { puzzle: "klotski", name, chinese, english, steps, moves, text: String::new() });
    }
    found
}

/// The layout of that name, in Latin letters, Chinese or English, whatever stands between the words.
///
/// # Errors
/// The name that was probably meant, if there is one like it.
pub fn classic(puzzle: &str, name: &str) -> Result<Classic, Option<&'static str>> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_', ' ', ',', '\''], "");
    let all: Vec<Classic> = classics().into_iter().filter(|known| known.puzzle == puzzle).collect();
    let names = |known: &Classic| [known.name, known.chinese, known.english].map(plain);
    match all.iter().find(|known| names(known).contains(&plain(name))) {
        Some(found) => Ok(found.clone()),
        None => Err(crate::registry::nearest(name, all.iter().map(|known| known.name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_can_be_found_by_each_of_its_names() {
        let all = classics();
        assert!(all.len() >= 27, "{}", all.len());
        for known in &all {
            assert_eq!(known.text.lines().count(), 5, "{}", known.name);
            for name in [known.name, known.chinese, known.english, &known.name.replace('-', "_")] {
                assert!(!name.is_empty(), "{}", known.name);
                assert_eq!(classic(known.puzzle, name).as_ref(), Ok(known), "{name}");
            }
        }
        assert_eq!(classic("klotski", "heng-dao-li-na"), Err(Some("heng-dao-li-ma")));
        assert_eq!(classic("tiles", "heng-dao-li-ma"), Err(None));
    }
}
