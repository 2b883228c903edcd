//! The targets for speed and memory, measured on the whole program, start-up included: `cargo bench -p
//! admissible-program --bench targets`. Every run asserts its answer, and its node count where that is fixed, before it
//! uses a time. Times are medians; run it on an idle machine.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_admissible");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// One target: what to run, the expected cost, and the time limit.
struct Target {
    name: &'static str,
    file: PathBuf,
    options: &'static [&'static str],
    cost: u64,
    limit: Duration,
}

fn solve(file: &Path, options: &[&str]) -> (Duration, Value) {
    let begin = Instant::now();
    let output = Command::new(PROGRAM)
        .args(["solve", "--format", "json"])
        .arg(file)
        .args(options)
        .stderr(Stdio::inherit())
        .output()
        .expect("the program starts");
    let time = begin.elapsed();
    (time, serde_json::from_slice(&output.stdout).expect("the program prints JSON"))
}

/// The median time of `runs` runs; asserts the answer of each.
fn measure(target: &Target, runs: usize) -> Duration {
    let mut times = Vec::new();
    for _ in 0..runs {
        let (time, found) = solve(&target.file, target.options);
        assert_eq!(found["cost"], target.cost, "{}", target.name);
        assert_eq!(found["guarantee"], "optimal", "{}", target.name);
        times.push(time);
    }
    times.sort();
    times[times.len() / 2]
}

fn instance(path: &str) -> PathBuf {
    Path::new(ROOT).join("instances").join(path)
}

/// One of Korf's instances, in its own file.
fn korf(number: usize, folder: &Path) -> (PathBuf, u64, String) {
    let all = std::fs::read_to_string(instance("tiles/korf100.txt")).expect("Korf's instances ship with the project");
    let line = all.lines().find(|line| line.starts_with(&format!("{number} "))).expect("there are a hundred");
    let mut words = line.splitn(3, ' ').skip(1);
    let cost = words.next().and_then(|word| word.parse().ok()).expect("the optimal length comes second");
    let board = words.next().expect("then the board").to_string();
    let path = folder.join(format!("korf{number}.txt"));
    std::fs::write(&path, &board).expect("the temporary folder can be written to");
    (path, cost, board)
}

fn main() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let maze = folder.path().join("maze.txt");
    let generated = Command::new(PROGRAM)
        .args(["generate", "die", "--size", "1000x1000", "--density", "0.25", "--seed", "1"])
        .output()
        .expect("the program starts");
    std::fs::write(&maze, generated.stdout).expect("the temporary folder can be written to");

    let (korf_2, korf_2_cost, _) = korf(2, folder.path());
    let targets = [
        Target {
            name: "the hardest 3x3 board",
            file: instance("tiles/hardest_3x3.txt"),
            options: &[],
            cost: 31,
            limit: Duration::from_millis(10),
        },
        Target {
            name: "the classic Klotski layout",
            file: instance("klotski/classic.txt"),
            options: &[],
            cost: 116,
            limit: Duration::from_millis(20),
        },
        Target {
            name: "a Chexers file with 4 pieces",
            file: instance("chexers/random_blue.json"),
            options: &[],
            cost: 16,
            limit: Duration::from_millis(50),
        },
        Target {
            name: "a 1000 x 1000 die maze",
            file: maze,
            options: &[],
            cost: MAZE_COST,
            limit: Duration::from_secs(2),
        },
        Target {
            name: "a 55-move 15-puzzle, linear-conflict",
            file: korf_2,
            options: &["--goal", "blank-first", "--heuristic", "linear-conflict"],
            cost: korf_2_cost,
            limit: Duration::from_secs(10),
        },
    ];
    println!("{:<40} {:>12} {:>12}", "", "median", "target");
    let mut met = true;
    for target in &targets {
        let median = measure(target, 11);
        met &= median <= target.limit;
        println!("{:<40} {:>9.1} ms {:>9.0} ms", target.name, millis(median), millis(target.limit));
    }
    met &= memory(folder.path());
    met &= audits();
    met &= korf_sets(folder.path());
    met &= astar_ratio(folder.path());
    met &= idastar_ratio(folder.path());
    assert!(met, "a target is missed");
}

