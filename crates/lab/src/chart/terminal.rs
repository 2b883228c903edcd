//! Bar charts for the terminal, from the same data as the SVG ones.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use super::bars::{Bar, GroupedBars};
use super::scale::number;

/// The last column of a bar, in eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
const BAD: Style = AnsiColor::Red.on_default().bold();
const DIM: Style = Style::new().dimmed();
/// The colours of the series. Red is reserved for wrong results.
const SERIES: [AnsiColor; 6] =
    [AnsiColor::Blue, AnsiColor::Yellow, AnsiColor::Green, AnsiColor::Magenta, AnsiColor::Cyan, AnsiColor::BrightBlack];

/// The chart as horizontal bars in at most `width` columns, each followed by its value; `coloured` adds escape codes.
///
/// ```
/// use admissible_lab::chart::{Bar, BarGroup, GroupedBars, Labels, terminal_bars};
/// let bar = |value| Bar { value: Some(value), flagged: false };
/// let chart = GroupedBars {
///     labels: Labels::new("Nodes", "puzzle", "generated"),
///     series: vec!["zero".into(), "manhattan".into()],
///     groups: vec![BarGroup { name: "p1".into(), bars: vec![bar(32.0), bar(12.0)] }],
///     ..GroupedBars::default()
/// };
/// let text = "generated\np1\n  zero      █████████████████████████ 32\n  manhattan █████████▍ 12\n";
/// assert_eq!(terminal_bars(&chart, 40, false), text);
/// ```
pub fn terminal_bars(chart: &GroupedBars, width: usize, coloured: bool) -> String {
    let scale = chart.scale();
    let styled = |style: Style, text: &str| if coloured { format!("{style}{text}{style:#}") } else { text.to_string() };
    let names = chart.series.iter().map(|name| name.width()).max().unwrap_or(0);
    let labels: Vec<Vec<String>> =
        (chart.groups.iter().map(|group| group.bars.iter().map(|&bar| label(chart, bar)).collect())).collect();
    let longest = labels.iter().flatten().map(|label| label.width()).max().unwrap_or(0);
    // An indentation of two, and a blank on both sides of the bar; a narrower terminal wraps the lines.
    let room = width.saturating_sub(2 + names + 1 + 1 + longest).max(8);
    // No axis has to end at a round number, so the longest bar takes the whole width.
    let end = scale.place(chart.bars().filter_map(Bar::height).fold(0.0, f64::max)).max(f64::MIN_POSITIVE);

    let mut out = String::new();
    let _ = writeln!(out, "{}", styled(DIM, &scale.label(&chart.labels.y)));
    for (group, labels) in chart.groups.iter().zip(&labels) {
        let _ = writeln!(out, "{}", group.name);
        for (i, ((name, bar), label)) in chart.series.iter().zip(&group.bars).zip(labels).enumerate() {
            let padding = " ".repeat(names - name.width());
            let style = if bar.flagged {
                BAD
            } else if bar.height().is_none() {
                DIM
            } else {
                Style::new()
            };
            let blocks =
                bar.height().map_or(String::new(), |value| blocks(scale.place(value) / end, value > 0.0, room));
            let blocks = styled(SERIES[i % SERIES.len()].on_default(), &blocks);
            let gap = if bar.height().is_some_and(|value| value > 0.0) { " " } else { "" };
            let _ = writeln!(out, "  {name}{padding} {blocks}{gap}{}", styled(style, label));
        }
    }
    out
}

/// The text after a bar.
fn label(chart: &GroupedBars, bar: Bar) -> String {
    let value = bar.height().map_or_else(|| chart.missing.clone(), number);
    if bar.flagged { format!("{value} ✗ {}", chart.flag) } else { value }
}

/// A bar of this part of `room` columns. A `visible` one has at least an eighth of a column.
fn blocks(part: f64, visible: bool, room: usize) -> String {
    let eighths = ((part * room as f64 * 8.0).round() as usize).max(usize::from(visible));
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighths() {
        assert_eq!(blocks(1.0, true, 3), "███");
        assert_eq!(blocks(0.5, true, 3), "█▌");
        assert_eq!(blocks(0.0, true, 3), "▏");
        assert_eq!(blocks(0.0, false, 3), "");
    }
}
