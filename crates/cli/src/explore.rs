//! `admissible explore`.

use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use admissible_front::{Exploration, ExploreDirection, ExploreError, ExplorePlan, Purpose, ReadOptions, Stop};
use admissible_lab::numbers::{bytes, grouped, seconds};
use clap::Args;

use crate::args::{
    CheckpointArguments, LimitArguments, ParameterArguments, PlainFormat, ReadArguments, atlases, free_memory,
    parse_size, parse_time, threads,
};
use crate::compare::find_place;
use crate::ending::{
    GRACE, GRACE_TO_WRITE, cancel_forced_end, force_end_after, incomplete, is_interrupted, print_to_the_end,
    set_time_limit, time_left,
};
use crate::progress::WorkBar;
use crate::session::{self, Session, resume_command};
use crate::show::{BOLD, DIM, GOOD, drawing};
use crate::{Exit, Failure, tell};
use admissible_lab::report::ReportFolder;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ExploreArguments {
    /// A puzzle, or a file with one; - for standard input
    #[arg(value_name = "PUZZLE|FILE")]
    pub(crate) target: String,
    /// Search from the start of the file: distances from there [default for files]
    #[arg(long, conflicts_with = "backward")]
    forward: bool,
    /// Search from all goals: distances to a solution [default for puzzles]
    #[arg(long)]
    pub(crate) backward: bool,
    /// Save the distances to the goals as an atlas, from which solve then answers at once
    #[arg(long, conflicts_with = "forward")]
    pub(crate) save: bool,
    /// The space, for puzzles with several (klotski: all, classic or empties:N; of a file component, set or pieces)
    #[arg(long)]
    pub(crate) scope: Option<String>,
    #[command(flatten)]
    parameters: ParameterArguments,
    /// Count the connected components of the space
    #[arg(long)]
    pub(crate) components: bool,
    /// Write a page with the chart and the farthest states, and the figures as CSV, JSON and Markdown, into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// The number of threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Refuse a space that needs more memory than this: 500M, 4G [default: the free memory of the machine]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_limit: Option<NonZeroU64>,
    /// Stop after this time: 30s, 5m
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time_limit: Option<Duration>,
    /// What to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    format: PlainFormat,
    #[command(flatten)]
    pub(crate) reading: ReadArguments,
    #[command(flatten)]
    pub(crate) checkpoint: CheckpointArguments,
    #[command(flatten)]
    pub(crate) cluster: crate::cluster::ClusterArguments,
}

impl ExploreArguments {
    /// Sets the limits of a resumed exploration: a memory limit replaces the old one, time starts anew.
    pub(crate) fn relimit(&mut self, given: &LimitArguments) {
        self.time_limit = given.time_limit;
        self.memory_limit = given.memory_limit.or(self.memory_limit);
    }
}

const AFTER_HELP: &str = "\
Breadth-first search over every state, layer by layer, in four bits a state for most puzzles. The memory \
it needs is printed before it is allocated; a space that does not fit is refused. Atlases are kept in the \
user's cache folder, or in the folder that ADMISSIBLE_CACHE names.

Examples:
  admissible explore tiles --size 3x4              all 239,500,800 boards from the goal
  admissible explore klotski                       every layout of 4 x 5, and the hardest
  admissible explore klotski --metric moves --scope classic
  admissible explore klotski:heng-dao-li-ma        all states reachable from that layout
  admissible explore maze.txt --backward --save    then solve maze.txt is instant from any start
  admissible explore chexers --pieces 3 --colour blue --report report

Exit codes: 0 explored; 2 bad input; 3 the space does not fit into memory, or the time limit was reached; \
130 interrupted.";

/// The most farthest states drawn.
pub(crate) const DRAWN: usize = 6;

