//! The frame of every chart: title, legend, axes and grid.
//!
//! The layout goes from top to bottom: the title, the legend in as many rows as it needs, the label of the vertical
//! axis, the plot, the labels below it. So no label covers data, and the size of the drawing follows from its content.

use super::svg::{Area, Drawing, Ink, TextStyle, shorten, text_width, wrap};
use super::{Labels, Theme};

/// The height of every plot.
pub(crate) const PLOT_HEIGHT: f64 = 300.0;

const MARGIN: f64 = 14.0;
const TITLE_SIZE: f64 = 16.0;
const LABEL_SIZE: f64 = 13.0;
const TICK_SIZE: f64 = 12.0;
/// The most width of a label below the plot; longer ones are shortened in the middle.
const WIDEST_NAME: f64 = 230.0;
const SLANT: f64 = 40.0;

/// Draws a sample of a series; the point is the middle of its left side.
type LegendSample = Box<dyn Fn(&mut Drawing, f64, f64)>;

/// One entry of a legend.
pub(crate) struct LegendEntry {
    pub(crate) text: String,
    /// The width of the sample in front of the text.
    pub(crate) width: f64,
    pub(crate) sample: LegendSample,
}

impl LegendEntry {
    pub(crate) fn new(text: &str, width: f64, sample: impl Fn(&mut Drawing, f64, f64) + 'static) -> Self {
        LegendEntry { text: text.to_string(), width, sample: Box::new(sample) }
    }

    /// A square in one colour.
    pub(crate) fn square(text: &str, fill: impl Fn(&mut Drawing, Area) + 'static) -> Self {
        LegendEntry::new(text, 14.0, move |drawing, x, y| {
            fill(drawing, Area { x, y: y - 7.0, width: 14.0, height: 14.0 });
        })
    }

    fn room(&self) -> f64 {
        self.width + 6.0 + text_width(&self.text, LABEL_SIZE) + 20.0
    }
}

/// The labels below a plot, each with its distance from the left edge.
pub(crate) enum XLabels {
    /// Names: all of them are shown, slanted where they would touch.
    Names(Vec<(f64, String)>),
    /// Numbers in order: some are left out where they would touch, but not the one with the index `keep`.
    Numbers { all: Vec<(f64, String)>, keep: usize },
}

/// Everything around the data.
pub(crate) struct Frame<'a> {
    pub(crate) labels: &'a Labels,
    /// The label of the vertical axis, which names a logarithmic scale.
    pub(crate) y_label: String,
    pub(crate) legend: Vec<LegendEntry>,
    /// The ticks of the vertical axis: their height in the plot, from 0 to 1, and the text.
    pub(crate) left: Vec<(f64, String)>,
    pub(crate) below: XLabels,
    /// The width of the plot.
    pub(crate) width: f64,
    /// Room above the end of the axis, for labels on bars.
    pub(crate) headroom: f64,
    /// Whether the chart has no data.
    pub(crate) empty: bool,
}

/// The layout of the labels below a plot.
struct XLabelLayout {
    shown: Vec<(f64, String)>,
    angle: f64,
    /// The height they need.
    height: f64,
    /// How far the first of them reaches to the left of the plot.
    overhang: f64,
}

