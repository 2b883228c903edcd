//! The charts, parsed as XML.

use std::collections::BTreeMap;

use admissible_lab::chart::{
    Bands, Bar, BarGroup, Chart, GroupedBars, HeatMap, Histogram, Labels, Line, Quartiles, Theme, XAxis, number,
    terminal_bars,
};
use roxmltree::{Document, Node};

const NASTY: &str = "<script>\"&'\u{7}";

fn bar(value: f64) -> Bar {
    Bar { value: Some(value), flagged: false }
}

fn bars(groups: usize, series: usize, value: impl Fn(usize, usize) -> Option<f64>) -> GroupedBars {
    let group = |group: usize| BarGroup {
        name: format!("a_folder/with_a_long_name/puzzle_{group}.txt"),
        bars: (0..series).map(|series| Bar { value: value(group, series), flagged: group == series }).collect(),
    };
    GroupedBars {
        is_linear: false,
        labels: Labels::new("Nodes", "file", "nodes generated"),
        series: (0..series).map(|series| format!("heuristic number {series}")).collect(),
        groups: (0..groups).map(group).collect(),
        flag: "not a shortest solution".into(),
        missing: "stopped at a limit".into(),
    }
}

fn heat(counts: &[(u32, u32, u64)]) -> HeatMap {
    let mut cells = BTreeMap::new();
    for &(distance, h, count) in counts {
        *cells.entry((distance, h)).or_default() += count;
    }
    HeatMap { labels: Labels::new("h against distance", "distance", "h"), cells }
}

fn histogram(counts: &[(i64, u64)]) -> Histogram {
    Histogram {
        labels: Labels::new("Differences", "h - distance", "states"),
        counts: counts.to_vec(),
        within: "not above".into(),
        beyond: "overestimates".into(),
    }
}

fn bands(x_axis: XAxis, series: usize, point: impl Fn(usize, usize) -> Option<f64>) -> Bands {
    let values = match &x_axis {
        XAxis::Numbers(numbers) => numbers.len(),
        XAxis::Names(names) => names.len(),
    };
    let spread = |median: f64| Quartiles { low: median * 0.5, median, high: median * 2.0 };
    let line = |line: usize| Line {
        name: format!("heuristic number {line}"),
        points: (0..values).map(|value| point(line, value).map(spread)).collect(),
    };
    Bands {
        labels: Labels::new("Growth", "pieces", "states expanded"),
        x_axis,
        lines: (0..series).map(line).collect(),
        missing: "stopped at a limit".into(),
    }
}

fn numbers(count: u32) -> XAxis {
    XAxis::Numbers((0..count).map(f64::from).collect())
}

