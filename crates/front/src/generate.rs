//! Random instances that are solvable.

use std::fmt;

use admissible::search::{Limits, Observer};
use admissible_domains::{ReadOptions, Recipe};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::answer::AnswerOutcome;
use crate::error::OpenError;
use crate::registry::entry;
use crate::task::{Plan, Solvability};

/// Why there is no instance.
#[derive(Debug)]
#[non_exhaustive]
pub enum GenerateFailure {
    /// There is no such puzzle.
    Puzzle(OpenError),
    /// The recipe asks for what does not exist.
    Recipe(String),
    /// No solvable instance was found in so many tries.
    Luckless(u32),
    /// Somebody stopped it.
    Interrupted,
}

impl fmt::Display for GenerateFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateFailure::Puzzle(error) => error.fmt(f),
            GenerateFailure::Recipe(why) => f.write_str(why),
            GenerateFailure::Luckless(tries) => {
                write!(f, "none of {tries} random instances is solvable: ask for fewer obstacles")
            }
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

/// A random solvable instance of a puzzle: the first solvable one of those that the seed leads to.
///
/// # Errors
/// If the recipe cannot be followed.
pub fn generate(
    puzzle: &str,
    recipe: &Recipe,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<String, GenerateFailure> {
    let entry = entry(puzzle).map_err(GenerateFailure::Puzzle)?;
    let understood = entry.card().recipe;
    if let Some(unknown) = recipe.given().into_iter().find(|name| !understood.contains(name)) {
        let known: Vec<String> = understood.iter().map(|name| format!("--{name}")).collect();
        let message = format!("--{unknown}: {puzzle} has no use for it, only for {}", known.join(", "));
        return Err(GenerateFailure::Recipe(message));
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..TRIES {
        let text = entry.generate(recipe, &mut random).map_err(|error| GenerateFailure::Recipe(error.0))?;
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
            AnswerOutcome::Stopped { why: admissible::search::Stop::Interrupted, .. } => {
                return Err(GenerateFailure::Interrupted);
            }
            _ => {}
        }
    }
    Err(GenerateFailure::Luckless(TRIES))
}
