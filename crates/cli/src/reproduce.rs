//! `admissible reproduce`.

use std::io::{self, Write};

use admissible_front::Registry;
use admissible_lab::reproduce::{ReproducedCell, Reproduction, tables};
use serde_json::Value;

use crate::args::{ReproduceArguments, TableFormat};
use crate::show::{BAD, BOLD, DIM, GOOD, table, wrapped};
use crate::{Exit, Failure};

pub(crate) fn run(arguments: &ReproduceArguments, puzzles: Registry) -> Result<Exit, Failure> {
    let mut wanted = tables();
    wanted.retain(|table| table.is_known_to(puzzles));
    if wanted.is_empty() {
        return Err(Failure::new("no published table is about a puzzle of this program"));
    }
    if let Some(name) = &arguments.table {
        let known: Vec<String> = wanted.iter().map(|table| table.name.clone()).collect();
        wanted.retain(|table| table.name == *name);
        if wanted.is_empty() {
            return Err(Failure::new(format!("unknown table '{name}' (there are: {})", known.join(", "))));
        }
    }
    let counting = arguments.counting.as_deref();
    let reproductions: Vec<Reproduction> =
        wanted.into_iter().map(|table| table.reproduce(puzzles, counting)).collect::<Result<_, _>>()?;
    match arguments.format {
        TableFormat::Json => {
            let cells: Value = reproductions.iter().flat_map(Reproduction::json).collect();
            writeln!(io::stdout().lock(), "{cells}")?;
        }
        TableFormat::Markdown => {
            let mut out = io::stdout().lock();
            for (at, reproduction) in reproductions.iter().enumerate() {
                let gap = if at > 0 { "\n" } else { "" };
                writeln!(out, "{gap}{}", markdown(reproduction))?;
            }
        }
        TableFormat::Text => {
            let mut out = anstream::stdout().lock();
            for (at, reproduction) in reproductions.iter().enumerate() {
                let gap = if at > 0 { "\n" } else { "" };
                write!(out, "{gap}{}", text(reproduction))?;
            }
        }
    }
    Ok(Exit::Answered)
}

/// The remarks below a table.
fn remarks(reproduction: &Reproduction) -> Vec<String> {
    let Reproduction { table, .. } = reproduction;
    let mut remarks = vec![
        format!("Source: {}.", table.source),
        format!("Counted {}.", reproduction.counted()),
        format!("Result: {}.", reproduction.summary()),
        format!("Found: {}.", table.found),
    ];
    if reproduction.is_by_another_rule() {
        remarks.push(format!("The published counts follow another rule, {}.", table.counting));
    }
    let without = reproduction.without_band();
    if !without.is_empty() {
        let names = without.join(" and ");
        let verb = if without.len() == 1 { "is" } else { "are" };
        remarks.push(format!("No band applies to {names}, which {verb} not consistent."));
    }
    remarks
}

fn markdown(reproduction: &Reproduction) -> String {
    let lines: Vec<String> = remarks(reproduction).iter().map(|remark| format!("- {remark}")).collect();
    format!("## {}\n\n{}\n{}", reproduction.table.title, reproduction.sheet().markdown(), lines.join("\n"))
}

/// A table like the published one, with our counts and the band below each cell.
fn text(reproduction: &Reproduction) -> String {
    let mut names = vec!["<heuristic", "<"];
    names.extend(reproduction.table.puzzles());
    let mut rows = Vec::new();
    for cells in reproduction.rows() {
        let line = |name: &str, what: &str, show: &dyn Fn(&ReproducedCell) -> String| -> Vec<String> {
            [name.to_string(), format!("{DIM}{what}{DIM:#}")].into_iter().chain(cells.iter().map(show)).collect()
        };
        rows.push(line(&cells[0].heuristic, "published", &|cell| cell.published.text()));
        rows.push(line("", "ours", &|cell| {
            let (style, mark) = if cell.matches() { (GOOD, "=") } else { (BAD, "≠") };
            format!("{style}{mark} {}{style:#}", cell.ours.text())
        }));
        rows.push(line("", "band", &|cell| match cell.band {
            Some(band) => format!("{DIM}{}-{}{DIM:#}", band.least, band.most),
            None => format!("{DIM}none{DIM:#}"),
        }));
    }
    let remarks: String = remarks(reproduction).iter().map(|remark| format!("  {}\n", wrapped(remark, 4))).collect();
    format!("{BOLD}{}{BOLD:#}, generated/visited\n\n{}\n{remarks}", reproduction.table.title, table(&names, rows))
}
