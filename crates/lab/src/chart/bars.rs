//! Grouped bars: a group for each puzzle or file, in it a bar for each heuristic.

use super::frame::{Frame, LegendEntry, XLabels};
use super::scale::{Scale, compact, number};
use super::svg::{Area, Drawing, Ink, TextStyle, text_width};
use super::{Chart, Labels, Theme};

const VALUE_SIZE: f64 = 11.0;
/// The narrowest bar with room for a number along it.
const NARROWEST: f64 = 14.0;
const WIDEST: f64 = 46.0;
/// The distance between two groups.
const GAP: f64 = 22.0;
/// The least width of a plot, and the most if the bars need no more.
const USUAL_WIDTH: (f64, f64) = (480.0, 860.0);

/// The width of bold text, which flagged values have, relative to plain text.
const BOLD: f64 = 1.1;
/// The size of the cross on a flagged bar.
const CROSS: f64 = 12.0;

/// Bars in groups.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroupedBars {
    /// Title and axis labels.
    pub labels: Labels,
    /// The names of the bars in each group.
    pub series: Vec<String>,
    /// The groups from left to right.
    pub groups: Vec<BarGroup>,
    /// The meaning of a flagged bar, such as "not a shortest solution".
    pub flag: String,
    /// The meaning of a missing value, such as "stopped at a limit".
    pub missing: String,
    /// Whether the scale is linear even if small bars vanish.
    pub is_linear: bool,
}

/// One group of bars.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BarGroup {
    /// The label below the group.
    pub name: String,
    /// A bar for each series, in the same order. Missing ones are left blank.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bar {
    /// Its height, from 0. A missing value is drawn as an empty slot with the text "limit".
    pub value: Option<f64>,
    /// Whether it is marked as wrong.
    pub flagged: bool,
}

impl Bar {
    /// The value, if it can be drawn.
    pub(super) fn height(self) -> Option<f64> {
        self.value.filter(|value| value.is_finite()).map(|value| value.max(0.0))
    }
}

impl GroupedBars {
    pub(super) fn scale(&self) -> Scale {
        let heights = || self.bars().filter_map(Bar::height);
        if self.is_linear {
            return Scale::linear(0.0, heights().fold(0.0, f64::max), heights().all(|height| height.fract() == 0.0));
        }
        Scale::of(heights())
    }

    /// Whether its scale is logarithmic.
    pub fn is_logarithmic(&self) -> bool {
        matches!(self.scale(), Scale::Logarithmic { .. })
    }

    /// All bars that belong to a series.
    pub(super) fn bars(&self) -> impl Iterator<Item = Bar> {
        self.groups.iter().flat_map(|group| group.bars.iter().copied().take(self.series.len()))
    }

    fn legend(&self) -> Vec<LegendEntry> {
        let mut legend: Vec<LegendEntry> = (self.series.iter().enumerate())
            .map(|(i, name)| LegendEntry::square(name, move |drawing, area| drawing.bar(area, i)))
            .collect();
        if self.bars().any(|bar| bar.flagged) {
            legend.push(LegendEntry::new(&self.flag, 14.0, |drawing, x, y| drawing.cross(x + 7.0, y, CROSS, Ink::Bad)));
        }
        if self.bars().any(|bar| bar.height().is_none()) {
            legend.push(LegendEntry::square(&self.missing, |drawing, area| {
                drawing.outline(area, Ink::Muted, 1.0, true);
            }));
        }
        legend
    }
}

