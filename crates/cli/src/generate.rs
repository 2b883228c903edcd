//! `admissible generate`.

use std::io::{self, Write as _};
use std::num::NonZeroU64;
use std::time::{SystemTime, UNIX_EPOCH};

use admissible_front::{
    Difficulty, Entry, GenerateFailure, Generated, HardPlan, Parameters, Purpose, ReadOptions, Registry, Stop,
    generate, generate_hard,
};

use crate::args::{GenerateArguments, atlases, free_memory, table_cache, threads};
use crate::ending::{GRACE, force_end_after, incomplete, print_to_the_end};
use crate::progress::{Progress, WorkBar};
use crate::{Exit, Failure, tell};

const NONE: &str = "no instance was generated";

pub(crate) fn run(arguments: &GenerateArguments, puzzles: Registry) -> Result<Exit, Failure> {
    let seed = arguments.seed.unwrap_or_else(|| {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64) % 1_000_000
    });
    let puzzle = puzzles.entry(&arguments.puzzle).map_err(Failure::new)?;
    let parameters = arguments.parameters.read(puzzle.card(), Purpose::Generate).map_err(Failure::new)?;
    let difficulty = arguments.difficulty.or(arguments.hardest.then_some(Difficulty::Hardest));
    force_end_after(GRACE, |why| incomplete(NONE, why));
    let instance = match difficulty {
        Some(difficulty) => hard(puzzle, &parameters, arguments, difficulty, seed)
            .map(|generated| (generated.text.clone(), Some(generated))),
        None if arguments.metric.is_some() => {
            return Err(Failure::new("--metric: there is nothing to count without --difficulty or --hardest"));
        }
        None => {
            let mut progress = Progress::new();
            generate(puzzle, &parameters, seed, &mut progress).map(|text| (text, None))
        }
    };
    print_to_the_end();
    match instance {
        Ok((text, known)) => {
            if let Some(known) = known {
                tell(format_args!("note: {}", in_words(&known)));
            }
            if arguments.seed.is_none() {
                tell(format_args!("note: --seed {seed} gives this instance again"));
            }
            io::stdout().lock().write_all(text.as_bytes())?;
            Ok(Exit::Answered)
        }
        Err(GenerateFailure::Interrupted) => Ok(incomplete(NONE, Stop::Interrupted)),
        Err(
            failure @ (GenerateFailure::NoneSolvable(_) | GenerateFailure::TooEasy(_) | GenerateFailure::TooLarge(_)),
        ) => {
            tell(failure);
            Ok(Exit::Stopped)
        }
        Err(failure) => Err(Failure::new(failure)),
    }
}

fn hard(
    puzzle: &dyn Entry,
    parameters: &Parameters,
    arguments: &GenerateArguments,
    difficulty: Difficulty,
    seed: u64,
) -> Result<Generated, GenerateFailure> {
    let plan = HardPlan {
        difficulty,
        seed,
        reading: ReadOptions { metric: arguments.metric.clone(), table_cache: table_cache(), ..ReadOptions::default() },
        threads: threads(None),
        most_bytes: arguments.memory_limit.map(NonZeroU64::get).or_else(free_memory),
        atlases: atlases(),
    };
    let mut progress = Progress::new();
    let exploring = WorkBar::announcing(None);
    let generated = generate_hard(puzzle, parameters, &plan, &mut progress, &exploring);
    exploring.clear();
    generated
}

fn in_words(known: &Generated) -> String {
    let Generated { least, most, unit, .. } = known;
    if least == most {
        let plural = if *least == 1 { "" } else { "s" };
        format!("its shortest solution has {least} {unit}{plural}")
    } else {
        format!("no search could tell how long its shortest solution is: between {least} and {most} {unit}s")
    }
}
