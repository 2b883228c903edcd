//! What can be typed. Names of puzzles, algorithms and heuristics come from the registry, so the help knows them all.

mod parameters;
mod values;

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use admissible_front::{ALGORITHMS, AlgorithmCard, Difficulty, Limits, Plan, ReadOptions, Store, TableCache, Weight};
use admissible_lab::select::{Heuristics, read_algorithms};
use clap::{Args, Parser, Subcommand};

use crate::machine;
pub(crate) use parameters::{ParameterArguments, parameter_names, with_parameters};
pub(crate) use values::{Color, Format, PlainFormat, SweepFormat, TableFormat, Tie, parse_size, parse_time};
use values::{parse_count, parse_difficulty, parse_weight};

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
  admissible compare maze.txt --heuristics all   which heuristic saves how much
  admissible list tiles                          what the tiles puzzle knows
  admissible generate die --size 20x30 --seed 7  a random solvable maze
  admissible verify maze.txt solution.txt        is it legal, is it shortest?
  admissible audit die                           are its heuristics what they claim?
  admissible solve hard.txt --checkpoint night   stop at any time, then: admissible resume night

Exit codes: 0 answered; 1 proved unsolvable, or a claim refuted; 2 bad input or usage; \
3 stopped at a limit; 130 interrupted.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find a shortest solution of the puzzle in a file
    Solve(Box<SolveArguments>),
    /// Go on with a solve, an exploration or a build where its checkpoint stands
    Resume(ResumeArguments),
    /// List the puzzles, their heuristics and what is true of them, and the algorithms
    List(ListArguments),
    /// Write a random solvable instance of a puzzle
    Generate(GenerateArguments),
    /// Run every combination of heuristics and algorithms on some files
    Compare(Box<CompareArguments>),
    /// Run heuristics on random instances over a range of parameters: how does the work grow?
    Sweep(Box<SweepArguments>),
    /// Count published tables again, cell by cell, under the rule by which each was counted
    Reproduce(ReproduceArguments),
    /// Replay a solution: is every action legal, and is it shortest?
    Verify(VerifyArguments),
    /// Check what is claimed of heuristics: by every state, or by a sample
    Audit(crate::audit::AuditArguments),
    /// Build, list, check and remove the pattern databases of the tiles puzzle
    Pdb(crate::pdb::PdbArguments),
    /// Explore a whole space: how many states at each depth, which are the farthest; keep an atlas
    Explore(Box<crate::explore::ExploreArguments>),
    /// Solve a set of instances with known lengths, and say how long it took
    Bench(Box<crate::bench::BenchArguments>),
    /// Searches over several machines: what would one take?
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

const SOLVE_AFTER_HELP: &str = "\
A heuristic can be an expression over the puzzle's heuristics and features (admissible list PUZZLE):
  numbers, + - * /, min(...), max(...), abs(...), floor(...), ceil(...),
  comparisons < <= > >= == !=, joined with and, or, not,
  if CONDITION then VALUE else VALUE
What is below 0 counts as 0, what is divided by 0 as a dead end. Nothing is known of an expression, \
so a solution is not said to be optimal because of one: admissible audit checks it.

Examples:
  admissible solve board.txt --heuristic 'manhattan + 2*conflicts'
  admissible solve klotski.txt --heuristic 'max(manhattan, blockers - 1)'
  admissible solve maze.txt --heuristic 'if one_up == 1 and dx > 0 and dy > 0 then m + 4 else m'
  admissible solve board.txt --certificate board.cert    and whoever doubts it can check";

#[derive(Debug, Args)]
#[command(after_help = SOLVE_AFTER_HELP)]
pub(crate) struct SolveArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Draw the board after every step
    #[arg(long)]
    pub(crate) boards: bool,
    /// Write the visited states in order: JSON lines (FILE.jsonl) or a Posthoc trace (FILE.yaml)
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Write a proof that no solution is shorter, or that there is none, for: admissible verify --certificate FILE
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

/// Whether and where to write down how far the work is.
#[derive(Debug, Args)]
pub(crate) struct CheckpointArguments {
    /// Write down every minute, and when it is stopped, how far it is: admissible resume FILE then goes on from there,
    /// with the same answer and the same counts. The file is removed once there is an answer
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often a checkpoint is written: 10s, 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s", requires = "checkpoint")]
    pub(crate) checkpoint_every: Duration,
}

const RESUME_HELP: &str = "\
The checkpoint has the board and the options of the command that wrote it, and the answer, the counts and the \
output are those of a run that was never stopped. Limits count from the beginning of the first run; one that \
has stopped it is not kept unless it is given anew. Further checkpoints go to the same file. Of several processes \
each has its own: FILE of the first, FILE.1 of the next; processes that the first has started it starts again.

