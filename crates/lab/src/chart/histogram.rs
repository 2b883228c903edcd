//! A histogram over whole numbers, such as h minus the true distance, that may mark the numbers above 0 as wrong.

use std::collections::BTreeMap;

use super::frame::{Frame, LegendEntry, XLabels};
use super::scale::{Scale, nice, number};
use super::svg::{Area, Drawing, Ink};
use super::{Chart, Labels, Theme};

const WIDTH: f64 = 640.0;
/// With more bars, neighbours are merged.
const MOST_BARS: f64 = 320.0;

/// The counts of whole numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Title and axis labels.
    pub labels: Labels,
    /// The numbers with their counts, in any order; counts of equal numbers are added.
    pub counts: Vec<(i64, u64)>,
    /// The meaning of numbers up to 0, such as "at most the distance".
    pub within: String,
    /// The meaning of numbers above 0, such as "overestimates"; empty if they are not marked.
    pub beyond: String,
}

impl Histogram {
    /// The width of a bin, and the counts of the bins that are not empty. Bin `i` ends at `i` times the width, so no
    /// bin has numbers on both sides of 0.
    fn bins(&self) -> (i64, BTreeMap<i64, u64>) {
        let occurring = || self.counts.iter().filter(|&&(_, count)| count > 0);
        let least = occurring().map(|&(value, _)| value).min().unwrap_or(0).min(0);
        let most = occurring().map(|&(value, _)| value).max().unwrap_or(0).max(0);
        let width = nice((most.abs_diff(least) as f64 / MOST_BARS).max(1.0)) as i64;
        let mut bins = BTreeMap::new();
        for &(value, count) in occurring() {
            let above = i64::from(value.rem_euclid(width) != 0);
            let bin: &mut u64 = bins.entry(value.div_euclid(width) + above).or_default();
            *bin = bin.saturating_add(count);
        }
        (width, bins)
    }
}

impl Chart for Histogram {
    fn svg(&self, theme: Theme) -> String {
        let (size, bins) = self.bins();
        let first = bins.keys().next().map_or(0, |&bin| bin.min(0));
        let last = bins.keys().next_back().map_or(0, |&bin| bin.max(0));
        let scale = Scale::of(bins.values().map(|&count| count as f64));
        let pitch = WIDTH / (last - first + 1) as f64;
        let place = |bin: i64| (bin - first) as f64 * pitch;
        let is_beyond = |value: i64| value > 0 && !self.beyond.is_empty();
        let total = |over: bool| -> u64 {
            let side = self.counts.iter().filter(|(value, _)| is_beyond(*value) == over);
            side.fold(0, |sum, (_, count)| sum.saturating_add(*count))
        };
        let entry = |name: &str, over: bool| {
            LegendEntry::square(&format!("{name}: {}", number(total(over) as f64)), move |drawing, area| {
                drawing.fill(area, if over { Ink::Bad } else { Ink::Series(0) }, 1.0);
            })
        };
        let label = |bin: i64| number(bin as f64 * size as f64);
        let frame = Frame {
            labels: &self.labels,
            y_label: scale.label(&self.labels.y),
            legend: if self.beyond.is_empty() {
                vec![entry(&self.within, false)]
            } else {
                vec![entry(&self.within, false), entry(&self.beyond, true)]
            },
            left: scale.ticks().into_iter().map(|tick| (scale.place(tick), number(tick))).collect(),
            below: XLabels::Numbers {
                all: (first..=last).map(|bin| (place(bin) + pitch / 2.0, label(bin))).collect(),
                keep: first.unsigned_abs() as usize,
            },
            width: WIDTH,
            headroom: 6.0,
            empty: bins.is_empty(),
        };
        let sides = if self.beyond.is_empty() {
            format!("{} in all", number(total(false) as f64))
        } else {
            format!("{} up to 0, {} above", number(total(false) as f64), number(total(true) as f64))
        };
        let description = format!("Histogram of {} against {}: {sides}.", frame.y_label, self.labels.x);
        let bars = |drawing: &mut Drawing, plot: Area| {
            let space = if pitch > 6.0 { 2.0 } else { 0.0 };
            for (&bin, &count) in &bins {
                let height = scale.place(count as f64) * plot.height;
                let area = Area {
                    x: plot.x + place(bin) + space / 2.0,
                    y: plot.y + plot.height - height,
                    width: pitch - space,
                    height,
                };
                let range = if size == 1 {
                    label(bin)
                } else {
                    format!("{} to {}", number((bin - 1) as f64 * size as f64 + 1.0), label(bin))
                };
                drawing.with_hint(&format!("{range}: {}", number(count as f64)), |drawing| {
                    drawing.fill(area, if is_beyond(bin) { Ink::Bad } else { Ink::Series(0) }, 1.0);
                });
            }
        };
        frame.draw(theme, &description, |drawing, plot| drawing.crisp(|drawing| bars(drawing, plot)))
    }
}
