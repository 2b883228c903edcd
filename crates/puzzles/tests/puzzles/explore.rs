//! Whole spaces, atlases and boards of a chosen difficulty, through the registry.

use std::fs;
use std::path::Path;

use admissible_front::{
    AnswerOutcome, Difficulty, Direction, Exploration, ExploreError, ExplorePlan, HardPlan, Parameters, Plan,
    ReadOptions, Setting, Store, generate_hard,
};
use admissible_oracle::{chexers, die, klotski, tiles};
use admissible_puzzles::PUZZLES;
use serde_json::Value;

const CLASSIC: &str = "^11^\nv11v\n^<>^\nv22v\n2..2\n";
const MAZE: &str = "G*..\n....\n....\n..S.\n";
const BOARD: &str = r#"{"colour": "red", "pieces": [[0,0],[-1,0]], "blocks": [[1,0],[2,-1]]}"#;
const TILES: &str = "8 6 7\n2 5 4\n3 0 1\n";

fn plan() -> ExplorePlan {
    ExplorePlan { threads: 2, drawn: 2, ..ExplorePlan::default() }
}

fn explore(text: &str, plan: &ExplorePlan) -> Result<Exploration, ExploreError> {
    PUZZLES.open(text, None, &ReadOptions::default()).expect("it can be read").explore(plan, &())
}

fn backward(text: &str) -> Exploration {
    explore(text, &ExplorePlan { direction: Some(Direction::Backward), ..plan() }).expect("it fits")
}

/// The number of states at each distance.
fn histogram(distances: impl Iterator<Item = u32>) -> Vec<u64> {
    let mut depths = Vec::new();
    for distance in distances {
        depths.resize(depths.len().max(distance as usize + 1), 0);
        depths[distance as usize] += 1;
    }
    depths
}

#[test]
fn small_spaces_agree_with_brute_force() {
    let rows: Vec<&str> = MAZE.lines().collect();
    assert_eq!(backward(MAZE).depths, histogram(die::distances(&rows).into_values()));
    let goal: Vec<u8> = (1..9).chain([0]).collect();
    assert_eq!(backward(TILES).depths, histogram(tiles::distances(3, 3, &goal).into_values()));
    let blocks = [(1, 0), (2, -1)];
    assert_eq!(backward(BOARD).depths, histogram(chexers::distances("red", &blocks, 2).into_values()));
    let start: Vec<String> = CLASSIC.lines().map(String::from).collect();
    let forward = explore(CLASSIC, &plan()).expect("it fits");
    assert_eq!(forward.depths, histogram(klotski::component(&start).into_values()));
    assert_eq!((forward.goals, forward.moves), (964, 83_896));
}

#[test]
fn json_is_what_the_contract_says() {
    let json = backward(TILES).json();
    let keys: Vec<&String> = json.as_object().expect("an object").keys().collect();
    assert_eq!(keys[..7], ["puzzle", "direction", "states", "goals", "max_depth", "depths", "farthest"]);
    assert_eq!((&json["puzzle"], &json["direction"]), (&Value::from("tiles"), &Value::from("backward")));
    assert_eq!((&json["states"], &json["goals"], &json["max_depth"]), (&181_440.into(), &1.into(), &31.into()));
    assert_eq!(json["farthest"], serde_json::json!([[6, 4, 7, 8, 5, 0, 3, 2, 1], [8, 6, 7, 2, 5, 4, 3, 0, 1]]));
    let depths = json["depths"].as_array().expect("a list");
    assert_eq!((depths.len(), &depths[31]), (32, &Value::from(2)));
}

