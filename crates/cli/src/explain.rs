//! `admissible explain`.

use std::io::{self, Write};
use std::time::Duration;

use admissible_front::{Card, Distance, Explained, ExplainedHeuristic, Plan, Registry, Stop};
use admissible_lab::select::split;
use clap::Args;

use crate::args::{InputArguments, LimitArguments, PlainFormat, atlases};
use crate::ending::{self, GRACE_TO_SUM_UP, incomplete};
use crate::input::{open_task, shown};
use crate::progress::Progress;
use crate::show::{BAD, BOLD, DIM, GOOD, WARNING, drawing, wrapped};
use crate::{Exit, Failure};

const EXPLAIN_HELP: &str = "\
For every heuristic: its value h, the rule that applies to this board, the parts that add up to h, the relative error \
(h* - h) / h*, and whether two claims hold here: h <= h* (admissible), and h <= cost + h after each move (consistent). \
h* is the true distance, found by the search that solve would choose; if a limit stops it, h* is unknown, and its \
bounds are shown.

Examples:
  admissible explain maze.txt                               every heuristic
  admissible explain board.txt --heuristic manhattan,linear-conflict
  admissible explain board.txt --heuristic 'manhattan + 2*conflicts'
  admissible list die die-roll                              all rules of a heuristic

Exit codes: 0 explained; 1 proved unsolvable; 2 bad input; 3 stopped at a limit; 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = EXPLAIN_HELP)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    /// The heuristics, or expressions, with commas between them [default: all of the puzzle]
    #[arg(long, short = 'H', allow_hyphen_values = true, value_name = "H1,H2,...")]
    pub(crate) heuristic: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub(crate) format: PlainFormat,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// The default time limit of the search for the distance, and of the building of tables.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

pub(crate) fn run(arguments: &ExplainArguments, puzzles: Registry) -> Result<Exit, Failure> {
    let file = &arguments.input.file;
    let task = open_task(file, &arguments.input.reading, puzzles)?;
    let mut limits = arguments.limits.limits_left();
    limits.time = limits.time.or(Some(DEFAULT_TIME));
    let plan = Plan { limits, atlases: atlases(), hands_over: true, ..Plan::default() };
    let heuristics =
        arguments.heuristic.as_deref().map(|list| split(list).into_iter().map(String::from).collect::<Vec<String>>());
    let mut progress = Progress::new();
    ending::force_end_after(GRACE_TO_SUM_UP, |why| incomplete("explanation incomplete", why));
    let explained = task.explain(heuristics.as_deref(), &plan, &mut progress)?;
    progress.clear();
    ending::print_to_the_end();
    if arguments.format == PlainFormat::Json {
        writeln!(io::stdout().lock(), "{}", explained.json())?;
    } else {
        let mut out = anstream::stdout().lock();
        writeln!(out, "{BOLD}{}{BOLD:#}  {}\n", explained.puzzle, shown(file))?;
        drawing(&mut out, &[task.draw()])?;
        text(&mut out, &explained, task.card())?;
    }
    Ok(match explained.distance {
        Distance::Exactly(_) => Exit::Answered,
        Distance::Unsolvable => Exit::Refuted,
        Distance::Between { why: Stop::Interrupted, .. } => Exit::Interrupted,
        Distance::Between { .. } => Exit::Stopped,
    })
}

fn text(out: &mut impl Write, explained: &Explained, card: &Card) -> io::Result<()> {
    let count = |cost: u32| format!("{cost} {}{}", explained.unit, if cost == 1 { "" } else { "s" });
    let (algorithm, heuristic) = &explained.found_by;
    match explained.distance {
        Distance::Exactly(distance) => writeln!(
            out,
            "\n{GOOD}Distance h* = {}{GOOD:#}{DIM}, by {algorithm} with {heuristic}{DIM:#}",
            count(distance)
        )?,
        Distance::Unsolvable => writeln!(out, "\n{BAD}No solution{BAD:#}: h* is infinite, and so every h <= h*.")?,
        Distance::Between { why, least, most } => {
            let most = most.map_or(String::new(), |most| format!(" and at most {}", count(most)));
            let phrase = why.phrase();
            writeln!(
                out,
                "\n{WARNING}Distance h* unknown{WARNING:#}: at least {}{most}; the search was stopped {phrase}.",
                count(least)
            )?;
        }
    }
    for heuristic in &explained.heuristics {
        one(out, heuristic, explained.distance, card)?;
    }
    for (name, why) in &explained.missing {
        writeln!(out, "\n{BOLD}{name}{BOLD:#}  {DIM}no value:{DIM:#} {}", wrapped(why, name.len() + 12))?;
    }
    Ok(())
}

fn one(out: &mut impl Write, heuristic: &ExplainedHeuristic, distance: Distance, card: &Card) -> io::Result<()> {
    let ExplainedHeuristic { heuristic: name, explanation, .. } = heuristic;
    let error =
        heuristic.relative_error.map_or(String::new(), |error| format!(", relative error {:.1}%", 100.0 * error));
    writeln!(out, "\n{BOLD}{name}{BOLD:#}  h = {BOLD}{}{BOLD:#}{error}", heuristic.h_text())?;
    if !explanation.rule.is_empty() {
        writeln!(out, "  {}", wrapped(&explanation.rule, 2))?;
    }
    let parts: Vec<String> =
        explanation.parts.iter().map(|part| format!("{} = {}", part.what, part.value_text())).collect();
    // Short parts share lines; each long one has its own.
    if parts.iter().any(|part| part.len() > 24) {
        for part in &explanation.parts {
            writeln!(out, "  {:>8}  {}", part.value_text(), wrapped(&part.what, 12))?;
        }
    } else if !parts.is_empty() {
        writeln!(out, "    {}", wrapped(&parts.join(", "), 4))?;
    }
    let claimed = card.heuristics.iter().find(|card| name.split(':').next() == Some(card.name));
    let source = claimed.map_or(String::new(), |card| format!("; claimed: {}", card.claim));
    let admissible = match (heuristic.admissible, distance) {
        (Some(true), _) => format!("{GOOD}h <= h* holds{GOOD:#}"),
        (Some(false), Distance::Exactly(distance)) => format!("{BAD}h <= h* FAILS{BAD:#}: h* is {distance}"),
        (Some(false), _) => format!("{BAD}h <= h* FAILS{BAD:#}"),
        (None, _) => format!("{WARNING}h <= h* undecided{WARNING:#}"),
    };
    let consistent = match &heuristic.inconsistent {
        None => format!("{GOOD}consistent with every successor{GOOD:#}"),
        Some(found) => {
            let after = format!("after {} (cost {}) h is {}", found.action, found.cost, found.h);
            format!("{BAD}NOT consistent{BAD:#}: {after}")
        }
    };
    writeln!(out, "  {admissible}; {consistent}{DIM}{source}{DIM:#}")
}
