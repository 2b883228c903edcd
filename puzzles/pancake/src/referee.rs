//! Replays flips on a plain list.

use admissible_front::puzzle::{Illegal, Referee};
use serde_json::{Value, json};

/// The sizes from the top.
pub(super) struct PlainStack(pub(super) Vec<usize>);

impl Referee for PlainStack {
    fn replay(&self, actions: &[String]) -> Result<Vec<Value>, Illegal> {
        let (mut stack, mut states) = (self.0.clone(), vec![json!(self.0)]);
        for (action, step) in actions.iter().zip(1..) {
            let flipped = action.strip_prefix("flip ").and_then(|count| count.parse::<usize>().ok());
            let Some(flipped) = flipped.filter(|flipped| (2..=stack.len()).contains(flipped)) else {
                let reason = format!("'{action}' is not a flip of 2 to {} pancakes like flip 2", stack.len());
                return Err(Illegal { step, reason });
            };
            stack[..flipped].reverse();
            states.push(json!(stack));
        }
        let unsorted = Illegal { step: states.len(), reason: format!("the stack is not sorted: {stack:?}") };
        if stack.is_sorted() { Ok(states) } else { Err(unsorted) }
    }
}
