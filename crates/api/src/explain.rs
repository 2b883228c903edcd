//! The heuristics of a board, explained.

use admissible_front::Plan;
use serde::Deserialize;

use crate::boards::Board;
use crate::job::SearchObserver;
use crate::refusal::Refusal;
use crate::{Prepared, Settings, read};

/// A board, and the heuristics to explain.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainRequest {
    board: Board,
    /// Names or expressions; all of the puzzle's if empty.
    #[serde(default)]
    heuristics: Vec<String>,
}

/// Explains heuristics on a board. Events: `progress`, then `explained`.
pub(crate) fn explain(settings: &Settings, body: &[u8]) -> Result<Prepared, Refusal> {
    let request: ExplainRequest = read(body)?;
    let task = request.board.open(settings)?;
    Ok(Prepared::Events(
        "explained",
        Box::new(move |job| {
            let heuristics = Some(&request.heuristics[..]).filter(|names| !names.is_empty());
            let plan = Plan { limits: job.limits(None, None), ..Plan::default() };
            Ok(task.explain(heuristics, &plan, &mut SearchObserver::new(job))?.json())
        }),
    ))
}
