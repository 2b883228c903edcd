//! The table of a report: puzzles against heuristics, with `generated` and `visited` side by side in each cell.

use crate::compare::{Compared, Comparison};
use crate::findings::findings;
use crate::latex;
use crate::numbers::grouped;
use crate::run::Combination;
use crate::sheet::csv_text;

/// What has a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pivot {
    /// Every puzzle; the rows are heuristics, as in most reports.
    Puzzle,
    /// Every heuristic; the rows are puzzles.
    Heuristic,
}

/// The table of the files of one kind of puzzle.
#[derive(Debug, Clone)]
pub struct PivotTable {
    /// The kind of puzzle.
    pub puzzle: &'static str,
    /// The name of the first column.
    pub corner: &'static str,
    /// The names of the columns, each of which is a pair.
    pub columns: Vec<String>,
    /// The name of each row and its cells.
    pub rows: Vec<(String, Vec<PivotCell>)>,
    /// What the figures show, a sentence each.
    pub findings: Vec<String>,
}

/// The counts of one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PivotCell {
    /// `generated` and `visited`; `None` if the run has no answer.
    pub counts: Option<(u64, u64)>,
    /// Whether its answer is not optimal, or not proved to be.
    pub flagged: bool,
}

impl PivotCell {
    /// Both counts as text: flagged ones have a star, missing ones are `-`.
    pub fn texts(self) -> [String; 2] {
        let star = if self.flagged { "*" } else { "" };
        match self.counts {
            Some((generated, visited)) => [generated, visited].map(|count| grouped(count) + star),
            None => ["-".into(), "-".into()],
        }
    }
}

/// The meaning of a star.
const STAR: &str = "the answer is not optimal, or not proved to be";
/// The names of the two counts.
const COUNTS: [&str; 2] = ["generated", "visited"];

impl Comparison {
    /// A table for each kind of puzzle.
    pub fn pivot(&self, pivot: Pivot) -> Vec<PivotTable> {
        let of_puzzle = |card: &'static admissible_front::Card| {
            let files: Vec<&Compared> = self.files_of(card.name).collect();
            PivotTable::new(card.name, &files, pivot)
        };
        self.puzzles().into_iter().map(of_puzzle).collect()
    }
}

impl PivotTable {
    fn new(puzzle: &'static str, files: &[&Compared], pivot: Pivot) -> Self {
        let series = combinations(files);
        let (files_named, heuristics) = (file_names(files), Combination::names(&series));
        let cell = |file: usize, at: usize| {
            let compared = files[file];
            let Some(run) = compared.runs.iter().find(|run| run.combination == *series[at]) else {
                return PivotCell::default();
            };
            let verdict = compared.verdict(run);
            let counts = verdict.has_ended().then(|| (run.stats.generated, run.visited()));
            PivotCell { counts, flagged: verdict.is_alarming() }
        };
        let (corner, columns, names) = match pivot {
            Pivot::Puzzle => ("heuristic", files_named, heuristics),
            Pivot::Heuristic => ("puzzle", heuristics, files_named),
        };
        let place = |row, column| if pivot == Pivot::Puzzle { cell(column, row) } else { cell(row, column) };
        let row = |(row, name)| (name, (0..columns.len()).map(|column| place(row, column)).collect());
        let rows = names.into_iter().enumerate().map(row).collect();
        PivotTable { puzzle, corner, columns, rows, findings: findings(files) }
    }

    fn is_flagged(&self) -> bool {
        self.rows.iter().flat_map(|(_, cells)| cells).any(|cell| cell.flagged)
    }

    /// The sentences below the table.
    pub fn notes(&self) -> Vec<String> {
        let star = self.is_flagged().then(|| format!("* {STAR}."));
        star.into_iter().chain(self.findings.iter().cloned()).collect()
    }

