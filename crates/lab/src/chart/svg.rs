//! An SVG writer: a few shapes, colours by meaning, and an estimate of the width of a text.
//!
//! No element has an id, so a page can contain any number of drawings: textures are dashed lines as thick as the area
//! they cover, and colour ramps are rows of rectangles.

use std::fmt::Write;

use super::Theme;

/// The colours of the series; further series repeat them.
const PALETTE: [(&str, &str); 7] = [
    ("series-1", "#0072b2"),
    ("series-2", "#e69f00"),
    ("series-3", "#009e73"),
    ("series-4", "#cc79a7"),
    ("series-5", "#56b4e9"),
    ("series-6", "#8c8c8c"),
    ("series-7", "#c5b800"),
];

/// A colour by its meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ink {
    Text,
    Muted,
    Grid,
    Paper,
    /// Wrong answers and overestimates, and nothing else.
    Bad,
    Series(usize),
}

impl Theme {
    /// The palette of Okabe and Ito, which is safe for every kind of colour vision. Vermilion is reserved for errors,
    /// and yellow is darkened for white paper. On a page the colours are CSS variables.
    fn colour(self, ink: Ink) -> String {
        let (name, fixed) = match ink {
            Ink::Text => ("ink", "#1a1a1a"),
            Ink::Muted => ("muted", "#5f5f5f"),
            Ink::Grid => ("grid", "#dddddd"),
            Ink::Paper => ("paper", "#ffffff"),
            Ink::Bad => ("bad", "#d55e00"),
            Ink::Series(series) => PALETTE[series % PALETTE.len()],
        };
        match self {
            Theme::Paper => fixed.to_string(),
            Theme::Page => format!("var(--{name})"),
        }
    }
}

/// The style of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextStyle {
    pub(crate) size: f64,
    pub(crate) ink: Ink,
    /// The part of the text that is at its point: its start, middle or end.
    pub(crate) anchor: &'static str,
    pub(crate) bold: bool,
    /// The rotation about the anchor, in degrees clockwise.
    pub(crate) angle: f64,
    /// The `class` of the element: the kind of label.
    pub(crate) class: &'static str,
}

impl TextStyle {
    pub(crate) const fn new(class: &'static str, size: f64, anchor: &'static str) -> Self {
        TextStyle { size, ink: Ink::Text, anchor, bold: false, angle: 0.0, class }
    }
    pub(crate) const fn ink(self, ink: Ink) -> Self {
        TextStyle { ink, ..self }
    }
    pub(crate) const fn bold(self) -> Self {
        TextStyle { bold: true, ..self }
    }
    pub(crate) const fn turned(self, angle: f64) -> Self {
        TextStyle { angle, ..self }
    }
}

/// A rectangle by its upper left corner and size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A drawing in progress.
pub(crate) struct Drawing {
    theme: Theme,
    body: String,
}

impl Drawing {
    pub(crate) fn new(theme: Theme) -> Self {
        Drawing { theme, body: String::new() }
    }

