//! What can be read off the figures, in sentences.

use super::{Measure, Middle, Swept};
use crate::numbers::rank_correlation;
use crate::vary::place;

impl Swept {
    /// What can be read off the figures of a measure in a slice: a sentence for each combination.
    pub fn trends(&self, measure: Measure, points: &[usize]) -> Vec<String> {
        (0..self.combinations.len()).map(|at| self.trend(measure, points, at)).collect()
    }

    pub(super) fn trend(&self, measure: Measure, points: &[usize], combination: usize) -> String {
        let title = &self.names()[combination];
        let varied = &self.sweep.varied[0];
        let (what, name) = (measure.title(), varied.parameter.name);
        let place = |point: usize| place(&self.points[point][0]);
        let pairs: Vec<(f64, f64)> = points
            .iter()
            .flat_map(|&point| self.at(point))
            .filter_map(|sample| {
                let value = measure.of(sample, combination, sample.run(combination)?)?;
                Some((place(sample.point), value.at_least))
            })
            .collect();
        let medians: Vec<(f64, Middle)> = points
            .iter()
            .filter_map(|&point| Some((place(point), self.figures(point, combination, measure).middle?)))
            .collect();
        let by_place = |a: &&(f64, Middle), b: &&(f64, Middle)| a.0.total_cmp(&b.0);
        let ends = medians.iter().min_by(by_place).zip(medians.iter().max_by(by_place));
        let Some(((from, first), (to, last))) = ends.filter(|(first, last)| first.0 < last.0) else {
            return format!("{what}: fewer than two values of {name} to compare, {title}");
        };
        let correlation = rank_correlation(&pairs).unwrap_or(0.0);
        let (low, high) = (first.quartiles.median, last.quartiles.median);
        let agrees = (high - low) * correlation > 0.0;
        // Without any relation the correlation of n pairs scatters around 0 by 1 / sqrt(n - 1), and chance alone takes it
        // past 2.33 times that once in fifty; below 0.3 nobody would see it in the figures.
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

    /// How many runs were stopped at a limit, of how many, and what else has to be known; a sentence each.
    pub fn remarks(&self) -> Vec<String> {
        let runs = || self.samples.iter().flat_map(|sample| &sample.runs);
        let stopped = runs().filter(|run| run.stopped()).count();
        let mut remarks = Vec::new();
        if stopped > 0 {
            remarks.push(format!(
                "{stopped} of {} runs were stopped at a limit: >= marks figures that rest on them and are lower bounds; depth, b* and relative error are those of the others.",
                runs().count()
            ));
        }
        if self.luckless > 0 {
            remarks.push(format!(
                "{} of {} instances were not found, since almost everything is unsolvable there.",
                self.luckless,
                self.points.len() * self.sweep.samples
            ));
        }
        if self.interrupted {
            remarks.push("Interrupted: what had not run by then is missing.".into());
        }
        remarks
    }
}

/// A factor with two or three figures that mean something.
fn significant(factor: f64) -> String {
    match factor {
        f if f >= 100.0 => format!("{f:.0}"),
        f if f >= 10.0 => format!("{f:.1}"),
        f => format!("{f:.2}"),
    }
}
