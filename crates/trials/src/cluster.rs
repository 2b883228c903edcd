//! Kills of one process of a cluster at a random moment.
//!
//! The other processes must end with the right answer, or with exit code 3, the name of the lost process and a valid
//! lower bound. With checkpoints, all are then resumed.

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

/// One of Korf's boards: some seconds for A* with a weak heuristic.
const BOARD: &str = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n";
/// An easier board, for small trials.
const EASY: &str = "13 5 4 10\n9 12 8 14\n2 3 7 1\n0 15 11 6\n";
const WORDS: [&str; 6] = ["solve", "board", "--goal", "blank-first", "--format", "json"];
/// A process that has not ended by then hangs.
const HANG_LIMIT: Duration = Duration::from_secs(90);
/// How long processes wait for one that does not connect.
const CONNECT_LIMIT: &str = "10s";

/// Child processes, killed on drop.
struct Processes(Vec<Child>);

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Kills a process of a cluster `count` times. A small trial takes an easier board.
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
    // The time without a kill, with the heuristic of the trial.
    let whole = program.run(&[&WORDS[..], &["-H", "manhattan", "--processes", "2"]].concat())?;
    tally.check(whole.json()["cost"].as_u64() == Some(cost), || format!("two processes: {} {}", whole.out, whole.err));
    for _ in 0..count {
        kill_one_process(&program, cost, whole.seconds, &mut random, &mut tally)?;
    }
    Ok(tally)
}

/// Unused local addresses, one a line.
fn hosts(processes: usize) -> io::Result<String> {
    let listeners: Vec<TcpListener> =
        (0..processes).map(|_| TcpListener::bind(("127.0.0.1", 0))).collect::<Result<_, _>>()?;
    let lines = listeners.iter().map(|listener| Ok(format!("{}\n", listener.local_addr()?)));
    lines.collect()
}

/// The file for the standard output or error of a process.
fn output_path(program: &Program, process: usize, name: &str) -> PathBuf {
    program.folder.join(format!("{process}.{name}"))
}

/// Standard output and standard error of a process.
fn outputs(program: &Program, process: usize) -> [String; 2] {
    ["out", "err"].map(|name| fs::read_to_string(output_path(program, process, name)).unwrap_or_default())
}

/// Starts a process for each list of arguments.
fn start(program: &Program, words: &[Vec<&str>]) -> io::Result<Processes> {
    let mut started = Processes(Vec::new());
    for (process, words) in words.iter().enumerate() {
        let [out, err] = ["out", "err"].map(|name| fs::File::create(output_path(program, process, name)));
        let mut command = program.command(words);
        started.0.push(command.stdin(Stdio::null()).stdout(out?).stderr(err?).spawn()?);
    }
    Ok(started)
}

/// Waits for a process to end; `None` if it hangs.
fn wait(child: &mut Child, since: Instant) -> io::Result<Option<ExitStatus>> {
    while since.elapsed() <= HANG_LIMIT {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        sleep(Duration::from_millis(2));
    }
    Ok(None)
}

