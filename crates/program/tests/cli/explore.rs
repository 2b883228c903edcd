//! Whole spaces, atlases and hard boards from the command line.

use std::io::Read as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{ANSWERED, BAD_INPUT, Folder, INTERRUPTED, STOPPED};

const CLASSIC: &str = "^11^\nv11v\n^<>^\nv22v\n2..2\n";

fn json(folder: &Folder, words: &str) -> Value {
    let run = folder.run(&format!("explore {words} --format json"));
    serde_json::from_str(run.prints(ANSWERED)).unwrap_or_else(|error| panic!("{words}: {error}\n{}", run.out))
}

#[test]
fn counts_match_the_published_ones() {
    let folder = Folder::with("classic", CLASSIC);
    for (words, direction, states, goals, deepest, farthest) in [
        ("tiles", "backward", 181_440, 1, 31, 2),
        ("tiles --size 2x5", "backward", 1_814_400, 1, 55, 2),
        ("tiles --size 2x2", "backward", 12, 1, 6, 1),
        ("tiles --size 3x2 --goal blank-first", "backward", 360, 1, 21, 1),
        ("classic", "forward", 25_955, 964, 167, 4),
        ("classic --backward", "backward", 25_955, 964, 126, 4),
        ("klotski:heng-dao-li-ma --backward --metric moves", "backward", 25_955, 964, 93, 2),
        ("klotski --scope classic", "backward", 267_115, 24_780, 179, 6),
        ("klotski --scope classic --metric moves", "backward", 267_115, 24_780, 138, 6),
    ] {
        let found = json(&folder, words);
        let numbers = ["states", "goals", "max_depth", "farthest_states"].map(|key| found[key].as_u64());
        assert_eq!(numbers, [states, goals, deepest, farthest].map(Some), "{words}");
        assert_eq!(found["direction"], direction, "{words}");
        assert_eq!(found["farthest"].as_array().map(|states| states.len() as u64), Some(farthest), "{words}");
        let sum: u64 = found["depths"].as_array().expect("a list").iter().filter_map(Value::as_u64).sum();
        assert_eq!(sum, states, "{words}");
    }
}

#[test]
fn text_has_a_table_with_bars_and_the_farthest_boards() {
    let folder = Folder::new();
    let run = folder.run("explore tiles --size 2x2 --components");
    let shown: Vec<&str> = run.prints(ANSWERED).lines().collect();
    assert_eq!(shown[0], "tiles");
    assert_eq!(shown[1], "every 2 x 2 board that leads to the goal, from the goals, by steps");
    assert!(shown[2].starts_with("12 states  1 goal  6 farthest  2.00 steps a state  ("), "{}", run.out);
    assert_eq!(shown[3], "1 connected component of 12 states");
    assert_eq!(shown[5], "  depth  states");
    assert_eq!(shown[6], format!("      0       1 {}", "█".repeat(25)));
    assert_eq!(shown[7], format!("      1       2 {}", "█".repeat(50)));
    assert!(run.out.contains("\nthe farthest state, 6 steps away\n\n  ┌───┬───┐\n  │   │ 3 │\n"), "{}", run.out);
}

