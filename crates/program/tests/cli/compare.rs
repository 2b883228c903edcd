//! `compare`.

use serde_json::Value;

use crate::puzzles::*;
use crate::support::{ANSWERED, BAD_INPUT, Folder, Run, STOPPED, has_escape_codes};

/// A* that never reopens answers 11 with `oriented`, where 9 is the optimum.
const TRAP: &str = "G*..\n....\n....\n..S.\n";

fn runs(run: &Run, code: i32) -> Vec<Value> {
    serde_json::from_str(run.prints(code)).unwrap_or_else(|error| panic!("{error}: {run}"))
}

fn compare(puzzle: &str, options: &str) -> Run {
    Folder::with("puzzle", puzzle).run(&format!("compare puzzle {options}"))
}

/// Compares the figures with those of `solve`.
#[test]
fn every_combination_runs_and_counts_what_solve_counts() {
    let folder = Folder::with("p2", MAZES[1]).and("p4", MAZES[3]);
    let compared = runs(&folder.run("compare p2 p4 --algorithms astar,bfs,idastar --format json"), ANSWERED);
    let heuristics =
        ["zero", "euclidean", "manhattan", "die-roll", "die-roll-as-run", "oriented", "oriented-as-run", "open-board"];
    assert_eq!(compared.len(), 2 * (8 + 1 + 8), "bfs runs once");
    let mut at = compared.iter();
    for file in ["p2", "p4"] {
        for algorithm in ["astar", "bfs", "idastar"] {
            let named: Vec<Option<&str>> =
                if algorithm == "bfs" { vec![None] } else { heuristics.iter().copied().map(Some).collect() };
            for heuristic in named {
                let run = at.next().expect("as many as there should be");
                let option = heuristic.map_or(String::new(), |name| format!("--heuristic {name}"));
                let alone = folder.run(&format!("solve {file} --algorithm {algorithm} {option} --format json"));
                let alone: Value = serde_json::from_str(alone.prints(ANSWERED)).expect("it is JSON");
                assert_eq!(run["heuristic"], heuristic.map_or(Value::Null, Value::from));
                for key in ["puzzle", "file", "algorithm", "outcome", "cost", "guarantee"] {
                    assert_eq!(run[key], alone[key], "{file} {algorithm} {heuristic:?}: {key}");
                }
                for key in ["expanded", "generated", "reopened", "expanded_before_last_layer", "max_frontier"] {
                    assert_eq!(run["stats"][key], alone["stats"][key], "{file} {algorithm} {heuristic:?}: {key}");
                }
                let visited = alone["stats"]["expanded"].as_u64().map(|expanded| expanded + 1);
                assert_eq!(run["stats"]["visited"].as_u64(), visited);
            }
        }
    }
}

#[test]
fn the_table_of_a_report_is_printed_in_every_format() {
    let folder = Folder::with("p_1", MAZES[0]).and("p2", MAZES[1]);
    let words = "compare p_1 p2 --heuristics zero,manhattan --tie-break fifo";
    let found = runs(&folder.run(&format!("{words} --format json")), ANSWERED);
    let count = |at: usize, key: &str| found[at]["stats"][key].as_u64().expect("a number");
    let pairs: Vec<[u64; 2]> = (0..4).map(|at| [count(at, "generated"), count(at, "visited")]).collect();
    // The runs of a file are consecutive.
    let row = |name: &str, at: usize| {
        let [first, second] = [pairs[at], pairs[at + 2]];
        format!("{name},{},{},{},{}\n", first[0], first[1], second[0], second[1])
    };
    let header = "heuristic,p_1 generated,p_1 visited,p2 generated,p2 visited\n";
    let expected = format!("{header}{}{}", row("zero", 0), row("manhattan", 1));
    assert_eq!(folder.run(&format!("{words} --pivot puzzle --format csv")).prints(ANSWERED), expected);
    let other = folder.run(&format!("{words} --pivot heuristic --format csv"));
    let [zero, manhattan] = [pairs[0], pairs[1]];
    let first = format!("p_1,{},{},{},{}", zero[0], zero[1], manhattan[0], manhattan[1]);
    let header = "puzzle,zero generated,zero visited,manhattan generated,manhattan visited";
    assert_eq!(other.prints(ANSWERED).lines().take(2).collect::<Vec<_>>(), [header, first.as_str()]);
    let latex = folder.run(&format!("{words} --pivot puzzle --format latex"));
    assert!(latex.prints(ANSWERED).contains(r" & \multicolumn{2}{c}{p\_1} & \multicolumn{2}{c}{p2} \\"), "{latex}");
    assert!(latex.out.contains(&format!("zero & {} & {} & ", zero[0], zero[1])), "{latex}");
    let markdown = folder.run(&format!("{words} --pivot puzzle --format markdown"));
    assert!(markdown.prints(ANSWERED).contains(&format!("| zero | {} | {} | ", zero[0], zero[1])), "{markdown}");
    let text = folder.run(&format!("{words} --pivot puzzle"));
    assert!(text.prints(ANSWERED).contains("\n  heuristic   generated  visited   generated  visited\n"), "{text}");
    assert!(text.out.contains("\n  On the 2 puzzles together, generated: least "), "{text}");
    assert_eq!(folder.run(&format!("{words} --format csv")).prints(ANSWERED).lines().count(), 1 + 4);
    let single = folder.run(&format!("{words} --format latex"));
    assert_eq!(single.prints(ANSWERED).matches("\\end{table}").count(), 2, "{single}");
}

