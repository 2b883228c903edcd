//! The report of a comparison.

use admissible_front::Card;

use super::audits::{Audited, section as audit_section};
use super::{Gallery, Report};
use crate::chart::{Bar, BarGroup, GroupedBars, Labels};
use crate::compare::{Compared, Comparison, RunVerdict};
use crate::numbers::{bytes, grouped, seconds};
use crate::page::{Block, Board, Cell, Column, Emphasis, Page, Section, Table};
use crate::run::{Combination, Run};

/// A quantity that is drawn as bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Successors produced.
    Generated,
    /// Expanded states and the goal.
    Visited,
    /// Expanded states.
    Expanded,
    /// Wall time.
    Seconds,
}

impl Quantity {
    fn title(self) -> &'static str {
        match self {
            Quantity::Generated => "generated",
            Quantity::Visited => "visited",
            Quantity::Expanded => "expanded",
            Quantity::Seconds => "time",
        }
    }

    fn axis(self) -> &'static str {
        match self {
            Quantity::Seconds => "milliseconds",
            other => other.title(),
        }
    }

    fn of(self, run: &Run) -> f64 {
        match self {
            Quantity::Generated => run.stats.generated as f64,
            Quantity::Visited => run.visited() as f64,
            Quantity::Expanded => run.stats.expanded as f64,
            Quantity::Seconds => run.seconds * 1e3,
        }
    }
}

impl Comparison {
    /// The puzzles of its files.
    fn puzzles(&self) -> Vec<&'static Card> {
        let mut cards: Vec<&'static Card> = Vec::new();
        for compared in &self.files {
            if cards.iter().all(|card| card.name != compared.card.name) {
                cards.push(compared.card);
            }
        }
        cards
    }

    fn files_of(&self, puzzle: &str) -> impl Iterator<Item = &Compared> {
        self.files.iter().filter(move |compared| compared.card.name == puzzle)
    }

    /// The heuristics that ran on a puzzle.
    pub fn heuristics_of(&self, puzzle: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for run in self.files_of(puzzle).flat_map(|compared| &compared.runs) {
            if let Some(name) = run.combination.heuristic.as_ref().filter(|name| !names.contains(name)) {
                names.push(name.clone());
            }
        }
        names
    }

    /// A report with charts for each puzzle, a section for each file, and the audits of the heuristics.
    pub fn report(&self, audits: &[Audited]) -> Report {
        let mut gallery = Gallery::default();
        let mut sections = Vec::new();
        for puzzle in self.puzzles().into_iter().map(|card| card.name) {
            let files: Vec<&Compared> = self.files_of(puzzle).collect();
            let mut blocks = Vec::new();
            for quantity in [Quantity::Generated, Quantity::Visited, Quantity::Seconds] {
                let chart = bars(&files, quantity);
                let caption = match quantity {
                    Quantity::Generated => "Successors produced.",
                    Quantity::Visited => "States whose successors were produced, and the goal.",
                    _ => "Time of each run.",
                };
                blocks.push(Block::Figure(gallery.add(&[puzzle, quantity.title()], &chart, caption.into())));
            }
            sections.push(Section { heading: format!("{puzzle}: the work of each"), blocks });
        }
        for compared in &self.files {
            let start = match &compared.drawing {
                Some(text) => Block::Boards(vec![Board { caption: compared.file.clone(), text: text.clone() }]),
                None => Block::Paragraph(format!("{} (too large to draw)", compared.file)),
            };
            let blocks = vec![start, Block::Table(table(compared))];
            sections.push(Section { heading: format!("{}: {}", compared.card.name, short(&compared.file)), blocks });
        }
        for card in self.puzzles() {
            let audited = audits.iter().find(|audited| audited.puzzle == card.name);
            let heuristics = self.heuristics_of(card.name);
            if !heuristics.is_empty() {
                sections.push(audit_section(card, &heuristics, audited, &mut gallery));
            }
        }
        let sheet = self.sheet();
        let page = Page { title: "Heuristics compared".into(), intro: self.intro(), sections };
        Report { page, charts: gallery.0, csv: sheet.csv(), json: self.json(), markdown: self.markdown() }
    }

    fn intro(&self) -> String {
        let mut text = format!("{} runs on {} files.", self.runs().count(), self.files.len());
        let alarming = self.runs().filter(|(compared, run)| compared.verdict(run).is_alarming()).count();
        if alarming > 0 {
            text += &format!(" {alarming} answered with a cost that is not optimal, or not proved to be.");
        }
        let stopped = self.runs().filter(|(_, run)| run.stopped()).count();
        if stopped > 0 {
            text += &format!(" {stopped} were stopped at a limit.");
        }
        if self.interrupted {
            text += " It was interrupted: what had not run by then is missing.";
        }
        text + " Generated: successors produced. Visited: expanded states and the goal. \
                Reopened: closed states reached more cheaply. Frontier: the largest open list. \
                b*: the effective branching factor, generated = b* + b*^2 + ... + b*^cost."
    }

    fn markdown(&self) -> String {
        let mut text = String::from("# Heuristics compared\n\n");
        text += &format!("{}\n", self.intro());
        for compared in &self.files {
            text += &format!("\n## {}: {}\n\n", compared.card.name, compared.file);
            let mut sheet = Comparison { files: vec![compared.clone()], interrupted: false }.sheet();
            // The heading names puzzle and file.
            sheet.columns.drain(..2);
            sheet.rows.iter_mut().for_each(|row| drop(row.drain(..2)));
            text += &sheet.markdown();
        }
        text
    }
}

