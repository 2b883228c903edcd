//! Random boards.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{SystemTime, UNIX_EPOCH};

use admissible_front::{
    Difficulty, Entry, GenerateFailure, HardPlan, Observer, Parameters, ReadOptions, ScopeObserver, Setting, Stats,
    Stop, Watcher, generate, generate_hard,
};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Shared;
use crate::error::{ApiError, Body};
use crate::jobs::Job;

/// What a random board should be like, in the words of the program.
#[derive(Debug, Deserialize)]
pub(crate) struct Wish {
    puzzle: Option<String>,
    /// Leads to the same board every time; one is made up if there is none.
    seed: Option<u64>,
    /// How many moves the shortest solution should have, from the first number to the second.
    difficulty: Option<(u32, u32)>,
    /// The puzzle's parameters by name, and every other field: they are checked against the cards.
    #[serde(flatten)]
    parameters: BTreeMap<String, Option<Setting>>,
}

/// Boards of more cells would not be drawn.
const MOST_CELLS: usize = 40_000;
/// Longer walks lead nowhere else, and nothing that is counted is worth more.
const MOST_COUNT: usize = 100_000;

impl Wish {
    /// The one place that decides how a random board comes about.
    fn draw(&self, puzzle: &dyn Entry, seed: u64, job: &Job) -> Result<String, GenerateFailure> {
        let patience = Patience(job);
        let given = self.parameters.iter().filter_map(|(name, setting)| Some((name.clone(), setting.clone()?)));
        let parameters: Parameters = given.collect();
        let Some((least, most)) = self.difficulty else {
            return generate(puzzle, &parameters, seed, &mut Patience(job));
        };
        let plan = HardPlan {
            difficulty: Difficulty::Between(least, most.max(least)),
            seed,
            reading: ReadOptions::default(),
            threads: 1,
            most_bytes: Some(job.memory()),
            atlases: None,
        };
        generate_hard(puzzle, &parameters, &plan, &mut Patience(job), &patience).map(|found| found.text)
    }

    fn is_modest(&self) -> bool {
        self.parameters.values().flatten().all(|setting| match *setting {
            Setting::Size(rows, columns) => rows.saturating_mul(columns) <= MOST_CELLS,
            Setting::Count(count) => count <= MOST_COUNT,
            _ => true,
        })
    }
}

/// Ends a search with its job.
struct Patience<'a>(&'a Job);

impl Observer for Patience<'_> {
    fn tick(&mut self, _stats: &Stats) -> ControlFlow<Stop> {
        // Whatever the reason, the board is not made.
        self.0.over().map_or(ControlFlow::Continue(()), |_| ControlFlow::Break(Stop::Interrupted))
    }
}

impl Watcher for Patience<'_> {
    fn watch(&self, _states: u64) -> ControlFlow<()> {
        if self.0.over().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl ScopeObserver for Patience<'_> {}

/// Draws a random solvable board.
pub(crate) async fn generate_board(
    State(shared): State<Shared>,
    Body(wish): Body<Wish>,
) -> Result<Json<Value>, ApiError> {
    let puzzles = shared.settings.puzzles;
    let is_known = |name: &str| puzzles.cards().flat_map(|card| card.parameters).any(|known| known.name == name);
    if let Some(name) = wish.parameters.keys().find(|name| !is_known(name)) {
        return Err(ApiError::unprocessable(format!("unknown field `{name}`")));
    }
    let puzzle = wish.puzzle.as_deref().ok_or_else(|| ApiError::unprocessable("missing field `puzzle`"))?;
    let puzzle = puzzles.entry(puzzle).map_err(ApiError::unprocessable)?;
    if !wish.is_modest() {
        return Err(ApiError::unprocessable(format!("expected a board of at most {MOST_CELLS} cells")));
    }
    let permit = shared.jobs.permit()?;
    let seed = wish.seed.unwrap_or_else(|| {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64) % 1_000_000
    });
    let text = permit.wait(move |job| {
        wish.draw(puzzle, seed, job).map_err(|failure| match failure {
            GenerateFailure::Interrupted => ApiError::new(StatusCode::GATEWAY_TIMEOUT, "the time was up"),
            other => ApiError::unprocessable(other),
        })
    });
    Ok(Json(json!({ "text": text.await?, "seed": seed })))
}
