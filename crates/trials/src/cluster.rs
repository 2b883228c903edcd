//! A cluster of which one process is killed at a random moment, and what the others make of it; with checkpoints or
//! without, and with them all go on.

use std::fs;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use admissible_oracle::Random;
use serde_json::Value;

use crate::Tally;
use crate::program::Program;

/// One of Korf's: some seconds of work for A* with a weak heuristic.
const BOARD: &str = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n";
/// An easier one, so that the small trial is small.
const EASY: &str = "13 5 4 10\n9 12 8 14\n2 3 7 1\n0 15 11 6\n";
const WORDS: [&str; 6] = ["solve", "board", "--goal", "blank-first", "--format", "json"];
/// Whoever has not ended by then hangs.
const HANGS: Duration = Duration::from_secs(90);
/// How long processes wait for one that never came.
const CONNECT_LIMIT: &str = "10s";

/// Processes that are killed if the trial ends before them.
struct Started(Vec<Child>);

impl Drop for Started {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Kills a process of a cluster so many times. A small trial has small work.
///
/// # Errors
/// If the program does not start.
pub fn run(binary: &Path, seed: u64, count: u64, small: bool) -> io::Result<Tally> {
    let (mut random, mut tally) = (Random::new(seed), Tally::default());
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("board"), if small { EASY } else { BOARD })?;
    let program = Program::new(binary, folder.path())?;
    let alone = program.run(&[&WORDS[..], &["-H", "linear-conflict", "-a", "astar"]].concat())?;
    let Some(cost) = alone.json()["cost"].as_u64() else {
        tally.check(false, || format!("one process alone: {:?} {}", alone.status, alone.err));
        return Ok(tally);
    };
    // How long it takes without a kill, the slowest heuristic that is used.
    let whole = program.run(&[&WORDS[..], &["-H", "manhattan", "--processes", "2"]].concat())?;
    tally.check(whole.json()["cost"].as_u64() == Some(cost), || format!("two processes: {} {}", whole.out, whole.err));
    for _ in 0..count {
        one(&program, cost, whole.seconds, &mut random, &mut tally)?;
    }
    Ok(tally)
}

/// Addresses that nobody listens at, one a line.
fn hosts(processes: usize) -> io::Result<String> {
    let listeners: Vec<TcpListener> =
        (0..processes).map(|_| TcpListener::bind(("127.0.0.1", 0))).collect::<Result<_, _>>()?;
    let lines = listeners.iter().map(|listener| Ok(format!("{}\n", listener.local_addr()?)));
    lines.collect()
}

/// Where a process leaves what it says.
fn path(program: &Program, process: usize, name: &str) -> PathBuf {
    program.folder.join(format!("{process}.{name}"))
}

/// What a process has said, on standard output and on standard error.
fn said(program: &Program, process: usize) -> [String; 2] {
    ["out", "err"].map(|name| fs::read_to_string(path(program, process, name)).unwrap_or_default())
}

/// Starts a process for each list of words.
fn start(program: &Program, words: &[Vec<&str>]) -> io::Result<Started> {
    let mut started = Started(Vec::new());
    for (process, words) in words.iter().enumerate() {
        let [out, err] = ["out", "err"].map(|name| fs::File::create(path(program, process, name)));
        let mut command = program.command(words);
        started.0.push(command.stdin(Stdio::null()).stdout(out?).stderr(err?).spawn()?);
    }
    Ok(started)
}

/// Waits for a process to end; `None` if it hangs.
fn wait(child: &mut Child, since: Instant) -> io::Result<Option<ExitStatus>> {
    while since.elapsed() <= HANGS {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        sleep(Duration::from_millis(2));
    }
    Ok(None)
}

