//! The instances that ship with the project cost what the table of their README says, by the default plan and, where
//! the space is small enough, by brute force.

use std::fs;
use std::path::{Path, PathBuf};

use admissible_front::{AnswerOutcome, Plan, ReadOptions, classics};
use admissible_oracle::{chexers, die, klotski, tiles};
use admissible_puzzles::PUZZLES;
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances")
}

fn read(file: &str) -> String {
    fs::read_to_string(folder().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The rows of the table: file and cost, `None` for no solution.
fn table() -> Vec<(String, Option<u32>)> {
    let text = read("README.md");
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, file, cost, ..] = cells[..] else { return None };
        let cost = if cost == "no solution" { None } else { Some(cost.parse().ok()?) };
        Some((file.to_string(), cost))
    });
    rows.collect()
}

/// The cost of an instance by the default plan, which must prove it optimal.
fn solved(name: &str, text: &str, options: &ReadOptions) -> Option<u32> {
    let task = PUZZLES.open(text, None, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let answer = task.solve(&Plan::default(), &mut (), None).unwrap_or_else(|error| panic!("{name}: {error}"));
    match answer.outcome {
        AnswerOutcome::Solved(solved) => {
            assert_eq!(solved.guarantee_text(), "optimal", "{name}");
            Some(solved.cost)
        }
        AnswerOutcome::Unsolvable { .. } => None,
        AnswerOutcome::Stopped { why, .. } => panic!("{name}: {why:?}"),
    }
}

#[test]
fn every_file_is_in_the_table_with_its_cost() {
    let table = table();
    assert!(table.len() >= 25, "the table was read");
    for (file, cost) in &table {
        assert_eq!(solved(file, &read(file), &ReadOptions::default()), *cost, "{file}");
    }
    let listed = |file: &str| table.iter().any(|(name, _)| name == file);
    for card in PUZZLES.cards() {
        // A puzzle lists its instances in the table once it has a link here.
        let Ok(files) = fs::read_dir(folder().join(card.name)) else { continue };
        for entry in files {
            let file = format!("{}/{}", card.name, entry.expect("an entry").file_name().display());
            let collection = ["korf100.txt", "korf100_nodes.txt", "korf50.txt", "classics.txt"]
                .iter()
                .any(|name| file.ends_with(name));
            assert!(collection || listed(&file), "{file} is not in the table");
        }
    }
}

#[test]
fn the_examples_of_a_card_are_files_of_its_folder() {
    for card in PUZZLES.cards() {
        for example in card.examples {
            assert_eq!(read(&format!("../puzzles/{}/instances/{}", card.name, example.file)), example.text);
        }
    }
}

#[test]
fn brute_force_agrees_with_the_table() {
    let goal: Vec<u8> = (1..9).chain([0]).collect();
    let three_by_three = tiles::distances(3, 3, &goal);
    for (file, cost) in table() {
        let text = read(&file);
        let rows: Vec<String> = text.lines().map(|line| line.replace([' ', '\r'], "")).collect();
        let by_force = match file.split('/').next().expect("a folder") {
            "die" => die::cost(&rows.iter().map(String::as_str).collect::<Vec<_>>()),
            "tiles" if file.ends_with("_3x3.txt") && !file.contains("own_goal") => {
                let board: Vec<u8> = text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
                three_by_three.get(&board).copied()
            }
            "klotski" if !file.contains("digits") && !file.contains("tall") => {
                let mut boards = rows.split(String::is_empty);
                klotski::cost(boards.next().expect("a start"), boards.next().filter(|goal| !goal.is_empty()))
            }
            "chexers" if !file.contains("eight") => {
                let board: Value = serde_json::from_str(&text).expect("JSON");
                let hexes = |key: &str| -> Vec<(i8, i8)> {
                    serde_json::from_value(board[key].clone()).expect("a list of hexes")
                };
                chexers::cost(board["colour"].as_str().expect("a colour"), &hexes("pieces"), &hexes("blocks"))
            }
            _ => continue,
        };
        assert_eq!(by_force, cost, "{file}");
    }
}

#[test]
fn easy_instances_of_korf_have_their_published_costs() {
    let options = ReadOptions { goal: Some("blank-first".into()), ..ReadOptions::default() };
    let text = read("tiles/korf100.txt");
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.splitn(3, ' ').skip(1);
        let length: u32 = words.next().and_then(|word| word.parse().ok()).expect("the length comes second");
        if length <= 46 {
            assert_eq!(solved(line, words.next().expect("then the board"), &options), Some(length), "{line}");
            checked += 1;
        }
    }
    assert!(checked >= 5, "{checked} instances were checked");
}

#[test]
fn the_classics_of_klotski_have_their_known_steps_and_moves() {
    for known in classics(PUZZLES.entry("klotski").expect("the registry has klotski").card()) {
        assert_eq!(solved(known.name, &known.text, &ReadOptions::default()), known.steps, "{}", known.name);
        let by_moves = ReadOptions { metric: Some("moves".into()), ..ReadOptions::default() };
        assert_eq!(solved(known.name, &known.text, &by_moves), known.moves, "{} by moves", known.name);
    }
}
