//! `solve --format json`.

use crate::answers::Stats;
use crate::puzzles::*;
use crate::rules::{Die, Pieces, Rows, Tiles, assert_replays, play, roll, slide, step};
use crate::support::{ANSWERED, Folder, assert_text, solve};

fn counts(stats: &Stats) -> [u64; 7] {
    let Stats { expanded, generated, reopened, expanded_before_last_layer, max_frontier, stored, iterations, .. } =
        *stats;
    [expanded, generated, reopened, expanded_before_last_layer, max_frontier, stored, iterations]
}

#[test]
fn a_die_is_given_by_its_place_and_three_of_its_faces() {
    let answer = solve(MAZE, "--format json --algorithm astar --heuristic manhattan").solved::<Die>();
    assert_eq!((answer.puzzle.as_str(), answer.file.as_str()), ("die", "puzzle"));
    assert_eq!((answer.algorithm.as_str(), answer.heuristic.as_str()), ("astar", "manhattan"));
    assert_eq!((answer.cost, answer.guarantee.as_str()), (6, "optimal"));
    assert_eq!((answer.moves, answer.fewest_moves), (None, None));
    assert_eq!(answer.states[0], Die { row: 0, col: 0, top: 1, north: 2, east: 3 });
    let last = &answer.states[6];
    assert_eq!((last.row, last.col, last.top), (0, 4, 1));
    assert_replays(&answer, roll);
    assert!(answer.stats.seconds < 10.0 && answer.stats.peak_bytes > 0);
}

#[test]
fn an_open_list_that_may_hold_a_state_twice_says_so() {
    let may_hold_twice = |options: &str| {
        let answer = solve(MAZES[4], &format!("--format json {options}")).solved::<Die>();
        answer.stats.frontier_duplicates
    };
    assert!(may_hold_twice("--algorithm astar --heuristic manhattan"), "packed A*");
    assert!(may_hold_twice("--algorithm astar --heuristic die-roll"), "arena A*");
    assert!(may_hold_twice("--algorithm hdastar --threads 1"));
    assert!(!may_hold_twice("--algorithm astar --heuristic manhattan --tie-break fifo"));
    assert!(!may_hold_twice("--algorithm bfs"));
}

#[test]
fn tiles_are_given_in_reading_order() {
    let answer = solve(MIXED_TILES, "--format json").solved::<Tiles>();
    assert_eq!((answer.puzzle.as_str(), answer.cost, answer.guarantee.as_str()), ("tiles", 14, "optimal"));
    assert_eq!(answer.states[0], [8, 1, 3, 4, 0, 2, 7, 6, 5]);
    assert_eq!(answer.states[14], [1, 2, 3, 4, 5, 6, 7, 8, 0]);
    assert_replays(&answer, slide(3));
}