/// A state of a maze has at most four successors, and the estimate of zero is off by all of the cost.
#[test]
fn errors_and_branching_are_shown() {
    for run in runs(&compare(MAZES[1], "--format json --algorithms astar,bfs,idastar"), ANSWERED) {
        let (h, cost) = (run["h_start"].as_f64(), run["cost"].as_f64().expect("it is solved"));
        let error = h.map(|h| (cost - h) / cost);
        assert_eq!(run["relative_error"].as_f64(), error, "{run}");
        match run["algorithm"].as_str() {
            Some("idastar") => assert_eq!(run["largest_branching"], Value::Null, "{run}"),
            _ => assert!(run["largest_branching"].as_u64().is_some_and(|most| (2..=4).contains(&most)), "{run}"),
        }
    }
    let run = compare(MAZES[1], "--heuristics zero,manhattan");
    assert!(run.prints(ANSWERED).contains("  h(start)  error  max b  verdict\n"), "{run}");
    assert!(run.out.contains("\n  Generated: least "), "{run}");
    assert!(run.out.contains("\n  visited\n  puzzle\n    zero "), "{run}");
}

#[test]
fn a_frontier_of_entries_is_marked() {
    let note = "\n  frontier of astar, hdastar: entries, a state may have several\n";
    let run = compare(MAZES[1], "--heuristics zero,manhattan --algorithms astar,bfs,hdastar");
    assert!(run.prints(ANSWERED).contains(note), "{run}");
    let run = compare(MAZES[1], "--heuristics zero,manhattan --algorithms bfs,ucs,greedy,bidirectional");
    assert!(!run.prints(ANSWERED).contains("entries"), "{run}");
}

#[test]
fn an_answer_that_is_not_optimal_is_marked() {
    let options = "--heuristics oriented,manhattan --algorithms astar-no-reopen";
    let found = runs(&compare(TRAP, &format!("{options} --format json")), ANSWERED);
    let verdict = |run: &Value| (run["cost"].as_u64(), run["optimum"].as_u64(), run["verdict"].to_string());
    let verdicts: Vec<_> = found.iter().map(verdict).collect();
    let expected = [(Some(11), Some(9), "\"not optimal\"".into()), (Some(9), Some(9), "\"optimal\"".into())];
    assert_eq!(verdicts, expected);
    let run = compare(TRAP, options);
    assert!(run.prints(ANSWERED).contains("NOT OPTIMAL: 2 more than the optimum 9\n"), "{run}");
    assert!(run.out.contains("\n1 run answered with a cost that is not optimal, or not proved to be.\n"), "{run}");
    assert!(!has_escape_codes(&run.out));
    let coloured = compare(TRAP, &format!("{options} --color always"));
    assert!(coloured.out.contains("\u{1b}[1m\u{1b}[31mNOT OPTIMAL"), "{coloured}");
    let alone = compare(TRAP, "--heuristics oriented --algorithms astar-no-reopen");
    assert!(alone.prints(ANSWERED).contains("NOT PROVED optimal\n"), "{alone}");
}

#[test]
fn the_effective_branching_factor_fits_the_figures() {
    for run in runs(&compare(MAZES[4], "--format json"), ANSWERED) {
        let (b, depth) = (run["effective_branching"].as_f64().expect("it is solved"), run["cost"].as_i64());
        let sum: f64 = (1..=depth.expect("it is solved")).map(|power| b.powi(power as i32)).sum();
        let generated = run["stats"]["generated"].as_f64().expect("a number");
        assert!((sum / generated - 1.0).abs() < 1e-6, "{run}");
    }
}

