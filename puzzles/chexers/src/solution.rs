//! Solutions as text: an action a line, as the course prints them.
//!
//! The reader accepts any blanks and capitals, with or without the full stop, and returns actions as the course writes
//! them. The referee checks the rules.

use admissible::search::Outcome;

use super::board::Action;
use admissible_front::puzzle::Claim;
use admissible_front::text::{Faults, Inspector, Line, paragraphs, shown};

/// The output for an unsolvable board.
const NO_SOLUTION: &str = "# no solution";

/// The course output for the outcome of a search.
pub(super) fn write(outcome: &Outcome<Action>) -> String {
    match outcome {
        Outcome::Solved(solution) => solution.moves.iter().map(|action| format!("{action}\n")).collect(),
        Outcome::Unsolvable => format!("{NO_SOLUTION}\n"),
        Outcome::Stopped { why, lower_bound } => {
            format!("# stopped {}: every solution has at least {lower_bound} actions\n", why.phrase())
        }
    }
}

/// Reads the course output.
pub(super) fn read(text: &str) -> Result<Claim, Faults> {
    let mut inspector = Inspector::default();
    let mut actions = Vec::new();
    let mut says_unsolvable = false;
    for line in paragraphs(text).into_iter().flatten() {
        if let Some(comment) = line.text.trim_start().strip_prefix('#') {
            says_unsolvable |= comment.trim().eq_ignore_ascii_case(&NO_SOLUTION[2..]);
            continue;
        }
        match (Cursor { line: &line, at: 0 }).action() {
            Ok(action) => actions.push(action),
            Err((column, message)) => inspector.fault(line.number, column, message),
        }
    }
    let is_unsolvable = says_unsolvable && actions.is_empty();
    inspector.pass(if is_unsolvable { Claim::Unsolvable } else { Claim::Actions(actions) })
}

/// The column and message of a fault.
type LineFault = (usize, String);

/// A place in a line.
struct Cursor<'a> {
    line: &'a Line<'a>,
    /// In bytes.
    at: usize,
}

impl<'a> Cursor<'a> {
    fn action(mut self) -> Result<String, LineFault> {
        let word = self.word(&["MOVE", "JUMP", "EXIT"], "'MOVE', 'JUMP' or 'EXIT'")?;
        self.word(&["from"], "'from'")?;
        let from = self.hex()?;
        let action = if word == "EXIT" {
            format!("EXIT from {from}.")
        } else {
            self.word(&["to"], "'to'")?;
            format!("{word} from {from} to {}.", self.hex()?)
        };
        if self.rest().starts_with('.') {
            self.at += 1;
        }
        if self.rest().is_empty() { Ok(action) } else { Err(self.expected("the end of the line")) }
    }

    fn hex(&mut self) -> Result<String, LineFault> {
        self.symbol('(')?;
        let q = self.number()?;
        self.symbol(',')?;
        let r = self.number()?;
        self.symbol(')')?;
        Ok(format!("({q}, {r})"))
    }

    fn number(&mut self) -> Result<i32, LineFault> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - sign);
        let number = rest[..sign + digits].parse().map_err(|_| self.expected("a number"))?;
        self.at += sign + digits;
        Ok(number)
    }

    fn symbol(&mut self, symbol: char) -> Result<(), LineFault> {
        if !self.rest().starts_with(symbol) {
            return Err(self.expected(&format!("'{symbol}'")));
        }
        self.at += symbol.len_utf8();
        Ok(())
    }

    fn word(&mut self, words: &[&'static str], expected: &str) -> Result<&'static str, LineFault> {
        let next = self.next_word();
        let word = words.iter().find(|word| word.eq_ignore_ascii_case(next)).ok_or_else(|| self.expected(expected))?;
        self.at += word.len();
        Ok(word)
    }

    /// Skips blanks, and returns the rest of the line.
    fn rest(&mut self) -> &'a str {
        self.at = self.line.text.len() - self.line.text[self.at..].trim_start().len();
        &self.line.text[self.at..]
    }

    /// The next letters, if any.
    fn next_word(&mut self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())]
    }

    fn expected(&mut self, what: &str) -> LineFault {
        let (rest, word) = (self.rest(), self.next_word());
        let found = match rest.chars().next() {
            None => "the end of the line".into(),
            Some(_) if !word.is_empty() => format!("'{word}'"),
            Some(c) => shown(c),
        };
        let column = self.line.text[..self.at].chars().count() + 1;
        (column.min(self.line.end()), format!("expected {what}, found {found}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_read_in_any_writing() {
        let text = "# a comment\n\nMOVE from (0, -1) to (0, 0).\r\n  jump FROM(0,1)to( -2 ,3 ) . \r\
                    Exit from (-2, 3)\n#no Solution";
        let expected = ["MOVE from (0, -1) to (0, 0).", "JUMP from (0, 1) to (-2, 3).", "EXIT from (-2, 3)."];
        assert_eq!(read(text), Ok(Claim::Actions(expected.map(String::from).to_vec())));
    }

    #[test]
    fn only_a_comment_claims_unsolvability() {
        assert_eq!(read("# no solution\n"), Ok(Claim::Unsolvable));
        assert_eq!(read("\n # heading\n#No solution"), Ok(Claim::Unsolvable));
        assert_eq!(read("# some other comment"), Ok(Claim::Actions(vec![])));
        assert_eq!(read(""), Ok(Claim::Actions(vec![])));
        assert!(read("no solution").is_err());
    }

    #[test]
    fn every_fault_is_reported_with_its_place() {
        for (text, expected) in [
            ("WALK from (0, 0)", "1:1: expected 'MOVE', 'JUMP' or 'EXIT', found 'WALK'"),
            ("# 1\n\n(0, 0)", "3:1: expected 'MOVE', 'JUMP' or 'EXIT', found '('"),
            ("MOVE (0, 0)", "1:6: expected 'from', found '('"),
            ("MOVE from 0, 0", "1:11: expected '(', found '0'"),
            ("MOVE from (0 0)", "1:14: expected ',', found '0'"),
            ("MOVE from (0, q) to (0, 1).", "1:15: expected a number, found 'q'"),
            ("MOVE from (0, --1) to (0, 1).", "1:15: expected a number, found '-'"),
            ("MOVE from (0, 99999999999) to (0, 1).", "1:15: expected a number, found '9'"),
            ("MOVE from (0, 0", "1:16: expected ')', found the end of the line"),
            ("MOVE from (0, 0).  ", "1:17: expected 'to', found '.'"),
            ("EXIT from (0, 0)  to (0, 1).", "1:19: expected the end of the line, found 'to'"),
            ("EXIT from  \t", "1:10: expected '(', found the end of the line"),
            (
                "EXIT from (0, 0)..\nEXIT\n",
                "1:18: expected the end of the line, found '.'\n2:5: expected 'from', found the end of the line",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), expected, "{text:?}");
        }
    }
}
