//! `solve --format course`: byte for byte what each course wants.

use crate::puzzles::*;
use crate::rules::Die;
use crate::support::{ANSWERED, REFUTED, STOPPED, assert_text, solve};

#[track_caller]
fn assert_prints(puzzle: &str, options: &str, code: i32, expected: &str) {
    assert_text(solve(puzzle, &format!("--format course --color always {options}")).prints(code), expected);
}

const DIE_ROLL_SECTION: &str = "\
Heuristic: die-roll
Visited states:
    1. row 0, column 0, north 2, up 1, start
    2. row 1, column 0, north 6, up 2, south
    3. row 0, column 1, north 2, up 4, east
    4. row 1, column 1, north 6, up 4, east
    5. row 1, column 1, north 3, up 2, south
    6. row 1, column 2, north 6, up 5, east
    7. row 1, column 3, north 6, up 3, east
    8. row 1, column 4, north 6, up 2, east
    9. row 0, column 4, north 2, up 1, north
Nodes generated: 13
Nodes visited: 9
Moves in the solution: 6
Solution:
    0. row 0, column 0, north 2, up 1, start
    1. row 1, column 0, north 6, up 2, south
    2. row 1, column 1, north 6, up 4, east
    3. row 1, column 2, north 6, up 5, east
    4. row 1, column 3, north 6, up 3, east
    5. row 1, column 4, north 6, up 2, east
    6. row 0, column 4, north 2, up 1, north
Rolls: S E E E E N
";

#[test]
fn a_die_report_lists_visited_states_counts_and_the_solution() {
    assert_prints(MAZE, "--heuristic die-roll", ANSWERED, DIE_ROLL_SECTION);
}

#[test]
fn a_die_report_has_three_sections_unless_one_heuristic_is_named() {
    let run = solve(MAZE, "--format course");
    let note = "note: --format course is --counting first-report, the search and the counts of that report (see: \
                admissible list die)\n";
    assert_text(&run.counting, note);
    let sections: Vec<&str> = run.prints(ANSWERED).split("\n\n").collect();
    let names: Vec<Option<&str>> = sections.iter().map(|section| section.lines().next()).collect();
    let expected = ["Heuristic: euclidean", "Heuristic: manhattan", "Heuristic: die-roll"];
    assert_eq!(names, expected.map(Some), "{run}");
    assert_text(sections[2], DIE_ROLL_SECTION);
    for (at, name) in ["euclidean", "manhattan"].into_iter().enumerate() {
        let alone = solve(MAZE, &format!("--format course --heuristic {name}"));
        assert_text(&format!("{}\n", sections[at]), alone.prints(ANSWERED));
    }
}

#[test]
fn a_maze_without_solution_has_a_report_too() {
    let expected = "\
Heuristic: manhattan
Visited states:
    1. row 0, column 0, north 2, up 1, start
    2. row 1, column 0, north 6, up 2, south
    3. row 0, column 1, north 2, up 4, east
Nodes generated: 3
Nodes visited: 3
No solution
";
    assert_prints(CLOSED_MAZE, "--heuristic manhattan", REFUTED, expected);
}

/// The rule of the report includes its search; another search is counted as in the literature.
#[test]
fn a_report_says_what_it_counts() {
    for options in ["--algorithm bfs", "--tie-break lifo", "--move-order N,E,S,W"] {
        let course = solve(MAZE, &format!("--format course -H manhattan {options}"));
        let option = options.split(' ').next().unwrap_or_default();
        let note = format!(
            "note: counted as in the literature; the rule first-report has its own search, not that of {option}\n"
        );
        assert_text(&course.counting, &note);
        let json = solve(MAZE, &format!("--format json -H manhattan {options}")).solved::<Die>();
        let generated = format!("\nNodes generated: {}\n", json.stats.generated);
        assert!(course.prints(ANSWERED).contains(&generated), "{course}");
    }
}

/// The first report's table as published.
#[test]
fn the_counts_of_the_five_mazes_are_the_published_ones() {
    let table = [
        ("euclidean", [(21, 14), (82, 59), (3, 3), (128, 103), (1637, 1072)]),
        ("manhattan", [(21, 14), (79, 57), (3, 3), (128, 101), (1411, 875)]),
        ("die-roll", [(13, 9), (37, 31), (3, 3), (63, 51), (87, 49)]),
    ];
    let costs = [Some(6), Some(16), None, Some(21), Some(26)];
    for (at, maze) in MAZES.iter().enumerate() {
        let run = solve(maze, "--format course");
        let text = run.prints(if costs[at].is_some() { ANSWERED } else { REFUTED });
        let figures = |name: &str| -> Vec<u32> {
            let lines = text.lines().filter_map(|line| line.strip_prefix(name));
            lines.map(|figure| figure.trim().parse().expect("a number")).collect()
        };
        let counts: Vec<(u32, u32)> = figures("Nodes generated:").into_iter().zip(figures("Nodes visited:")).collect();
        assert_eq!(counts, table.map(|(_, row)| row[at]), "maze {}", at + 1);
        assert_eq!(figures("Moves in the solution:"), vec![costs[at]; 3].into_iter().flatten().collect::<Vec<_>>());
        assert_eq!(text.matches("No solution\n").count(), if costs[at].is_some() { 0 } else { 3 });
    }
}

