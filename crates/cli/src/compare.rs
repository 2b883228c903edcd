//! `admissible compare`.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use admissible_front::{AuditError, AuditPlan, Registry};
use admissible_lab::chart::{GroupedBars, terminal_bars};
use admissible_lab::compare::{Compared, Comparison, Design, RunVerdict, Subject};
use admissible_lab::pivot::{Pivot, PivotTable};
use admissible_lab::report::{self, Audited, FIGURES, Quantity, ReportFolder};
use admissible_lab::run::{Outcome, Run};
use admissible_lab::select::Heuristics;
use anstyle::Style;

use crate::args::{CompareArguments, CompareFormat, PivotArgument, threads};
use crate::ending::{GRACE_TO_SUM_UP, cancel_forced_end, force_end_after, incomplete, print_to_the_end};
use crate::input::{open_task, shown};
use crate::progress::{Progress, WorkBar};
use crate::show::{BAD, BOLD, DIM, WARNING, WIDTH, table, wrapped};
use crate::{Exit, Failure, tell};

/// The time limit of a combination without --time-limit.
const TIME: Duration = Duration::from_secs(60);
/// The time limit of an audit for a report.
const AUDIT_TIME: Duration = Duration::from_secs(60);

pub(crate) fn run(arguments: &CompareArguments, puzzles: Registry) -> Result<Exit, Failure> {
    if arguments.files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(Failure::new("only one of the files can be standard input"));
    }
    let subjects: Vec<Subject> = arguments
        .files
        .iter()
        .map(|file| Ok(Subject { file: shown(file), task: open_task(file, &arguments.reading, puzzles)? }))
        .collect::<Result<_, Failure>>()?;
    arguments.reading.check_order(arguments.tuning.counting.as_deref())?;
    let algorithms = arguments.compared.algorithms();
    let heuristics = arguments.compared.heuristics.clone().unwrap_or(Heuristics::All);
    let design = Design::new(&subjects, &heuristics, &algorithms)?;
    let place = find_place(arguments.report.as_deref())?;
    for option in arguments.compared.unused(&arguments.tuning) {
        tell(format_args!("note: none of the algorithms uses {option}"));
    }
    for note in &design.notes {
        tell(format_args!("note: left out: {note}"));
    }
    let mut plan = arguments.tuning.plan();
    plan.limits.time = plan.limits.time.or(Some(TIME));
    force_end_after(GRACE_TO_SUM_UP, |why| incomplete("no result", why));
    let mut comparison = design.run(&plan, &mut Progress::new())?;
    cancel_forced_end();
    if let Some(rule) = comparison.runs().find_map(|(_, run)| run.counting) {
        tell(format_args!("note: counted by the rule {}: {}", rule.name, rule.explanation));
    }
    print_to_the_end();
    let pivot = arguments.pivot.map(|pivot| match pivot {
        PivotArgument::Puzzle => Pivot::Puzzle,
        PivotArgument::Heuristic => Pivot::Heuristic,
    });
    match (arguments.format, pivot) {
        (CompareFormat::Text, None) => show(&mut anstream::stdout().lock(), &comparison)?,
        (CompareFormat::Text, Some(pivot)) => show_pivot(&mut anstream::stdout().lock(), &comparison, pivot)?,
        (format, pivot) => io::stdout().lock().write_all(written(&comparison, format, pivot).as_bytes())?,
    }
    if let Some(place) = &place {
        cancel_forced_end();
        comparison.draw(&subjects);
        let audits = if comparison.interrupted { Vec::new() } else { audits(&subjects, &comparison) };
        place.write(&comparison.report(&audits)).map_err(Failure::new)?;
    }
    Ok(exit_of(&comparison))
}

/// Checks the folder for a report before anything runs.
pub(crate) fn find_place(path: Option<&Path>) -> Result<Option<ReportFolder>, Failure> {
    path.map(ReportFolder::find).transpose().map_err(|error| Failure::new(format!("--report: {error}")))
}

/// Audits the heuristics of each kind of puzzle, on its file that took the most work.
fn audits(subjects: &[Subject], comparison: &Comparison) -> Vec<Audited> {
    let work = |compared: &Compared| compared.runs.iter().map(|run| run.stats.expanded).max();
    let mut by_work: Vec<(&Subject, &Compared)> = subjects.iter().zip(&comparison.files).collect();
    by_work.sort_by_key(|(_, compared)| std::cmp::Reverse(work(compared)));
    let mut audits: Vec<Audited> = Vec::new();
    for (Subject { file, task }, Compared { card, .. }) in by_work {
        let puzzle = card.name;
        let heuristics = comparison.heuristics_of(puzzle);
        if heuristics.is_empty() || audits.iter().any(|audited| audited.puzzle == puzzle) {
            continue;
        }
        let plan = AuditPlan { heuristics, seed: 1, threads: threads(None), ..AuditPlan::default() };
        let watch = WorkBar::new(Some(AUDIT_TIME));
        let audit = task.audit(&plan, &watch).map_err(|error| match error {
            AuditError::Interrupted => "it was interrupted, or took too long".to_string(),
            other => other.to_string(),
        });
        watch.clear();
        audits.push(Audited { puzzle, file: file.clone(), audit });
    }
    audits
}

