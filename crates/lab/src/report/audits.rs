//! The heuristics in a report: their cards, and an audit of a file.

use std::collections::BTreeMap;

use admissible_front::{Audit, AuditReport, Card, Truth};

use super::Gallery;
use crate::chart::{HeatMap, Histogram, Labels};
use crate::numbers::grouped;
use crate::page::{Block, Board, Emphasis, Section, Verdict};

/// An audit for a report.
#[derive(Debug, Clone)]
pub struct Audited {
    /// The puzzle.
    pub puzzle: &'static str,
    /// The audited file.
    pub file: String,
    /// The audit, or the reason for none.
    pub audit: Result<Audit, String>,
}

/// The most boards that are drawn of a counterexample.
const MOST_BOARDS: usize = 8;

/// A section on the heuristics of a puzzle.
pub(super) fn section(
    puzzle: &Card,
    heuristics: &[String],
    audited: Option<&Audited>,
    gallery: &mut Gallery,
) -> Section {
    let mut blocks = Vec::new();
    match audited.map(|audited| (&audited.file, &audited.audit)) {
        Some((file, Ok(audit))) => {
            let how = if audit.exhaustive { "" } else { " (a sample, which can refute a claim and never prove one)" };
            blocks.push(Block::Paragraph(format!("Checked on {file}: {}{how}.", audit.looked_at)));
        }
        Some((file, Err(why))) => blocks.push(Block::Paragraph(format!("No audit of {file}: {why}."))),
        None => {}
    }
    for heuristic in heuristics {
        blocks.push(Block::Heading(heuristic.clone()));
        blocks.extend(card_blocks(puzzle, heuristic));
        let audit = audited.and_then(|audited| audited.audit.as_ref().ok());
        let report = audit.and_then(|audit| audit.reports.iter().find(|report| report.heuristic == *heuristic));
        if let Some(report) = report {
            blocks.extend(findings(report, gallery));
        }
    }
    Section { heading: format!("{}: what is true of the heuristics", puzzle.name), blocks }
}

/// The claims and the properties on a heuristic's card.
fn card_blocks(puzzle: &Card, heuristic: &str) -> Vec<Block> {
    let Some(card) = puzzle.heuristics.iter().find(|card| card.name == heuristic) else { return Vec::new() };
    let words = |what: &str, truth: Truth| match truth {
        Truth::Yes => what.to_string(),
        Truth::No(why) => format!("NOT {what}: {why}"),
        Truth::Sometimes(why) => format!("{what} only in part: {why}"),
    };
    let known = format!("{}; {}.", words("admissible", card.admissible), words("consistent", card.consistent));
    vec![Block::Paragraph(format!("{}. Its source claims: {}. On its card: {known}", card.summary, card.claim))]
}

