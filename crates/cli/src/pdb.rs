//! `admissible pdb`: building and managing pattern databases.

use std::io::{self, Write as _};
use std::time::Instant;

use admissible_front::{BuildError, CheckpointWriter, Database, DatabaseSet, Registry, Store, Watcher as _};
use admissible_lab::numbers::{bytes, grouped, seconds};
use clap::Subcommand;

use crate::args::{CheckpointArguments, complain, free_memory};
use crate::ending::{GRACE, GRACE_TO_WRITE, cancel_forced_end, force_end_after};
use crate::progress::WorkBar;
use crate::session::{Session, resume_command};
use crate::show::{BAD, BOLD, DIM, GOOD};
use crate::{Exit, Failure};

pub(crate) const AFTER_HELP: &str = "\
Tables are kept in the user's cache folder, or in the folder that ADMISSIBLE_CACHE names. solve finds them \
by itself and builds small ones when a board is hard; large ones are built here.

Examples:
  admissible pdb list                  all partitions, and which are built
  admissible pdb build 7-8             the largest tables for the 15-puzzle, a minute
  admissible pdb build 6-6-6-6         tables for the 24-puzzle, half a minute and 488 MB
  admissible pdb build 7-8 --checkpoint half   stop at any time, then: admissible resume half
  admissible solve board.txt --heuristic pdb:7-8";

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// List the partitions, and which are built
    List,
    /// Build the missing tables of a partition
    Build {
        /// The partition, such as 6-6-3
        name: String,
        /// The number of threads [default: one for each core]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: Option<u16>,
        /// Rebuild tables that exist
        #[arg(long)]
        again: bool,
        #[command(flatten)]
        checkpoint: CheckpointArguments,
    },
    /// Show the size and the values of the tables of a partition
    Info {
        /// The partition, such as 6-6-3
        name: String,
    },
    /// Check every byte of the tables that are built
    Verify {
        /// Only the tables of this partition
        name: Option<String>,
    },
    /// Remove the tables of a partition
    Remove {
        /// The partition, such as 6-6-3
        name: String,
    },
}

pub(crate) fn run(action: &Action, session: &Session) -> Result<Exit, Failure> {
    let no_folder = || Failure::new("there is no cache folder: name one with ADMISSIBLE_CACHE");
    let store = Store::of_user().ok_or_else(no_folder)?;
    let puzzles = session.puzzles;
    match action {
        Action::List => list(&store, puzzles),
        Action::Build { name, threads, again, checkpoint } => {
            let set = set(name, puzzles)?;
            let checkpoints = session.checkpoint_writer(checkpoint, None)?;
            build(&store, &set, crate::args::threads(*threads), *again, checkpoints.as_deref(), session)
        }
        Action::Info { name } => info(&store, &set(name, puzzles)?),
        Action::Verify { name } => verify(&store, name.as_deref(), puzzles),
        Action::Remove { name } => remove(&store, &set(name, puzzles)?),
    }
}

fn set(name: &str, puzzles: Registry) -> Result<DatabaseSet, Failure> {
    let sets = puzzles.database_sets();
    let names: Vec<&str> = sets.iter().map(|set| set.name).collect();
    let unknown = Failure::new(format!("unknown partition '{name}', expected {}", names.join(", ")));
    sets.into_iter().find(|set| set.name == name).ok_or(unknown)
}

fn list(store: &Store, puzzles: Registry) -> Result<Exit, Failure> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{DIM}kept in {}{DIM:#}", store.folder().display())?;
    for set in puzzles.database_sets() {
        let built = set.tables.iter().filter(|table| table.is_kept(store)).count();
        let state = match built {
            0 => format!("{DIM}not built{DIM:#}"),
            all if all == set.tables.len() => format!("{GOOD}built{GOOD:#}"),
            some => format!("{some} of {} tables built", set.tables.len()),
        };
        let (name, board) = (set.name, &set.board);
        writeln!(out, "  {BOLD}{name:<10}{BOLD:#} {board}  {:<36} {state}", set.summary)?;
    }
    let (_, unusable) = store.list().map_err(Failure::new)?;
    for (file, error) in unusable {
        writeln!(out, "  {BAD}unusable{BAD:#}  {}: {error}", file.display())?;
    }
    Ok(Exit::Answered)
}