#[test]
fn a_space_that_does_not_fit_is_refused_with_its_size() {
    let error = |text: &str, most| {
        let plan = ExplorePlan { most_bytes: Some(most), direction: Some(Direction::Backward), ..plan() };
        explore(text, &plan).expect_err("that is too little").to_string()
    };
    assert_eq!(
        error(TILES, 10_000),
        "every 3 x 3 board that leads to the goal: \
         181,440 states would take 89.4 KiB of memory, and 9.8 KiB is the limit"
    );
    assert!(error("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n", 1 << 30).contains("4.8 TiB of memory"));
    assert!(error(CLASSIC, 10_000).contains("every board that the start can reach: more than "));
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let folder = tempfile::tempdir().expect("the disk has room");
    let save = Some(Store::at(folder.path()).atlases());
    let forward = Some(Direction::Forward);
    let odd = "<>^\n..v\n\n..^\n<>v\n";
    for (text, plan, expected) in [
        (MAZE, ExplorePlan { save: save.clone(), direction: forward, ..plan() }, "not those from a start"),
        (odd, ExplorePlan { save: save.clone(), ..plan() }, "the states have no numbers"),
        (MAZE, ExplorePlan { scope: Some("all".into()), ..plan() }, "unknown scope 'all', expected maze"),
        (CLASSIC, ExplorePlan { scope: Some("none".into()), ..plan() }, "unknown scope 'none'"),
        (odd, ExplorePlan { scope: Some("set".into()), ..plan() }, "is for boards of 4 x 5 cells"),
        (
            TILES,
            ExplorePlan { parameters: Parameters::from([("size", Setting::Size(3, 3))]), ..plan() },
            "the file says that",
        ),
    ] {
        let error = explore(text, &plan).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
    let unread = |name: &str, plan: ExplorePlan| {
        PUZZLES.entry(name).expect("a puzzle").explore(&plan, &ReadOptions::default(), &()).expect_err("no").to_string()
    };
    assert!(unread("die", plan()).contains("takes a file"));
    assert!(unread("tiles", ExplorePlan { direction: forward, ..plan() }).contains("only a file has a start"));
    let pieces = Parameters::from([("pieces", Setting::Count(2))]);
    assert!(
        unread("tiles", ExplorePlan { parameters: pieces, ..plan() }).contains("--pieces: tiles has no use for it")
    );
    assert_eq!(fs::read_dir(folder.path()).expect("the folder exists").count(), 0, "refused explorations save nothing");
}

/// The cost, the algorithm or `atlas`, and the notes.
fn solve(text: &str, options: &ReadOptions, store: &Store) -> (Option<u32>, &'static str, Vec<String>) {
    let task = PUZZLES.open(text, None, options).expect("it can be read");
    let plan = Plan { atlases: Some(store.clone()), ..Plan::default() };
    let answer = task.solve(&plan, &mut (), None).expect("the referee agrees");
    let cost = match answer.outcome {
        AnswerOutcome::Solved(solved) => {
            assert_eq!(solved.guarantee_text(), "optimal", "{text}");
            Some(solved.cost)
        }
        AnswerOutcome::Unsolvable { .. } => None,
        AnswerOutcome::Stopped { why, .. } => panic!("{text}: {why:?}"),
    };
    (cost, answer.algorithm, answer.notes)
}

#[test]
fn an_atlas_gives_the_answers_of_a_search() {
    let folder = tempfile::tempdir().expect("the disk has room");
    let store = Store::at(folder.path()).atlases();
    let by_moves = ReadOptions { metric: Some("moves".into()), ..ReadOptions::default() };
    let closed_in = "S*G\n.*.\n.*.\n";
    let cases = [
        (MAZE, ReadOptions::default()),
        (TILES, ReadOptions::default()),
        (CLASSIC, ReadOptions::default()),
        (CLASSIC, by_moves),
        (BOARD, ReadOptions::default()),
        (closed_in, ReadOptions::default()),
        ("1 2 3\n4 5 6\n8 7 0\n", ReadOptions::default()),
    ];
    for (text, options) in cases {
        let (expected, searched, _) = solve(text, &options, &store);
        let parity = searched == "astar" && text.starts_with("1 2 3");
        assert_ne!(searched, "atlas", "{text}");
        let task = PUZZLES.open(text, None, &options).expect("it can be read");
        task.explore(&ExplorePlan { save: Some(store.clone()), ..plan() }, &()).expect("it fits");
        let (found, by, notes) = solve(text, &options, &store);
        assert_eq!((found, notes), (expected, vec![]), "{text}");
        assert_eq!(by == "atlas", !parity, "{text}: by {by}");
    }
    // An atlas knows every start: fewer pieces, another layout, another goal that has its gap in the same place.
    for (text, expected) in [
        (
            r#"{"colour": "red", "pieces": [[0,0]], "blocks": [[1,0],[2,-1]]}"#,
            chexers::cost("red", &[(0, 0)], &[(1, 0), (2, -1)]),
        ),
        ("^11^\nv11v\n^<>^\nv2.v\n22.2\n", None),
        ("8 6 7\n2 5 4\n3 0 1\n\n3 1 2\n4 5 6\n7 8 0\n", None),
        ("G*..\nS...\n....\n....\n", die::cost(&["G*..", "S...", "....", "...."])),
    ] {
        let searched = {
            let task = PUZZLES.open(text, None, &ReadOptions::default()).expect("it can be read");
            let answer = task.solve(&Plan::default(), &mut (), None).expect("the referee agrees");
            match answer.outcome {
                AnswerOutcome::Solved(solved) => Some(solved.cost),
                _ => None,
            }
        };
        let (found, by, _) = solve(text, &ReadOptions::default(), &store);
        assert_eq!((found, by), (searched, "atlas"), "{text}");
        assert!(expected.is_none() || found == expected, "{text}");
    }
    // A plan that names an algorithm or a heuristic does not use the atlas.
    let task = PUZZLES.open(TILES, None, &ReadOptions::default()).expect("it can be read");
    let plan = Plan { atlases: Some(store), heuristic: Some("manhattan".into()), ..Plan::default() };
    assert_eq!(task.solve(&plan, &mut (), None).expect("it can be solved").algorithm, "astar");
}

#[test]
fn a_damaged_atlas_is_refused_with_a_reason_and_written_anew() {
    let folder = tempfile::tempdir().expect("the disk has room");
    let store = Store::at(folder.path()).atlases();
    let keep = || {
        explore(TILES, &ExplorePlan { save: Some(store.clone()), ..plan() }).expect("it fits");
    };
    keep();
    let file = store.file("tiles-3x3-gap8");
    let good = fs::read(&file).expect("it was kept");
    let spoil = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        fs::write(&file, bytes).expect("the disk has room");
    };
    let refused = |expected: &str| {
        let (cost, by, notes) = solve(TILES, &ReadOptions::default(), &store);
        assert_eq!((cost, by), (Some(31), "astar"), "a search answers instead");
        assert!(notes.len() == 1 && notes[0].contains(expected), "{notes:?}");
    };
    spoil(&|bytes| bytes.truncate(100));
    refused("it is cut off after 100 bytes");
    spoil(&|bytes| bytes.truncate(bytes.len() - 1));
    refused("it is cut off: it should have ");
    spoil(&|bytes| bytes.push(0));
    refused("it goes on after its end: it should have ");
    spoil(&|bytes| bytes[30] ^= 1);
    refused("it is damaged in its header");
    spoil(&|bytes| bytes[0] = b'x');
    refused("this is no atlas of ours");
    spoil(&|bytes| bytes[..8].copy_from_slice(b"admissbl"));
    refused("this is a table, not an atlas");
    spoil(&|bytes| bytes[8] = 0);
    refused("an older version of this program wrote it (format 0, and this one reads 1)");
    spoil(&|bytes| bytes[8] = 9);
    refused("a newer version of this program wrote it (format 9, and this one reads 1)");
    let header = good.len() - 45_360;
    spoil(&|bytes| bytes[header..].iter_mut().for_each(|byte| *byte ^= 0x55));
    refused("it is damaged in block");
    // Whole, and of another space.
    explore("1 2\n3 0\n", &ExplorePlan { save: Some(store.clone()), ..plan() }).expect("it fits");
    fs::copy(store.file("tiles-2x2-gap3"), &file).expect("the disk has room");
    refused("it holds 'tiles-2x2-gap3'");
    keep();
    assert_eq!(solve(TILES, &ReadOptions::default(), &store), (Some(31), "atlas", vec![]));
    let names: Vec<_> =
        fs::read_dir(folder.path()).expect("the folder exists").map(|entry| entry.expect("a file").path()).collect();
    assert_eq!(names.len(), 2, "no temporary file is left: {names:?}");
}

