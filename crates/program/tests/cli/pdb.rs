//! Pattern databases: built, found, checked, used.

use crate::support::{ANSWERED, Folder, REFUTED};

/// A folder with its own table cache.
struct TableCache(Folder);

impl TableCache {
    fn run(&self, words: &str) -> (Option<i32>, String, String) {
        let output = self.0.process(words).env("ADMISSIBLE_CACHE", self.0.path().join("tables")).output();
        let output = output.expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }
}

/// A board that takes 38 moves.
const BOARD: &str = include_str!("../../../../puzzles/tiles/instances/scrambled_4x4.txt");

#[test]
fn tables_are_built_once_and_used_if_they_exist() {
    let table_cache = TableCache(Folder::with("board.txt", BOARD));
    let (_, list, _) = table_cache.run("pdb list");
    assert!(list.lines().any(|line| line.contains("5-5-5 ") && line.ends_with("not built")), "{list}");
    let (code, built, _) = table_cache.run("pdb build 5-5-5");
    assert_eq!(code, Some(ANSWERED));
    assert!(built.starts_with("5-5-5: 2 tables built in "), "{built}");
    assert!(table_cache.run("pdb build 5-5-5").1.starts_with("5-5-5 is built already"));
    let (_, info, _) = table_cache.run("pdb info 5-5-5");
    assert_eq!(info.matches("524,160 reachable placements").count(), 2, "{info}");
    let (_, verified, _) = table_cache.run("pdb verify");
    assert_eq!(verified.matches("whole").count(), 2, "{verified}");

    let solved = |words: &str| -> serde_json::Value {
        let (code, out, err) = table_cache.run(&format!("solve board.txt --format json {words}"));
        assert_eq!(code, Some(ANSWERED), "{err}");
        serde_json::from_str(&out).expect("JSON")
    };
    let by_itself = solved("");
    assert_eq!(by_itself["heuristic"], "pdb:5-5-5", "existing tables are used");
    let other = solved("--algorithm astar --heuristic linear-conflict");
    assert_eq!((&by_itself["cost"], &by_itself["guarantee"]), (&other["cost"], &"optimal".into()));

    assert!(table_cache.run("pdb remove 5-5-5").1.contains("2 of 2 tables removed"));
    assert_eq!(solved("")["heuristic"], "walking-distance", "an easy board needs no tables");
    let drawn = solved("--heuristic pdb:aaab/aabb/ccbb/ccc.");
    assert_eq!((&drawn["cost"], &drawn["guarantee"]), (&other["cost"], &"optimal".into()));
}

#[test]
fn a_damaged_table_is_reported_and_not_used() {
    let table_cache = TableCache(Folder::with("board.txt", BOARD));
    table_cache.run("pdb build 5-5-5");
    let tables = table_cache.0.path().join("tables");
    let files: Vec<_> =
        std::fs::read_dir(&tables).expect("built").map(|entry| entry.expect("readable").path()).collect();
    assert_eq!(files.len(), 2);
    let mut bytes = std::fs::read(&files[0]).expect("readable");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&files[0], &bytes).expect("writable");
    std::fs::write(&files[1], &std::fs::read(&files[1]).expect("readable")[..1000]).expect("writable");
    std::fs::write(tables.join("other.table"), "something else").expect("writable");
    let (code, verified, _) = table_cache.run("pdb verify");
    assert_eq!(code, Some(REFUTED));
    assert!(verified.contains("damaged") && verified.matches("unusable").count() == 2, "{verified}");
    let (code, built, noted) = table_cache.run("pdb build 5-5-5");
    assert_eq!(code, Some(ANSWERED));
    assert!(!built.contains("already"), "{built}");
    let damaged = format!("note: {}: it is damaged in block ", files[0].display());
    assert!(noted.contains(&damaged) && noted.contains("; the table is built again\n"), "{noted}");
    assert_eq!(table_cache.run("pdb verify").1.matches("whole").count(), 2);

    // A search builds a damaged table again by itself, wherever the damage is.
    for at in [0, 100_000, last] {
        let mut bytes = std::fs::read(&files[0]).expect("readable");
        bytes[at] ^= 1;
        std::fs::write(&files[0], &bytes).expect("writable");
        let (code, out, noted) = table_cache.run("solve board.txt --format json -H pdb:5-5-5");
        assert_eq!(code, Some(ANSWERED), "{noted}");
        assert!(out.contains("\"cost\":38,"), "{out}");
        assert_eq!(noted.matches("; the table is built again\n").count(), 1, "{at}: {noted}");
        assert_eq!(table_cache.run("pdb verify").1.matches("whole").count(), 2, "byte {at}");
    }
}

#[test]
fn unknown_partitions_are_refused() {
    let folder = Folder::with("board.txt", BOARD);
    assert!(folder.run("pdb build 9-9").refuses().contains("unknown partition '9-9', expected 8, 6-6-3"));
    let refused = folder.run("solve board.txt --heuristic pdb:6-6-6-6");
    let expected = "'6-6-6-6' is no partition for 4 x 4 and this goal: there is 6-6-3, 5-5-5, 7-8; or draw one";
    assert!(refused.refuses().contains(expected), "{refused}");
}
