//! `admissible generate`.

use std::io::{self, Write as _};
use std::time::{SystemTime, UNIX_EPOCH};

use admissible_front::{GenerateFailure, generate};

use crate::args::GenerateArguments;
use crate::progress::Progress;
use crate::{Exit, Failure, tell};

pub(crate) fn run(arguments: &GenerateArguments) -> Result<Exit, Failure> {
    let seed = arguments.seed.unwrap_or_else(|| {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64) % 1_000_000
    });
    let mut progress = Progress::new();
    let instance = generate(&arguments.puzzle, &arguments.recipe.recipe(), seed, &mut progress);
    progress.clear();
    match instance {
        Ok(text) => {
            if arguments.seed.is_none() {
                tell(format_args!("note: --seed {seed} gives this instance again"));
            }
            io::stdout().lock().write_all(text.as_bytes())?;
            Ok(Exit::Answered)
        }
        Err(GenerateFailure::Interrupted) => Ok(Exit::Interrupted),
        Err(failure @ GenerateFailure::Luckless(_)) => {
            tell(failure);
            Ok(Exit::Stopped)
        }
        Err(failure) => Err(Failure::new(failure)),
    }
}
