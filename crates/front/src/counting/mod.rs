//! Counting rules: how published tables count, each with the search of its report.
//!
//! A report's figures depend on its own search as much as on what it counts: on the order of the moves, and on which
//! of several open states with the same `f` is taken first. So a rule is both. A puzzle declares its rules on its card;
//! `CountingSearch` runs them. Without a rule, counts are those of the literature ([`LITERATURE`]).

mod search;

use crate::error::PlanError;
use crate::puzzle::Card;
pub(crate) use search::CountingSearch;

/// A counting rule: what a report counts, and the search that it counts in.
#[derive(Debug)]
pub struct CountingRule {
    /// The name on the command line.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// What is counted and how the search runs, in full.
    pub explanation: &'static str,
    /// The names of the moves, in the order in which they are tried.
    pub moves: &'static [&'static str],
    /// The open list.
    pub open: OpenRule,
}

/// The open list of a counting rule, and what counts as generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenRule {
    /// A list in the order of arrival. The first state of least `f` is taken. An open state that is reached more
    /// cheaply keeps its place. Generated: the start, and every successor that is not closed.
    ArrivalList,
    /// A binary heap by `f` alone, in which an entry also moves past others of equal `f`. An open state that is reached
    /// more cheaply is replaced in place. Generated: insertions and replacements, without the start.
    EqualSwappingHeap,
}

/// The name of the counts that every algorithm has.
pub const LITERATURE: &str = "literature";

/// The counts of the literature, in words.
pub const LITERATURE_SUMMARY: &str = "the default, for every puzzle and algorithm: generated is the successors \
                                      produced, visited is the states expanded and the goal";

impl CountingRule {
    /// The rule of a puzzle; `None` for the counts of the literature.
    pub(crate) fn named(card: &'static Card, name: Option<&str>) -> Result<Option<&'static CountingRule>, PlanError> {
        let Some(name) = name.filter(|name| *name != LITERATURE) else { return Ok(None) };
        let rule = card.counting_rules.iter().find(|rule| rule.name == name);
        let known = || {
            let names = card.counting_rules.iter().map(|rule| rule.name);
            [LITERATURE].into_iter().chain(names).collect::<Vec<_>>().join(", ")
        };
        rule.map(Some).ok_or_else(|| {
            PlanError::Counting(format!("{} has no counting rule '{name}' (its rules: {})", card.name, known()))
        })
    }
}
