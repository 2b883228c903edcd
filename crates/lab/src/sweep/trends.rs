//! Trends of the figures, in sentences.

use super::{CensoredQuartiles, Measure, Swept};
use crate::chart::{Quartiles, number};
use crate::numbers::rank_correlation;
use crate::vary::numeric;

impl Swept {
    /// The trend of a measure in a slice: a sentence for each combination.
    pub fn trends(&self, measure: Measure, points: &[usize]) -> Vec<String> {
        let mut trends: Vec<String> = (0..self.combinations.len()).map(|at| self.trend(measure, points, at)).collect();
        match measure {
            Measure::LargestBranching => trends.extend(self.against_bound(points)),
            Measure::Predicted => {
                trends.extend((0..self.combinations.len()).filter_map(|at| self.prediction(points, at)));
            }
            _ => {}
        }
        trends
    }

    /// How the largest branching compares with the published bound, if there is one.
    fn against_bound(&self, points: &[usize]) -> Option<String> {
        let runs = || points.iter().flat_map(|&point| self.at(point)).flat_map(|sample| &sample.runs);
        let formula = runs().find_map(|run| run.branching_bound)?.formula;
        let pairs: Vec<(u32, u32)> =
            runs().filter_map(|run| Some((run.largest_branching?, run.branching_bound?.value))).collect();
        let above = pairs.iter().filter(|(met, bound)| met > bound).count();
        let reached = pairs.iter().filter(|(met, bound)| met == bound).count();
        let share = |&(met, bound): &(u32, u32)| f64::from(met) / f64::from(bound.max(1));
        let shares: Vec<f64> = pairs.iter().map(share).collect();
        let median = Quartiles::of(&shares)?.median;
        let verdict = match above {
            0 => format!("holds in all {} runs, {reached} of which reach it", pairs.len()),
            above => format!("does NOT hold in {above} of {} runs", pairs.len()),
        };
        Some(format!("largest branching against the published bound {formula}: it {verdict}; median {median:.2} of it"))
    }

    /// How well the formula of [`Measure::Predicted`] predicts the expansions of a combination.
    fn prediction(&self, points: &[usize], combination: usize) -> Option<String> {
        let title = &self.names()[combination];
        let pairs: Vec<(f64, f64)> = points
            .iter()
            .flat_map(|&point| self.at(point))
            .filter_map(|sample| {
                let run = sample.run(combination).filter(|run| !run.stopped() && run.stats.expanded > 0)?;
                Some((sample.predicted(combination)?, run.stats.expanded as f64))
            })
            .collect();
        let ratios: Vec<f64> = pairs.iter().map(|(predicted, expanded)| predicted / expanded).collect();
        let Quartiles { low, median, high } = Quartiles::of(&ratios)?;
        let runs = pairs.len();
        let order = match rank_correlation(&pairs) {
            Some(correlation) => {
                let how = match correlation {
                    c if c >= 0.8 => "orders the runs well",
                    c if c >= 0.5 => "orders the runs roughly",
                    _ => "does not order the runs",
                };
                format!("{how} (rank correlation {correlation:.2} with expanded)")
            }
            None => "cannot order the runs, whose figures are all the same".into(),
        };
        let size = match median {
            m if m >= 2.0 => format!("is {} times too large", number(m)),
            m if m <= 0.5 => format!("is {} times too small", number(1.0 / m)),
            _ => "has the right size".into(),
        };
        let [low, median, high] = [low, median, high].map(number);
        Some(format!(
            "predicted {order} and {size}: predicted / expanded has the median {median} ({low}..{high}) \
             over {runs} runs, {title}"
        ))
    }

    pub(super) fn trend(&self, measure: Measure, points: &[usize], combination: usize) -> String {
        let title = &self.names()[combination];
        let varied = &self.sweep.varied[0];
        let (what, name) = (measure.title(), varied.parameter.name);
        let value = |point: usize| numeric(&self.points[point][0]);
        let pairs: Vec<(f64, f64)> = points
            .iter()
            .flat_map(|&point| self.at(point))
            .filter_map(|sample| {
                let observed = measure.of(sample, combination, sample.run(combination)?)?;
                Some((value(sample.point), observed.at_least))
            })
            .collect();
        let medians: Vec<(f64, CensoredQuartiles)> = points
            .iter()
            .filter_map(|&point| Some((value(point), self.figures(point, combination, measure).quartiles?)))
            .collect();
        let by_value = |a: &&(f64, CensoredQuartiles), b: &&(f64, CensoredQuartiles)| a.0.total_cmp(&b.0);
        let ends = medians.iter().min_by(by_value).zip(medians.iter().max_by(by_value));
        let Some(((from, first), (to, last))) = ends.filter(|(first, last)| first.0 < last.0) else {
            return format!("{what}: fewer than two values of {name} to compare, {title}");
        };
        let correlation = rank_correlation(&pairs).unwrap_or(0.0);
        let (low, high) = (first.values.median, last.values.median);
        let agrees = (high - low) * correlation > 0.0;
        // Without a relation, the correlation of n pairs has a standard deviation of 1 / sqrt(n - 1), and exceeds 2.33
        // of those by chance once in fifty. Below 0.3 a trend is invisible in the figures.
        let clear = correlation.abs() >= 0.3_f64.max(2.33 / (pairs.len() as f64 - 1.0).sqrt()) && agrees;
        let change = format!("median {} -> {}", first.text(measure), last.text(measure));
        if !clear {
            return format!(
                "{what}: no clear trend with {name} ({change}; rank correlation {correlation:.2}), {title}"
            );
        }
        let verb = if correlation > 0.0 { "grows" } else { "falls" };
        let (unit, size) = varied.unit();
        let factor = if measure.is_work() && low > 0.0 {
            let factor = (high / low).powf(size / (to - from));
            let bound = if last.at_least && correlation > 0.0 { "at least " } else { "" };
            format!("{bound}x{} {unit}; ", significant(factor))
        } else {
            String::new()
        };
        format!("{what} {verb} with {name}: {change} ({factor}rank correlation {correlation:.2}), {title}")
    }

    /// Remarks on stopped runs, missing instances and interruption, a sentence each.
    pub fn remarks(&self) -> Vec<String> {
        let runs = || self.samples.iter().flat_map(|sample| &sample.runs);
        let stopped = runs().filter(|run| run.stopped()).count();
        let mut remarks = Vec::new();
        if stopped > 0 {
            remarks.push(format!(
                "{stopped} of {} runs were stopped at a limit: \
                 >= marks figures that rest on them and are lower bounds; \
                 depth, b* and relative error are those of the others.",
                runs().count()
            ));
        }
        if self.not_found > 0 {
            remarks.push(format!(
                "{} of {} instances were not found, since almost everything is unsolvable there.",
                self.not_found,
                self.points.len() * self.sweep.samples
            ));
        }
        if self.interrupted {
            remarks.push("Interrupted: the remaining runs are missing.".into());
        }
        remarks
    }
}

/// A factor with three significant digits.
fn significant(factor: f64) -> String {
    match factor {
        f if f >= 100.0 => format!("{f:.0}"),
        f if f >= 10.0 => format!("{f:.1}"),
        f => format!("{f:.2}"),
    }
}