/// Starts a cluster, kills one process at a random moment and checks how the others end.
fn kill_one_process(
    program: &Program,
    cost: u64,
    seconds: f64,
    random: &mut Random,
    tally: &mut Tally,
) -> io::Result<()> {
    let processes = 2 + random.below(2);
    let threads = (1 + random.below(2)).to_string();
    let has_checkpoints = random.below(2) == 0;
    fs::write(program.folder.join("hosts"), hosts(processes)?)?;
    let numbers: Vec<String> = (0..processes).map(|process| process.to_string()).collect();
    let words = |number| {
        let mut words = WORDS.to_vec();
        words.extend(["-H", "manhattan", "--threads", &threads, "--hosts", "hosts", "--process", number]);
        words.extend(["--connect-limit", CONNECT_LIMIT]);
        words.extend(
            has_checkpoints.then_some(["--checkpoint", "night", "--checkpoint-every", "50ms"]).into_iter().flatten(),
        );
        words
    };
    let words: Vec<Vec<&str>> = numbers.iter().map(|number| words(number)).collect();
    let mut children = start(program, &words)?;
    let victim = random.below(processes);
    sleep(Duration::from_secs_f64(seconds * random.below(10_000) as f64 / 10_000.0));
    children.0[victim].kill()?;
    tally.count("kills", 1);
    tally.count(&format!("kills of process {victim}"), 1);
    let killed = Instant::now();
    let mut slowest = Duration::ZERO;
    for process in (0..processes).filter(|&process| process != victim) {
        let status = wait(&mut children.0[process], killed)?;
        slowest = slowest.max(killed.elapsed());
        let [out, err] = outputs(program, process);
        let Some(status) = status else {
            tally.check(false, || format!("process {process} hangs after the end of {victim}: {err}"));
            continue;
        };
        check(process, victim, status.code(), &out, &err, cost, tally);
    }
    let most = tally.figure("most milliseconds to the end");
    tally.count("most milliseconds to the end", (slowest.as_millis() as u64).saturating_sub(most));
    if has_checkpoints { resume_all(program, processes, cost, tally) } else { Ok(()) }
}

/// Resumes all processes if each has written a checkpoint, and removes what is left of the checkpoints.
fn resume_all(program: &Program, processes: usize, cost: u64, tally: &mut Tally) -> io::Result<()> {
    let name = |process: usize| if process == 0 { "night".into() } else { format!("night.{process}") };
    let names: Vec<String> = (0..processes).map(name).collect();
    if names.iter().all(|name| program.folder.join(name).exists()) {
        tally.count("resumed from checkpoints", 1);
        let words: Vec<Vec<&str>> = names.iter().map(|name| vec!["resume", name, "--hosts", "hosts"]).collect();
        let mut children = start(program, &words)?;
        let begin = Instant::now();
        for process in 0..processes {
            let status = wait(&mut children.0[process], begin)?;
            let [out, err] = outputs(program, process);
            let answer: Value = serde_json::from_str(&out).unwrap_or(Value::Null);
            let is_right = process != 0 || answer["cost"].as_u64() == Some(cost);
            let is_good = status.is_some_and(|status| status.success()) && is_right && !err.contains("panicked");
            tally.check(is_good, || format!("process {process} resumed: {status:?}\n{out}\n{err}"));
        }
        let left: Vec<&String> = names.iter().filter(|name| program.folder.join(name).exists()).collect();
        tally.check(left.is_empty(), || format!("checkpoints left behind: {left:?}"));
    }
    for name in names {
        for end in ["", ".new"] {
            let _ = fs::remove_file(program.folder.join(format!("{name}{end}")));
        }
    }
    Ok(())
}

/// A clean end is the right answer, or exit code 3 with the name of the lost process and a valid lower bound.
fn check(process: usize, victim: usize, code: Option<i32>, out: &str, err: &str, cost: u64, tally: &mut Tally) {
    let answer: Value = serde_json::from_str(out).unwrap_or(Value::Null);
    let describe = || format!("process {process} after the end of {victim}: code {code:?}\n{out}\n{err}");
    match code {
        Some(0) => {
            tally.count("ended with the answer", 1);
            tally.check(process != 0 || answer["cost"].as_u64() == Some(cost), describe);
        }
        Some(3) => {
            let is_named = err.contains(&format!("process {victim} ("));
            let before = err.contains("not connected after");
            tally.count(if before { "ended before all were connected" } else { "ended with a bound" }, 1);
            // Before all are connected, a process may first lose another one that left because of the kill.
            tally.count("named another process before all were connected", u64::from(!is_named && answer.is_null()));
            tally.check(is_named || (answer.is_null() && err.contains("is gone")), describe);
            tally.check(answer["lower_bound"].as_u64().is_none_or(|bound| bound <= cost), describe);
            tally.check(answer["cost"].is_null(), describe);
        }
        _ => tally.check(false, describe),
    }
    tally.check(!err.contains("panicked"), describe);
}
