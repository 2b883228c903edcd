//! HTTP requests to the server of the page, and whole connections, without a socket.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use admissible_puzzles::PUZZLES;
use admissible_serve::{Settings, paths, router, serve_one};
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use http_body_util::BodyExt as _;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
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
    "POST /api/open HTTP/1.1\r\n",
    "GET / HTTP/1.1\r\n",
    "host: 127.0.0.1:7117\r\n",
    "content-type: application/json\r\n",
    "content-length: 32\r\n",
    "transfer-encoding: chunked\r\n",
    "expect: 100-continue\r\n",
    "connection: close\r\n",
    "\r\n\r\n",
    "20\r\n",
    "0\r\n\r\n",
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

thread_local! {
    static SERVER: Server = Server::new();
}

/// The first byte selects a path of the API, or takes the first line for one; the rest is the body.
pub(crate) fn request(bytes: &[u8]) -> String {
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

/// A client that sends some bytes and then nothing more.
struct Client<'a> {
    sends: &'a [u8],
    answer: Vec<u8>,
}

impl AsyncRead for Client<'_> {
    fn poll_read(mut self: Pin<&mut Self>, _cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let (now, later) = self.sends.split_at(self.sends.len().min(buffer.remaining()));
        buffer.put_slice(now);
        self.sends = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Client<'_> {
    fn poll_write(mut self: Pin<&mut Self>, _cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.answer.extend(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// All bytes of a connection.
pub(crate) fn connection(bytes: &[u8]) -> String {
    SERVER.with(|server| {
        server.runtime.block_on(async {
            let mut client = Client { sends: bytes, answer: Vec::new() };
            let served = serve_one(&mut client, server.router.clone());
            tokio::time::timeout(TIMEOUT, served).await.expect("the connection ends in time");
            assert!(client.answer.is_empty() || client.answer.starts_with(b"HTTP/1."), "no HTTP");
            // A server error would be of the first status line; further ones follow bodies.
            assert!(!client.answer.starts_with(b"HTTP/1.1 5"), "a server error");
            client.answer.iter().take(40).map(|&byte| char::from(byte)).collect()
        })
    })
}
