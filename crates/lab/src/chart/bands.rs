//! Lines of medians with quartiles against a parameter.

use super::bars::{Bar, BarGroup, GroupedBars};
use super::frame::{Frame, LegendEntry, XLabels};
use super::scale::{Scale, number};
use super::svg::{Drawing, Ink};
use super::{Chart, Labels, Theme};

const WIDTH: f64 = 640.0;
/// The least distance between two names below the plot.
const NAME_PITCH: f64 = 26.0;
/// Charts with more series draw whiskers, since overlapping bands hide each other.
const MOST_BANDS: usize = 3;
/// The margin at both sides of the plot, for whole markers.
const SIDE: f64 = 18.0;

/// The height of a row of crosses above the plot; each line with missing points has one.
const ROW: f64 = 14.0;

/// Lines of medians with the quartiles around them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bands {
    /// Title and axis labels.
    pub labels: Labels,
    /// The values of the parameter.
    pub x_axis: XAxis,
    /// The lines, such as one for each heuristic.
    pub lines: Vec<Line>,
    /// The meaning of a missing point, such as "most runs stopped at a limit".
    pub missing: String,
}

/// The values along the horizontal axis.
#[derive(Debug, Clone, PartialEq)]
pub enum XAxis {
    /// Numbers in rising order, on a linear scale.
    Numbers(Vec<f64>),
    /// Names at equal distances.
    Names(Vec<String>),
}

impl Default for XAxis {
    fn default() -> Self {
        XAxis::Numbers(Vec::new())
    }
}

/// One series.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// A point for each value of the parameter, in the same order.
    pub points: Vec<Option<Quartiles>>,
}

/// The quartiles of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quartiles {
    /// The lower quartile.
    pub low: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile.
    pub high: f64,
}

impl Quartiles {
    /// The quartiles of the finite values, linearly interpolated; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Quartiles> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let at = |part: f64| {
            let place = part * last as f64;
            let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            below + (above - below) * place.fract()
        };
        Some(Quartiles { low: at(0.25), median: at(0.5), high: at(0.75) })
    }

    fn all(self) -> [f64; 3] {
        [self.low, self.median, self.high]
    }
}

impl XAxis {
    /// The values as they are printed.
    fn names(&self) -> Vec<String> {
        match self {
            XAxis::Numbers(numbers) => numbers.iter().map(|&value| number(value)).collect(),
            XAxis::Names(names) => names.clone(),
        }
    }

    /// The width of the plot, and the distance of each value from its left edge.
    fn places(&self) -> (f64, Vec<f64>) {
        match self {
            XAxis::Names(names) => {
                let width = (names.len() as f64 * NAME_PITCH).max(WIDTH);
                let pitch = width / names.len().max(1) as f64;
                (width, (0..names.len()).map(|i| (i as f64 + 0.5) * pitch).collect())
            }
            XAxis::Numbers(numbers) => {
                let finite = || numbers.iter().copied().filter(|value| value.is_finite());
                let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
                let place = |value: f64| {
                    let part = if high > low && value.is_finite() {
                        (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)
                    } else {
                        0.5
                    };
                    SIDE + part.clamp(0.0, 1.0) * (WIDTH - 2.0 * SIDE)
                };
                (WIDTH, numbers.iter().map(|&value| place(value)).collect())
            }
        }
    }
}

impl Bands {
    /// The medians as bars, such as for [`terminal_bars`](super::terminal_bars).
    pub fn medians(&self) -> GroupedBars {
        let bar = |line: &Line, i: usize| {
            let point = line.points.get(i).copied().flatten();
            Bar { value: point.map(|quartiles| quartiles.median), flagged: false }
        };
        let group = |(i, name)| BarGroup { name, bars: self.lines.iter().map(|line| bar(line, i)).collect() };
        let names = self.x_axis.names().into_iter().map(|name| match self.x_axis {
            XAxis::Numbers(_) => format!("{} {name}", self.labels.x),
            XAxis::Names(_) => name,
        });
        let y = format!("{}, median", self.labels.y);
        GroupedBars {
            labels: Labels { y, ..self.labels.clone() },
            series: self.lines.iter().map(|line| line.name.clone()).collect(),
            groups: names.enumerate().map(group).collect(),
            flag: String::new(),
            missing: self.missing.clone(),
            is_linear: false,
        }
    }
}

