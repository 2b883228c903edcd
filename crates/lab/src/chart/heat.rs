//! A heat map of a heuristic: the number of states by estimate and true distance. States above the diagonal are
//! overestimated and have a colour of their own.

use std::collections::BTreeMap;

use super::frame::{Frame, LegendEntry, PLOT_HEIGHT, XLabels};
use super::scale::{Scale, number};
use super::svg::{Area, Drawing, Ink, TextStyle, text_width};
use super::{Chart, Labels, Theme};

const WIDTH: f64 = 640.0;
/// Maps of at most this many states draw them as dots.
const MOST_DOTS: u64 = 400;
const RAMP: f64 = 96.0;
const RAMP_STEPS: f64 = 16.0;
const LEGEND_SIZE: f64 = 12.0;

/// States by estimate (up) and true distance (to the right).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatMap {
    /// Title and axis labels.
    pub labels: Labels,
    /// The counts of the cells that are not empty, by true distance and estimate.
    pub cells: BTreeMap<(u32, u32), u64>,
}

/// The colour and opacity of a count. Opacity grows with its logarithm, up to 1 for the largest; overestimates start
/// higher, so that a single one is visible.
fn colour(count: u64, largest: u64, over: bool) -> (Ink, f64) {
    let (ink, faintest) = if over { (Ink::Bad, 0.5) } else { (Ink::Series(0), 0.16) };
    let part = if largest > 1 { (count.max(1) as f64).ln() / (largest as f64).ln() } else { 1.0 };
    (ink, faintest + (1.0 - faintest) * part)
}

/// The radius of a dot.
fn radius(count: u64) -> f64 {
    (3.5 + (count as f64).ln() * 1.5).min(11.0)
}

/// A legend entry with the colours from a count of 1 to the largest one.
fn ramp(text: &str, over: bool, largest: u64) -> LegendEntry {
    let most = number(largest as f64);
    let left = text_width("1", LEGEND_SIZE) + 4.0;
    let width = left + RAMP + 4.0 + text_width(&most, LEGEND_SIZE) + 4.0;
    LegendEntry::new(text, width, move |drawing, x, y| {
        let style = TextStyle::new("legend", LEGEND_SIZE, "start").ink(Ink::Muted);
        drawing.text(x, y + 4.0, style, "1");
        drawing.crisp(|drawing| {
            let each = RAMP / RAMP_STEPS;
            for step in 0..RAMP_STEPS as u32 {
                let area = Area { x: x + left + f64::from(step) * each, y: y - 7.0, width: each, height: 14.0 };
                let count = (largest as f64).powf(f64::from(step) / (RAMP_STEPS - 1.0));
                let (ink, strength) = colour(count as u64, largest, over);
                drawing.fill(area, ink, strength);
            }
        });
        drawing.text(x + left + RAMP + 4.0, y + 4.0, style, &most);
    })
}

/// A legend entry with a dot.
fn dot(text: &str, over: bool) -> LegendEntry {
    LegendEntry::new(text, 14.0, move |drawing, x, y| drawing.circle(x + 7.0, y, 5.0, colour(1, 1, over).0, 1.0))
}

impl Chart for HeatMap {
    fn svg(&self, theme: Theme) -> String {
        let grid = &self.cells;
        let largest = grid.values().copied().max().unwrap_or(1);
        let total = |over: bool| -> u64 {
            let side = grid.iter().filter(|((distance, h), _)| (h > distance) == over);
            side.fold(0, |sum, (_, count)| sum.saturating_add(*count))
        };
        let (within, beyond) = (total(false), total(true));
        let dots = within.saturating_add(beyond) <= MOST_DOTS;
        // A column or row for each number, with its label in the middle.
        let columns = grid.keys().map(|key| key.0).max().unwrap_or(0).saturating_add(1).max(4);
        let rows = grid.keys().map(|key| key.1).max().unwrap_or(0).saturating_add(2).max(4);
        let (wide, high) = (WIDTH / f64::from(columns), PLOT_HEIGHT / f64::from(rows));

        let ticks = Scale::linear(0.0, f64::from(rows - 1), true).ticks();
        let left = ticks.into_iter().map(|tick| ((tick + 0.5) / f64::from(rows), number(tick)));
        let across = Scale::linear(0.0, f64::from(columns - 1), true).ticks();
        let below = across.into_iter().map(|tick| ((tick + 0.5) * wide, number(tick)));
        let entry = |text: &str, over: bool| {
            let text = format!("{text}: {} states", number(if over { beyond } else { within } as f64));
            if dots { dot(&text, over) } else { ramp(&text, over, largest) }
        };
        let meaning = if dots { "larger dots: more" } else { "colour: logarithm of the number of" };
        let frame = Frame {
            labels: &self.labels,
            y_label: format!("{} ({meaning} states)", self.labels.y),
            legend: vec![entry("not above the distance", false), entry("overestimates", true)],
            left: left.filter(|(place, _)| *place < 1.0).collect(),
            below: XLabels::Numbers { all: below.filter(|(place, _)| *place < WIDTH).collect(), keep: 0 },
            width: WIDTH,
            headroom: 18.0,
            empty: grid.is_empty(),
        };
        let description = format!(
            "Map of {} against {}: {} states not above the diagonal, {} above it.",
            self.labels.y,
            self.labels.x,
            number(within as f64),
            number(beyond as f64)
        );
        let cells = |drawing: &mut Drawing, plot: Area| {
            for (&(distance, h), &count) in grid {
                let (x, y) = (plot.x + f64::from(distance) * wide, plot.y + plot.height - (f64::from(h) + 1.0) * high);
                let hint = format!("distance {distance}, h {h}: {} states", number(count as f64));
                let (ink, strength) = colour(count, largest, h > distance);
                drawing.with_hint(&hint, |drawing| {
                    if dots {
                        drawing.circle(x + wide / 2.0, y + high / 2.0, radius(count), ink, 0.8);
                    } else {
                        drawing.fill(Area { x, y, width: wide, height: high }, ink, strength);
                    }
                });
            }
        };
        frame.draw(theme, &description, |drawing, plot| {
            if dots {
                cells(drawing, plot);
            } else {
                drawing.crisp(|drawing| cells(drawing, plot));
            }
            if !grid.is_empty() {
                diagonal(drawing, plot, wide, high, f64::from(columns.min(rows)));
            }
        })
    }
}

/// Draws the diagonal, where h equals the distance, through the middles of its cells, with a label at its end.
fn diagonal(drawing: &mut Drawing, plot: Area, wide: f64, high: f64, cells: f64) {
    let point = |cell: f64| (plot.x + cell * wide, plot.y + plot.height - cell * high);
    let end = point(cells);
    drawing.line(point(0.0), end, Ink::Text, 1.5, "6 3");
    let near_right = end.0 > plot.x + plot.width - 60.0;
    let anchor = if near_right { "end" } else { "start" };
    let x = if near_right { plot.x + plot.width } else { end.0 - 8.0 };
    drawing.text(x, plot.y - 6.0, TextStyle::new("diagonal", 12.0, anchor), "h = distance");
}
