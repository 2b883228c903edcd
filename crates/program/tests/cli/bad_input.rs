//! Malformed puzzles are refused with position and expectation, exit code 2 and nothing on standard output.

use crate::support::{assert_text, solve};

/// Checks the whole of standard error for each text of a kind.
#[track_caller]
fn assert_refused(kind: &str, cases: &[(&str, &str, &str)]) {
    for (what, text, expected) in cases {
        println!("{what}");
        let expected = format!("{expected}(read as a {kind} puzzle; choose another with --puzzle)\n");
        assert_text(solve(text, "").refuses(), &expected);
        let told = expected.split_once("(read").map(|(told, _)| told);
        assert_text(solve(text, &format!("--puzzle {kind}")).refuses(), told.expect("was put there"));
    }
}

#[test]
fn mazes_are_refused_with_every_fault_in_its_place() {
    assert_refused(
        "die",
        &[
            (
                "no start",
                "...\n..G\n",
                "\
error: puzzle:1:1: expected one start 'S' in the maze, found none
 1 | ...
   | ^
",
            ),
            (
                "no goal",
                "S..\n...\n",
                "\
error: puzzle:1:1: expected one goal 'G' in the maze, found none
 1 | S..
   | ^
",
            ),
            (
                "two goals",
                "S.G\n..G\n",
                "\
error: puzzle:2:3: expected one goal 'G', found a second (the first is at 1:3)
 2 | ..G
   |   ^
",
            ),
            (
                "two starts",
                "S.\nSG\n",
                "\
error: puzzle:2:1: expected one start 'S', found a second (the first is at 1:1)
 2 | SG
   | ^
",
            ),
            (
                "ragged rows",
                "S..\n.G\n....\n",
                "\
error: puzzle:2:3: expected 3 cells as in the first row, found 2
 2 | .G
   |   ^
error: puzzle:3:4: expected 3 cells as in the first row, found 4
 3 | ....
   |    ^
",
            ),
            (
                "an unknown symbol",
                "S.x\n..G\n",
                "\
error: puzzle:1:3: expected 'S', 'G', '.' or '*', found 'x'
 1 | S.x
   |   ^
",
            ),
            (
                "an empty line between rows",
                "S..\n\n..G\n",
                "\
error: puzzle:2:1: expected the next row of the maze, found an empty line
 2 |
   | ^
",
            ),
            (
                "no wall, a letter",
                "S# .\n. . G\n",
                "\
error: puzzle:1:2: expected 'S', 'G', '.' or '*', found '#'
 1 | S# .
   |  ^
",
            ),
        ],
    );
}

#[test]
fn tiles_are_refused_with_every_fault_in_its_place() {
    assert_refused(
        "tiles",
        &[
            (
                "a number twice, another missing",
                "1 2 3\n4 4 5\n7 8 0\n",
                "\
error: puzzle:2:3: expected every number once, found 4 again (first at 2:1)
 2 | 4 4 5
   |   ^
error: puzzle:3:6: expected every number once, missing 6
 3 | 7 8 0
   |      ^
",
            ),
            (
                "no gap",
                "1 2 3\n4 5 6\n7 8 6\n",
                "\
error: puzzle:3:5: expected every number once, found 6 again (first at 2:5)
 3 | 7 8 6
   |     ^
error: puzzle:3:6: expected every number once, missing 0
 3 | 7 8 6
   |      ^
",
            ),
            (
                "too large",
                "1 2 3\n4 5 9\n7 8 0\n",
                "\
error: puzzle:2:5: expected a number from 0 to 8, found '9'
 2 | 4 5 9
   |     ^
error: puzzle:3:6: expected every number once, missing 6
 3 | 7 8 0
   |      ^
",
            ),
            (
                "far too large",
                "1 2\n99999999999999999999999 0\n",
                "\
error: puzzle:2:1: expected a number from 0 to 3, found '99999999999999999999999'
 2 | 99999999999999999999999 0
   | ^
error: puzzle:2:26: expected every number once, missing 3
 2 | 99999999999999999999999 0
   |                          ^
",
            ),
            (
                "negative",
                "1 2\n-3 0\n",
                "\
error: puzzle:2:1: expected a number from 0 to 3, found '-3'
 2 | -3 0
   | ^
error: puzzle:2:5: expected every number once, missing 3
 2 | -3 0
   |     ^
",
            ),
            (
                "not a number",
                "1 2 3\n4 x 5\n7 8 0\n",
                "\
error: puzzle:2:3: expected a number from 0 to 8, found 'x'
 2 | 4 x 5
   |   ^
error: puzzle:3:6: expected every number once, missing 6
 3 | 7 8 0
   |      ^
",
            ),
            (
                "ragged rows",
                "1 2 3\n4 5\n6 7 8 0\n",
                "\
error: puzzle:2:4: expected 3 numbers as in the first row, found 2
 2 | 4 5
   |    ^
error: puzzle:3:7: expected 3 numbers as in the first row, found 4
 3 | 6 7 8 0
   |       ^
",
            ),
            (
                "a line that is no square",
                "1 2 3 4 0\n",
                "\
error: puzzle:1:1: expected a board of at least 2 x 2, found 1 x 5
 1 | 1 2 3 4 0
   | ^
",
            ),
            (
                "a goal of another size",
                "1 2 3\n4 5 6\n7 8 0\n\n1 2\n3 0\n",
                "\
error: puzzle:5:1: expected a goal of 3 x 3 like the start, found 2 x 2
 5 | 1 2
   | ^
",
            ),
            (
                "a third board",
                "1 2\n3 0\n\n1 2\n3 0\n\n1 2\n3 0\n",
                "\
error: puzzle:7:1: expected at most two boards (start, empty line, goal), found a third
 7 | 1 2
   | ^
",
            ),
        ],
    );
}

