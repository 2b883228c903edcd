//! The report of an audit, and its JSON.

use admissible::Cost;
use serde_json::{Map, Value, json};

use crate::explain::number;

/// A finished audit.
#[derive(Debug, Clone)]
pub struct Audit {
    /// The puzzle.
    pub puzzle: &'static str,
    /// The audited states, in words.
    pub looked_at: String,
    /// Whether every state was audited, or a sample.
    pub exhaustive: bool,
    /// A report on each heuristic.
    pub reports: Vec<AuditReport>,
    /// The comparison of the heuristics with each other, if the plan asks for it.
    pub dominance: Option<Dominance>,
    /// The time in seconds.
    pub seconds: f64,
}

/// The findings of an audit about one heuristic. Estimates are in units of cost.
#[derive(Debug, Clone)]
pub struct AuditReport {
    /// The puzzle.
    pub puzzle: &'static str,
    /// The heuristic.
    pub heuristic: String,
    /// The claim of its source, if it is one of the puzzle's heuristics.
    pub claim: Option<&'static str>,
    /// The audited states, in words.
    pub looked_at: String,
    /// Whether every state was audited, or a sample.
    pub exhaustive: bool,
    /// Audited states.
    pub states: u64,
    /// Audited states from which a goal can be reached.
    pub solvable: u64,
    /// Audited states that are goals.
    pub goals: u64,
    /// Audited moves.
    pub edges: u64,
    /// The largest distance to a goal.
    pub farthest: Cost,
    /// States with `h` above the distance.
    pub overestimates: u64,
    /// Overestimates that call a solvable state a dead end.
    pub false_dead_ends: u64,
    /// The largest difference of `h` and the distance, false dead ends excluded.
    pub worst_overestimate: f64,
    /// Moves on which `h` falls by more than the cost.
    pub inconsistent_edges: u64,
    /// The largest excess of such a fall over the cost.
    pub worst_fall: f64,
    /// The smallest counterexample to admissibility.
    pub overestimate: Option<OverestimateShown>,
    /// The smallest counterexample to consistency.
    pub inconsistency: Option<InconsistencyShown>,
    /// The histogram of `h`, rounded up, minus the distance: difference and number of states.
    pub errors: Vec<(i64, u64)>,
    /// The joint histogram: distance, `h` rounded up, and number of states.
    pub joint: Vec<(Cost, Cost, u64)>,
    /// The states with `h` = 0 that are no goals, if the plan asks for dominance.
    pub zeros: Option<Zeros>,
    /// The mean of `h`.
    pub mean_estimate: f64,
    /// The mean distance.
    pub mean_distance: f64,
}

/// A counterexample to admissibility: a state whose estimate exceeds its distance.
#[derive(Debug, Clone)]
pub struct OverestimateShown {
    /// The instance, as in [`board_json`](crate::puzzle::Puzzle::board_json).
    pub instance: Value,
    /// The state, as in the JSON output.
    pub state: Value,
    /// The estimate; `None` for a dead end.
    pub h: Option<f64>,
    /// The true distance.
    pub distance: Cost,
    /// A solution of that length.
    pub actions: Vec<String>,
    /// The boards from the state to the goal, drawn.
    pub boards: Vec<String>,
}

/// A counterexample to consistency: a move on which the estimate falls by more than the cost.
#[derive(Debug, Clone)]
pub struct InconsistencyShown {
    /// The instance, as in [`board_json`](crate::puzzle::Puzzle::board_json).
    pub instance: Value,
    /// The states before and after, as in the JSON output.
    pub states: [Value; 2],
    /// The move.
    pub action: String,
    /// Its cost.
    pub cost: Cost,
    /// The estimates before and after; `None` for a dead end.
    pub h: [Option<f64>; 2],
    /// The boards before and after, drawn.
    pub boards: [String; 2],
}

/// The states with `h` = 0 that are no goals: counterexamples to "positive except at the goal".
#[derive(Debug, Clone, Default)]
pub struct Zeros {
    /// Their number.
    pub count: u64,
    /// One of them.
    pub example: Option<StateShown>,
}

/// A state as text.
#[derive(Debug, Clone)]
pub struct StateShown {
    /// The state, as in the JSON output.
    pub state: Value,
    /// The board, drawn.
    pub board: String,
}

