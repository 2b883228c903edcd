//! Limits and interruptions at random moments: every command ends soon after them, with the exit code of the table.
//!
//! The moments fall into everything that a command does: reading, building tables, searching, drawing, listing,
//! printing into a pipe that nobody reads, and the start of a cluster.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use admissible_oracle::Random;

use crate::Tally;
use crate::program::Program;

/// A command, and whether it takes a time limit of its own.
struct Case(&'static str, bool);

const CASES: [Case; 24] = [
    Case("solve wide", true),
    Case("solve wide --format course", true),
    Case("solve wide --boards", true),
    Case("solve wide --format json", true),
    Case("solve hard --goal blank-first -a astar -H manhattan --format json", true),
    Case("solve hard --goal blank-first -a idastar -H zero", true),
    Case("solve hard --goal blank-first -a bidirectional", true),
    Case("solve hard --goal blank-first -a hdastar -H manhattan", true),
    Case("solve hard --goal blank-first -H pdb:6-6-3 -a idastar", true),
    Case("solve hard --goal blank-first -H zero -a astar --certificate proof", true),
    Case("solve hard --goal blank-first -H zero -a idastar --checkpoint night", true),
    Case("solve hard --goal blank-first -H zero --processes 2 --threads 1", true),
    Case("explain hard --goal blank-first", true),
    Case("verify hard walk --goal blank-first", true),
    Case("explore tiles --size 3x4", true),
    Case("explore klotski --report report", true),
    Case("audit klotski", true),
    Case("audit die", true),
    Case("generate tiles --size 4x4 --difficulty 60..70", true),
    Case("generate die --size 4000x4000", true),
    Case("compare hard wide", false),
    Case("sweep die --vary size=20,200 --samples 5", false),
    Case("bench korf100", false),
    Case("list --format json", false),
];

/// The latest moment of a limit or of an interruption.
const LATEST: u64 = 900;
/// A program that takes longer hangs.
const HANG: Duration = Duration::from_secs(60);

/// How the reader of standard output behaves.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Reader {
    /// Reads everything.
    Fast,
    /// Reads nothing, so that a long output fills the pipe.
    Asleep,
}

/// Runs `count` commands, each stopped at a random moment. A command that ends more than `grace` later is wrong.
///
/// # Errors
/// If the program does not start.
pub fn run(binary: &Path, seed: u64, count: u64, grace: Duration) -> io::Result<Tally> {
    let (mut random, mut tally) = (Random::new(seed), Tally::default());
    let folder = tempfile::tempdir()?;
    let program = Program::new(binary, folder.path())?;
    fs::write(folder.path().join("hard"), "15 14 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n")?;
    fs::write(folder.path().join("walk"), "UP DOWN ".repeat(20_000))?;
    fs::write(folder.path().join("wide"), wide(1500))?;
    let mut latencies = Vec::new();
    for number in 0..count {
        let Case(words, has_limit) = CASES[random.below(CASES.len())];
        let moment = Duration::from_millis(1 + random.below(LATEST as usize) as u64);
        let by_limit = has_limit && random.below(2) == 0;
        let reader = if !by_limit && random.below(4) == 0 { Reader::Asleep } else { Reader::Fast };
        let _ = fs::remove_file(folder.path().join("night"));
        let _ = fs::remove_dir_all(folder.path().join("report"));
        latencies.extend(end(&program, number, words, moment, by_limit, reader, grace, &mut tally)?);
    }
    latencies.sort_unstable();
    let at = |share: usize| latencies.get(latencies.len().saturating_sub(1) * share / 100).copied().unwrap_or(0);
    tally.count("median ms from the stop to the end", at(50));
    tally.count("99th percentile", at(99));
    tally.count("longest", at(100));
    Ok(tally)
}

/// A maze without obstacles but for a few: millions of states, and long lists of them.
fn wide(side: usize) -> String {
    let mut rows = vec![vec![b'.'; side]; side];
    rows[0][0] = b'S';
    rows[side - 1][side - 1] = b'G';
    rows.iter().map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect()
}

/// Runs a command, stops it, and checks how it ends. Returns the milliseconds from the stop to its end, unless it ended
/// before.
#[allow(clippy::too_many_arguments, reason = "each is a property of one run")]
fn end(
    program: &Program,
    number: u64,
    words: &str,
    moment: Duration,
    by_limit: bool,
    reader: Reader,
    grace: Duration,
    tally: &mut Tally,
) -> io::Result<Option<u64>> {
    let limit = format!("--time-limit={}ms", moment.as_millis());
    let all: Vec<&str> = words.split(' ').chain(by_limit.then_some(limit.as_str())).collect();
    let mut command = program.command(&all);
    let errors = program.folder.join(".errors");
    command.stdin(Stdio::null()).stderr(fs::File::create(&errors)?);
    command.stdout(if reader == Reader::Asleep { Stdio::piped() } else { Stdio::null() });
    let begin = Instant::now();
    let mut child = command.spawn()?;
    if !by_limit {
        sleep(moment);
        signal(&child, "-INT")?;
    }
    let stopped = if by_limit { begin + moment } else { Instant::now() };
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if stopped.elapsed() > HANG {
            child.kill()?;
            child.wait()?;
            break None;
        }
        sleep(Duration::from_millis(1));
    };
    let late = stopped.elapsed();
    let what = || {
        let errors = fs::read_to_string(&errors).unwrap_or_default();
        let how = if by_limit { "time limit" } else { "interruption" };
        format!("{number}: {words}, {how} after {moment:?}, {reader:?}: {status:?}, {late:?} later\n{errors}")
    };
    tally.count("runs", 1);
    tally.count(if by_limit { "time limits" } else { "interruptions" }, 1);
    let code = status.and_then(|status| status.code());
    let panicked = fs::read_to_string(&errors).unwrap_or_default().contains("panicked");
    tally.check(status.is_some() && !panicked, || format!("hung or panicked: {}", what()));
    // Before the program handles signals, one ends it.
    let expected = match code {
        Some(0 | 1) => true,
        Some(3) => by_limit || words.contains("processes"),
        Some(130) | None => !by_limit,
        _ => false,
    };
    tally.check(expected, || format!("exit code: {}", what()));
    let is_stop = matches!(code, Some(3 | 130));
    tally.check(!is_stop || late <= grace, || format!("late: {}", what()));
    tally.count("ended by the stop", u64::from(is_stop));
    Ok(is_stop.then_some(late.as_millis() as u64))
}

/// Sends a signal to a child.
///
/// # Errors
/// If `kill` is missing.
pub(crate) fn signal(child: &Child, signal: &str) -> io::Result<()> {
    // A child that has ended has no signals.
    Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status().map(drop)
}
