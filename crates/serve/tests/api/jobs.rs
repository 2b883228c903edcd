//! The events and results of jobs.

use serde_json::{Value, json};

use crate::MAZE;
use crate::support::Server;

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
}

#[tokio::test]
async fn frames_add_up_to_the_counts_of_the_answer() {
    let server = Server::new();
    let tiles = "6 7 2\n0 3 1\n4 5 8\n";
    for (text, heuristic, places) in [(MAZE, "manhattan", true), (tiles, "manhattan", false), (tiles, "zero", false)] {
        let request = json!({ "board": { "text": text }, "search": { "algorithm": "astar", "heuristic": heuristic } });
        let events = server.job("/api/watch", &request).await;
        let frames: Vec<Value> =
            events.named("frames").into_iter().flat_map(|frames| frames.as_array().expect("a list").clone()).collect();
        let answer = events.last("answer");
        let last = frames.last().expect("there are frames");
        for count in ["expanded", "generated", "reopened"] {
            assert_eq!(last[count], answer["stats"][count], "{text} {heuristic} {count}");
        }
        // The goal is visited but not expanded.
        let visits = answer["stats"]["expanded"].as_u64().expect("a number") + 1;
        assert_eq!(last["visits"].as_u64(), Some(visits));
        assert_eq!(last["state"], *answer["states"].as_array().expect("a list").last().expect("a state"));
        let layers: u64 =
            frames.iter().flat_map(|frame| numbers(&frame["layers"]).into_iter().skip(1).step_by(2)).sum();
        assert_eq!(layers, visits);
        let visited: u64 =
            frames.iter().flat_map(|frame| numbers(&frame["visited"]).into_iter().skip(2).step_by(3)).sum();
        assert_eq!(visited, if places { visits } else { 0 });
        // The first states have a frame each, and the number of frames stays small.
        assert!(frames.iter().take(500).enumerate().all(|(at, frame)| frame["visits"] == json!(at + 1)));
        assert!(frames.len() <= 8000, "{}", frames.len());
    }
}

/// Compared with a breadth-first search here, which uses only the moves that the server lists.
#[tokio::test]
async fn open_states_are_generated_and_not_visited() {
    let server = Server::new();
    let request = json!({ "board": { "text": MAZE }, "search": { "algorithm": "bfs" } });
    let events = server.job("/api/watch", &request).await;
    let frames: Vec<Value> =
        events.named("frames").into_iter().flat_map(|frames| frames.as_array().expect("a list").clone()).collect();
    let mut met = std::collections::HashSet::new();
    let mut visited = std::collections::HashSet::new();
    met.insert(frames[0]["state"].to_string());
    for (at, frame) in frames.iter().enumerate() {
        let state = frame["state"].to_string();
        assert!(met.contains(&state), "frame {at}");
        visited.insert(state);
        let (_, position) = server.post("/api/open", &json!({ "text": MAZE, "state": frame["state"] })).await;
        if position["solved"] == false {
            met.extend(position["moves"].as_array().expect("a list").iter().map(|next| next["state"].to_string()));
        }
        assert_eq!(frame["open"].as_u64(), Some((met.len() - visited.len()) as u64), "frame {at}");
    }
}

#[tokio::test]
async fn a_trace_has_every_visit() {
    let server = Server::new();
    let search = json!({ "algorithm": "astar", "heuristic": "manhattan" });
    let events = server.job("/api/trace", &json!({ "board": { "text": MAZE }, "search": search })).await;
    let lines: Vec<Value> =
        events.named("lines").into_iter().flat_map(|lines| lines.as_array().expect("a list").clone()).collect();
    let answer = events.last("answer");
    assert_eq!(lines.len() as u64, answer["stats"]["expanded"].as_u64().expect("a number") + 1);
    assert_eq!((&lines[0]["g"], &lines[0]["parent"]), (&json!(0), &Value::Null));
}

