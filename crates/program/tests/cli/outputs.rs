//! Output files: pipes and links are kept, not replaced by files.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use crate::puzzles::*;
use crate::support::{ANSWERED, Folder};

/// Each option that writes one file: the command before the name of the file, and the first bytes of the file.
const WRITERS: [(&str, &[u8]); 4] = [
    ("solve maze --certificate", b"adm.cert"),
    ("solve maze --algorithm astar --trace", b"{\"id\":0,"),
    ("solve maze --algorithm astar --format json --trace", b"{\"id\":0,"),
    ("bench korf100 --only 79 --algorithm idastar-pruned --heuristic manhattan --save", b"{"),
];

fn folder() -> Folder {
    Folder::with("maze", MAZE)
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo is installed").success());
}

fn is_pipe(path: &Path) -> bool {
    fs::symlink_metadata(path).expect("it exists").file_type().is_fifo()
}

#[test]
fn a_pipe_is_written_to() {
    for (words, begins) in WRITERS {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        make_pipe(&pipe);
        symlink("pipe", folder.path().join("link")).expect("links can be made");
        for name in ["pipe", "link"] {
            let reader = thread::spawn({
                let pipe = pipe.clone();
                move || fs::read(pipe).expect("it is written to")
            });
            let run = folder.run(&format!("{words} {name}"));
            assert_eq!(run.code, Some(ANSWERED), "{run}");
            // If the pipe was replaced, the reader would wait forever.
            assert!(is_pipe(&pipe), "{run}");
            let read = reader.join().expect("it reads");
            assert!(read.starts_with(begins), "{words}: {}", String::from_utf8_lossy(&read));
            assert_eq!(folder.names(), ["link", "maze", "pipe"], "{run}");
        }
    }
}

#[test]
fn a_link_stays_a_link() {
    for (words, begins) in WRITERS {
        let folder = folder().and("old.jsonl", "old");
        symlink("old.jsonl", folder.path().join("link.jsonl")).expect("links can be made");
        symlink("new.jsonl", folder.path().join("dangling.jsonl")).expect("links can be made");
        for (link, target) in [("link.jsonl", "old.jsonl"), ("dangling.jsonl", "new.jsonl")] {
            let run = folder.run(&format!("{words} {link}"));
            assert_eq!(run.code, Some(ANSWERED), "{run}");
            assert_eq!(fs::read_link(folder.path().join(link)).expect("still a link"), PathBuf::from(target));
            let written = fs::read(folder.path().join(target)).expect("it is written to");
            assert!(written.starts_with(begins), "{words}: {}", String::from_utf8_lossy(&written));
        }
        assert_eq!(folder.names(), ["dangling.jsonl", "link.jsonl", "maze", "new.jsonl", "old.jsonl"]);
    }
}

/// A trace on standard output comes before the answer, which stays complete: with a pipe and with a file.
#[test]
fn a_trace_can_go_to_standard_output() {
    let folder = folder();
    let words = "solve maze --algorithm astar --format json --trace /dev/stdout";
    let piped = folder.run(words).prints(ANSWERED).to_string();
    let lines: Vec<serde_json::Value> = piped.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&lines[0]["id"], &lines[lines.len() - 1]["outcome"]), (&0.into(), &"solved".into()));
    let file = fs::File::create(folder.path().join("out")).expect("it can be created");
    let status = folder.process(words).stdin(Stdio::null()).stdout(file).status().expect("the program starts");
    assert_eq!(status.code(), Some(ANSWERED));
    assert_eq!(folder.read("out").lines().count(), lines.len());
    assert_eq!(folder.names(), ["maze", "out"]);
}

/// Closing the pipe ends the trace, not the search.
#[test]
fn closing_the_pipe_of_a_trace_keeps_the_answer() {
    let folder = Folder::with("maze", MAZES[4]);
    let pipe = folder.path().join("pipe");
    make_pipe(&pipe);
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || drop(fs::File::open(pipe).expect("it is written to"))
    });
    let run = folder.run("solve maze --algorithm astar --heuristic zero --trace pipe");
    assert!(run.prints(ANSWERED).contains("Shortest solution: 26 steps"), "{run}");
    reader.join().expect("it reads");
}

#[test]
fn a_certificate_cannot_go_to_standard_output() {
    let run = folder().run("solve maze --certificate /dev/stdout");
    assert!(run.refuses().contains("--certificate: the answer goes to /dev/stdout"), "{run}");
}

#[test]
fn a_report_follows_links_and_replaces_no_pipe() {
    let folder = folder();
    fs::create_dir(folder.path().join("reports")).expect("it can be created");
    symlink("reports", folder.path().join("link")).expect("links can be made");
    for _ in 0..2 {
        let run = folder.run("compare maze --report link");
        assert_eq!(run.code, Some(ANSWERED), "{run}");
        assert!(folder.path().join("reports/index.html").exists());
        assert!(fs::symlink_metadata(folder.path().join("link")).expect("it exists").is_symlink());
    }
    let pipe = folder.path().join("pipe");
    make_pipe(&pipe);
    assert!(folder.run("compare maze --report pipe").refuses().contains("expected no such folder"));
    assert!(is_pipe(&pipe));
}

#[test]
fn only_a_regular_file_is_read_as_a_certificate_or_a_checkpoint() {
    let folder = folder();
    make_pipe(&folder.path().join("pipe"));
    for words in ["verify --certificate pipe", "resume pipe"] {
        assert_eq!(folder.run(words).refuses(), "error: pipe: it is not a regular file\n");
    }
}
