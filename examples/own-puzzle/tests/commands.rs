//! The program through every command on its own puzzle: what ships with `admissible` works for a puzzle that does not.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A shortest solution.
const SOLUTION: &str = "5 to 4\n3 to 5\n2 to 3\n4 to 2\n6 to 4\n7 to 6\n5 to 7\n3 to 5\n\
                        1 to 3\n2 to 1\n4 to 2\n6 to 4\n5 to 6\n3 to 5\n4 to 3\n";

/// A folder with a file `row`, in which the program runs.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().expect("there is room for a folder"));
        folder.write("row", "FFF.TTT\n");
        folder
    }
    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.0.path().join(name), content).expect("there is room for a file");
    }
    /// Runs the program; gives its exit code, standard output and standard error.
    fn run(&self, words: &str) -> (i32, String, String) {
        let mut command = Command::new(cargo_bin!("own-puzzle"));
        command.current_dir(self.0.path()).args(words.split_whitespace()).env("ADMISSIBLE_CACHE", self.0.path());
        let output = command.output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
        (output.status.code().expect("it ends by itself"), text(output.stdout), text(output.stderr))
    }
    /// Standard output of a run that answers.
    #[track_caller]
    fn answer(&self, words: &str) -> String {
        let (code, out, err) = self.run(words);
        assert_eq!(code, 0, "{words}\n{out}{err}");
        out
    }
    #[track_caller]
    fn json(&self, words: &str) -> Value {
        serde_json::from_str(&self.answer(words)).expect("the program prints JSON")
    }
    /// Standard error of a run that refuses its input.
    #[track_caller]
    fn refusal(&self, words: &str) -> String {
        let (code, out, err) = self.run(words);
        assert_eq!((code, out.as_str()), (2, ""), "{words}\n{err}");
        err
    }
}

#[test]
fn list_has_the_puzzle_and_only_sections_with_content() {
    let expected = "\
frogs: frogs and toads change sides by hops to the free stone
  files   the stones from left to right, F a frog, T a toad and . free: FFF.TTT
  zero             0 everywhere: A* with it is uniform-cost search
  half-distance    half of the stones between the animals and their places
  parameters (generate, sweep)
  frogs            the number of frogs, and of toads, 1 to 7 (default 4, explore 4)

";
    let folder = Folder::new();
    assert_eq!(folder.answer("list frogs"), expected);
    assert!(folder.answer("list").contains("\npancake: "), "another puzzle of the registry");
}

