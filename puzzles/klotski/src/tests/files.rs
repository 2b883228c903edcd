//! The files of the courses, named layouts, solutions and the referee.

use std::fs;
use std::path::Path;

use admissible::search::{Astar, Stats};

use super::*;
use admissible_front::puzzle::Illegal;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");

/// A file of the collection, if present.
fn data(name: &str) -> Option<String> {
    let path = Path::new(DATA).join(name);
    let text = fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("skipped: there is no {}", path.display());
    }
    text
}

/// The results of a solved file.
struct Solved {
    cost: Option<u32>,
    moves: Option<u64>,
    fewest_moves: Option<u64>,
    course: String,
}

/// Solves a puzzle, and checks its course output with the reader and the referee.
struct RoundTrip;

impl WithPuzzle for RoundTrip {
    type Out = Solved;

    fn call<P: Puzzle>(self, puzzle: P) -> Solved {
        let heuristic = puzzle.heuristic(puzzle.advice().heuristic).expect("the advice names a heuristic");
        let report = Astar::new(&puzzle, &heuristic).solve(puzzle.start());
        let run = CourseRun { heuristic: "", outcome: &report.outcome, stats: &Stats::default(), visited: &[] };
        let course = puzzle.course(&run);
        let claim = puzzle.read_solution(&course).expect("course output can be read");
        let Some(solution) = report.outcome.solution() else {
            assert_eq!(claim, Claim::Unsolvable);
            return Solved { cost: None, moves: None, fewest_moves: None, course };
        };
        let mut state = puzzle.start();
        let mut names = Vec::new();
        let mut states = vec![puzzle.state_json(&state)];
        for &m in &solution.moves {
            names.push(puzzle.move_name(&state, m));
            puzzle.apply(&mut state, m);
            states.push(puzzle.state_json(&state));
        }
        assert_eq!(puzzle.referee().replay(&names), Ok(states));
        assert_eq!(puzzle.read_solution(&names.join("\n")), Ok(Claim::Actions(names.clone())));
        assert_eq!(claim, Claim::Actions(names));
        let extras = puzzle.solution_extras(&solution.moves);
        let extra = |wanted: &str| extras.iter().find(|(name, _)| *name == wanted).map(|&(_, value)| value);
        Solved { cost: Some(solution.cost), moves: extra("moves"), fewest_moves: extra("fewest_moves"), course }
    }
}

fn round_trip(text: &str) -> Solved {
    KlotskiBoards::open(text, &ReadOptions::default(), RoundTrip).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

#[test]
fn the_course_files_have_their_known_costs() {
    let Some(index) = data("klotski_course/INDEX.md") else { return };
    let mut files = 0;
    for line in index.lines().filter(|line| line.contains(".txt") && !line.contains(".expected")) {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, _, cost, ..] = columns[..] else { continue };
        let text = data(&format!("klotski_course/{name}")).expect("the index lists existing files");
        assert!(KlotskiBoards::recognises(&text), "{name}");
        let cost = if cost == "no solution" || cost.starts_with("no solution ") {
            None
        } else {
            Some(cost.split(' ').next().and_then(|cost| cost.parse().ok()).expect("the index gives a cost"))
        };
        assert_eq!(round_trip(&text).cost, cost, "{name}");
        files += 1;
    }
    assert!(files > 30, "the index was read");
}

#[test]
fn the_course_output_is_that_of_the_courses() {
    for (name, expected) in [
        ("gen1_sample0", "expected_astar"),
        ("gen1_sample1", "expected_astar"),
        ("gen1_sample2", "expected_astar"),
        ("gen2_easy1", "expected_astar"),
        ("gen3_easy1", "expected"),
        ("gen3_easy2", "expected"),
    ] {
        let Some(text) = data(&format!("klotski_course/{name}.txt")) else { return };
        let expected = data(&format!("klotski_course/{name}.{expected}.txt")).expect("it comes with the file");
        assert_eq!(round_trip(&text).course, expected, "{name}");
    }
}

