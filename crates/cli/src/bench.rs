//! `admissible bench`: sets of instances with known optimal lengths.

use std::io::{self, Write};
use std::path::PathBuf;

use admissible_front::files::write_whole;
use admissible_front::{Answer, AnswerOutcome, BenchInstance, BenchSet, ReadOptions, Registry, Stop};
use admissible_lab::numbers::{count, grouped, seconds};
use clap::Args;
use serde_json::{Value, json};

use crate::args::{PlainFormat, SearchArguments, table_cache};
use crate::ending::{GRACE_TO_SUM_UP, cancel_forced_end, force_end_after, incomplete};
use crate::progress::Progress;
use crate::show::{BAD, BOLD, DIM, GOOD, WARNING};
use crate::{Exit, Failure};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct BenchArguments {
    /// The set
    set: String,
    /// Only these instances: 1-10,38
    #[arg(long, value_name = "NUMBERS")]
    only: Option<String>,
    #[command(flatten)]
    search: SearchArguments,
    /// What to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    format: PlainFormat,
    /// Write the figures as JSON to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Every length is compared with the known optimum; the nodes of idastar with manhattan are compared with those of a \
plain depth-first loop. Limits hold for each instance; for a stopped one, the remaining time is estimated.

Examples:
  admissible bench korf100                                          all 100, with the defaults
  admissible bench korf100 -a idastar -H walking-distance           another heuristic
  admissible bench korf50 -H pdb:6-6-6-6 --time-limit 1m            24-puzzles, a minute each

Exit codes: 0 every length is right; 1 one is wrong; 3 some instances stopped at a limit; 130 interrupted.";

/// The result of one instance.
struct Row {
    instance: BenchInstance,
    answer: Answer,
    /// The estimated remaining time of a stopped search.
    more_seconds: Option<f64>,
}

impl Row {
    fn cost(&self) -> Option<u32> {
        match &self.answer.outcome {
            AnswerOutcome::Solved(solved) => Some(solved.cost),
            _ => None,
        }
    }

    /// Whether the answer is the known one; `None` if there is no answer.
    fn right(&self) -> Option<bool> {
        match &self.answer.outcome {
            AnswerOutcome::Solved(solved) => {
                Some(solved.cost == self.instance.cost && self.nodes_right() != Some(false))
            }
            AnswerOutcome::Unsolvable { .. } => Some(false),
            AnswerOutcome::Stopped { lower_bound, .. } if *lower_bound > self.instance.cost => Some(false),
            AnswerOutcome::Stopped { .. } => None,
        }
    }

    /// Whether the number of generated states is the known one; `None` if none is known for this search.
    fn nodes_right(&self) -> Option<bool> {
        let defined = self.answer.algorithm == "idastar" && self.answer.heuristic == "manhattan";
        self.instance.idastar_manhattan.filter(|_| defined).map(|nodes| nodes == self.answer.stats.generated)
    }

    fn interrupted(&self) -> bool {
        matches!(self.answer.outcome, AnswerOutcome::Stopped { why: Stop::Interrupted, .. })
    }

    fn json(&self) -> Value {
        let lower_bound = match &self.answer.outcome {
            AnswerOutcome::Stopped { lower_bound, .. } => json!(lower_bound),
            _ => Value::Null,
        };
        json!({
            "number": self.instance.number,
            "optimum": self.instance.cost,
            "cost": self.cost(),
            "right": self.right(),
            "nodes_right": self.nodes_right(),
            "lower_bound": lower_bound,
            "algorithm": self.answer.algorithm,
            "heuristic": self.answer.heuristic,
            "expanded": self.answer.stats.expanded,
            "generated": self.answer.stats.generated,
            "seconds": self.answer.seconds,
            "estimated_more_seconds": self.more_seconds,
        })
    }
}

pub(crate) fn run(arguments: &BenchArguments, puzzles: Registry) -> Result<Exit, Failure> {
    let set = find(&arguments.set, puzzles)?;
    let wanted = arguments.only.as_deref().map(numbers).transpose()?;
    let mut instances = set.instances();
    if let Some(wanted) = &wanted {
        if let Some(missing) = wanted.iter().find(|&&number| instances.iter().all(|known| known.number != number)) {
            return Err(Failure::new(format!("--only: {} has no instance {missing}", set.name)));
        }
        instances.retain(|instance| wanted.contains(&instance.number));
    }
    let plan = arguments.search.plan();
    let options = ReadOptions { goal: set.goal.map(Into::into), table_cache: table_cache(), ..ReadOptions::default() };
    let text = arguments.format == PlainFormat::Text;
    let mut out = anstream::stdout().lock();
    if text {
        writeln!(out, "{BOLD}{}{BOLD:#}: {}", set.name, set.summary)?;
        writeln!(
            out,
            "{DIM}{:>6} {:>6} {:>16} {:>16} {:>10}{DIM:#}",
            "number", "length", "expanded", "generated", "time"
        )?;
    }
    force_end_after(GRACE_TO_SUM_UP, |why| incomplete("no summary", why));
    let mut rows: Vec<Row> = Vec::new();
    for instance in instances {
        let task = puzzles.open(&instance.text, Some(set.puzzle), &options).map_err(Failure::new)?;
        let mut progress = Progress::new();
        let answer = task.solve(&plan, &mut progress, None)?;
        progress.clear();
        let more_seconds = more_seconds(&progress, &instance, &answer);
        let row = Row { instance, answer, more_seconds };
        if text {
            show(&mut out, &row)?;
        }
        let interrupted = row.interrupted();
        rows.push(row);
        if interrupted {
            break;
        }
    }
    cancel_forced_end();
    let document = json!({
        "set": set.name,
        "version": env!("CARGO_PKG_VERSION"),
        "instances": rows.iter().map(Row::json).collect::<Vec<Value>>(),
        "total": total(&rows),
    });
    if text {
        summary(&mut out, &rows)?;
    } else {
        writeln!(out, "{document}")?;
    }
    if let Some(path) = &arguments.save {
        write_whole(path, |out| writeln!(out, "{document}")).map_err(|error| Failure::at(path, error))?;
    }
    Ok(if rows.iter().any(Row::interrupted) {
        Exit::Interrupted
    } else if rows.iter().any(|row| row.right() == Some(false)) {
        Exit::Refuted
    } else if rows.iter().any(|row| row.right().is_none()) {
        Exit::Stopped
    } else {
        Exit::Answered
    })
}

/// The share of its last iteration that `idastar-pruned` needs, because it orders subtrees by their previous depth.
/// All measured 24-puzzles needed less, some 15-puzzles need more.
const SHARE_IN_ORDER: f64 = 0.1;

/// The estimated remaining time of a stopped search, by the growth of its iterations.
fn more_seconds(progress: &Progress, instance: &BenchInstance, answer: &Answer) -> Option<f64> {
    let AnswerOutcome::Stopped { .. } = answer.outcome else { return None };
    let share = if answer.algorithm == "idastar-pruned" { SHARE_IN_ORDER } else { 1.0 };
    let expansions = progress.growth()?.left_until(instance.cost, share, answer.stats.expanded)?;
    Some(expansions * answer.seconds / answer.stats.expanded as f64)
}

fn find(name: &str, puzzles: Registry) -> Result<&'static BenchSet, Failure> {
    let names: Vec<&str> = puzzles.bench_sets().map(|set| set.name).collect();
    let expected = if names.is_empty() { "none".into() } else { names.join(" or ") };
    let unknown = || Failure::new(format!("unknown set '{name}', expected {expected}"));
    puzzles.bench_sets().find(|set| set.name == name).ok_or_else(unknown)
}