#[test]
fn tiles_come_in_every_shape_and_with_every_goal() {
    for (board, options, columns, cost, goal) in [
        ("4 1 2\n0 5 3\n", "", 3, 4, vec![1, 2, 3, 4, 5, 0]),
        (FAR_TILES, "", 2, 21, vec![1, 2, 3, 4, 5, 0]),
        ("1 2 3 4 0 5 7 8 6", "", 3, 2, vec![1, 2, 3, 4, 5, 6, 7, 8, 0]),
        ("1 2\n3 0\n\n3 1\n0 2\n", "", 2, 3, vec![3, 1, 0, 2]),
        ("1 0 2\n3 4 5\n6 7 8\n", "--goal blank-first", 3, 1, vec![0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ("1 2\n3 0\n", "--goal blank-last", 2, 0, vec![1, 2, 3, 0]),
    ] {
        let answer = solve(board, &format!("--format json {options}")).solved::<Tiles>();
        assert_eq!(answer.cost, cost, "{board}");
        assert_eq!(answer.states.last(), Some(&goal), "{board}");
        assert_replays(&answer, slide(columns));
    }
}

#[test]
fn klotski_boards_are_rows_of_symbols_whatever_the_file_has() {
    for (board, cost, moves, start, end) in [
        (KLOTSKI_DIGITS, 3, 2, ["2^22", "2v.^", "<>.v", "11^^", "11vv"], ["2^22", "2v^^", "<>vv", ".11^", ".11v"]),
        (KLOTSKI, 2, 2, ["<><>", "2^^2", "^vv2", "v.11", ".211"], ["<><>", "2^^2", "^vv2", "v11.", "211."]),
        (KLOTSKI_GOAL, 1, 1, ["2^22", "2v<>", "<><>", "11.^", "11.v"], ["2^22", "2v<>", "<><>", ".11^", ".11v"]),
    ] {
        let answer = solve(board, "--format json").solved::<Rows>();
        assert_eq!((answer.puzzle.as_str(), answer.cost, answer.moves), ("klotski", cost, Some(moves)), "{board}");
        assert_eq!(
            (&answer.states[0][..], &answer.states[cost as usize][..]),
            (&start.map(String::from)[..], &end.map(String::from)[..])
        );
        assert_replays(&answer, step);
    }
}

#[test]
fn the_classic_layout_takes_116_steps_or_81_moves() {
    let answer = solve(KLOTSKI_CLASSIC, "--format json").solved::<Rows>();
    assert_eq!((answer.cost, answer.guarantee.as_str()), (116, "optimal"));
    assert_eq!(answer.fewest_moves, Some(81));
    assert!((81..=116).contains(&answer.moves.expect("klotski counts moves")), "{:?}", answer.moves);
    assert_replays(&answer, step);
}

#[test]
fn chexers_states_are_lists_of_hexes_down_to_none() {
    let answer = solve(CHEXERS_EXAMPLE, "--format json").solved::<Pieces>();
    assert_eq!((answer.puzzle.as_str(), answer.cost, answer.guarantee.as_str()), ("chexers", 10, "optimal"));
    assert_eq!(answer.states[0], [(0, -1), (0, 0), (-2, 1)]);
    assert_eq!(answer.states[10], []);
    assert_replays(&answer, play);
}

#[test]
fn unsolvable_puzzles_have_no_cost() {
    for (puzzle, text) in UNSOLVABLE {
        let answer = solve(text, "--format json").unsolvable();
        assert_eq!((answer.puzzle.as_str(), answer.file.as_str()), (puzzle, "puzzle"));
        assert!(!answer.algorithm.is_empty() && !answer.heuristic.is_empty());
        assert!(answer.stats.expanded <= 14, "{puzzle}: {:?}", answer.stats);
    }
}

#[test]
fn counts_of_each_algorithm() {
    let run = |algorithm: &str| {
        let run =
            solve(MAZES[1], &format!("--format json --heuristic manhattan --tie-break fifo --algorithm {algorithm}"));
        counts(&run.solved::<Die>().stats)
    };
    assert_eq!(run("astar"), [56, 135, 0, 39, 20, 76, 0]);
    assert_eq!(run("idastar"), [195, 239, 0, 121, 16, 0, 6]);
    assert_eq!(run("bfs"), [62, 145, 0, 62, 16, 77, 0]);
}

#[test]
fn the_object_is_printed_byte_for_byte() {
    let run = solve(TILES, "--format json --color always");
    let text = run.prints(ANSWERED);
    let (before, after) = text.split_once("\"seconds\":").expect("there is a time");
    assert_text(
        before,
        "{\"puzzle\":\"tiles\",\"file\":\"puzzle\",\"algorithm\":\"astar\",\"heuristic\":\"linear-conflict\",\
         \"outcome\":\"solved\",\"cost\":2,\"guarantee\":\"optimal\",\"actions\":[\"LEFT\",\"UP\"],\
         \"states\":[[1,2,3,4,0,5,7,8,6],[1,2,3,4,5,0,7,8,6],[1,2,3,4,5,6,7,8,0]],\
         \"stats\":{\"expanded\":2,\"generated\":7,\"reopened\":0,\"expanded_before_last_layer\":0,\
         \"max_frontier\":5,\"stored\":7,\"iterations\":0,",
    );
    assert!(after.contains("\"peak_bytes\":") && after.ends_with("}}\n"), "{after}");
}

#[test]
fn the_name_of_the_file_is_the_one_that_was_given() {
    let folder = Folder::with("ein Würfel.txt", MAZE);
    let run = folder.run_with(&["solve", "./ein Würfel.txt", "--format", "json"], "");
    assert_eq!(run.solved::<Die>().file, "./ein Würfel.txt");
    assert_eq!(folder.run_with(&["solve", "-", "--format", "json"], MAZE).solved::<Die>().file, "-");
}
