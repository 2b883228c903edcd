//! `admissible audit`.

use std::io::{self, Write};
use std::time::Duration;

use admissible_front::{Audit, AuditError, AuditPlan, AuditReport, Dominance, Registry, Stop, Zeros};
use admissible_lab::numbers::{grouped, seconds};
use admissible_lab::select::Heuristics;
use clap::Args;
use serde_json::Value;

use crate::args::{PlainFormat, ReadArguments, parse_time, threads};
use crate::ending::{
    GRACE, cancel_forced_end, force_end_after, incomplete, is_interrupted, print_to_the_end, time_left,
};
use crate::input::open_task;
use crate::progress::WorkBar;
use crate::show::{BAD, BOLD, DIM, GOOD, WARNING, drawing, side_by_side};
use crate::{Exit, Failure};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct AuditArguments {
    /// A puzzle, or a file with one; - for standard input
    #[arg(value_name = "PUZZLE|FILE")]
    target: String,
    /// The heuristics or expressions, separated by commas [default: all of the puzzle's]
    #[arg(
        long,
        short = 'H',
        allow_hyphen_values = true,
        visible_alias = "heuristics",
        value_name = "H",
        value_parser = Heuristics::read
    )]
    heuristic: Option<Heuristics>,
    /// The states to check (names: admissible list PUZZLE) [default: all, or a sample of a large space]
    #[arg(long)]
    scope: Option<String>,
    /// Check this many random instances, for puzzles with many spaces; short for --scope random:N
    #[arg(long, value_name = "N", conflicts_with = "scope")]
    random: Option<usize>,
    /// The same seed gives the same random instances and samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Compare every two heuristics on every state: which dominates which?
    #[arg(long)]
    dominance: bool,
    /// The number of threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Stop after this time, without a verdict: 30s, 5m
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time_limit: Option<Duration>,
    /// What to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    format: PlainFormat,
    /// The kind of puzzle
    #[arg(long, value_name = "PUZZLE")]
    puzzle: Option<String>,
    /// The goal, for puzzles with several (tiles: blank-last, the default, or blank-first)
    #[arg(long)]
    goal: Option<String>,
}

const AFTER_HELP: &str = "\
Checks h <= the true distance on every state, and h <= cost + h after the move on every move. If there are \
too many states, a sample is checked, which can refute a claim but not prove one.

Examples:
  admissible audit die                          every heuristic of the die maze
  admissible audit klotski --heuristic blockers all 29,334,498 layouts
  admissible audit maze.txt --dominance         one maze, and which heuristic dominates
  admissible audit tiles --scope 2x4 -H linear-conflict
  admissible audit klotski -H 'max(manhattan, blockers - 1)'    an expression (see: solve --help)

Exit codes: 0 no counterexample; 1 a counterexample was found; 2 bad input; 3 stopped at the time limit; \
130 interrupted.";

const UNDECIDED: &str = "audit incomplete; no verdict";

pub(crate) fn run(arguments: &AuditArguments, puzzles: Registry) -> Result<Exit, Failure> {
    let heuristics = match &arguments.heuristic {
        None | Some(Heuristics::All) => Vec::new(),
        Some(Heuristics::Named(names)) => names.clone(),
    };
    let plan = AuditPlan {
        heuristics,
        scope: arguments.scope.clone().or(arguments.random.map(|count| format!("random:{count}"))),
        seed: arguments.seed,
        dominance: arguments.dominance,
        threads: threads(arguments.threads),
    };
    force_end_after(GRACE, |why| incomplete(UNDECIDED, why));
    let progress = WorkBar::new(time_left(arguments.time_limit));
    let audit = if puzzles.has(&arguments.target) {
        puzzles.entry(&arguments.target).map_err(Failure::new)?.audit(&plan, &progress)
    } else {
        open_task(&arguments.target, &arguments.reading(), puzzles)?.audit(&plan, &progress)
    };
    progress.clear();
    let audit = match audit {
        Ok(audit) => audit,
        Err(AuditError::Interrupted) => {
            cancel_forced_end();
            let why = if is_interrupted() { Stop::Interrupted } else { Stop::Time };
            return Ok(incomplete(UNDECIDED, why));
        }
        Err(AuditError::Plan(error)) => return Err(error.into()),
        Err(error) => return Err(Failure::new(error)),
    };
    print_to_the_end();
    match arguments.format {
        PlainFormat::Json => writeln!(io::stdout().lock(), "{}", json(&audit))?,
        PlainFormat::Text => show(&mut anstream::stdout().lock(), &arguments.target, &audit)?,
    }
    let clean = audit.reports.iter().all(AuditReport::consistent);
    Ok(if clean { Exit::Answered } else { Exit::Refuted })
}

