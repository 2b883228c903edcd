//! `admissible cluster plan`: estimates the resources for an instance from a sample of the search.
//!
//! A* runs for some seconds on this machine. The sizes of its f-layers, and the ratio of one layer to the next, are
//! extrapolated to the layers that it did not reach. How many layers follow depends on the optimal cost, which is
//! unknown; weighted A* may give an upper bound.

use std::io::{self, Write};
use std::time::Duration;

use admissible_front::{AnswerOutcome, Limits, Plan, Registry, Stats, Stop, Task, Weight};
use admissible_lab::numbers::{bytes, grouped};
use clap::Args;
use serde_json::{Value, json};

use crate::args::{InputArguments, LimitArguments, PlainFormat, parse_time};
use crate::input::{open_task, shown};
use crate::progress::Progress;
use crate::show::{BOLD, DIM};
use crate::{Exit, Failure};

const AFTER_HELP: &str = "\
The figures are an extrapolation: what a search would take if its layers keep growing as those of the \
sample did. The optimal length is known at best as a range. Memory does not include states in flight \
between hosts; four fifths of a host's memory are taken to be free.

Examples:
  admissible cluster plan board.txt                         ten seconds of A*, and an estimate of the rest
  admissible cluster plan board.txt -H manhattan --sample 60s

Exit codes: 0 estimated, or solved within the sample; 1 proved unsolvable; 2 bad input; 3 the sample is too short; \
130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PlanArguments {
    #[command(flatten)]
    input: InputArguments,
    /// The heuristic, or an expression (names: admissible list PUZZLE) [default: the strongest admissible one]
    #[arg(long, short = 'H', allow_hyphen_values = true, value_name = "HEURISTIC")]
    heuristic: Option<String>,
    /// How long to search for the sample
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "10s")]
    sample: Duration,
    /// What to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    format: PlainFormat,
}

/// Sizes of hosts, in GiB.
const HOSTS: [u64; 3] = [8, 32, 128];
/// The share of a host's memory that a search can have.
const USABLE: f64 = 0.8;
/// The number of last ratios between layers to use.
const RATIOS: usize = 3;
/// Smaller layers are ignored: their growth is not typical.
const LEAST: u64 = 100;
/// The most rows of the table.
const ROWS: usize = 10;

/// The growth of layers.
#[derive(Debug, PartialEq)]
struct Growth {
    /// The last complete layer, its states, and the states of all layers up to it.
    last: (u32, f64, f64),
    /// The difference of f between two layers.
    step: u32,
    /// The least, the mean and the greatest of the last ratios.
    ratios: [f64; 3],
}

impl Growth {
    /// `None` if there are too few layers.
    fn of(begins: &[(u32, u64)]) -> Option<Self> {
        let whole: Vec<(u32, u64)> = begins.windows(2).map(|pair| (pair[0].0, pair[1].1 - pair[0].1)).collect();
        let grown: Vec<(u32, u64)> = whole.into_iter().filter(|&(_, states)| states >= LEAST).collect();
        let late = &grown[grown.len().saturating_sub(RATIOS + 1)..];
        let ratios: Vec<f64> = late.windows(2).map(|pair| pair[1].1 as f64 / pair[0].1 as f64).collect();
        if ratios.len() < 2 {
            return None;
        }
        let [before, last] = late[late.len() - 2..] else { return None };
        let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
        let all = begins.last().map_or(0, |&(_, expanded)| expanded);
        Some(Growth {
            last: (last.0, last.1 as f64, all as f64),
            step: last.0 - before.0,
            ratios: [
                ratios.iter().copied().fold(f64::INFINITY, f64::min),
                mean.exp(),
                ratios.iter().copied().fold(0.0, f64::max),
            ],
        })
    }

    /// The states up to and including a layer, extrapolated with a ratio.
    fn states_up_to(&self, layer: u32, ratio: f64) -> f64 {
        let (last, mut states, mut all) = self.last;
        for _ in 0..layer.saturating_sub(last).div_ceil(self.step) {
            states *= ratio;
            all += states;
        }
        all
    }
}

/// The estimate for an optimal length: at least the layers before it, at most its own layer as well.
struct Row {
    length: u32,
    states: [f64; 2],
    bytes: [f64; 2],
}

