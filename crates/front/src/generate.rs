//! Random instances that are solvable, and instances that are as hard as is wanted.

use std::fmt;

use crate::parameters::{ParameterKind, Parameters, Purpose, Setting};
use crate::puzzle::ReadOptions;
use admissible::search::{Limits, Observer, Stop};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::answer::AnswerOutcome;
use crate::difficulty::{Cut, Difficulty, Generated, Picked};
use crate::explore::{ExploreError, ExplorePlan};
use crate::plan::Plan;
use crate::registry::Entry;
use crate::scope::ScopeObserver;
use crate::store::Store;
use crate::task::Solvability;

/// Why there is no instance.
#[derive(Debug)]
#[non_exhaustive]
pub enum GenerateFailure {
    /// There is no instance with these parameters.
    Parameters(String),
    /// No solvable instance was found in so many tries.
    Luckless(u32),
    /// None of so many instances was as hard as was wanted.
    TooEasy(u32),
    /// The space does not fit into memory.
    TooLarge(ExploreError),
    /// Somebody stopped it.
    Interrupted,
}

impl fmt::Display for GenerateFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateFailure::Parameters(why) => f.write_str(why),
            GenerateFailure::Luckless(tries) => {
                write!(f, "none of {tries} random instances is solvable: ask for fewer obstacles")
            }
            GenerateFailure::TooEasy(tries) => {
                write!(
                    f,
                    "none of {tries} instances has so long a shortest solution: ask for less, or for a larger board"
                )
            }
            GenerateFailure::TooLarge(error) => error.fmt(f),
            GenerateFailure::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for GenerateFailure {}

/// How many candidates are tried.
const TRIES: u32 = 1000;
/// A candidate that takes more to decide is passed over. Expansions and not seconds, so that the same seed gives the
/// same instance on every machine.
const EXPANSIONS: u64 = 30_000_000;
/// How many candidates are tried where a whole space is looked at for each, or a shortest solution found.
const HARD_TRIES: u32 = 200;
/// Searches for a shortest solution that may come to nothing.
const MOST_UNDECIDED: u32 = 3;

/// Whether every parameter is one of the puzzle's, and in range.
fn check(entry: &dyn Entry, parameters: &Parameters) -> Result<(), GenerateFailure> {
    let complete = parameters.complete(entry.card(), Purpose::Generate);
    complete.map(|_| ()).map_err(|error| GenerateFailure::Parameters(error.to_string()))
}

/// A random solvable instance of a puzzle: the first solvable one of those that the seed leads to.
///
/// # Errors
/// If there is no such instance.
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
        let task = entry.open(&text, &ReadOptions::default()).expect("what a puzzle writes it can read");
        match task.solvability() {
            Solvability::Solvable => return Ok(text),
            Solvability::Unsolvable => continue,
            Solvability::Unknown => {}
        }
        // Any solution will do, and greedy search finds one soonest.
        let limits = Limits { expanded: Some(EXPANSIONS), ..Limits::default() };
        let plan = Plan { algorithm: Some("greedy".into()), limits, ..Plan::default() };
        let answer = task.solve(&plan, observer, None).expect("the puzzle's own advice can be followed");
        match answer.outcome {
            AnswerOutcome::Solved(_) => return Ok(text),
            AnswerOutcome::Stopped { why: Stop::Interrupted, .. } => return Err(GenerateFailure::Interrupted),
            _ => {}
        }
    }
    Err(GenerateFailure::Luckless(TRIES))
}

/// What a difficult instance is made with.
#[derive(Debug, Clone)]
pub struct HardPlan {
    /// How hard it should be.
    pub difficulty: Difficulty,
    /// Leads to the same instance every time.
    pub seed: u64,
    /// The metric.
    pub reading: ReadOptions,
    /// How many threads share the work.
    pub threads: usize,
    /// What it may take.
    pub most_bytes: Option<u64>,
    /// Where atlases are looked for.
    pub atlases: Option<Store>,
}

/// An instance that is as hard as is wanted.
///
/// # Errors
/// If there is no such instance, or none is as hard as that.
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
            Ok(Picked::Found(found)) => return Ok(found),
            Ok(Picked::TooLarge(error)) => return Err(GenerateFailure::TooLarge(error)),
            // Without a file there is no such space: a random instance is as good.
            Ok(Picked::Nothing) | Err(ExploreError::Scope(_)) => {}
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
            Ok(Picked::Found(found)) => return Ok(found),
            Ok(Picked::Nothing) => continue,
            Ok(Picked::TooLarge(error)) if plan.difficulty == Difficulty::Hardest => {
                return Err(GenerateFailure::TooLarge(error));
            }
            Ok(Picked::TooLarge(_)) => {}
            Err(error) => return Err(failure(error)),
        }
        // Too many states to look at: a shortest solution of an instance that is hard enough holds easier ones.
        if let Some(walk) = walk.filter(|name| parameters.get(name).is_none()) {
            parameters.set(walk, Setting::Count(plan.difficulty.least() as usize));
            continue;
        }
        let limits = Limits { expanded: Some(EXPANSIONS), bytes: plan.most_bytes, time: None };
        let solve = Plan { limits, atlases: plan.atlases.clone(), ..Plan::default() };
        match task.cut(plan.difficulty, &solve, &mut random, observer) {
            Cut::Found(found) => return Ok(found),
            Cut::TooEasy => {}
            Cut::Undecided(found) => undecided.push(found),
            Cut::Interrupted => return Err(GenerateFailure::Interrupted),
        }
        if undecided.len() as u32 == MOST_UNDECIDED {
            break;
        }
        if let Some(walk) = walk {
            // Walks lead back now and then: the longer the walk, the farther it ends, but not by as much.
            let least = plan.difficulty.least();
            parameters.set(walk, Setting::Count((least + least / 10 * attempt + attempt) as usize));
        }
    }
    // What is known most exactly.
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
