//! Files, solutions and the referee.

use std::ops::ControlFlow;

use admissible::search::{Visit, run_traced};

use super::*;
use admissible_front::puzzle::Illegal;

#[test]
fn line_ends_and_blanks_do_not_matter() {
    let plain = format!("{:?}", open("S.*\n..G\n"));
    for text in [
        "S.*\n..G",
        "S.*\r\n..G\r\n",
        "S.*\r..G\r",
        "S.*\n..G\n\r",
        "\u{feff}S.*\n..G\n",
        "S . *\n. . G\n",
        "\tS.*  \n  .\t.G \t\n",
        "\n \nS.*\n..G\n\n\n",
    ] {
        assert!(DieMazes::recognises(text), "{text:?}");
        assert_eq!(format!("{:?}", open(text)), plain, "{text:?}");
    }
}

#[test]
fn every_fault_is_reported_with_its_place() {
    for (text, expected) in [
        ("", "1:1: expected rows of 'S', 'G', '.' and '*', found nothing"),
        (" \n\t\n", "1:1: expected rows of 'S', 'G', '.' and '*', found nothing"),
        (
            "\n..\n..",
            "2:1: expected one start 'S' in the maze, found none\n2:1: expected one goal 'G' in the maze, found none",
        ),
        ("S.\n.s", "1:1: expected one goal 'G' in the maze, found none\n2:2: expected 'S', 'G', '.' or '*', found 's'"),
        ("S \u{7}G", "1:3: expected 'S', 'G', '.' or '*', found character U+0007"),
        ("S.\r\n\r\n.G", "2:1: expected the next row of the maze, found an empty line"),
        (
            "S.\n. .\u{e9}\n.G*",
            "2:4: expected 'S', 'G', '.' or '*', found '\u{e9}'\n\
             2:4: expected 2 cells as in the first row, found 3\n\
             3:3: expected 2 cells as in the first row, found 3",
        ),
        ("S.\n.  \nG.", "2:2: expected 2 cells as in the first row, found 1"),
        (
            "SG\rS.\r.G\rGS",
            "2:1: expected one start 'S', found a second (the first is at 1:1)\n\
             3:2: expected one goal 'G', found a second (the first is at 1:2)\n\
             4:1: expected one goal 'G', found a second (the first is at 1:2)\n\
             4:2: expected one start 'S', found a second (the first is at 1:1)",
        ),
    ] {
        assert_eq!(Layout::read(text).err().map(|faults| faults.to_string()).as_deref(), Some(expected), "{text:?}");
    }
}

#[test]
fn the_move_order_option_orders_the_rolls() {
    struct Rolls;

    impl WithPuzzle for Rolls {
        type Out = String;

        fn call<P: Puzzle>(self, puzzle: P) -> String {
            puzzle.moves(&puzzle.start()).into_iter().map(|m| puzzle.move_name(&puzzle.start(), m)).collect()
        }
    }

    const MAZE: &str = "...\n.S.\n..G\n";
    let rolls = |move_order: Option<&str>| {
        let options = ReadOptions { move_order: move_order.map(String::from), ..ReadOptions::default() };
        DieMazes::open(MAZE, &options, Rolls).map_err(|faults| faults.to_string())
    };
    assert_eq!(rolls(None), Ok(DieMazes::CARD.moves.concat()));
    assert_eq!(rolls(Some("wnse")), Ok("WNSE".into()));
    assert_eq!(rolls(Some("N,E,W,S")), Ok("NEWS".into()));
    assert_eq!(rolls(Some("NEW")), Err("0:0: --move-order: expected each of NESW once, found 'NEW'".into()));
    let with_goal = ReadOptions { goal: Some("corner".into()), ..ReadOptions::default() };
    let faults = crate::entry().open(MAZE, &with_goal).err().expect("the option is refused");
    assert_eq!(faults.to_string(), "0:0: --goal: a die maze has its goal in the file");
}

/// The course output of an A* search.
fn course(maze: &Maze) -> (String, Outcome<Direction>) {
    let heuristic = OpenBoard::new(maze, maze.goal);
    let mut search = astar(maze, maze.start(), &heuristic, TieBreak::Fifo, &Limits::default());
    let mut visited: Vec<Visit<u32>> = Vec::new();
    let report = run_traced(&mut *search, &Limits::default(), &mut (), &mut |visit, _| {
        visited.push(visit);
        ControlFlow::Continue(())
    });
    let Report { outcome, stats } = &report;
    (maze.course(&CourseRun { heuristic: "open-board", outcome, stats, visited: &visited }), report.outcome)
}

