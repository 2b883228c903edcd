//! Answers as text.

use std::io::{self, Write};

use admissible_front::{Answer, AnswerOutcome, Handover, SolvedAnswer, Stop};
use admissible_lab::numbers::{bytes, count, grouped, seconds};
use anstyle::{AnsiColor, Style};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The width that text is laid out for.
pub(crate) const WIDTH: usize = 100;
/// Running text is wrapped at this width.
const WRAP_WIDTH: usize = 110;

pub(crate) fn answer(out: &mut impl Write, file: &str, answer: &Answer, boards: bool) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}  {file}", answer.puzzle)?;
    let with = if guided(answer) { format!(" with {BOLD}{}{BOLD:#}", answer.heuristic) } else { String::new() };
    write!(out, "{BOLD}{}{BOLD:#}{with}", answer.algorithm)?;
    match answer.chosen {
        Some(why) => writeln!(out, "{DIM}, chosen because {why}{DIM:#}")?,
        None => writeln!(out)?,
    }
    if let Some(Handover { from, to, lower_bound, expanded }) = answer.handover {
        let (states, bound) = (grouped(expanded), lower_bound);
        writeln!(out, "{from} ran out of memory after {states} states; {to} went on from the bound {bound}")?;
    }
    writeln!(out)?;
    match &answer.outcome {
        AnswerOutcome::Solved(solved) => solution(out, answer.unit, solved, boards)?,
        AnswerOutcome::Unsolvable { at_once } => {
            drawing(out, std::slice::from_ref(&answer.start))?;
            let how = if let Some(proof) = at_once {
                format!("proved by {proof}, without a search")
            } else if answer.algorithm == "atlas" {
                "proved: the atlas knows every state from which a goal can be reached".to_string()
            } else if answer.stats.expanded == 0 {
                format!("proved: {} shows that no goal can be reached from the start", answer.heuristic)
            } else {
                "proved: no reachable state is a goal".to_string()
            };
            writeln!(out, "\n{BAD}No solution{BAD:#}, {how}.")?;
        }
        AnswerOutcome::Stopped { why, lower_bound } => {
            drawing(out, std::slice::from_ref(&answer.start))?;
            let reason = match why {
                Stop::Interrupted => "Interrupted".to_string(),
                Stop::MoveLimit => {
                    format!("No solution within {} moves, proved", answer.move_limit.unwrap_or(0))
                }
                Stop::CostOverflow => "Stopped: paths cost more than 4,294,967,295".to_string(),
                Stop::Unproved => "Stopped: nothing found, and the heuristic is not known to be admissible".to_string(),
                why => format!("Stopped {}", why.phrase()),
            };
            let bound = match lower_bound {
                0 => String::new(),
                bound => format!("; every solution has a cost of at least {bound}"),
            };
            writeln!(out, "\n{WARNING}{reason}{WARNING:#}{bound}.")?;
            if let Some(best) = &answer.best {
                writeln!(out, "The best solution so far has a cost of {}, not proved to be shortest:", best.cost)?;
                write!(out, "{}", columns(&best.actions))?;
            }
        }
    }
    statistics(out, answer)
}

/// Whether the algorithm uses a heuristic.
fn guided(answer: &Answer) -> bool {
    admissible_front::ALGORITHMS.iter().any(|card| card.name == answer.algorithm && card.guided)
}

fn solution(out: &mut impl Write, unit: &str, solved: &SolvedAnswer, boards: bool) -> io::Result<()> {
    if boards {
        let titled: Vec<String> = solved
            .boards
            .iter()
            .enumerate()
            .map(|(at, board)| {
                let title = if at == 0 { "start".to_string() } else { format!("{at}. {}", solved.actions[at - 1]) };
                format!("{title}\n{board}")
            })
            .collect();
        drawing(out, &titled)?;
    } else {
        let drawings = solved.picture.as_ref().map_or(&solved.boards[..], std::slice::from_ref);
        drawing(out, drawings)?;
    }
    let steps = if solved.cost == 1 { format!("1 {unit}") } else { format!("{} {unit}s", solved.cost) };
    let guarantee = match solved.guarantee_text().as_str() {
        "optimal" => format!("{GOOD}Shortest solution: {steps}{GOOD:#}, proved optimal"),
        "none" => format!("{WARNING}Solution: {steps}{WARNING:#}, not proved to be shortest"),
        within => format!("{WARNING}Solution: {steps}{WARNING:#}, {within} times the shortest"),
    };
    let in_words = |(name, value): &(&str, u64)| format!("{}: {value}", name.replace('_', " "));
    let extras: Vec<String> = solved.extras.iter().map(in_words).collect();
    let extras = if extras.is_empty() { String::new() } else { format!(" ({})", extras.join(", ")) };
    writeln!(out, "\n{guarantee}{extras}.")?;
    if !boards {
        write!(out, "{}", columns(&solved.actions))?;
    }
    Ok(())
}

/// Drawings, unless they would fill many screens.
pub(crate) fn drawing(out: &mut impl Write, drawings: &[String]) -> io::Result<()> {
    let too_large = |drawing: &String| {
        drawing.lines().count() > 60 || drawing.lines().next().is_some_and(|line| visible_width(line) > 2 * WIDTH)
    };
    if drawings.iter().any(too_large) {
        return writeln!(out, "  {DIM}(too large to draw){DIM:#}");
    }
    write!(out, "{}", side_by_side(drawings))
}

