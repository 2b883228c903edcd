//! Random boards of given parameters and difficulty.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use admissible_front::{
    Difficulty, Entry, GenerateFailure, HardPlan, Observer, Parameters, ReadOptions, ScopeObserver, Setting, Stats,
    Stop, Watcher, generate, generate_hard,
};
use serde::Deserialize;
use serde_json::json;

use crate::job::Job;
use crate::refusal::Refusal;
use crate::{Prepared, Settings, read};

/// The puzzle, parameters and difficulty of a random board.
#[derive(Debug, Deserialize)]
pub(crate) struct GenerateRequest {
    puzzle: Option<String>,
    /// The seed; random if `None`.
    seed: Option<u64>,
    /// The least and the most moves of the shortest solution.
    difficulty: Option<(u32, u32)>,
    /// The puzzle's parameters by name, and every other field: they are checked against the cards.
    #[serde(flatten)]
    parameters: BTreeMap<String, Option<Setting>>,
}

/// The most cells of a board that the page can draw.
const MOST_CELLS: usize = 40_000;
/// The most of any count, such as the length of a walk.
const MOST_COUNT: usize = 100_000;

impl GenerateRequest {
    /// Generates the board within the limits of the job.
    fn generate(&self, puzzle: &dyn Entry, seed: u64, job: &Job) -> Result<String, GenerateFailure> {
        let observer = JobObserver(job);
        let given = self.parameters.iter().filter_map(|(name, setting)| Some((name.clone(), setting.clone()?)));
        let parameters: Parameters = given.collect();
        let Some((least, most)) = self.difficulty else {
            return generate(puzzle, &parameters, seed, &mut JobObserver(job));
        };
        let plan = HardPlan {
            difficulty: Difficulty::Between(least, most.max(least)),
            seed,
            reading: ReadOptions::default(),
            threads: 1,
            most_bytes: Some(job.memory()),
            atlases: None,
        };
        generate_hard(puzzle, &parameters, &plan, &mut JobObserver(job), &observer).map(|found| found.text)
    }

    fn is_within_limits(&self) -> bool {
        self.parameters.values().flatten().all(|setting| match *setting {
            Setting::Size(rows, columns) => rows.saturating_mul(columns) <= MOST_CELLS,
            Setting::Count(count) => count <= MOST_COUNT,
            _ => true,
        })
    }
}

/// Stops a search when its job must stop.
struct JobObserver<'a>(&'a Job);

impl JobObserver<'_> {
    /// For every reason to stop, no board is generated.
    fn control_flow(&self) -> ControlFlow<Stop> {
        self.0.stop_reason().map_or(ControlFlow::Continue(()), |_| ControlFlow::Break(Stop::Interrupted))
    }
}

impl Observer for JobObserver<'_> {
    fn tick(&mut self, _stats: &Stats) -> ControlFlow<Stop> {
        self.control_flow()
    }

    fn preparing(&mut self, _done: u64, _of: u64) -> ControlFlow<Stop> {
        self.control_flow()
    }

    fn layer(&mut self, _bound: u32, _stats: &Stats) -> ControlFlow<Stop> {
        self.control_flow()
    }
}

impl Watcher for JobObserver<'_> {
    fn watch(&self, _states: u64) -> ControlFlow<()> {
        if self.0.stop_reason().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl ScopeObserver for JobObserver<'_> {}

/// Generates a random solvable board.
pub(crate) fn generate_board(settings: &Settings, body: &[u8]) -> Result<Prepared, Refusal> {
    let request: GenerateRequest = read(body)?;
    let puzzles = settings.puzzles;
    let is_known = |name: &str| puzzles.cards().flat_map(|card| card.parameters).any(|known| known.name == name);
    if let Some(name) = request.parameters.keys().find(|name| !is_known(name)) {
        return Err(Refusal::unprocessable(format!("unknown field `{name}`")));
    }
    let puzzle = request.puzzle.as_deref().ok_or_else(|| Refusal::unprocessable("missing field `puzzle`"))?;
    let puzzle = puzzles.entry(puzzle).map_err(Refusal::unprocessable)?;
    if !request.is_within_limits() {
        return Err(Refusal::unprocessable(format!("expected a board of at most {MOST_CELLS} cells")));
    }
    let seed = request.seed.unwrap_or_else(settings.seed);
    Ok(Prepared::Quiet(Box::new(move |job| {
        let text = request.generate(puzzle, seed, job).map_err(|failure| match failure {
            GenerateFailure::Interrupted => Refusal::new(Refusal::TIMEOUT, "the time was up"),
            other => Refusal::unprocessable(other),
        });
        Ok(json!({ "text": text?, "seed": seed }))
    })))
}
