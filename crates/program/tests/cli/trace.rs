//! `solve --trace`.

use serde::Deserialize;
use serde_json::Value;

use crate::puzzles::*;
use crate::support::{ANSWERED, Folder, REFUTED, STOPPED, assert_text};

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Event {
    id: u64,
    parent: Option<u64>,
    action: Option<String>,
    g: u32,
    h: f64,
    f: f64,
    backward: bool,
    state: Value,
}

/// Runs with a trace; returns the events and the run.
fn traced(puzzle: &str, options: &str) -> (Vec<Event>, crate::support::Run) {
    let folder = Folder::with("puzzle", puzzle);
    let run = folder.run(&format!("solve puzzle --format json --trace trace.jsonl {options}"));
    assert_eq!(folder.names(), ["puzzle", "trace.jsonl"], "{run}");
    let text = folder.read("trace.jsonl");
    assert!(text.is_empty() || text.ends_with('\n'));
    (text.lines().map(|line| serde_json::from_str(line).expect("an event a line")).collect(), run)
}

#[test]
fn a_trace_has_a_line_for_every_visited_state() {
    for (puzzle, text, cost) in SOLVABLE {
        for algorithm in ["astar", "ucs", "greedy", "wastar"] {
            let (events, run) = traced(text, &format!("--algorithm {algorithm}"));
            let answer = run.solved::<Value>();
            assert_eq!(events.len() as u64, answer.stats.expanded + 1, "{puzzle} {algorithm}: expanded, and the goal");
            let last = events.last().expect("the goal");
            assert_eq!((Some(&last.state), last.g), (answer.states.last(), answer.cost));
            assert!(last.g >= cost);
        }
    }
}

/// These algorithms stop when they generate the goal, before expanding it; `idastar` visits states repeatedly.
#[test]
fn a_trace_has_an_event_for_each_expansion() {
    for (puzzle, text, _) in SOLVABLE {
        for algorithm in ["bfs", "dfs", "idastar", "bidirectional"] {
            let (events, run) = traced(text, &format!("--algorithm {algorithm}"));
            assert_eq!(events.len() as u64, run.solved::<Value>().stats.expanded, "{puzzle} {algorithm}");
        }
    }
}

#[test]
fn a_trace_of_a_puzzle_without_solution_has_every_state_once() {
    for (puzzle, text) in UNSOLVABLE {
        for algorithm in ["astar", "ucs", "bfs", "dfs", "greedy"] {
            let (events, run) = traced(text, &format!("--algorithm {algorithm}"));
            assert_eq!(events.len() as u64, run.unsolvable().stats.expanded, "{puzzle} {algorithm}");
        }
    }
}

#[test]
fn events_refer_to_their_parents() {
    for (puzzle, text, _) in SOLVABLE {
        let (events, run) = traced(text, "--algorithm astar");
        assert_eq!((events[0].parent, events[0].action.as_deref(), events[0].g), (None, None, 0), "{puzzle}");
        assert_eq!(events[0].state, run.solved::<Value>().states[0]);
        for event in &events[1..] {
            let parent = events.iter().find(|other| Some(other.id) == event.parent).expect("was visited before");
            assert_eq!(event.g, parent.g + 1);
            assert_eq!(event.f, f64::from(event.g) + event.h);
            assert!(event.action.is_some() && !event.backward);
        }
    }
}

