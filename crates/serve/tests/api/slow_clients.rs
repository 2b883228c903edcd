//! Clients that are slow on purpose hold nothing that others need, and are closed in time.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::MAZE;
use crate::limits::Listening;
use crate::support::settings;

/// The clients of each kind.
const EACH: usize = 75;
/// The longest time until a slow client is closed.
const MOST: Duration = Duration::from_secs(15);
/// The longest time of another request, for most of them: the machine may be busy.
const PROMPT: Duration = Duration::from_millis(100);

/// What a slow client sends at the beginning; then it sends a letter from time to time, or nothing.
fn beginnings(host: &str) -> [(String, bool); 4] {
    let post = format!(
        "POST /api/open HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{{"
    );
    let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nX-Slow: ");
    let whole = format!("GET /icon.svg HTTP/1.1\r\nHost: {host}\r\n\r\n");
    [(post.clone(), false), (post, true), (head, true), (whole, false)]
}

#[test]
fn three_hundred_slow_clients_are_closed_and_delay_nobody() {
    let server = Listening::new(settings());
    let host = server.address.to_string();
    let begin = Instant::now();
    let mut slow = Vec::new();
    for (beginning, trickles) in beginnings(&host) {
        for _ in 0..EACH {
            let mut stream = TcpStream::connect(server.address).expect("it listens");
            stream.write_all(beginning.as_bytes()).expect("it reads");
            stream.set_read_timeout(Some(MOST)).expect("a time");
            slow.push((stream, trickles));
        }
    }
    assert_eq!(slow.len(), 300);
    // Half a second later all of them hold what they can. The others are answered as if they were alone.
    std::thread::sleep(Duration::from_millis(500));
    let mut times: Vec<Duration> = (0..30)
        .map(|number| {
            let begin = Instant::now();
            let (path, body) = match number % 2 {
                0 => ("/api/open", json!({ "text": MAZE })),
                _ => ("/api/solve", json!({ "board": { "text": MAZE } })),
            };
            let (status, answer) = server.ask(path, &body);
            assert_eq!(status, 200, "{answer}");
            begin.elapsed()
        })
        .collect();
    times.sort_unstable();
    assert!(times[times.len() / 2] < PROMPT, "{times:?}");
    // They go on, a letter a second, until the server has enough of it.
    while begin.elapsed() < Duration::from_secs(12) {
        for (stream, _) in slow.iter_mut().filter(|(_, trickles)| *trickles) {
            // An error is what we wait for.
            let _ = stream.write_all(b"x");
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    for (stream, _) in &mut slow {
        let mut rest = Vec::new();
        let end = stream.read_to_end(&mut rest);
        let is_open = end.is_err_and(|error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut));
        assert!(!is_open && begin.elapsed() < MOST, "still open after {:?}", begin.elapsed());
    }
    assert_eq!(server.ask("/api/open", &json!({ "text": MAZE })).0, 200);
}

/// The files of the page need no slot, whatever the requests of the API do.
#[test]
fn files_do_not_wait_behind_requests_of_the_api() {
    let server = Listening::new(settings());
    let post = &beginnings(&server.address.to_string())[0].0;
    // More than there are slots for requests.
    let stalled: Vec<TcpStream> = (0..80)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).expect("it listens");
            stream.write_all(post.as_bytes()).expect("it reads");
            stream
        })
        .collect();
    let mut stream = TcpStream::connect(server.address).expect("it listens");
    let begin = Instant::now();
    let head = format!("GET /icon.svg HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("<svg"), "{answer}");
    assert!(begin.elapsed() < Duration::from_secs(5));
    drop(stalled);
}