/// Charts of every kind, most with extreme data.
fn all() -> Vec<(&'static str, Box<dyn Chart>)> {
    let wide: Vec<(u32, u32, u64)> = (0..180).flat_map(|d| (0..20).map(move |h| (d, h, 1 << (h % 16)))).collect();
    let many: Vec<(i64, u64)> = (-2000..300).map(|value: i64| (value, value.unsigned_abs() + 1)).collect();
    let names = |count: usize| XAxis::Names((0..count).map(|i| format!("parameter with a long name {i}")).collect());
    let mut wordy = bars(2, 2, |_, _| Some(3.0));
    wordy.labels = Labels::new("many words ".repeat(30), "words below ".repeat(20), "words at the side ".repeat(20));
    wordy.series = vec!["max(manhattan, 2 * conflicts + blockers - 1) ".repeat(5); 2];
    vec![
        ("many words", Box::new(wordy)),
        ("no bars", Box::new(GroupedBars::default())),
        ("series without groups", Box::new(bars(0, 3, |_, _| None))),
        ("groups without series", Box::new(bars(3, 0, |_, _| None))),
        ("one bar", Box::new(bars(1, 1, |_, _| Some(7.0)))),
        ("30 groups, 7 series", Box::new(bars(30, 7, |g, s| (g != s + 1).then_some(1.9f64.powi(g as i32) * s as f64)))),
        ("zeros", Box::new(bars(4, 3, |_, _| Some(0.0)))),
        ("nothing but limits", Box::new(bars(4, 3, |_, _| None))),
        ("huge", Box::new(bars(5, 2, |g, _| Some([1.0, 1e9, 1e18, 1e300, f64::MAX][g])))),
        ("not numbers", Box::new(bars(4, 1, |g, _| Some([f64::NAN, f64::INFINITY, -3.0, f64::NEG_INFINITY][g])))),
        ("tiny", Box::new(bars(3, 2, |g, s| Some(1e-7 * (g * s + 1) as f64)))),
        ("no cells", Box::new(heat(&[]))),
        ("one cell", Box::new(heat(&[(0, 0, 1)]))),
        ("wide map", Box::new(heat(&wide))),
        ("dots", Box::new(heat(&[(3, 3, 1), (4, 9, 3), (10, 8, 90)]))),
        ("far cells", Box::new(heat(&[(u32::MAX, u32::MAX, u64::MAX), (1, 0, u64::MAX)]))),
        ("no counts", Box::new(histogram(&[]))),
        ("one count", Box::new(histogram(&[(0, 5)]))),
        ("far counts", Box::new(histogram(&[(i64::MIN, 1), (i64::MAX, u64::MAX), (0, u64::MAX)]))),
        ("many counts", Box::new(histogram(&many))),
        ("no lines", Box::new(Bands::default())),
        ("one point", Box::new(bands(numbers(1), 2, |_, _| Some(4.0)))),
        ("many numbers", Box::new(bands(numbers(200), 7, |line, i| (line + i != 9).then_some((i * line) as f64)))),
        ("many names", Box::new(bands(names(40), 3, |line, i| (line != i).then_some(1.5f64.powi(i as i32))))),
        ("far numbers", Box::new(bands(XAxis::Numbers(vec![-f64::MAX, f64::NAN, f64::MAX]), 1, |_, _| Some(f64::MAX)))),
    ]
}

/// A text of a drawing and its bounding box.
struct Label {
    text: String,
    class: String,
    angle: f64,
    /// Left, top, right and bottom in coordinates rotated by the angle.
    sides: [f64; 4],
    /// The corners in the coordinates of the drawing.
    corners: [(f64, f64); 4],
}

fn attribute(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name} of {node:?}"))
}

/// All labels, with the width that such texts have in DejaVu Sans, the widest of the common fonts.
fn labels(document: &Document<'_>) -> Vec<Label> {
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts
        .map(|node| {
            let text = node.text().unwrap_or_default().to_string();
            let size = attribute(node, "font-size");
            let width = text.chars().count() as f64 * size * 0.51;
            let angle = node.attribute("transform").map_or(0.0, |transform| {
                let inside = transform.strip_prefix("rotate(").expect("texts are only turned");
                inside.split(' ').next().and_then(|angle| angle.parse().ok()).expect("the angle is a number")
            });
            let (sine, cosine) = f64::to_radians(angle).sin_cos();
            let (x, y) = (attribute(node, "x"), attribute(node, "y"));
            let (turned_x, turned_y) = (x * cosine + y * sine, y * cosine - x * sine);
            let left = match node.attribute("text-anchor") {
                Some("start") => turned_x,
                Some("middle") => turned_x - width / 2.0,
                _ => turned_x - width,
            };
            let sides = [left, turned_y - size * 0.75, left + width, turned_y + size * 0.2];
            let back = |x: f64, y: f64| (x * cosine - y * sine, x * sine + y * cosine);
            let [left, top, right, bottom] = sides;
            let corners = [back(left, top), back(right, top), back(left, bottom), back(right, bottom)];
            Label { text, class: node.attribute("class").unwrap_or_default().to_string(), angle, sides, corners }
        })
        .collect()
}

/// All tooltips.
fn hints<'a>(document: &'a Document<'_>) -> Vec<&'a str> {
    let groups = document.descendants().filter(|node| node.has_tag_name("g"));
    groups.filter_map(|group| group.children().find(|child| child.has_tag_name("title"))?.text()).collect()
}

