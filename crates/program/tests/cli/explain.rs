//! `explain`, and `list PUZZLE HEURISTIC`.

use serde_json::{Value, json};

use crate::puzzles::*;
use crate::support::{ANSWERED, Folder, REFUTED, STOPPED, assert_text};

fn explained(puzzle: &str, options: &str, code: i32) -> Value {
    let run = Folder::with("puzzle", puzzle).run(&format!("explain puzzle --format json {options}"));
    serde_json::from_str(run.prints(code)).expect("one JSON object")
}

fn sum(heuristic: &Value) -> f64 {
    heuristic["parts"].as_array().expect("parts").iter().filter_map(|part| part["value"].as_f64()).sum()
}

#[test]
fn parts_add_up_and_distances_are_those_of_solve() {
    for puzzle in [MAZE, TILES, KLOTSKI, CHEXERS, "3 1 2 5 4\n"] {
        let answer = Folder::with("puzzle", puzzle).run("solve puzzle --format json");
        let answer: Value = serde_json::from_str(answer.prints(ANSWERED)).expect("JSON");
        let found = explained(puzzle, "", ANSWERED);
        assert_eq!((&found["distance"], &found["state"]), (&answer["cost"], &answer["states"][0]));
        let distance = found["distance"].as_f64().expect("a number");
        for heuristic in found["heuristics"].as_array().expect("heuristics") {
            let h = heuristic["h"].as_f64().expect("no dead end");
            assert!((sum(heuristic) - h).abs() < 1e-4, "{heuristic}");
            let error = heuristic["relative_error"].as_f64().expect("a number");
            assert!((error - (distance - h) / distance).abs() < 1e-9, "{heuristic}");
            assert_eq!(heuristic["admissible_here"], h <= distance, "{heuristic}");
            assert!(heuristic["rule"].as_str().is_some_and(|rule| !rule.is_empty()), "{heuristic}");
        }
    }
}

#[test]
fn the_text_names_rules_parts_and_claims() {
    let run = Folder::with("puzzle", "S....\n..***\n.*..G\n.....\n*....\n").run("explain puzzle -H die-roll");
    let expected = "\
die  puzzle

  1 . . . .
  . . * * *
  . * . . G
  . . . . .
  * . . . .

Distance h* = 16 steps, by astar with open-board

die-roll  h = 10, relative error 37.5%
  rule 5, the 1 up: m + 4, with m = dx + dy = 6
         4  dx: the goal is 4 columns to the east
         2  dy: the goal is 2 rows to the south
         4  detour: the 1 is up
  h <= h* holds; NOT consistent: after S (cost 1) h is 5; claimed: admissible
";
    assert_text(run.prints(ANSWERED), expected);
}

/// The counterexample on the card of `blockers`.
#[test]
fn a_claim_that_fails_is_named() {
    let board = "^^^^\nvvvv\n..22\n<>11\n2.11\n";
    let found = explained(board, "-H blockers,max(manhattan,blockers-1)", ANSWERED);
    let [blockers, repaired] = [0, 1].map(|at| &found["heuristics"][at]);
    assert_eq!((&found["distance"], &blockers["h"]), (&json!(2), &json!(3)));
    assert_eq!((&blockers["admissible_here"], &repaired["admissible_here"]), (&json!(false), &json!(true)));
    assert_eq!((&repaired["h"], &repaired["parts"]), (&json!(2), &json!([])));
}

#[test]
fn unsolvable_and_undecided_boards_have_no_distance() {
    let found = explained("1 2 3\n4 5 6\n8 7 0\n", "", REFUTED);
    assert_eq!((&found["distance"], &found["distance_is"]), (&Value::Null, &json!("unsolvable")));
    assert!(found["heuristics"].as_array().is_some_and(|all| all.iter().all(|one| one["admissible_here"] == true)));
    // A piece between blocks: an infinite value is right.
    let board = "{\"colour\":\"red\",\"pieces\":[[0,0]],\"blocks\":[[3,-3],[3,-2],[3,-1],[3,0]]}";
    let found = explained(board, "-H relaxed-jumps", REFUTED);
    let one = &found["heuristics"][0];
    let expected = (&Value::Null, &json!(true), &json!(true));
    assert_eq!((&one["h"], &one["dead_end"], &one["admissible_here"]), expected);
    let hard = "1 5 9 13\n2 6 10 14\n3 7 11 15\n4 8 12 0\n";
    let found = explained(hard, "-H manhattan,linear-conflict --node-limit 1000", STOPPED);
    assert_eq!((&found["distance"], &found["distance_is"]), (&Value::Null, &json!("node limit")));
    assert!(found["bounds"]["lower_bound"].as_u64() >= found["heuristics"][0]["h"].as_u64(), "{found}");
    assert_eq!(found["heuristics"][0]["admissible_here"], true);
}

#[test]
fn unknown_names_are_refused() {
    let folder = Folder::with("puzzle", TILES);
    let refused = folder.run("explain puzzle -H manhatan");
    assert!(refused.refuses().contains("did you mean 'manhattan'?"), "{refused}");
    let refused = folder.run("list tiles manhatan");
    assert!(refused.refuses().contains("did you mean 'manhattan'?"), "{refused}");
}

#[test]
fn list_prints_the_exact_rules_of_every_heuristic() {
    let folder = Folder::with("puzzle", TILES);
    let listed: Value = serde_json::from_str(folder.run("list --format json").prints(ANSWERED)).expect("JSON");
    for puzzle in listed["puzzles"].as_array().expect("puzzles") {
        for heuristic in puzzle["heuristics"].as_array().expect("heuristics") {
            let (puzzle, name) =
                (puzzle["name"].as_str().expect("a name"), heuristic["name"].as_str().expect("a name"));
            let run = folder.run(&format!("list {puzzle} {name}"));
            for rule in heuristic["rules"].as_array().expect("rules") {
                assert!(run.prints(ANSWERED).contains(rule.as_str().expect("a text")), "{run}");
            }
            assert!(run.out.contains("its source claims: "), "{run}");
        }
    }
    let run = folder.run("list klotski manhattan");
    let expected = "\
manhattan: the distance of the 2x2 piece to its place
  h = the rows plus the columns between the 2x2 piece and its place.
  With several 2x2 pieces, the sum of their distances, each to the nearest place of one.
admissible: yes
consistent: yes
its source claims: admissible, consistent
";
    assert_text(run.prints(ANSWERED), expected);
}
