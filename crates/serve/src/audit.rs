//! Are heuristics what they are said to be? On the states of one board, or where the puzzle says.

use admissible_front::{AuditError, AuditPlan, AuditReport, Task};
use admissible_lab::chart::{Chart, Histogram, Labels, Theme};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Shared;
use crate::boards::Board;
use crate::error::{ApiError, Body};
use crate::jobs::{AuditWatch, Job};
use crate::solve::open;

/// A board, and what to look at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    board: Board,
    /// By name, or as expressions; all of the puzzle's if there are none.
    #[serde(default)]
    heuristics: Vec<String>,
    /// One of the puzzle's scopes; its default for a board if there is none.
    scope: Option<String>,
    /// Whether to look at what the puzzle as a whole has to offer instead of at the board.
    #[serde(default)]
    whole_puzzle: bool,
}

/// What is kept of a state while all are listed, about.
const BYTES_A_STATE: u64 = 64;
/// How many states are looked at where there are too many.
const SAMPLE: u64 = 2000;

/// Audits heuristics: `progress` now and then, then `result`.
pub(crate) async fn audit(State(shared): State<Shared>, Body(request): Body<Request>) -> Result<Response, ApiError> {
    let permit = shared.jobs.permit()?;
    let (_, task) = open(&shared, request.board).await?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from) / shared.settings.jobs.max(1);
    Ok(permit.stream(move |job| {
        let plan = AuditPlan { heuristics: request.heuristics, scope: request.scope, threads, ..AuditPlan::default() };
        let watch = AuditWatch::new(job);
        let audit = if request.whole_puzzle {
            let entry = shared.settings.puzzles.entry(task.card().name).map_err(ApiError::unprocessable)?;
            entry.audit(&plan, &watch)
        } else {
            task.audit(&within_memory(&task, plan, job)?, &watch)
        };
        let audit = audit.map_err(|error| match error {
            AuditError::Interrupted => {
                ApiError::new(StatusCode::GATEWAY_TIMEOUT, "the time was up: choose a smaller scope")
            }
            other => other.into(),
        })?;
        let result = json!({
            "looked_at": audit.looked_at,
            "exhaustive": audit.exhaustive,
            "seconds": audit.seconds,
            "reports": audit.reports.iter().map(report).collect::<Value>(),
        });
        job.send("result", &result);
        Ok(())
    }))
}

/// An audit lists every state. Where they do not fit into memory, a sample is looked at instead.
fn within_memory(task: &Task, plan: AuditPlan, job: &Job) -> Result<AuditPlan, ApiError> {
    let most = (job.memory() / BYTES_A_STATE).max(1000);
    let fits = task.reaches_at_most(most, &mut || job.over().is_none());
    if fits || plan.scope.as_deref().is_some_and(|scope| scope.starts_with("sample")) {
        return Ok(plan);
    }
    if task.card().scopes.iter().any(|scope| scope.of_file && scope.name == "sample:N") && plan.scope.is_none() {
        return Ok(AuditPlan { scope: Some(format!("sample:{SAMPLE}")), ..plan });
    }
    Err(ApiError::unprocessable("this board has more states than fit into the memory that a job may use"))
}

fn report(report: &AuditReport) -> Value {
    let chart = Histogram {
        labels: Labels::new(format!("{}: h - distance", report.heuristic), "h - distance", "states"),
        counts: report.errors.clone(),
        within: "at most the distance".into(),
        beyond: "overestimates".into(),
    };
    let mut object = report.json();
    object["chart"] =
        json!({ "title": chart.title(), "page": chart.svg(Theme::Page), "paper": chart.svg(Theme::Paper) });
    object
}
