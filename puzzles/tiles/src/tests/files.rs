//! Files, solutions and the referee.

use admissible::search::{Outcome, Report, Stats, Stop};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::*;
use admissible_front::puzzle::Illegal;

/// The faults of a file.
fn faults(text: &str, goal: Option<&str>, move_order: Option<&str>) -> Option<String> {
    let options = ReadOptions {
        goal: goal.map(String::from),
        move_order: move_order.map(String::from),
        ..ReadOptions::default()
    };
    SlidingTiles::open(text, &options, Erase).err().map(|faults| faults.to_string())
}

#[test]
fn line_ends_and_blanks_do_not_matter() {
    let plain = format!("{:?}", open("1 2 3\n4 0 5\n7 8 6\n", None));
    for text in [
        "1 2 3\n4 0 5\n7 8 6",
        "1 2 3\r\n4 0 5\r\n7 8 6\r\n",
        "1 2 3\r4 0 5\r7 8 6\r",
        "\u{feff}1 2 3\n4 0 5\n7 8 6\n",
        " 1  2  3 \n\t4\t0\t5\t\n 7 8 6   \n",
        "\n\n1 2 3\n4 0 5\n7 8 6\n \n\n",
        "1 2 3 4 0 5 7 8 6\n",
        "1 2 3 4 0 5 7 8 6",
        "01 02 03\n04 00 05\n07 08 06\n",
        "1 2 3\n4 0 5\n7 8 6\n\n1 2 3\n4 5 6\n7 8 0\n",
        "1 2 3\n4 0 5\n7 8 6\n\n1 2 3 4 5 6 7 8 0",
    ] {
        assert!(SlidingTiles::recognises(text), "{text:?}");
        assert_eq!(format!("{:?}", open(text, None)), plain, "{text:?}");
    }
}

#[test]
fn boards_of_every_size_are_read() {
    struct Read;

    impl WithPuzzle for Read {
        type Out = (Value, Option<bool>);

        fn call<P: Puzzle>(self, puzzle: P) -> Self::Out {
            (puzzle.state_json(&puzzle.start()), puzzle.solvable(&puzzle.start()))
        }
    }

    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 8), (4, 4), (3, 6), (5, 5), (2, 13), (6, 6), (5, 8), (20, 2)] {
        let size = Parameters::from([("size", Setting::Size(rows, columns))]);
        let text = entry().generate(&size, &mut ChaCha8Rng::seed_from_u64(1)).expect("there are such boards");
        let numbers: Vec<u8> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        assert_eq!(numbers.len(), rows * columns);
        let read = SlidingTiles::open(&text, &ReadOptions::default(), Read);
        assert_eq!(read, Ok((json!(numbers), Some(true))), "{text}");
    }
}

#[test]
fn the_goal_is_in_the_option_or_in_the_file() {
    let goal = |text: &str, goal: Option<&str>| {
        let space = open(text, goal);
        space.list(&space.goal)
    };
    assert_eq!(goal("1 2\n0 3\n", None), [1, 2, 3, 0]);
    assert_eq!(goal("1 2\n0 3\n", Some("blank-last")), [1, 2, 3, 0]);
    assert_eq!(goal("1 2\n0 3\n", Some("blank-first")), [0, 1, 2, 3]);
    assert_eq!(goal("1 2\n0 3\n\n3 2\n1 0\n", None), [3, 2, 1, 0]);
}

