//! `solve` with text output.

use crate::puzzles::*;
use crate::support::{ANSWERED, REFUTED, assert_text, has_escape_codes, masked, solve};

#[track_caller]
fn assert_prints(puzzle: &str, options: &str, code: i32, expected: &str) {
    assert_text(&masked(solve(puzzle, options).prints(code)), expected);
}

#[test]
fn a_maze_is_drawn_with_the_path() {
    assert_prints(
        MAZE,
        "--algorithm astar --heuristic manhattan",
        ANSWERED,
        "\
die  puzzle
astar with manhattan

  S . . . G
  → → → → ↑

Shortest solution: 6 steps, proved optimal.
  S E E E E N

  expanded                            14
  generated                           34
  reopened                             0
  before the last layer                2
  largest frontier                     8  (entries: a state may have several)
  time *
  memory *
",
    );
}

#[test]
fn without_options_the_choice_is_explained() {
    assert_prints(
        CHEXERS_EXAMPLE,
        "",
        ANSWERED,
        "\
chexers  puzzle
astar with partnered-jumps, chosen because partnered-jumps is consistent, and the many orders of the same actions lead to few different states

     . . . o         . . . o
    . . . . o       . . . . o
   . . R . . #     . . . . . #
  . . # R . . o   . . # . . . o
   . R # . # .     . . # . # .
    . . . . .       . . . . .
     . . . .         . . . .

Shortest solution: 10 steps, proved optimal.
   1. MOVE from (0, -1) to (1, -1).   2. JUMP from (-2, 1) to (0, -1).
   3. JUMP from (0, -1) to (2, -1).   4. JUMP from (0, 0) to (2, -2).
   5. JUMP from (1, -1) to (3, -3).   6. MOVE from (2, -1) to (3, -2).
   7. EXIT from (3, -2).              8. MOVE from (2, -2) to (3, -2).
   9. EXIT from (3, -3).             10. EXIT from (3, -2).

  expanded                            22
  generated                          297
  reopened                             0
  before the last layer                0
  largest frontier                   114  (entries: a state may have several)
  time *
  memory *
",
    );
}

#[test]
fn an_unproved_solution_is_marked() {
    assert_prints(
        MAZE,
        "--algorithm dfs",
        ANSWERED,
        "\
die  puzzle
dfs

  S → → → G
  ↑ ← . ↑ ←

Solution: 12 steps, not proved to be shortest.
  E S W N E E E E S W N E

  expanded                            12
  generated                           14
  reopened                             0
  before the last layer                0
  largest frontier                    12
  time *
  memory *
",
    );
}

#[test]
fn a_weight_bounds_the_solution() {
    assert_prints(
        MAZE,
        "--algorithm wastar --weight 2.5",
        ANSWERED,
        "\
die  puzzle
wastar with open-board

  S . . . G
  → → → → ↑

Solution: 6 steps, within 2.5 times the shortest.
  S E E E E N

  expanded                             6
  generated                           15
  reopened                             0
  before the last layer                0
  largest frontier                     5
  time *
  memory *
",
    );
}

#[test]
fn tiles_are_shown_before_and_after() {
    assert_prints(
        TILES,
        "--algorithm idastar --heuristic manhattan",
        ANSWERED,
        "\
tiles  puzzle
idastar with manhattan

  ┌───┬───┬───┐   ┌───┬───┬───┐
  │ 1 │ 2 │ 3 │   │ 1 │ 2 │ 3 │
  ├───┼───┼───┤   ├───┼───┼───┤
  │ 4 │   │ 5 │   │ 4 │ 5 │ 6 │
  ├───┼───┼───┤   ├───┼───┼───┤
  │ 7 │ 8 │ 6 │   │ 7 │ 8 │   │
  └───┴───┴───┘   └───┴───┴───┘

Shortest solution: 2 steps, proved optimal.
  LEFT UP

  expanded                             2
  generated                            5
  before the last layer                0
  iterations                           1
  time *
  memory *
",
    );
}

#[test]
fn boards_draws_the_board_after_every_step() {
    assert_prints(
        TILES,
        "--boards --algorithm bfs",
        ANSWERED,
        "\
tiles  puzzle
bfs

  start           1. LEFT         2. UP
  ┌───┬───┬───┐   ┌───┬───┬───┐   ┌───┬───┬───┐
  │ 1 │ 2 │ 3 │   │ 1 │ 2 │ 3 │   │ 1 │ 2 │ 3 │
  ├───┼───┼───┤   ├───┼───┼───┤   ├───┼───┼───┤
  │ 4 │   │ 5 │   │ 4 │ 5 │   │   │ 4 │ 5 │ 6 │
  ├───┼───┼───┤   ├───┼───┼───┤   ├───┼───┼───┤
  │ 7 │ 8 │ 6 │   │ 7 │ 8 │ 6 │   │ 7 │ 8 │   │
  └───┴───┴───┘   └───┴───┴───┘   └───┴───┴───┘

Shortest solution: 2 steps, proved optimal.

  expanded                             4
  generated                           13
  reopened                             0
  before the last layer                4
  largest frontier                     6
  time *
  memory *
",
    );
}