#[test]
fn a_supplied_solution_of_359_steps_is_accepted() {
    let Some(text) = data("klotski_course/gen3_hard1.txt") else { return };
    let solution = data("klotski_course/gen3_hard1.expected_astar.txt").expect("it comes with the file");
    let klotski = puzzle::<u64>(&text);
    let Ok(Claim::Actions(actions)) = klotski.read_solution(&solution) else { panic!("the boards are steps apart") };
    assert_eq!(klotski.referee().replay(&actions).map(|states| states.len()), Ok(360));
}

#[test]
fn named_layouts_take_their_known_steps() {
    let Some(text) = data("klotski/named.txt") else { return };
    let layouts: Vec<&str> = text.split("# ").filter(|layout| !layout.is_empty()).collect();
    assert_eq!(layouts.len(), text.lines().count() / 6);
    for layout in layouts {
        let (head, board) = layout.split_once('\n').expect("a board follows its name");
        let [name, steps, moves] = head.split(' ').collect::<Vec<_>>()[..] else { panic!("{head}") };
        let solved = round_trip(board);
        assert_eq!(solved.cost, steps.parse().ok(), "{name}");
        // A solution with the fewest steps may have more than the fewest moves.
        assert!(solved.moves >= moves.parse().ok(), "{name}");
        assert_eq!(solved.fewest_moves, moves.parse().ok(), "{name}");
    }
}

#[test]
fn solutions_are_read_in_every_format() {
    let klotski = puzzle::<u64>("700\n110\n110\n000\n");
    let actions = |steps: &[&str]| Ok(Claim::Actions(steps.iter().map(|step| (*step).to_string()).collect()));
    let steps = ["(1,0) down"];
    for text in [
        "Cost of the solution: 1\n400\n110\n110\n000\n\n400\n000\n110\n110\n\n",
        "Cost of the solution: 1\r\n\r\n400\r\n110\r\n110\r\n000\r\n\r\n400\r\n000\r\n110\r\n110",
        "400\n110\n110\n000\n\n400\n000\n110\n110\n",
        "2..\n11.\n11.\n...\n\n2..\n...\n11.\n11.\n",
        "(1,0) down\n",
        " ( 1 , 0 ) Down",
    ] {
        assert_eq!(klotski.read_solution(text), actions(&steps), "{text}");
    }
    let (start, goal) = ("2..\n11.\n11.\n...\n", "2..\n...\n11.\n11.\n");
    for text in [
        format!("Initial state:\n{start}\nSolution:\n{start}\n{goal}"),
        format!("Initial state:\n{start}\nStep 1: (1,0) down\n{goal}"),
        format!("Initial state:\n{start}Step 1:\n{goal}-----\n"),
        format!("Initial state:\n\n{start}\nGoal state:\n\n{goal}\nCost of the solution: 1\n\n{start}\n{goal}"),
        format!("# heuristic: manhattan\n{start}\n{goal}"),
    ] {
        assert_eq!(klotski.read_solution(&text), actions(&steps), "{text}");
    }
    assert_eq!(klotski.read_solution(&format!("Initial state:\n{start}\nNo solution\n")), Ok(Claim::Unsolvable));
    assert_eq!(klotski.read_solution(""), actions(&[]));
    assert_eq!(klotski.read_solution("no solution\n"), Ok(Claim::Unsolvable));
    let pairs = puzzle::<u64>("2233\n4511\n4511\n0000\n");
    assert_eq!(
        pairs.read_solution("2222\n3311\n3311\n0000\n\n2222\n3011\n3311\n0300"),
        actions(&["(1,1) down"]),
        "dominoes of one kind are distinguished"
    );
}

