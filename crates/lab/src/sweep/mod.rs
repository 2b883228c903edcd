//! Sweeps: the work of searches on seeded random instances over a range of parameters. Every heuristic gets the same
//! instances.
//!
//! A sample is summarised by its median and quartiles. Runs that a limit stopped are censored: their expansions and
//! time are lower bounds, and a median that depends on them is marked as one. Depth, effective branching and relative
//! error exist only for runs with an answer, whose number is always shown.

mod measure;
mod sheets;
mod trends;

use std::fmt;

use admissible_front::{
    BranchingBound, Card, Entry, GenerateFailure, Parameters, Plan, PlanError, ReadOptions, Setting, Truth, generate,
};

use crate::chart::{Bands, Labels, Line, XAxis};
use crate::run::{Combination, Run, Watch};
use crate::vary::{Varied, numeric};
use measure::Observation;
pub use measure::{CensoredQuartiles, Figures, Measure};

/// The design of a sweep.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// The puzzle.
    pub puzzle: &'static dyn Entry,
    /// The varied parameters: one, or two for a grid.
    pub varied: Vec<Varied>,
    /// Instances for each value, or each pair of values.
    pub samples: usize,
    /// The seed of the instances.
    pub seed: u64,
    /// The fixed parameters.
    pub parameters: Parameters,
    /// The options for reading, such as a shared table cache.
    pub reading: ReadOptions,
}

/// Why a sweep failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum SweepError {
    /// An instance could not be generated.
    Generate(GenerateFailure),
    /// A name is unknown, or the referee refuses a solution.
    Plan(PlanError),
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SweepError::Generate(error) => error.fmt(f),
            SweepError::Plan(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SweepError {}

impl From<PlanError> for SweepError {
    fn from(error: PlanError) -> Self {
        SweepError::Plan(error)
    }
}

/// The admissible heuristics of a puzzle, without zero.
pub fn admissible_heuristics(card: &Card) -> Vec<String> {
    let sound = card.heuristics.iter().filter(|card| card.admissible == Truth::Yes && card.name != "zero");
    sound.map(|card| card.name.to_string()).collect()
}

/// An instance with the runs on it.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The number of its point.
    pub point: usize,
    /// The seed of the instance for `generate`.
    pub seed: u64,
    /// A run for each combination, in their order; fewer if it was interrupted.
    pub runs: Vec<Run>,
}

/// A sweep with its results.
#[derive(Debug, Clone)]
pub struct Swept {
    /// The design.
    pub sweep: Sweep,
    /// The settings of each point, in the order of the parameters.
    pub points: Vec<Vec<Setting>>,
    /// The combinations that ran on every instance.
    pub combinations: Vec<Combination>,
    /// The instances.
    pub samples: Vec<Sample>,
    /// The number of instances that were not found, since almost all random ones are unsolvable.
    pub not_found: usize,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

impl Sweep {
    /// Every value of the first parameter for each value of the second.
    fn points(&self) -> Vec<Vec<Setting>> {
        match &self.varied[..] {
            [first, second] => {
                let row = |b| first.settings.iter().map(move |a: &Setting| vec![a.clone(), Setting::clone(b)]);
                second.settings.iter().flat_map(row).collect()
            }
            one => one.iter().flat_map(|varied| varied.settings.iter().map(|setting| vec![setting.clone()])).collect(),
        }
    }

    fn parameters(&self, point: &[Setting]) -> Parameters {
        let mut parameters = self.parameters.clone();
        for (varied, setting) in self.varied.iter().zip(point) {
            parameters.set(varied.parameter.name, setting.clone());
        }
        parameters
    }

    /// The seed of an instance: a hash (SplitMix64) of the sweep's seed and its number, with at most nine digits.
    fn seed_of(&self, sample: usize) -> u64 {
        let mut mixed = self.seed.wrapping_add((sample as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9_u64), (27, 0x94d0_49bb_1331_11eb)] {
            mixed = (mixed ^ mixed >> shift).wrapping_mul(factor);
        }
        (mixed ^ mixed >> 31) % 1_000_000_000
    }