impl AuditArguments {
    fn reading(&self) -> ReadArguments {
        ReadArguments { puzzle: self.puzzle.clone(), goal: self.goal.clone(), move_order: None, metric: None }
    }
}

fn json(audit: &Audit) -> Value {
    let report = |(at, report): (usize, &AuditReport)| {
        let mut object = report.json();
        if let Some(dominance) = &audit.dominance {
            let others = (0..audit.reports.len()).filter(|&other| other != at && dominance.dominates(at, other));
            object["dominates"] = others.map(|other| Value::from(dominance.heuristics[other].as_str())).collect();
            let strictly = (0..audit.reports.len()).filter(|&other| dominance.strictly_dominates(at, other));
            object["strictly_dominates"] =
                strictly.map(|other| Value::from(dominance.heuristics[other].as_str())).collect();
            let ties = |other: usize| {
                let [all, goals] = [&dominance.ties, &dominance.goal_ties].map(|ties| ties[at][other]);
                (dominance.heuristics[other].clone(), serde_json::json!({ "states": all, "goals": goals }))
            };
            let others = (0..audit.reports.len()).filter(|&other| other != at);
            object["ties"] = others.map(ties).collect::<serde_json::Map<String, Value>>().into();
        }
        object
    };
    audit.reports.iter().enumerate().map(report).collect()
}

fn show(out: &mut impl Write, target: &str, audit: &Audit) -> io::Result<()> {
    let name = if target == audit.puzzle { String::new() } else { format!("  {}", crate::input::shown(target)) };
    writeln!(out, "{BOLD}{}{BOLD:#}{name}", audit.puzzle)?;
    let sampled = if audit.exhaustive { "" } else { "  (a sample can refute a claim, never prove one)" };
    writeln!(out, "{}{DIM}{sampled}{DIM:#}", audit.looked_at)?;
    if let Some(first) = audit.reports.first() {
        let figures = [
            ("states", first.states),
            ("solvable", first.solvable),
            (if first.goals == 1 { "goal" } else { "goals" }, first.goals),
            ("moves", first.edges),
            ("farthest", first.farthest.into()),
        ];
        let figures: Vec<String> =
            figures.iter().map(|(name, value)| format!("{} {DIM}{name}{DIM:#}", grouped(*value))).collect();
        writeln!(out, "{}  {DIM}({}){DIM:#}", figures.join("  "), seconds(audit.seconds))?;
    }
    for report in &audit.reports {
        writeln!(out)?;
        heuristic(out, report)?;
    }
    if let Some(dominance) = &audit.dominance {
        writeln!(out)?;
        matrix(out, dominance)?;
    }
    Ok(())
}

fn heuristic(out: &mut impl Write, report: &AuditReport) -> io::Result<()> {
    let style = match (report.consistent(), report.admissible(), report.exhaustive) {
        (true, _, true) => GOOD,
        (_, true, _) => WARNING,
        _ => BAD,
    };
    write!(out, "{BOLD}{}{BOLD:#}: {style}{}{style:#}", report.heuristic, report.verdict())?;
    match report.claim {
        Some(claim) => writeln!(out, "  {DIM}(claimed: {claim}){DIM:#}")?,
        None => writeln!(out)?,
    }
    let mut line = |name: &str, text: String| writeln!(out, "  {DIM}{name:<18}{DIM:#}{text}");
    line("mean h / distance", mean(report))?;
    if report.overestimates > 0 {
        let dead = match report.false_dead_ends {
            0 => String::new(),
            count => format!(", {} called dead ends", grouped(count)),
        };
        let (count, of) = (grouped(report.overestimates), grouped(report.solvable));
        line("overestimates", format!("{count} of {of} states, by up to {}{dead}", number(report.worst_overestimate)))?;
    }
    if report.inconsistent_edges > 0 {
        let (count, of) = (grouped(report.inconsistent_edges), grouped(report.edges));
        line("inconsistent", format!("{count} of {of} moves, too much by up to {}", number(report.worst_fall)))?;
    }
    if let Some(Zeros { count, example }) = &report.zeros {
        let verdict = match count {
            0 if report.exhaustive => format!("{GOOD}yes{GOOD:#}"),
            0 => "no counterexample found".into(),
            count => format!("{WARNING}NO{WARNING:#}: h = 0 on {} states that are no goals", grouped(*count)),
        };
        line("h > 0 elsewhere", verdict)?;
        if let Some(shown) = example {
            writeln!(out, "  {DIM}h = 0, and no goal: {}{DIM:#}", shown.state)?;
            drawing(out, std::slice::from_ref(&shown.board))?;
        }
    }
    if let Some(found) = &report.overestimate {
        let (h, distance) = (estimate(found.h), found.distance);
        writeln!(out, "  {BAD}smallest counterexample to admissibility{BAD:#}: h = {h}, true distance {distance}")?;
        writeln!(out, "  {DIM}{}{DIM:#}", found.state)?;
        let names = std::iter::once("the state".to_string()).chain(found.actions.iter().cloned());
        let titled: Vec<String> = names.zip(&found.boards).map(|(name, board)| format!("{name}\n{board}")).collect();
        drawing(out, &titled)?;
    }
    if let Some(found) = &report.inconsistency {
        let [before, after] = found.h.map(estimate);
        writeln!(
            out,
            "  {WARNING}smallest counterexample to consistency{WARNING:#}: \
             h = {before}, and {after} after a move that costs {}",
            found.cost
        )?;
        writeln!(out, "  {DIM}{}{DIM:#}", found.states[0])?;
        let titled = [
            format!("h = {before}\n{}", found.boards[0]),
            format!("h = {after}, {}\n{}", found.action, found.boards[1]),
        ];
        write!(out, "{}", side_by_side(&titled))?;
    }
    histogram(out, report)
}

