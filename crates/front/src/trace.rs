//! Traces: the states that a search visits, in order, as one event each.

use serde_json::{Value, json};

/// One visited state.
#[derive(Debug, Clone)]
pub struct TraceEvent {
    /// The number of the state; the same state has the same number each time.
    pub id: u64,
    /// The number of the state it was reached from.
    pub parent: Option<u64>,
    /// The state as in the JSON output.
    pub state: Value,
    /// The action that led there.
    pub action: Option<String>,
    /// The cost so far.
    pub g: u32,
    /// The estimate of the rest.
    pub h: f64,
    /// Where it is on the board, for puzzles with one moving thing: row and column.
    pub place: Option<(i64, i64)>,
    /// Whether the half that comes from the goal visited it.
    pub backward: bool,
}

impl TraceEvent {
    /// A line of a trace in JSON.
    pub fn json(&self) -> Value {
        json!({
            "id": self.id,
            "parent": self.parent,
            "action": self.action,
            "g": self.g,
            "h": self.h,
            "f": f64::from(self.g) + self.h,
            "backward": self.backward,
            "state": self.state,
        })
    }
}

/// Takes the events of a trace.
pub trait Tracer {
    /// Takes one; false if it has had enough.
    fn event(&mut self, event: &TraceEvent) -> bool;
}
