//! `sweep`.

use serde_json::Value;

use crate::support::{ANSWERED, BAD_INPUT, Folder, Run, STOPPED};

fn sweep(words: &str) -> Run {
    Folder::new().run(&format!("sweep {words}"))
}

fn json(run: &Run, code: i32) -> Value {
    serde_json::from_str(run.prints(code)).unwrap_or_else(|error| panic!("{error}: {run}"))
}

/// The rows of a CSV file without quotation marks.
fn rows(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().map(|line| line.split(',').collect()).collect()
}

/// Each row identifies an instance, which `generate` reproduces and `solve` solves with the same figures.
#[test]
fn every_run_can_be_reproduced() {
    let run = sweep("chexers --vary pieces=1..3 --blocks 4 --samples 2 --seed 5 -H relaxed-jumps --format csv");
    let rows = rows(run.prints(ANSWERED));
    assert_eq!(rows.len(), 1 + 3 * 2);
    let column = |name: &str| rows[0].iter().position(|&column| column == name).unwrap_or_else(|| panic!("{name}"));
    for row in &rows[1..] {
        let at = |name: &str| row[column(name)];
        let words = format!("generate chexers --pieces {} --blocks 4 --seed {}", at("pieces"), at("seed"));
        let instance = Folder::new().run(&words);
        let folder = Folder::with("board", instance.prints(ANSWERED));
        let solved = folder.run(&format!("solve board -a {} -H {} --format json", at("algorithm"), at("heuristic")));
        let answer: Value = serde_json::from_str(solved.prints(ANSWERED)).expect("it is JSON");
        assert_eq!(answer["cost"].to_string(), at("depth"), "{words}");
        assert_eq!(answer["stats"]["expanded"].to_string(), at("expanded"), "{words}");
        assert_eq!(answer["stats"]["generated"].to_string(), at("generated"), "{words}");
        let cost = answer["cost"].as_f64().expect("it is solved");
        let error: f64 = at("relative_error").parse().expect("a number");
        let h: f64 = at("h_start").parse().expect("a number");
        assert!(((cost - h) / cost - error).abs() < 1e-3, "{words}");
    }
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let expanded = |seed: u32| {
        let run = sweep(&format!("die --vary size=4,9 --samples 4 --seed {seed} --format json"));
        let swept = json(&run, ANSWERED);
        let of = |run: &Value| (run["seed"].as_u64(), run["expanded"].as_u64());
        swept["runs"].as_array().expect("an array").iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(expanded(1), expanded(1));
    assert_ne!(expanded(1), expanded(2));
}

#[test]
fn medians_are_those_of_the_runs() {
    let run = sweep("die --vary size=6..8 --vary density=0,0.3 --samples 5 -H manhattan,open-board --format json");
    let swept = json(&run, ANSWERED);
    let summaries = swept["summaries"].as_array().expect("an array");
    assert_eq!(summaries.len(), 3 * 2 * 2);
    for summary in summaries {
        let same = |run: &&Value| ["size", "density", "heuristic"].iter().all(|&key| run[key] == summary[key]);
        let runs = swept["runs"].as_array().expect("an array").iter().filter(same);
        let mut expanded: Vec<f64> = runs.map(|run| run["expanded"].as_f64().expect("a number")).collect();
        expanded.sort_by(f64::total_cmp);
        assert_eq!(expanded.len(), 5);
        assert_eq!(summary["expanded"]["median"].as_f64(), Some(expanded[2]), "{summary}");
        assert_eq!(summary["expanded"]["lower_quartile"].as_f64(), Some(expanded[1]), "{summary}");
        assert_eq!(summary["expanded"]["upper_quartile"].as_f64(), Some(expanded[3]), "{summary}");
        assert_eq!((&summary["runs"], &summary["solved"]), (&5.into(), &5.into()));
    }
    let slices: Vec<&str> =
        swept["trends"].as_array().expect("an array").iter().filter_map(|slice| slice["slice"].as_str()).collect();
    assert_eq!(slices, ["density=0", "density=0.3"]);
}

#[test]
fn growth_is_printed() {
    let run = sweep("chexers --vary pieces=1..3 --samples 10 -H relaxed-jumps");
    let out = run.prints(ANSWERED);
    assert!(out.contains("\n  expanded grows with pieces: median "), "{run}");
    assert!(out.contains(" a piece; rank correlation 0."), "{run}");
    for measure in ["expanded", "time", "branching", "b*", "depth", "relative error", "memory", "predicted"] {
        assert!(out.contains(&format!("\n{measure}  ")), "{measure}: {run}");
    }
    assert!(out.contains("  pieces 3\n    relaxed-jumps █"), "bars: {run}");
}

/// Chexers boards with blocks together or apart, and starts near or far; the published bound of six actions a piece.
#[test]
fn claims_about_chexers_are_measured() {
    let run = sweep("chexers --vary clustering=0,100 --blocks 9 --pieces 3 --samples 6 -H relaxed-jumps");
    let out = run.prints(ANSWERED);
    assert!(out.contains("  relaxed-jumps  6p (p pieces)\n"), "{run}");
    assert!(out.contains("against the published bound 6p (p pieces): it holds in all 12 runs"), "{run}");
    assert!(out.contains("predicted / expanded has the median "), "{run}");
    let run = sweep("chexers --vary distance=4,9 --pieces 3 --blocks 5 --samples 5 -H relaxed-jumps --format json");
    let swept = json(&run, ANSWERED);
    for run in swept["runs"].as_array().expect("an array") {
        assert_eq!(run["h_start"].as_f64(), run["distance"].as_f64(), "{run}");
        assert_eq!(run["branching_bound"], 18, "{run}");
        let largest = run["largest_branching"].as_f64().expect("a number");
        assert!(largest >= run["branching"].as_f64().expect("a number") && largest <= 18.0, "{run}");
        let number = |key: &str| run[key].as_f64().expect("a number");
        let predicted = number("branching").powf(number("depth") - number("h_start"));
        assert!((predicted / number("predicted") - 1.0).abs() < 1e-6, "{run}");
    }
    let run = sweep("chexers --vary distance=2 --pieces 3");
    assert!(run.refuses().contains("no start of 3 pieces with 6 blocks was found that has a distance of 2"), "{run}");
}

#[test]
fn runs_that_were_stopped_are_lower_bounds() {
    let run = sweep("die --vary size=20 --samples 4 -H zero --node-limit 50");
    let out = run.prints(STOPPED);
    assert!(out.contains("  20x20  >= 50 (50..50) [0/4]\n"), "{run}");
    assert!(out.contains("\n4 of 4 runs were stopped at a limit"), "{run}");
}

#[test]
fn a_report_is_written_whole() {
    let folder = Folder::new();
    folder.run("sweep die --vary size=4..6 --vary density=0,0.2 --samples 3 --report out").prints(ANSWERED);
    assert_eq!(folder.names(), ["out"]);
    let page = folder.read("out/index.html");
    assert!(page.contains("how the work grows with size and density") && page.matches("<svg").count() == 18, "{page}");
    for chart in ["die-expanded-density-0", "die-relative-error-density-0-2"] {
        assert!(folder.read(&format!("out/charts/{chart}.svg")).starts_with("<svg "), "{chart}");
    }
    let swept: Value = serde_json::from_str(&folder.read("out/figures.json")).expect("it is JSON");
    let runs = swept["runs"].as_array().map(Vec::len).expect("an array");
    assert_eq!(folder.read("out/figures.csv").lines().count(), runs + 1);
    assert!(folder.read("out/figures.md").contains("| size | density | algorithm | heuristic | solved |"));
}

#[test]
fn bad_input_is_refused() {
    for (words, message) in [
        ("die", "--vary <NAME=RANGE>"),
        ("dye --vary size=3", "error: unknown puzzle 'dye', did you mean 'die'?"),
        ("die --vary pieces=1..3", "error: --pieces: die has no use for it, only for --size, --density"),
        ("die --vary size=4 --pieces 3", "error: --pieces: die has no use for it, only for --size, --density"),
        ("die --vary size=4 --size 3x3", "error: --size is given, and --vary varies it"),
        ("die --vary size=4 --vary size=5", "error: --vary: size is varied twice"),
        ("chexers --vary pieces=1 --vary blocks=1 --vary size=3", "error: --vary: expected one parameter, or two"),
        ("die --vary size=9..4", "FIRST up to LAST"),
        ("die --vary density=0..0.4", "needs a step"),
        ("chexers --vary pieces=38", "error: the number of pieces lies between 1 and 37"),
        ("die --vary size=4 -H nothing", "error: unknown heuristic 'nothing' for die"),
        ("die --vary size=4 --samples 0", "--samples"),
    ] {
        let run = sweep(words);
        assert_eq!((run.code, run.out.as_str()), (Some(BAD_INPUT), ""), "{run}");
        assert!(run.err.contains(message), "expected {message}: {run}");
    }
}