A checkpoint names no file to write and no address: --report and --hosts are given again. Its checksums detect \
damage, not intent: an answer is only as trustworthy as the people who can write the file.

Examples:
  admissible solve hard.txt --checkpoint night      Ctrl-C, a power cut, or kill -9 ...
  admissible resume night                           ... and on it goes
  admissible solve hard.txt --checkpoint night --time-limit 8h
  admissible resume night --time-limit 16h          eight hours more

Exit codes: those of the command that goes on; 2 if the file is no checkpoint, or damaged.";

#[derive(Debug, Args)]
#[command(after_help = RESUME_HELP)]
pub(crate) struct ResumeArguments {
    /// The checkpoint
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// explore: write the page and the figures into this folder; a checkpoint does not name it
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// The hosts of work by several machines; a checkpoint does not name them
    #[arg(long, value_name = "FILE")]
    pub(crate) hosts: Option<PathBuf>,
    /// The addresses of a process that was started by another one
    #[arg(long, value_name = "LIST", hide = true)]
    pub(crate) peers: Option<String>,
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
    /// The kind of puzzle, where the file does not tell
    /// The kind of puzzle
    #[arg(long, value_name = "PUZZLE")]
    pub(crate) puzzle: Option<String>,
    /// tiles: where the gap is in the goal, blank-first or blank-last [default: blank-last]
    #[arg(long)]
    pub(crate) goal: Option<String>,
    /// The order in which moves are tried (words: admissible list PUZZLE)
    #[arg(long, value_name = "M1,M2,...")]
    pub(crate) move_order: Option<String>,
    /// klotski: what to count, steps of one cell or moves of one piece any number of cells [default: steps]
    #[arg(long)]
    pub(crate) metric: Option<String>,
}

impl ReadArguments {
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
pub(crate) struct SearchArguments {
    /// The algorithm [default: what suits the instance]
    #[arg(long, short, value_name = "ALGORITHM", help = algorithm_help())]
    pub(crate) algorithm: Option<String>,
    /// The heuristic, or an expression (names: admissible list PUZZLE) [default: the strongest admissible one]
    #[arg(long, short = 'H', allow_hyphen_values = true, value_name = "HEURISTIC")]
    pub(crate) heuristic: Option<String>,
    /// How many threads share the work of hdastar, idastar and idastar-pruned. The answer is the same, the counts of
    /// the last layer or iteration are not [default: one for each core where the algorithm is hdastar or left open and
    /// the work is long; one with --algorithm, --node-limit, --checkpoint or --trace, so that counts can be repeated]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) tuning: TuningArguments,
}

/// How to search, whatever the algorithm and the heuristic.
#[derive(Debug, Args)]
pub(crate) struct TuningArguments {
    /// wastar: how many times too long a solution may be [default: 1.5]
    #[arg(long, allow_hyphen_values = true, value_name = "W", value_parser = parse_weight)]
    pub(crate) weight: Option<Weight>,
    /// dfs: how deep to go
    #[arg(long, value_name = "N")]
    pub(crate) depth_limit: Option<u32>,
    /// Which of equally promising states comes first [default: low-h]
    #[arg(long, value_enum)]
    pub(crate) tie_break: Option<Tie>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct LimitArguments {
    /// Stop after this time: 500ms, 30s, 5m, 2h
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time_limit: Option<Duration>,
    /// Take no more memory than this: 500M, 4G. A* and its like then hand over to idastar, which needs none, with what
    /// they have proved; others stop [default: what the machine has free]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_limit: Option<NonZeroU64>,
    /// Stop after expanding this many states: 1000000, 20M
    #[arg(long, allow_hyphen_values = true, value_name = "N", value_parser = parse_count)]
    pub(crate) node_limit: Option<u64>,
}

impl LimitArguments {
    /// The limits for a search that begins now. What the program holds already, beyond what any program does, is taken
    /// off: it counts, too.
    pub(crate) fn limits(&self) -> Limits {
        let bytes = self.memory_limit.map(|limit| {
            let held = machine::resident().unwrap_or(0).saturating_sub(ALLOWANCE);
            limit.get().saturating_sub(held)
        });
        let bytes = bytes.or_else(free_memory);
        Limits { expanded: self.node_limit, bytes, time: self.time_limit }
    }
}

impl TuningArguments {
    /// The options that were given and that an algorithm does not listen to.
    pub(crate) fn unused_by(&self, algorithm: &str) -> Vec<&'static str> {
        let ordered = ["astar", "astar-no-reopen", "ucs", "wastar", "greedy"].contains(&algorithm);
        let options = [
            ("--weight", self.weight.is_some() && algorithm != "wastar"),
            ("--depth-limit", self.depth_limit.is_some() && algorithm != "dfs"),
            ("--tie-break", self.tie_break.is_some() && !ordered),
        ];
        options.into_iter().filter(|(_, unused)| *unused).map(|(name, _)| name).collect()
    }

