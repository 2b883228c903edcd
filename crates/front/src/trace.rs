//! Traces: the states that a search visits, in order, as one event each.

use std::collections::HashMap;

use crate::puzzle::Puzzle;
use admissible::search::{Visit, cheapest_move};
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

/// Numbers the states of a trace in the order in which they are first seen.
pub(crate) struct Numbers<K>(HashMap<K, u64>);

impl<K> Default for Numbers<K> {
    fn default() -> Self {
        Numbers(HashMap::new())
    }
}

impl<K: Copy + Eq + std::hash::Hash> Numbers<K> {
    fn number(&mut self, state: K) -> u64 {
        let next = self.0.len() as u64;
        *self.0.entry(state).or_insert(next)
    }

    pub(crate) fn event<P: Puzzle<Packed = K>>(&mut self, puzzle: &P, visit: &Visit<K>) -> TraceEvent {
        let parent = visit.parent.map(|parent| self.number(parent));
        let state = puzzle.unpack(visit.state);
        let action = visit.parent.filter(|_| !visit.backward).and_then(|parent| {
            let (_, m) = cheapest_move(puzzle, parent, visit.state)?;
            Some(puzzle.move_name(&puzzle.unpack(parent), m))
        });
        TraceEvent {
            id: self.number(visit.state),
            parent,
            action,
            g: visit.g,
            h: f64::from(visit.h) / f64::from(visit.scale),
            place: puzzle.place(&state),
            state: puzzle.state_json(&state),
            backward: visit.backward,
        }
    }
}
