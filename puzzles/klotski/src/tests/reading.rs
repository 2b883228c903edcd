//! Files with and without faults.

use super::*;

#[track_caller]
fn assert_faults(text: &str, expected: &[&str]) {
    let faults = Layout::read(text).err().unwrap_or_else(|| panic!("there is a fault in\n{text}"));
    let messages: Vec<String> = faults.to_string().lines().map(String::from).collect();
    assert_eq!(messages, expected, "{text}");
}

fn assert_same(text: &str, rows: &str) {
    let (klotski, expected) = (puzzle::<u64>(text), puzzle::<u64>(&file(rows)));
    assert_eq!((klotski.start, klotski.goal), (expected.start, expected.goal), "{text}");
}

#[test]
fn the_formats_of_all_three_courses_are_read() {
    assert_same("2113\n2113\n4665\n4775\n7007\n", CLASSIC);
    assert_same("2113\r\n2113\r\n4665\r\n4775\r\n7007", CLASSIC);
    assert_same("2 1 1 3\n2 1 1 3\n4 6 6 5\n4 7 7 5\n7 0 0 7", CLASSIC);
    assert_same("^ 1 1 ^\nv 1 1 v\n^ < > ^\nv 2 2 v\n2 . . 2", CLASSIC);
    assert_same("\u{feff}^11^\nv11v\n^<>^\nv22v\n2..2\n\n\n", CLASSIC);
    assert_same("110\n110\n337\n\n011\n011\n733\n", "11. 11. <>2 / .11 .11 2<>");
    assert_same("22\n11\n11", "22 11 11");
}

#[test]
fn labels_may_be_any_digit_and_be_used_again() {
    assert_same("8118\n8118\n9900\n8888\n7707", "^11^ v11v <>.. <><> 22.2");
    // Two adjacent dominoes with one label, but a unique matching.
    assert_same("3110\n3110\n3300\n0000\n0000", "^11. v11. <>.. .... ....");
    // Two matchings.
    assert_faults("3311\n3311\n0000", &["1:1: expected '3' to pair off in one way into dominoes, found 4 that do not"]);
    assert_faults(
        "0300\n3330\n1100\n1100",
        &["1:2: expected '3' to pair off in one way into dominoes, found 4 that do not"],
    );
}

#[test]
fn the_goal_is_the_bottom_centre_unless_a_board_is_given() {
    let goal = |rows: &str| puzzle::<TwoWords>(&file(rows)).goal;
    assert_eq!(goal("11.. 11.. .... .... ...."), Goal::BigAt(13));
    assert_eq!(goal("11 11 .."), Goal::BigAt(2));
    assert_eq!(goal("11... 11... ....."), Goal::BigAt(6));
    assert_eq!(goal("11.... 11.... ...... ......"), Goal::BigAt(14));
    assert!(matches!(goal("11. 11. / .11 .11"), Goal::Board(_)));
}

#[test]
fn the_size_is_within_bounds() {
    assert_faults("", &["1:1: expected a board in symbols or digits, found nothing"]);
    assert_faults(" \n\n", &["1:1: expected a board in symbols or digits, found nothing"]);
    assert_faults("<>22\n\n22<>\n", &["1:1: expected at least 2 rows of 2 cells, found 1 row of 4 cells"]);
    assert_faults("^\nv\n2\n\n2\n^\nv", &["1:1: expected at least 2 rows of 2 cells, found 3 rows of 1 cell"]);
    assert_faults(
        "\n1122....\n1122....\n........\n........\n........\n........\n",
        &["2:1: expected at most 42 cells, found 6 rows of 8 cells"],
    );
}

#[test]
fn rows_are_of_one_length_and_in_one_alphabet() {
    assert_faults(
        "11..\n11.\n.....\n....",
        &["2:4: expected 4 cells as in the first row, found 3", "3:5: expected 4 cells as in the first row, found 5"],
    );
    assert_faults(
        "11x.\n11..\n.3..\n",
        &[
            "1:3: expected '.', '1', '2', '<', '>', '^' or 'v', found 'x'",
            "3:2: expected '.', '1', '2', '<', '>', '^' or 'v', found '3'",
        ],
    );
    assert_faults("2113\n2113\n4665\n4775\n7.07", &["5:2: expected a digit, found '.'"]);
    assert_faults(
        "1 1 \t.\n1 1 \u{7}\n",
        &["2:5: expected '.', '1', '2', '<', '>', '^' or 'v', found character U+0007"],
    );
}

