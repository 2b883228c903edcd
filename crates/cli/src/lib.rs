//! The program: arguments in, answers on standard output, progress and messages on standard error.
//!
//! [`run`] is the whole program, for the puzzles of a registry. A crate with its own puzzle gets every command with a
//! `main` of three lines.
#![forbid(unsafe_code)]

mod args;
mod audit;
mod bench;
mod certificate;
mod cluster;
mod compare;
mod ending;
mod explain;
mod explore;
mod generate;
mod input;
mod invocation;
mod iterations;
mod list;
mod machine;
mod pdb;
mod progress;
mod reproduce;
mod serve;
mod session;
mod show;
mod solve;
mod sweep;
mod trace;
mod verify;
mod work;

use std::io::{self, Write as _};
use std::process::ExitCode;

use admissible_front::{Purpose, Registry};
use clap::{CommandFactory as _, FromArgMatches as _};

use args::{Arguments, Command, with_parameters};
pub use invocation::Invocation;
use session::Session;
#[doc(hidden)]
pub use work::is_resumable;

/// The exit code; `docs/exit-codes.md` documents them. Of several results, the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    /// An answer was given.
    Answered = 0,
    /// It was proved that there is no solution, or a claim was refuted.
    Refuted = 1,
    /// The input or the usage is wrong.
    BadInput = 2,
    /// A limit was reached first.
    Stopped = 3,
    /// Ctrl-C.
    Interrupted = 130,
}

/// Why a command could not do its work.
enum Failure {
    /// A message for the user.
    Message(String),
    /// Writing failed.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl Failure {
    fn new(error: impl std::fmt::Display) -> Self {
        Failure::Message(format!("error: {error}"))
    }

    /// A failure about a file.
    fn at(path: &std::path::Path, error: impl std::fmt::Display) -> Self {
        Failure::new(format!("{}: {error}", path.display()))
    }
}

/// Refuses options that do not go together: fails with the first of these messages whose condition holds.
fn refuse<const N: usize>(refused: [(bool, &str); N]) -> Result<(), Failure> {
    refused.into_iter().find(|(holds, _)| *holds).map_or(Ok(()), |(_, why)| Err(Failure::new(why)))
}

/// Runs the program on the arguments of this process.
pub fn run(puzzles: Registry) -> ExitCode {
    let (arguments, session) = parse(puzzles);
    ExitCode::from(exit_code(dispatch(&arguments.command, &session)))
}

/// Runs the program for a process that contains it, such as an interpreter, and returns the exit code. Only the first
/// invocation of a process counts.
pub fn run_invoked(puzzles: Registry, invocation: Invocation) -> u8 {
    invocation.set();
    let (arguments, session) = parse(puzzles);
    exit_code(dispatch(&arguments.command, &session))
}

/// The memory that a search may take if nothing else is said: nine tenths of what is free, where the system reports it.
pub fn free_memory() -> Option<u64> {
    args::free_memory()
}

/// Parses the command line. Exits if it is wrong, or asks for help.
fn parse(puzzles: Registry) -> (Arguments, Session) {
    admissible_front::take_large_blocks_singly();
    ending::begin();
    let typed = program(puzzles).get_matches_from(invocation::arguments());
    let arguments = Arguments::from_arg_matches(&typed).unwrap_or_else(|error| error.exit());
    arguments.color.apply();
    (arguments, Session::typed(puzzles, &typed))
}

/// Tells what went wrong, and returns the exit code.
fn exit_code(result: Result<Exit, Failure>) -> u8 {
    let exit = match result.and_then(|exit| Ok(io::stdout().flush().map(|()| exit)?)) {
        Ok(exit) => exit,
        // The reader has closed the pipe, as with `| head`.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Answered,
        Err(Failure::Output(error)) => {
            tell(format_args!("error: cannot write: {error}"));
            Exit::BadInput
        }
        Err(Failure::Message(message)) => {
            tell(message);
            Exit::BadInput
        }
    };
    exit as u8
}