pub(crate) fn run(arguments: &PlanArguments, puzzles: Registry) -> Result<Exit, Failure> {
    let file = &arguments.input.file;
    let task = open_task(file, &arguments.input.reading, puzzles)?;
    let limits = LimitArguments { time_limit: Some(arguments.sample), memory_limit: None, node_limit: None }.limits();
    let plan =
        Plan { algorithm: Some("astar".into()), heuristic: arguments.heuristic.clone(), limits, ..Plan::default() };
    let (_, heuristic) = task.choice(&plan)?;
    let mut progress = Progress::new();
    let answer = task.solve(&plan, &mut progress, None)?;
    progress.clear();
    let found = match &answer.outcome {
        AnswerOutcome::Stopped { why: Stop::Interrupted, .. } => return Ok(Exit::Interrupted),
        AnswerOutcome::Stopped { .. } => None,
        AnswerOutcome::Solved(solved) => Some((format!("solved in {} {}s", solved.cost, answer.unit), Exit::Answered)),
        AnswerOutcome::Unsolvable { .. } => Some(("proved unsolvable".into(), Exit::Refuted)),
    };
    let mut out = anstream::stdout().lock();
    let states = answer.stats.expanded;
    if let Some((how, exit)) = found {
        let took = bytes(answer.stats.peak_bytes);
        match arguments.format {
            PlainFormat::Json => {
                let sample = sample_json(&answer.stats, answer.seconds);
                let object = json!({"file": file, "heuristic": heuristic, "sample": sample, "outcome": how});
                writeln!(out, "{object}")?;
            }
            PlainFormat::Text => {
                writeln!(
                    out,
                    "{how} within the sample, with {} states in {took}: one host is enough",
                    grouped(states)
                )?;
            }
        }
        return Ok(exit);
    }
    let reached = progress.layers().last().map_or(0, |&(layer, _)| layer);
    let Some(growth) = Growth::of(progress.layers()) else {
        crate::tell("the sample has too few layers to estimate their growth: try a longer --sample");
        return Ok(Exit::Stopped);
    };
    let longest = upper_bound(&task, &heuristic, limits, &mut progress)?;
    let per_state = answer.stats.peak_bytes as f64 / states.max(1) as f64;
    let rows = rows(&growth, reached, longest, per_state);
    match arguments.format {
        PlainFormat::Json => {
            let object = json!({
                "file": file, "heuristic": heuristic, "sample": sample_json(&answer.stats, answer.seconds),
                "growth": {
                    "step": growth.step,
                    "least": growth.ratios[0],
                    "mean": growth.ratios[1],
                    "most": growth.ratios[2],
                },
                "bytes_per_state": per_state, "lower_bound": reached, "upper_bound": longest,
                "estimates": rows.iter().map(Row::json).collect::<Vec<_>>(),
            });
            writeln!(out, "{object}")?;
        }
        PlainFormat::Text => {
            writeln!(out, "{BOLD}{}{BOLD:#}  {}", answer.puzzle, shown(file))?;
            writeln!(
                out,
                "sample: {} states with {heuristic} in {:.1} s, {per_state:.1} bytes each; \
                 layers grow by {:.2} ({:.2} to {:.2}) every {} {}",
                grouped(states),
                answer.seconds,
                growth.ratios[1],
                growth.ratios[0],
                growth.ratios[2],
                growth.step,
                if growth.step == 1 { answer.unit.into() } else { format!("{}s", answer.unit) }
            )?;
            let most = longest.map_or("no upper bound is known".to_string(), |longest| format!("at most {longest}"));
            writeln!(out, "a shortest solution has at least {reached} {}s, and {most}\n", answer.unit)?;
            show(&mut out, &rows)?;
            writeln!(out, "\n{DIM}extrapolated from the sample: an estimate, not a bound{DIM:#}")?;
        }
    }
    Ok(Exit::Answered)
}

fn sample_json(stats: &Stats, seconds: f64) -> Value {
    json!({"expanded": stats.expanded, "bytes": stats.peak_bytes, "seconds": seconds})
}

