//! HTTP requests to the server of the page, without a socket.

use std::net::SocketAddr;
use std::time::Duration;

use admissible_puzzles::PUZZLES;
use admissible_serve::{Settings, paths, router};
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use http_body_util::BodyExt as _;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

pub(crate) const DICTIONARY: &[&str] = &[
    "{\"board\": {\"text\": \"S..G\\n\"}}",
    "\"search\": {",
    "\"algorithm\": \"astar\"",
    "\"heuristic\": \"manhattan\"",
    "\"puzzle\": \"die\"",
    "\"size\": [3, 3]",
    "\"seed\": 1",
    "\"time_limit\": 0.01",
    "\"node_limit\": 10",
    "\"state\": ",
    "null",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"heuristics\": [\"zero\"]",
    "\"algorithms\": [\"bfs\"]",
    "\"difficulty\": [1, 2]",
    "\"weight\": 2",
    "\"cell\": 1",
    "/api/",
    "/..",
    "%2e%2e/",
    "?",
    "#",
    "\"pieces\": 2",
];

const HOST: &str = "127.0.0.1:7117";

/// Longer than any answer takes.
const TIMEOUT: Duration = Duration::from_secs(60);

struct Server {
    runtime: Runtime,
    router: Router,
}

impl Server {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let settings = Settings {
            puzzles: PUZZLES,
            jobs: 2,
            time: Duration::from_millis(20),
            memory: 16 << 20,
            table_cache: None,
            seed: || 1,
        };
        let address: SocketAddr = HOST.parse().expect("an address");
        Server { runtime: runtime.expect("the runtime starts"), router: router(settings, address) }
    }
}

/// The first byte selects a path of the API, or takes the first line for one; the rest is the body.
pub(crate) fn request(bytes: &[u8]) -> String {
    thread_local! {
        static SERVER: Server = Server::new();
    }
    let Some((&choice, rest)) = bytes.split_first() else { return String::new() };
    let known = paths();
    let (method, path, body) = match usize::from(choice) % 16 {
        15 => {
            let (line, body) = rest.split_at(rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()));
            let method = if choice & 16 == 0 { Method::GET } else { Method::POST };
            (method, String::from_utf8_lossy(line).into_owned(), body)
        }
        number => (Method::POST, known[number % known.len()].to_string(), rest),
    };
    let request = Request::builder().method(method).uri(path).header("host", HOST);
    let request = request.header("content-type", "application/json").body(Body::from(body.to_vec()));
    let Ok(request) = request else { return "not a request".into() };
    SERVER.with(|server| {
        server.runtime.block_on(async {
            let answer = async {
                let response = server.router.clone().oneshot(request).await.expect("the server answers");
                let status = response.status();
                let body = response.into_body().collect().await.expect("a body").to_bytes();
                (status, body)
            };
            let (status, body) = tokio::time::timeout(TIMEOUT, answer).await.expect("the answer ends in time");
            assert!(!status.is_server_error(), "{status}: {}", String::from_utf8_lossy(&body));
            let body = String::from_utf8_lossy(&body);
            let beginning: String = body.chars().take(200).collect();
            // An error has a message; a file of the page may be empty.
            assert!(status.is_success() || !body.is_empty(), "{status} without a message");
            format!("{status} {beginning}")
        })
    })
}
