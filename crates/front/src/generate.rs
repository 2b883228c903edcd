//! Random solvable instances, and instances of a chosen difficulty.

use crate::parameters::{ParameterKind, Parameters, Purpose, Setting};
use crate::puzzle::ReadOptions;
use admissible::search::{Limits, Observer, Stop};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use crate::answer::AnswerOutcome;
use crate::difficulty::{Difficulty, Generated, PathPickOutcome, PickOutcome};
use crate::explore::{ExploreError, ExplorePlan};
use crate::plan::Plan;
use crate::registry::Entry;
use crate::scope::ScopeObserver;
use crate::store::Store;
use crate::task::Solvability;

/// Why no instance was generated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenerateFailure {
    /// There is no instance with these parameters.
    #[error("{0}")]
    Parameters(String),
    /// None of this number of random instances is solvable.
    #[error("none of {0} random instances is solvable: ask for fewer obstacles")]
    NoneSolvable(u32),
    /// None of this number of instances is hard enough.
    #[error("none of {0} instances has a shortest solution of that length: ask for less, or a larger board")]
    TooEasy(u32),
    /// The space does not fit into memory.
    #[error(transparent)]
    TooLarge(ExploreError),
    /// The observer stopped it.
    #[error("interrupted")]
    Interrupted,
}

/// The number of candidates for a solvable instance.
const TRIES: u32 = 1000;
/// The limit on expansions for one candidate, which is skipped beyond it. A limit on time would make the instance of a
/// seed depend on the machine.
const EXPANSIONS: u64 = 30_000_000;
/// The number of candidates for a hard instance, each of which takes an exploration or an optimal search.
const HARD_TRIES: u32 = 200;
/// The number of optimal searches that may stop at their limit.
const MAX_UNDECIDED: u32 = 3;

/// Checks that every parameter is one of the puzzle's, and in range.
fn check(entry: &dyn Entry, parameters: &Parameters) -> Result<(), GenerateFailure> {
    let complete = parameters.complete(entry.card(), Purpose::Generate);
    complete.map(|_| ()).map_err(|error| GenerateFailure::Parameters(error.to_string()))
}

