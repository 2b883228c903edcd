//! Charts: plain numbers in, SVG out.
//!
//! Each chart is a struct of public fields that anybody can fill, and [`Chart::svg`] turns it into one `<svg>` element.
//! A chart decides by itself what a reader should not have to ask for: whether its axis is logarithmic ([`Theme`] aside,
//! nothing can be set), how wide it has to be, which labels fit. Legends and labels stand outside the plot, so that they
//! cover no data. What must not be overlooked, a wrong answer or an overestimate, always has the same colour, which no
//! series ever gets.

mod bands;
mod bars;
mod frame;
mod heat;
mod histogram;
mod scale;
mod svg;
mod terminal;

pub use bands::{Bands, Line, Parameter, Quartiles};
pub use bars::{Bar, BarGroup, GroupedBars};
pub use heat::{HeatCell, HeatMap};
pub use histogram::Histogram;
pub use scale::number;
pub use terminal::terminal_bars;

/// Where a chart will be looked at, which decides where its colours come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// A file of its own: fixed colours on white, to paste into a report.
    Paper,
    /// Inside a [page](crate::page), whose CSS variables name the colours, so that the chart follows light and dark.
    Page,
}

/// What stands around every chart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// What the chart shows.
    pub title: String,
    /// What lies to the right.
    pub x: String,
    /// What goes up. Where the axis turns out logarithmic, the chart adds so itself.
    pub y: String,
}

impl Labels {
    /// Title, horizontal and vertical label.
    pub fn new(title: impl Into<String>, x: impl Into<String>, y: impl Into<String>) -> Self {
        Labels { title: title.into(), x: x.into(), y: y.into() }
    }
}

/// Something that can be drawn.
///
/// ```
/// use admissible_lab::chart::{Chart, Histogram, Labels, Theme};
/// let chart = Histogram {
///     labels: Labels::new("How far h is off", "h - distance", "states"),
///     counts: vec![(-2, 10), (-1, 25), (0, 7), (1, 1)],
///     within: "not above the distance".into(),
///     beyond: "overestimates".into(),
/// };
/// assert!(chart.svg(Theme::Paper).contains("overestimates: 1<"));
/// ```
pub trait Chart {
    /// What it shows, in a few words.
    fn title(&self) -> &str;
    /// The drawing: one `<svg>` element, with no declaration before it, that is well-formed XML on its own.
    fn svg(&self, theme: Theme) -> String;
}
