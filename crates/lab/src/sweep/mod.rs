//! How the work grows: seeded random instances over a range of parameters, and the same instances for every heuristic.
//!
//! What is shown of a sample is its median and quartiles. A run that a limit stopped would have taken more than it did:
//! its expansions and its time count as *at least* so much, and where a median or quartile rests on such a run it is a
//! lower bound and says so. Depth, effective branching and relative error exist only for runs with an answer; how many
//! those are is always told beside.

mod measure;
mod sheets;
mod trends;

use std::fmt;

use admissible_front::{
    Card, Entry, GenerateFailure, Parameters, Plan, PlanError, ReadOptions, Setting, Truth, generate,
};

use crate::chart::{Bands, Labels, Line, Parameter as Places};
use crate::run::{Combination, Run, Watch};
use crate::vary::{Varied, place};
use measure::Taken;
pub use measure::{Figures, Measure, Middle};

/// What to draw and how often.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// The kind of puzzle.
    pub puzzle: &'static dyn Entry,
    /// What is varied: one parameter, or two for a grid.
    pub varied: Vec<Varied>,
    /// Instances for each value, or each pair of values.
    pub samples: usize,
    /// The same seed gives the same instances.
    pub seed: u64,
    /// What is the same for all instances.
    pub parameters: Parameters,
    /// How they are read: with the tables that somebody keeps, or each with tables of its own.
    pub reading: ReadOptions,
}

/// Why there was no sweep.
#[derive(Debug)]
#[non_exhaustive]
pub enum SweepError {
    /// An instance could not be made.
    Generate(GenerateFailure),
    /// A name is not known, or the referee refuses a solution.
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

/// The heuristics of a puzzle that never overestimate, but for the one that knows nothing.
pub fn admissible_heuristics(card: &Card) -> Vec<String> {
    let sound = card.heuristics.iter().filter(|card| card.admissible == Truth::Yes && card.name != "zero");
    sound.map(|card| card.name.to_string()).collect()
}

/// An instance before anything ran on it.
struct Instance {
    point: usize,
    seed: u64,
    text: String,
}

/// An instance with the runs on it.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The number of its point.
    pub point: usize,
    /// The seed that `generate` makes it from.
    pub seed: u64,
    /// A run for each combination, in their order; fewer if it was interrupted.
    pub runs: Vec<Run>,
    /// What the heuristic of each combination says of the start.
    estimates: Vec<Option<f64>>,
}

/// A sweep with everything that came of it.
#[derive(Debug, Clone)]
pub struct Swept {
    /// What was asked for.
    pub sweep: Sweep,
    /// The settings of each point, in the order of the parameters.
    pub points: Vec<Vec<Setting>>,
    /// What ran on every instance.
    pub combinations: Vec<Combination>,
    /// The instances.
    pub samples: Vec<Sample>,
    /// Instances that were not found: almost everything is unsolvable there.
    pub luckless: usize,
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

    /// The seed of an instance: far apart for neighbouring seeds of sweeps, and short enough to be typed.
    fn seed_of(&self, sample: usize) -> u64 {
        let mut mixed = self.seed.wrapping_add((sample as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9_u64), (27, 0x94d0_49bb_1331_11eb)] {
            mixed = (mixed ^ mixed >> shift).wrapping_mul(factor);
        }
        (mixed ^ mixed >> 31) % 1_000_000_000
    }

