//! The command line. Names of puzzles, algorithms and bench sets come from the registry, so the help is complete.

mod experiments;
mod parameters;
mod search;
mod solve;
mod values;

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use admissible_front::counting::LITERATURE;
use admissible_front::{Difficulty, ReadOptions, Store, TableCache};
use clap::{Args, Parser, Subcommand};

use crate::Failure;
pub(crate) use experiments::{CompareArguments, ReproduceArguments, SweepArguments};
pub(crate) use parameters::{ParameterArguments, parameter_names, with_parameters};
pub(crate) use search::{LimitArguments, SearchArguments, TuningArguments, free_memory, threads};
pub(crate) use solve::{CheckpointArguments, ResumeArguments, SolveArguments};
use values::parse_difficulty;
pub(crate) use values::{
    Color, CompareFormat, Format, PivotArgument, PlainFormat, SweepFormat, TableFormat, parse_size, parse_time,
};

/// Optimal heuristic search: solve puzzles with provably shortest solutions
#[derive(Debug, Parser)]
#[command(name = "admissible", version, after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Colours: when standard output is a terminal, always, or never (NO_COLOR is respected)
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "Examples:
  admissible solve maze.txt                      a shortest solution
  admissible solve maze.txt --format course      what the course asks for
  admissible solve - --heuristic manhattan       from standard input
  admissible compare maze.txt --heuristics all   how much each heuristic saves
  admissible list tiles                          heuristics and options of the tiles puzzle
  admissible generate die --size 20x30 --seed 7  a random solvable maze
  admissible verify maze.txt solution.txt        is it legal, is it shortest?
  admissible explain maze.txt                    which rule of each heuristic applies, and how good is it?
  admissible audit die                           are its heuristics what they claim?
  admissible solve hard.txt --checkpoint night   stop at any time, then: admissible resume night

Exit codes: 0 answered; 1 proved unsolvable, or a claim refuted; 2 bad input or usage; \
3 stopped at a limit; 130 interrupted.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find a shortest solution of the puzzle in a file
    Solve(Box<SolveArguments>),
    /// Resume a solve, an exploration or a build from its checkpoint
    Resume(ResumeArguments),
    /// List the puzzles, their heuristics with their properties, and the algorithms
    List(ListArguments),
    /// Write a random solvable instance of a puzzle
    Generate(GenerateArguments),
    /// Run every combination of heuristics and algorithms on some files
    Compare(Box<CompareArguments>),
    /// Run heuristics on random instances over a range of parameters: how does the work grow?
    Sweep(Box<SweepArguments>),
    /// Reproduce published tables, cell by cell, under the counting rule of each
    Reproduce(ReproduceArguments),
    /// Explain every heuristic on a board: the rule that applies, its parts, the true distance, and which claims hold
    Explain(Box<crate::explain::ExplainArguments>),
    /// Replay a solution: is every action legal, and is it shortest?
    Verify(VerifyArguments),
    /// Check whether heuristics are admissible and consistent, on every state or on a sample
    Audit(crate::audit::AuditArguments),
    /// Build, list, check and remove pattern databases
    #[command(subcommand, after_help = crate::pdb::AFTER_HELP)]
    Pdb(crate::pdb::Action),
    /// Explore a whole space: states at each depth, the farthest states; optionally save an atlas
    Explore(Box<crate::explore::ExploreArguments>),
    /// Solve a set of instances with known optimal lengths, and measure the time
    Bench(Box<crate::bench::BenchArguments>),
    /// Plan a search over several machines
    #[command(subcommand)]
    Cluster(crate::cluster::ClusterCommand),
    /// Open a page in the browser: play, solve, watch a search, compare and audit heuristics
    Serve(crate::serve::ServeArguments),
    /// Print a completion script for your shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the program or of one of its commands (try: admissible man solve | man -l -)
    Man {
        /// The command
        command: Option<String>,
    },
}

impl Command {
    /// The time limit of the whole command, if it has one. Commands of many searches have a limit for each.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        match self {
            Command::Solve(arguments) => arguments.search.tuning.limits.time_limit,
            Command::Verify(arguments) => arguments.limits.time_limit,
            Command::Explain(arguments) => arguments.limits.time_limit,
            Command::Generate(arguments) => arguments.time_limit,
            Command::Audit(arguments) => arguments.time_limit,
            Command::Explore(arguments) => arguments.time_limit,
            _ => None,
        }
    }
}

/// Which file, and how to read it.
#[derive(Debug, Args)]
pub(crate) struct InputArguments {
    /// The puzzle, - for standard input, or a layout by name such as klotski:heng-dao-li-ma
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) reading: ReadArguments,
}

