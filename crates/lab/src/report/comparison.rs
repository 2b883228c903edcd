//! The report of a comparison.

use admissible_front::Card;

use super::audits::{Audited, section as audit_section};
use super::{Gallery, Report};
use crate::chart::{Bar, BarGroup, GroupedBars, Labels};
use crate::compare::{Compared, Comparison, RunVerdict};
use crate::findings::findings;
use crate::latex;
use crate::numbers::{bytes, grouped, seconds};
use crate::page::{Block, Board, Cell, Column, Emphasis, Page, Section, Table};
use crate::pivot::{Pivot, PivotTable, combinations};
use crate::run::{Combination, Run};

/// A quantity that is drawn as bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Successors produced.
    Generated,
    /// Expanded states and the goal.
    Visited,
    /// Wall time.
    Seconds,
}

impl Quantity {
    fn title(self) -> &'static str {
        match self {
            Quantity::Generated => "generated",
            Quantity::Visited => "visited",
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
            Quantity::Seconds => run.seconds * 1e3,
        }
    }
}

impl Comparison {
    /// The puzzles of its files.
    pub(crate) fn puzzles(&self) -> Vec<&'static Card> {
        let mut cards: Vec<&'static Card> = Vec::new();
        for compared in &self.files {
            if cards.iter().all(|card| card.name != compared.card.name) {
                cards.push(compared.card);
            }
        }
        cards
    }

    pub(crate) fn files_of(&self, puzzle: &str) -> impl Iterator<Item = &Compared> {
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
            if files.len() > 1 {
                blocks.extend(findings(&files).into_iter().map(Block::Paragraph));
            }
            sections.push(Section { heading: format!("{puzzle}: the work of each"), blocks });
        }
        for compared in &self.files {
            let start = match &compared.drawing {
                Some(text) => Block::Boards(vec![Board { caption: compared.file.clone(), text: text.clone() }]),
                None => Block::Paragraph(format!("{} (too large to draw)", compared.file)),
            };
            let mut blocks = vec![start, Block::Table(table(compared))];
            blocks.extend(compared.findings().into_iter().map(Block::Paragraph));
            let name = compared.short_name();
            let linear = compared.counts(true);
            let caption = "Successors generated and states visited, linear scale.".into();
            blocks.push(Block::Figure(gallery.add(&[compared.card.name, &name, "counts linear"], &linear, caption)));
            let fitting = compared.counts(false);
            if fitting.is_logarithmic() {
                let caption = "The same on a logarithmic scale.".into();
                blocks.push(Block::Figure(gallery.add(&[compared.card.name, &name, "counts log"], &fitting, caption)));
            }
            sections.push(Section { heading: format!("{}: {name}", compared.card.name), blocks });
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
            text += " It was interrupted: the remaining runs are missing.";
        }
        text + " Generated: successors produced. Visited: expanded states and the goal. \
                Reopened: closed states reached more cheaply. Frontier: the largest open list. \
                b*: the effective branching factor, generated = b* + b*^2 + ... + b*^cost. \
                h(start): the estimate of the start. Error: (h* - h) / h* there, h* being the optimal cost. \
                Max b: the most successors of an expanded state, of the published bound if there is one."
    }

    /// The figures as Markdown: a table for each file.
    pub fn markdown(&self) -> String {
        let mut text = String::from("# Heuristics compared\n\n");
        text += &format!("{}\n", self.intro());
        for compared in &self.files {
            text += &format!("\n## {}: {}\n\n", compared.card.name, compared.file);
            let mut sheet = Comparison { files: vec![compared.clone()], interrupted: false }.sheet();
            // The heading names puzzle and file.
            sheet.columns.drain(..2);
            sheet.rows.iter_mut().for_each(|row| drop(row.drain(..2)));
            text += &sheet.markdown();
            for sentence in compared.findings() {
                text += &format!("\n{sentence}\n");
            }
        }
        for table in self.pivot(Pivot::Puzzle).iter().filter(|table| table.columns.len() > 1) {
            text += &format!("\n## {}: generated and visited\n\n{}", table.puzzle, table.markdown());
        }
        text
    }

    /// The main figures as LaTeX: a table for each file.
    pub fn latex(&self) -> String {
        let columns = [
            "algorithm",
            "heuristic",
            "cost",
            "generated",
            "visited",
            "max_frontier",
            "h_start",
            "relative_error",
            "largest_branching",
        ];
        let table = |compared: &Compared| {
            let sheet = Comparison { files: vec![compared.clone()], interrupted: false }.sheet();
            let caption = format!("{}: {}. {}", compared.card.name, compared.file, compared.findings().join(" "));
            sheet.select(&columns).latex(caption.trim_end())
        };
        latex::PREAMBLE.to_string() + &self.files.iter().map(table).collect::<Vec<_>>().join("\n")
    }

    /// The tables of a report as LaTeX.
    pub fn pivot_latex(&self, pivot: Pivot) -> String {
        let tables: Vec<String> = self.pivot(pivot).iter().map(PivotTable::latex).collect();
        latex::PREAMBLE.to_string() + &tables.join("\n")
    }
}

