//! Estimates, and bands of expansions of the course mazes against an independent count.

use admissible_front::{Band, PlanError, ReadOptions, Task};
use admissible_puzzles::PUZZLES;

fn maze(number: usize) -> Task {
    let path = format!("{}/../../instances/die/course_puzzle{number}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the course mazes are part of the project");
    PUZZLES.open(&text, Some("die"), &ReadOptions::default()).expect("they can be read")
}

#[test]
fn the_bands_of_the_course_mazes_are_those_of_an_independent_count() {
    let expected = [
        (1, Some(6), [(21, 28), (8, 15), (3, 15)]),
        (2, Some(16), [(74, 89), (49, 60), (40, 60)]),
        (3, None, [(3, 3), (3, 3), (3, 3)]),
        (4, Some(21), [(137, 152), (85, 103), (54, 101)]),
        (5, Some(26), [(1256, 1272), (986, 1080), (243, 881)]),
    ];
    for (number, optimum, bands) in expected {
        let maze = maze(number);
        for (heuristic, (least, most)) in ["zero", "euclidean", "manhattan"].into_iter().zip(bands) {
            let band = maze.band(heuristic, optimum).expect("the name is known");
            assert_eq!(band, Some(Band { least, most }), "puzzle {number}, {heuristic}");
        }
    }
}

#[test]
fn an_inconsistent_heuristic_has_no_band() {
    assert_eq!(maze(1).band("die-roll", Some(6)), Ok(None));
    assert_eq!(maze(1).band("oriented", Some(6)), Ok(None));
}

#[test]
fn estimates_are_in_whole_costs() {
    let maze = PUZZLES.open("S..\n...\n..G\n", None, &ReadOptions::default()).expect("a maze");
    assert_eq!(maze.estimate("zero"), Ok(Some(0.0)));
    assert_eq!(maze.estimate("manhattan"), Ok(Some(4.0)));
    let straight = maze.estimate("euclidean").expect("the name is known").expect("no dead end");
    assert!((straight - 8.0_f64.sqrt()).abs() < 1e-3, "{straight}");
    assert!(matches!(maze.estimate("manhatan"), Err(PlanError::UnknownHeuristic { .. })));
}