pub(crate) fn run(arguments: &ExploreArguments, session: &Session) -> Result<Exit, Failure> {
    let place = find_place(arguments.report.as_deref())?;
    let no_folder = || Failure::new("there is no cache folder: name one with ADMISSIBLE_CACHE");
    if arguments.cluster.is_wanted() {
        return crate::cluster::explore(arguments, session, place.as_ref());
    }
    let (card, task, checkpoints) = if session.puzzles.has(&arguments.target) {
        let puzzle = session.puzzles.entry(&arguments.target).map_err(Failure::new)?;
        (puzzle.card(), None, session.checkpoint_writer(&arguments.checkpoint, None)?)
    } else {
        let (task, checkpoints) = session::open(session, &arguments.target, &arguments.reading, &arguments.checkpoint)?;
        (task.card(), Some(task), checkpoints)
    };
    let parameters = arguments.parameters.read(card, Purpose::Explore).map_err(Failure::new)?;
    if let Some(checkpoints) = checkpoints.as_ref().filter(|_| session.resumed().is_none()) {
        let written = checkpoints.write(&serde_json::json!({ "parts": [], "part": null }));
        written.map_err(|error| Failure::at(checkpoints.path(), error))?;
    }
    let plan = ExplorePlan {
        checkpoints: checkpoints.clone(),
        resumed: session.resumed().map(|(_, checkpoint)| checkpoint.clone()),
        direction: match (arguments.forward, arguments.backward) {
            (true, _) => Some(ExploreDirection::Forward),
            (_, true) => Some(ExploreDirection::Backward),
            _ => None,
        },
        scope: arguments.scope.clone(),
        parameters,
        components: arguments.components,
        save: if arguments.save { Some(atlases().ok_or_else(no_folder)?) } else { None },
        threads: threads(arguments.threads),
        most_bytes: arguments.memory_limit.map(NonZeroU64::get).or_else(free_memory),
        drawn: DRAWN,
    };
    let progress = WorkBar::announcing(time_left(arguments.time_limit));
    set_time_limit(arguments.time_limit);
    let grace = if checkpoints.is_some() { GRACE_TO_WRITE } else { GRACE };
    force_end_after(grace, stopped);
    let explored = match task {
        None => {
            let reading: ReadOptions = arguments.reading.options();
            session.puzzles.entry(&arguments.target).map_err(Failure::new)?.explore(&plan, &reading, &progress)
        }
        Some(task) => task.explore(&plan, &progress),
    };
    cancel_forced_end();
    progress.clear();
    if let (Err(ExploreError::Interrupted), Some(checkpoints)) = (&explored, &checkpoints) {
        tell(format_args!("note: to continue: {}{}", resume_command(checkpoints.path()), report_again(arguments)));
    } else if let Some(checkpoints) = checkpoints.as_ref().filter(|_| explored.is_err() && session.resumed().is_none())
    {
        // The exploration failed, so there is nothing to resume.
        checkpoints.remove();
    }
    let explored = match explored {
        Ok(explored) => explored,
        Err(ExploreError::Interrupted) => {
            return Ok(stopped(if is_interrupted() { Stop::Interrupted } else { Stop::Time }));
        }
        Err(error @ ExploreError::TooLarge { .. }) => {
            tell(format_args!("error: {error}"));
            return Ok(Exit::Stopped);
        }
        Err(ExploreError::Scope(error)) if arguments.scope.is_some() => {
            return Err(Failure::new(format!("--scope: {error}")));
        }
        Err(error) => return Err(Failure::new(error)),
    };
    print(arguments, place.as_ref(), &explored)?;
    if let Some(checkpoints) = checkpoints {
        checkpoints.remove();
    }
    Ok(Exit::Answered)
}

/// The option to give again to `resume`.
pub(crate) fn report_again(arguments: &ExploreArguments) -> String {
    arguments.report.as_ref().map_or_else(String::new, |folder| format!(" --report {}", folder.display()))
}

pub(crate) fn print(
    arguments: &ExploreArguments,
    place: Option<&ReportFolder>,
    explored: &Exploration,
) -> Result<(), Failure> {
    print_to_the_end();
    match arguments.format {
        PlainFormat::Json => writeln!(io::stdout().lock(), "{}", explored.json())?,
        PlainFormat::Text => show(&mut anstream::stdout().lock(), &arguments.target, explored)?,
    }
    if let Some(place) = place {
        cancel_forced_end();
        let report = admissible_lab::report::exploration(explored, &crate::input::shown(&arguments.target));
        place.write(&report).map_err(Failure::new)?;
    }
    Ok(())
}