    /// A plan that leaves algorithm and heuristic open.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            weight: self.weight,
            tie: self.tie_break.map(Tie::value),
            depth_limit: self.depth_limit,
            limits: self.limits.limits(),
            ..Plan::default()
        }
    }
}

impl SearchArguments {
    /// The options that were given and that an algorithm does not listen to.
    pub(crate) fn unused_by(&self, algorithm: &str) -> Vec<&'static str> {
        let guided = ALGORITHMS.iter().any(|card| card.name == algorithm && card.guided);
        let heuristic = (self.heuristic.is_some() && !guided).then_some("--heuristic");
        heuristic.into_iter().chain(self.tuning.unused_by(algorithm)).collect()
    }

    pub(crate) fn plan(&self) -> Plan {
        let (algorithm, heuristic) = (self.algorithm.clone(), self.heuristic.clone());
        Plan { algorithm, heuristic, threads: self.threads.map(usize::from), ..self.tuning.plan() }
    }

    /// How many threads to take where nobody says: all that there are, unless the counts are wanted.
    pub(crate) fn threads(&self) -> usize {
        let left_open = self.algorithm.as_deref().is_none_or(|name| name == "hdastar");
        let repeatable = self.tuning.limits.node_limit.is_some() || !left_open;
        let all = || if repeatable { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
        self.threads.map_or_else(all, usize::from)
    }
}

#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct CompareArguments {
    /// The puzzles; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: ReadArguments,
    #[command(flatten)]
    pub(crate) contest: ContestArguments,
    #[command(flatten)]
    pub(crate) tuning: TuningArguments,
    /// Write a page with charts, and the figures as CSV, JSON and Markdown, into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(crate) format: PlainFormat,
}

const COMPARE_HELP: &str = "\
Every algorithm runs with every heuristic, those that use none once; without --heuristics with all that \
the puzzle has. A combination that reaches a limit is shown as such and the rest go on; without \
--time-limit each has 60 s. An answer that is not optimal, or not proved to be, is marked.

  generated  successors produced          visited   expanded states and the goal
  reopened   closed, reached more cheaply frontier  the largest open list
  b*         effective branching factor: generated = b* + b*^2 + ... + b*^cost

Examples:
  admissible compare maze.txt                                 A* with every heuristic
  admissible compare p*.txt --heuristics manhattan,open-board
  admissible compare board.txt --algorithms astar,idastar,bfs --time-limit 10s
  admissible compare p*.txt --report report                   a page with charts: report/index.html

Exit codes: 0 every combination ended with an answer, be it that there is none; 2 bad input, and \
nothing ran; 3 some stopped at a limit; 130 interrupted.";

/// Who competes.
#[derive(Debug, Args)]
pub(crate) struct ContestArguments {
    /// The heuristics, with commas between them, or all (names: admissible list PUZZLE)
    #[arg(long, short = 'H', value_name = "H1,H2,...", value_parser = Heuristics::read)]
    pub(crate) heuristics: Option<Heuristics>,
    /// The algorithms, with commas between them [default: astar]
    #[arg(long, short, value_name = "A1,A2,...", value_parser = parse_algorithms, help = algorithms_help())]
    pub(crate) algorithms: Option<Algorithms>,
}

/// A list of algorithms.
#[derive(Debug, Clone)]
pub(crate) struct Algorithms(pub(crate) Vec<&'static AlgorithmCard>);

fn parse_algorithms(text: &str) -> Result<Algorithms, String> {
    read_algorithms(text).map(Algorithms)
}

impl ContestArguments {
    /// The options that were given and that none of the algorithms listens to.
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
    /// What to print
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(crate) format: TableFormat,
}

const REPRODUCE_HELP: &str = "\
Each cell shows generated/visited as published and as we count under the same rule: = where they \
agree, or what we have instead. The band says how many states any correct A* visits with that \
heuristic, if it is consistent: at least those with g + h below the optimal cost, at most those \
with g + h up to it, and the goal. Only the order among equals decides between the two.

Examples:
  admissible reproduce                          every table
  admissible reproduce first --format markdown  one, to paste into a report";

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// Only this puzzle
    /// The kind of puzzle
    pub(crate) puzzle: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(crate) format: PlainFormat,
}

const GENERATE_HELP: &str = "\
Without --difficulty or --hardest any solvable instance. With them the length of a shortest solution is \
known: small spaces are explored, for others instances are solved, by an atlas if there is one. Where no \
search can tell, the range that is proved is told on standard error.

Examples:
  admissible generate tiles --size 4x4 --difficulty 40
  admissible generate die --size 20x20 --difficulty 30..35
  admissible generate klotski --difficulty 80 --metric moves
  admissible generate klotski --hardest