/// Prints a message on standard error with one write, since other processes may print as well. Ignores errors: the
/// reader may have closed the pipe, as with `2>&1 | head`.
fn tell(message: impl std::fmt::Display) {
    let _ = anstream::stderr().write_all(format!("{message}\n").as_bytes());
}

/// The definition of every command, with the names of the registry in the help and an option for each parameter.
fn program(puzzles: Registry) -> clap::Command {
    let helps = registry_helps(puzzles);
    let named = |command: clap::Command| {
        command.mut_args(|arg| match helps.iter().find(|(id, _)| arg.get_id() == id) {
            Some((_, help)) => arg.help(help.clone()),
            None => arg,
        })
    };
    let parameters = |purpose| move |command| with_parameters(command, puzzles, purpose);
    Arguments::command()
        .mut_subcommands(|command| named(command).mut_subcommands(named))
        .mut_subcommand("generate", parameters(Purpose::Generate))
        .mut_subcommand("sweep", parameters(Purpose::Generate))
        .mut_subcommand("explore", parameters(Purpose::Explore))
}

/// The help of the arguments whose values depend on the registry, by the id of the argument.
fn registry_helps(puzzles: Registry) -> Vec<(&'static str, String)> {
    let names: Vec<&str> = puzzles.cards().map(|card| card.name).collect();
    let names = names.join(", ");
    let sets: Vec<String> = puzzles.bench_sets().map(|set| format!("{} ({})", set.name, set.summary)).collect();
    let metrics = puzzles.cards().filter_map(|card| {
        let default = card.metrics.first()?;
        Some(format!("{}: {} [default: {default}]", card.name, card.metrics.join(" or ")))
    });
    let metrics: Vec<String> = metrics.collect();
    vec![
        ("puzzle", format!("The kind of puzzle: {names}")),
        ("target", format!("A puzzle ({names}), or a file with one; - for standard input")),
        ("metric", format!("What counts as one unit of cost, for puzzles with several; {}", metrics.join("; "))),
        ("set", format!("The set: {}", sets.join(", "))),
    ]
}

fn dispatch(command: &Command, session: &Session) -> Result<Exit, Failure> {
    let puzzles = session.puzzles;
    if session.resumed().is_none() {
        ending::set_time_limit(command.time_limit());
    }
    match command {
        Command::Solve(arguments) => solve::run(arguments, session),
        Command::Resume(arguments) => session::resume(arguments, puzzles),
        Command::List(arguments) => list::run(arguments, puzzles),
        Command::Generate(arguments) => generate::run(arguments, puzzles),
        Command::Compare(arguments) => compare::run(arguments, puzzles),
        Command::Sweep(arguments) => sweep::run(arguments, puzzles),
        Command::Reproduce(arguments) => reproduce::run(arguments, puzzles),
        Command::Explain(arguments) => explain::run(arguments, puzzles),
        Command::Verify(arguments) => verify::run(arguments, puzzles),
        Command::Audit(arguments) => audit::run(arguments, puzzles),
        Command::Pdb(action) => pdb::run(action, session),
        Command::Explore(arguments) => explore::run(arguments, session),
        Command::Bench(arguments) => bench::run(arguments, puzzles),
        Command::Cluster(command) => cluster::run(command, puzzles),
        Command::Serve(arguments) => serve::run(arguments, puzzles),
        Command::Completions { shell } => {
            // Into memory first: the generator panics where writing fails.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut program(puzzles), "admissible", &mut script);
            io::stdout().write_all(&script)?;
            Ok(Exit::Answered)
        }
        Command::Man { command } => {
            let program = program(puzzles);
            let page = match command {
                None => program,
                Some(name) => {
                    let found = program.get_subcommands().find(|known| known.get_name() == name).cloned();
                    let unknown = || Failure::new(format!("unknown command '{name}' (see: admissible --help)"));
                    found.ok_or_else(unknown)?.name(format!("admissible-{name}"))
                }
            };
            clap_mangen::Man::new(page).render(&mut io::stdout())?;
            Ok(Exit::Answered)
        }
    }
}
