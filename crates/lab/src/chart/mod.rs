//! Charts: plain numbers in, SVG out.
//!
//! Each chart is a struct of public fields, and [`Chart::svg`] turns it into one `<svg>` element. A chart chooses its
//! layout itself: a logarithmic axis, its width, the labels that fit. Only the [`Theme`] can be set. Legends and labels
//! are outside the plot and cover no data. Wrong answers and overestimates have a colour that no series has.

mod bands;
mod bars;
mod frame;
mod heat;
mod histogram;
mod scale;
mod svg;
mod terminal;

pub use bands::{Bands, Line, Quartiles, XAxis};
pub use bars::{Bar, BarGroup, GroupedBars};
pub use heat::HeatMap;
pub use histogram::Histogram;
pub use scale::number;
pub use terminal::terminal_bars;

/// The source of a chart's colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// A separate file: fixed colours on white.
    Paper,
    /// Part of a [page](crate::page): CSS variables, so that the chart follows its light and dark schemes.
    Page,
}

/// Title and axis labels of a chart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// The title.
    pub title: String,
    /// The label of the horizontal axis.
    pub x: String,
    /// The label of the vertical axis. The chart adds the words "logarithmic scale" itself.
    pub y: String,
}

impl Labels {
    /// Title, horizontal and vertical label.
    pub fn new(title: impl Into<String>, x: impl Into<String>, y: impl Into<String>) -> Self {
        Labels { title: title.into(), x: x.into(), y: y.into() }
    }
}

/// A chart that can be drawn.
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
    /// The drawing: one `<svg>` element of well-formed XML, without an XML declaration.
    fn svg(&self, theme: Theme) -> String;
}