/// The pairwise comparison of heuristics on every audited state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dominance {
    /// The heuristics.
    pub heuristics: Vec<String>,
    /// `less[i][j]` is the number of states on which heuristic `i` is less than heuristic `j`.
    pub less: Vec<Vec<u64>>,
    /// `ties[i][j]` is the number of states on which both heuristics are equal.
    pub ties: Vec<Vec<u64>>,
    /// The number of those ties that are goals.
    pub goal_ties: Vec<Vec<u64>>,
}

impl Dominance {
    /// Whether the first is at least as large as the second on every state.
    pub fn dominates(&self, first: usize, second: usize) -> bool {
        self.less[first][second] == 0
    }

    /// Whether the first is larger than the second on every state that is no goal, and never less.
    pub fn strictly_dominates(&self, first: usize, second: usize) -> bool {
        self.dominates(first, second) && self.ties[first][second] == self.goal_ties[first][second]
    }

    /// The object of `--format json`.
    pub fn json(&self) -> Value {
        json!({ "heuristics": self.heuristics, "states_where_row_is_less_than_column": self.less,
            "ties": self.ties, "ties_at_goals": self.goal_ties })
    }
}

impl AuditReport {
    /// Whether no overestimate was found.
    pub fn admissible(&self) -> bool {
        self.overestimates == 0
    }

    /// Whether neither an overestimate nor an inconsistent move was found.
    pub fn consistent(&self) -> bool {
        self.admissible() && self.inconsistent_edges == 0
    }

    /// The verdict in words. A sample can only refute.
    pub fn verdict(&self) -> String {
        match (self.exhaustive, self.admissible(), self.inconsistent_edges == 0) {
            (true, true, true) => "admissible and consistent".into(),
            (true, true, false) => "admissible, NOT consistent".into(),
            (false, true, true) => format!("sampled, no counterexample found in {}", self.states),
            (false, true, false) => "NOT consistent; no overestimate found in the sample".into(),
            (_, false, _) => "NOT admissible, NOT consistent".into(),
        }
    }

    /// The object of `--format json`.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| object.insert(key.into(), value);
        set("puzzle", self.puzzle.into());
        set("heuristic", self.heuristic.clone().into());
        set("scope", if self.exhaustive { "exhaustive" } else { "sampled" }.into());
        set("states", self.states.into());
        set("edges", self.edges.into());
        set("admissible", self.admissible().into());
        set("consistent", self.consistent().into());
        set("overestimates", self.overestimates.into());
        set("worst_overestimate", number(self.worst_overestimate));
        set("inconsistent_edges", self.inconsistent_edges.into());
        let overestimate = self.overestimate.as_ref().map(OverestimateShown::json);
        let inconsistency = self.inconsistency.as_ref().map(InconsistencyShown::json);
        set("counterexample", overestimate.or(inconsistency.clone()).unwrap_or(Value::Null));
        set("inconsistency", inconsistency.unwrap_or(Value::Null));
        set("verdict", self.verdict().into());
        set("claim", self.claim.into());
        set("looked_at", self.looked_at.clone().into());
        set("solvable", self.solvable.into());
        set("goals", self.goals.into());
        set("farthest", self.farthest.into());
        set("false_dead_ends", self.false_dead_ends.into());
        set("worst_fall", number(self.worst_fall));
        if let Some(Zeros { count, example }) = &self.zeros {
            set("positive_except_at_goals", (*count == 0).into());
            set("zeros_that_are_no_goals", (*count).into());
            let shown = |shown: &StateShown| json!({ "state": shown.state, "board": plain_lines(&shown.board) });
            set("zero", example.as_ref().map_or(Value::Null, shown));
        }
        set("mean_h", number(self.mean_estimate));
        set("mean_distance", number(self.mean_distance));
        set("errors", json!(self.errors));
        Value::Object(object)
    }
}

impl OverestimateShown {
    fn json(&self) -> Value {
        json!({
            "kind": "overestimate",
            "instance": self.instance,
            "state": self.state,
            "h": self.h.map(number),
            "distance": self.distance,
            "actions": self.actions,
            "board": self.boards.first().map(|board| plain_lines(board)),
        })
    }
}

impl InconsistencyShown {
    fn json(&self) -> Value {
        json!({
            "kind": "inconsistency",
            "instance": self.instance,
            "before": self.states[0],
            "after": self.states[1],
            "action": self.action,
            "cost": self.cost,
            "h_before": self.h[0].map(number),
            "h_after": self.h[1].map(number),
            "board": plain_lines(&self.boards[0]),
        })
    }
}

fn plain_lines(drawing: &str) -> Vec<String> {
    anstream::adapter::strip_str(drawing).to_string().lines().map(String::from).collect()
}
