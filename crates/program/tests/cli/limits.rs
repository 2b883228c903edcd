//! Limits on nodes, time, memory and depth.

use crate::puzzles::*;
use crate::support::{ANSWERED, Folder, REFUTED, STOPPED, assert_text, masked, solve};

const HARD: &str = "--goal blank-first --format json";
/// Without greedy search, which finds a solution before it needs much memory.
const MEMORY_BOUND: [&str; 6] = ["astar", "ucs", "bfs", "dfs", "wastar", "bidirectional"];

/// The hardest 3x3 board takes 31 moves.
#[test]
fn a_move_limit_is_proved() {
    let folder = Folder::with("board", "8 6 7\n2 5 4\n3 0 1\n");
    for algorithm in ["", "-a astar -H manhattan", "-a bfs", "-a idastar -H manhattan", "-a bidirectional"] {
        let run = folder.run(&format!("solve board {algorithm} --move-limit 30 --format json"));
        let answer: serde_json::Value = serde_json::from_str(run.prints(REFUTED)).expect("it is JSON");
        assert_eq!((&answer["why"], &answer["lower_bound"]), (&"move limit".into(), &31.into()), "{run}");
        assert_eq!(answer["move_limit"], 30, "{run}");
        let run = folder.run(&format!("solve board {algorithm} --move-limit 31 --format json"));
        assert!(run.prints(ANSWERED).contains("\"cost\":31,\"guarantee\":\"optimal\""), "{run}");
    }
    let run = folder.run("solve board --move-limit 30");
    let words = "No solution within 30 moves, proved; every solution has a cost of at least 31.\n";
    assert!(run.prints(REFUTED).contains(words), "{run}");
    // A long solution that is not proved shortest answers nothing.
    let run = folder.run("solve board --move-limit 30 -a greedy -H manhattan");
    assert_eq!(run.code, Some(STOPPED), "{run}");
    assert!(run.err.contains("above the move limit 30, and is not optimal"), "{run}");
}

/// Half of the 362,880 permutations are reached from an unsolvable board.
#[test]
fn an_unsolvable_board_is_searched_to_the_end() {
    let folder = Folder::with("board", "1 2 3\n4 5 6\n8 7 0\n");
    for algorithm in ["", "-a astar -H walking-distance", "-a ucs", "-a bfs", "-a dfs"] {
        let run = folder.run(&format!("solve board {algorithm} --no-parity --format json"));
        let answer: serde_json::Value = serde_json::from_str(run.prints(REFUTED)).expect("it is JSON");
        assert_eq!((&answer["outcome"], &answer["cost"]), (&"unsolvable".into(), &serde_json::Value::Null), "{run}");
        assert_eq!(answer["stats"]["expanded"], 181_440, "{algorithm}: {run}");
        assert_eq!(answer["stats"]["generated"], 483_840, "{algorithm}: {run}");
    }
    let run = folder.run("solve board --no-parity");
    assert!(run.prints(REFUTED).contains("No solution, proved: no reachable state is a goal.\n"), "{run}");
    assert!(folder.run("solve board").prints(REFUTED).contains("proved by parity, without a search"));
    let run = folder.run("solve board --no-parity -a idastar");
    assert!(run.refuses().contains("idastar never ends on a board without a solution"), "{run}");
}

#[test]
fn a_node_limit_stops_at_that_many_states() {
    for algorithm in ["astar", "ucs", "bfs", "dfs", "greedy", "wastar", "idastar", "bidirectional"] {
        let answer = solve(KORF_1, &format!("{HARD} --node-limit 10 --algorithm {algorithm}")).stopped();
        assert_eq!((answer.why.as_str(), answer.stats.expanded), ("node limit", 10), "{algorithm}");
        assert_eq!((answer.puzzle.as_str(), answer.algorithm.as_str()), ("tiles", algorithm));
        assert!(answer.lower_bound <= 57, "{algorithm}: {}", answer.lower_bound);
    }
}