fn hard(
    puzzle: &str,
    parameters: &Parameters,
    difficulty: Difficulty,
    metric: Option<&str>,
    seed: u64,
) -> (String, u32) {
    let reading = ReadOptions { metric: metric.map(String::from), ..ReadOptions::default() };
    let plan = HardPlan { difficulty, seed, reading: reading.clone(), threads: 2, most_bytes: None, atlases: None };
    let entry = PUZZLES.entry(puzzle).expect("the registry has the puzzle");
    let found =
        generate_hard(entry, parameters, &plan, &mut (), &()).unwrap_or_else(|error| panic!("{puzzle}: {error}"));
    assert_eq!(found.least, found.most, "{puzzle}");
    let nowhere = Store::at(Path::new("/nowhere"));
    let (cost, ..) = solve(&found.text, &reading, &nowhere);
    assert_eq!(cost, Some(found.least), "{puzzle}: a search disagrees\n{}", found.text);
    (found.text, found.least)
}

#[test]
fn boards_have_the_requested_difficulty() {
    let any = Parameters::default();
    let three = Parameters::from([("size", Setting::Size(3, 3))]);
    for seed in 0..3 {
        for (puzzle, parameters, metric, length) in [
            ("tiles", &three, None, 22),
            ("tiles", &any, None, 30),
            ("die", &any, None, 12),
            ("klotski", &any, None, 40),
            ("klotski", &any, Some("moves"), 25),
            ("chexers", &any, None, 14),
        ] {
            let exactly = Difficulty::Between(length, length);
            let (text, found) = hard(puzzle, parameters, exactly, metric, seed);
            assert_eq!(found, length, "{puzzle}");
            assert_eq!(hard(puzzle, parameters, exactly, metric, seed).0, text, "the same seed, the same {puzzle}");
            let (_, found) = hard(puzzle, parameters, Difficulty::Between(length - 3, length), metric, seed);
            assert!((length - 3..=length).contains(&found), "{puzzle}: {found}");
        }
    }
}