/// Stands beside the largest frontier of an engine whose open list may hold a state several times.
const OF_ENTRIES: &str = "(entries: a state may have several)";

fn statistics(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let stats = &answer.stats;
    if answer.algorithm == "atlas" {
        return writeln!(out, "\n  {DIM}{:<22}{DIM:#}{:>16}", "time", seconds(answer.seconds));
    }
    let mut figures = vec![
        ("expanded", grouped(stats.expanded)),
        ("generated", grouped(stats.generated)),
        ("reopened", grouped(stats.reopened)),
        ("before the last layer", grouped(stats.expanded_before_last_layer)),
        ("largest frontier", grouped(stats.max_frontier)),
    ];
    if stats.iterations > 0 {
        figures.retain(|(name, _)| *name == "expanded" || *name == "generated" || *name == "before the last layer");
        figures.push(("iterations", grouped(stats.iterations)));
    }
    if stats.threads > 1 {
        figures.push(("threads", grouped(stats.threads)));
    }
    writeln!(out)?;
    if let Some(rule) = answer.counting {
        writeln!(out, "  {}\n", wrapped(&format!("Counted by the rule {}: {}.", rule.name, rule.explanation), 2))?;
    }
    for (name, value) in figures {
        let is_of_entries = name == "largest frontier" && stats.frontier_duplicates;
        let note = if is_of_entries { format!("  {DIM}{OF_ENTRIES}{DIM:#}") } else { String::new() };
        writeln!(out, "  {DIM}{name:<22}{DIM:#}{value:>16}{note}")?;
    }
    let rate = if answer.seconds > 0.0 { (stats.expanded as f64 / answer.seconds) as u64 } else { 0 };
    writeln!(out, "  {DIM}{:<22}{DIM:#}{:>16}  {DIM}({}/s){DIM:#}", "time", seconds(answer.seconds), count(rate))?;
    writeln!(out, "  {DIM}{:<22}{DIM:#}{:>16}", "memory", bytes(stats.peak_bytes))?;
    if stats.threads > 1 {
        let last = if stats.iterations > 0 { "iteration" } else { "layer" };
        writeln!(out, "\n  {DIM}With several threads the counts of the last {last} differ from run to run.{DIM:#}")?;
    }
    Ok(())
}

/// Numbered actions in columns, read row by row.
fn columns(actions: &[String]) -> String {
    let digits = actions.len().to_string().len();
    let longest = actions.iter().map(String::len).max().unwrap_or(0);
    // One-letter and one-word actions read best as a sentence.
    let cell = if longest <= 5 { longest + 1 } else { digits + 2 + longest + 2 };
    let per_row = (WIDTH / cell).max(1);
    let mut text = String::new();
    for (row, chunk) in actions.chunks(per_row).enumerate() {
        text.push_str("  ");
        for (at, action) in chunk.iter().enumerate() {
            if longest <= 5 {
                text += &format!("{action:<longest$} ");
            } else {
                let number = row * per_row + at + 1;
                text += &format!("{DIM}{number:>digits$}.{DIM:#} {action:<longest$}  ");
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// Drawings next to each other, as many as fit.
pub(crate) fn side_by_side(drawings: &[String]) -> String {
    let blocks: Vec<Vec<&str>> = drawings.iter().map(|drawing| drawing.lines().collect()).collect();
    let width = blocks.iter().flatten().map(|line| visible_width(line)).max().unwrap_or(0) + 3;
    let mut text = String::new();
    for row in blocks.chunks((WIDTH / width).max(1)) {
        if !text.is_empty() {
            text.push('\n');
        }
        for line in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
            let mut joined = String::from("  ");
            for block in row {
                let part = block.get(line).copied().unwrap_or("");
                joined += part;
                joined += &" ".repeat(width - visible_width(part));
            }
            text += joined.trim_end();
            text.push('\n');
        }
    }
    text
}

/// The columns that a line takes on the screen, colours not counted.
fn visible_width(line: &str) -> usize {
    anstream::adapter::strip_str(line).to_string().chars().count()
}

/// Text in lines of a readable length, the later ones indented.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("starts with one");
        if !line.is_empty() && indent + line.len() + 1 + word.len() > WRAP_WIDTH {
            lines.push(word.to_string());
        } else {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        }
    }
    lines.join(&format!("\n{:indent$}", ""))
}

/// Rows below a line of column names, indented by two. A column whose name begins with `<` is aligned to the left, the
/// others to the right.
pub(crate) fn table(names: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(NOTHING).force_no_tty();
    table.set_header(names.iter().map(|name| format!("{DIM}{}{DIM:#}", name.trim_start_matches('<'))));
    table.add_rows(rows);
    for (column, name) in table.column_iter_mut().zip(names) {
        let alignment = if name.starts_with('<') { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(alignment);
        column.set_padding((0, 2));
    }
    table.lines().map(|line| format!("  {}\n", line.trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_do_not_shift_drawings_side_by_side() {
        let coloured = format!("{GOOD}a{GOOD:#}\nb\n");
        assert_eq!(visible_width(coloured.lines().next().unwrap()), 1);
        let text = side_by_side(&[coloured, "c\nd\n".into()]);
        assert_eq!(anstream::adapter::strip_str(&text).to_string(), "  a   c\n  b   d\n");
    }
}
