//! Requests answered from beginning to end, without a server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use admissible_puzzles::PUZZLES;
use serde_json::{Value, json};

use super::{CALLS, Client, Settings, Takes, answer};

/// A maze with a shortest solution of 9 rolls.
const MAZE: &str = "G*..\n....\n....\n..S.\n";

/// Keeps the events that it has room for, and leaves then.
#[derive(Clone)]
struct Listener {
    events: Arc<Mutex<Vec<(String, Value)>>>,
    room: usize,
}

impl Client for Listener {
    fn send(&self, name: &str, data: &Value) -> bool {
        self.events.lock().unwrap().push((name.into(), data.clone()));
        true
    }

    fn offer(&self, name: &str, data: &Value) {
        self.send(name, data);
    }

    fn has_left(&self) -> bool {
        self.events.lock().unwrap().len() >= self.room
    }
}

fn events(room: usize, path: &str, body: &Value) -> Vec<(String, Value)> {
    let settings = Settings {
        puzzles: PUZZLES,
        jobs: 1,
        time: Duration::from_secs(60),
        memory: 1 << 28,
        table_cache: None,
        seed: || 42,
    };
    let listener = Listener { events: Arc::default(), room };
    answer(&settings, path, body.to_string().as_bytes(), listener.clone());
    listener.events.lock().unwrap().clone()
}

/// The last event, which must have that name.
fn last(name: &str, path: &str, body: &Value) -> Value {
    let (found, data) = events(usize::MAX, path, body).pop().expect("there is an event");
    assert_eq!(found, name, "{data}");
    data
}

#[test]
fn every_kind_of_request_is_answered() {
    let board = json!({ "text": MAZE });
    let ask = |name, path, more: Value| {
        let mut request = json!({ "board": board });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        last(name, path, &request)
    };
    assert_eq!(last("answer", "/api/puzzles", &json!(null))["puzzles"][0]["name"], "die");
    assert_eq!(last("answer", "/api/open", &board)["moves"].as_array().map(Vec::len), Some(3));
    assert_eq!(last("answer", "/api/generate", &json!({ "puzzle": "pancake" }))["seed"], 42);
    for path in ["/api/solve", "/api/trace", "/api/watch"] {
        let answer = ask("answer", path, json!({}));
        assert_eq!((&answer["cost"], &answer["guarantee"]), (&json!(9), &json!("optimal")), "{path}");
    }
    assert_eq!(ask("result", "/api/compare", json!({ "heuristics": ["zero"] }))["optimum"], 9);
    assert_eq!(ask("result", "/api/audit", json!({ "heuristics": ["zero"] }))["exhaustive"], true);
    assert_eq!(ask("explained", "/api/explain", json!({ "heuristics": ["zero"] }))["distance"], 9);
    assert_eq!(CALLS.len(), 9, "all were asked");
}

#[test]
fn what_is_wrong_with_a_request_is_said() {
    for (path, body, expected) in [
        ("/api/odd", json!({}), "there is nothing here"),
        ("/api/solve", json!({ "bord": {} }), "the body is no such request: unknown field `bord`"),
        ("/api/solve", json!({ "board": { "text": "" } }), "error: board:1:1: expected a puzzle, found an empty file"),
        ("/api/generate", json!({ "puzzle": "odd" }), "unknown puzzle 'odd'"),
    ] {
        let error = last("error", path, &body);
        let message = error["error"]["message"].as_str().expect("a text");
        assert!(message.starts_with(expected), "{path} {body}: {message}");
    }
    for call in CALLS.iter().filter(|call| call.takes != Takes::Nothing) {
        last("error", call.path, &json!({}));
    }
}

/// A search without an end stops soon after its client has left.
#[test]
fn a_job_ends_when_its_client_leaves() {
    let board = json!({ "text": "1 3 7 4\n2 0 14 13\n9 10 5 8\n12 15 6 11\n" });
    let request = json!({ "board": board, "search": { "algorithm": "idastar", "heuristic": "zero" } });
    let events = events(3, "/api/solve", &request);
    assert_eq!(events.iter().filter(|(name, _)| name == "progress").count(), 3);
    assert_eq!(events.last().unwrap().1["why"], "interrupted");
}