#[test]
fn klotski_boards_are_refused_with_every_fault_in_its_place() {
    assert_refused(
        "klotski",
        &[
            (
                "a domino of three cells",
                "2113\n2113\n2665\n4445\n7007\n",
                "\
error: puzzle:1:1: expected a domino of two cells, found 3 with '2'
 1 | 2113
   | ^
error: puzzle:4:1: expected a domino of two cells, found 3 with '4'
 4 | 4445
   | ^
",
            ),
            (
                "half a domino in digits",
                "2113\n2113\n4665\n4775\n7008\n",
                "\
error: puzzle:5:4: expected a second '8' beside it, found none
 5 | 7008
   |    ^
",
            ),
            (
                "< without >",
                "^11^\nv11v\n^<2^\nv22v\n2..2\n",
                "\
error: puzzle:3:2: expected '>' to the right of '<', found '2'
 3 | ^<2^
   |  ^
",
            ),
            (
                "v without ^",
                "^11^\nv11v\n2<>^\nv22v\n2..2\n",
                "\
error: puzzle:4:1: expected '^' above 'v', found '2'
 4 | v22v
   | ^
",
            ),
            (
                "no 2x2 piece",
                "^22^\nv22v\n^<>^\nv22v\n2..2\n",
                "\
error: puzzle:1:1: expected a 2x2 piece, or a goal board below the start, found neither
 1 | ^22^
   | ^
",
            ),
            (
                "two 2x2 pieces",
                "11..\n11..\n..11\n..11\n",
                "\
error: puzzle:3:3: expected one 2x2 piece, found a second (the first is at 1:1)
 3 | ..11
   |   ^
",
            ),
            (
                "half a 2x2 piece",
                "11..\n....\n",
                "\
error: puzzle:1:1: expected '1' in squares of 2 by 2 cells, found 2 outside of one
 1 | 11..
   | ^
",
            ),
            (
                "a goal of another size",
                "2^\n2v\n..\n\n2^\n2v\n",
                "\
error: puzzle:5:1: expected 3 rows of 2 cells as in the start, found 2 rows of 2 cells
 5 | 2^
   | ^
",
            ),
            (
                "ragged rows",
                "^11^\nv11v\n^<>^\nv2\n2..2\n",
                "\
error: puzzle:4:3: expected 4 cells as in the first row, found 2
 4 | v2
   |   ^
",
            ),
            (
                "an unknown symbol",
                "^11^\nv11v\n^<>^\nv2Xv\n2..2\n",
                "\
error: puzzle:4:3: expected '.', '1', '2', '<', '>', '^' or 'v', found 'X'
 4 | v2Xv
   |   ^
",
            ),
        ],
    );
}