#[test]
fn a_bound_is_proved_even_if_no_solution_is_found() {
    let answer = solve(KORF_1, &format!("{HARD} --node-limit 1k --heuristic manhattan")).stopped();
    assert_eq!((answer.algorithm.as_str(), answer.heuristic.as_str()), ("idastar-pruned", "manhattan"));
    assert!((41..=57).contains(&answer.lower_bound), "{}", answer.lower_bound);
    assert_eq!(answer.file, "puzzle");
}

#[test]
fn a_limit_is_reported_with_statistics() {
    let run = solve(MAZES[3], "--node-limit 10 --heuristic manhattan");
    let expected = "\
die  puzzle
astar with manhattan

  . G * . 1 .
  . . . * . .
  . * . . . *
  . . . . . .
  . . . * . .

Stopped at the node limit; every solution has a cost of at least 7.

  expanded                            10
  generated                           21
  reopened                             0
  before the last layer                4
  largest frontier                     4  (entries: a state may have several)
  time *
  memory *
";
    assert_text(&masked(run.prints(STOPPED)), expected);
}

#[test]
fn the_course_format_reports_a_limit_in_one_line() {
    for (puzzle, expected) in [
        (KORF_1, "UNSOLVED\n"),
        (KLOTSKI_CLASSIC, "Stopped at the node limit: every solution has at least 5 steps\n"),
        (CHEXERS_EXAMPLE, "# stopped at the node limit: every solution has at least 10 actions\n"),
    ] {
        let goal = if puzzle == KORF_1 { "--goal blank-first" } else { "" };
        assert_text(solve(puzzle, &format!("--format course --node-limit 10 {goal}")).prints(STOPPED), expected);
    }
}

#[test]
fn a_time_limit_is_kept() {
    for algorithm in ["idastar", "astar", "bidirectional", "dfs"] {
        let answer = solve(KORF_24_1, &format!("{HARD} --time-limit 100ms --algorithm {algorithm}")).stopped();
        assert_eq!(answer.why, "time limit");
        // The whole search would take hours; on a busy machine the stop may take seconds. Reading counts as well.
        assert!((0.0..20.0).contains(&answer.stats.seconds), "{algorithm}: {}", answer.stats.seconds);
    }
}

#[test]
fn a_memory_limit_stops_searches_without_a_bound() {
    for algorithm in ["dfs", "wastar"] {
        let answer = solve(KORF_24_1, &format!("{HARD} --memory-limit 1M --algorithm {algorithm}")).stopped();
        assert_eq!(answer.why, "memory limit", "{algorithm}");
        assert!(answer.stats.expanded > 1000, "{algorithm}: {:?}", answer.stats);
    }
}

#[test]
fn searches_with_a_bound_hand_over_when_memory_runs_out() {
    for algorithm in ["astar", "ucs", "bfs", "bidirectional"] {
        let limits = "--memory-limit 1M --node-limit 400k";
        let run = solve(KORF_24_1, &format!("{HARD} {limits} --algorithm {algorithm}"));
        let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"));
        assert_eq!((run.code, &answer["why"]), (Some(STOPPED), &"node limit".into()), "{run}");
        assert_eq!(answer["algorithm"], algorithm, "the algorithm given");
        let handover = &answer["handover"];
        assert_eq!((&handover["from"], &handover["to"]), (&algorithm.into(), &"idastar".into()), "{run}");
        assert_eq!(answer["stats"]["expanded"], 400_000, "both count: {run}");
        let bounds = [&handover["lower_bound"], &answer["lower_bound"]].map(|bound| bound.as_u64().unwrap_or(0));
        assert!(0 < bounds[0] && bounds[0] <= bounds[1] && bounds[1] <= 95, "{run}");
        let text = solve(KORF_24_1, &format!("--goal blank-first {limits} --algorithm {algorithm}"));
        assert!(text.out.contains(&format!("\n{algorithm} ran out of memory after ")), "{text}");
    }
    let run = solve(KORF_1, &format!("{HARD} --memory-limit 4M --algorithm astar --heuristic linear-conflict"));
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"));
    assert_eq!((&answer["cost"], &answer["guarantee"]), (&57.into(), &"optimal".into()), "it goes on to the optimum");
}