impl Compared {
    /// What its figures show, a sentence each.
    pub fn findings(&self) -> Vec<String> {
        findings(&[self])
    }

    /// The name of the file without folders and ending.
    pub(crate) fn short_name(&self) -> String {
        let path = std::path::Path::new(&self.file);
        path.file_stem().map_or_else(|| self.file.clone(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Generated and visited of each run side by side, on a linear scale or on the one that fits.
    fn counts(&self, is_linear: bool) -> GroupedBars {
        let names = Combination::names(&self.runs.iter().map(|run| &run.combination).collect::<Vec<_>>());
        let quantities = [Quantity::Generated, Quantity::Visited];
        let group = |(run, name): (&Run, String)| {
            let bars = quantities.map(|quantity| self.bar(run, quantity)).to_vec();
            BarGroup { name, bars }
        };
        GroupedBars {
            labels: Labels::new(
                format!("{} {}: generated and visited", self.card.name, self.short_name()),
                "heuristic",
                "states",
            ),
            series: quantities.map(|quantity| quantity.title().to_string()).to_vec(),
            groups: self.runs.iter().zip(names).map(group).collect(),
            is_linear,
            ..no_bars()
        }
    }

    /// The bar of a run.
    fn bar(&self, run: &Run, quantity: Quantity) -> Bar {
        let verdict = self.verdict(run);
        Bar { value: verdict.has_ended().then(|| quantity.of(run)), flagged: verdict.is_alarming() }
    }

    /// A quantity of its runs as bars.
    pub fn bars(&self, quantity: Quantity) -> GroupedBars {
        bars(&[self], quantity)
    }
}

/// A group for each file, a bar for each combination.
fn bars(files: &[&Compared], quantity: Quantity) -> GroupedBars {
    let series = combinations(files);
    let group = |compared: &&Compared| {
        let bar = |&combination: &&Combination| match compared.runs.iter().find(|run| run.combination == *combination) {
            Some(run) => compared.bar(run, quantity),
            None => Bar::default(),
        };
        BarGroup { name: compared.short_name(), bars: series.iter().map(bar).collect() }
    };
    let puzzle = files.first().map_or("", |compared| compared.card.name);
    let labels = Labels::new(format!("{puzzle}: {}", quantity.title()), "file", quantity.axis());
    GroupedBars { labels, series: Combination::names(&series), groups: files.iter().map(group).collect(), ..no_bars() }
}

/// The words of every chart of bars.
fn no_bars() -> GroupedBars {
    GroupedBars { flag: "not optimal, or not proved".into(), missing: "stopped".into(), ..GroupedBars::default() }
}

/// The names of the [figures](figures) of a run.
pub const FIGURES: [&str; 12] = [
    "cost",
    "generated",
    "visited",
    "expanded",
    "reopened",
    "frontier",
    "time",
    "memory",
    "b*",
    "h(start)",
    "error",
    "max b",
];

/// The figures of a run as text.
pub fn figures(compared: &Compared, run: &Run) -> [String; 12] {
    let text = |value: Option<String>| value.unwrap_or_else(|| "-".into());
    let stats = &run.stats;
    [
        text(run.cost().map(|cost| cost.to_string())),
        grouped(stats.generated),
        grouped(run.visited()),
        grouped(stats.expanded),
        grouped(stats.reopened),
        grouped(stats.max_frontier),
        seconds(run.seconds),
        bytes(stats.peak_bytes),
        text(run.effective_branching().map(|b| format!("{b:.3}"))),
        text(run.h_start.map(|h| if h.fract() == 0.0 { format!("{h:.0}") } else { format!("{h:.2}") })),
        text(run.relative_error(compared.optimum()).map(|error| format!("{error:.2}"))),
        text(run.largest_branching.map(|most| match run.branching_bound {
            Some(bound) => format!("{most} of {}", bound.value),
            None => most.to_string(),
        })),
    ]
}

fn table(compared: &Compared) -> Table {
    // Reports count visited states, not expanded ones.
    let is_shown = |name: &&str| *name != "expanded";
    let mut columns = vec![Column::text("run")];
    columns.extend(FIGURES.into_iter().filter(is_shown).map(Column::number));
    columns.push(Column::text("verdict"));
    let row = |run: &Run| {
        let emphasis = match compared.verdict(run) {
            RunVerdict::NotOptimal { .. } | RunVerdict::Unproved => Emphasis::Bad,
            RunVerdict::Optimal | RunVerdict::Unsolvable => Emphasis::Good,
            RunVerdict::Confirmed => Emphasis::Plain,
            RunVerdict::Stopped | RunVerdict::Impossible => Emphasis::Faint,
        };
        let figures = FIGURES.iter().zip(figures(compared, run)).filter(|(name, _)| is_shown(name));
        let mut cells: Vec<Cell> = vec![run.combination.title().into()];
        cells.extend(figures.map(|(_, figure)| Cell::from(figure)));
        cells[1].emphasis = emphasis;
        cells.push(Cell::marked(compared.note(run), emphasis));
        cells
    };
    Table { caption: String::new(), columns, rows: compared.runs.iter().map(row).collect() }
}