#[test]
fn every_fault_is_reported_with_its_place() {
    for (text, expected) in [
        ("", "1:1: expected a board of numbers, 0 for the gap, found nothing"),
        ("\r\n \r\n", "1:1: expected a board of numbers, 0 for the gap, found nothing"),
        ("0", "1:1: expected a board of at least 2 x 2, found 1 x 1"),
        ("0 1 2\n", "1:1: expected a board of at least 2 x 2, found 1 x 3"),
        ("0\n1\n", "1:1: expected a board of at least 2 x 2, found 2 x 1"),
        (
            "1 2 3\n4 x 5\n7 8 6\n",
            "2:3: expected a number from 0 to 8, found 'x'\n3:6: expected every number once, missing 0",
        ),
        (
            "1 2 3\r\n4 -5 9\r\n7 8 0",
            "2:3: expected a number from 0 to 8, found '-5'\n2:6: expected a number from 0 to 8, found '9'\n\
             3:6: expected every number once, missing 5, 6",
        ),
        (
            "1 2 3\n\u{e9}\u{e9} 1 5\n7 8 99999999999999999999",
            "2:1: expected a number from 0 to 8, found '\u{e9}\u{e9}'\n\
             2:4: expected every number once, found 1 again (first at 1:1)\n\
             3:5: expected a number from 0 to 8, found '99999999999999999999'\n\
             3:25: expected every number once, missing 0, 4, 6",
        ),
        (
            "1 2 3\n4 5\n6 7 0 8\n",
            "2:4: expected 3 numbers as in the first row, found 2\n\
             3:7: expected 3 numbers as in the first row, found 4",
        ),
        (
            "1 2\n0 3\n\n1 2\n3 0\n\n0 1\n2 3\n",
            "7:1: expected at most two boards (start, empty line, goal), found a third",
        ),
        ("1 2\n0 3\n\n1 2 3\n4 5 0\n", "4:1: expected a goal of 2 x 2 like the start, found 2 x 3"),
        (
            "1 2\n0 3\n\n1 1\n3 0\n",
            "4:3: expected every number once, found 1 again (first at 4:1)\n5:4: expected every number once, missing 2",
        ),
    ] {
        assert_eq!(faults(text, None, None).as_deref(), Some(expected), "{text:?}");
    }
    let large: String = (0..42).map(|tile| format!("{tile}{}", if tile % 6 == 5 { "\n" } else { " " })).collect();
    let expected = "1:1: expected a board of at most 40 cells, found 42";
    assert_eq!(faults(&large, None, None).as_deref(), Some(expected));
}

#[test]
fn invalid_options_are_refused() {
    for (text, goal, move_order, expected) in [
        ("1 2\n0 3", Some("corner"), None, "0:0: --goal: expected blank-first or blank-last, found 'corner'"),
        ("1 2\n0 3\n\n0 1\n2 3", Some("blank-first"), None, "0:0: --goal: the file has a goal of its own"),
        (
            "1 2\n0 3",
            None,
            Some("UP,DOWN"),
            "0:0: --move-order: expected each of DOWN,RIGHT,LEFT,UP once, found 'UP,DOWN'",
        ),
    ] {
        assert_eq!(faults(text, goal, move_order).as_deref(), Some(expected));
    }
}

#[test]
fn the_move_order_option_orders_the_slides() {
    let words = |move_order: Option<&str>| {
        let options = ReadOptions { move_order: move_order.map(String::from), ..ReadOptions::default() };
        let puzzle = SlidingTiles::open("1 2 3\n4 0 5\n7 8 6\n", &options, Erase).expect("the board has no faults");
        let space: Tiles<u64> = *puzzle.downcast().expect("it fits into 64 bits");
        space.moves(&space.start).map(|m| space.move_name(&space.start, m)).collect::<Vec<_>>()
    };
    assert_eq!(words(None), SlidingTiles::CARD.moves);
    assert_eq!(words(Some("up,left,DOWN,Right")), ["UP", "LEFT", "DOWN", "RIGHT"]);
}

fn course(space: &Tiles<u64>, outcome: &Outcome<Slide>) -> String {
    space.course(&CourseRun { heuristic: "linear-conflict", outcome, stats: &Stats::default(), visited: &[] })
}

#[test]
fn course_output_is_read_back_and_passes_the_referee() {
    let limits = Limits::default();
    for trial in trials_of_3x3(501) {
        let space = &trial.puzzle;
        let heuristic = LinearConflict::new(space, &space.goal);
        let Report { outcome, .. } = run(&mut *idastar(space, space.start, &heuristic, &limits), &limits, &mut ());
        let Ok(Claim::Actions(actions)) = space.read_solution(&course(space, &outcome)) else {
            panic!("{}: the course output is not read as a solution", trial.label);
        };
        assert_eq!(Some(actions.len() as u32), trial.optimum, "{}", trial.label);
        let states = space.referee().replay(&actions).expect("the solution is legal");
        assert_eq!((&states[0], states.len()), (&json!(space.list(&space.start)), actions.len() + 1));
        assert_eq!(states.last(), Some(&json!(space.list(&space.goal))));
    }
    let example = open("2 3 6\n1 5 8\n4 7 0\n", None);
    let heuristic = Manhattan::new(&example, &example.goal);
    let outcome = run(&mut *idastar(&example, example.start, &heuristic, &limits), &limits, &mut ()).outcome;
    assert_eq!(course(&example, &outcome), "DOWN\nDOWN\nRIGHT\nRIGHT\nUP\nUP\nLEFT\nLEFT\n");
}

