//! `reproduce`, compared with a second copy of the published tables.

use serde::Deserialize;

use crate::support::{ANSWERED, Folder, Run};

#[derive(Debug, Deserialize, PartialEq, Eq, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct Counts {
    generated: u64,
    visited: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Band {
    visited: (u64, u64),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Cell {
    table: String,
    puzzle: String,
    heuristic: String,
    ran: String,
    published: Counts,
    ours: Counts,
    r#match: bool,
    cost: Option<u32>,
    band: Option<Band>,
    possible: Option<bool>,
    counting: String,
    rule: String,
}

fn reproduce(words: &str) -> Run {
    Folder::new().run(&format!("reproduce {words}"))
}

fn cells(words: &str) -> Vec<Cell> {
    let run = reproduce(&format!("{words} --format json"));
    serde_json::from_str(run.prints(ANSWERED)).unwrap_or_else(|error| panic!("{error}: {run}"))
}

fn assert_published(cells: &[Cell], table: &str, rows: &[(&str, [(u64, u64); 5])]) {
    let mut at = cells.iter();
    for (heuristic, row) in rows {
        for (number, &(generated, visited)) in (1..).zip(row) {
            let cell = at.next().expect("as many cells as were published");
            let names = (cell.table.as_str(), cell.heuristic.as_str(), cell.puzzle.as_str());
            assert_eq!(names, (table, *heuristic, format!("P{number}").as_str()));
            assert_eq!(cell.published, Counts { generated, visited }, "{names:?}");
            assert_eq!(cell.r#match, cell.ours == cell.published, "{names:?}");
        }
    }
    assert!(at.next().is_none(), "no more cells than were published");
}

#[test]
fn the_first_table_matches_in_every_cell() {
    let cells = cells("first");
    let rows = [
        ("euclidean", [(21, 14), (82, 59), (3, 3), (128, 103), (1637, 1072)]),
        ("manhattan", [(21, 14), (79, 57), (3, 3), (128, 101), (1411, 875)]),
        ("die-roll", [(13, 9), (37, 31), (3, 3), (63, 51), (87, 49)]),
    ];
    assert_published(&cells, "first", &rows);
    assert!(cells.iter().all(|cell| cell.r#match && cell.counting == "first-report"), "{cells:?}");
    assert_eq!(cells[9].band.as_ref().map(|band| band.visited), Some((243, 881)));
}

#[test]
fn the_second_table_matches_in_every_cell_with_the_heuristic_that_its_program_runs() {
    let cells = cells("second");
    let rows = [
        ("zero", [(32, 24), (95, 84), (2, 3), (161, 149), (1271, 1260)]),
        ("manhattan", [(12, 9), (67, 50), (2, 3), (101, 82), (1080, 737)]),
        ("oriented", [(22, 16), (38, 34), (2, 3), (81, 65), (163, 98)]),
    ];
    assert_published(&cells, "second", &rows);
    let bands: Vec<Option<(u64, u64)>> = cells.iter().map(|cell| cell.band.as_ref().map(|band| band.visited)).collect();
    let expected = [
        [(21, 28), (74, 89), (3, 3), (137, 152), (1256, 1272)].map(Some),
        [(3, 15), (40, 60), (3, 3), (54, 101), (243, 881)].map(Some),
        [None; 5],
    ];
    assert_eq!(bands, expected.concat());
    assert!(cells.iter().all(|cell| cell.r#match && cell.counting == "second-report"), "{cells:?}");
    let ran =
        |cell: &Cell| if cell.heuristic == "oriented" { "oriented-as-run".into() } else { cell.heuristic.clone() };
    assert!(cells.iter().all(|cell| cell.ran == ran(cell)), "{cells:?}");
    assert!(cells.iter().all(|cell| cell.possible == cell.band.as_ref().map(|_| true)));
}

#[test]
fn all_tables_are_shown_unless_one_is_named() {
    assert_eq!(cells("").len(), 30);
    let run = reproduce("");
    for part in [
        "  manhattan  published    21/14    79/57    3/3    128/101     1411/875\n",
        "             ours       = 21/14  = 79/57  = 3/3  = 128/101   = 1411/875\n",
        "             band          3-15    40-60    3-3     54-101      243-881\n",
        "No band applies to oriented-as-run, which is not consistent.",
        "Counted by the rule second-report: ",
        "Found: its program runs another heuristic than the one it prints: the row of oriented is that of",
        "Both overestimate, so neither is admissible.",
    ] {
        assert!(run.prints(ANSWERED).contains(part), "{part}: {run}");
    }
    assert_eq!(run.prints(ANSWERED).matches("Result: 15 of 15 cells agree").count(), 2, "{run}");
    let markdown = reproduce("first --format markdown");
    assert!(
        markdown.prints(ANSWERED).contains("| manhattan | P5 | 1411/875 | 1411/875 | yes | 243-881 |\n"),
        "{markdown}"
    );
    let unknown = reproduce("third");
    assert_eq!(unknown.refuses(), "error: unknown table 'third' (there are: first, second)\n");
}

#[test]
fn a_table_can_be_counted_by_another_rule() {
    let cells = cells("second --counting first-report");
    let manhattan = cells[5..10].iter().map(|cell| (cell.ours.generated, cell.ours.visited));
    assert_eq!(manhattan.collect::<Vec<_>>(), [(21, 14), (79, 57), (3, 3), (128, 101), (1411, 875)]);
    let run = reproduce("second --counting literature");
    let remark = "The published counts follow another rule, second-report.";
    assert!(run.prints(ANSWERED).contains(remark), "{run}");
    let unknown = reproduce("--counting third-report");
    let expected = "error: --counting: die has no counting rule 'third-report' (its rules: literature, first-report, \
                    second-report)\n";
    assert_eq!(unknown.refuses(), expected);
}