#[test]
fn course_output_is_read_back_and_passes_the_referee() {
    let (text, _) = course(&open(".S\n.G\n"));
    let expected = "\
Heuristic: open-board
Visited states:
    1. row 0, column 1, north 2, up 1, start
    2. row 0, column 0, north 2, up 3, west
    3. row 1, column 0, north 4, up 2, south
    4. row 1, column 1, north 4, up 1, east
Nodes generated: 6
Nodes visited: 4
Moves in the solution: 3
Solution:
    0. row 0, column 1, north 2, up 1, start
    1. row 0, column 0, north 2, up 3, west
    2. row 1, column 0, north 4, up 2, south
    3. row 1, column 1, north 4, up 1, east
Rolls: W S E
";
    assert_eq!(text, expected);
    for seed in 0..200 {
        let maze = open(&random_maze(seed, 2..=9));
        let (text, outcome) = course(&maze);
        let claim = maze.read_solution(&text);
        let Some(solution) = outcome.solution() else {
            assert_eq!(claim, Ok(Claim::Unsolvable), "seed {seed}");
            continue;
        };
        let Ok(Claim::Actions(rolls)) = claim else { panic!("seed {seed}: {claim:?}\n{text}") };
        let mut here = maze.start();
        let mut states = vec![maze.state_json(&here)];
        for &direction in &solution.moves {
            maze.apply(&mut here, direction);
            states.push(maze.state_json(&here));
        }
        assert_eq!(maze.referee().replay(&rolls), Ok(states), "seed {seed}");
        // The list of states says the same.
        let (listed, _) = text.split_once("Rolls:").expect("the last line");
        assert_eq!(maze.read_solution(listed), Ok(Claim::Actions(rolls)), "seed {seed}");
    }
}

#[test]
fn solutions_are_read_as_letters_or_words() {
    let maze = open(".S\n.G\n");
    let actions = |rolls: &str| Ok(Claim::Actions(rolls.chars().map(String::from).collect()));
    assert_eq!(maze.read_solution("E, S; [west]\r\nNorth\n"), actions("ESWN"));
    assert_eq!(maze.read_solution(""), actions(""));
    assert_eq!(maze.read_solution("  no Solution\n"), Ok(Claim::Unsolvable));
    let faults = maze.read_solution("E S\n  W up\n").unwrap_err();
    assert_eq!(faults.to_string(), "2:5: expected a roll (N, E, S or W), found 'up'");
}

#[test]
fn the_last_section_is_the_claim_and_the_others_must_be_legal() {
    let maze = open(".S\n.G\n");
    let last = Claim::Actions(vec!["S".into()]);
    assert_eq!(maze.read_solution("Rolls: W S E\nHeuristic: zero\nRolls: S\n"), Ok(last));
    let reason = "rolling E leaves the maze (in the section that ends at line 2)".into();
    let broken = Claim::Broken { actions: 2, illegal: Illegal { step: 1, reason } };
    assert_eq!(maze.read_solution("Heuristic: zero\nRolls: E S\nRolls: W S E\n"), Ok(broken));
}

#[test]
fn a_list_of_states_is_read_and_every_step_is_checked() {
    let maze = open(".S\n.G\n");
    let list = |places: &[(u8, u8)]| -> String {
        let state = |(at, (row, column)): (usize, &(u8, u8))| format!("{at:>5}. row {row}, column {column}, up 1, x\n");
        let states: String = places.iter().enumerate().map(state).collect();
        format!("Heuristic: zero\nVisited states:\n    1. row 1, column 1, up 1, x\nSolution:\n{states}")
    };
    let rolls = |rolls: &str| Ok(Claim::Actions(rolls.chars().map(String::from).collect()));
    let right = list(&[(0, 1), (0, 0), (1, 0), (1, 1)]);
    assert_eq!(maze.read_solution(&right), rolls("WSE"));
    assert_eq!(maze.read_solution(&right.repeat(2)), rolls("WSE"));
    assert_eq!(maze.read_solution(&list(&[(0, 1), (1, 1)])), rolls("S"));
    let reason = "the die at line 6 is not one roll from the one before".into();
    let broken = Claim::Broken { actions: 1, illegal: Illegal { step: 1, reason } };
    assert_eq!(maze.read_solution(&list(&[(0, 1), (1, 0)])), Ok(broken));
    // The rolls do not hide a list that is wrong.
    let forged = format!("{}Rolls: W S E\n", list(&[(0, 1), (1, 1)]));
    assert!(matches!(maze.read_solution(&forged), Ok(Claim::Broken { actions: 1, .. })));
    let elsewhere = maze.read_solution(&list(&[(0, 0), (1, 0)])).unwrap_err();
    assert!(elsewhere.to_string().starts_with("5:1: expected the die at the start"), "{elsewhere}");
    let none = maze.read_solution(&list(&[])).unwrap_err();
    assert!(none.to_string().contains("states after 'Solution:'"), "{none}");
}

