//! The page, parsed as XML: its HTML is also well-formed XML.

use admissible_lab::chart::{Bar, BarGroup, GroupedBars, Labels};
use admissible_lab::page::{Block, Board, Cell, Column, Emphasis, Figure, Page, Section, Table, Verdict};
use roxmltree::{Document, ParsingOptions};

const NASTY: &str = "</pre></style><script>alert(\"&'\")</script>";
const STYLE: &str = include_str!("../templates/page.css");

fn parse(html: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(html, options).unwrap_or_else(|error| panic!("{error}\n{html}"))
}

fn page(blocks: Vec<Block>) -> Page {
    Page { title: "Report".into(), intro: String::new(), sections: vec![Section { heading: "One".into(), blocks }] }
}

fn nasty() -> Page {
    let chart = GroupedBars {
        labels: Labels::new(NASTY, NASTY, NASTY),
        series: vec![NASTY.into()],
        groups: vec![BarGroup { name: NASTY.into(), bars: vec![Bar { value: Some(1.0), flagged: false }] }],
        ..GroupedBars::default()
    };
    let board = Board { caption: NASTY.into(), text: format!("\u{1b}[31m{NASTY}\u{1b}[0m") };
    let blocks = vec![
        Block::Heading(NASTY.into()),
        Block::Paragraph(NASTY.into()),
        Block::Figure(Figure::new(&chart, NASTY)),
        Block::Table(Table {
            caption: NASTY.into(),
            columns: vec![Column::text(NASTY), Column::number(NASTY)],
            rows: vec![vec![NASTY.into(), Cell::marked(NASTY, Emphasis::Bad)]],
        }),
        Block::Boards(vec![board.clone(), board]),
        Block::Verdict(Verdict { tone: Emphasis::Bad, headline: NASTY.into(), text: NASTY.into() }),
    ];
    let section = Section { heading: NASTY.into(), blocks };
    Page { title: NASTY.into(), intro: NASTY.into(), sections: vec![section.clone(), section.clone(), section] }
}

#[test]
fn every_text_is_escaped() {
    let html = nasty().html();
    let document = parse(&html);
    assert!(!document.descendants().any(|node| node.has_tag_name("script")));
    let outside = |node: &roxmltree::Node<'_, '_>| !node.ancestors().any(|above| above.tag_name().name() == "svg");
    let texts = document.descendants().filter(|node| node.is_text() && node.text() == Some(NASTY)).filter(outside);
    // Three in the head; in each of three sections an entry of the contents and 15 texts.
    assert_eq!(texts.count(), 3 + 3 * (1 + 15));
}

#[test]
fn the_page_loads_nothing_and_runs_no_script() {
    let html = nasty().html();
    let document = parse(&html);
    let names = ["src", "href", "srcset", "data", "action"];
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        let local = attribute.value().starts_with("#section-");
        assert!(local || !names.contains(&attribute.name()), "{attribute:?}");
        assert!(!attribute.name().starts_with("on"), "{attribute:?}");
    }
    assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
}

#[test]
fn the_contents_link_to_the_sections() {
    let html = nasty().html();
    let document = parse(&html);
    let links: Vec<&str> =
        document.descendants().filter_map(|node| node.attribute("href")?.strip_prefix('#')).collect();
    let sections: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(links, sections);
    assert_eq!(links.len(), 3);
    assert!(!page(vec![]).html().contains("<nav"), "one section needs no contents");
}

#[test]
fn cells_are_emphasised_and_aligned() {
    let table = Table {
        caption: String::new(),
        columns: vec![Column::text("heuristic"), Column::number("cost")],
        rows: vec![
            vec!["zero".into(), Cell::marked("9", Emphasis::Good)],
            vec!["oriented".into(), Cell::marked("11", Emphasis::Bad), "beyond the last column".into()],
            vec!["short".into()],
        ],
    };
    let html = page(vec![Block::Table(table)]).html();
    let document = parse(&html);
    let cells: Vec<(&str, &str, &str)> = (document.descendants())
        .filter(|node| node.has_tag_name("td") || node.attribute("scope") == Some("row"))
        .map(|node| (node.tag_name().name(), node.attribute("class").unwrap_or(""), node.text().unwrap_or("")))
        .collect();
    let expected = [
        ("th", "plain", "zero"),
        ("td", "good number", "9"),
        ("th", "plain", "oriented"),
        ("td", "bad number", "11"),
        ("th", "plain", "short"),
    ];
    assert_eq!(cells, expected);
}

