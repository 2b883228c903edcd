//! Reports as one HTML file: no network, no script, light and dark, wide and narrow, on the screen and on paper.
//!
//! A [`Page`] is plain data: sections of blocks. Every text in it is text and gets escaped; the only markup that goes
//! through is what this crate has drawn itself, which is why a [`Figure`] is made from a chart and not from a string.
//! The looks are in `templates/page.css`, which also names the colours of the charts and of the boards.

use askama::Template;
use askama::filters::{Html, Safe, escape};

use crate::chart::{Chart, Theme};

/// A whole page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// The title, also of the window.
    pub title: String,
    /// What stands between the title and the first section.
    pub intro: String,
    /// The sections in order. Three or more get a table of contents.
    pub sections: Vec<Section>,
}

/// A part of a page with a heading of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// Its heading.
    pub heading: String,
    /// What is in it.
    pub blocks: Vec<Block>,
}

/// What a section is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading below that of the section.
    Heading(String),
    /// Running text.
    Paragraph(String),
    /// A chart with a caption.
    Figure(Figure),
    /// Rows and columns.
    Table(Table),
    /// Drawings of boards side by side, or a single one.
    Boards(Vec<Board>),
    /// A verdict in a box.
    Verdict(Verdict),
}

/// A drawn chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    svg: String,
    caption: String,
}

impl Figure {
    /// Draws the chart in the colours of the page. The caption says what can be seen in it, its title what it is.
    pub fn new(chart: &dyn Chart, caption: impl Into<String>) -> Self {
        Figure { svg: chart.svg(Theme::Page), caption: caption.into() }
    }
}

/// A table. Rows that are shorter than the header end early.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// What the table shows, above it; may be empty.
    pub caption: String,
    /// The header.
    pub columns: Vec<Column>,
    /// The rows. The first cell of each names it.
    pub rows: Vec<Vec<Cell>>,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its title.
    pub title: String,
    /// Whether its cells are numbers, which stand at the right.
    pub numeric: bool,
}

impl Column {
    /// A column of words.
    pub fn text(title: impl Into<String>) -> Self {
        Column { title: title.into(), numeric: false }
    }
    /// A column of numbers.
    pub fn number(title: impl Into<String>) -> Self {
        Column { title: title.into(), numeric: true }
    }
}

/// One cell of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// What is in it.
    pub text: String,
    /// Whether it stands out.
    pub mark: Mark,
}

impl Cell {
    /// A cell that stands out.
    pub fn marked(text: impl Into<String>, mark: Mark) -> Self {
        Cell { text: text.into(), mark }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Cell::marked(text, Mark::Plain)
    }
}

/// How a cell stands out; never by its colour alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mark {
    /// Not at all.
    #[default]
    Plain,
    /// As it should be.
    Good,
    /// Wrong.
    Bad,
    /// The best of its kind.
    Best,
    /// Missing or of no interest.
    Faint,
}

impl Mark {
    fn class(self) -> &'static str {
        match self {
            Mark::Plain => "plain",
            Mark::Good => "good",
            Mark::Bad => "bad",
            Mark::Best => "best",
            Mark::Faint => "faint",
        }
    }
}

/// A board as the terminal shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Board {
    /// What stands below it; may be empty.
    pub caption: String,
    /// The drawing, with the escape codes of its colours if it has any.
    pub text: String,
}

impl Board {
    /// The drawing as HTML, with colours by the names that the style sheet gives them.
    fn html(&self) -> Safe<String> {
        let converter = ansi_to_html::Converter::new().four_bit_var_prefix(Some("ansi-".to_string()));
        // What is not an escape code that it knows is no drawing of ours, and shown as the text that it is.
        let plain = || {
            let Ok(text) = escape(&self.text, Html);
            text.to_string()
        };
        Safe(converter.convert(&self.text).unwrap_or_else(|_| plain()))
    }
}

/// What was found out, in a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether that is good.
    pub tone: Tone,
    /// The verdict in a few words.
    pub headline: String,
    /// What it rests on; may be empty.
    pub text: String,
}

/// Whether a verdict is good news.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// It holds.
    Good,
    /// It does not.
    Bad,
    /// Nobody knows.
    Unknown,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Bad => "bad",
            Tone::Unknown => "unknown",
        }
    }
}

/// The looks of a page. It names the colours that charts in [`Theme::Page`] are drawn in, in light and dark.
pub const STYLE: &str = include_str!("../templates/page.css");

/// The page with its looks, as the template wants it.
#[derive(Template)]
#[template(path = "page.html")]
struct Html5<'a> {
    page: &'a Page,
    style: &'static str,
}

impl Page {
    /// The page as HTML.
    ///
    /// ```
    /// use admissible_lab::page::{Block, Page, Section, Tone, Verdict};
    /// let verdict = Verdict { tone: Tone::Good, headline: "h <= distance".into(), text: "All 12 states.".into() };
    /// let section = Section { heading: "zero".into(), blocks: vec![Block::Verdict(verdict)] };
    /// let page = Page { title: "Audit".into(), intro: String::new(), sections: vec![section] };
    /// assert!(page.html().contains("<strong>h &#60;= distance</strong>"));
    /// ```
    pub fn html(&self) -> String {
        let template = Html5 { page: self, style: STYLE };
        let mut html = template.render().expect("a template without fallible parts renders into a string");
        // No text of a page has a use for control characters, whatever a file may be called.
        html.retain(|character| !character.is_control() || matches!(character, '\n' | '\t'));
        html
    }
}
