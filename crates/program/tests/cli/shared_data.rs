//! The courses' own files, if `shared/data` exists beside the repository.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{ANSWERED, Folder, REFUTED, assert_text};

/// A folder of the data; prints a notice if it is missing.
fn data(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(folder);
    if !path.is_dir() {
        println!("skipped: {} is missing", path.display());
        return None;
    }
    Some(path)
}

/// The files of an index with their optimal costs, `None` for those without a solution.
fn index(folder: &Path) -> Vec<(PathBuf, Option<u32>)> {
    let text = fs::read_to_string(folder.join("INDEX.md")).expect("every folder has an index");
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let (name, cost) = (*cells.get(1)?, *cells.get(3)?);
        let path = folder.join(name);
        if name.contains(".expected") || !path.is_file() {
            return None;
        }
        let cost = cost.split(' ').next()?;
        match cost {
            "no" | "UNSOLVABLE" => Some((path, None)),
            _ => Some((path, Some(cost.parse().ok()?))),
        }
    });
    rows.collect()
}

/// Solves every file of an index that is easy, and compares the cost.
fn assert_costs(folder: &str, is_easy: impl Fn(&str) -> bool, least: usize) {
    let Some(path) = data(folder) else { return };
    let files: Vec<(PathBuf, Option<u32>)> =
        index(&path).into_iter().filter(|(path, _)| is_easy(&path.to_string_lossy())).collect();
    assert!(files.len() >= least, "{files:?}");
    let here = Folder::new();
    for (path, cost) in files {
        let run = here.run_with(&["solve", &path.to_string_lossy(), "--format", "json"], "");
        match cost {
            Some(cost) => {
                let answer = run.solved::<Value>();
                assert_eq!((answer.cost, answer.guarantee.as_str()), (cost, "optimal"), "{}", path.display());
            }
            None => _ = run.unsolvable(),
        }
    }
}

#[test]
fn mazes_have_the_costs_of_their_index() {
    assert_costs("die", |_| true, 18);
}

#[test]
fn boards_of_chexers_have_the_costs_of_their_index() {
    assert_costs("chexers", |_| true, 40);
}

#[test]
fn boards_of_klotski_have_the_costs_of_their_index() {
    assert_costs("klotski_course", |_| true, 35);
}

#[test]
fn small_boards_of_tiles_have_the_costs_of_their_index() {
    let easy = ["_2x2_", "_3x3_", "_14_15", "public2020_4x4_input_3", "public2020_5x5_input_5", "special2020_4x4"];
    assert_costs("tiles", |name| easy.iter().any(|part| name.contains(part)), 20);
}

/// These have a unique shortest solution.
#[test]
fn klotski_samples_match_byte_for_byte() {
    let Some(path) = data("klotski_course") else { return };
    let here = Folder::new();
    for (name, expected) in [
        ("gen1_sample0", "expected_astar"),
        ("gen1_sample1", "expected_astar"),
        ("gen1_sample2", "expected_astar"),
        ("gen2_easy1", "expected_astar"),
        ("gen3_easy1", "expected"),
        ("gen3_easy2", "expected"),
    ] {
        let file = path.join(format!("{name}.txt"));
        let expected = fs::read_to_string(path.join(format!("{name}.{expected}.txt"))).expect("the file exists");
        let run = here.run_with(&["solve", &file.to_string_lossy(), "--format", "course"], "");
        assert_text(run.prints(if expected == "No solution\n" { REFUTED } else { ANSWERED }), &expected);
    }
}

#[test]
fn solutions_that_the_course_supplies_are_found_legal_and_shortest() {
    let Some(path) = data("klotski_course") else { return };
    let here = Folder::new();
    for (name, expected, cost) in [
        ("gen1_sample2.txt", "gen1_sample2.expected_astar.txt", 3),
        ("gen3_hard1.txt", "gen3_hard1.expected_astar.txt", 359),
    ] {
        let [file, solution] = [name, expected].map(|name| path.join(name).to_string_lossy().into_owned());
        let run = here.run_with(&["verify", &file, &solution], "");
        assert_text(run.prints(ANSWERED), &format!("Legal and shortest: {cost} actions.\n"));
    }
}