Exit codes: 0 written; 2 bad input; 3 none was found, or the space does not fit into memory; \
130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = GENERATE_HELP)]
pub(crate) struct GenerateArguments {
    /// The kind of puzzle
    /// The kind of puzzle
    pub(crate) puzzle: String,
    /// The same seed gives the same instance [default: a new one each time, told on standard error]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) parameters: ParameterArguments,
    /// The length of a shortest solution, or a range: 25, 20..30
    #[arg(long, value_name = "N|A..B", value_parser = parse_difficulty)]
    pub(crate) difficulty: Option<Difficulty>,
    /// The instance with the longest shortest solution of all [tiles: of 3x3 unless --size says otherwise]
    #[arg(long, conflicts_with = "difficulty")]
    pub(crate) hardest: bool,
    /// klotski: what the difficulty counts, steps or moves [default: steps]
    #[arg(long)]
    pub(crate) metric: Option<String>,
    /// Take no more memory than this: 500M, 4G [default: what the machine has free]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_limit: Option<NonZeroU64>,
}

#[derive(Debug, Args)]
#[command(after_help = SWEEP_HELP)]
pub(crate) struct SweepArguments {
    /// The kind of puzzle
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
    pub(crate) contest: ContestArguments,
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
Every heuristic gets the same random solvable instances; without --heuristics those that never \
overestimate, but for zero. Shown are median (quartiles) over the instances. Runs that a limit stopped, \
without --time-limit after 10 s each, count as at least what they took: >= marks what rests on them.

  branching       successors for each expanded state
  b*              effective branching factor: generated = b* + b*^2 + ... + b*^depth
  relative error  (h* - h) / h* at the start, h* being the true distance

Examples:
  admissible sweep chexers --vary pieces=1..4
  admissible sweep die --vary size=5..40/5 --vary density=0,0.2,0.4 --report sweep
  admissible sweep tiles --vary scramble=10..50/10 --size 4x4 --heuristics manhattan,linear-conflict
  admissible sweep klotski --vary empties=2..6 --samples 50 --seed 7 --format csv

Exit codes: 0 every run ended with an answer; 2 bad input, and nothing ran; 3 some stopped at a limit; \
130 interrupted.";

const VERIFY_HELP: &str = "\
A certificate (solve --certificate) has a solution and a set of states that proves that none is \
shorter. It is checked without a search: the solution is replayed; then each state of the set is \
looked at for its moves and estimates, worked out anew, and whatever might still lead to a shorter \
solution has to be in the set. It may be larger than memory: what does not fit into --memory-limit \
is sorted on disk, beside the certificate.

Examples:
  admissible verify maze.txt solution.txt             is it legal, is it shortest?
  admissible verify --certificate board.cert          does it prove what it says?
  admissible verify --certificate board.cert board.txt    and is it about this board?

Exit codes: 0 legal, or a certificate that holds; 1 wrong, or a certificate that proves nothing; \
2 bad input, or a certificate that is damaged or of something else; 3 not decided within a limit; \
130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub(crate) struct VerifyArguments {
    /// The puzzle, - for standard input, or a layout by name such as klotski:heng-dao-li-ma
    #[arg(required_unless_present = "certificate")]
    pub(crate) file: Option<String>,
    /// The solution: in the course's format, or the JSON of solve; - for standard input
    #[arg(required_unless_present = "certificate", conflicts_with = "certificate")]
    pub(crate) solution: Option<String>,
    #[command(flatten)]
    pub(crate) reading: ReadArguments,
    /// Check a proof instead, of the puzzle if one is given
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(crate) format: PlainFormat,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// The user's own folder for atlases.
pub(crate) fn atlases() -> Option<Store> {
    Store::of_user().map(|store| store.atlases())
}

/// The user's own folder for tables.
pub(crate) fn table_cache() -> Option<Arc<dyn TableCache>> {
    Store::of_user().map(|store| Arc::new(store) as Arc<dyn TableCache>)
}

fn algorithm_names() -> String {
    ALGORITHMS.iter().map(|card| card.name).collect::<Vec<_>>().join(", ")
}

fn algorithm_help() -> String {
    format!("The algorithm: {} [default: what suits the instance]", algorithm_names())
}

fn algorithms_help() -> String {
    format!("The algorithms, with commas between them: {} [default: astar]", algorithm_names())
}

fn tables_help() -> String {
    let names: Vec<String> = admissible_lab::reproduce::tables().into_iter().map(|table| table.name).collect();
    format!("Only this table: {} [default: all]", names.join(", "))
}

/// Nine tenths of the memory that the machine can give, where it says how much that is.
pub(crate) fn free_memory() -> Option<u64> {
    machine::free().map(|bytes| bytes / 10 * 9)
}

/// What the program itself takes, and what is not counted against a limit.
const ALLOWANCE: u64 = 32 << 20;