    /// The lines of the table with a column of spaces between any two cells.
    pub fn text(&self) -> String {
        let first = self.rows.iter().map(|(name, _)| width(name)).chain([width(self.corner)]).max().unwrap_or(0);
        let mut lines = [" ".repeat(first), pad_right(self.corner, first)];
        let mut rows: Vec<String> = self.rows.iter().map(|(name, _)| pad_right(name, first)).collect();
        for (at, name) in self.columns.iter().enumerate() {
            let cells: Vec<[String; 2]> = self.rows.iter().map(|(_, cells)| cells[at].texts()).collect();
            let mut widths = [0, 1].map(|half| {
                cells.iter().map(|cell| width(&cell[half])).chain([width(COUNTS[half])]).max().unwrap_or(0)
            });
            // A long name widens the first of its two columns.
            widths[0] = widths[0].max(width(name).saturating_sub(widths[1] + 2));
            let both = widths[0] + 2 + widths[1];
            lines[0] += &format!("   {}", centred(name, both));
            lines[1] += &format!("   {}  {}", pad_left(COUNTS[0], widths[0]), pad_left(COUNTS[1], widths[1]));
            for (row, cell) in rows.iter_mut().zip(&cells) {
                *row += &format!("   {}  {}", pad_left(&cell[0], widths[0]), pad_left(&cell[1], widths[1]));
            }
        }
        lines.iter().chain(&rows).map(|line| format!("{}\n", line.trim_end())).collect()
    }

    /// A Markdown table and the sentences below it.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let quoted = |text: &str| text.replace('|', "\\|");
        let mut header = vec![self.corner.to_string()];
        header.extend(self.pairs().into_iter().map(|name| quoted(&name)));
        let mut rule = vec!["---".to_string()];
        rule.extend(vec!["---:".to_string(); 2 * self.columns.len()]);
        let mut text = line(header) + &line(rule);
        for (name, cells) in &self.rows {
            let mut row = vec![quoted(name)];
            row.extend(cells.iter().flat_map(|cell| cell.texts().map(|text| text.replace('*', "\\*"))));
            text += &line(row);
        }
        for note in self.notes() {
            text += &format!("\n{}\n", note.replace('*', "\\*"));
        }
        text
    }

    /// Comma-separated values. A missing count is empty.
    pub fn csv(&self) -> String {
        let header: Vec<String> = std::iter::once(self.corner.to_string()).chain(self.pairs()).collect();
        let row = |(name, cells): &(String, Vec<PivotCell>)| {
            let plain = |cell: &PivotCell| match cell.counts {
                Some((generated, visited)) => [generated, visited].map(|count| count.to_string()),
                None => [String::new(), String::new()],
            };
            std::iter::once(name.clone()).chain(cells.iter().flat_map(plain)).collect()
        };
        csv_text(std::iter::once(header).chain(self.rows.iter().map(row)))
    }

    /// A LaTeX table for the booktabs package.
    pub fn latex(&self) -> String {
        let columns = self.columns.len();
        let names: Vec<String> =
            self.columns.iter().map(|name| format!("\\multicolumn{{2}}{{c}}{{{}}}", latex::escape(name))).collect();
        let rules: Vec<String> =
            (0..columns).map(|at| format!("\\cmidrule(lr){{{}-{}}}", 2 * at + 2, 2 * at + 3)).collect();
        let pair = COUNTS.join(" & ");
        let header = [
            format!(" & {} \\\\", names.join(" & ")),
            rules.join(" "),
            format!("{} & {} \\\\", self.corner, vec![pair; columns].join(" & ")),
        ];
        let row = |(name, cells): &(String, Vec<PivotCell>)| {
            let texts = cells.iter().flat_map(|cell| cell.texts()).map(|text| match text.strip_suffix('*') {
                Some(count) => format!("{count}\\rlap{{$^*$}}"),
                None if text == "-" => "--".into(),
                None => text,
            });
            std::iter::once(latex::escape(name)).chain(texts).collect()
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(row).collect();
        let tabular = latex::tabular(&format!("l{}", "rr".repeat(columns)), &header, &rows);
        let caption = format!("{}: successors generated and states visited. {}", self.puzzle, self.notes().join(" "));
        latex::table(caption.trim_end(), &tabular)
    }

    /// The names of the single columns.
    fn pairs(&self) -> Vec<String> {
        self.columns.iter().flat_map(|name| COUNTS.map(|count| format!("{name} {count}"))).collect()
    }
}