#[test]
fn boards_keep_their_letters_and_colours() {
    let text =
        "\u{1b}[1m\u{1b}[32mS\u{1b}[0m . \u{1b}[90m#\u{1b}[0m\n\u{1b}[46m v \u{1b}[0m \u{1b}[2m\u{1b}[31mo\u{1b}[0m";
    let html = page(vec![Block::Boards(vec![Board { caption: String::new(), text: text.into() }])]).html();
    let document = parse(&html);
    let board = document.descendants().find(|node| node.has_tag_name("pre")).expect("the board is drawn");
    let letters: String = board.descendants().filter(roxmltree::Node::is_text).filter_map(|node| node.text()).collect();
    assert_eq!(letters, "S . #\n v  o");
    let styles: Vec<&str> = board.descendants().filter_map(|node| node.attribute("style")).collect();
    let expected = ["color:var(--ansi-green", "color:var(--ansi-bright-black", "background:var(--ansi-cyan"];
    assert!(expected.iter().zip(&styles).all(|(expected, style)| style.starts_with(expected)), "{styles:?}");
}

#[test]
fn a_board_with_unknown_escape_codes_is_shown_as_text() {
    for text in
        ["\u{1b}[38;5m<b>", "\u{1b}[999m<b>", "\u{1b}[38;2;1;2m<b>", "\u{1b}]0;title\u{7}<b>", "\u{1b}", "\u{1b}[<b>"]
    {
        let html = page(vec![Block::Boards(vec![Board { caption: String::new(), text: text.into() }])]).html();
        let document = parse(&html);
        assert!(!document.descendants().any(|node| node.has_tag_name("b")), "{text:?}: {html}");
    }
}

/// The variables and their colours in one of the two parts of the style sheet that define them.
fn colours(part: &str) -> Vec<(&str, [f64; 3])> {
    let channel = |colour: &str, i: usize| {
        let value = u8::from_str_radix(&colour[i..i + 2], 16).expect("colours have six hexadecimal digits");
        let part = f64::from(value) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let lines = part.lines().filter_map(|line| line.trim().strip_prefix("--")?.strip_suffix(';')?.split_once(": #"));
    lines.map(|(name, colour)| (name, [0, 2, 4].map(|i| channel(colour, i)))).collect()
}

fn light_and_dark() -> [Vec<(&'static str, [f64; 3])>; 2] {
    let (light, rest) =
        STYLE.split_once("@media screen and (prefers-color-scheme: dark)").expect("there is a dark part");
    let (dark, _) = rest.split_once("\n}\n").expect("the dark part ends");
    [colours(light), colours(dark)]
}

#[test]
fn every_colour_that_is_used_is_defined_in_light_and_dark() {
    let html = nasty().html();
    let used = html.split("var(--").skip(1).filter_map(|rest| rest.split([')', ',']).next());
    for (name, scheme) in used.flat_map(|name| light_and_dark().map(|scheme| (name, scheme))) {
        assert!(name == "tone" || scheme.iter().any(|(defined, _)| *defined == name), "{name}");
    }
    let [light, dark] = light_and_dark();
    assert!(light.iter().map(|(name, _)| name).eq(dark.iter().map(|(name, _)| name)));
}

/// WCAG requires a contrast of 4.5 to 1 between text and background.
#[test]
fn every_text_has_enough_contrast_in_light_and_dark() {
    for scheme in light_and_dark() {
        let luminance = |name: &str| {
            let [red, green, blue] = scheme.iter().find(|(defined, _)| *defined == name).expect("defined").1;
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let texts = ["ink", "muted", "link", "good", "bad-text", "unknown"];
        let boards = scheme.iter().map(|(name, _)| *name).filter(|name| name.starts_with("ansi-"));
        for (text, on) in texts.into_iter().chain(boards).flat_map(|text| [(text, "paper"), (text, "raised")]) {
            let (one, two) = (luminance(text) + 0.05, luminance(on) + 0.05);
            let contrast = (one / two).max(two / one);
            assert!(contrast >= 4.5, "{text} on {on}: {contrast:.2}");
        }
    }
}