/// Parses numbers and ranges, separated by commas.
fn numbers(list: &str) -> Result<Vec<usize>, Failure> {
    let mut numbers = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let range = first.trim().parse::<usize>().ok().zip(last.trim().parse::<usize>().ok());
        let expected = || Failure::new(format!("--only: expected numbers such as 1-10,38, found '{part}'"));
        let (first, last) = range.filter(|(first, last)| first <= last && *last <= 10_000).ok_or_else(expected)?;
        numbers.extend(first..=last);
    }
    Ok(numbers)
}

fn show(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let Row { instance, answer, more_seconds } = row;
    let length = match (row.right(), row.cost()) {
        (Some(true), Some(cost)) => format!("{GOOD}{cost:>6}{GOOD:#}"),
        (None, _) => format!("{WARNING}{:>6}{WARNING:#}", "-"),
        (_, Some(cost)) if cost == instance.cost => {
            let nodes = instance.idastar_manhattan.unwrap_or_default();
            format!("{cost:>6} {BAD}(should generate {}){BAD:#}", grouped(nodes))
        }
        (_, cost) => {
            let cost = cost.map_or("none".into(), |cost| cost.to_string());
            format!("{BAD}{cost:>6}{BAD:#} (should be {})", instance.cost)
        }
    };
    let (expanded, generated) = (grouped(answer.stats.expanded), grouped(answer.stats.generated));
    let stopped = match &answer.outcome {
        AnswerOutcome::Stopped { why, lower_bound } => {
            let more = more_seconds.map(|more| format!(", about {} more", duration(more)));
            format!("  stopped {}, at least {lower_bound}{}", why.phrase(), more.unwrap_or_default())
        }
        _ => String::new(),
    };
    writeln!(
        out,
        "{:>6} {length} {expanded:>16} {generated:>16} {:>10}{stopped}",
        instance.number,
        seconds(answer.seconds)
    )
}