fn build(
    store: &Store,
    set: &DatabaseSet,
    threads: usize,
    again: bool,
    checkpoints: Option<&CheckpointWriter>,
    session: &Session,
) -> Result<Exit, Failure> {
    let resumed = session.resumed().map(|(_, checkpoint)| checkpoint);
    // Tables rebuilt before the checkpoint are not rebuilt again.
    let tables = || set.tables.iter().map(|table| &**table);
    let begins = |table: &dyn Database| resumed.is_some_and(|work| work.progress["table"] == table.name());
    let done = tables().position(begins).unwrap_or(0);
    let is_damaged = |table: &dyn Database| match store.verify(table.name()) {
        Ok(()) => false,
        Err(error) => {
            complain(&format!("{}: {error}; the table is built again", store.file(table.name()).display()));
            true
        }
    };
    let wanted =
        |&(at, table): &(usize, &dyn Database)| (again && at >= done) || !table.is_kept(store) || is_damaged(table);
    let missing: Vec<&dyn Database> = tables().enumerate().filter(wanted).map(|(_, table)| table).collect();
    let needed = missing.iter().map(|table| table.build_bytes()).max().unwrap_or(0);
    if let Some(free) = free_memory().filter(|&free| free < needed) {
        let (needed, free) = (bytes(needed), bytes(free));
        crate::tell(format_args!("error: {}: building it takes {needed} of memory, and {free} is free", set.name));
        return Ok(Exit::Stopped);
    }
    if let Some(checkpoints) = checkpoints.filter(|_| resumed.is_none()) {
        let written = checkpoints.write(&serde_json::json!({ "table": null }));
        written.map_err(|error| Failure::at(checkpoints.path(), error))?;
    }
    let progress = WorkBar::new(None);
    progress.expect(missing.iter().map(|table| table.entries()).sum());
    let begin = Instant::now();
    let grace = if checkpoints.is_some() { GRACE_TO_WRITE } else { GRACE };
    force_end_after(grace, |_| interrupted(false));
    for table in &missing {
        let watch = &mut |entries| progress.watch(entries);
        let built = table.build(store, threads, checkpoints, resumed.map(|checkpoint| &**checkpoint), watch);
        if let Err(error) = built {
            cancel_forced_end();
            progress.clear();
            return match error {
                BuildError::Interrupted => {
                    let exit = interrupted(checkpoints.is_some());
                    if let Some(checkpoints) = checkpoints {
                        crate::tell(format_args!("note: to continue: {}", resume_command(checkpoints.path())));
                    }
                    Ok(exit)
                }
                error => Err(Failure::at(store.folder(), error)),
            };
        }
    }
    cancel_forced_end();
    if let Some(checkpoints) = checkpoints {
        checkpoints.remove();
    }
    progress.clear();
    let size = bytes(set.tables.iter().map(|table| table.bytes()).sum());
    let mut out = anstream::stdout().lock();
    match missing.len() {
        0 => writeln!(out, "{} is built already ({size})", set.name)?,
        count => {
            let time = seconds(begin.elapsed().as_secs_f64());
            writeln!(out, "{}: {count} tables built in {time}, {size} in {}", set.name, store.folder().display())?;
        }
    }
    Ok(Exit::Answered)
}

fn interrupted(kept: bool) -> Exit {
    let what = if kept { "the checkpoint has the progress of the table" } else { "the unfinished table is not kept" };
    crate::tell(format_args!("interrupted: {what}"));
    Exit::Interrupted
}

fn info(store: &Store, set: &DatabaseSet) -> Result<Exit, Failure> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{BOLD}{}{BOLD:#} for {} boards: {}", set.name, set.board, set.summary)?;
    for table in &set.tables {
        let (entries, size, memory) = (grouped(table.entries()), bytes(table.bytes()), bytes(table.build_bytes()));
        writeln!(out, "  {}  {entries} entries, {size}, {memory} to build", table.name())?;
        if table.is_kept(store) {
            let histogram = table.histogram(store).map_err(Failure::new)?;
            let total: u64 = histogram.iter().sum();
            let moves: f64 = histogram.iter().zip(0..).map(|(&count, moves)| count as f64 * f64::from(moves)).sum();
            let (most, mean) = (histogram.len() - 1, moves / total as f64);
            writeln!(out, "    {} reachable placements, {mean:.2} moves on average, {most} at most", grouped(total))?;
        } else {
            writeln!(out, "    {DIM}not built{DIM:#}")?;
        }
    }
    Ok(Exit::Answered)
}

fn verify(store: &Store, name: Option<&str>, puzzles: Registry) -> Result<Exit, Failure> {
    let wanted = name.map(|name| set(name, puzzles)).transpose()?;
    let (kept, unusable) = store.list().map_err(Failure::new)?;
    let mut out = anstream::stdout().lock();
    let mut exit = Exit::Answered;
    let is_wanted =
        |table: &str| wanted.as_ref().is_none_or(|set| set.tables.iter().any(|known| known.name() == table));
    for table in kept.iter().filter(|table| is_wanted(&table.name)) {
        match store.verify(&table.name) {
            Ok(()) => writeln!(out, "{GOOD}whole{GOOD:#}    {}  {}", table.name, bytes(table.bytes))?,
            Err(error) => {
                exit = Exit::Refuted;
                writeln!(out, "{BAD}damaged{BAD:#}  {}: {error}", table.file.display())?;
            }
        }
    }
    for (file, error) in unusable {
        exit = Exit::Refuted;
        writeln!(out, "{BAD}unusable{BAD:#} {}: {error}", file.display())?;
    }
    Ok(exit)
}

fn remove(store: &Store, set: &DatabaseSet) -> Result<Exit, Failure> {
    // Other partitions may share a table; it is removed anyway, to free its space.
    let removed = set.tables.iter().filter(|table| store.remove(table.name()).is_ok()).count();
    writeln!(io::stdout().lock(), "{}: {removed} of {} tables removed", set.name, set.tables.len())?;
    Ok(Exit::Answered)
}