/// A random solvable instance of a puzzle: the first solvable one of the random instances of the seed.
///
/// # Errors
/// If no solvable instance was found.
pub fn generate(
    entry: &dyn Entry,
    parameters: &Parameters,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<String, GenerateFailure> {
    check(entry, parameters)?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..TRIES {
        let text = entry.generate(parameters, &mut random).map_err(|error| GenerateFailure::Parameters(error.0))?;
        let task = entry.open(&text, &ReadOptions::default()).expect("a puzzle can read its own file");
        match task.solvability() {
            Solvability::Solvable => return Ok(text),
            Solvability::Unsolvable => continue,
            Solvability::Unknown => {}
        }
        // Any solution will do, and greedy search is the fastest to find one.
        let limits = Limits { expanded: Some(EXPANSIONS), ..Limits::default() };
        let plan = Plan { algorithm: Some("greedy".into()), limits, ..Plan::default() };
        let answer = task.solve(&plan, observer, None).expect("the puzzle's own advice can be followed");
        match answer.outcome {
            AnswerOutcome::Solved(_) => return Ok(text),
            AnswerOutcome::Stopped { why: Stop::Interrupted, .. } => return Err(GenerateFailure::Interrupted),
            _ => {}
        }
    }
    Err(GenerateFailure::NoneSolvable(TRIES))
}

/// The options of [`generate_hard`].
#[derive(Debug, Clone)]
pub struct HardPlan {
    /// The difficulty.
    pub difficulty: Difficulty,
    /// The seed, which determines the instance.
    pub seed: u64,
    /// The metric.
    pub reading: ReadOptions,
    /// The number of threads.
    pub threads: usize,
    /// The limit on bytes of memory.
    pub most_bytes: Option<u64>,
    /// The store of atlases.
    pub atlases: Option<Store>,
}

/// An instance of a chosen difficulty.
///
/// # Errors
/// If no instance of that difficulty was found.
pub fn generate_hard(
    entry: &dyn Entry,
    parameters: &Parameters,
    plan: &HardPlan,
    observer: &mut dyn Observer,
    watcher: &dyn ScopeObserver,
) -> Result<Generated, GenerateFailure> {
    check(entry, parameters)?;
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    let explore = ExplorePlan {
        parameters: parameters.clone(),
        threads: plan.threads,
        most_bytes: plan.most_bytes,
        ..ExplorePlan::default()
    };
    if plan.difficulty == Difficulty::Hardest {
        match entry.pick(&explore, &plan.reading, plan.difficulty, &mut random, watcher) {
            Ok(PickOutcome::Found(found)) => return Ok(found),
            Ok(PickOutcome::TooLarge(error)) => return Err(GenerateFailure::TooLarge(error)),
            // The puzzle has no such space without a file: explore the spaces of random instances instead.
            Ok(PickOutcome::Nothing) | Err(ExploreError::Scope(_)) => {}
            Err(error) => return Err(failure(error)),
        }
    }
    let mut parameters = parameters.clone();
    let walk = entry.card().parameters.iter().find(|parameter| matches!(parameter.kind, ParameterKind::Walk(_)));
    let walk = walk.map(|walk| walk.name).filter(|name| parameters.get(name).is_none());
    let mut undecided: Vec<Generated> = Vec::new();
    for attempt in 0..HARD_TRIES {
        let text = entry.generate(&parameters, &mut random).map_err(|error| GenerateFailure::Parameters(error.0))?;
        let task =
            entry.open(&text, &plan.reading).map_err(|faults| GenerateFailure::Parameters(faults.to_string()))?;
        if task.solvability() == Solvability::Unsolvable {
            continue;
        }
        match task.pick(&explore, plan.difficulty, &mut random, watcher) {
            Ok(PickOutcome::Found(found)) => return Ok(found),
            Ok(PickOutcome::Nothing) => continue,
            Ok(PickOutcome::TooLarge(error)) if plan.difficulty == Difficulty::Hardest => {
                return Err(GenerateFailure::TooLarge(error));
            }
            Ok(PickOutcome::TooLarge(_)) => {}
            Err(error) => return Err(failure(error)),
        }
        // The space is too large to explore. A shortest solution of a harder instance contains easier instances.
        if let Some(walk) = walk.filter(|name| parameters.get(name).is_none()) {
            parameters.set(walk, Setting::Count(plan.difficulty.least() as usize));
            continue;
        }
        let limits = Limits { expanded: Some(EXPANSIONS), bytes: plan.most_bytes, time: None };
        let solve = Plan { limits, atlases: plan.atlases.clone(), ..Plan::default() };
        match task.pick_on_shortest_path(plan.difficulty, &solve, &mut random, observer) {
            PathPickOutcome::Found(found) => return Ok(found),
            PathPickOutcome::TooEasy => {}
            PathPickOutcome::Undecided(found) => undecided.push(found),
            PathPickOutcome::Interrupted => return Err(GenerateFailure::Interrupted),
        }
        if undecided.len() as u32 == MAX_UNDECIDED {
            break;
        }
        if let Some(walk) = walk {
            // The distance of a random walk's end grows more slowly than its length, so longer walks follow.
            let least = plan.difficulty.least();
            parameters.set(walk, Setting::Count((least + least / 10 * attempt + attempt) as usize));
        }
    }
    // The instance with the smallest range of lengths.
    let best = undecided.into_iter().min_by_key(|found| found.most - found.least);
    best.ok_or(GenerateFailure::TooEasy(HARD_TRIES))
}

fn failure(error: ExploreError) -> GenerateFailure {
    match error {
        ExploreError::Interrupted => GenerateFailure::Interrupted,
        error @ ExploreError::TooLarge { .. } => GenerateFailure::TooLarge(error),
        error => GenerateFailure::Parameters(error.to_string()),
    }
}