#[test]
fn an_atlas_is_saved_and_solve_uses_it() {
    let folder = Folder::with("maze", "G*..\n....\n....\n..S.\n");
    let cache = folder.path().join("cache");
    let run = |words: &str| {
        let output = folder.process(words).env("ADMISSIBLE_CACHE", &cache).stdin(Stdio::null()).output();
        let output = output.expect("the program starts");
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (_, before, _) = run("solve maze --format json");
    let before: Value = serde_json::from_str(&before).expect("JSON");
    assert_eq!((&before["algorithm"], &before["cost"]), (&"astar".into(), &9.into()));
    let (code, shown, _) = run("explore maze --save");
    assert_eq!(code, Some(ANSWERED));
    assert!(shown.contains("\nkept as the atlas die-4x4-") && shown.contains("from the goals"), "{shown}");
    let (_, after, _) = run("solve maze --format json");
    let after: Value = serde_json::from_str(&after).expect("JSON");
    assert_eq!(
        (&after["algorithm"], &after["cost"], &after["guarantee"]),
        (&"atlas".into(), &9.into(), &"optimal".into())
    );
    let (_, text, _) = run("solve maze");
    assert!(text.contains("atlas, chosen because an atlas with the distance of every state is at hand"), "{text}");
    // A damaged atlas is reported and not used.
    let file = std::fs::read_dir(&cache).expect("the folder exists").next().expect("one file").expect("a file").path();
    std::fs::write(&file, "something else").expect("there is room");
    let (code, text, notes) = run("solve maze");
    assert_eq!(code, Some(ANSWERED));
    assert!(text.contains("Shortest solution: 9 steps, proved optimal.") && text.contains("astar with"), "{text}");
    assert!(notes.starts_with("note: the atlas ") && notes.contains("is not used: this is not an atlas"), "{notes}");
    assert_eq!(run("explore maze --save").0, Some(ANSWERED));
    assert!(run("solve maze").1.contains("atlas, chosen"));
}

#[test]
fn a_report_is_a_page_with_a_chart() {
    let folder = Folder::new();
    folder.run("explore tiles --size 2x3 --report report").prints(ANSWERED);
    assert_eq!(folder.names(), ["report"]);
    let page = folder.read("report/index.html");
    for expected in ["States at each depth", "The farthest states", "depth in steps", "360"] {
        assert!(page.contains(expected), "{expected}");
    }
    assert_eq!(folder.read("report/figures.csv").lines().nth(1), Some("0,1,1"));
    let figures: Value = serde_json::from_str(&folder.read("report/figures.json")).expect("JSON");
    assert_eq!(figures["max_depth"], 21);
    assert!(folder.read("report/charts/tiles-depths.svg").starts_with("<svg"));
}

#[test]
fn impossible_explorations_are_refused() {
    let folder = Folder::with("bad", "S.G\n.x.\n").and("maze", "S.G\n").and("klotski", CLASSIC);
    for (words, code, expected) in [
        ("explore bad", BAD_INPUT, "bad:2:2: expected 'S', 'G', '.' or '*', found 'x'"),
        ("explore none", BAD_INPUT, "none: No such file"),
        ("explore die", BAD_INPUT, "to explore die takes a file"),
        ("explore tiles --size 1x9", BAD_INPUT, "a board has at least 2 x 2 and at most 40 cells"),
        ("explore tiles --pieces 3", BAD_INPUT, "--pieces: tiles has no use for it"),
        ("explore tiles --forward", BAD_INPUT, "only a file has a start"),
        ("explore tiles --metric moves", BAD_INPUT, "--metric: tiles counts in one way only, not in 'moves'"),
        ("explore klotski --metric miles", BAD_INPUT, "--metric: expected steps or moves, found 'miles'"),
        ("explore klotski --scope nothing", BAD_INPUT, "--scope: unknown scope 'nothing', expected all or classic"),
        ("explore maze --forward --save", BAD_INPUT, "cannot be used with"),
        ("explore klotski:unknown", BAD_INPUT, "unknown layout 'klotski:unknown'"),
        ("explore tiles --size 4x4", STOPPED, "10,461,394,944,000 states would take 4.8 TiB of memory"),
        ("explore tiles --size 3x4 --memory-limit 50M", STOPPED, "239,500,800 states would take 114.3 MiB of memory"),
        ("explore klotski --memory-limit 100k", STOPPED, "is the limit"),
    ] {
        let run = folder.run(words);
        assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{run}");
        assert!(run.err.contains(expected), "{run}");
    }
}

#[test]
fn memory_is_announced_before_it_is_allocated_and_ctrl_c_leaves_nothing() {
    let folder = Folder::new();
    let cache = folder.path().join("cache");
    let mut command = folder.process("explore tiles --size 3x4 --save --threads 1");
    command.env("ADMISSIBLE_CACHE", &cache).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // The announcement comes before the work, and the work lasts for many seconds.
    let mut err = child.stderr.take().expect("piped");
    let mut announced = Vec::new();
    let mut byte = [0];
    while byte != *b"\n" {
        err.read_exact(&mut byte).expect("a line is printed");
        announced.push(byte[0]);
    }
    let announced = String::from_utf8(announced).expect("text");
    assert_eq!(announced, "note: every 3 x 4 board that leads to the goal: 239,500,800 states, 114.3 MiB of memory\n");
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "kill sends signals");
    let begin = Instant::now();
    let status = child.wait().expect("the program ends");
    assert_eq!(status.code(), Some(INTERRUPTED));
    assert!(begin.elapsed() < Duration::from_secs(60), "it ends long before the work would");
    let mut rest = String::new();
    err.read_to_string(&mut rest).expect("text");
    assert!(rest.contains("interrupted: exploration incomplete; no result"), "{rest}");
    assert!(!cache.exists() || std::fs::read_dir(&cache).expect("the folder exists").count() == 0, "nothing stays");
}

