//! Traces: the states that a search visits, in order, as one event each.

use std::collections::HashMap;

use admissible::search::Visit;
use admissible_certificate::Number;
use serde_json::{Value, json};

use crate::instance::Instance;

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
#[derive(Default)]
pub(crate) struct Numbers(HashMap<Number, u64>);

impl Numbers {
    fn number(&mut self, state: Number) -> u64 {
        let next = self.0.len() as u64;
        *self.0.entry(state).or_insert(next)
    }

    pub(crate) fn event(&mut self, instance: &dyn Instance, visit: &Visit<Number>) -> TraceEvent {
        let parent = visit.parent.map(|parent| self.number(parent));
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
            id: self.number(visit.state),
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