    /// The finished element. Screen readers read `description`.
    pub(crate) fn finish(self, width: f64, height: f64, title: &str, description: &str) -> String {
        let (wide, high) = (short(width), short(height));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{wide}\" height=\"{high}\" \
             viewBox=\"0 0 {wide} {high}\" font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\""
        );
        // A page shrinks a chart as far as its labels can still be read, and lets it be scrolled from there on.
        if self.theme == Theme::Page {
            let _ = write!(svg, " style=\"min-width:{}px\"", short((width * 0.8).floor()));
        }
        let _ = write!(svg, "><title>{}</title><desc>{}</desc>", escape(title), escape(description));
        if self.theme == Theme::Paper {
            let _ = write!(svg, "<rect width=\"{wide}\" height=\"{high}\" fill=\"#ffffff\"/>");
        }
        svg.push_str(&self.body);
        svg.push_str("</svg>");
        svg
    }

    fn add(&mut self, arguments: std::fmt::Arguments<'_>) {
        self.body.write_fmt(arguments).expect("a string can always be written to");
    }

    /// Gives everything that `draw` adds the tooltip `hint`.
    pub(crate) fn with_hint(&mut self, hint: &str, draw: impl FnOnce(&mut Drawing)) {
        self.add(format_args!("<g><title>{}</title>", escape(hint)));
        draw(self);
        self.body.push_str("</g>");
    }

    /// Aligns everything that `draw` adds to whole pixels, so that neighbours have no seams.
    pub(crate) fn crisp(&mut self, draw: impl FnOnce(&mut Drawing)) {
        self.body.push_str("<g shape-rendering=\"crispEdges\">");
        draw(self);
        self.body.push_str("</g>");
    }

    pub(crate) fn text(&mut self, x: f64, y: f64, style: TextStyle, text: &str) {
        let (x, y, size) = (short(x), short(y), short(style.size));
        let (class, anchor, fill) = (style.class, style.anchor, self.theme.colour(style.ink));
        self.add(format_args!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{fill}\""
        ));
        if style.bold {
            self.body.push_str(" font-weight=\"bold\"");
        }
        if style.angle != 0.0 {
            self.add(format_args!(" transform=\"rotate({} {x} {y})\"", short(style.angle)));
        }
        self.add(format_args!(">{}</text>", escape(text)));
    }

    /// A filled rectangle. `strength` is its opacity.
    pub(crate) fn fill(&mut self, area: Area, ink: Ink, strength: f64) {
        let fill = self.theme.colour(ink);
        self.area(area);
        self.add(format_args!(" fill=\"{fill}\""));
        if strength < 1.0 {
            self.add(format_args!(" fill-opacity=\"{strength:.2}\""));
        }
        self.body.push_str("/>");
    }

    /// The outline of a rectangle.
    pub(crate) fn outline(&mut self, area: Area, ink: Ink, thickness: f64, dashed: bool) {
        let stroke = self.theme.colour(ink);
        let dashes = if dashed { " stroke-dasharray=\"3 3\"" } else { "" };
        self.area(area);
        self.add(format_args!(" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{}\"{dashes}/>", short(thickness)));
    }

    fn area(&mut self, area: Area) {
        // Both ends are rounded instead of the width, so that neighbours meet.
        let tenths = |value: f64| (value * 10.0).round() / 10.0;
        let (right, bottom) = (tenths(area.x + area.width.max(0.0)), tenths(area.y + area.height.max(0.0)));
        let (left, top) = (tenths(area.x), tenths(area.y));
        let [x, y, width, height] = [left, top, right - left, bottom - top].map(short);
        self.add(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""));
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink, thickness: f64, dashes: &str) {
        let stroke = self.theme.colour(ink);
        let [x1, y1, x2, y2, thickness] = [from.0, from.1, to.0, to.1, thickness].map(short);
        self.add(format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{stroke}\" stroke-width=\"{thickness}\""
        ));
        if !dashes.is_empty() {
            self.add(format_args!(" stroke-dasharray=\"{dashes}\""));
        }
        self.body.push_str("/>");
    }

    pub(crate) fn polyline(&mut self, points: &[(f64, f64)], ink: Ink, thickness: f64) {
        let stroke = self.theme.colour(ink);
        self.add(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
            coordinates(points),
            short(thickness)
        ));
    }

    pub(crate) fn polygon(&mut self, points: &[(f64, f64)], ink: Ink, strength: f64) {
        let fill = self.theme.colour(ink);
        let points = coordinates(points);
        self.add(format_args!("<polygon points=\"{points}\" fill=\"{fill}\" fill-opacity=\"{strength:.2}\"/>"));
    }

    pub(crate) fn circle(&mut self, x: f64, y: f64, radius: f64, ink: Ink, strength: f64) {
        let fill = self.theme.colour(ink);
        let [x, y, radius] = [x, y, radius].map(short);
        self.add(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" fill-opacity=\"{strength:.2}\"/>"
        ));
    }

    /// A bar of a series: its colour, and a texture that distinguishes series in greyscale.
    pub(crate) fn bar(&mut self, area: Area, series: usize) {
        self.fill(area, Ink::Series(series), 1.0);
        let Area { x, y, width, height } = area;
        if height < 1.0 {
            return;
        }
        let upwards = ((x + width / 2.0, y + height), (x + width / 2.0, y), width);
        let across = ((x, y + height / 2.0), (x + width, y + height / 2.0), height);
        let ((from, to, thickness), dashes) = match series % 4 {
            1 => (upwards, "1.5 4.5"),
            2 => (across, "1.5 4.5"),
            3 => (upwards, "5 5"),
            _ => return,
        };
        self.body.push_str("<g stroke-opacity=\"0.5\">");
        self.line(from, to, Ink::Paper, thickness, dashes);
        self.body.push_str("</g>");
    }

    /// A cross.
    pub(crate) fn cross(&mut self, x: f64, y: f64, size: f64, ink: Ink) {
        let half = size / 2.0;
        self.line((x - half, y - half), (x + half, y + half), ink, size / 4.0, "");
        self.line((x - half, y + half), (x + half, y - half), ink, size / 4.0, "");
    }

    /// The marker of a series; each has its own shape.
    pub(crate) fn marker(&mut self, x: f64, y: f64, series: usize) {
        let ink = Ink::Series(series);
        let around =
            |corners: &[(f64, f64)]| corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect::<Vec<(f64, f64)>>();
        let shape: &[(f64, f64)] = match series % PALETTE.len() {
            0 => return self.circle(x, y, 4.5, ink, 1.0),
            1 => &[(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)],
            2 => &[(0.0, -5.5), (5.0, 4.0), (-5.0, 4.0)],
            3 => &[(0.0, -6.0), (6.0, 0.0), (0.0, 6.0), (-6.0, 0.0)],
            4 => &[(0.0, 5.5), (5.0, -4.0), (-5.0, -4.0)],
            5 => &[(-5.0, -2.0), (5.0, -2.0), (5.0, 2.0), (-5.0, 2.0)],
            _ => &[(-2.0, -5.0), (2.0, -5.0), (2.0, 5.0), (-2.0, 5.0)],
        };
        self.polygon(&around(shape), ink, 1.0);
    }
}