/// The end of an exploration that is not complete.
pub(crate) fn stopped(why: Stop) -> Exit {
    incomplete("exploration incomplete; no result", why)
}

fn show(out: &mut impl Write, target: &str, explored: &Exploration) -> io::Result<()> {
    let name = if target == explored.puzzle { String::new() } else { format!("  {}", crate::input::shown(target)) };
    writeln!(out, "{BOLD}{}{BOLD:#}{name}", explored.puzzle)?;
    let from = match explored.direction {
        ExploreDirection::Forward => "from the start",
        ExploreDirection::Backward => "from the goals",
    };
    writeln!(out, "{}, {from}, by {}s", explored.title, explored.unit)?;
    let plural =
        |count: u64, word: &str| format!("{} {DIM}{word}{}{DIM:#}", grouped(count), if count == 1 { "" } else { "s" });
    let mut figures = vec![plural(explored.states, "state"), plural(explored.goals, "goal")];
    if let Some(deepest) = explored.max_depth() {
        figures.push(format!("{deepest} {DIM}farthest{DIM:#}"));
    }
    figures.push(format!("{:.2} {DIM}{}s a state{DIM:#}", explored.branching(), explored.unit));
    if let Some(unmet) = explored.unmet.filter(|&unmet| unmet > 0) {
        let why = match explored.direction {
            ExploreDirection::Forward => "out of reach",
            ExploreDirection::Backward => "that cannot reach a goal",
        };
        figures.push(format!("{} {DIM}{why}{DIM:#}", grouped(unmet)));
    }
    let cost = format!("{}, {}", seconds(explored.seconds), bytes(explored.bytes));
    writeln!(out, "{}  {DIM}({cost}){DIM:#}", figures.join("  "))?;
    if let Some(sizes) = &explored.components {
        let largest: Vec<String> = sizes.iter().take(8).map(|&size| grouped(size)).collect();
        let more = if sizes.len() > 8 { ", ..." } else { "" };
        writeln!(out, "{} of {}{more} states", plural(sizes.len() as u64, "connected component"), largest.join(", "))?;
    }
    writeln!(out)?;
    depths(out, explored)?;
    if let Some(deepest) = explored.max_depth() {
        let (count, unit) = (explored.farthest_states(), explored.unit);
        let states = if count == 1 { "state".to_string() } else { format!("{} states", grouped(count)) };
        let away = if deepest == 1 { format!("1 {unit}") } else { format!("{deepest} {unit}s") };
        let shown = explored.boards.len() as u64;
        let some = if shown < count { format!(", {shown} of them") } else { String::new() };
        writeln!(out, "\n{BOLD}the farthest {states}, {away} away{BOLD:#}{some}\n")?;
        drawing(out, &explored.boards)?;
    }
    match &explored.saved[..] {
        [] => Ok(()),
        [one] => writeln!(out, "\n{GOOD}kept{GOOD:#} as the atlas {one}, {}", bytes(explored.saved_bytes)),
        many => writeln!(out, "\n{GOOD}kept{GOOD:#} as {} atlases, {}", many.len(), bytes(explored.saved_bytes)),
    }
}

const LONGEST_BAR: u64 = 50;

fn depths(out: &mut impl Write, explored: &Exploration) -> io::Result<()> {
    let most = explored.depths.iter().copied().max().unwrap_or(1).max(1);
    let width = grouped(most).len().max(6);
    writeln!(out, "  {DIM}depth  {:>width$}{DIM:#}", "states")?;
    for (depth, &states) in explored.depths.iter().enumerate() {
        let bar = "█".repeat((u128::from(states) * u128::from(LONGEST_BAR)).div_ceil(u128::from(most)) as usize);
        writeln!(out, "  {depth:>5}  {:>width$} {DIM}{bar}{DIM:#}", grouped(states))?;
    }
    Ok(())
}
