//! Reports as one self-contained HTML file: no network, no script, light and dark schemes, screen and print.
//!
//! A [`Page`] is plain data: sections of blocks. Every text is escaped. The only markup that passes through is that of
//! this crate's charts, which is why a [`Figure`] is made from a chart and not from a string. The style sheet
//! `templates/page.css` also defines the colours of charts and boards.

use askama::Template;
use askama::filters::{Html, Safe, escape};

use crate::chart::{Chart, Theme};

/// A whole page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// The title, also of the window.
    pub title: String,
    /// The text between the title and the first section.
    pub intro: String,
    /// The sections. Three or more get a table of contents.
    pub sections: Vec<Section>,
}

/// A part of a page with a heading.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// Its heading.
    pub heading: String,
    /// Its content.
    pub blocks: Vec<Block>,
}

/// A part of a section.
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
    /// Draws the chart in the colours of the page. The caption explains the chart, its title names it.
    pub fn new(chart: &dyn Chart, caption: impl Into<String>) -> Self {
        Figure { svg: chart.svg(Theme::Page), caption: caption.into() }
    }
}

/// A table. Rows that are shorter than the header end early.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// The caption above the table; may be empty.
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
    /// Whether its cells are numbers, which are aligned to the right.
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
    /// Its text.
    pub text: String,
    /// How it is emphasised.
    pub emphasis: Emphasis,
}

impl Cell {
    /// A cell with an emphasis.
    pub fn marked(text: impl Into<String>, emphasis: Emphasis) -> Self {
        Cell { text: text.into(), emphasis }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Cell::marked(text, Emphasis::Plain)
    }
}

/// The emphasis of a cell or of a verdict; never by colour alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Emphasis {
    /// No emphasis.
    #[default]
    Plain,
    /// Correct.
    Good,
    /// Wrong.
    Bad,
    /// Neither proved nor refuted.
    Unknown,
    /// Missing or of no interest.
    Faint,
}

impl Emphasis {
    fn class(self) -> &'static str {
        match self {
            Emphasis::Plain => "plain",
            Emphasis::Good => "good",
            Emphasis::Bad => "bad",
            Emphasis::Unknown => "unknown",
            Emphasis::Faint => "faint",
        }
    }
}

/// A board as drawn for the terminal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Board {
    /// The caption below it; may be empty.
    pub caption: String,
    /// The drawing, with the escape codes of its colours if it has any.
    pub text: String,
}

impl Board {
    /// The drawing as HTML, with its colours as CSS variables.
    fn html(&self) -> Safe<String> {
        let converter = ansi_to_html::Converter::new().four_bit_var_prefix(Some("ansi-".to_string()));
        // A text with unknown escape codes is not a drawing of this program, and is shown as plain text.
        let plain = || {
            let Ok(text) = escape(&self.text, Html);
            text.to_string()
        };
        Safe(converter.convert(&self.text).unwrap_or_else(|_| plain()))
    }
}

/// A verdict in a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the claim holds.
    pub tone: Emphasis,
    /// The verdict in a few words.
    pub headline: String,
    /// Its evidence; may be empty.
    pub text: String,
}

/// The style sheet of a page. It defines the colours of charts in [`Theme::Page`] for the light and dark schemes.
pub const STYLE: &str = include_str!("../templates/page.css");

/// The input of the template.
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
    /// use admissible_lab::page::{Block, Emphasis, Page, Section, Verdict};
    /// let verdict = Verdict { tone: Emphasis::Good, headline: "h <= distance".into(), text: "All 12 states.".into() };
    /// let section = Section { heading: "zero".into(), blocks: vec![Block::Verdict(verdict)] };
    /// let page = Page { title: "Audit".into(), intro: String::new(), sections: vec![section] };
    /// assert!(page.html().contains("<strong>h &#60;= distance</strong>"));
    /// ```
    pub fn html(&self) -> String {
        let template = Html5 { page: self, style: STYLE };
        let mut html = template.render().expect("a template without fallible parts renders into a string");
        // File names may contain control characters, which HTML must not.
        html.retain(|character| !character.is_control() || matches!(character, '\n' | '\t'));
        html
    }
}