/// The optimal cost of the maze of seed 1, confirmed by breadth-first search.
const MAZE_COST: u64 = 1194;

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Audits of whole spaces, on all cores; asserts verdict and counts before it uses a time.
fn audits() -> bool {
    let targets = [
        ("audit of all 3x3 boards", vec!["tiles"], 181_440, 0, Duration::from_millis(500)),
        (
            "audit of all Klotski layouts, blockers",
            vec!["klotski", "-H", "blockers"],
            29_334_498,
            104_908,
            Duration::from_secs(15),
        ),
    ];
    let mut met = true;
    for (what, words, states, overestimates, limit) in targets {
        let begin = Instant::now();
        let output = Command::new(PROGRAM).arg("audit").args(words).args(["--format", "json"]).output();
        let time = begin.elapsed();
        let reports: Vec<Value> =
            serde_json::from_slice(&output.expect("the program starts").stdout).expect("the program prints JSON");
        for report in reports {
            assert_eq!(report["states"], states, "{what}");
            assert_eq!(report["overestimates"], overestimates, "{what}");
        }
        met &= time <= limit;
        println!("{what:<40} {:>9.1} ms {:>9.0} ms", millis(time), millis(limit));
    }
    met
}

/// Options for A* with manhattan.
const ASTAR: [&str; 6] = ["--goal", "blank-first", "--algorithm", "astar", "--heuristic", "manhattan"];

/// Runs A* on one of Korf's instances: states stored, and states expanded per second of user time.
fn astar_on(number: usize, folder: &Path, options: &[&str]) -> (u64, f64) {
    // States before the last layer are the same for every correct A*.
    let before_last_layer = [(99, 5_277_105), (76, 7_252_034)].into_iter().find(|(known, _)| *known == number);
    let (file, cost, _) = korf(number, folder);
    let begin = children_time();
    let (_, answer) = solve(&file, options);
    let time = children_time() - begin;
    assert_eq!((&answer["cost"], &answer["guarantee"]), (&cost.into(), &"optimal".into()), "Korf's #{number}");
    let count = |name: &str| answer["stats"][name].as_u64().expect("a number");
    assert_eq!(Some((number, count("expanded_before_last_layer"))), before_last_layer);
    (count("stored"), count("expanded") as f64 / time.as_secs_f64())
}

/// Peak resident memory of A* on 4x4 tiles, per stored state. The kernel reports the maximum over all children, and
/// earlier ones need far less.
fn memory(folder: &Path) -> bool {
    let mut met = true;
    for number in [99, 76] {
        let (stored, _) = astar_on(number, folder, &ASTAR);
        let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN).expect("Linux knows");
        let each = (usage.max_rss() as u64 * 1024) as f64 / stored as f64;
        met &= each <= 16.0;
        println!("{:<40} {each:>10.1} B {:>10} B   ({stored} states)", format!("A* on Korf's #{number}, a state"), 16);
    }
    met
}

/// The speed of A* relative to A* with LIFO tie-breaking, which looks up every successor. The fastest round of each
/// counts.
fn astar_ratio(folder: &Path) -> bool {
    let mut met = true;
    for number in [99, 76] {
        let eager = [&ASTAR[..], &["--tie-break", "lifo"]].concat();
        let fastest = |options: &[&str]| (0..3).map(|_| astar_on(number, folder, options).1).fold(0.0, f64::max);
        let ratio = fastest(&ASTAR) / fastest(&eager);
        met &= ratio >= 6.0;
        println!("{:<40} {ratio:>11.2}x {:>11.2}x", format!("A* on Korf's #{number}, lazy beside eager"), 6.0);
    }
    met
}