/// The comparison in a format for files.
fn written(comparison: &Comparison, format: CompareFormat, pivot: Option<Pivot>) -> String {
    let tables = |write: fn(&PivotTable) -> String, pivot| {
        comparison.pivot(pivot).iter().map(write).collect::<Vec<_>>().join("\n")
    };
    match (format, pivot) {
        (CompareFormat::Json | CompareFormat::Text, _) => format!("{}\n", comparison.json()),
        (CompareFormat::Csv, None) => comparison.sheet().csv(),
        (CompareFormat::Csv, Some(pivot)) => tables(PivotTable::csv, pivot),
        (CompareFormat::Markdown, None) => comparison.markdown(),
        (CompareFormat::Markdown, Some(pivot)) => tables(PivotTable::markdown, pivot),
        (CompareFormat::Latex, None) => comparison.latex(),
        (CompareFormat::Latex, Some(pivot)) => comparison.pivot_latex(pivot),
    }
}

/// The tables of a report as text.
fn show_pivot(out: &mut impl Write, comparison: &Comparison, pivot: Pivot) -> io::Result<()> {
    for (at, table) in comparison.pivot(pivot).iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{BOLD}{}{BOLD:#}  successors generated and states visited\n", table.puzzle)?;
        for line in table.text().lines() {
            writeln!(out, "  {line}")?;
        }
        sentences(out, table.notes())?;
    }
    interrupted(out, comparison)
}

/// The sentences below a table.
fn sentences(out: &mut impl Write, sentences: Vec<String>) -> io::Result<()> {
    if !sentences.is_empty() {
        writeln!(out)?;
    }
    sentences.iter().try_for_each(|sentence| writeln!(out, "  {}", wrapped(sentence, 4)))
}

fn interrupted(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    if comparison.interrupted {
        writeln!(out, "\n{WARNING}Interrupted{WARNING:#}: the remaining combinations did not run.")?;
    }
    Ok(())
}

fn exit_of(comparison: &Comparison) -> Exit {
    let impossible = |run: &Run| matches!(run.outcome, Outcome::Impossible(_));
    if comparison.interrupted {
        Exit::Interrupted
    } else if comparison.runs().any(|(_, run)| run.stopped()) {
        Exit::Stopped
    } else if comparison.runs().all(|(_, run)| impossible(run)) {
        Exit::BadInput
    } else {
        Exit::Answered
    }
}

fn show(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    for (at, compared) in comparison.files.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{BOLD}{}{BOLD:#}  {}\n", compared.card.name, compared.file)?;
        write!(out, "{}", figures(compared))?;
        frontier_note(out, compared)?;
        sentences(out, compared.findings())?;
        for figure in [Quantity::Generated, Quantity::Visited] {
            writeln!(out)?;
            bars(out, &compared.bars(figure))?;
        }
    }
    let alarming = comparison.runs().filter(|(compared, run)| compared.verdict(run).is_alarming()).count();
    if alarming > 0 {
        let runs = if alarming == 1 { "1 run".into() } else { format!("{alarming} runs") };
        writeln!(out, "\n{BAD}{runs} answered with a cost that is not optimal, or not proved to be.{BAD:#}")?;
    }
    interrupted(out, comparison)
}

/// A chart as horizontal bars.
pub(crate) fn bars(out: &mut impl Write, chart: &GroupedBars) -> io::Result<()> {
    for line in terminal_bars(chart, WIDTH, true).lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// Names the algorithms whose frontier counts entries.
fn frontier_note(out: &mut impl Write, compared: &Compared) -> io::Result<()> {
    let of_entries = compared.runs.iter().filter(|run| run.stats.frontier_duplicates);
    let mut algorithms: Vec<&str> = of_entries.map(|run| run.combination.algorithm).collect();
    algorithms.dedup();
    if algorithms.is_empty() {
        return Ok(());
    }
    let note = format!("frontier of {}: entries, a state may have several", algorithms.join(", "));
    writeln!(out, "  {DIM}{}{DIM:#}", wrapped(&note, 2))
}

/// The table of one file.
fn figures(compared: &Compared) -> String {
    let names: Vec<&str> = ["<algorithm", "<heuristic"].into_iter().chain(FIGURES).chain(["<verdict"]).collect();
    let row = |run: &Run| {
        let style = match compared.verdict(run) {
            RunVerdict::NotOptimal { .. } => BAD,
            RunVerdict::Unproved | RunVerdict::Stopped | RunVerdict::Impossible => WARNING,
            _ => Style::new(),
        };
        let combination = &run.combination;
        let mut cells = vec![combination.algorithm.into(), combination.heuristic.clone().unwrap_or_else(|| "-".into())];
        cells.extend(report::figures(compared, run));
        if run.cost().is_some() {
            cells[2] = format!("{style}{}{style:#}", cells[2]);
        }
        cells.push(format!("{style}{}{style:#}", compared.note(run)));
        cells
    };
    table(&names, compared.runs.iter().map(row))
}
