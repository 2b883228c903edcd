//! `admissible sweep`.

use std::io::{self, Write};
use std::time::Duration;

use admissible_front::{Purpose, ReadOptions, Registry};
use admissible_lab::run::Combination;
use admissible_lab::select::Heuristics;
use admissible_lab::sweep::{Measure, Sweep, SweepError, Swept, admissible_heuristics};
use admissible_lab::vary::Varied;

use crate::args::{SweepArguments, SweepFormat, table_cache};
use crate::compare::{bars, find_place};
use crate::ending::{GRACE_TO_SUM_UP, cancel_forced_end, force_end_after, incomplete, print_to_the_end};
use crate::progress::Progress;
use crate::show::{BOLD, DIM, WARNING, table, wrapped};
use crate::{Exit, Failure, tell};

/// The time limit of a run without --time-limit.
const TIME: Duration = Duration::from_secs(10);

pub(crate) fn run(arguments: &SweepArguments, puzzles: Registry) -> Result<Exit, Failure> {
    if arguments.vary.len() > 2 {
        return Err(Failure::new("--vary: expected one parameter, or two for a grid"));
    }
    let puzzle = puzzles.entry(&arguments.puzzle).map_err(Failure::new)?;
    let varied = arguments.vary.iter().map(|text| Varied::read(text, puzzle.card()));
    let varied: Vec<Varied> = varied.collect::<Result<_, _>>().map_err(Failure::new)?;
    check(arguments, &varied)?;
    let heuristics = match arguments.compared.heuristics.clone() {
        Some(Heuristics::Named(names)) => names,
        Some(Heuristics::All) => puzzle.card().heuristics.iter().map(|card| card.name.to_string()).collect(),
        None => admissible_heuristics(puzzle.card()),
    };
    let place = find_place(arguments.report.as_deref())?;
    for option in arguments.compared.unused(&arguments.tuning) {
        tell(format_args!("note: none of the algorithms uses {option}"));
    }
    let combinations = Combination::all(&arguments.compared.algorithms(), &heuristics);
    let mut plan = arguments.tuning.plan();
    plan.limits.time = plan.limits.time.or(Some(TIME));
    let sweep = Sweep {
        puzzle,
        varied,
        samples: arguments.samples as usize,
        seed: arguments.seed,
        parameters: arguments.parameters.read(puzzle.card(), Purpose::Generate).map_err(Failure::new)?,
        reading: ReadOptions { table_cache: table_cache(), ..ReadOptions::default() },
    };
    let mut progress = Progress::new();
    force_end_after(GRACE_TO_SUM_UP, |why| incomplete("no result", why));
    let swept = match sweep.run(combinations, &plan, &mut progress) {
        Ok(swept) => swept,
        Err(SweepError::Plan(error)) => return Err(error.into()),
        Err(other) => return Err(Failure::new(other)),
    };
    progress.clear();
    if let Some(rule) = swept.samples.iter().flat_map(|sample| &sample.runs).find_map(|run| run.counting) {
        tell(format_args!("note: counted by the rule {}: {}", rule.name, rule.explanation));
    }
    print_to_the_end();
    match arguments.format {
        SweepFormat::Json => writeln!(io::stdout().lock(), "{}", swept.json())?,
        SweepFormat::Csv => write!(io::stdout().lock(), "{}", swept.sheet().csv())?,
        SweepFormat::Text => show(&mut anstream::stdout().lock(), &swept)?,
    }
    if let Some(place) = &place {
        cancel_forced_end();
        place.write(&swept.report()).map_err(Failure::new)?;
    }
    Ok(match &swept {
        swept if swept.interrupted => Exit::Interrupted,
        swept if swept.stopped() => Exit::Stopped,
        _ => Exit::Answered,
    })
}

/// A parameter is varied once or given, not both.
fn check(arguments: &SweepArguments, varied: &[Varied]) -> Result<(), Failure> {
    let names: Vec<&str> = varied.iter().map(|varied| varied.parameter.name).collect();
    if let [first, second] = names[..]
        && first == second
    {
        return Err(Failure::new(format!("--vary: {first} is varied twice")));
    }
    if let Some(both) = arguments.parameters.names().find(|name| names.contains(name)) {
        return Err(Failure::new(format!("--{both} is given, and --vary varies it")));
    }
    Ok(())
}

fn show(out: &mut impl Write, swept: &Swept) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}", swept.title())?;
    writeln!(out, "{DIM}{}{DIM:#}", wrapped(&format!("{}; median (quartiles)", swept.design()), 0))?;
    for (title, points) in swept.slices() {
        let place = title.as_ref().map_or(String::new(), |title| format!("  {title}"));
        for measure in Measure::ALL {
            writeln!(out, "\n{BOLD}{}{place}{BOLD:#}  {DIM}{}{DIM:#}\n", measure.title(), measure.words())?;
            let (columns, rows) = swept.table(measure, &points);
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            writeln!(out, "{}", table(&columns, rows).trim_end())?;
            if measure == Measure::Expanded {
                writeln!(out)?;
                bars(out, &swept.bands(measure, title.as_deref(), &points).medians())?;
            }
            writeln!(out)?;
            for trend in swept.trends(measure, &points) {
                writeln!(out, "  {}", wrapped(&trend, 4))?;
            }
        }
    }
    for remark in swept.remarks() {
        writeln!(out, "\n{WARNING}{}{WARNING:#}", wrapped(&remark, 0))?;
    }
    Ok(())
}