#[test]
fn solve_prints_text_json_and_a_plain_solution() {
    let folder = Folder::new();
    let text = folder.answer("solve row");
    for part in ["frogs  row\n", "  FFF.TTT   TTT.FFF\n", "Shortest solution: 15 hops, proved optimal.\n"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(folder.answer("solve row --format course"), SOLUTION);
    let answer = folder.json("solve row --format json");
    assert_eq!(answer["actions"].as_array().map(Vec::len), Some(15));
    assert_eq!((&answer["states"][0], &answer["states"][15]), (&json!("FFF.TTT"), &json!("TTT.FFF")));
    assert_eq!(
        (&answer["cost"], &answer["guarantee"], &answer["stats"]["expanded"]),
        (&json!(15), &json!("optimal"), &json!(65))
    );
    for algorithm in ["ucs", "bfs", "idastar", "bidirectional"] {
        assert_eq!(folder.json(&format!("solve row -a {algorithm} --format json"))["cost"], 15, "{algorithm}");
    }
    assert!(folder.answer("solve row --heuristic half-distance+1").contains("15 hops, not proved to be shortest"));
}

#[test]
fn compare_and_sweep_run_every_heuristic() {
    let folder = Folder::new();
    let runs = folder.json("compare row --heuristics all --format json");
    let figures = |run: &Value| (run["heuristic"].clone(), run["cost"].clone(), run["stats"]["expanded"].clone());
    let figures: Vec<_> = runs.as_array().expect("a list").iter().map(figures).collect();
    let expected = [("zero", 135), ("half-distance", 65)];
    assert_eq!(figures, expected.map(|(heuristic, expanded)| (json!(heuristic), json!(15), json!(expanded))));
    let sweep = folder.answer("sweep frogs --vary frogs=1..3 --samples 2");
    assert!(sweep.starts_with("frogs: how the work grows with frogs\n2 random solvable instances"), "{sweep}");
}

#[test]
fn audit_and_explore_know_every_row_with_a_file_and_without() {
    let folder = Folder::new();
    for (words, states) in [("audit row", 140), ("audit frogs", 630)] {
        let reports = folder.json(&format!("{words} --format json"));
        for (at, heuristic) in ["zero", "half-distance"].into_iter().enumerate() {
            let report = &reports[at];
            assert_eq!((&report["heuristic"], &report["states"]), (&json!(heuristic), &json!(states)), "{words}");
            assert_eq!((&report["admissible"], &report["consistent"]), (&json!(true), &json!(true)), "{words}");
        }
    }
    assert!(
        folder
            .answer("audit frogs")
            .starts_with("frogs\nevery row of 4 frogs and 4 toads\n630 states  630 solvable  1 goal  ")
    );
    // As many rows as there are places for the gap and for the frogs among the animals.
    for (words, states, depth, farthest) in [
        ("explore row", 140, 16, &["TTTFFF.", ".TTTFFF"][..]),
        ("explore row --backward", 140, 16, &[".FFFTTT", "FFFTTT."]),
        ("explore frogs", 630, 26, &[".FFFFTTTT", "FFFFTTTT."]),
        ("explore frogs --frogs 2", 30, 8, &["FF.TT", ".FFTT", "FFTT."]),
    ] {
        let explored = folder.json(&format!("{words} --format json"));
        assert_eq!((&explored["states"], &explored["max_depth"]), (&json!(states), &json!(depth)), "{words}");
        assert_eq!(explored["farthest"], json!(farthest), "{words}");
    }
}

#[test]
fn generate_writes_rows_of_the_size_and_difficulty_that_are_asked_for() {
    let folder = Folder::new();
    let row = folder.answer("generate frogs --frogs 5 --seed 3");
    assert_eq!((row.matches('F').count(), row.matches('T').count(), row.trim().len()), (5, 5, 11), "{row}");
    assert_eq!(folder.answer("generate frogs --frogs 5 --seed 3"), row);
    folder.write("hard", &folder.answer("generate frogs --difficulty 20 --seed 1"));
    assert_eq!(folder.json("solve hard --format json")["cost"], 20);
    assert_eq!(
        folder.refusal("generate frogs --frogs 9"),
        "error: the number of frogs, and of toads lies between 1 and 7\n"
    );
}

#[test]
fn verify_replays_solutions_and_certificates() {
    let folder = Folder::new();
    let fourteen: String = SOLUTION.split_inclusive('\n').take(14).collect();
    for (solution, code, verdict) in [
        (SOLUTION.into(), 0, "Legal and shortest: 15 actions.\n"),
        (fourteen, 1, "Not a solution: after the last action the animals have not changed sides: TT.TFFF.\n"),
        (
            SOLUTION.replacen("3 to 5", "1 to 5", 1),
            1,
            "Not legal: action 2 of 15: '1 to 5' is no hop to the free stone like 3 to 4.\n",
        ),
    ] {
        folder.write("solution", &solution);
        let (exit, out, err) = folder.run("verify row solution");
        assert_eq!((exit, out.as_str(), err.as_str()), (code, verdict, ""));
    }
    folder.answer("solve row --certificate proof");
    let verdict = folder.answer("verify row --certificate proof");
    assert!(
        verdict.starts_with("FFF.TTT\n\nOptimal: 15 hops. The solution was replayed, and none of the 63 states"),
        "{verdict}"
    );
}

#[test]
fn a_search_stops_and_goes_on_and_leaves_a_trace() {
    let folder = Folder::new();
    let search = "solve row -a idastar --format json";
    let counts =
        |answer: &Value| (answer["cost"].clone(), answer["stats"]["expanded"].clone(), answer["actions"].clone());
    let (code, _, note) = folder.run(&format!("{search} --node-limit 20 --checkpoint night"));
    assert_eq!((code, note.as_str()), (3, "note: to continue: own-puzzle resume night\n"));
    assert_eq!(counts(&folder.json("resume night")), counts(&folder.json(search)));
    folder.answer("solve row --trace trace.jsonl");
    let trace = std::fs::read_to_string(folder.0.path().join("trace.jsonl")).expect("it is there");
    let last: Value = serde_json::from_str(trace.lines().last().expect("a line a state")).expect("a line is an object");
    assert_eq!((trace.lines().count(), &last["state"], &last["g"]), (66, &json!("TTT.FFF"), &json!(15)));
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let folder = Folder::new();
    folder.write("bad", "FF.\nTxT\n");
    let fault = "error: bad:2:2: expected 'F', 'T' or one '.' on up to 16 stones, found 'x'\n 2 | TxT\n   |  ^\n";
    assert_eq!(folder.refusal("solve bad --puzzle frogs"), fault);
    assert_eq!(folder.refusal("solve bad"), format!("{fault}(read as a frogs puzzle; choose another with --puzzle)\n"));
    for (row, fault) in [
        ("F.T.T", "row:1:4: expected 'F', 'T' or one '.' on up to 16 stones, found '.'"),
        ("FFTT", "row:1:1: expected 2 to 16 stones, one of them '.', found 'FFTT'"),
        ("FFFFFFFF.TTTTTTTT", "row:1:17: expected 'F', 'T' or one '.' on up to 16 stones, found 'T'"),
    ] {
        folder.write("row", row);
        assert!(folder.refusal("solve row").starts_with(&format!("error: {fault}\n")), "{row}");
    }
    for (words, error) in [
        ("audit frogs --scope all", "--scope: unknown scope 'all', expected none"),
        ("solve hops --move-order left,right", "--move-order: frogs tries moves in one order only"),
        (
            "solve hops -a hdastar",
            "hdastar: the states of this frogs instance cannot be distributed among threads; use astar",
        ),
        // These know of no instance of this puzzle, and say so.
        ("bench korf100", "unknown set 'korf100', expected none"),
        ("reproduce", "no published table is about a puzzle of this program"),
    ] {
        folder.write("hops", "F.T");
        assert_eq!(folder.refusal(words), format!("error: {error}\n"));
    }
}

#[test]
fn the_page_offers_the_puzzle_and_shows_it_as_text() {
    let mut command = std::process::Command::new(cargo_bin!("own-puzzle"));
    let serve = command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = serve.spawn().expect("the program starts");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("it prints its address");
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_string();
    let ask = |request: String| {
        let mut stream = TcpStream::connect(&address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map(|_| answer).expect("it answers")
    };
    let head = format!("HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    let catalogue = ask(format!("GET /api/puzzles {head}\r\n"));
    let board = json!({ "text": "FFF.TTT\n" }).to_string();
    let opened = ask(format!(
        "POST /api/open {head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{board}",
        board.len()
    ));
    server.kill().and_then(|()| server.wait()).expect("it ends");
    assert!(catalogue.contains(r#""name":"frogs""#) && catalogue.contains("three of each"), "{catalogue}");
    assert!(opened.contains("FFF.TTT") && opened.contains("5 to 4"), "{opened}");
}