#[test]
fn chexers_boards_are_refused_with_every_fault_in_its_place() {
    assert_refused(
        "chexers",
        &[
            (
                "two pieces on a hex",
                "{\"colour\": \"red\",\n\"pieces\": [[0, 0], [0, 0]], \"blocks\": []}\n",
                "\
error: puzzle:2:20: expected a piece on another hex, found [0, 0] again (the first is at 2:12)
 2 | \"pieces\": [[0, 0], [0, 0]], \"blocks\": []}
   |                    ^
",
            ),
            (
                "a piece on a block",
                "{\"colour\": \"red\",\n\"pieces\": [[0, 0]], \"blocks\": [[0, 0]]}\n",
                "\
error: puzzle:2:12: expected a piece on a free hex, found [0, 0] with a block (at 2:32)
 2 | \"pieces\": [[0, 0]], \"blocks\": [[0, 0]]}
   |            ^
",
            ),
            (
                "off the board",
                "{\"colour\": \"red\",\n\"pieces\": [[0, 4]], \"blocks\": [[-3, -1]]}\n",
                "\
error: puzzle:2:12: expected a hex of the board, with |q|, |r| and |q + r| at most 3, found [0, 4]
 2 | \"pieces\": [[0, 4]], \"blocks\": [[-3, -1]]}
   |            ^
error: puzzle:2:32: expected a hex of the board, with |q|, |r| and |q + r| at most 3, found [-3, -1]
 2 | \"pieces\": [[0, 4]], \"blocks\": [[-3, -1]]}
   |                                ^
",
            ),
            (
                "an unknown colour",
                "{\"colour\": \"pink\", \"pieces\": [[0, 0]], \"blocks\": []}\n",
                "\
error: puzzle:1:12: expected \"red\", \"green\" or \"blue\", found \"pink\"
 1 | {\"colour\": \"pink\", \"pieces\": [[0, 0]], \"blocks\": []}
   |            ^
",
            ),
            (
                "cut off",
                "{\"colour\": \"red\",\n\"pieces\": [[0, 0]",
                "\
error: puzzle:2:18: expected the rest of a list, found the end of the file
 2 | \"pieces\": [[0, 0]
   |                  ^
",
            ),
            (
                "wrong types",
                "{\"colour\": 1,\n\"pieces\": \"x\", \"blocks\": [[0, \"a\"], [0.5, 0], 7]}\n",
                "\
error: puzzle:1:12: expected \"red\", \"green\" or \"blue\", found 1
 1 | {\"colour\": 1,
   |            ^
error: puzzle:2:11: expected a list of hexes [q, r], found \"x\"
 2 | \"pieces\": \"x\", \"blocks\": [[0, \"a\"], [0.5, 0], 7]}
   |           ^
error: puzzle:2:31: expected a whole number, found \"a\"
 2 | \"pieces\": \"x\", \"blocks\": [[0, \"a\"], [0.5, 0], 7]}
   |                               ^
error: puzzle:2:38: expected a whole number, found 0.5
 2 | \"pieces\": \"x\", \"blocks\": [[0, \"a\"], [0.5, 0], 7]}
   |                                      ^
error: puzzle:2:47: expected a hex [q, r], found 7
 2 | \"pieces\": \"x\", \"blocks\": [[0, \"a\"], [0.5, 0], 7]}
   |                                               ^
",
            ),
            (
                "keys that are missing",
                "{}\n",
                "\
error: puzzle:1:1: expected a key \"colour\", found none
 1 | {}
   | ^
error: puzzle:1:1: expected a key \"pieces\", found none
 1 | {}
   | ^
",
            ),
            (
                "not an object",
                "[1, 2]\n",
                "\
error: puzzle:1:1: expected an object {\"colour\", \"pieces\", \"blocks\"}, found [1, 2]
 1 | [1, 2]
   | ^
",
            ),
            (
                "an object too many",
                "{\"colour\": \"red\", \"pieces\": [], \"blocks\": []}\n{}\n",
                "\
error: puzzle:2:1: expected the end of the file, found '{'
 2 | {}
   | ^
",
            ),
        ],
    );
}
