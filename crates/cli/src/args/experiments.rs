//! The arguments of `compare`, `sweep` and `reproduce`.

use std::path::PathBuf;

use admissible_front::{ALGORITHMS, AlgorithmCard};
use admissible_lab::select::{Heuristics, read_algorithms};
use clap::Args;

use super::search::algorithm_names;
use super::values::{CompareFormat, PivotArgument, SweepFormat, TableFormat};
use super::{ParameterArguments, ReadArguments, TuningArguments};

#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct CompareArguments {
    /// The puzzles; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: ReadArguments,
    #[command(flatten)]
    pub(crate) compared: ComparedArguments,
    #[command(flatten)]
    pub(crate) tuning: TuningArguments,
    /// Write a page with charts, and the figures as CSV, JSON and Markdown, into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// Print the table of a report, generated and visited side by side: a column for each puzzle or each heuristic
    #[arg(long, value_enum, value_name = "COLUMNS")]
    pub(crate) pivot: Option<PivotArgument>,
    /// What to print
    #[arg(long, value_enum, default_value_t = CompareFormat::Text)]
    pub(crate) format: CompareFormat,
}

const COMPARE_HELP: &str = "\
Every algorithm runs with every heuristic of --heuristics, by default all of the puzzle; an algorithm that \
uses none runs once. A combination that reaches a limit is reported, and the rest go on; without \
--time-limit each has 60 s. An answer that is not optimal, or not proved to be, is marked.

  generated  successors produced          visited   expanded states and the goal
  reopened   closed, reached more cheaply frontier  the largest open list
  b*         effective branching factor: generated = b* + b*^2 + ... + b*^cost
  h(start)   the estimate of the start    error     (h* - h) / h* there, h* being the optimal cost
  max b      the most successors of an expanded state, with the published bound if there is one;
             - for algorithms that do not keep their expanded states

Examples:
  admissible compare maze.txt                                 A* with every heuristic
  admissible compare p*.txt --heuristics manhattan,open-board
  admissible compare board.txt --algorithms astar,idastar,bfs --time-limit 10s
  admissible compare p*.txt --pivot puzzle --format latex     the table of a report
  admissible compare p*.txt --report report                   a page with charts: report/index.html

Exit codes: 0 every combination ended with an answer (solved or proved unsolvable); 2 bad input, and \
nothing ran; 3 some stopped at a limit; 130 interrupted.";

/// The heuristics and algorithms to compare.
#[derive(Debug, Args)]
pub(crate) struct ComparedArguments {
    /// The heuristics, separated by commas, or all (names: admissible list PUZZLE)
    #[arg(long, short = 'H', value_name = "H1,H2,...", value_parser = Heuristics::read)]
    pub(crate) heuristics: Option<Heuristics>,
    /// The algorithms, separated by commas [default: astar]
    #[arg(long, short, value_name = "A1,A2,...", value_parser = parse_algorithms, help = algorithms_help())]
    pub(crate) algorithms: Option<Algorithms>,
}

/// A list of algorithms.
#[derive(Debug, Clone)]
pub(crate) struct Algorithms(pub(crate) Vec<&'static AlgorithmCard>);

fn parse_algorithms(text: &str) -> Result<Algorithms, String> {
    read_algorithms(text).map(Algorithms)
}

impl ComparedArguments {
    /// The options given that all of the algorithms ignore.
    pub(crate) fn unused(&self, tuning: &TuningArguments) -> Vec<&'static str> {
        let algorithms = self.algorithms();
        let unused = |option: &&str| algorithms.iter().all(|card| tuning.unused_by(card.name).contains(option));
        ["--weight", "--depth-limit", "--tie-break"].into_iter().filter(unused).collect()
    }

    pub(crate) fn algorithms(&self) -> Vec<&'static AlgorithmCard> {
        let named = self.algorithms.as_ref().map(|algorithms| algorithms.0.clone());
        named.unwrap_or_else(|| ALGORITHMS.iter().filter(|card| card.name == "astar").collect())
    }
}

#[derive(Debug, Args)]
#[command(after_help = REPRODUCE_HELP)]
pub(crate) struct ReproduceArguments {
    /// Only this table
    #[arg(help = tables_help())]
    pub(crate) table: Option<String>,
    /// Count by this rule (names: admissible list PUZZLE) [default: the rule of each table's report]
    #[arg(long, value_name = "RULE")]
    pub(crate) counting: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(crate) format: TableFormat,
}

const REPRODUCE_HELP: &str = "\
Each cell shows generated/visited as published and as counted here under the same rule: = if they \
agree, else our counts. The band is the range of states that any correct A* visits with a consistent \
heuristic: at least those with g + h below the optimal cost, at most those with g + h up to it, and \
the goal. Only tie-breaking decides within the band.

Examples:
  admissible reproduce                          every table
  admissible reproduce first --format markdown  one, to paste into a report";

#[derive(Debug, Args)]
#[command(after_help = SWEEP_HELP)]
pub(crate) struct SweepArguments {
    /// The kind of puzzle
    pub(crate) puzzle: String,
    /// Which parameter of the puzzle to vary; twice for a grid. A range is FIRST..LAST, FIRST..LAST/STEP, or a list
    #[arg(long, value_name = "NAME=RANGE", required = true)]
    pub(crate) vary: Vec<String>,
    /// Random instances for each value
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) samples: u32,
    /// The same seed gives the same instances
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) compared: ComparedArguments,
    #[command(flatten)]
    pub(crate) parameters: ParameterArguments,
    #[command(flatten)]
    pub(crate) tuning: TuningArguments,
    /// Write a page with charts and the figures as CSV, JSON and Markdown into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = SweepFormat::Text)]
    pub(crate) format: SweepFormat,
}

const SWEEP_HELP: &str = "\
Every heuristic gets the same random solvable instances; without --heuristics, all admissible ones but \
zero. Figures are medians (quartiles) over the instances. A run stopped at a limit (10 s without \
--time-limit) counts with its figures so far, as a lower bound: >= marks figures that depend on one.

  branching       successors for each expanded state
  b*              effective branching factor: generated = b* + b*^2 + ... + b*^depth
  relative error  (h* - h) / h* at the start, where h* is the true distance
  largest branching  most successors of an expanded state, beside the published bound if there is one
  predicted       b^(d (h* - h) / h*) with the branching b and the depth d, beside what was expanded

Examples:
  admissible sweep chexers --vary pieces=1..4
  admissible sweep chexers --vary clustering=0..100/25 --blocks 10
  admissible sweep die --vary size=5..40/5 --vary density=0,0.2,0.4 --report sweep
  admissible sweep tiles --vary scramble=10..50/10 --size 4x4 --heuristics manhattan,linear-conflict
  admissible sweep klotski --vary empties=2..6 --samples 50 --seed 7 --format csv

Exit codes: 0 every run ended with an answer; 2 bad input, and nothing ran; 3 some stopped at a limit; \
130 interrupted.";

fn algorithms_help() -> String {
    format!("The algorithms, separated by commas: {} [default: astar]", algorithm_names())
}

fn tables_help() -> String {
    let names: Vec<String> = admissible_lab::reproduce::tables().into_iter().map(|table| table.name).collect();
    format!("Only this table: {} [default: all]", names.join(", "))
}
