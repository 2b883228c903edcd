//! The JSON of `solve`, parsed into types that refuse unknown and missing fields.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::support::{ANSWERED, REFUTED, Run, STOPPED};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solved<State> {
    pub(crate) puzzle: String,
    pub(crate) file: String,
    pub(crate) algorithm: String,
    pub(crate) heuristic: String,
    pub(crate) outcome: String,
    pub(crate) cost: u32,
    pub(crate) guarantee: String,
    /// Only klotski counts consecutive steps of one piece as one move: in this solution, and the minimum if known.
    pub(crate) moves: Option<u32>,
    pub(crate) fewest_moves: Option<u32>,
    pub(crate) actions: Vec<String>,
    pub(crate) states: Vec<State>,
    pub(crate) stats: Stats,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unsolvable {
    pub(crate) puzzle: String,
    pub(crate) file: String,
    pub(crate) algorithm: String,
    pub(crate) heuristic: String,
    pub(crate) outcome: String,
    #[serde(rename = "cost")]
    pub(crate) _null: (),
    pub(crate) stats: Stats,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stopped {
    pub(crate) puzzle: String,
    pub(crate) file: String,
    pub(crate) algorithm: String,
    pub(crate) heuristic: String,
    pub(crate) outcome: String,
    #[serde(rename = "cost")]
    pub(crate) _null: (),
    pub(crate) why: String,
    pub(crate) lower_bound: u32,
    pub(crate) stats: Stats,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stats {
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) reopened: u64,
    pub(crate) expanded_before_last_layer: u64,
    pub(crate) max_frontier: u64,
    #[serde(default)]
    pub(crate) frontier_duplicates: bool,
    pub(crate) stored: u64,
    pub(crate) iterations: u64,
    pub(crate) seconds: f64,
    pub(crate) peak_bytes: u64,
}

impl Run {
    #[track_caller]
    pub(crate) fn solved<State: DeserializeOwned>(&self) -> Solved<State> {
        let answer: Solved<State> = self.one_object(ANSWERED);
        assert_eq!(answer.outcome, "solved", "{self}");
        assert_eq!(answer.actions.len(), answer.cost as usize, "every action costs 1: {self}");
        assert_eq!(answer.states.len(), answer.cost as usize + 1, "{self}");
        answer
    }

    #[track_caller]
    pub(crate) fn unsolvable(&self) -> Unsolvable {
        let answer: Unsolvable = self.one_object(REFUTED);
        assert_eq!(answer.outcome, "unsolvable", "{self}");
        answer
    }

    #[track_caller]
    pub(crate) fn stopped(&self) -> Stopped {
        let answer: Stopped = self.one_object(STOPPED);
        assert_eq!(answer.outcome, "stopped", "{self}");
        answer
    }

    /// Reads standard output as one object on one line.
    #[track_caller]
    pub(crate) fn one_object<T: DeserializeOwned>(&self, code: i32) -> T {
        let text = self.prints(code);
        assert_eq!(text.lines().count(), 1, "{self}");
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}