fn mean(report: &AuditReport) -> String {
    let share = if report.mean_distance > 0.0 { report.mean_estimate / report.mean_distance } else { 0.0 };
    format!("{:.2} / {:.2} = {share:.3}", report.mean_estimate, report.mean_distance)
}

fn estimate(h: Option<f64>) -> String {
    h.map_or("a dead end".into(), number)
}

/// Formats whole numbers without a decimal point.
fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.3}") }
}

/// The most lines of the histogram of `h - distance` for values up to 0.
const MAX_LINES: i64 = 16;
const LONGEST_BAR: u64 = 50;

fn histogram(out: &mut impl Write, report: &AuditReport) -> io::Result<()> {
    let (Some(&(lowest, _)), Some(&(highest, _))) = (report.errors.first(), report.errors.last()) else {
        return Ok(());
    };
    writeln!(out, "  {DIM}h - distance       states{DIM:#}")?;
    // Bins of several values end at 0, so that overestimates get their own lines.
    let width = ((highest.max(0) - lowest + 1) as u64).div_ceil(MAX_LINES as u64) as i64;
    let bin = |error: i64| if error > 0 { error } else { -(-error / width) };
    let mut bins = std::collections::BTreeMap::<i64, u64>::new();
    for &(error, states) in &report.errors {
        *bins.entry(bin(error)).or_default() += states;
    }
    let most = bins.values().max().copied().unwrap_or(1);
    for (&at, &states) in bins.iter().rev() {
        let range = match at {
            1.. => format!("+{at}"),
            _ if width == 1 => at.to_string(),
            _ => format!("{} .. {}", at * width - width + 1, at * width),
        };
        let style = if at > 0 { BAD } else { DIM };
        let bar = "█".repeat((states * LONGEST_BAR).div_ceil(most) as usize);
        writeln!(out, "  {range:>14} {:>12} {style}{bar}{style:#}", grouped(states))?;
    }
    Ok(())
}

fn matrix(out: &mut impl Write, dominance: &Dominance) -> io::Result<()> {
    let names = &dominance.heuristics;
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
    writeln!(
        out,
        "{BOLD}dominance{BOLD:#}: is the row at least as large as the column on every state? \
         (else: on how many it is less)"
    )?;
    let header: Vec<String> = names.iter().map(|name| format!("{name:>width$}")).collect();
    writeln!(out, "  {:width$}  {DIM}{}{DIM:#}", "", header.join("  "))?;
    for (first, name) in names.iter().enumerate() {
        let cells: Vec<String> = (0..names.len())
            .map(|second| match dominance.less[first][second] {
                _ if first == second => format!("{DIM}{:>width$}{DIM:#}", "="),
                0 => format!("{GOOD}{:>width$}{GOOD:#}", "yes"),
                less => format!("{:>width$}", grouped(less)),
            })
            .collect();
        writeln!(out, "  {DIM}{name:<width$}{DIM:#}  {}", cells.join("  "))?;
    }
    let pairs = (0..names.len()).flat_map(|first| (0..names.len()).map(move |second| (first, second)));
    for (first, second) in pairs.filter(|(first, second)| first != second) {
        if !dominance.dominates(first, second) {
            continue;
        }
        let (ties, goals) = (dominance.ties[first][second], dominance.goal_ties[first][second]);
        let verdict = if dominance.strictly_dominates(first, second) {
            format!("{GOOD}strictly{GOOD:#}, above it on every state that is no goal")
        } else if dominance.dominates(second, first) {
            "they are equal".to_string()
        } else {
            format!("{WARNING}not strictly{WARNING:#}")
        };
        let [first, second] = [first, second].map(|at| &names[at]);
        writeln!(
            out,
            "  {first} dominates {second}: {verdict} (ties: {}, of them goals: {})",
            grouped(ties),
            grouped(goals)
        )?;
    }
    Ok(())
}
