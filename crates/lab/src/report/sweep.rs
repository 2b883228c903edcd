//! The report of a sweep.

use super::{Gallery, Report};
use crate::page::{Block, Cell, Column, Page, Section, Table};
use crate::run::Combination;
use crate::sweep::{Measure, Sweep, Swept};

impl Swept {
    /// A report with a section for each measure: a chart, a table and the trends of each slice.
    pub fn report(&self) -> Report {
        let mut gallery = Gallery::default();
        let mut sections = Vec::new();
        for measure in Measure::ALL {
            let mut blocks = vec![Block::Paragraph(format!("{}: {}.", measure.title(), measure.words()))];
            for (title, points) in self.slices() {
                let title = title.as_deref();
                let bands = self.bands(measure, title, &points);
                let words = [self.sweep.puzzle.card().name, measure.key(), title.unwrap_or_default()];
                let caption = "Medians, with the quartiles around them.";
                blocks.push(Block::Figure(gallery.add(&words, &bands, caption.into())));
                blocks.push(Block::Table(self.page_table(measure, title, &points)));
                let trends = self.trends(measure, &points);
                blocks.extend(trends.into_iter().map(|trend| Block::Paragraph(format!("{trend}."))));
            }
            sections.push(Section { heading: measure.title().into(), blocks });
        }
        let page = Page { title: self.title(), intro: self.intro(), sections };
        Report { page, charts: gallery.0, csv: self.sheet().csv(), json: self.json(), markdown: self.markdown() }
    }

    /// The title.
    pub fn title(&self) -> String {
        let names: Vec<&str> = self.sweep.varied.iter().map(|varied| varied.parameter.name).collect();
        format!("{}: how the work grows with {}", self.sweep.puzzle.card().name, names.join(" and "))
    }

    /// The instances, the seed and the combinations, in words.
    pub fn design(&self) -> String {
        let Sweep { samples, seed, .. } = self.sweep;
        let instances = if samples == 1 { "instance" } else { "instances" };
        let runs: Vec<String> = self.combinations.iter().map(Combination::title).collect();
        format!("{samples} random solvable {instances} for each value, seed {seed}, the same for {}", runs.join(", "))
    }

    fn intro(&self) -> String {
        let mut text = format!("{}.", self.design());
        for remark in self.remarks() {
            text += &format!(" {remark}");
        }
        text
    }

    /// The table of a measure: a row for each point, a column for each combination.
    pub fn table(&self, measure: Measure, points: &[usize]) -> (Vec<String>, Vec<Vec<String>>) {
        let mut columns = vec![self.sweep.varied[0].parameter.name.to_string()];
        columns.extend(self.names());
        let bound = |point: usize| match measure {
            Measure::LargestBranching => self.bound_at(point),
            _ => None,
        };
        columns.extend(points.iter().find_map(|&point| bound(point)).map(|bound| bound.formula.to_string()));
        let row = |&point: &usize| {
            let mut row = vec![self.points[point][0].to_string()];
            for at in 0..self.combinations.len() {
                let figures = self.figures(point, at, measure);
                let censored = if figures.solved < figures.runs {
                    format!(" [{}/{}]", figures.solved, figures.runs)
                } else {
                    String::new()
                };
                row.push(figures.text(measure) + &censored);
            }
            row.extend(bound(point).map(|bound| bound.value.to_string()));
            row
        };
        (columns, points.iter().map(row).collect())
    }

    fn page_table(&self, measure: Measure, title: Option<&str>, points: &[usize]) -> Table {
        let (columns, rows) = self.table(measure, points);
        let place = title.map_or(String::new(), |title| format!(", {title}"));
        Table {
            caption: format!("{}{place}: median (quartiles) [solved/runs where not all were]", measure.title()),
            columns: columns.into_iter().map(Column::number).collect(),
            rows: rows.into_iter().map(|row| row.into_iter().map(Cell::from).collect()).collect(),
        }
    }

    fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n\n{}", self.title(), self.intro(), self.summary().markdown());
        for (title, points) in self.slices() {
            text += &title.map_or("\n".into(), |title| format!("\n## {title}\n\n"));
            for trend in Measure::ALL.iter().flat_map(|&measure| self.trends(measure, &points)) {
                text += &format!("- {trend}\n");
            }
        }
        text
    }
}