/// How to read a file.
#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// The kind of puzzle
    #[arg(long, value_name = "PUZZLE")]
    pub(crate) puzzle: Option<String>,
    /// The goal, for puzzles with several (tiles: blank-last, the default, or blank-first)
    #[arg(long)]
    pub(crate) goal: Option<String>,
    /// The order in which moves are tried (names: admissible list PUZZLE)
    #[arg(long, value_name = "M1,M2,...")]
    pub(crate) move_order: Option<String>,
    /// How to count the cost of a solution
    #[arg(long)]
    pub(crate) metric: Option<String>,
}

impl ReadArguments {
    /// Refuses an order of moves beside the counting rule of a report, which has its own.
    pub(crate) fn check_order(&self, counting: Option<&str>) -> Result<(), Failure> {
        match counting.filter(|name| *name != LITERATURE && self.move_order.is_some()) {
            Some(name) => Err(Failure::new(format!(
                "--counting: {name} includes the search of its report, which tries moves in its own order: leave out \
                 --move-order (or count by {LITERATURE})"
            ))),
            None => Ok(()),
        }
    }

    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            goal: self.goal.clone(),
            move_order: self.move_order.clone(),
            metric: self.metric.clone(),
            table_cache: table_cache(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// The kind of puzzle
    pub(crate) puzzle: Option<String>,
    /// A heuristic of the puzzle: print its exact rules
    pub(crate) heuristic: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(crate) format: PlainFormat,
}

const GENERATE_HELP: &str = "\
Without --difficulty or --hardest, writes any solvable instance. With them, the length of a shortest solution is \
known: small spaces are explored; in others, instances are solved, from an atlas if there is one. If no search \
can decide the length, the proved range is printed on standard error.

Examples:
  admissible generate tiles --size 4x4 --difficulty 40
  admissible generate die --size 20x20 --difficulty 30..35
  admissible generate klotski --difficulty 80 --metric moves
  admissible generate klotski --hardest

Exit codes: 0 written; 2 bad input; 3 none found within the limits, or the space does not fit into memory; \
130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = GENERATE_HELP)]
pub(crate) struct GenerateArguments {
    /// The kind of puzzle
    pub(crate) puzzle: String,
    /// The same seed gives the same instance [default: a new one each time, printed on standard error]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) parameters: ParameterArguments,
    /// The length of a shortest solution, or a range: 25, 20..30
    #[arg(long, value_name = "N|A..B", value_parser = parse_difficulty)]
    pub(crate) difficulty: Option<Difficulty>,
    /// The instance with the longest shortest solution of all (tiles: of 3x3 unless --size is given)
    #[arg(long, conflicts_with = "difficulty")]
    pub(crate) hardest: bool,
    /// How to count the difficulty
    #[arg(long)]
    pub(crate) metric: Option<String>,
    /// Use at most this much memory: 500M, 4G [default: the free memory of the machine]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_limit: Option<NonZeroU64>,
    /// Stop after this time: 30s, 5m
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time_limit: Option<Duration>,
}

const VERIFY_HELP: &str = "\
A certificate (solve --certificate) has a solution and a set of states that proves that none is \
shorter. The check needs no search: it replays the solution; then it computes the moves and estimates \
of each state of the set anew, and every successor that might lead to a shorter solution has to be in \
the set. A certificate may be larger than memory: what does not fit into --memory-limit is sorted on \
disk, beside the certificate.

Examples:
  admissible verify maze.txt solution.txt             is it legal, is it shortest?
  admissible verify board.txt moves.txt --at-most 300 and has it at most 300 actions?
  admissible verify --certificate board.cert          does it prove its claim?
  admissible verify --certificate board.cert board.txt    and is it about this board?

Exit codes: 0 legal, or a certificate that holds; 1 wrong, or a certificate that proves nothing; \
2 bad input, or a certificate that is damaged or of another board; 3 not decided within a limit; \
130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub(crate) struct VerifyArguments {
    /// The puzzle, - for standard input, or a layout by name such as klotski:heng-dao-li-ma
    #[arg(required_unless_present = "certificate")]
    pub(crate) file: Option<String>,
    /// The solution: in the course's format, or JSON from solve; - for standard input
    #[arg(required_unless_present = "certificate", conflicts_with = "certificate")]
    pub(crate) solution: Option<String>,
    #[command(flatten)]
    pub(crate) reading: ReadArguments,
    /// Reject a solution of more than this many actions
    #[arg(long, value_name = "N", conflicts_with = "certificate")]
    pub(crate) at_most: Option<u32>,
    /// Check a certificate instead; if FILE is given, it has to be of that puzzle
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(crate) format: PlainFormat,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// The user's folder for atlases.
pub(crate) fn atlases() -> Option<Store> {
    Store::of_user().map(|store| store.atlases())
}

/// The user's folder for tables.
pub(crate) fn table_cache() -> Option<Arc<dyn TableCache>> {
    Store::of_user().map(|store| Arc::new(store.complaining(complain)) as Arc<dyn TableCache>)
}

/// Says that a table cannot be used.
pub(crate) fn complain(message: &str) {
    crate::tell(format_args!("note: {message}"));
}