/// The result of an audit for one heuristic.
fn findings(report: &AuditReport, gallery: &mut Gallery) -> Vec<Block> {
    let tone = match (report.admissible(), report.consistent() && report.exhaustive) {
        (false, _) => Emphasis::Bad,
        (true, true) => Emphasis::Good,
        (true, false) if report.inconsistent_edges > 0 => Emphasis::Bad,
        (true, false) => Emphasis::Unknown,
    };
    let share = if report.mean_distance > 0.0 { report.mean_estimate / report.mean_distance } else { 0.0 };
    let over = match report.overestimates {
        0 => format!("None of {} states overestimates", grouped(report.solvable)),
        count => {
            let (count, of) = (grouped(count), grouped(report.solvable));
            format!("{count} of {of} states overestimate, by up to {}", report.worst_overestimate)
        }
    };
    let edges = match report.inconsistent_edges {
        0 => format!("none of {} moves is inconsistent", grouped(report.edges)),
        count => format!("{} of {} moves are inconsistent", grouped(count), grouped(report.edges)),
    };
    let text = format!(
        "{over}; {edges}. The mean of h is {:.2}, that of the distance {:.2}: a share of {share:.3}.",
        report.mean_estimate, report.mean_distance,
    );
    let mut blocks = vec![Block::Verdict(Verdict { tone, headline: report.verdict(), text })];
    if let Some(found) = &report.overestimate {
        let h = found.h.map_or("a dead end".into(), |h| h.to_string());
        blocks.push(Block::Paragraph(format!(
            "The smallest counterexample to admissibility: h says {h}, and the distance is {}.",
            found.distance
        )));
        let names = std::iter::once("the state").chain(found.actions.iter().map(String::as_str));
        let board = |(name, text): (&str, &String)| Board { caption: name.into(), text: text.clone() };
        blocks.push(Block::Boards(names.zip(&found.boards).take(MOST_BOARDS).map(board).collect()));
    } else if let Some(found) = &report.inconsistency {
        let [before, after] = found.h.map(|h| h.map_or("a dead end".to_string(), |h| h.to_string()));
        blocks.push(Block::Paragraph(format!(
            "The smallest counterexample to consistency: h falls from {before} to {after} on a move that costs {}.",
            found.cost
        )));
        let captions = [format!("h = {before}"), format!("{}: h = {after}", found.action)];
        let board = |(caption, text): (String, &String)| Board { caption, text: text.clone() };
        blocks.push(Block::Boards(captions.into_iter().zip(&found.boards).map(board).collect()));
    }
    let title = format!("{} {}", report.puzzle, report.heuristic);
    let (heat, step) = heat_map(&title, &report.joint);
    let units = if step > 1 { format!(" Both are in units of {step}.") } else { String::new() };
    let caption = format!("States by true distance and by h; above the diagonal h says too much.{units}");
    blocks.push(Block::Figure(gallery.add(&[report.puzzle, &report.heuristic, "h-distance"], &heat, caption)));
    let errors = Histogram {
        labels: Labels::new(format!("{title}: h - distance"), "h - distance", "states"),
        counts: report.errors.clone(),
        within: "at most the distance".into(),
        beyond: "overestimates".into(),
    };
    let caption = "How far the heuristic is from the true distance; 0 is perfect.";
    blocks.push(Block::Figure(gallery.add(&[report.puzzle, &report.heuristic, "error"], &errors, caption.into())));
    blocks
}

/// The most rows and columns of a heat map: more are unreadable and overload a browser.
const MOST_CELLS: u32 = 150;

/// The heat map of a joint count of distances and estimates, and the number of values that a row or column merges.
fn heat_map(title: &str, joint: &[(u32, u32, u64)]) -> (HeatMap, u32) {
    let largest = joint.iter().map(|&(distance, h, _)| distance.max(h)).max().unwrap_or(0);
    let step = largest.saturating_add(1).div_ceil(MOST_CELLS);
    let mut cells: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for &(distance, h, count) in joint {
        // Merged cells keep every overestimate above the diagonal, and nothing else there.
        let above = u32::from(h > distance && h / step == distance / step);
        *cells.entry((distance / step, h / step + above)).or_default() += count;
    }
    let unit = if step > 1 { format!(" / {step}") } else { String::new() };
    let (x, y) = (format!("true distance{unit}"), format!("h{unit}"));
    let labels = Labels::new(format!("{title}: h against the true distance"), x, y);
    (HeatMap { labels, cells }, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_cells_stay_on_their_side_of_the_diagonal() {
        let joint: Vec<(u32, u32, u64)> = (0..1000).flat_map(|at| [(at, at, 1), (at, at + 1, 2)]).collect();
        let (heat, step) = heat_map("puzzle", &joint);
        assert_eq!(step, 7);
        let total = |above: bool| -> u64 {
            heat.cells.iter().filter(|((distance, h), _)| (h > distance) == above).map(|(_, count)| count).sum()
        };
        assert_eq!((total(false), total(true)), (1000, 2000));
        let (small, step) = heat_map("puzzle", &[(3, 2, 5)]);
        assert_eq!((small.cells, step), (BTreeMap::from([((3, 2), 5)]), 1));
    }
}
