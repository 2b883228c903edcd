//! Audits of heuristics, on the states of a board or on a scope of the puzzle.

use admissible::platform::cores;
use admissible_front::{AuditError, AuditPlan, AuditReport, Task};
use admissible_lab::chart::{Chart, Histogram, Labels, Theme};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::boards::Board;
use crate::job::{AuditObserver, Job};
use crate::refusal::Refusal;
use crate::{Prepared, Settings, read};

/// The board, heuristics and scope of an audit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AuditRequest {
    board: Board,
    /// Names or expressions; all of the puzzle's if empty.
    #[serde(default)]
    heuristics: Vec<String>,
    /// One of the puzzle's scopes; the default if `None`.
    scope: Option<String>,
    /// Whether to audit the puzzle's own scope instead of the board.
    #[serde(default)]
    whole_puzzle: bool,
}

/// The approximate memory of a state in a list of all.
const BYTES_A_STATE: u64 = 64;
/// The number of states of a sample, taken if all are too many.
const SAMPLE: u64 = 2000;

/// Audits heuristics. Events: `progress`, then `result`.
pub(crate) fn audit(settings: &Settings, body: &[u8]) -> Result<Prepared, Refusal> {
    let request: AuditRequest = read(body)?;
    let task = request.board.open(settings)?;
    let threads = cores() / settings.jobs.max(1);
    let puzzles = settings.puzzles;
    Ok(Prepared::Events(
        "result",
        Box::new(move |job| {
            let AuditRequest { heuristics, scope, whole_puzzle, .. } = request;
            let plan = AuditPlan { heuristics, scope, threads, ..AuditPlan::default() };
            let observer = AuditObserver::new(job);
            let audit = if whole_puzzle {
                puzzles.entry(task.card().name).map_err(Refusal::unprocessable)?.audit(&plan, &observer)
            } else {
                task.audit(&within_memory(&task, plan, job)?, &observer)
            };
            let audit = audit.map_err(|error| match error {
                AuditError::Interrupted => Refusal::new(Refusal::TIMEOUT, "the time was up: choose a smaller scope"),
                other => other.into(),
            })?;
            Ok(json!({
                "looked_at": audit.looked_at,
                "exhaustive": audit.exhaustive,
                "seconds": audit.seconds,
                "reports": audit.reports.iter().map(report).collect::<Value>(),
            }))
        }),
    ))
}

/// The plan, with a sample instead if a list of all states does not fit into memory.
fn within_memory(task: &Task, plan: AuditPlan, job: &Job) -> Result<AuditPlan, Refusal> {
    let most = (job.memory() / BYTES_A_STATE).max(1000);
    let fits = task.reaches_at_most(most, &mut || job.stop_reason().is_none());
    if fits || plan.scope.as_deref().is_some_and(|scope| scope.starts_with("sample")) {
        return Ok(plan);
    }
    if task.card().scopes.iter().any(|scope| scope.of_file && scope.name == "sample:N") && plan.scope.is_none() {
        return Ok(AuditPlan { scope: Some(format!("sample:{SAMPLE}")), ..plan });
    }
    Err(Refusal::unprocessable("this board has more states than fit into the memory that a job may use"))
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
        json!({ "title": chart.labels.title, "page": chart.svg(Theme::Page), "paper": chart.svg(Theme::Paper) });
    object
}
