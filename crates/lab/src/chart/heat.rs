//! A heuristic against the truth: how many states have which estimate at which distance. What lies above the diagonal is
//! an overestimate, and has another colour.

use std::collections::BTreeMap;

use super::frame::{Below, Entry, Frame, PLOT_HEIGHT};
use super::scale::{Scale, number};
use super::svg::{Anchor, Area, Drawing, Ink, TextStyle};
use super::{Chart, Labels, Theme};

const WIDTH: f64 = 640.0;
/// Up to so many states are drawn as dots, which can be seen one by one.
const FEW: u64 = 400;
/// The faintest colour that can still be told from the paper.
const FAINTEST: f64 = 0.16;
const RAMP: f64 = 96.0;

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

/// How strong the colour of a count is, if the largest one has full strength.
fn strength(count: u64, largest: u64) -> f64 {
    if largest <= 1 {
        return 1.0;
    }
    FAINTEST + (1.0 - FAINTEST) * (count.max(1) as f64).ln() / (largest as f64).ln()
}

fn ink(over: bool) -> Ink {
    if over { Ink::Bad } else { Ink::Series(0) }
}

fn ramp(text: &str, over: bool, dots: bool) -> Entry {
    let steps = 12;
    let width = if dots { 14.0 } else { RAMP };
    Entry::new(text, width, move |drawing, x, y| {
        if dots {
            return drawing.circle(x + 7.0, y, 5.0, ink(over), 1.0);
        }
        let each = RAMP / f64::from(steps);
        for step in 0..steps {
            let area = Area { x: x + f64::from(step) * each, y: y - 7.0, width: each + 0.3, height: 14.0 };
            let part = f64::from(step) / f64::from(steps - 1);
            drawing.fill(area, ink(over), FAINTEST + (1.0 - FAINTEST) * part);
        }
    })
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
        let range =
            if dots { String::new() } else { format!(" (colours from 1 to {} in a cell)", number(largest as f64)) };
        let unit = &self.unit;
        let frame = Frame {
            labels: &self.labels,
            y_label: self.labels.y.clone(),
            legend: vec![
                ramp(&format!("not above the distance: {} {unit}{range}", number(within as f64)), false, dots),
                ramp(&format!("overestimates: {} {unit}", number(beyond as f64)), true, dots),
            ],
            left: left.filter(|(place, _)| *place < 1.0).collect(),
            below: Below::Numbers(below.filter(|(place, _)| *place < WIDTH).collect()),
            width: WIDTH,
            headroom: 0.0,
            above: 18.0,
        };
        let description = format!(
            "Map of {} against {}: {} {unit} not above the diagonal, {} above it.",
            self.labels.y,
            self.labels.x,
            number(within as f64),
            number(beyond as f64)
        );
        frame.draw(theme, &description, |drawing, plot| {
            for (&(distance, h), &count) in &grid {
                let area = Area {
                    x: plot.x + f64::from(distance) * wide,
                    y: plot.y + plot.height - f64::from(h + 1) * high,
                    width: wide,
                    height: high,
                };
                let hint = format!("distance {distance}, h {h}: {} {unit}", number(count as f64));
                drawing.with_hint(&hint, |drawing| {
                    if dots {
                        let radius = (3.0 + (count as f64).ln() * 1.5).min(11.0);
                        drawing.circle(area.x + wide / 2.0, area.y + high / 2.0, radius, ink(h > distance), 0.75);
                    } else {
                        drawing.fill(area, ink(h > distance), strength(count, largest));
                    }
                });
            }
            diagonal(drawing, plot, wide, high, f64::from(columns.min(rows)));
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