    /// Generates every instance, then runs every combination on each.
    ///
    /// # Errors
    /// If an instance cannot be generated, a name is unknown, or the referee refuses a solution.
    pub fn run(self, combinations: Vec<Combination>, plan: &Plan, watch: &mut dyn Watch) -> Result<Swept, SweepError> {
        let points = self.points();
        let mut swept =
            Swept { sweep: self, points, combinations, samples: Vec::new(), not_found: 0, interrupted: false };
        let Some(instances) = swept.instances(watch)? else {
            swept.interrupted = true;
            return Ok(swept);
        };
        let of = instances.len() * swept.combinations.len();
        for (at, (point, seed, text)) in instances.into_iter().enumerate() {
            let task = swept.sweep.puzzle.open(&text, &swept.sweep.reading).expect("a generated instance can be read");
            for combination in &swept.combinations {
                match task.choice(&combination.plan(plan)) {
                    Ok(_) | Err(PlanError::NotBackward(_)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            let mut sample = Sample { point, seed, runs: Vec::new() };
            for (number, combination) in swept.combinations.iter().enumerate() {
                let title = format!("{} {}", swept.name_of(point), combination.title());
                if watch.begin(at * swept.combinations.len() + number, of, &title) {
                    sample.runs.push(combination.run(&task, plan, watch)?);
                } else {
                    swept.interrupted = true;
                }
                // An interrupted run says nothing about the work.
                if sample.runs.pop_if(|run| run.interrupted()).is_some() {
                    swept.interrupted = true;
                }
                if swept.interrupted {
                    break;
                }
            }
            swept.samples.push(sample);
            if swept.interrupted {
                break;
            }
        }
        Ok(swept)
    }
}

/// An instance: its point, its seed and its text.
type Instance = (usize, u64, String);

impl Swept {
    /// Every instance; `None` if it was interrupted.
    fn instances(&mut self, watch: &mut dyn Watch) -> Result<Option<Vec<Instance>>, SweepError> {
        let mut instances = Vec::new();
        let of = self.points.len() * self.sweep.samples;
        for (point, settings) in self.points.iter().enumerate() {
            let parameters = self.sweep.parameters(settings);
            for sample in 0..self.sweep.samples {
                let title = format!("{}, making instances", self.name_of(point));
                if !watch.begin(point * self.sweep.samples + sample, of, &title) {
                    return Ok(None);
                }
                let seed = self.sweep.seed_of(sample);
                match generate(self.sweep.puzzle, &parameters, seed, watch) {
                    Ok(text) => instances.push((point, seed, text)),
                    Err(GenerateFailure::NoneSolvable(_)) => self.not_found += 1,
                    Err(GenerateFailure::Interrupted) => return Ok(None),
                    Err(failure) => return Err(SweepError::Generate(failure)),
                }
            }
        }
        Ok(Some(instances))
    }

    /// The name of each combination.
    pub fn names(&self) -> Vec<String> {
        Combination::names(&self.combinations.iter().collect::<Vec<_>>())
    }

    /// The settings of a point in words.
    pub fn name_of(&self, point: usize) -> String {
        let parts = self.sweep.varied.iter().zip(&self.points[point]);
        let parts: Vec<String> =
            parts.map(|(varied, setting)| format!("{}={setting}", varied.parameter.name)).collect();
        parts.join(" ")
    }

    /// The slices of a grid: the value of the second parameter, if any, and the numbers of the points.
    pub fn slices(&self) -> Vec<(Option<String>, Vec<usize>)> {
        let width = self.sweep.varied.first().map_or(1, |varied| varied.settings.len());
        let title = |from: usize| {
            let second = self.sweep.varied.get(1)?;
            Some(format!("{}={}", second.parameter.name, self.points[from][1]))
        };
        let points: Vec<usize> = (0..self.points.len()).collect();
        points.chunks(width).map(|chunk| (title(chunk[0]), chunk.to_vec())).collect()
    }

    /// The instances of a point; samples are sorted by point.
    fn at(&self, point: usize) -> &[Sample] {
        let begin = self.samples.partition_point(|sample| sample.point < point);
        let end = self.samples.partition_point(|sample| sample.point <= point);
        &self.samples[begin..end]
    }

    /// The published bound on the branching of the instances of a point, if it is the same for all.
    pub(crate) fn bound_at(&self, point: usize) -> Option<BranchingBound> {
        let mut bounds = self.at(point).iter().flat_map(|sample| &sample.runs).filter_map(|run| run.branching_bound);
        let first = bounds.next()?;
        bounds.all(|bound| bound == first).then_some(first)
    }

    /// The figures of a measure on the instances of a point.
    pub fn figures(&self, point: usize, combination: usize, measure: Measure) -> Figures {
        let with_run = |sample| Some((sample, Sample::run(sample, combination)?));
        let runs: Vec<(&Sample, &Run)> = self.at(point).iter().filter_map(with_run).collect();
        let values: Vec<Observation> =
            runs.iter().filter_map(|(sample, run)| measure.of(sample, combination, run)).collect();
        Figures {
            runs: runs.len(),
            solved: runs.iter().filter(|(_, run)| run.cost().is_some()).count(),
            quartiles: CensoredQuartiles::of(&values),
        }
    }

    /// Medians and quartiles of a measure against the first parameter, for a slice.
    pub fn bands(&self, measure: Measure, title: Option<&str>, points: &[usize]) -> Bands {
        let varied = &self.sweep.varied[0];
        let settings: Vec<&Setting> = points.iter().map(|&point| &self.points[point][0]).collect();
        let x_axis = if settings.iter().all(|setting| matches!(setting, Setting::Size(..))) {
            XAxis::Names(settings.iter().map(ToString::to_string).collect())
        } else {
            XAxis::Numbers(settings.into_iter().map(numeric).collect())
        };
        let names = self.names();
        let line = |at: usize| Line {
            name: names[at].clone(),
            points: points.iter().map(|&point| Some(self.figures(point, at, measure).quartiles?.values)).collect(),
        };
        let place = title.map_or(String::new(), |title| format!(", {title}"));
        Bands {
            labels: Labels::new(
                format!("{}: {}{place}", self.sweep.puzzle.card().name, measure.title()),
                varied.parameter.name,
                measure.title(),
            ),
            x_axis,
            lines: (0..self.combinations.len()).map(line).collect(),
            missing: "no run with an answer".into(),
        }
    }

    /// Whether a limit stopped some run.
    pub fn stopped(&self) -> bool {
        self.samples.iter().flat_map(|sample| &sample.runs).any(Run::stopped)
    }
}

impl Sample {
    fn run(&self, combination: usize) -> Option<&Run> {
        self.runs.get(combination)
    }

    /// The cost of a cheapest solution, if some run proved it.
    fn optimum(&self) -> Option<u32> {
        self.runs.iter().find_map(Run::proved_optimum)
    }

    /// `b^(d (h* - h) / h*)`, where `b` is the branching of the run and `d` the depth of an optimal solution.
    fn predicted(&self, combination: usize) -> Option<f64> {
        let error = self.relative_error(combination)?;
        let branching = self.run(combination)?.mean_branching()?;
        Some(branching.powf(f64::from(self.optimum()?) * error))
    }

    /// The relative error `(h* - h) / h*` at the start, for the heuristic of a combination.
    fn relative_error(&self, combination: usize) -> Option<f64> {
        self.run(combination)?.relative_error(self.optimum())
    }
}

#[cfg(test)]
mod tests {
    use admissible_front::Limits;

    use super::*;
    use crate::select::read_algorithms;

    fn sweep(puzzle: &str, varied: &[&str], samples: usize) -> Sweep {
        let puzzle = admissible_puzzles::PUZZLES.entry(puzzle).expect("the registry has the puzzle");
        Sweep {
            puzzle,
            varied: varied.iter().map(|text| Varied::read(text, puzzle.card()).expect("a range")).collect(),
            samples,
            seed: 1,
            parameters: Parameters::default(),
            reading: ReadOptions::default(),
        }
    }

    fn swept(sweep: Sweep, heuristics: &[&str], limits: Limits) -> Swept {
        let heuristics: Vec<String> = heuristics.iter().map(|&name| name.into()).collect();
        let combinations = Combination::all(&read_algorithms("astar").expect("it is known"), &heuristics);
        sweep.run(combinations, &Plan { limits, ..Plan::default() }, &mut ()).expect("the sweep runs")
    }

    #[test]
    fn instances_depend_on_the_seed_alone() {
        let run = || swept(sweep("die", &["size=4,8", "density=0,0.3"], 3), &["zero", "manhattan"], Limits::default());
        let (first, again) = (run(), run());
        assert_eq!(first.points.len(), 4);
        assert_eq!(first.samples.len(), 12);
        for (sample, other) in first.samples.iter().zip(&again.samples) {
            assert_eq!((sample.point, sample.seed), (other.point, other.seed));
            let costs: Vec<Option<u32>> = sample.runs.iter().map(Run::cost).collect();
            assert!(costs[0].is_some() && costs[0] == costs[1], "{costs:?}");
            assert!(sample.runs[0].stats.expanded >= sample.runs[1].stats.expanded_before_last_layer);
            assert_eq!(sample.runs[0].stats, other.runs[0].stats);
            assert_eq!(sample.relative_error(0), Some(1.0), "zero estimates nothing");
        }
        let slices: Vec<Option<String>> = first.slices().into_iter().map(|(title, _)| title).collect();
        assert_eq!(slices, [Some("density=0".into()), Some("density=0.3".into())]);
    }

    #[test]
    fn trends_are_reported_only_if_clear() {
        let swept = swept(sweep("chexers", &["pieces=1..3"], 8), &["relaxed-jumps"], Limits::default());
        let points: Vec<usize> = (0..3).collect();
        let trend = swept.trend(Measure::Expanded, &points, 0);
        assert!(trend.starts_with("expanded grows with pieces: median "), "{trend}");
        assert!(trend.contains(" a piece; rank correlation 0."), "{trend}");
        let single = swept.trend(Measure::Expanded, &points[..1], 0);
        assert_eq!(single, "expanded: fewer than two values of pieces to compare, relaxed-jumps");
        // The same figures at two points.
        let mut flat = swept.clone();
        flat.samples.retain(|sample| sample.point == 1);
        let copies: Vec<Sample> = flat.samples.iter().map(|sample| Sample { point: 2, ..sample.clone() }).collect();
        flat.samples.extend(copies);
        let trend = flat.trend(Measure::Expanded, &[1, 2], 0);
        assert!(trend.starts_with("expanded: no clear trend with pieces (median "), "{trend}");
    }

    #[test]
    fn a_median_is_a_lower_bound_only_if_it_depends_on_stopped_runs() {
        let exact = |value| Observation { at_least: value, exact: true };
        let stopped = |value| Observation { at_least: value, exact: false };
        let median = |values: &[Observation]| {
            CensoredQuartiles::of(values).map(|quartiles| (quartiles.values.median, quartiles.at_least))
        };
        assert_eq!(median(&[exact(1.0), exact(2.0), stopped(9.0)]), Some((2.0, false)));
        assert_eq!(median(&[exact(1.0), exact(2.0), stopped(1.5)]), Some((1.5, true)));
        assert_eq!(median(&[stopped(5.0), stopped(6.0), exact(1.0)]), Some((5.0, true)));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn stopped_runs_are_reported() {
        let limits = Limits { expanded: Some(30), ..Limits::default() };
        let swept = swept(sweep("die", &["size=4,20"], 4), &["zero"], limits);
        assert!(swept.stopped());
        let figures = swept.figures(1, 0, Measure::Expanded);
        assert_eq!((figures.runs, figures.solved), (4, 0));
        assert_eq!(figures.text(Measure::Expanded), ">= 30 (30..30)");
        assert_eq!(swept.figures(1, 0, Measure::Depth).text(Measure::Depth), "-");
        assert!(swept.remarks()[0].contains("runs were stopped at a limit"), "{:?}", swept.remarks());
        assert_eq!(swept.json()["summaries"][1]["expanded"]["at_least"], true);
    }

    #[test]
    fn unknown_parameters_are_refused() {
        let mut sweep = sweep("die", &["size=4"], 2);
        sweep.parameters.set("pieces", Setting::Count(1));
        let error = sweep.run(Vec::new(), &Plan::default(), &mut ()).expect_err("a maze has no pieces");
        assert_eq!(error.to_string(), "--pieces: die has no use for it, only for --size, --density");
    }
}
