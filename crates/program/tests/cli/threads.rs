//! `solve --threads`.

use crate::support::{ANSWERED, Folder};

/// A board on which IDA* with manhattan expands some millions of states.
const BOARD: &str = "5 1 4 8\n9 6 3 12\n2 10 7 11\n13 14 15 0\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("puzzle", BOARD);
    folder
}

#[test]
fn any_number_of_threads_finds_the_same_cost() {
    let folder = folder();
    let cost = |words: &str| {
        let answer: serde_json::Value = folder.run(&format!("solve puzzle --format json {words}")).one_object(ANSWERED);
        assert_eq!(answer["guarantee"], "optimal", "{words}");
        answer["cost"].as_u64().expect("a cost")
    };
    let expected = cost("-a astar -H manhattan");
    for threads in [1, 2, 4] {
        for algorithm in ["hdastar", "idastar", "idastar-pruned"] {
            assert_eq!(cost(&format!("-a {algorithm} -H manhattan --threads {threads}")), expected, "{algorithm}");
        }
    }
}

#[test]
fn counts_are_those_of_one_thread_by_default() {
    let folder = folder();
    let run =
        || folder.run("solve puzzle --format json -a idastar -H manhattan").one_object::<serde_json::Value>(ANSWERED);
    let (one, other) = (run(), run());
    assert_eq!(one["stats"]["expanded"], other["stats"]["expanded"]);
    assert!(one.get("threads").is_none(), "{one}");
}

#[test]
fn invalid_combinations_with_threads_are_refused() {
    let folder = folder();
    folder.run("solve puzzle --threads 0").refuses();
    let run = folder.run("solve puzzle --algorithm hdastar --heuristic manhattan --trace t.jsonl");
    assert!(run.refuses().contains("--trace: hdastar"), "{run}");
    let tiles: Vec<String> = (1..36).chain([0]).map(|tile| tile.to_string()).collect();
    let rows: Vec<String> = tiles.chunks(6).map(|row| row.join(" ")).collect();
    folder.write("large", rows.join("\n"));
    let run = folder.run("solve large --algorithm hdastar --heuristic manhattan");
    assert!(run.refuses().contains("cannot be distributed"), "{run}");
}
