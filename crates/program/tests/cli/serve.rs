//! `serve`, started from the command line. The crate of the server tests its content.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use assert_cmd::cargo::cargo_bin;

use crate::interruption::interrupt;
use crate::support::{BAD_INPUT, Folder, INTERRUPTED};

/// Starts the server and returns its address.
fn start() -> (Child, String) {
    let mut command = Command::new(cargo_bin!("admissible"));
    command.args(["serve", "--port", "0", "--jobs", "2", "--memory-limit", "1G"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("it prints its address");
    let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
    (child, address.unwrap_or_else(|| panic!("{line:?}")).to_string())
}

#[test]
fn it_prints_its_address_and_answers_until_interrupted() {
    let (mut child, address) = start();
    let mut stream = TcpStream::connect(&address).expect("it listens");
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("it answers");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<title>admissible"), "{page}");

    // The port is taken now.
    let port = address.rsplit(':').next().expect("a port");
    let run = Folder::new().run(&format!("serve --port {port}"));
    assert_eq!(run.code, Some(BAD_INPUT));
    let expected = format!("error: cannot listen on 127.0.0.1:{port}: ");
    assert!(run.err.starts_with(&expected) && run.err.contains("--port 0"), "{}", run.err);

    interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(INTERRUPTED));
}

#[test]
fn invalid_options_are_refused() {
    for words in ["serve --host nowhere", "serve --jobs 0", "serve --time-limit soon", "serve --memory-limit 0"] {
        let run = Folder::new().run(words);
        assert_eq!(run.code, Some(BAD_INPUT), "{words}");
        assert!(run.err.starts_with("error: invalid value"), "{}", run.err);
    }
}
