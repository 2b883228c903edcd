//! Every file of the data folder: its puzzle is recognised, and the default plan finds the known cost.

use std::fs;
use std::path::PathBuf;

use admissible_front::{Answer, AnswerOutcome, Plan, ReadOptions, SolvedAnswer, Task};
use admissible_puzzles::PUZZLES;

/// Slow instances, each in a test of its own.
const SLOW: [&str; 2] = ["tiles/misc_b_4x4_inGG.txt", "tiles/rand_a_4x4_input_6.txt"];

/// The known answer of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Cost(u32),
    Unsolvable,
    /// Only a lower bound.
    Open,
}

/// A row of an index.
struct Row {
    file: String,
    known: Known,
}

fn read(path: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    let text = fs::read_to_string(&path);
    if text.is_err() {
        println!("skipped: {} does not exist", path.display());
    }
    text.ok()
}

/// The rows of a folder's index that have a cost; none if the folder does not exist.
fn index(folder: &str) -> Vec<Row> {
    let text = read(&format!("{folder}/INDEX.md")).unwrap_or_default();
    let cells = text.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let rows = cells.filter(|cells| cells.len() > 4 && cells[1].contains('.')).filter_map(|cells| {
        let (file, cost) = (format!("{folder}/{}", cells[1]), cells[3]);
        let known = match cost.split(' ').next()? {
            "" => return None,
            "no" | "UNSOLVABLE" => Known::Unsolvable,
            bound if bound.starts_with(">=") => Known::Open,
            number => Known::Cost(number.parse().unwrap_or_else(|_| panic!("{file}: {cost} is no cost"))),
        };
        Some(Row { file, known })
    });
    let rows: Vec<Row> = rows.collect();
    assert!(text.is_empty() || !rows.is_empty(), "the index of {folder} has a table");
    rows
}

fn solve(name: &str, puzzle: &str, text: &str) -> (Task, Answer) {
    let task = PUZZLES.open(text, None, &ReadOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let answer = task.solve(&Plan::default(), &mut (), None).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(answer.puzzle, puzzle, "{name}");
    (task, answer)
}

/// Solves an instance, compares its cost and returns the solution.
fn check(name: &str, puzzle: &str, text: &str, known: Known) -> Option<SolvedAnswer> {
    let (_, answer) = solve(name, puzzle, text);
    match answer.outcome {
        AnswerOutcome::Solved(solved) => {
            assert_eq!(Known::Cost(solved.cost), known, "{name}");
            assert_eq!(solved.guarantee_text(), "optimal", "{name}");
            assert_eq!((solved.actions.len(), solved.states.len() - 1), (solved.cost as usize, solved.cost as usize));
            Some(solved)
        }
        AnswerOutcome::Unsolvable { .. } => {
            assert_eq!(known, Known::Unsolvable, "{name}");
            None
        }
        AnswerOutcome::Stopped { why, .. } => panic!("{name}: {why:?}"),
    }
}

/// Checks the files of a folder that `wanted` accepts.
fn check_folder(folder: &str, puzzle: &str, wanted: impl Fn(&str) -> bool) {
    let (mut checked, mut open) = (0, 0);
    for Row { file, known } in index(folder).into_iter().filter(|row| wanted(&row.file)) {
        if known == Known::Open {
            open += 1;
        } else {
            check(&file, puzzle, &read(&file).expect("the file is in the index"), known);
            checked += 1;
        }
    }
    println!("{folder}: {checked} files checked, {open} skipped because only a lower bound is known");
}

#[test]
fn die_mazes_have_their_known_costs() {
    check_folder("die", "die", |_| true);
}

#[test]
fn chexers_boards_have_their_known_costs() {
    check_folder("chexers", "chexers", |_| true);
}

#[test]
fn klotski_boards_of_the_course_have_their_known_costs() {
    check_folder("klotski_course", "klotski", |file| !file.contains(".expected"));
}

#[test]
fn tile_boards_have_their_known_costs() {
    check_folder("tiles", "tiles", |file| !SLOW.contains(&file));
}

#[test]
fn a_tile_board_of_78_moves_has_its_known_cost() {
    check_folder("tiles", "tiles", |file| file == SLOW[0]);
}

#[test]
fn a_tile_board_of_59_moves_has_its_known_cost() {
    check_folder("tiles", "tiles", |file| file == SLOW[1]);
}

#[test]
fn named_klotski_boards_have_their_known_costs() {
    let text = read("klotski/named.txt").unwrap_or_default();
    let mut checked = 0;
    for entry in text.split("# ").skip(1) {
        let (head, board) = entry.split_once('\n').expect("a board follows its name");
        let [name, steps, moves] = head.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("expected a name and two counts, found {head}");
        };
        let known = steps.parse().map_or(Known::Unsolvable, Known::Cost);
        if let Some(solved) = check(name, "klotski", board, known) {
            // A solution with the fewest steps may have more moves than one with the fewest moves, but not fewer.
            let ours = solved.extras.iter().find(|(extra, _)| *extra == "moves").expect("klotski counts moves").1;
            let least: u64 = moves.parse().expect("a solvable board has both counts");
            assert!((least..=u64::from(solved.cost)).contains(&ours), "{name}: {ours} moves");
        }
        checked += 1;
    }
    println!("klotski/named.txt: {checked} boards checked");
}

#[test]
fn solutions_that_the_course_supplies_are_legal_and_shortest() {
    let rows = read("klotski_course/INDEX.md").unwrap_or_default();
    let files = rows.lines().filter_map(|line| line.split('|').nth(1).map(str::trim));
    let mut checked = 0;
    for file in files.filter(|file| file.contains(".expected")) {
        let (board, _) = file.split_once(".expected").expect("it was filtered by that");
        let [board, claim] = [format!("{board}.txt"), file.into()]
            .map(|file: String| read(&format!("klotski_course/{file}")).expect("the file is in the index"));
        let (task, ours) = solve(file, "klotski", &board);
        let verdict = task.verify(&claim, &Plan::default(), &mut ()).expect("the plan can be carried out");
        let verdict = verdict.unwrap_or_else(|faults| panic!("{file}: {faults}"));
        assert_eq!(verdict.holds(), Some(true), "{file}: {:?}", verdict.illegal);
        let least = match ours.outcome {
            AnswerOutcome::Solved(solved) => Some(solved.cost),
            _ => None,
        };
        assert_eq!((verdict.claimed, verdict.is_shortest()), (least, least.map(|_| true)), "{file}");
        checked += 1;
    }
    println!("klotski_course: {checked} solutions checked");
}