/// The tooltip of a shape, if it is part of the data.
fn hint<'a>(shape: Node<'a, '_>) -> Option<&'a str> {
    let group = shape.parent().filter(|parent| parent.has_tag_name("g"))?;
    group.first_element_child().filter(|first| first.has_tag_name("title"))?.text()
}

/// The shapes among the data that have this colour.
fn filled<'a, 'input>(document: &'a Document<'input>, colour: &str) -> Vec<Node<'a, 'input>> {
    let shapes = document.descendants().filter(|node| ["rect", "circle"].contains(&node.tag_name().name()));
    shapes.filter(|&node| node.attribute("fill") == Some(colour) && hint(node).is_some()).collect()
}

#[test]
fn every_chart_is_well_formed_and_has_a_title() {
    for (name, chart) in all() {
        for theme in [Theme::Paper, Theme::Page] {
            let svg = chart.svg(theme);
            let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}\n{svg}"));
            let root = document.root_element();
            assert_eq!(root.attribute("role"), Some("img"), "{name}");
            let first = root.first_element_child().expect("a drawing has a title");
            let drawn = root.children().filter(|child| child.attribute("class") == Some("title"));
            let drawn: Vec<&str> = drawn.filter_map(|line| line.text()).flat_map(str::split_whitespace).collect();
            let title: Vec<&str> = first.text().unwrap_or("").split_whitespace().collect();
            assert_eq!((first.tag_name().name(), title), ("title", drawn), "{name}");
            assert!(root.children().any(|child| child.has_tag_name("desc")), "{name}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}: {svg}");
            assert!(svg.len() < 2_000_000, "{name}: {} bytes", svg.len());
        }
    }
}

#[test]
fn colours_are_variables_on_a_page_and_fixed_in_a_file() {
    for (name, chart) in all() {
        let (paper, page) = (chart.svg(Theme::Paper), chart.svg(Theme::Page));
        assert!(!paper.contains("var("), "{name}");
        assert!(!page.contains("=\"#"), "{name}");
        assert!(!page.contains(" id=") && !page.contains("url("), "{name}: ids would clash on a page");
    }
}

#[test]
fn no_label_touches_another_or_leaves_the_drawing() {
    for (name, chart) in all() {
        let svg = chart.svg(Theme::Paper);
        let document = Document::parse(&svg).expect("charts are well-formed");
        let (width, height) =
            (attribute(document.root_element(), "width"), attribute(document.root_element(), "height"));
        let labels = labels(&document);
        for (i, label) in labels.iter().enumerate() {
            let inside = |&(x, y): &(f64, f64)| (0.0..=width).contains(&x) && (0.0..=height).contains(&y);
            assert!(label.corners.iter().all(inside), "{name}: {:?} at {:?}", label.text, label.corners);
            for other in labels[..i].iter().filter(|other| other.angle == label.angle) {
                let ([left, top, right, bottom], [l, t, r, b]) = (label.sides, other.sides);
                let apart = right <= l || r <= left || bottom <= t || b <= top;
                let (one, two) = (&label.text, &other.text);
                assert!(apart, "{name}: {} {one:?} and {} {two:?} overlap", label.class, other.class);
            }
        }
    }
}

#[test]
fn every_group_has_its_name() {
    let svg = bars(30, 7, |g, s| Some((g + s) as f64)).svg(Theme::Paper);
    let document = Document::parse(&svg).expect("charts are well-formed");
    let below: Vec<String> =
        labels(&document).into_iter().filter(|label| label.class == "tick below").map(|label| label.text).collect();
    assert_eq!(below.len(), 30);
    assert!((0..30).all(|i| below[i].ends_with(&format!("_{i}.txt"))), "{below:?}");
}

