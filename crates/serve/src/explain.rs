//! The heuristics of a board, explained.

use admissible_front::Plan;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use crate::Shared;
use crate::boards::Board;
use crate::error::{ApiError, Body};
use crate::jobs::SearchObserver;
use crate::solve::open;

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
pub(crate) async fn explain(
    State(shared): State<Shared>,
    Body(request): Body<ExplainRequest>,
) -> Result<Response, ApiError> {
    let permit = shared.jobs.permit()?;
    let (_, task) = open(&shared, request.board).await?;
    Ok(permit.stream(move |job| {
        let heuristics = Some(&request.heuristics[..]).filter(|names| !names.is_empty());
        let plan = Plan { limits: job.limits(None, None), ..Plan::default() };
        let explained = task.explain(heuristics, &plan, &mut SearchObserver::new(job))?;
        job.send("explained", &explained.json());
        Ok(())
    }))
}
