//! Limits on number, time, memory and size, and clients that disconnect. No test depends on speed: long jobs are
//! endless, and the tests wait for events.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use admissible_serve::{Bound, MOST_BODY, Settings};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use crate::MAZE;
use crate::support::{Server, TIMEOUT, request, settings};

/// A request for a search that never ends.
fn endless() -> Value {
    let board = "1 3 7 4\n2 0 14 13\n9 10 5 8\n12 15 6 11\n";
    json!({ "board": { "text": board }, "search": { "algorithm": "idastar", "heuristic": "zero" } })
}

/// Settings under which a search ends only if its client disconnects.
fn unlimited() -> Settings {
    Settings { time: Duration::from_secs(3600), ..settings() }
}

#[tokio::test]
async fn large_bodies_are_refused() {
    let server = Server::new();
    let text = ".".repeat(MOST_BODY);
    let (status, answer) = server.post("/api/open", &json!({ "text": text })).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{answer}");
    assert!(answer["error"]["message"].is_string());
    let garbage = [("{", StatusCode::BAD_REQUEST), ("[]", StatusCode::UNPROCESSABLE_ENTITY)];
    for (body, expected) in garbage {
        let mut broken = request(Method::POST, "/api/open", None);
        *broken.body_mut() = Body::from(body);
        broken.headers_mut().insert("content-type", "application/json".parse().expect("a header"));
        assert_eq!(server.send(broken).await.status(), expected);
    }
}

#[tokio::test]
async fn a_search_ends_at_its_limits() {
    let server = Server::new();
    let mut request = endless();
    request["search"]["node_limit"] = json!(20_000);
    let answer = server.job("/api/solve", &request).await.last("answer");
    assert_eq!((&answer["outcome"], &answer["why"]), (&json!("stopped"), &json!("node limit")));
    let mut request = endless();
    request["search"]["time_limit"] = json!(0.05);
    let answer = server.job("/api/solve", &request).await.last("answer");
    assert_eq!(answer["why"], "time limit");
    let small = Server::with(Settings { memory: 1 << 22, jobs: 1, ..unlimited() });
    for path in ["/api/solve", "/api/watch"] {
        let mut request = endless();
        request["search"] = json!({ "algorithm": "astar", "heuristic": "zero" });
        let answer = small.job(path, &request).await.last("answer");
        assert_eq!(answer["why"], "memory limit", "{path}");
    }
    // A request cannot exceed the limit of the server.
    let hasty = Server::with(Settings { time: Duration::from_millis(50), ..settings() });
    let mut request = endless();
    request["search"]["time_limit"] = json!(1000);
    assert_eq!(hasty.job("/api/solve", &request).await.last("answer")["why"], "time limit");
}

/// The clients of large boards that are slow to read have left, one after the other: nobody reads on for them.
#[tokio::test]
async fn boards_of_clients_that_have_left_are_not_read() {
    let server = Server::new();
    let rows = "S".to_string() + &".".repeat(998) + "G\n" + &(".".repeat(1000) + "\n").repeat(900);
    let large = json!({ "text": rows });
    for _ in 0..70 {
        let answer = server.post("/api/open", &large);
        let _ = tokio::time::timeout(Duration::from_millis(1), answer).await;
    }
    let (status, answer) = tokio::time::timeout(TIMEOUT, server.post("/api/open", &json!({ "text": MAZE })))
        .await
        .expect("it is its turn");
    assert_eq!((status, &answer["puzzle"]), (StatusCode::OK, &json!("die")));
}