#[test]
fn texts_are_escaped() {
    let labels = Labels::new(NASTY, NASTY, NASTY);
    let groups =
        vec![BarGroup { name: NASTY.into(), bars: vec![bar(1.0), Bar::default(), Bar { flagged: true, ..bar(2.0) }] }];
    let chart = GroupedBars {
        labels,
        series: vec![NASTY.into(); 3],
        groups,
        flag: NASTY.into(),
        missing: NASTY.into(),
        is_linear: false,
    };
    let svg = chart.svg(Theme::Page);
    let document = Document::parse(&svg).expect("charts are well-formed");
    assert!(!document.descendants().any(|node| node.has_tag_name("script")));
    // The title of the drawing, the one drawn, two axes, one group, three series, the flag and the missing value.
    let shown = NASTY.replace('\u{7}', "\u{fffd}");
    let texts = document.descendants().filter(|node| node.is_text() && node.text() == Some(&shown));
    assert_eq!(texts.count(), 10);
}

#[test]
fn bar_heights_follow_the_scale() {
    let svg = bars(3, 1, |g, _| Some([10.0, 20.0, 40.0][g])).svg(Theme::Paper);
    let document = Document::parse(&svg).expect("charts are well-formed");
    let heights: Vec<f64> = filled(&document, "#0072b2").into_iter().map(|bar| attribute(bar, "height")).collect();
    assert_eq!(heights.len(), 3);
    assert!(
        (heights[1] / heights[0] - 2.0).abs() < 0.01 && (heights[2] / heights[0] - 4.0).abs() < 0.01,
        "{heights:?}"
    );
    assert!(!svg.contains("logarithmic"));

    let svg = bars(3, 1, |g, _| Some([10.0, 1000.0, 100_000.0][g])).svg(Theme::Paper);
    let document = Document::parse(&svg).expect("charts are well-formed");
    let heights: Vec<f64> = filled(&document, "#0072b2").into_iter().map(|bar| attribute(bar, "height")).collect();
    assert!((heights[2] - heights[1] - (heights[1] - heights[0])).abs() < 0.3, "{heights:?}");
    assert!(labels(&document).iter().any(|label| label.text == "nodes generated (logarithmic scale)"));
}

#[test]
fn missing_values_and_flags_are_explained() {
    let mut chart = bars(2, 2, |g, s| (g != 1 || s != 0).then_some(5.0));
    let svg = chart.svg(Theme::Paper);
    let document = Document::parse(&svg).expect("charts are well-formed");
    let shown = |text: &str| labels(&document).iter().filter(|label| label.text == text).count();
    assert_eq!((shown("limit"), shown("stopped at a limit"), shown("not a shortest solution")), (1, 1, 1));
    assert_eq!(filled(&document, "#0072b2").len(), 1, "a missing value has no bar");
    assert!(
        hints(&document).contains(&"a_folder/with_a_long_name/puzzle_1.txt, heuristic number 0: stopped at a limit")
    );
    let red = document.descendants().filter(|node| node.attribute("stroke") == Some("#d55e00"));
    // Two strokes each for the legend and the two flagged bars, and the outlines of these.
    assert_eq!(red.count(), 8);

    for bar in chart.groups.iter_mut().flat_map(|group| &mut group.bars) {
        *bar = Bar { value: Some(5.0), flagged: false };
    }
    let svg = chart.svg(Theme::Paper);
    assert!(!svg.contains("limit") && !svg.contains("#d55e00"), "the legend explains only what is drawn");
}

#[test]
fn overestimates_lie_above_the_diagonal() {
    // The same states as dots and, a thousand times as many, as cells.
    let cells = [(0, 0, 1), (1, 1, 2), (1, 1, 3), (1, 2, 4), (3, 4, 5), (1, 2, 6)];
    for times in [1, 1000] {
        let svg = heat(&cells.map(|(distance, h, count)| (distance, h, count * times))).svg(Theme::Paper);
        let document = Document::parse(&svg).expect("charts are well-formed");
        let mut wrong: Vec<&str> = filled(&document, "#d55e00").into_iter().filter_map(hint).collect();
        wrong.sort();
        let states = |count: u64| number((count * times) as f64);
        let expected =
            [format!("distance 1, h 2: {} states", states(10)), format!("distance 3, h 4: {} states", states(5))];
        assert_eq!(wrong, expected);
        let legend: Vec<String> = labels(&document).into_iter().map(|label| label.text).collect();
        assert!(legend.contains(&format!("overestimates: {} states", states(15))), "{legend:?}");
        assert!(legend.contains(&format!("not above the distance: {} states", states(6))), "{legend:?}");
        assert!(legend.contains(&"h = distance".to_string()), "{legend:?}");
    }
}