#[test]
fn generated_boards_have_the_difficulty_asked_for() {
    let folder = Folder::new();
    for (words, expected) in [
        ("tiles --size 3x3 --difficulty 20", "note: its shortest solution has 20 steps\n"),
        ("tiles --size 3x3 --hardest", "note: its shortest solution has 31 steps\n"),
        ("die --size 6x6 --difficulty 9", "note: its shortest solution has 9 steps\n"),
        ("klotski --difficulty 30 --metric moves", "note: its shortest solution has 30 moves\n"),
        ("chexers --pieces 2 --difficulty 8", "note: its shortest solution has 8 steps\n"),
    ] {
        let run = folder.run(&format!("generate {words} --seed 3"));
        assert_eq!((run.code, run.err.as_str()), (Some(ANSWERED), expected), "{run}");
        folder.write("board", &run.out);
        let metric = if words.contains("--metric") { "--metric moves" } else { "" };
        let solved = folder.run(&format!("solve board --format json {metric}"));
        let solved: Value = serde_json::from_str(solved.prints(ANSWERED)).expect("JSON");
        let length = expected.split(' ').find_map(|word| word.parse::<u64>().ok());
        assert_eq!(solved["cost"].as_u64(), length, "{words}");
    }
    let run = folder.run("generate die --size 3x3 --difficulty 500 --seed 1");
    assert_eq!((run.code, run.out.as_str()), (Some(STOPPED), ""), "{run}");
    assert!(run.err.contains("none of 200 instances has a shortest solution of that length"), "{run}");
    for (words, expected) in [
        ("generate tiles --difficulty 9..3", "expected a number of moves such as 25, or a range such as 20..30"),
        ("generate tiles --difficulty 9 --hardest", "cannot be used with"),
        ("generate klotski --metric moves", "there is nothing to count without --difficulty or --hardest"),
        ("generate tiles --difficulty 9 --metric moves", "tiles counts in one way only"),
    ] {
        assert!(folder.run(words).refuses().contains(expected), "{words}");
    }
}

#[test]
fn klotski_is_solved_in_the_metric_given() {
    let folder = Folder::with("classic", CLASSIC);
    for (words, cost, metric) in [
        ("solve classic", 116, Value::Null),
        ("solve klotski:heng-dao-li-ma --metric steps", 116, Value::Null),
        ("solve klotski:heng_dao_li_ma --metric moves", 81, "moves".into()),
        ("solve klotski:横刀立马 --metric moves --algorithm idastar --time-limit 1ms", 0, "moves".into()),
        ("solve classic --metric moves --algorithm bidirectional", 81, "moves".into()),
    ] {
        let run = folder.run(&format!("{words} --format json"));
        let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"));
        assert_eq!(answer["metric"], metric, "{words}");
        if cost > 0 {
            assert_eq!((&answer["cost"], &answer["guarantee"]), (&cost.into(), &"optimal".into()), "{words}");
            assert_eq!(answer["actions"].as_array().map(Vec::len), Some(cost as usize), "{words}");
            assert_eq!(answer["states"].as_array().map(Vec::len), Some(cost as usize + 1), "{words}");
        }
    }
    let run = folder.run("solve classic --metric moves");
    assert!(run.prints(ANSWERED).contains("Shortest solution: 81 moves, proved optimal (steps: "), "{run}");
    folder.write("solution", folder.run("solve classic --metric moves --format json").prints(ANSWERED));
    let run = folder.run("verify classic solution --metric moves");
    assert_eq!(run.prints(ANSWERED), "Legal and shortest: 81 actions.\n", "{run}");
    let run = folder.run("solve classic --metric moves --algorithm astar --heuristic manhattan");
    assert!(run.refuses().contains("it counts steps, and here moves are counted"), "{run}");
    let run = folder.run("list klotski");
    assert!(run.prints(ANSWERED).contains("heng-dao-li-ma"), "{run}");
    assert!(run.out.contains("横刀立马") && run.out.contains("116  81"), "{run}");
}