fn one(program: &Program, cost: u64, seconds: f64, random: &mut Random, tally: &mut Tally) -> io::Result<()> {
    let processes = 2 + random.below(2);
    let threads = (1 + random.below(2)).to_string();
    let is_kept = random.below(2) == 0;
    fs::write(program.folder.join("hosts"), hosts(processes)?)?;
    let numbers: Vec<String> = (0..processes).map(|process| process.to_string()).collect();
    let words = |number| {
        let mut words = WORDS.to_vec();
        words.extend(["-H", "manhattan", "--threads", &threads, "--hosts", "hosts", "--process", number]);
        words.extend(["--connect-limit", CONNECT_LIMIT]);
        words.extend(is_kept.then_some(["--checkpoint", "night", "--checkpoint-every", "50ms"]).into_iter().flatten());
        words
    };
    let words: Vec<Vec<&str>> = numbers.iter().map(|number| words(number)).collect();
    let mut started = start(program, &words)?;
    let victim = random.below(processes);
    sleep(Duration::from_secs_f64(seconds * random.below(10_000) as f64 / 10_000.0));
    started.0[victim].kill()?;
    tally.count("kills", 1);
    tally.count(&format!("kills of process {victim}"), 1);
    let killed = Instant::now();
    let mut slowest = Duration::ZERO;
    for process in (0..processes).filter(|&process| process != victim) {
        let status = wait(&mut started.0[process], killed)?;
        slowest = slowest.max(killed.elapsed());
        let [out, err] = said(program, process);
        let Some(status) = status else {
            tally.check(false, || format!("process {process} hangs after the end of {victim}: {err}"));
            continue;
        };
        check(process, victim, status.code(), &out, &err, cost, tally);
    }
    let most = tally.figure("most milliseconds to the end");
    tally.count("most milliseconds to the end", (slowest.as_millis() as u64).saturating_sub(most));
    if is_kept { go_on(program, processes, cost, tally) } else { Ok(()) }
}

/// Has all go on from what they wrote down, if each wrote something, and removes whatever is left of that.
fn go_on(program: &Program, processes: usize, cost: u64, tally: &mut Tally) -> io::Result<()> {
    let name = |process: usize| if process == 0 { "night".into() } else { format!("night.{process}") };
    let names: Vec<String> = (0..processes).map(name).collect();
    if names.iter().all(|name| program.folder.join(name).exists()) {
        tally.count("gone on from checkpoints", 1);
        let words: Vec<Vec<&str>> = names.iter().map(|name| vec!["resume", name, "--hosts", "hosts"]).collect();
        let mut started = start(program, &words)?;
        let begin = Instant::now();
        for process in 0..processes {
            let status = wait(&mut started.0[process], begin)?;
            let [out, err] = said(program, process);
            let answer: Value = serde_json::from_str(&out).unwrap_or(Value::Null);
            let is_right = process != 0 || answer["cost"].as_u64() == Some(cost);
            let is_good = status.is_some_and(|status| status.success()) && is_right && !err.contains("panicked");
            tally.check(is_good, || format!("process {process} went on: {status:?}\n{out}\n{err}"));
        }
        let left: Vec<&String> = names.iter().filter(|name| program.folder.join(name).exists()).collect();
        tally.check(left.is_empty(), || format!("checkpoints that nobody needs: {left:?}"));
    }
    for name in names {
        for end in ["", ".new"] {
            let _ = fs::remove_file(program.folder.join(format!("{name}{end}")));
        }
    }
    Ok(())
}

/// A clean end is the right answer, or code 3 with the name of who is gone and a bound that holds.
fn check(process: usize, victim: usize, code: Option<i32>, out: &str, err: &str, cost: u64, tally: &mut Tally) {
    let answer: Value = serde_json::from_str(out).unwrap_or(Value::Null);
    let told = || format!("process {process} after the end of {victim}: code {code:?}\n{out}\n{err}");
    match code {
        Some(0) => {
            tally.count("ended with the answer", 1);
            tally.check(process != 0 || answer["cost"].as_u64() == Some(cost), told);
        }
        Some(3) => {
            let is_named = err.contains(&format!("process {victim} ("));
            let before = err.contains("not connected after");
            tally.count(if before { "ended before all were there" } else { "ended with a bound" }, 1);
            // Whoever was still waiting for the others may have lost another one that left because of it.
            tally.count("named another one while they came together", u64::from(!is_named && answer.is_null()));
            tally.check(is_named || (answer.is_null() && err.contains("is gone")), told);
            tally.check(answer["lower_bound"].as_u64().is_none_or(|bound| bound <= cost), told);
            tally.check(answer["cost"].is_null(), told);
        }
        _ => tally.check(false, told),
    }
    tally.check(!err.contains("panicked"), told);
}