#[test]
fn no_bar_of_a_histogram_crosses_zero() {
    let counts: Vec<(i64, u64)> = (-5000..=1234).map(|value| (value, 3)).collect();
    let svg = histogram(&counts).svg(Theme::Paper);
    let document = Document::parse(&svg).expect("charts are well-formed");
    let sum = |colour: &str| -> u64 {
        let bars = filled(&document, colour).into_iter();
        bars.map(|bar| {
            let (_, count) = hint(bar).and_then(|hint| hint.rsplit_once(": ")).expect("a hint ends with the count");
            count.parse::<u64>().expect("small counts have no separators")
        })
        .sum()
    };
    assert_eq!(sum("#d55e00"), 3 * 1234);
    assert_eq!(sum("#0072b2"), 3 * 5001);
}

#[test]
fn a_line_breaks_where_a_point_is_missing() {
    let svg = bands(numbers(9), 1, |_, i| (i != 3 && i != 4).then_some(10.0)).svg(Theme::Paper);
    let document = Document::parse(&svg).expect("charts are well-formed");
    let lines: Vec<usize> = (document.descendants())
        .filter_map(|node| Some(node.attribute("points")?.split(' ').count()).filter(|_| node.has_tag_name("polyline")))
        .collect();
    assert_eq!(lines, [3, 4]);
    assert_eq!(hints(&document).iter().filter(|hint| hint.ends_with("stopped at a limit")).count(), 2);
}

#[test]
fn terminal_bars_fit_the_width_and_are_complete() {
    let mut chart = bars(3, 3, |g, s| (g + s != 4).then_some(10f64.powi((g * s) as i32 * 2)));
    chart.series[1] = "漢字".into();
    let text = terminal_bars(&chart, 72, false);
    assert!(!text.contains('\u{1b}'));
    assert!(text.starts_with("nodes generated (logarithmic scale)\n"), "{text}");
    assert_eq!(text.lines().count(), 1 + 3 * 4);
    assert!(text.lines().all(|line| unicode_width::UnicodeWidthStr::width(line) <= 72), "{text}");
    assert!(text.contains("10,000"), "{text}");
    assert_eq!(text.matches("stopped at a limit").count(), 1, "{text}");
    assert_eq!(text.matches("✗ not a shortest solution").count(), 3, "{text}");
    let coloured = terminal_bars(&chart, 72, true);
    assert!(coloured.contains('\u{1b}'));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), text);
    assert!(terminal_bars(&chart, 0, false).contains('█'), "a narrow terminal still has bars");
    assert_eq!(terminal_bars(&GroupedBars::default(), 80, false), "\n");
}

#[test]
fn medians_become_bars() {
    let chart = bands(numbers(2), 2, |line, i| (line != i).then_some(6.0)).medians();
    assert_eq!(chart.groups[1].name, "pieces 1");
    assert_eq!(chart.groups[1].bars, [bar(6.0), Bar::default()]);
}

/// A bar that would vanish makes the axis logarithmic, unless a linear one was asked for.
#[test]
fn a_linear_axis_is_linear() {
    let bar = |value| Bar { value: Some(value), flagged: false };
    let groups = vec![BarGroup { name: "p1".into(), bars: vec![bar(1.0), bar(1000.0)] }];
    let series = vec!["a".into(), "b".into()];
    let fitting = GroupedBars { series, groups, ..GroupedBars::default() };
    let linear = GroupedBars { is_linear: true, ..fitting.clone() };
    assert!(fitting.is_logarithmic() && fitting.svg(Theme::Paper).contains("logarithmic"));
    assert!(!linear.is_logarithmic() && !linear.svg(Theme::Paper).contains("logarithmic"));
}
