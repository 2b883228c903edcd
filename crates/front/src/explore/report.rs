//! What an exploration found, and its JSON.

use serde_json::{Map, Value, json};

use super::Direction;

/// A space that was explored.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// The puzzle.
    pub puzzle: &'static str,
    /// What was explored, in words.
    pub title: String,
    /// From where.
    pub direction: Direction,
    /// What a move is called.
    pub unit: &'static str,
    /// The states that were met.
    pub states: u64,
    /// The goals among them.
    pub goals: u64,
    /// How many states there are at each depth.
    pub depths: Vec<u64>,
    /// Some of the farthest states, as the JSON output has them.
    pub farthest: Vec<Value>,
    /// The first of them, drawn.
    pub boards: Vec<String>,
    /// The moves that were looked at.
    pub moves: u64,
    /// The states of the space that were not met: no way leads from them to a goal, or from the start to them. `None`
    /// where they are not known.
    pub unmet: Option<u64>,
    /// The sizes of the connected parts, if they were asked for.
    pub components: Option<Vec<u64>>,
    /// What it took.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The atlases that were kept, and their bytes in all.
    pub saved: Vec<String>,
    /// The bytes of all atlases that were kept.
    pub saved_bytes: u64,
}

/// Farthest states that are listed at the most.
pub(crate) const MOST_FARTHEST: usize = 100;

impl Exploration {
    /// The greatest depth; `None` if there is no state.
    pub fn max_depth(&self) -> Option<usize> {
        self.depths.len().checked_sub(1)
    }

    /// How many states have the greatest depth.
    pub fn farthest_states(&self) -> u64 {
        self.depths.last().copied().unwrap_or(0)
    }

    /// Moves for each state.
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