impl Compared {
    /// A quantity of its runs as bars.
    pub fn bars(&self, quantity: Quantity) -> GroupedBars {
        bars(&[self], quantity)
    }
}

/// A group for each file, a bar for each combination.
fn bars(files: &[&Compared], quantity: Quantity) -> GroupedBars {
    let mut series: Vec<&Combination> = Vec::new();
    for run in files.iter().flat_map(|compared| &compared.runs) {
        if !series.contains(&&run.combination) {
            series.push(&run.combination);
        }
    }
    let group = |compared: &&Compared| {
        let bar = |&combination: &&Combination| match compared.runs.iter().find(|run| run.combination == *combination) {
            Some(run) => {
                let verdict = compared.verdict(run);
                let ended = !matches!(verdict, RunVerdict::Stopped | RunVerdict::Impossible);
                Bar { value: ended.then(|| quantity.of(run)), flagged: verdict.is_alarming() }
            }
            None => Bar::default(),
        };
        BarGroup { name: short(&compared.file), bars: series.iter().map(bar).collect() }
    };
    let puzzle = files.first().map_or("", |compared| compared.card.name);
    let labels = Labels::new(format!("{puzzle}: {}", quantity.title()), "file", quantity.axis());
    GroupedBars {
        labels,
        series: Combination::names(&series),
        groups: files.iter().map(group).collect(),
        flag: "not optimal, or not proved".into(),
        missing: "stopped".into(),
    }
}

/// The name of a file without folders and ending.
fn short(file: &str) -> String {
    let path = std::path::Path::new(file);
    path.file_stem().map_or_else(|| file.to_string(), |stem| stem.to_string_lossy().into_owned())
}

fn table(compared: &Compared) -> Table {
    let numbers = ["cost", "generated", "visited", "reopened", "frontier", "time", "memory", "b*"];
    let mut columns = vec![Column::text("run")];
    columns.extend(numbers.map(Column::number));
    columns.push(Column::text("verdict"));
    let row = |run: &Run| {
        let stats = &run.stats;
        let emphasis = match compared.verdict(run) {
            RunVerdict::NotOptimal { .. } | RunVerdict::Unproved => Emphasis::Bad,
            RunVerdict::Optimal | RunVerdict::Unsolvable => Emphasis::Good,
            RunVerdict::Confirmed => Emphasis::Plain,
            RunVerdict::Stopped | RunVerdict::Impossible => Emphasis::Faint,
        };
        let cost = run.cost().map_or("-".into(), |cost| cost.to_string());
        let mut cells: Vec<Cell> = vec![run.combination.title().into(), Cell::marked(cost, emphasis)];
        let figures = [stats.generated, run.visited(), stats.reopened, stats.max_frontier].map(grouped);
        cells.extend(figures.map(Cell::from));
        cells.push(seconds(run.seconds).into());
        cells.push(bytes(stats.peak_bytes).into());
        cells.push(run.effective_branching().map_or("-".into(), |b| format!("{b:.3}")).into());
        cells.push(Cell::marked(compared.note(run), emphasis));
        cells
    };
    Table { caption: String::new(), columns, rows: compared.runs.iter().map(row).collect() }
}
