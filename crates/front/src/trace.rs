//! Traces: one event for each state that a search visits, in order.

use std::collections::HashMap;

use admissible::search::Visit;
use admissible_certificate::Number;
use serde_json::{Value, json};

use crate::instance::Instance;

/// One visited state.
#[derive(Debug, Clone)]
pub struct TraceEvent {
    /// The id of the state; later visits of the same state have the same id.
    pub id: u64,
    /// The id of its parent.
    pub parent: Option<u64>,
    /// The state, as in the JSON output.
    pub state: Value,
    /// The action that led to it.
    pub action: Option<String>,
    /// The cost so far.
    pub g: u32,
    /// The heuristic's estimate.
    pub h: f64,
    /// The row and column of the state, for puzzles in which one thing moves.
    pub place: Option<(i64, i64)>,
    /// Whether the backward half of a bidirectional search visited it.
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

/// Receives the events of a trace.
pub trait Tracer {
    /// Receives an event; returns false to end the trace.
    fn event(&mut self, event: &TraceEvent) -> bool;
}

/// Numbers the states of a trace in the order of their first visit.
#[derive(Default)]
pub(crate) struct StateIds(HashMap<Number, u64>);

impl StateIds {
    fn id(&mut self, state: Number) -> u64 {
        let next = self.0.len() as u64;
        *self.0.entry(state).or_insert(next)
    }

    pub(crate) fn event(&mut self, instance: &dyn Instance, visit: &Visit<Number>) -> TraceEvent {
        let parent = visit.parent.map(|parent| self.id(parent));
        let action = visit.parent.filter(|_| !visit.backward).and_then(|parent| {
            let (mut m, mut best) = (0, None);
            instance.each_successor(parent, &mut |next| {
                if next.state == visit.state && best.is_none_or(|(cost, _)| next.cost < cost) {
                    best = Some((next.cost, m));
                }
                m += 1;
            });
            Some(instance.move_name(parent, best?.1))
        });
        TraceEvent {
            id: self.id(visit.state),
            parent,
            action,
            g: visit.g,
            h: f64::from(visit.h) / f64::from(visit.scale),
            place: instance.place(visit.state),
            state: instance.state_json(visit.state),
            backward: visit.backward,
        }
    }
}
