//! The program: arguments in, answers on standard output, progress and messages on standard error.
//!
//! [`run`] is all of it, with the puzzles that it is given. A crate with a puzzle of its own is a program with every
//! command in a `main` of three lines.
#![forbid(unsafe_code)]

mod args;
mod audit;
mod bench;
mod certificate;
mod cluster;
mod compare;
mod explore;
mod generate;
mod growth;
mod input;
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
mod table;
mod trace;
mod verify;
mod work;

use std::io::{self, Write as _};
use std::process::ExitCode;

use admissible_front::{Purpose, Registry};
use clap::{CommandFactory as _, FromArgMatches as _};

use args::{Arguments, Command, with_parameters};
use session::Session;

/// What the program ends with; `docs/exit-codes.md` is the table for people.
/// Of several, the greatest counts.
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
    /// A message for whoever called.
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
}

/// Runs the program on the arguments of this process.
pub fn run(puzzles: Registry) -> ExitCode {
    admissible_front::take_large_blocks_singly();
    let typed = program(puzzles).get_matches();
    let arguments = Arguments::from_arg_matches(&typed).unwrap_or_else(|error| error.exit());
    arguments.color.apply();
    let exit = match dispatch(&arguments.command, &Session::typed(puzzles, &typed)) {
        Ok(exit) => exit,
        // Whoever reads our output has seen enough, as with `| head`.
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
    ExitCode::from(exit as u8)
}

/// A message on standard error, in one piece: other processes may be speaking as well. That nobody can read it, as with
/// `2>&1 | head`, is no reason to fail.
fn tell(message: impl std::fmt::Display) {
    let _ = anstream::stderr().write_all(format!("{message}\n").as_bytes());
}

/// The definition of every command, with the names of the puzzles in the help and an option for each parameter.
fn program(puzzles: Registry) -> clap::Command {
    let names: Vec<&str> = puzzles.cards().map(|card| card.name).collect();
    let help = format!("The kind of puzzle: {}", names.join(", "));
    let named = |command: clap::Command| {
        command.mut_args(|arg| if arg.get_id() == "puzzle" { arg.help(help.clone()) } else { arg })
    };
    let parameters = |purpose| move |command| with_parameters(command, puzzles, purpose);
    Arguments::command()
        .mut_subcommands(|command| named(command).mut_subcommands(named))
        .mut_subcommand("generate", parameters(Purpose::Generate))
        .mut_subcommand("sweep", parameters(Purpose::Generate))
        .mut_subcommand("explore", parameters(Purpose::Explore))
}

fn dispatch(command: &Command, session: &Session) -> Result<Exit, Failure> {
    let puzzles = session.puzzles;
    match command {
        Command::Solve(arguments) => solve::run(arguments, session),
        Command::Resume(arguments) => session::resume(arguments, puzzles),
        Command::List(arguments) => list::run(arguments, puzzles),
        Command::Generate(arguments) => generate::run(arguments, puzzles),
        Command::Compare(arguments) => compare::run(arguments, puzzles),
        Command::Sweep(arguments) => sweep::run(arguments, puzzles),
        Command::Reproduce(arguments) => reproduce::run(arguments, puzzles),
        Command::Verify(arguments) => verify::run(arguments, puzzles),
        Command::Audit(arguments) => audit::run(arguments, puzzles),
        Command::Pdb(arguments) => pdb::run(arguments, session),
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