impl Frame<'_> {
    /// Draws the frame, then the data by `fill`, which gets the area of the plot without the headroom.
    pub(crate) fn draw(self, theme: Theme, description: &str, fill: impl FnOnce(&mut Drawing, Area)) -> String {
        let below = self.below.layout();
        let ticks = self.left.iter().map(|(_, text)| text_width(text, TICK_SIZE)).fold(0.0, f64::max);
        let x = MARGIN + (ticks + 8.0).max(below.overhang);
        let width = x + self.width + MARGIN + 10.0;
        let mut drawing = Drawing::new(theme);

        let mut y = MARGIN;
        for line in wrap(&self.labels.title, TITLE_SIZE * 1.08, width - 2.0 * MARGIN) {
            y += TITLE_SIZE;
            drawing.text(MARGIN, y, TextStyle::new("title", TITLE_SIZE, "start").bold(), &line);
            y += 6.0;
        }
        y = self.legend(&mut drawing, y, width);
        for line in wrap(&self.y_label, LABEL_SIZE, width - 2.0 * MARGIN) {
            y += LABEL_SIZE + 5.0;
            drawing.text(MARGIN, y, TextStyle::new("label", LABEL_SIZE, "start").ink(Ink::Muted), &line);
        }
        y += 10.0;

        let plot = Area { x, y: y + self.headroom, width: self.width, height: PLOT_HEIGHT };
        let bottom = plot.y + plot.height;
        self.grid(&mut drawing, plot);
        fill(&mut drawing, plot);
        if self.empty {
            let style = TextStyle::new("empty", LABEL_SIZE, "middle").ink(Ink::Muted);
            drawing.text(x + self.width / 2.0, plot.y + plot.height / 2.0, style, "no data");
        }
        drawing.line((x, bottom), (x + self.width, bottom), Ink::Text, 1.0, "");

        let anchor = if below.angle == 0.0 { "middle" } else { "end" };
        let style = TextStyle::new("tick below", TICK_SIZE, anchor).turned(-below.angle);
        // A rotated label ends half a letter to the right of its tick.
        let shift = if below.angle == 0.0 { (0.0, 18.0) } else { (TICK_SIZE / 3.0, 14.0) };
        for (place, text) in &below.shown {
            drawing.text(x + place + shift.0, bottom + shift.1, style, text);
        }
        let mut end = bottom + below.height;
        for line in wrap(&self.labels.x, LABEL_SIZE, self.width) {
            end += LABEL_SIZE + 6.0;
            let style = TextStyle::new("label", LABEL_SIZE, "middle").ink(Ink::Muted);
            drawing.text(x + self.width / 2.0, end, style, &line);
        }
        drawing.finish(width, end + MARGIN, &self.labels.title, description)
    }

    /// Draws the legend from `y` on; returns its lower end.
    fn legend(&self, drawing: &mut Drawing, mut y: f64, width: f64) -> f64 {
        let mut x = MARGIN;
        for (i, entry) in self.legend.iter().enumerate() {
            if i == 0 || x + entry.room() > width - MARGIN {
                x = MARGIN;
                y += 22.0;
            }
            (entry.sample)(drawing, x, y - 5.0);
            let style = TextStyle::new("legend", LABEL_SIZE, "start");
            let room = width - x - entry.width - 6.0 - MARGIN;
            drawing.text(x + entry.width + 6.0, y, style, &shorten(&entry.text, LABEL_SIZE, room));
            x += entry.room();
        }
        if self.legend.is_empty() { y } else { y + 8.0 }
    }

    fn grid(&self, drawing: &mut Drawing, plot: Area) {
        let mut last = f64::INFINITY;
        for (place, text) in &self.left {
            let y = plot.y + plot.height * (1.0 - place);
            drawing.line((plot.x, y), (plot.x + plot.width, y), Ink::Grid, 1.0, "");
            // Crowded ticks keep their line, but a label would touch the one below.
            if last - y >= TICK_SIZE + 2.0 {
                let style = TextStyle::new("tick left", TICK_SIZE, "end");
                drawing.text(plot.x - 6.0, y + TICK_SIZE * 0.35, style, text);
                last = y;
            }
        }
    }
}

impl XLabels {
    fn layout(&self) -> XLabelLayout {
        let flat = |shown: Vec<(f64, String)>| {
            let overhang = shown.first().map_or(0.0, |(place, text)| text_width(text, TICK_SIZE) / 2.0 - place);
            XLabelLayout { shown, angle: 0.0, height: 24.0, overhang }
        };
        match self {
            XLabels::Numbers { all, keep } => {
                let thinned = |every: usize| all.iter().skip(keep % every).step_by(every);
                let every = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10usize.pow(power)));
                let every = every.take_while(|&every| every < all.len()).find(|&every| !touch(thinned(every)));
                flat(thinned(every.unwrap_or(all.len().max(1))).cloned().collect())
            }
            XLabels::Names(names) if !touch(names.iter()) => flat(names.clone()),
            XLabels::Names(names) => {
                let names: Vec<(f64, String)> =
                    names.iter().map(|(place, name)| (*place, shorten(name, TICK_SIZE, WIDEST_NAME))).collect();
                let nearest = names.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(f64::INFINITY, f64::min);
                let apart = nearest * SLANT.to_radians().sin() > TICK_SIZE + 2.0;
                let angle = if apart { SLANT } else { 90.0 };
                let (sine, cosine) = angle.to_radians().sin_cos();
                let widths = names.iter().map(|(place, name)| (place, text_width(name, TICK_SIZE)));
                let overhang = widths.clone().map(|(place, width)| width * cosine - place).fold(0.0, f64::max);
                let height = widths.map(|(_, width)| width * sine).fold(0.0, f64::max) + 20.0;
                XLabelLayout { shown: names, angle, height, overhang }
            }
        }
    }
}

/// Whether two neighbouring labels would touch if they were horizontal.
fn touch<'a>(labels: impl Iterator<Item = &'a (f64, String)>) -> bool {
    let mut end = f64::NEG_INFINITY;
    for (place, text) in labels {
        let half = text_width(text, TICK_SIZE) / 2.0;
        if place - half < end + 8.0 {
            return true;
        }
        end = place + half;
    }
    false
}