fn coordinates(points: &[(f64, f64)]) -> String {
    let pairs: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", short(x), short(y))).collect();
    pairs.join(" ")
}

/// A coordinate to a tenth of a pixel.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// Escapes a text for XML, and replaces characters that XML cannot contain.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            character if character.is_control() => escaped.push('\u{fffd}'),
            character => escaped.push(character),
        }
    }
    escaped
}

/// An estimate of the width of a text. The reader's font is unknown, so this assumes a wide one.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|character| match character {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.34,
            'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '-' | '/' => 0.42,
            'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.98,
            '+' | '=' | '<' | '>' | '×' => 0.84,
            'A'..='Z' => 0.74,
            character if character.is_ascii() => 0.63,
            character if (character as u32) < 0x1100 => 0.66,
            _ => 1.05,
        })
        .sum();
    ems * size
}

/// Wraps words into lines of at most `width`. A wider word has its own line.
pub(crate) fn wrap(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(" ", size) + text_width(word, size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// Shortens a text that is too wide in the middle, since file names differ at their beginnings and ends.
pub(crate) fn shorten(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_string();
    }
    let characters: Vec<char> = text.chars().collect();
    (1..characters.len())
        .rev()
        .map(|kept| {
            let (front, back) = (kept.div_ceil(2), kept / 2);
            characters[..front].iter().chain(&['…']).chain(&characters[characters.len() - back..]).collect::<String>()
        })
        .find(|text| text_width(text, size) <= width)
        .unwrap_or_else(|| "…".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escape("<a b=\"c\">&'\u{7}\u{1b}"), "&lt;a b=&quot;c&quot;&gt;&amp;'\u{fffd}\u{fffd}");
    }

    #[test]
    fn long_texts_are_cut_in_the_middle_and_between_words() {
        let name = "a_very_long_name_of_a_file_puzzle12.txt";
        let cut = shorten(name, 12.0, 120.0);
        assert!(text_width(&cut, 12.0) <= 120.0 && cut.starts_with("a_very") && cut.ends_with("12.txt"), "{cut}");
        assert_eq!(shorten("short", 12.0, 120.0), "short");
        assert_eq!(shorten("wide", 12.0, 0.0), "…");
        let lines = wrap("one two three incomprehensibilities four", 10.0, 60.0);
        assert_eq!(lines, ["one two", "three", "incomprehensibilities", "four"]);
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!([1.0, 1.25, -0.5, 1234.56].map(short), ["1", "1.2", "-0.5", "1234.6"]);
    }
}