#[test]
fn klotski_counts_steps_and_moves() {
    assert_prints(
        KLOTSKI_DIGITS,
        "--heuristic manhattan",
        ANSWERED,
        "\
klotski  puzzle
astar with manhattan

  ┌───┬───┬───┬───┐   ┌───┬───┬───┬───┐
  │   │   │   │   │   │   │   │   │   │
  ├───┤   ├───┼───┤   ├───┤   ├───┼───┤
  │   │   │ · │   │   │   │   │   │   │
  ├───┴───┤   │   │   ├───┴───┤   │   │
  │       │ · │   │   │       │   │   │
  ├───────┼───┼───┤   ├───┬───┴───┼───┤
  │       │   │   │   │ · │       │   │
  │       │   │   │   │   │       │   │
  │       │   │   │   │ · │       │   │
  └────┄┄┄┴┄┄┄┴───┘   └───┴┄┄┄┄┄┄┄┴───┘

Shortest solution: 3 steps, proved optimal (moves: 2, fewest moves: 2).
  1. (3,2) up     2. (2,2) up     3. (3,0) right

  expanded                             6
  generated                           21
  reopened                             0
  before the last layer                5
  largest frontier                     9  (entries: a state may have several)
  time *
  memory *
",
    );
}

#[test]
fn one_step_is_singular() {
    assert_prints(
        KLOTSKI_GOAL,
        "--algorithm ucs",
        ANSWERED,
        "\
klotski  puzzle
ucs

  ┌───┬───┬───┬───┐   ┌───┬───┬───┬───┐
  │   │   │   │   │   │   │   │   │   │
  ├───┤   ├───┴───┤   ├───┤   ├───┴───┤
  │   │   │       │   │   │   │       │
  ├───┴───┼───────┤   ├───┴───┼───────┤
  │       │       │   │       │       │
  ├───────┼───┬───┤   ├───┬───┴───┬───┤
  │       │ · │   │   │ · │       │   │
  │       │   │   │   │   │       │   │
  │       │ · │   │   │ · │       │   │
  └───────┴───┴───┘   └───┴───────┴───┘

Shortest solution: 1 step, proved optimal (moves: 1, fewest moves: 1).
  1. (3,0) right

  expanded                             1
  generated                            2
  reopened                             0
  before the last layer                1
  largest frontier                     2
  time *
  memory *
",
    );
}

#[test]
fn a_maze_without_solution_is_shown_with_the_die() {
    assert_prints(
        CLOSED_MAZE,
        "--heuristic zero",
        REFUTED,
        "\
die  puzzle
astar with zero

  1 . . . . .
  . * * * * .
  . * . . . .
  . * . . . .
  . . . . . G

No solution, proved: no reachable state is a goal.

  expanded                             3
  generated                            4
  reopened                             0
  before the last layer                3
  largest frontier                     2  (entries: a state may have several)
  time *
  memory *
",
    );
}

#[test]
fn parity_is_named_as_the_proof() {
    assert_prints(
        SWAPPED_TILES,
        "--heuristic manhattan",
        REFUTED,
        "\
tiles  puzzle
astar with manhattan

  ┌───┬───┬───┐
  │ 1 │ 2 │ 3 │
  ├───┼───┼───┤
  │ 4 │ 5 │ 6 │
  ├───┼───┼───┤
  │ 8 │ 7 │   │
  └───┴───┴───┘

No solution, proved by parity, without a search.

  expanded                             0
  generated                            0
  reopened                             0
  before the last layer                0
  largest frontier                     0
  time *
  memory *
",
    );
}

#[test]
fn a_solved_puzzle_takes_no_action() {
    let run = solve("1 2\n3 0\n", "");
    assert!(run.prints(ANSWERED).contains("\nShortest solution: 0 steps, proved optimal.\n\n"), "{run}");
}

#[test]
fn colours_need_a_terminal_or_an_option() {
    for (_, puzzle, _) in SOLVABLE {
        for options in ["", "--boards", "--color auto", "--color never"] {
            assert!(!has_escape_codes(solve(puzzle, options).prints(ANSWERED)), "{puzzle} {options}");
        }
        assert!(has_escape_codes(solve(puzzle, "--color always").prints(ANSWERED)), "{puzzle}");
    }
    assert!(!has_escape_codes(solve("S\n", "").refuses()));
    assert!(has_escape_codes(solve("S\n", "--color always").refuses()));
}

#[test]
fn colours_change_nothing_else() {
    let plain = |text: &str| {
        let mut parts = text.split('\u{1b}');
        let first = parts.next().unwrap_or_default().to_string();
        parts.fold(first, |text, part| text + part.split_once('m').expect("a code ends with m").1)
    };
    for (_, puzzle, _) in SOLVABLE {
        let coloured = plain(solve(puzzle, "--color always").prints(ANSWERED));
        assert_text(&masked(&coloured), &masked(solve(puzzle, "").prints(ANSWERED)));
    }
}