#[test]
fn dominoes_have_two_halves() {
    assert_faults(
        "11<.\n11<>\n^>.<\n^..v\nv...",
        &[
            "1:3: expected '>' to the right of '<', found '.'",
            "3:1: expected 'v' below '^', found '^'",
            "3:2: expected '<' to the left of '>', found '^'",
            "3:4: expected '>' to the right of '<', found the edge of the board",
            "4:4: expected '^' above 'v', found '<'",
        ],
    );
    assert_faults(
        "v11\n.11\n..^",
        &[
            "1:1: expected '^' above 'v', found the edge of the board",
            "3:3: expected 'v' below '^', found the edge of the board",
        ],
    );
    assert_faults(
        "3110\n0113\n0000\n4440\n0005",
        &[
            "1:1: expected a second '3' beside it, found none",
            "2:4: expected a second '3' beside it, found none",
            "4:1: expected a domino of two cells, found 3 with '4'",
            "5:4: expected a second '5' beside it, found none",
        ],
    );
}

#[test]
fn incomplete_pieces_beside_unreadable_cells_are_not_reported() {
    let unknown = "expected '.', '1', '2', '<', '>', '^' or 'v', found";
    assert_faults(
        "11..\n1x..\n<x..\n..^.\n..x.",
        &[&format!("2:2: {unknown} 'x'"), &format!("3:2: {unknown} 'x'"), &format!("5:3: {unknown} 'x'")],
    );
    assert_faults(
        "1133\n1104\n00x0\n003x",
        &[
            "2:4: expected a second '4' beside it, found none",
            "3:3: expected a digit, found 'x'",
            "4:4: expected a digit, found 'x'",
        ],
    );
}

#[test]
fn the_2x2_piece_is_one_and_whole() {
    let outside = |count| format!("expected '1' in squares of 2 by 2 cells, found {count} outside of one");
    assert_faults("11.\n1..\n...", &[&format!("1:1: {}", outside(3))]);
    assert_faults("11.\n11.\n1..\n..1", &[&format!("3:1: {}", outside(1)), &format!("4:3: {}", outside(1))]);
    assert_faults("111\n111\n.2.", &[&format!("1:3: {}", outside(2))]);
    assert_faults("22\n..\n", &["1:1: expected a 2x2 piece, or a goal board below the start, found neither"]);
    assert_faults("700\n330\n", &["1:1: expected a 2x2 piece, or a goal board below the start, found neither"]);
    assert_faults("1111\n1111\n....", &["1:3: expected one 2x2 piece, found a second (the first is at 1:1)"]);
}

#[test]
fn the_goal_is_a_board_of_the_same_pieces() {
    assert_faults("11.\n11.\n\n11.\n", &["4:1: expected 2 rows of 3 cells as in the start, found 1 row of 3 cells"]);
    assert_faults(
        "112\n112\n<>.\n\n11^\n11v\n2.2\n\n...\n...",
        &["9:1: expected a start and a goal at the most, found another board"],
    );
}

#[test]
fn a_goal_of_other_pieces_is_out_of_reach() {
    for (text, note) in [
        ("112\n112\n<>.\n\n11^\n11v\n2..\n", "1 single, not 2; 0 lying dominoes, not 1; 1 standing domino, not 0"),
        ("1111\n1111\n....\n\n11..\n11..\n....\n", "1 2x2 piece, not 2"),
        ("11.\n11.\n\n...\n.2.\n", "1 single, not 0; 0 2x2 pieces, not 1"),
    ] {
        let klotski = puzzle::<u64>(text);
        assert_eq!(klotski.solvable(&klotski.start), Some(false), "{text}");
        assert_eq!(klotski.note(), Some(format!("the goal has other pieces than the start: {note}")), "{text}");
        // The searches prove the same.
        for heuristic in ["zero", "manhattan", "blockers", "without-singles"] {
            let heuristic = klotski.heuristic(heuristic).expect("the card lists it");
            let mut search = astar(&klotski, klotski.start, &heuristic, TieBreak::Fifo, &Limits::default());
            assert_eq!(run(&mut *search, &Limits::default(), &mut ()).outcome, Outcome::Unsolvable, "{text}");
        }
        assert_eq!(klotski.goals(), Some(Vec::new()), "{text}");
    }
    let same = puzzle::<u64>("11.\n11.\n\n.11\n.11\n");
    assert_eq!((same.solvable(&same.start), same.note()), (None, None));
}