#[test]
fn an_outcome_without_solution_is_one_word() {
    let space = open("1 2\n3 0\n", None);
    assert_eq!(course(&space, &Outcome::Unsolvable), "UNSOLVABLE\n");
    assert_eq!(course(&space, &Outcome::Stopped { why: Stop::Time, lower_bound: 7 }), "UNSOLVED\n");
    assert_eq!(space.read_solution("UNSOLVABLE\n"), Ok(Claim::Unsolvable));
    assert_eq!(space.read_solution(""), Ok(Claim::Actions(Vec::new())));
    let words = ["LEFT", "UP", "RIGHT", "DOWN"].map(String::from).to_vec();
    assert_eq!(space.read_solution("['LEFT', 'up',\r\n'Right',]\rDOWN"), Ok(Claim::Actions(words)));
    for (text, expected) in [
        ("LEFT\n UP FORTH\n", "2:5: expected LEFT, RIGHT, UP, DOWN or UNSOLVABLE, found 'FORTH'"),
        ("UNSOLVABLE\nUNSOLVABLE\n", "2:1: expected UNSOLVABLE once, found it again (first at line 1)"),
        ("UNSOLVABLE\nUP\n", "2:1: expected UNSOLVABLE to stand alone, found moves beside it"),
        ("UP\nUNSOLVABLE\n", "2:1: expected UNSOLVABLE to stand alone, found moves beside it"),
        ("3 2\n1 0\n", "1:1: expected the start, found another board"),
    ] {
        assert_eq!(space.read_solution(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn logs_of_boards_are_read() {
    let space = open("1 2 3\n4 0 6\n7 5 8\n", None);
    let actions = |words: &[&str]| Ok(Claim::Actions(words.iter().map(|&word| word.into()).collect()));
    let (start, second, goal) = ("1 2 3\n4 0 6\n7 5 8\n", "1 2 3\n4 5 6\n7 0 8\n", "1 2 3\n4 5 6\n7 8 0\n");
    for text in [
        format!("Initial state:\n{start}\n{second}\n{goal}"),
        format!("{start}{second}{goal}"),
        format!("Initial state:\n{start}\nMove 1: UP\n{second}\nMove 2: LEFT\n{goal}"),
        format!("Initial state:\n{start}Solution:\n{start}\n{second}\n{goal}Goal reached in 2 moves.\n"),
        format!("Initial state:\n{start}\nSolution:\nUP\nLEFT\n"),
        format!("Initial state:\n{start}\nMoves: up, left\n"),
        format!("Initial state:\n{start}\nGoal state:\n{goal}\nMoves: up, left\n"),
        format!("Initial state:\n{start}\nGoal state:\n{goal}\nSolution:\n{start}\n{second}\n{goal}"),
        format!("Initial state:\n{start}\nGoal state:\n{goal}\nSolution:\n{second}\n{goal}"),
    ] {
        assert_eq!(space.read_solution(&text), actions(&["UP", "LEFT"]), "{text}");
    }
    let text = format!("Initial state:\n{start}\nUNSOLVABLE\n");
    assert_eq!(space.read_solution(&text), Ok(Claim::Unsolvable));
    for wrong in [goal, "1 2 3\n4 0 6\n", "1 2 3\n4 5 6\n7 8 0 9\n", "2 1 3\n4 5 6\n7 0 8\n"] {
        let reason = "the board at line 5 is not one move from the one before".into();
        let broken = Claim::Broken { actions: 1, illegal: Illegal { step: 1, reason } };
        assert_eq!(space.read_solution(&format!("{start}\n{wrong}")), Ok(broken), "{wrong}");
    }
}

#[test]
fn boards_are_read_in_every_notation() {
    let plain = format!("{:?}", open("1 2 3\n4 0 5\n7 8 6\n", None));
    for text in [
        "1,2,3\n4,0,5\n7,8,6\n",
        "1, 2, 3,\n4, 0, 5,\n7, 8, 6\n",
        "1;2;3\n4;0;5\n7;8;6\n",
        "| 1 | 2 | 3 |\n| 4 | 0 | 5 |\n| 7 | 8 | 6 |\n",
        "[[1,2,3],[4,0,5],[7,8,6]]\n",
        "[[1, 2, 3],\n [4, 0, 5],\n [7, 8, 6]]\n",
        "[['1','2','3'],['4','0','5'],['7','8','6']]",
        "(1, 2, 3, 4, 0, 5, 7, 8, 6)",
        "((1, 2, 3), (4, 0, 5), (7, 8, 6))",
        "[1 2 3 4 0 5 7 8 6]",
        "1 2 3/4 0 5/7 8 6",
        "1,2,3,4,0,5,7,8,6",
        "123405786\n",
        "123/405/786",
        "123\n405\n786\n",
        "1234_5786",
        "123/4_5/786",
        "1 2 3\n4 _ 5\n7 8 6\n",
        "[[1,2,3],[4,_,5],[7,8,6]]",
        "3\n1 2 3\n4 0 5\n7 8 6\n",
        "3\n 1  2  3 \n 4  0  5 \n 7  8  6 \n\n",
        "3\n\n1 2 3\n4 0 5\n7 8 6\n",
        "3\n123\n405\n786\n",
        "3\n1 2 3 4 0 5 7 8 6\n",
        "123405786\n\n123456780\n",
        "[[1,2,3],[4,0,5],[7,8,6]]\n\n[[1,2,3],[4,5,6],[7,8,0]]\n",
        "3\n1 2 3\n4 0 5\n7 8 6\n\n3\n1 2 3\n4 5 6\n7 8 0\n",
        "3 3\n1 2 3\n4 0 5\n7 8 6\n",
        "3 3\n123\n4_5\n786\n",
        "123 405 786\n",
    ] {
        assert!(SlidingTiles::recognises(text), "{text:?}");
        assert_eq!(faults(text, None, None), None, "{text:?}");
        assert_eq!(format!("{:?}", open(text, None)), plain, "{text:?}");
    }
    assert_eq!(format!("{:?}", open("10/23", None)), format!("{:?}", open("1 0\n2 3\n", None)));
    assert_eq!(format!("{:?}", open("10\n23", None)), format!("{:?}", open("1 0\n2 3\n", None)));
}

#[test]
fn faults_in_every_notation_have_their_place() {
    for (text, expected) in [
        ("[[1,2,3],[4,5,6],[7,8,9]]", "1:23: expected a number from 0 to 8, found '9'"),
        ("123/456/788", "1:11: expected every number once, found 8 again (first at 1:10)"),
        ("4\n1 2 3\n4 5 6\n7 8 0\n", "1:1: expected the number of rows below (3), or no size, found '4'"),
        ("1,2,3\n4,,5\n7,8,6\n", "2:5: expected 3 numbers as in the first row, found 2 (the gap is 0 or _)"),
        ("1-2-3\n4-5-6\n7-8-0\n", "1:1: expected a board of at least 2 x 2, found 3 x 1"),
        ("1 2-3\n4 0", "1:3: expected a number from 0 to 3, found '2-3' (blanks or commas separate numbers)"),
        (
            "123456789ABCDEF0",
            "1:1: expected numbers with blanks or commas between them (1 2 3 ...), found '123456789ABCDEF0'",
        ),
        ("3 3\n1 2 3\n4 5 6\n7 8 8\n", "4:5: expected every number once, found 8 again (first at 4:3)"),
        ("123 456 788", "1:1: expected a board of at least 2 x 2, found 1 x 3"),
        ("1 2 3\n4 _ 0\n", "2:5: expected every number once, found 0 again (first at 2:3)"),
    ] {
        assert!(SlidingTiles::recognises(text), "{text:?}");
        let found = faults(text, None, None).expect("the board has a fault");
        assert_eq!(found.lines().next(), Some(expected), "{text:?}");
    }
    for text in ["^11^\nv11v\n", "2222\n7711\n0011\n", "hello, world", "{\"colour\": \"red\"}", "S.\n.G\n", "7", "3"] {
        assert!(!SlidingTiles::recognises(text), "{text:?}");
    }
}

#[test]
fn the_referee_refuses_illegal_solutions() {
    let space = open("1 2 3\n4 5 6\n7 0 8\n", None);
    for (actions, step, reason) in [
        ("UP", 1, "no tile can move UP into the gap at row 2, column 1"),
        ("RIGHT RIGHT", 2, "no tile can move RIGHT into the gap at row 2, column 0"),
        ("LEFT LEFT", 2, "no tile can move LEFT into the gap at row 2, column 2"),
        ("DOWN DOWN DOWN", 3, "no tile can move DOWN into the gap at row 0, column 1"),
        ("DOWN left", 2, "'left' is not one of LEFT, RIGHT, UP and DOWN"),
        ("DOWN", 2, "the last board is not the goal"),
        ("", 1, "the last board is not the goal"),
    ] {
        let actions: Vec<String> = actions.split_whitespace().map(String::from).collect();
        let expected = Illegal { step, reason: reason.into() };
        assert_eq!(space.referee().replay(&actions), Err(expected), "{actions:?}");
    }
    assert_eq!(space.referee().replay(&["LEFT".into()]).map(|states| states.len()), Ok(2));
}