#[test]
fn the_hardest_board_is_the_hardest() {
    let three = Parameters::from([("size", Setting::Size(3, 3))]);
    assert_eq!(hard("tiles", &three, Difficulty::Hardest, None, 1).1, 31);
    let small = Parameters::from([("size", Setting::Size(4, 4)), ("density", Setting::Share(0.0))]);
    let (maze, length) = hard("die", &small, Difficulty::Hardest, None, 1);
    // No start on the same board takes longer.
    let open_board = maze.replace('S', ".");
    let longest = (0..open_board.len()).filter(|&at| &open_board[at..=at] == ".").map(|at| {
        let moved = format!("{}S{}", &open_board[..at], &open_board[at + 1..]);
        die::cost(&moved.lines().collect::<Vec<_>>())
    });
    assert_eq!(longest.max().flatten(), Some(length));
    let two = Parameters::from([("pieces", Setting::Count(2))]);
    let longest =
        chexers::distances("red", &[], 2).into_iter().filter(|(pieces, _)| pieces.len() == 2).map(|(_, d)| d).max();
    assert_eq!(Some(hard("chexers", &two, Difficulty::Hardest, None, 1).1), longest);
    let plan = HardPlan {
        difficulty: Difficulty::Hardest,
        seed: 1,
        reading: ReadOptions::default(),
        threads: 1,
        most_bytes: Some(1 << 30),
        atlases: None,
    };
    let four = Parameters::from([("size", Setting::Size(4, 4))]);
    let tiles = PUZZLES.entry("tiles").expect("the registry has the puzzle");
    let error = generate_hard(tiles, &four, &plan, &mut (), &()).expect_err("there are too many boards");
    assert!(error.to_string().contains("4.8 TiB"), "{error}");
}