#[test]
fn a_memory_limit_is_never_exceeded() {
    let limit = 1 << 20;
    let peak = |puzzle, algorithm: &str| {
        let run = solve(puzzle, &format!("{HARD} --memory-limit {limit} --node-limit 400k --algorithm {algorithm}"));
        let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"));
        answer["stats"]["peak_bytes"].as_u64().unwrap_or_else(|| panic!("{run}"))
    };
    let over: Vec<(&str, u64)> = [KORF_1, KORF_24_1]
        .into_iter()
        .flat_map(|puzzle| MEMORY_BOUND.map(|algorithm| (algorithm, peak(puzzle, algorithm))))
        .filter(|&(_, bytes)| bytes > limit)
        .collect();
    assert_eq!(over, [], "bytes, where {limit} were allowed");
}

#[test]
fn units_of_limits_are_understood() {
    for limits in [
        "--time-limit 60 --memory-limit 1GiB --node-limit 1_000_000",
        "--time-limit 1m --memory-limit 500mb --node-limit 1.5M",
        "--time-limit 0.1h --memory-limit 2000000 --node-limit 20k",
        "--time-limit 60000ms --memory-limit 100000k --node-limit 1G",
    ] {
        assert_eq!(solve(MAZE, &format!("--format json {limits}")).solved::<serde_json::Value>().cost, 6, "{limits}");
    }
}

#[test]
fn a_depth_limit_proves_nothing() {
    let answer = solve(MAZES[4], "--format json --algorithm dfs --depth-limit 5").stopped();
    assert_eq!((answer.why.as_str(), answer.lower_bound), ("depth limit", 0));
    let run = solve(MAZES[4], "--algorithm dfs --depth-limit 5");
    assert!(run.prints(STOPPED).contains("\nStopped at the depth limit.\n"), "{run}");
}

#[test]
fn a_search_without_a_choice_of_algorithm_is_stopped_with_a_solution() {
    let folder = Folder::with("puzzle", KORF_24_1);
    let run = folder.run("solve puzzle --goal blank-first --format json --time-limit 3s");
    let answer: serde_json::Value = serde_json::from_str(run.prints(STOPPED)).expect("it is JSON");
    let bound = answer["lower_bound"].as_u64().expect("a bound");
    let cost = answer["best"]["cost"].as_u64().unwrap_or_else(|| panic!("it has a solution: {run}"));
    // The optimum is 95.
    assert!((70..=95).contains(&bound) && (95..=bound * 2).contains(&cost), "{bound} {cost}");
    let actions = answer["best"]["actions"].as_array().expect("its actions");
    assert_eq!(actions.len() as u64, cost);
}

#[test]
fn the_course_format_has_the_best_solution_and_a_warning() {
    let folder = Folder::with("puzzle", KORF_24_1);
    let run = folder.run("solve puzzle --goal blank-first --format course --time-limit 3s");
    let actions = &run.out;
    assert_eq!(run.code, Some(STOPPED), "{run}");
    assert!(run.err.starts_with("warning: the solution has a cost of "), "{run}");
    assert!(actions.lines().count() >= 95 && run.err.contains(" and is not proved to be shortest; "), "{run}");
    folder.write("solution", actions);
    let verdict = folder.run("verify puzzle solution --goal blank-first --time-limit 100ms");
    assert!(verdict.out.starts_with("Legal: "), "{verdict}");
}

#[test]
fn a_node_limit_leaves_the_search_alone() {
    let run = solve(KORF_24_1, "--goal blank-first --format json --node-limit 8M");
    let answer: serde_json::Value = serde_json::from_str(run.prints(STOPPED)).expect("it is JSON");
    assert_eq!((&answer["best"], &answer["stats"]["expanded"]), (&serde_json::Value::Null, &8_000_000.into()));
}