/// With one permit and an endless search, the next one is refused until the client of the first disconnects.
#[tokio::test]
async fn a_job_ends_with_its_client() {
    let server = Server::with(Settings { jobs: 1, ..unlimited() });
    for path in ["/api/solve", "/api/watch", "/api/trace", "/api/compare"] {
        let mut body = endless();
        if path == "/api/compare" {
            body["heuristics"] = json!(["zero"]);
            body["algorithms"] = json!(["idastar"]);
            body["search"] = json!({});
        }
        let mut running = server.send(request(Method::POST, path, Some(&body))).await;
        assert_eq!(running.status(), StatusCode::OK);
        // The first event shows that it has started.
        tokio::time::timeout(TIMEOUT, running.body_mut().frame())
            .await
            .expect("an event")
            .expect("not the end")
            .expect("sound");
        let small = json!({ "board": { "text": MAZE } });
        let (status, refusal) = server.post("/api/solve", &small).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(refusal["error"]["message"].as_str().is_some_and(|text| text.contains("one at a time")), "{refusal}");
        drop(running);
        let begin = Instant::now();
        while server.send(request(Method::POST, "/api/solve", Some(&small))).await.status() != StatusCode::OK {
            assert!(begin.elapsed() < TIMEOUT, "{path} goes on without a reader");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // The small search just sent ends and returns its permit.
        let begin = Instant::now();
        while server.post("/api/generate", &json!({ "puzzle": "die", "size": [3, 3], "density": 0.0 })).await.0
            != StatusCode::OK
        {
            assert!(begin.elapsed() < TIMEOUT, "the permit does not come back");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// An audit of a board with too many states takes a sample, or is refused with a reason.
#[tokio::test]
async fn an_audit_stays_within_its_memory() {
    let server = Server::with(Settings { memory: 1 << 20, jobs: 1, ..settings() });
    let classic = "^11^\nv11v\n^<>^\nv22v\n2..2\n";
    let request = json!({ "board": { "text": classic }, "heuristics": ["manhattan"] });
    let result = server.job("/api/audit", &request).await.last("result");
    assert_eq!(result["exhaustive"], false);
    let request = json!({ "board": { "text": classic }, "heuristics": ["manhattan"], "scope": "component" });
    let error = server.job("/api/audit", &request).await.last("error");
    assert!(error["error"]["message"].as_str().is_some_and(|text| text.contains("memory")), "{error}");
}

/// A server on a socket, stopped on drop.
pub(crate) struct Listening {
    pub(crate) address: SocketAddr,
    end: Option<mpsc::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Listening {
    pub(crate) fn new(settings: Settings) -> Self {
        let bound = Bound::new(([127, 0, 0, 1], 0).into()).expect("a port is free");
        let url = bound.url();
        let address = url.trim_start_matches("http://").trim_end_matches('/').parse().expect("an address");
        let (end, ended) = mpsc::channel();
        let wait = move || _ = ended.recv();
        let thread = std::thread::spawn(move || bound.run(settings, wait).expect("it serves"));
        Listening { address, end: Some(end), thread: Some(thread) }
    }

    /// Sends a request; returns the connection.
    fn send(&self, path: &str, body: &Value) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a time");
        let (host, body) = (self.address, body.to_string());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).expect("it reads");
        stream
    }

    pub(crate) fn ask(&self, path: &str, body: &Value) -> (u16, String) {
        let mut answer = String::new();
        self.send(path, body).read_to_string(&mut answer).expect("it answers");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, answer)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[test]
fn two_hundred_requests_at_once_are_all_answered_or_refused() {
    let memory = 256 << 20;
    let server = Listening::new(Settings { jobs: 3, memory, ..settings() });
    let before = resident();
    let (solve, open) = (json!({ "board": { "text": MAZE } }), json!({ "text": MAZE }));
    let answers: Vec<(u16, String)> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..200)
            .map(|number| {
                let (path, body) = if number % 2 == 0 { ("/api/solve", &solve) } else { ("/api/open", &open) };
                let server = &server;
                scope.spawn(move || server.ask(path, body))
            })
            .collect();
        asking.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    for (status, answer) in &answers {
        match status {
            200 => assert!(answer.contains("\"cost\":9") || answer.contains("\"moves\""), "{answer}"),
            429 | 503 => assert!(answer.contains("try again"), "{answer}"),
            other => panic!("{other}: {answer}"),
        }
    }
    assert!(answers.iter().any(|(status, _)| *status == 200));
    if let Some((before, after)) = before.zip(resident()) {
        assert!(after.saturating_sub(before) < memory, "{before} {after}");
    }
    // The server still answers.
    assert_eq!(server.ask("/api/open", &open).0, 200);
}

/// Closing a connection ends its job: with one permit, the next request gets it.
#[test]
fn a_closed_connection_ends_its_job() {
    let server = Listening::new(Settings { jobs: 1, ..unlimited() });
    let mut running = server.send("/api/solve", &endless());
    let mut some = [0; 64];
    assert!(running.read(&mut some).expect("it answers") > 0);
    let small = json!({ "board": { "text": MAZE } });
    assert_eq!(server.ask("/api/solve", &small).0, 503);
    drop(running);
    let begin = Instant::now();
    while server.ask("/api/solve", &small).0 != 200 {
        assert!(begin.elapsed() < TIMEOUT, "the search goes on without a reader");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The resident memory of the process, if the system reports it.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
