//! The arguments of `solve` and `resume`.

use std::path::PathBuf;
use std::time::Duration;

use admissible_front::Drawing;
use clap::Args;

use super::values::{Format, parse_time};
use super::{InputArguments, LimitArguments, SearchArguments};

const SOLVE_AFTER_HELP: &str = "\
A heuristic can be an expression over the puzzle's heuristics and features (admissible list PUZZLE):
  numbers, + - * /, min(...), max(...), abs(...), floor(...), ceil(...),
  comparisons < <= > >= == !=, joined with and, or, not,
  if CONDITION then VALUE else VALUE
A value below 0 counts as 0, a division by 0 as a dead end. Whether an expression is admissible is not \
known, so a solution found with it is not called optimal: admissible audit checks the expression.

Examples:
  admissible solve board.txt --heuristic 'manhattan + 2*conflicts'
  admissible solve klotski.txt --heuristic 'max(manhattan, blockers - 1)'
  admissible solve maze.txt --heuristic 'if one_up == 1 and dx > 0 and dy > 0 then m + 4 else m'
  admissible solve board.txt --certificate board.cert    with a proof that others can check";

#[derive(Debug, Args)]
#[command(after_help = SOLVE_AFTER_HELP)]
pub(crate) struct SolveArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    /// The most that a solution may cost. If a shortest one costs more, the answer is that there is none within the
    /// limit, proved (exit code 1); the search stops once its lower bound passes N
    #[arg(long, value_name = "N", conflicts_with = "certificate")]
    pub(crate) move_limit: Option<u32>,
    /// Search a board to the end even if the puzzle knows that it has no solution (tiles: by parity)
    #[arg(long, conflicts_with = "certificate")]
    pub(crate) no_parity: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Draw the board after every step
    #[arg(long)]
    pub(crate) boards: bool,
    /// Write the visited states in order: JSON lines (FILE.jsonl) or a Posthoc trace (FILE.yaml)
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Write a proof that no solution is shorter, or that none exists, for: admissible verify --certificate FILE
    #[arg(long, value_name = "FILE", conflicts_with_all = ["trace", "checkpoint"])]
    pub(crate) certificate: Option<PathBuf>,
    /// The most states in a trace
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "trace")]
    pub(crate) trace_limit: u64,
    #[command(flatten)]
    pub(crate) cluster: crate::cluster::ClusterArguments,
    #[command(flatten)]
    pub(crate) checkpoint: CheckpointArguments,
}

impl SolveArguments {
    /// The states to draw.
    pub(crate) fn drawing(&self) -> Drawing {
        match self.format {
            Format::Text if self.boards => Drawing::EveryStep,
            Format::Text => Drawing::Ends,
            _ => Drawing::Nothing,
        }
    }
}

/// Whether, where and how often to write checkpoints.
#[derive(Debug, Args)]
pub(crate) struct CheckpointArguments {
    /// Write a checkpoint every minute and when stopped: admissible resume FILE then continues from it, with the same
    /// answer and the same counts. The file is removed once there is an answer
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Time between two checkpoints: 10s, 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s", requires = "checkpoint")]
    pub(crate) checkpoint_every: Duration,
}

const RESUME_HELP: &str = "\
The checkpoint holds the board and the options of the command that wrote it. The answer, the counts and the \
output are those of a run that was never stopped. Limits count from the beginning of the first run; the limit that \
stopped it is dropped unless given again. Further checkpoints go to the same file. With several processes each has \
its own: FILE for the first, FILE.1 for the next; the first starts those again that it had started.

A checkpoint holds no names of output files and no addresses: give --report and --hosts again. Its checksums detect \
damage, not intent: an answer is only as trustworthy as the people who can write the file.

Examples:
  admissible solve hard.txt --checkpoint night      Ctrl-C, a power cut, or kill -9 ...
  admissible resume night                           ... and it continues
  admissible solve hard.txt --checkpoint night --time-limit 8h
  admissible resume night --time-limit 16h          eight hours more

Exit codes: those of the resumed command; 2 if the file is not a checkpoint, or damaged.";

#[derive(Debug, Args)]
#[command(after_help = RESUME_HELP)]
pub(crate) struct ResumeArguments {
    /// The checkpoint
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// explore: write the page and the figures into this folder (not kept in the checkpoint)
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// The hosts of a run over several machines (not kept in the checkpoint)
    #[arg(long, value_name = "FILE")]
    pub(crate) hosts: Option<PathBuf>,
    /// The addresses of all processes, for a process that another one started
    #[arg(long, value_name = "LIST", hide = true)]
    pub(crate) peers: Option<String>,
}
