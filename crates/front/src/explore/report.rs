//! The report of an exploration, and its JSON.

use serde_json::{Map, Value, json};

use super::ExploreDirection;

/// An explored space.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// The puzzle.
    pub puzzle: &'static str,
    /// The scope, in words.
    pub title: String,
    /// The direction of the search.
    pub direction: ExploreDirection,
    /// The word for a move.
    pub unit: &'static str,
    /// The states found.
    pub states: u64,
    /// The goals among them.
    pub goals: u64,
    /// The number of states at each depth.
    pub depths: Vec<u64>,
    /// Some of the farthest states, as in the JSON output.
    pub farthest: Vec<Value>,
    /// The first of them, drawn.
    pub boards: Vec<String>,
    /// The moves generated.
    pub moves: u64,
    /// The states of the space that the search did not reach: no path leads from the start to them or, backward, from
    /// them to a goal. `None` where their number is unknown.
    pub unmet: Option<u64>,
    /// The sizes of the connected components, if the plan asks for them.
    pub components: Option<Vec<u64>>,
    /// The bytes of memory.
    pub bytes: u64,
    /// The time in seconds.
    pub seconds: f64,
    /// The names of the stored atlases.
    pub saved: Vec<String>,
    /// The bytes of all stored atlases.
    pub saved_bytes: u64,
}

/// The most farthest states that a report lists.
pub(crate) const MAX_FARTHEST: usize = 100;

impl Exploration {
    /// The greatest depth; `None` if there is no state.
    pub fn max_depth(&self) -> Option<usize> {
        self.depths.len().checked_sub(1)
    }

    /// The number of states at the greatest depth.
    pub fn farthest_states(&self) -> u64 {
        self.depths.last().copied().unwrap_or(0)
    }

    /// The mean number of moves per state.
    pub fn branching(&self) -> f64 {
        if self.states == 0 { 0.0 } else { self.moves as f64 / self.states as f64 }
    }

    /// The object of `--format json`.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| object.insert(key.into(), value);
        set("puzzle", self.puzzle.into());
        set("direction", self.direction.name().into());
        set("states", self.states.into());
        set("goals", self.goals.into());
        set("max_depth", json!(self.max_depth()));
        set("depths", json!(self.depths));
        set("farthest", json!(self.farthest));
        set("farthest_states", self.farthest_states().into());
        set("space", self.title.clone().into());
        set("metric", format!("{}s", self.unit).into());
        set("moves", self.moves.into());
        set("branching", json!(self.branching()));
        set("unmet", json!(self.unmet));
        set("components", json!(self.components));
        set("bytes", self.bytes.into());
        set("seconds", json!(self.seconds));
        set("saved", json!(self.saved));
        Value::Object(object)
    }
}