impl Chart for GroupedBars {
    fn svg(&self, theme: Theme) -> String {
        let scale = self.scale();
        let (groups, series) = (self.groups.len().max(1) as f64, self.series.len().max(1) as f64);
        let values = self.bars().filter_map(Bar::height).map(|value| text_width(&compact(value), VALUE_SIZE));
        let longest = values.fold(0.0, f64::max) * BOLD;
        let bar_for = |width: f64| (width / groups - GAP) / series;
        // As wide as the numbers if the plot has room for that, and never too narrow to read.
        let wanted = (longest + 2.0).min(bar_for(USUAL_WIDTH.1)).max(bar_for(USUAL_WIDTH.0));
        let thickness = wanted.clamp(NARROWEST, WIDEST);
        let upright = longest <= thickness;
        let flags = if self.bars().any(|bar| bar.flagged) { CROSS + 6.0 } else { 0.0 };
        let headroom = flags + if upright { VALUE_SIZE + 4.0 } else { longest + 8.0 };

        let width = (groups * (thickness * series + GAP)).max(USUAL_WIDTH.0);
        let pitch = width / groups;
        let below = (self.groups.iter().enumerate()).map(|(i, group)| ((i as f64 + 0.5) * pitch, group.name.clone()));
        let frame = Frame {
            labels: &self.labels,
            y_label: scale.label(&self.labels.y),
            legend: self.legend(),
            left: scale.ticks().into_iter().map(|tick| (scale.place(tick), number(tick))).collect(),
            below: XLabels::Names(below.collect()),
            width,
            headroom,
            empty: self.bars().next().is_none(),
        };
        let description = format!(
            "Bars of {} in {} groups, with a bar each for {}.",
            frame.y_label,
            self.groups.len(),
            self.series.join(", ")
        );
        frame.draw(theme, &description, |drawing, plot| {
            for (i, group) in self.groups.iter().enumerate() {
                let left = plot.x + i as f64 * pitch + (pitch - thickness * series) / 2.0;
                for (j, (bar, name)) in group.bars.iter().zip(&self.series).enumerate() {
                    let slot = Area { x: left + j as f64 * thickness, width: thickness, ..plot };
                    let value = bar.height().map_or(self.missing.clone(), number);
                    let flag = if bar.flagged { format!(" ({})", self.flag) } else { String::new() };
                    drawing.with_hint(&format!("{}, {name}: {value}{flag}", group.name), |drawing| {
                        draw_bar(drawing, slot, scale, *bar, j, upright);
                    });
                }
            }
        })
    }
}

/// Draws the bar of a series into its slot, with its value and its flag.
fn draw_bar(drawing: &mut Drawing, slot: Area, scale: Scale, bar: Bar, series: usize, upright: bool) {
    let (middle, bottom) = (slot.x + slot.width / 2.0, slot.y + slot.height);
    let inner = Area { x: slot.x + 1.0, width: slot.width - 2.0, ..slot };
    let along = |style: TextStyle| style.turned(-90.0);
    let top = match bar.height() {
        Some(value) => {
            let height = scale.place(value) * slot.height;
            let area = Area { y: bottom - height, height, ..inner };
            drawing.bar(area, series);
            if bar.flagged {
                drawing.outline(area, Ink::Bad, 2.0, false);
            }
            let text = compact(value);
            let style = TextStyle::new("value", VALUE_SIZE, if upright { "middle" } else { "start" });
            let style = if bar.flagged { style.ink(Ink::Bad).bold() } else { style };
            if upright {
                drawing.text(middle, area.y - 4.0, style, &text);
                area.y - 4.0 - VALUE_SIZE
            } else {
                drawing.text(middle + VALUE_SIZE * 0.35, area.y - 4.0, along(style), &text);
                area.y - 4.0 - text_width(&text, VALUE_SIZE) * if bar.flagged { BOLD } else { 1.0 }
            }
        }
        None => {
            drawing.outline(inner, Ink::Muted, 1.0, true);
            let style = along(TextStyle::new("value", VALUE_SIZE, "middle").ink(Ink::Muted));
            drawing.text(middle + VALUE_SIZE * 0.35, bottom - slot.height / 2.0, style, "limit");
            slot.y
        }
    };
    if bar.flagged {
        drawing.cross(middle, top - 9.0, CROSS, Ink::Bad);
    }
}