impl Chart for Bands {
    fn svg(&self, theme: Theme) -> String {
        let names = self.x_axis.names();
        let (width, places) = self.x_axis.places();
        let points = || self.lines.iter().flat_map(|line| line.points.iter().take(places.len()));
        let scale = Scale::of(points().flatten().flat_map(|point| point.all()));
        let broken: Vec<usize> =
            (0..self.lines.len()).filter(|&i| self.lines[i].points.iter().any(Option::is_none)).collect();
        let mut legend: Vec<LegendEntry> = (self.lines.iter().enumerate())
            .map(|(i, line)| {
                LegendEntry::new(&line.name, 28.0, move |drawing, x, y| {
                    drawing.line((x, y), (x + 28.0, y), Ink::Series(i), 2.0, "");
                    drawing.marker(x + 14.0, y, i);
                })
            })
            .collect();
        if !broken.is_empty() {
            legend.push(LegendEntry::new(&self.missing, 14.0, |drawing, x, y| {
                drawing.cross(x + 7.0, y, 8.0, Ink::Muted);
            }));
        }
        let below: Vec<(f64, String)> = places.iter().copied().zip(names.iter().cloned()).collect();
        let bands = self.lines.len() <= MOST_BANDS && places.len() > 1;
        let frame = Frame {
            labels: &self.labels,
            y_label: scale.label(&format!("{}: median with quartiles", self.labels.y)),
            legend,
            left: scale.ticks().into_iter().map(|tick| (scale.place(tick), number(tick))).collect(),
            below: match self.x_axis {
                XAxis::Names(_) => XLabels::Names(below),
                XAxis::Numbers(_) => XLabels::Numbers { all: below, keep: 0 },
            },
            width,
            headroom: 8.0 + ROW * broken.len() as f64,
            empty: points().flatten().next().is_none(),
        };
        let names_of_lines: Vec<&str> = self.lines.iter().map(|line| line.name.as_str()).collect();
        let description =
            format!("{} against {}, with a line each for {}.", frame.y_label, self.labels.x, names_of_lines.join(", "));
        frame.draw(theme, &description, |drawing, plot| {
            let height = |value: f64| plot.y + plot.height * (1.0 - scale.place(value));
            for (i, line) in self.lines.iter().enumerate() {
                // Shifted, so that whiskers do not hide each other.
                let aside = if bands { 0.0 } else { (i as f64 - (self.lines.len() - 1) as f64 / 2.0) * 3.0 };
                let at: Vec<f64> = places.iter().map(|place| plot.x + place + aside).collect();
                for run in runs(&line.points, &at) {
                    spread(drawing, &run, i, bands, height);
                    let medians: Vec<(f64, f64)> = run.iter().map(|&(x, point)| (x, height(point.median))).collect();
                    drawing.polyline(&medians, Ink::Series(i), 2.0);
                }
                for ((x, point), name) in at.iter().zip(&line.points).zip(&names) {
                    match point {
                        Some(point) => {
                            let [low, median, high] = point.all().map(number);
                            let hint = format!("{}, {name}: {median} (quartiles {low} and {high})", line.name);
                            drawing.with_hint(&hint, |drawing| drawing.marker(*x, height(point.median), i));
                        }
                        None => {
                            let hint = format!("{}, {name}: {}", line.name, self.missing);
                            let row = broken.iter().take_while(|&&line| line != i).count();
                            let y = plot.y - ROW * (row as f64 + 0.5) - 4.0;
                            drawing.with_hint(&hint, |drawing| drawing.cross(*x, y, 8.0, Ink::Series(i)));
                        }
                    }
                }
            }
        })
    }
}

/// Draws the quartiles of one unbroken line, as a band or as whiskers.
fn spread(drawing: &mut Drawing, run: &[(f64, Quartiles)], series: usize, band: bool, height: impl Fn(f64) -> f64) {
    if band && run.len() > 1 {
        let upper = run.iter().map(|&(x, point)| (x, height(point.high)));
        let lower = run.iter().rev().map(|&(x, point)| (x, height(point.low)));
        return drawing.polygon(&upper.chain(lower).collect::<Vec<_>>(), Ink::Series(series), 0.2);
    }
    for &(x, point) in run {
        let (low, high) = (height(point.low), height(point.high));
        drawing.line((x, low), (x, high), Ink::Series(series), 1.5, "");
        for y in [low, high] {
            drawing.line((x - 3.0, y), (x + 3.0, y), Ink::Series(series), 1.5, "");
        }
    }
}

/// The pieces of a line between its missing points.
fn runs(points: &[Option<Quartiles>], at: &[f64]) -> Vec<Vec<(f64, Quartiles)>> {
    let placed: Vec<Option<(f64, Quartiles)>> =
        at.iter().zip(points).map(|(&x, point)| point.map(|point| (x, point))).collect();
    placed
        .split(Option::is_none)
        .map(|run| run.iter().copied().flatten().collect())
        .filter(|run: &Vec<_>| !run.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_interpolated() {
        let quartiles = Quartiles::of(&[4.0, 1.0, 3.0, 2.0]).expect("the values are finite");
        assert_eq!(quartiles, Quartiles { low: 1.75, median: 2.5, high: 3.25 });
        assert_eq!(Quartiles::of(&[7.0]), Some(Quartiles { low: 7.0, median: 7.0, high: 7.0 }));
        assert_eq!(Quartiles::of(&[f64::NAN]), None);
    }
}
