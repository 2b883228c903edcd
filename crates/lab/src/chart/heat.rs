//! A heuristic against the truth: how many states have which estimate at which distance. What lies above the diagonal is
//! an overestimate, and has another colour.

use std::collections::BTreeMap;

use super::frame::{Below, Entry, Frame, PLOT_HEIGHT};
use super::scale::{Scale, number};
use super::svg::{Anchor, Area, Drawing, Ink, TextStyle, text_width};
use super::{Chart, Labels, Theme};

const WIDTH: f64 = 640.0;
/// Up to so many states are drawn as dots, which can be seen one by one.
const FEW: u64 = 400;
const RAMP: f64 = 96.0;
const RAMP_STEPS: f64 = 16.0;
const LEGEND_SIZE: f64 = 12.0;

/// States by estimate (up) and true distance (to the right).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatMap {
    /// What stands around the map.
    pub labels: Labels,
    /// What is counted, such as "states".
    pub unit: String,
    /// The cells that are not empty, in any order; counts of equal cells are added.
    pub cells: Vec<HeatCell>,
}

/// States with the same estimate and the same distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeatCell {
    /// The true distance.
    pub distance: u32,
    /// The estimate. A fractional one belongs to the next whole row, which lies above the diagonal just if it does.
    pub h: f64,
    /// How many there are.
    pub count: u64,
}

impl HeatMap {
    /// The counts by distance and row.
    fn grid(&self) -> BTreeMap<(u32, u32), u64> {
        let mut grid = BTreeMap::new();
        for cell in self.cells.iter().filter(|cell| cell.count > 0 && cell.h.is_finite()) {
            let count: &mut u64 = grid.entry((cell.distance, cell.h.ceil().max(0.0) as u32)).or_default();
            *count = count.saturating_add(cell.count);
        }
        grid
    }
}

/// The colour of a count, if the largest one has full strength: its logarithm decides. A single overestimate must be
/// seen, so they begin stronger.
fn colour(count: u64, largest: u64, over: bool) -> (Ink, f64) {
    let (ink, faintest) = if over { (Ink::Bad, 0.5) } else { (Ink::Series(0), 0.16) };
    let part = if largest > 1 { (count.max(1) as f64).ln() / (largest as f64).ln() } else { 1.0 };
    (ink, faintest + (1.0 - faintest) * part)
}

/// How large a dot is.
fn radius(count: u64) -> f64 {
    (3.5 + (count as f64).ln() * 1.5).min(11.0)
}

/// An entry of the legend: all colours between a count of 1 and the largest one, with these at the ends.
fn ramp(text: &str, over: bool, largest: u64) -> Entry {
    let most = number(largest as f64);
    let left = text_width("1", LEGEND_SIZE) + 4.0;
    let width = left + RAMP + 4.0 + text_width(&most, LEGEND_SIZE) + 4.0;
    Entry::new(text, width, move |drawing, x, y| {
        let style = TextStyle::new("legend", LEGEND_SIZE, Anchor::Start).ink(Ink::Muted);
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

/// The same where there are dots.
fn dot(text: &str, over: bool) -> Entry {
    Entry::new(text, 14.0, move |drawing, x, y| drawing.circle(x + 7.0, y, 5.0, colour(1, 1, over).0, 1.0))
}

impl Chart for HeatMap {
    fn title(&self) -> &str {
        &self.labels.title
    }

    fn svg(&self, theme: Theme) -> String {
        let grid = self.grid();
        let largest = grid.values().copied().max().unwrap_or(1);
        let total = |over: bool| -> u64 {
            let side = grid.iter().filter(|((distance, h), _)| (h > distance) == over);
            side.fold(0, |sum, (_, count)| sum.saturating_add(*count))
        };
        let (within, beyond) = (total(false), total(true));
        let dots = within.saturating_add(beyond) <= FEW;
        // A column and a row for each number, with the number in the middle of it.
        let columns = grid.keys().map(|key| key.0).max().unwrap_or(0).saturating_add(1).max(4);
        let rows = grid.keys().map(|key| key.1).max().unwrap_or(0).saturating_add(2).max(4);
        let (wide, high) = (WIDTH / f64::from(columns), PLOT_HEIGHT / f64::from(rows));

        let ticks = Scale::linear(0.0, f64::from(rows - 1), true).ticks();
        let left = ticks.into_iter().map(|tick| ((tick + 0.5) / f64::from(rows), number(tick)));
        let across = Scale::linear(0.0, f64::from(columns - 1), true).ticks();
        let below = across.into_iter().map(|tick| ((tick + 0.5) * wide, number(tick)));
        let unit = &self.unit;
        let entry = |text: &str, over: bool| {
            let text = format!("{text}: {} {unit}", number(if over { beyond } else { within } as f64));
            if dots { dot(&text, over) } else { ramp(&text, over, largest) }
        };
        let meaning = if dots { "larger dots: more" } else { "colour: logarithm of the number of" };
        let frame = Frame {
            labels: &self.labels,
            y_label: format!("{} ({meaning} {unit})", self.labels.y),
            legend: vec![entry("not above the distance", false), entry("overestimates", true)],
            left: left.filter(|(place, _)| *place < 1.0).collect(),
            below: Below::Numbers { all: below.filter(|(place, _)| *place < WIDTH).collect(), keep: 0 },
            width: WIDTH,
            headroom: 0.0,
            empty: grid.is_empty(),
            above: 18.0,
        };
        let description = format!(
            "Map of {} against {}: {} {unit} not above the diagonal, {} above it.",
            self.labels.y,
            self.labels.x,
            number(within as f64),
            number(beyond as f64)
        );
        let cells = |drawing: &mut Drawing, plot: Area| {
            for (&(distance, h), &count) in &grid {
                let (x, y) = (plot.x + f64::from(distance) * wide, plot.y + plot.height - (f64::from(h) + 1.0) * high);
                let hint = format!("distance {distance}, h {h}: {} {unit}", number(count as f64));
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

/// Draws the line on which h is the distance, through the middles of its cells, with its name where it leaves the plot.
fn diagonal(drawing: &mut Drawing, plot: Area, wide: f64, high: f64, cells: f64) {
    let point = |cell: f64| (plot.x + cell * wide, plot.y + plot.height - cell * high);
    let end = point(cells);
    drawing.line(point(0.0), end, Ink::Text, 1.5, "6 3");
    let near_right = end.0 > plot.x + plot.width - 60.0;
    let anchor = if near_right { Anchor::End } else { Anchor::Start };
    let x = if near_right { plot.x + plot.width } else { end.0 - 8.0 };
    drawing.text(x, plot.y - 6.0, TextStyle::new("diagonal", 12.0, anchor), "h = distance");
}