#[test]
fn faults_of_solutions_are_reported_with_their_place() {
    let klotski = puzzle::<u64>("2..\n11.\n11.\n...\n");
    for (text, message) in [
        ("2..\n...\n11.\n11.\n", "1:1: expected the start, found another board"),
        ("Cost of the solution: 3\n2..\n11.\n11.\n...\n", "1:23: expected 0, the steps between the boards, found '3'"),
        ("(1,0) down\n(1,0) sideways\n", "2:1: expected a step like (3,1) down, found '(1,0) sideways'"),
        (
            "Stopped at the node limit\n",
            "1:1: expected the boards from the start to the goal, steps like (3,1) down, or 'No solution', found none",
        ),
        (
            "Initial state:\n2..\n11.\n11.\n...\n\n2..\n...\n11.\n11.\n\n2..\n11.\n11.\n...\nNo solution\n",
            "16:1: expected 'No solution' with at most the start and the goal above it, found more boards",
        ),
    ] {
        assert_eq!(klotski.read_solution(text).map_err(|faults| faults.to_string()), Err(message.into()), "{text}");
    }
    for second in ["2..\n...\n...\n11.\n", ".2.\n...\n11.\n11.\n", "2..\n11.\n11.\n...\n", "2..\n...\n11.\n"] {
        let reason = "the board at line 6 is not one step from the one before".to_string();
        let broken = Claim::Broken { actions: 1, illegal: Illegal { step: 1, reason } };
        assert_eq!(klotski.read_solution(&format!("2..\n11.\n11.\n...\n\n{second}")), Ok(broken), "{second}");
    }
    // Half a domino in the digits of the output is not completed.
    let digits = puzzle::<u64>("3311\n0011\n0000");
    assert!(digits.read_solution("2211\n0011\n0000\n").is_ok());
    assert!(digits.read_solution("2011\n0011\n0000\n").is_err());
}

#[test]
fn the_referee_refuses_illegal_solutions() {
    let referee = puzzle::<u64>("<>.\n112\n11.\n...\n").referee();
    let judge = |steps: &[&str]| {
        let actions: Vec<String> = steps.iter().map(|step| (*step).to_string()).collect();
        referee.replay(&actions).map(|states| states.len()).map_err(|illegal| (illegal.step, illegal.reason))
    };
    let illegal = |step: usize, reason: &str| Err((step, reason.to_string()));
    assert_eq!(judge(&["(1,0) down"]), Ok(2));
    assert_eq!(judge(&["(0,0) right", "(1,0) down"]), Ok(3));
    assert_eq!(judge(&[]), illegal(1, "the 2x2 piece does not end at row 2, column 0"));
    assert_eq!(judge(&["(0,0) down"]), illegal(1, "(0,0) down runs into another piece"));
    assert_eq!(judge(&["(1,0) left"]), illegal(1, "(1,0) left leaves the board"));
    assert_eq!(judge(&["(1,0) down", "(0,0) up"]), illegal(2, "(0,0) up leaves the board"));
    assert_eq!(judge(&["(1,1) down"]), illegal(1, "no piece has its upper left cell at row 1, column 1"));
    assert_eq!(judge(&["(9,9) down"]), illegal(1, "no piece has its upper left cell at row 9, column 9"));
    assert_eq!(judge(&["down"]), illegal(1, "'down' is not a step like (3,1) down"));
    let referee = puzzle::<u64>("2.\n..\n\n.2\n..\n").referee();
    assert_eq!(referee.replay(&[]).map_err(|illegal| illegal.reason), Err("the last board is not the goal".into()));
    assert!(referee.replay(&["(0,0) right".into()]).is_ok());
}

#[test]
fn drawings_show_every_piece_as_a_box() {
    let klotski = puzzle::<u64>(&file(CLASSIC));
    let coloured = klotski.draw(&klotski.start);
    assert!(coloured.contains("\u{1b}[41m"), "the 2x2 piece is red");
    let plain: String =
        coloured.split('\u{1b}').map(|part| part.split_once('m').map_or(part, |(_, rest)| rest)).collect();
    let expected = "\
┌───┬───────┬───┐
│   │       │   │
│   │       │   │
│   │       │   │
├───┼───────┼───┤
│   │       │   │
│   ├───┬───┤   │
│   │   │   │   │
├───┼───┴───┼───┤
│   │ ·   · │   │
└───┴┄┄┄┄┄┄┄┴───┘
";
    assert_eq!(plain, expected);
}