#[tokio::test]
async fn a_comparison_marks_what_is_not_optimal() {
    let server = Server::new();
    let request = json!({
        "board": { "text": MAZE, "name": "trap" },
        "heuristics": ["oriented", "open-board"],
        "algorithms": ["astar-no-reopen"],
    });
    let result = server.job("/api/compare", &request).await.last("result");
    let runs = result["runs"].as_array().expect("a list");
    assert_eq!((runs[0]["cost"].as_u64(), runs[1]["cost"].as_u64()), (Some(11), Some(9)));
    assert_eq!(runs[0]["note"], "NOT OPTIMAL: 2 more than the optimum 9");
    assert_eq!((&runs[0]["alarming"], &runs[1]["alarming"]), (&json!(true), &json!(false)));
    let charts = result["charts"].as_array().expect("a list");
    assert_eq!(charts.len(), 3);
    assert!(charts.iter().all(|chart| chart["page"].as_str().is_some_and(|svg| svg.contains("var(--"))));
    assert!(charts.iter().all(|chart| chart["paper"].as_str().is_some_and(|svg| !svg.contains("var(--"))));
    assert!(result["csv"].as_str().is_some_and(|csv| csv.lines().count() == 3));
}

#[tokio::test]
async fn an_audit_shows_a_counterexample_that_can_be_played() {
    let server = Server::new();
    let request = json!({ "board": { "text": MAZE }, "heuristics": ["open-board", "oriented"] });
    let result = server.job("/api/audit", &request).await.last("result");
    let [good, bad] = [0, 1].map(|at| &result["reports"][at]);
    assert_eq!((&good["verdict"], &good["counterexample"]), (&json!("admissible and consistent"), &Value::Null));
    assert_eq!(bad["verdict"], "NOT admissible, NOT consistent");
    let found = &bad["counterexample"];
    let rows: Vec<&str> =
        found["instance"]["rows"].as_array().expect("rows").iter().filter_map(Value::as_str).collect();
    let board = json!({ "text": rows.join("\n"), "state": found["state"] });
    let answer = server.job("/api/solve", &json!({ "board": board })).await.last("answer");
    assert_eq!(answer["cost"], found["distance"]);
    assert!(found["h"].as_f64() > found["distance"].as_f64());
}

#[tokio::test]
async fn an_audit_of_a_whole_puzzle_ignores_the_board() {
    let server = Server::new();
    let request = json!({
        "board": { "text": MAZE }, "heuristics": ["oriented"], "scope": "open:3", "whole_puzzle": true,
    });
    let result = server.job("/api/audit", &request).await.last("result");
    let found = &result["reports"][0]["counterexample"];
    assert_eq!(found["kind"], "overestimate");
    assert!(found["instance"]["rows"].is_array());
    let request = json!({ "board": { "text": MAZE }, "heuristics": ["zero"], "scope": "odd" });
    let error = server.job("/api/audit", &request).await.last("error");
    assert_eq!(error["error"]["message"], "unknown scope 'odd', expected maze or reachable or sample:N");
}

#[tokio::test]
async fn an_explanation_names_the_rule_and_the_claim_that_fails() {
    let server = Server::new();
    let board = json!({ "text": "GS\n..\n", "state": { "row": 0, "col": 1, "top": 4, "north": 2, "east": 1 } });
    let request = json!({ "board": board, "heuristics": ["open-board", "oriented", "2 * manhattan"] });
    let result = server.job("/api/explain", &request).await.last("explained");
    assert_eq!((&result["puzzle"], &result["distance"]), (&json!("die"), &json!(1)));
    let [good, bad, expression] = [0, 1, 2].map(|at| &result["heuristics"][at]);
    assert_eq!((&good["h"], &good["relative_error"], &good["admissible_here"]), (&json!(1), &json!(0.0), &json!(true)));
    assert_eq!(bad["h"], 3);
    assert_eq!((&bad["admissible_here"], &bad["consistent_here"]), (&json!(false), &json!(false)));
    assert_eq!(bad["inconsistent_successor"]["action"], "W");
    let values = bad["parts"].as_array().expect("parts").iter().filter_map(|part| part["value"].as_u64());
    assert_eq!(values.sum::<u64>(), 3);
    assert_eq!((&expression["h"], &expression["parts"]), (&json!(2), &json!([])));
    let error = server.job("/api/explain", &json!({ "board": board, "heuristics": ["odd"] })).await.last("error");
    assert!(error["error"]["message"].as_str().is_some_and(|message| message.contains("'odd'")), "{error}");
}