    /// Makes every instance, then runs every combination on each.
    ///
    /// # Errors
    /// If there are no such instances or a name is not known: then nothing has run.
    pub fn run(self, combinations: Vec<Combination>, plan: &Plan, watch: &mut dyn Watch) -> Result<Swept, SweepError> {
        let points = self.points();
        let mut swept =
            Swept { sweep: self, points, combinations, samples: Vec::new(), luckless: 0, interrupted: false };
        let Some(instances) = swept.instances(watch)? else {
            swept.interrupted = true;
            return Ok(swept);
        };
        let of = instances.len() * swept.combinations.len();
        for (at, Instance { point, seed, text }) in instances.into_iter().enumerate() {
            let task = swept.sweep.puzzle.open(&text, &swept.sweep.reading).expect("it was just written");
            for combination in &swept.combinations {
                match task.choice(&combination.plan(plan)) {
                    Ok(_) | Err(PlanError::NotBackward(_)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            let mut sample = Sample { point, seed, runs: Vec::new(), estimates: Vec::new() };
            for (number, combination) in swept.combinations.iter().enumerate() {
                let title = format!("{} {}", swept.name_of(point), combination.title());
                if watch.begin(at * swept.combinations.len() + number, of, &title) {
                    sample.runs.push(combination.run(&task, plan, watch)?);
                } else {
                    swept.interrupted = true;
                }
                // A run that was cut short by a person says nothing about the work.
                if sample.runs.pop_if(|run| run.interrupted()).is_some() {
                    swept.interrupted = true;
                }
                if swept.interrupted {
                    break;
                }
                // Only now: the run has made the tables, and listened for the end meanwhile.
                let estimate = combination.heuristic.as_ref().map(|heuristic| task.estimate(heuristic));
                sample.estimates.push(estimate.transpose()?.flatten());
            }
            swept.samples.push(sample);
            if swept.interrupted {
                break;
            }
        }
        Ok(swept)
    }
}

impl Swept {
    /// The text of every instance with its point and seed; `None` if it was interrupted.
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
                    Ok(text) => instances.push(Instance { point, seed, text }),
                    Err(GenerateFailure::NoneSolvable(_)) => self.luckless += 1,
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

    /// The parts of a grid: what the second parameter is, and the numbers of the points. All points if there is none.
    pub fn slices(&self) -> Vec<(Option<String>, Vec<usize>)> {
        let width = self.sweep.varied.first().map_or(1, |varied| varied.settings.len());
        let title = |from: usize| {
            let second = self.sweep.varied.get(1)?;
            Some(format!("{}={}", second.parameter.name, self.points[from][1]))
        };
        let points: Vec<usize> = (0..self.points.len()).collect();
        points.chunks(width).map(|chunk| (title(chunk[0]), chunk.to_vec())).collect()
    }

    /// The instances of a point: they lie together, in the order of the points.
    fn at(&self, point: usize) -> &[Sample] {
        let begin = self.samples.partition_point(|sample| sample.point < point);
        let end = self.samples.partition_point(|sample| sample.point <= point);
        &self.samples[begin..end]
    }

    /// What a measure came to on the instances of a point.
    pub fn figures(&self, point: usize, combination: usize, measure: Measure) -> Figures {
        let with_run = |sample| Some((sample, Sample::run(sample, combination)?));
        let runs: Vec<(&Sample, &Run)> = self.at(point).iter().filter_map(with_run).collect();
        let values: Vec<Taken> = runs.iter().filter_map(|(sample, run)| measure.of(sample, combination, run)).collect();
        Figures {
            runs: runs.len(),
            solved: runs.iter().filter(|(_, run)| run.cost().is_some()).count(),
            middle: Middle::of(&values),
        }
    }

    /// Medians and quartiles of a measure against the first parameter, for a slice.
    pub fn bands(&self, measure: Measure, title: Option<&str>, points: &[usize]) -> Bands {
        let varied = &self.sweep.varied[0];
        let settings: Vec<&Setting> = points.iter().map(|&point| &self.points[point][0]).collect();
        let parameter = if settings.iter().all(|setting| matches!(setting, Setting::Size(..))) {
            Places::Names(settings.iter().map(ToString::to_string).collect())
        } else {
            Places::Numbers(settings.into_iter().map(place).collect())
        };
        let names = self.names();
        let line = |at: usize| Line {
            name: names[at].clone(),
            points: points.iter().map(|&point| Some(self.figures(point, at, measure).middle?.quartiles)).collect(),
        };
        let place = title.map_or(String::new(), |title| format!(", {title}"));
        Bands {
            labels: Labels::new(
                format!("{}: {}{place}", self.sweep.puzzle.card().name, measure.title()),
                varied.parameter.name,
                measure.title(),
            ),
            parameter,
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

    /// By what part of the true distance the heuristic of a combination falls short of it at the start.
    fn relative_error(&self, combination: usize) -> Option<f64> {
        let optimum = self.runs.iter().find_map(Run::proved_optimum).filter(|&cost| cost > 0)?;
        let estimate = self.estimates.get(combination).copied().flatten()?;
        Some((f64::from(optimum) - estimate) / f64::from(optimum))
    }
}

#[cfg(test)]
mod tests {
    use admissible_front::Limits;

    use super::*;
    use crate::select::read_algorithms;

    fn sweep(puzzle: &str, varied: &[&str], samples: usize) -> Sweep {
        let puzzle = admissible_puzzles::PUZZLES.entry(puzzle).expect("there is one");
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
        sweep.run(combinations, &Plan { limits, ..Plan::default() }, &mut ()).expect("it can be made")
    }

    #[test]
    fn instances_are_the_same_for_every_heuristic_and_every_time() {
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
            assert_eq!(sample.relative_error(0), Some(1.0), "zero knows nothing");
        }
        let slices: Vec<Option<String>> = first.slices().into_iter().map(|(title, _)| title).collect();
        assert_eq!(slices, [Some("density=0".into()), Some("density=0.3".into())]);
    }

    #[test]
    fn growth_is_told_and_the_lack_of_it_too() {
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
    fn what_was_stopped_is_a_lower_bound_only_where_it_matters() {
        let exact = |value| Taken { at_least: value, exact: true };
        let stopped = |value| Taken { at_least: value, exact: false };
        let middle = |values: &[Taken]| Middle::of(values).map(|middle| (middle.quartiles.median, middle.at_least));
        assert_eq!(middle(&[exact(1.0), exact(2.0), stopped(9.0)]), Some((2.0, false)));
        assert_eq!(middle(&[exact(1.0), exact(2.0), stopped(1.5)]), Some((1.5, true)));
        assert_eq!(middle(&[stopped(5.0), stopped(6.0), exact(1.0)]), Some((5.0, true)));
        assert_eq!(middle(&[]), None);
    }

    #[test]
    fn stopped_runs_are_told() {
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
    fn what_a_puzzle_does_not_know_cannot_be_given() {
        let mut sweep = sweep("die", &["size=4"], 2);
        sweep.parameters.set("pieces", Setting::Count(1));
        let error = sweep.run(Vec::new(), &Plan::default(), &mut ()).expect_err("a maze has no pieces");
        assert_eq!(error.to_string(), "--pieces: die has no use for it, only for --size, --density");
    }
}