fn total(rows: &[Row]) -> Value {
    let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
    json!({
        "instances": rows.len(),
        "right": rows.iter().filter(|row| row.right() == Some(true)).count(),
        "wrong": rows.iter().filter(|row| row.right() == Some(false)).count(),
        "stopped": rows.iter().filter(|row| row.right().is_none()).count(),
        "expanded": sum(|row| row.answer.stats.expanded),
        "generated": sum(|row| row.answer.stats.generated),
        "seconds": rows.iter().map(|row| row.answer.seconds).sum::<f64>(),
        "in_a_night": in_a_night(rows),
    })
}

/// The number of instances that would be solved in a night, shortest first, by measured and estimated times.
fn in_a_night(rows: &[Row]) -> usize {
    let needed = |row: &Row| match row.right() {
        Some(_) => Some(row.answer.seconds),
        None => row.more_seconds.map(|more| row.answer.seconds + more),
    };
    let mut times: Vec<f64> = rows.iter().filter_map(needed).collect();
    times.sort_by(f64::total_cmp);
    let mut total = 0.0;
    times
        .iter()
        .take_while(|&&time| {
            total += time;
            total <= NIGHT
        })
        .count()
}

/// Eight hours.
const NIGHT: f64 = 8.0 * 3600.0;

/// A duration in its largest units.
fn duration(time: f64) -> String {
    match time as u64 {
        0..120 => seconds(time),
        whole @ 120..7200 => format!("{} min", whole / 60),
        whole @ 7200..172_800 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        whole => format!("{} days", whole / 86_400),
    }
}

fn summary(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let total = total(rows);
    let number = |key: &str| total[key].as_u64().unwrap_or_default();
    let time = total["seconds"].as_f64().unwrap_or_default();
    let rate = if time > 0.0 { (number("generated") as f64 / time) as u64 } else { 0 };
    let style = if number("wrong") == 0 { GOOD } else { BAD };
    writeln!(
        out,
        "\n{style}{} of {} right{style:#}, {} wrong, {} stopped; {} generated in {} ({}/s)",
        number("right"),
        rows.len(),
        number("wrong"),
        number("stopped"),
        grouped(number("generated")),
        seconds(time),
        count(rate),
    )?;
    if rows.iter().any(|row| row.more_seconds.is_some()) {
        let ended = number("in_a_night");
        writeln!(
            out,
            "By the growth of their bounds, {ended} of {} would end within a night of eight hours.",
            rows.len()
        )?;
    }
    Ok(())
}