/// The length of a suboptimal solution, if one is found soon.
fn upper_bound(task: &Task, heuristic: &str, limits: Limits, progress: &mut Progress) -> Result<Option<u32>, Failure> {
    let mut best = None;
    // By increasing weight: the first that finds a solution finds the best one.
    for weight in [Weight::new(3, 2), Weight::new(3, 1)] {
        let plan = Plan {
            algorithm: Some("wastar".into()),
            heuristic: Some(heuristic.into()),
            weight,
            limits: Limits { time: limits.time.map(|time| time / 2), ..limits },
            ..Plan::default()
        };
        let answer = task.solve(&plan, progress, None)?;
        progress.clear();
        if let AnswerOutcome::Solved(solved) = &answer.outcome {
            best = Some(solved.cost);
            break;
        }
    }
    Ok(best)
}

fn rows(growth: &Growth, reached: u32, longest: Option<u32>, per_state: f64) -> Vec<Row> {
    let last = longest.unwrap_or(u32::MAX);
    let lengths = (0..ROWS as u32).map(|at| reached + at * growth.step).take_while(|&length| length <= last);
    lengths
        .map(|length| {
            let before = length.saturating_sub(growth.step);
            let states = [growth.states_up_to(before, growth.ratios[0]), growth.states_up_to(length, growth.ratios[2])];
            Row { length, states, bytes: states.map(|states| states * per_state) }
        })
        .collect()
}

impl Row {
    /// The least and the greatest number of hosts with `gib` GiB each.
    fn hosts(&self, gib: u64) -> [u64; 2] {
        let usable = gib as f64 * USABLE * (1_u64 << 30) as f64;
        self.bytes.map(|bytes| (bytes / usable).ceil().max(1.0) as u64)
    }

    fn json(&self) -> Value {
        let hosts = HOSTS.map(|gib| json!({"gib": gib, "least": self.hosts(gib)[0], "most": self.hosts(gib)[1]}));
        let [states, bytes] = [self.states, self.bytes].map(|range| range.map(f64::round));
        json!({"length": self.length, "states": states, "bytes": bytes, "hosts": hosts})
    }
}

/// A range, or one number if both look the same.
fn range(values: [String; 2]) -> String {
    let [least, most] = values;
    if least == most { least } else { format!("{least} - {most}") }
}

/// A large number in a few characters.
fn rounded(number: f64) -> String {
    match number {
        _ if number < 1e6 => grouped(number.round() as u64),
        _ if number < 1e9 => format!("{:.1} M", number / 1e6),
        _ if number < 1e12 => format!("{:.1} G", number / 1e9),
        _ => format!("{number:.1e}"),
    }
}

fn show(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let [small, middle, large] = HOSTS.map(|gib| format!("{gib} GiB"));
    let head =
        format!("  {:>6}  {:>23}  {:>23}  {:>15}  {:>15}  {:>15}", "length", "states", "memory", small, middle, large);
    writeln!(out, "{DIM}{head}{DIM:#}")?;
    for row in rows {
        let states = range(row.states.map(rounded));
        let memory = range(row.bytes.map(|amount| bytes(amount.min(1e18) as u64)));
        let [small, middle, large] = HOSTS.map(|gib| range(row.hosts(gib).map(grouped)));
        writeln!(out, "  {:>6}  {states:>23}  {memory:>23}  {small:>15}  {middle:>15}  {large:>15}", row.length)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_extrapolated() {
        // Layers of 100, 200, 400 and 800 states; the next one has begun.
        let growth = Growth::of(&[(10, 0), (12, 100), (14, 300), (16, 700), (18, 1500)]).expect("enough layers");
        assert_eq!((growth.last, growth.step), ((16, 800.0, 1500.0), 2));
        assert!(growth.ratios.iter().all(|ratio| (ratio - 2.0).abs() < 1e-9));
        assert_eq!(growth.states_up_to(16, 2.0), 1500.0);
        assert_eq!(growth.states_up_to(20, 2.0), 1500.0 + 1600.0 + 3200.0);
        let rows = rows(&growth, 18, Some(21), 10.0);
        assert_eq!(rows.iter().map(|row| row.length).collect::<Vec<_>>(), [18, 20]);
        assert!((rows[0].states[0] - 1500.0).abs() < 1e-6 && (rows[0].states[1] - 3100.0).abs() < 1e-6);
        assert_eq!(rows[0].hosts(8), [1, 1]);
    }

    #[test]
    fn few_layers_give_no_estimate() {
        assert_eq!(Growth::of(&[(10, 0), (12, 5), (14, 300), (16, 700)]), None);
        assert_eq!(Growth::of(&[]), None);
    }
}