/// All of Korf's 100 instances, with empty and then with filled table cache; asserts every length.
fn korf_sets(folder: &Path) -> bool {
    let cache = folder.join("cache");
    // Node counts are reproducible on one core only: several differ in the last iteration.
    let targets: [(&str, &[&str], Duration, Option<u64>); 4] = [
        ("Korf's 100, nothing cached", &[], Duration::from_secs(6), None),
        ("Korf's 100, 6-6-3 at hand", &[], Duration::from_secs(3), None),
        (
            "Korf's 100, 6-6-3 on one core",
            &["-a", "idastar-pruned", "-H", "pdb:6-6-3"],
            Duration::from_secs(3),
            Some(24_538_459),
        ),
        (
            "Korf's 100, walking-distance only",
            &["-a", "idastar-pruned", "-H", "walking-distance"],
            Duration::from_secs(16),
            Some(1_510_051_908),
        ),
    ];
    let mut met = true;
    for (what, words, limit, generated) in targets {
        let begin = Instant::now();
        let mut command = Command::new(PROGRAM);
        let command =
            command.args(["bench", "korf100", "--format", "json"]).args(words).env("ADMISSIBLE_CACHE", &cache);
        let output = command.output().expect("the program starts");
        let time = begin.elapsed();
        let answer: Value = serde_json::from_slice(&output.stdout).expect("the program prints JSON");
        assert_eq!(answer["total"]["right"], 100, "{what}");
        assert!(generated.is_none_or(|nodes| answer["total"]["generated"] == nodes), "{what}: {}", answer["total"]);
        met &= time <= limit;
        println!("{what:<40} {:>9.1} ms {:>9.0} ms", millis(time), millis(limit));
    }
    met
}

/// Nodes per second of user time of IDA* with manhattan relative to the hand-written loop, and the time of
/// idastar-pruned, in turns. The fastest round of each counts: other load can only add time.
fn idastar_ratio(folder: &Path) -> bool {
    let plain = folder.join("plain_loop");
    let source = Path::new(ROOT).join("bench/plain_loop.cpp");
    let built = Command::new("g++").args(["-O3", "-march=native", "-o"]).arg(&plain).arg(source).status();
    if !built.is_ok_and(|status| status.success()) {
        println!("IDA* beside a hand-written loop: skipped, there is no g++ here");
        return true;
    }
    // Lengths and nodes generated, root included.
    let expected =
        [(2, 55, 15_300_442), (5, 56, 11_020_325), (12, 45, 546_344), (19, 46, 1_280_495), (1, 57, 276_361_933)];
    let files: Vec<(PathBuf, u64, String)> = expected.iter().map(|&(number, ..)| korf(number, folder)).collect();
    let boards: String = files.iter().map(|(.., board)| format!("{board}\n")).collect();
    let output: String = expected.iter().map(|(_, length, nodes)| format!("{length} {nodes}\n")).collect();
    let ours = |algorithm: &str| {
        let begin = children_time();
        for ((file, ..), (number, length, nodes)) in files.iter().zip(expected) {
            let options = ["--goal", "blank-first", "--algorithm", algorithm, "--heuristic", "manhattan"];
            let (_, answer) = solve(file, &options);
            assert_eq!(answer["cost"], length, "Korf's #{number}");
            if algorithm == "idastar" {
                assert_eq!(answer["stats"]["generated"], nodes - 1, "Korf's #{number}");
            }
        }
        children_time() - begin
    };
    let plain_loop = || {
        let begin = children_time();
        let mut child = Command::new(&plain)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("what was built can be started");
        child.stdin.take().expect("piped").write_all(boards.as_bytes()).expect("it reads");
        let found = child.wait_with_output().expect("it ends").stdout;
        assert_eq!(String::from_utf8_lossy(&found), output, "the hand-written loop counts the same nodes");
        children_time() - begin
    };
    let mut fastest = [Duration::MAX; 3];
    for _ in 0..7 {
        let round = [plain_loop(), ours("idastar"), ours("idastar-pruned")];
        fastest = std::array::from_fn(|at| fastest[at].min(round[at]));
    }
    let [plain_loop, ours, pruned] = fastest.map(|time| time.as_secs_f64());
    let mut met = true;
    for (what, time, least) in [("IDA*", ours, 2.5), ("pruned IDA*", pruned, 3.5)] {
        let ratio = plain_loop / time;
        met &= ratio >= least;
        println!("{:<40} {ratio:>11.2}x {least:>11.2}x", format!("{what} beside a hand-written C++ loop"));
    }
    met
}

/// User time of all children that have ended.
fn children_time() -> Duration {
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN).expect("Linux knows");
    let time = usage.user_time();
    Duration::from_secs(time.tv_sec() as u64) + Duration::from_micros(time.tv_usec() as u64)
}