#[test]
fn logs_of_other_programs_are_read() {
    let maze = open(".S\n.G\n");
    let actions = |rolls: &str| Ok(Claim::Actions(rolls.chars().map(String::from).collect()));
    let state = "Position: (1, 0)\nNorth side: 2\nFacing side: 1 \n\n";
    let visited = format!("Manhattan distance\n=====\n------ Visited States ------\n{state}Going  left\n{state}");
    let counts = "------ Results ------\nStates generated:  4\nStates visited: 2\n\n";
    let path = |rolls: &[&str]| -> String {
        let moves: String = rolls.iter().map(|roll| format!("Move {roll} to:\n{state}")).collect();
        format!("------ Solution ------\nStarting at:\n{state}{moves}Goal!\n\n")
    };
    let solved = format!("{visited}{counts}{}", path(&["left", "down", "right"]));
    assert_eq!(maze.read_solution(&solved), actions("WSE"));
    assert_eq!(maze.read_solution(&solved.repeat(3)), actions("WSE"));
    assert_eq!(maze.read_solution(&format!("{visited}{counts}No solution\n\n").repeat(2)), Ok(Claim::Unsolvable));
    let wrong = format!("{visited}{counts}{}{solved}", path(&["right"]));
    assert!(matches!(maze.read_solution(&wrong), Ok(Claim::Broken { actions: 1, .. })));
    let mixed = maze.read_solution(&format!("{solved}{visited}{counts}No solution\n")).unwrap_err();
    assert!(mixed.to_string().contains("expected sections that agree"), "{mixed}");
    let without = maze.read_solution(&format!("{visited}{counts}")).unwrap_err();
    assert!(without.to_string().starts_with("3:1: expected a log with a solution"), "{without}");

    let faces = "TopFace: 1   NorthFace: 2   EastFace: 3\nBotFace: 6   SouthFace: 5   WestFace: 4\n\n";
    let boards = |boards: &[&str]| -> String { boards.iter().map(|board| format!("{board}{faces}")).collect() };
    let walk = boards(&[". D \n. G \n", "D S \n. G \n", ". S \nD G \n", ". S \n. D \n"]);
    let solved = format!("Heuristic Function: manhattan\n{walk}\nLength: 3\nNumber Visited  : 4\n");
    assert_eq!(maze.read_solution(&solved), actions("WSE"));
    assert_eq!(maze.read_solution(&solved.repeat(2)), actions("WSE"));
    assert_eq!(maze.read_solution("Initial state:\n.D\n.G\n\nDS\n.G\n\n.S\nDG\n\n.S\n.D\n"), actions("WSE"));
    let none = format!("Heuristic Function: zero\n{}No Solution\nNumber Visited  : 3\n", boards(&[". D\n. G\n"]));
    assert_eq!(maze.read_solution(&none), Ok(Claim::Unsolvable));
    let jump = boards(&[". D\n. G\n", ". S\nD G\n"]);
    let reason = "the die at line 7 is not one roll from the one before".into();
    let broken = Claim::Broken { actions: 1, illegal: Illegal { step: 1, reason } };
    assert_eq!(maze.read_solution(&jump), Ok(broken));
    let elsewhere = maze.read_solution(&boards(&["D S\n. G\n"])).unwrap_err();
    assert!(elsewhere.to_string().starts_with("1:1: expected the die at the start"), "{elsewhere}");
}

#[test]
fn the_referee_refuses_illegal_solutions() {
    let maze = open("S..G\n.*..\n....\n");
    for (rolls, step, reason) in [
        ("E north", 2, "'north' is not one of N, E, S and W"),
        ("N", 1, "rolling N leaves the maze"),
        ("S W", 2, "rolling W leaves the maze"),
        ("S E", 2, "rolling E runs into an obstacle"),
        ("E E", 2, "rolling E brings the 6 up"),
        ("E W", 3, "the die does not end on the goal"),
        ("", 1, "the die does not end on the goal"),
    ] {
        let rolls: Vec<String> = rolls.split_whitespace().map(String::from).collect();
        let expected = Illegal { step, reason: reason.into() };
        assert_eq!(maze.referee().replay(&rolls), Err(expected), "{rolls:?}");
    }
    let beside = open("SG\n");
    let expected = Illegal { step: 2, reason: "the die does not end with the 1 up".into() };
    assert_eq!(beside.referee().replay(&["E".into()]), Err(expected));
}

#[test]
fn a_typo_does_not_hide_a_maze() {
    for text in ["S.1G\n....\n", "S.v\n..G\n", "S..G\n..x.\n", "....\n....\n"] {
        assert!(DieMazes::recognises(text), "{text}");
    }
    for text in ["^11^\nv11v\n....\n", "1 2\n3 0\n", "11..\n11..\n....\n", "{\"colour\": \"red\"}"] {
        assert!(!DieMazes::recognises(text), "{text}");
    }
}
