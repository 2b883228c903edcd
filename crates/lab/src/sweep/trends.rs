//! Trends of the figures, in sentences.

use super::{CensoredQuartiles, Measure, Swept};
use crate::numbers::rank_correlation;
use crate::vary::numeric;

impl Swept {
    /// The trend of a measure in a slice: a sentence for each combination.
    pub fn trends(&self, measure: Measure, points: &[usize]) -> Vec<String> {
        (0..self.combinations.len()).map(|at| self.trend(measure, points, at)).collect()
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
            remarks.push("Interrupted: what had not run by then is missing.".into());
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