#[test]
fn a_trace_is_written_in_full() {
    let folder = Folder::with("puzzle", TILES);
    folder.run("solve puzzle --trace trace.jsonl").prints(ANSWERED);
    let expected = "\
{\"id\":0,\"parent\":null,\"action\":null,\"g\":0,\"h\":2.0,\"f\":2.0,\"backward\":false,\"state\":[1,2,3,4,0,5,7,8,6]}
{\"id\":1,\"parent\":0,\"action\":\"LEFT\",\"g\":1,\"h\":1.0,\"f\":2.0,\"backward\":false,\"state\":[1,2,3,4,5,0,7,8,6]}
{\"id\":2,\"parent\":1,\"action\":\"UP\",\"g\":2,\"h\":0.0,\"f\":2.0,\"backward\":false,\"state\":[1,2,3,4,5,6,7,8,0]}
";
    assert_text(&folder.read("trace.jsonl"), expected);
}

#[test]
fn a_posthoc_trace_has_a_version_views_and_an_event_a_state() {
    for (puzzle, text, _) in SOLVABLE {
        let folder = Folder::with("puzzle", text);
        let expanded = folder.run("solve puzzle --format json --trace trace.yaml").solved::<Value>().stats.expanded;
        let trace = folder.read("trace.yaml");
        assert!(trace.starts_with("version: 1.4.0\nviews:\n"), "{trace}");
        let (_, events) = trace.split_once("\nevents:\n").expect("events come last");
        let events: Vec<&str> = events.lines().collect();
        assert_eq!(events.len() as u64, expanded + 1, "{puzzle}");
        assert!(events[0].starts_with("  - { type: source, id: 0, pId: null, x: "), "{}", events[0]);
        let goes_on = |line: &&str| line.starts_with("  - { type: expanding, id: ") && line.ends_with("\" }");
        assert!(events[1..].iter().all(goes_on), "{trace}");
    }
}

#[test]
fn a_posthoc_trace_of_a_maze_is_drawn_where_the_die_is() {
    let folder = Folder::with("puzzle", "SG\n..\n..\n");
    folder.run("solve puzzle --trace trace.yml --algorithm bfs").prints(ANSWERED);
    let trace = folder.read("trace.yml");
    let second = "  - { type: expanding, id: 1, pId: 0, x: 1, y: 0, g: 1, h: 0, f: 1, \
                  state: \"{\\\"row\\\":0,\\\"col\\\":1,\\\"top\\\":4,\\\"north\\\":2,\\\"east\\\":1}\" }";
    assert!(trace.lines().any(|line| line == second), "{trace}");
}

#[test]
fn a_trace_without_states_is_still_a_list() {
    let folder = Folder::with("puzzle", SWAPPED_TILES);
    folder.run("solve puzzle --trace trace.yaml").prints(REFUTED);
    assert!(folder.read("trace.yaml").ends_with("\nevents:\n  []\n"));
}

#[test]
fn a_truncated_trace_is_announced() {
    let lines_and_notes = |limit: u32| {
        let folder = Folder::with("puzzle", MAZE);
        let run = folder.run(&format!("solve puzzle --trace trace.jsonl --trace-limit {limit}"));
        assert_eq!(run.code, Some(ANSWERED), "{run}");
        (folder.read("trace.jsonl").lines().count(), run.err)
    };
    let note = |limit: u32| format!("note: the trace ends after {limit} states (--trace-limit)\n");
    assert_eq!(lines_and_notes(0), (0, note(0)));
    assert_eq!(lines_and_notes(3), (3, note(3)));
    assert_eq!(lines_and_notes(6), (6, note(6)));
    assert_eq!(lines_and_notes(7), (7, String::new()), "the trace is complete");
    assert_eq!(lines_and_notes(8), (7, String::new()));
}

#[test]
fn a_search_that_was_stopped_leaves_a_trace_up_to_there() {
    let folder = Folder::with("puzzle", MAZES[4]);
    folder.run("solve puzzle --trace trace.jsonl --node-limit 20").prints(STOPPED);
    assert_eq!(folder.read("trace.jsonl").lines().count(), 20);
}

#[test]
fn a_trace_replaces_the_one_before() {
    let folder = Folder::with("puzzle", MAZE).and("trace.jsonl", "something else\n".repeat(1000));
    folder.run("solve puzzle --trace trace.jsonl").prints(ANSWERED);
    assert_eq!(folder.read("trace.jsonl").lines().count(), 7);
}

#[test]
fn a_failure_leaves_no_files() {
    let folder = Folder::with("puzzle", MAZE).and("bad", "S..\n").and("kept.jsonl", "as it was\n");
    for words in [
        "solve puzzle --trace kept.jsonl --heuristic unknown",
        "solve puzzle --trace kept.jsonl --algorithm unknown",
        "solve puzzle --trace new.yaml --heuristic unknown",
        "solve bad --trace new.yaml",
        "solve puzzle --trace new.txt",
    ] {
        folder.run(words).refuses();
        assert_eq!(folder.names(), ["bad", "kept.jsonl", "puzzle"], "{words}");
    }
    assert_eq!(folder.read("kept.jsonl"), "as it was\n");
}

#[cfg(unix)]
#[test]
fn a_trace_has_the_default_permissions() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::with("puzzle", MAZE);
    folder.run("solve puzzle --trace trace.jsonl").prints(ANSWERED);
    let mode = |name: &str| folder.path().join(name).metadata().expect("the file exists").permissions().mode();
    assert_eq!(mode("trace.jsonl"), mode("puzzle"));
}