/// The combinations that ran on some of the files, in their order.
pub(crate) fn combinations<'a>(files: &[&'a Compared]) -> Vec<&'a Combination> {
    let mut series: Vec<&Combination> = Vec::new();
    for run in files.iter().flat_map(|compared| &compared.runs) {
        if !series.contains(&&run.combination) {
            series.push(&run.combination);
        }
    }
    series
}

/// The name of each file without folders and ending, or in full if two would be the same.
fn file_names(files: &[&Compared]) -> Vec<String> {
    let short: Vec<String> = files.iter().map(|compared| compared.short_name()).collect();
    let is_unique = |name: &String| short.iter().filter(|other| *other == name).count() == 1;
    let name = |(compared, name): (&&Compared, &String)| {
        if is_unique(name) { name.clone() } else { compared.file.clone() }
    };
    files.iter().zip(&short).map(name).collect()
}

fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

fn pad_left(text: &str, to: usize) -> String {
    " ".repeat(to.saturating_sub(width(text))) + text
}

fn pad_right(text: &str, to: usize) -> String {
    text.to_string() + &" ".repeat(to.saturating_sub(width(text)))
}

fn centred(text: &str, to: usize) -> String {
    let left = to.saturating_sub(width(text)) / 2;
    pad_right(&(" ".repeat(left) + text), to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> PivotTable {
        let cell = |generated, visited| PivotCell { counts: Some((generated, visited)), flagged: false };
        PivotTable {
            puzzle: "die",
            corner: "heuristic",
            columns: vec!["p_1".into(), "a&b".into()],
            rows: vec![
                ("zero".into(), vec![cell(32, 24), cell(1271, 1260)]),
                ("max(a, b)".into(), vec![PivotCell { flagged: true, ..cell(12, 9) }, PivotCell::default()]),
            ],
            findings: vec!["The figures show it.".into()],
        }
    }

    #[test]
    fn text_has_both_counts_below_each_name() {
        let expected = concat!(
            "                   p_1                  a&b\n",
            "heuristic   generated  visited   generated  visited\n",
            "zero               32       24       1,271    1,260\n",
            "max(a, b)         12*       9*           -        -\n",
        );
        assert_eq!(table().text(), expected);
        let star = "* the answer is not optimal, or not proved to be.";
        assert_eq!(table().notes(), [star, "The figures show it."]);
    }

    #[test]
    fn csv_has_plain_numbers() {
        let expected = "\
heuristic,p_1 generated,p_1 visited,a&b generated,a&b visited
zero,32,24,1271,1260
\"max(a, b)\",12,9,,
";
        assert_eq!(table().csv(), expected);
    }

    #[test]
    fn markdown_has_a_table_and_the_sentences() {
        let expected = "\
| heuristic | p_1 generated | p_1 visited | a&b generated | a&b visited |
| --- | ---: | ---: | ---: | ---: |
| zero | 32 | 24 | 1,271 | 1,260 |
| max(a, b) | 12\\* | 9\\* | - | - |

\\* the answer is not optimal, or not proved to be.

The figures show it.
";
        assert_eq!(table().markdown(), expected);
    }

    #[test]
    fn latex_is_escaped_and_has_rules_below_the_names() {
        let latex = table().latex();
        let caption = r"\caption{die: successors generated and states visited. * the answer is not optimal, or not";
        assert!(latex.contains(caption), "{latex}");
        let expected = r"\begin{tabular}{@{}lrrrr@{}}
\toprule
 & \multicolumn{2}{c}{p\_1} & \multicolumn{2}{c}{a\&b} \\
\cmidrule(lr){2-3} \cmidrule(lr){4-5}
heuristic & generated & visited & generated & visited \\
\midrule
zero & 32 & 24 & 1,271 & 1,260 \\
max(a, b) & 12\rlap{$^*$} & 9\rlap{$^*$} & -- & -- \\
\bottomrule
\end{tabular}
\end{table}
";
        assert!(latex.ends_with(expected), "{latex}");
    }
}
