//! Comparisons of heuristics and algorithms on one board, with the charts of the lab.

use admissible_front::{ALGORITHMS, AlgorithmCard};
use admissible_lab::chart::{Chart, Theme};
use admissible_lab::compare::{Comparison, Design, RunVerdict, Subject};
use admissible_lab::report::Quantity;
use admissible_lab::select::{Heuristics, read_algorithms};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::boards::Board;
use crate::job::SearchObserver;
use crate::refusal::Refusal;
use crate::solve::SearchOptions;
use crate::{Prepared, Settings, read};

/// A board, and the heuristics and algorithms to compare on it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareRequest {
    board: Board,
    /// Names or expressions.
    heuristics: Vec<String>,
    #[serde(default)]
    algorithms: Vec<String>,
    /// Limits and tie-breaking of each run.
    #[serde(default)]
    search: SearchOptions,
}

/// Runs every combination. Events: `progress`, then `result`.
pub(crate) fn compare(settings: &Settings, body: &[u8]) -> Result<Prepared, Refusal> {
    let request: CompareRequest = read(body)?;
    let algorithms: Vec<&'static AlgorithmCard> = if request.algorithms.is_empty() {
        ALGORITHMS.iter().filter(|card| card.name == "astar").collect()
    } else {
        read_algorithms(&request.algorithms.join(",")).map_err(Refusal::unprocessable)?
    };
    let task = request.board.open(settings)?;
    Ok(Prepared::Events(
        "result",
        Box::new(move |job| {
            let subjects = [Subject { file: request.board.name, task }];
            let design = Design::new(&subjects, &Heuristics::Named(request.heuristics), &algorithms)?;
            let plan = request.search.plan(job)?;
            Ok(result(&design.run(&plan, &mut SearchObserver::new(job))?))
        }),
    ))
}

fn result(comparison: &Comparison) -> Value {
    let compared = comparison.files.first();
    let run = |run: &admissible_lab::run::Run| {
        let compared = compared.expect("a run belongs to a file");
        let mut object = run.json();
        object.insert("note".into(), compared.note(run).into());
        object.insert("verdict".into(), compared.verdict(run).name().into());
        object.insert("alarming".into(), compared.verdict(run).is_alarming().into());
        object.insert(
            "proved".into(),
            matches!(compared.verdict(run), RunVerdict::Optimal | RunVerdict::Unsolvable).into(),
        );
        Value::Object(object)
    };
    let chart = |quantity: Quantity| {
        let bars = compared.map(|compared| compared.bars(quantity))?;
        let (page, paper) = (bars.svg(Theme::Page), bars.svg(Theme::Paper));
        Some(json!({ "title": bars.labels.title, "page": page, "paper": paper }))
    };
    let charts = [Quantity::Generated, Quantity::Visited, Quantity::Seconds].map(chart);
    json!({
        "runs": compared.map(|compared| compared.runs.iter().map(run).collect::<Value>()),
        "optimum": compared.and_then(admissible_lab::compare::Compared::optimum),
        "charts": charts,
        "csv": comparison.sheet().csv(),
        "interrupted": comparison.interrupted,
    })
}