#[test]
fn a_limit_is_an_outcome_and_the_rest_go_on() {
    let folder = Folder::with("hard", KORF_24_1).and("easy", "1 2 3\n4 5 6\n7 0 8\n");
    let options = "--goal blank-first --algorithms idastar,astar --heuristics manhattan --node-limit 1000";
    let found = runs(&folder.run(&format!("compare hard {options} --format json")), STOPPED);
    assert_eq!(found.len(), 2);
    for run in &found {
        assert_eq!((&run["outcome"], &run["why"]), (&"stopped".into(), &"node limit".into()), "{run}");
        assert_eq!((&run["cost"], &run["verdict"]), (&Value::Null, &"stopped".into()), "{run}");
    }
    let both = folder.run("compare hard easy --heuristics manhattan --node-limit 1000 --goal blank-last");
    assert!(both.prints(STOPPED).contains("stopped at the node limit, cost at least "), "{both}");
    assert!(both.out.contains("\ntiles  easy\n"), "{both}");
}

#[test]
fn unsolvable_is_an_answer() {
    let run = compare(MAZES[2], "");
    assert_eq!(run.prints(ANSWERED).matches("no solution, proved").count(), 8, "{run}");
}

#[test]
fn bad_input_is_refused_before_anything_runs() {
    let folder = Folder::with("good", MAZE).and("bad", "S.x\n..G\n").and("hard", KORF_24_1);
    for (words, message) in [
        ("compare hard bad", "error: bad:1:3: expected 'S', 'G', '.' or '*', found 'x'"),
        ("compare hard missing", "error: missing: "),
        (
            "compare good --heuristics manhatan",
            "error: unknown heuristic 'manhatan' for die, did you mean 'manhattan'?",
        ),
        ("compare good --heuristics manhattan,,zero", "expected a name before and after each comma"),
        ("compare good --algorithms astar,bsf", "unknown algorithm 'bsf', did you mean 'bfs'?"),
        ("compare - -", "error: only one of the files can be standard input"),
        ("compare good --report missing/report", "error: --report: missing: No such file or directory"),
        ("compare good --report bad", "found a file"),
        ("compare good --report .", "found '"),
        ("compare", "required arguments were not provided"),
    ] {
        let run = folder.run(words);
        assert_eq!((run.code, run.out.as_str()), (Some(BAD_INPUT), ""), "{run}");
        assert!(run.err.contains(message), "expected {message}: {run}");
    }
    assert_eq!(folder.names(), ["bad", "good", "hard"]);
}

#[test]
fn ignored_options_are_noted() {
    let folder = Folder::with("maze", MAZE).and("tiles", "1 2 3\n4 5 6\n7 0 8\n");
    let run = folder.run("compare maze tiles --heuristics misplaced,manhattan --weight 2");
    assert_eq!(run.code, Some(ANSWERED), "{run}");
    let expected = "\
note: none of the algorithms uses --weight
note: left out: maze: unknown heuristic 'misplaced' for die (see: admissible list die)
";
    assert_eq!(run.err, expected, "{run}");
}

/// The first construct that would make a browser fetch something.
fn fetched(page: &str) -> Option<&str> {
    ["src=", "@import", "url(", "<link", "<script", "xlink:href"].into_iter().find(|part| page.contains(part))
}

#[test]
fn a_report_is_whole_and_needs_nothing_else() {
    let folder = Folder::with("p2", MAZES[1]).and("trap", TRAP);
    let words = "compare p2 trap --algorithms astar-no-reopen --heuristics oriented,open-board --report report";
    folder.run(words).prints(ANSWERED);
    assert_eq!(folder.names(), ["p2", "report", "trap"]);
    let page = folder.read("report/index.html");
    assert_eq!(fetched(&page), None);
    for part in ["NOT OPTIMAL: 2 more than the optimum 9", "<svg", "NOT admissible", "admissible and consistent"] {
        assert!(page.contains(part), "{part}");
    }
    for chart in [
        "die-generated",
        "die-visited",
        "die-time",
        "die-p2-counts-linear",
        "die-oriented-h-distance",
        "die-open-board-error",
    ] {
        assert!(folder.read(&format!("report/charts/{chart}.svg")).starts_with("<svg "), "{chart}");
    }
    let figures: Vec<Value> = serde_json::from_str(&folder.read("report/figures.json")).expect("it is JSON");
    assert_eq!(figures.len(), 4);
    let csv = folder.read("report/figures.csv");
    assert_eq!(csv.lines().count(), 5);
    assert!(csv.starts_with("puzzle,file,algorithm,heuristic,outcome,cost,verdict,generated,visited,"), "{csv}");
    let generated = figures[0]["stats"]["generated"].to_string();
    assert!(csv.lines().nth(1).is_some_and(|line| line.contains(&format!(",{generated},"))), "{csv}");
    assert!(folder.read("report/figures.md").contains("| astar-no-reopen | oriented | solved | 11 | NOT OPTIMAL"));
    // An earlier report is replaced; a folder with other files is refused.
    folder.run(words).prints(ANSWERED);
    folder.write("report/notes", "mine");
    let run = folder.run(words);
    assert!(run.refuses().contains("found 'notes' in it"), "{run}");
    assert_eq!(folder.names(), ["p2", "report", "trap"]);
}