#[test]
fn options_are_applied_or_refused() {
    struct FirstStep;
    impl WithPuzzle for FirstStep {
        type Out = String;
        fn call<P: Puzzle>(self, puzzle: P) -> String {
            let start = puzzle.start();
            let first = puzzle.moves(&start).into_iter().next().expect("there is a step");
            puzzle.move_name(&start, first)
        }
    }
    const BOARD: &str = "...\n.2.\n...\n11.\n11.\n";
    let open = |order: Option<&str>| {
        let options = ReadOptions { move_order: order.map(String::from), ..ReadOptions::default() };
        KlotskiBoards::open(BOARD, &options, FirstStep).map_err(|faults| faults.to_string())
    };
    assert_eq!(open(None).as_deref(), Ok("(1,1) up"));
    assert_eq!(open(Some("right,down,left,up")).as_deref(), Ok("(1,1) right"));
    assert_eq!(open(Some("down,up,left,right")).as_deref(), Ok("(1,1) down"));
    assert!(open(Some("up,down")).is_err_and(|message| message.contains("--move-order")));
    let with_goal = ReadOptions { goal: Some("blank-first".into()), ..ReadOptions::default() };
    let faults = crate::entry().open(BOARD, &with_goal).err().expect("the option is refused");
    assert!(faults.to_string().contains("--goal"), "{faults}");
}

#[test]
fn boards_are_recognised_even_with_faults() {
    for text in [
        "2113\n2113\n4665\n4775\n7007\n",
        "2113\n211\n4665\n",
        "2 1 1 3\n2 1 1 3\n4 6 6 5\n4 7 7 5\n7 0 0 7",
        "^11^\nv11v\n^<>^\nv22v\n2..2\n",
        "^ 1 1 ^\nv 1 1 v\n",
        "^11^\nv11x\n",
        "11..\n11..\n....\n",
        "1 1 .\n1 1 .\n",
        "1122\n1122\n",
        "22.\n...\n\n.22\n...\n",
        "<>22\n",
    ] {
        assert!(KlotskiBoards::recognises(text), "{text}");
    }
    for text in [
        "",
        "S..\n.*G\n",
        "...\n.*.\n",
        "1 2 3\n4 5 6\n7 8 0\n",
        "1 2 3\n1 5 6\n7 8 0\n",
        "1 1 3\n4 5 6\n7 8 0\n",
        "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n",
        "1 2 3 4 5 6 7 8 0",
        "1\n2\n3\n0\n",
        "12345678",
        "{\"colour\": \"red\", \"pieces\": [[0,0]], \"blocks\": []}",
        "{\"colour\": \"blue\", \"pieces\": [[1.5,0]]}",
    ] {
        assert!(!KlotskiBoards::recognises(text), "{text}");
    }
}

#[test]
fn random_boards_are_read_back() {
    for seed in 0..50 {
        let klotski = puzzle::<u64>(&random_board((5, 4), 2, seed));
        assert_eq!(klotski.frame.empty(&klotski.start).count_ones(), 2);
    }
    assert_ne!(random_board((5, 4), 2, 1), random_board((5, 4), 2, 2));
    assert_eq!(random_board((2, 2), 0, 1), "11\n11\n");
    let generated = |parameters: Parameters| {
        entry().generate(&parameters, &mut ChaCha8Rng::seed_from_u64(1)).map_err(|ParameterError(why)| why)
    };
    assert!(generated(Parameters::default()).is_ok());
    for (name, setting, why) in [
        ("size", Setting::Size(1, 4), "a board needs at least two rows and two columns"),
        ("size", Setting::Size(7, 7), "a board has at most 42 cells"),
        ("size", Setting::Size(usize::MAX, 2), "a board has at most 42 cells"),
        ("empties", Setting::Count(39), "the number of empty cells lies between 0 and 38"),
        ("empties", Setting::Count(17), "a 2x2 piece leaves room for at most 16 empty cells"),
        ("size", Setting::Size(2, 2), "a 2x2 piece leaves room for at most 0 empty cells"),
    ] {
        assert_eq!(generated(Parameters::from([(name, setting)])), Err(why.into()));
    }
}