#[test]
fn a_report_that_is_incomplete_says_so_in_its_exit_code() {
    let run = solve(MAZES[4], "--format course --node-limit 100");
    let text = run.prints(STOPPED);
    assert_eq!(text.matches("Stopped at the node limit: every solution has at least ").count(), 2, "{run}");
    assert!(text.contains("Moves in the solution: 26\n"), "the third heuristic needs less: {run}");
}

#[test]
fn tiles_move_by_words_one_a_line() {
    assert_prints(TILES, "", ANSWERED, "LEFT\nUP\n");
    assert_prints("2 3 6\n1 5 8\n4 7 0\n", "", ANSWERED, "DOWN\nDOWN\nRIGHT\nRIGHT\nUP\nUP\nLEFT\nLEFT\n");
    assert_prints("1 2 3\n4 5 6\n7 8 0\n", "", ANSWERED, "");
    assert_prints(SWAPPED_TILES, "", REFUTED, "UNSOLVABLE\n");
}

#[test]
fn tiles_that_parity_forbids_are_answered_at_once_however_large() {
    let fourteen_fifteen = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0\n";
    for algorithm in ["idastar", "bfs", "bidirectional"] {
        assert_prints(fourteen_fifteen, &format!("--algorithm {algorithm}"), REFUTED, "UNSOLVABLE\n");
    }
}

#[test]
fn a_list_of_heuristics_has_a_section_each() {
    let list = "-H misplaced,max(manhattan,misplaced)";
    let sections = "# Heuristic: misplaced\nLEFT\nUP\n\n# Heuristic: max(manhattan,misplaced)\nLEFT\nUP\n";
    assert_prints(TILES, list, ANSWERED, sections);
    let maze = solve(MAZE, "--format course -H zero,manhattan");
    let titles: Vec<&str> = maze.prints(ANSWERED).lines().filter(|line| line.starts_with("Heuristic")).collect();
    assert_eq!(titles, ["Heuristic: zero", "Heuristic: manhattan"]);
    for (options, message) in [
        ("--format course -H manhattan,,zero", "--heuristic: expected a name before and after each comma"),
        ("--format course -H manhattan,foo", "unknown heuristic 'foo' for tiles (see: admissible list tiles)"),
        ("-H manhattan,zero", "--heuristic: expected one, found a list; use --format course, or: admissible compare"),
    ] {
        assert_text(solve(TILES, options).refuses(), &format!("error: {message}\n"));
    }
}

#[test]
fn a_goal_of_other_pieces_has_no_solution_and_a_note() {
    for (format, expected) in
        [("--format course", "No solution\n"), ("", "No solution, proved by the number of pieces")]
    {
        let run = solve("2.\n..\n\n22\n..\n", format);
        assert_eq!(run.code, Some(REFUTED), "{run}");
        assert!(run.out.contains(expected) && !run.out.contains("chosen because"), "{run}");
        assert_text(&run.err, "note: the goal has other pieces than the start: 2 singles, not 1\n");
    }
    let run = solve(SWAPPED_TILES, "");
    assert!(!run.prints(REFUTED).contains("chosen because"), "{run}");
}

#[test]
fn klotski_in_digits_begins_with_the_cost() {
    let expected = "\
Cost of the solution: 3
4344
4303
2203
1133
1133

4344
4303
2233
1133
1103

4344
4333
2233
1103
1103

4344
4333
2233
0113
0113

";
    assert_prints(KLOTSKI_DIGITS, "", ANSWERED, expected);
}

#[test]
fn klotski_in_symbols_is_boards_with_an_empty_line_after_each() {
    let expected = "<><>\n2^^2\n^vv2\nv.11\n.211\n\n<><>\n2^^2\n^vv2\nv.11\n2.11\n\n<><>\n2^^2\n^vv2\nv11.\n211.\n\n";
    assert_prints(KLOTSKI, "", ANSWERED, expected);
    let expected = "2^22\n2v<>\n<><>\n11.^\n11.v\n\n2^22\n2v<>\n<><>\n.11^\n.11v\n\n";
    assert_prints(KLOTSKI_GOAL, "", ANSWERED, expected);
    assert_prints(STUCK_KLOTSKI, "", REFUTED, "No solution\n");
}

/// The course asks for depth-first search beside A*: any solution, as boards of which each is one step from the last.
#[test]
fn klotski_by_depth_first_search_comes_in_the_same_form() {
    let run = solve(KLOTSKI, "--format course --algorithm dfs");
    let boards: Vec<&str> = run.prints(ANSWERED).split_terminator("\n\n").collect();
    assert!(boards.len() > 3, "{run}");
    assert_eq!(format!("{}\n", boards[0]), KLOTSKI);
    assert!(boards.iter().all(|board| board.len() == 24), "{run}");
}

#[test]
fn chexers_actions_are_sentences() {
    let expected = "\
MOVE from (0, -1) to (-1, 0).
MOVE from (-1, 0) to (-2, 1).
JUMP from (-2, 1) to (-2, 3).
EXIT from (-2, 3).
";
    assert_prints(CHEXERS, "", ANSWERED, expected);
    assert_prints(CLOSED_CHEXERS, "", REFUTED, "# no solution\n");
}
