//! A process of a cluster is stopped (SIGSTOP) at a random moment: the others notice its silence, limits and Ctrl-C
//! still end the run, and a process that continues in time changes nothing.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use admissible_oracle::Random;
use serde_json::Value;

use crate::Tally;
use crate::endings::signal;
use crate::program::Program;

const BOARD: &str = "13 5 4 10\n9 12 8 14\n2 3 7 1\n0 15 11 6\n";
const HARD: &str = "15 14 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n";
const OPTIONS: &str = "--goal blank-first --format json -H manhattan --processes 2 --threads 1";
/// A program that takes longer hangs.
const HANG: Duration = Duration::from_secs(60);

/// What follows the stop of a process.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Then {
    Continue,
    Interrupt,
    Limit,
    Nothing,
}

/// Stops a process of `count` clusters. The first process has to end within `grace` of an interruption or a limit.
///
/// # Errors
/// If the program does not start.
pub fn run(binary: &Path, seed: u64, count: u64, grace: Duration) -> io::Result<Tally> {
    let (mut random, mut tally) = (Random::new(seed), Tally::default());
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("board"), BOARD)?;
    fs::write(folder.path().join("hard"), HARD)?;
    let program = Program::new(binary, folder.path())?;
    let alone = program
        .run(&"solve board --goal blank-first --format json -H manhattan -a astar".split(' ').collect::<Vec<_>>())?;
    let cost = alone.json()["cost"].clone();
    for number in 0..count {
        let then = [Then::Continue, Then::Interrupt, Then::Limit, Then::Nothing][number as usize % 4];
        stop_one(&program, then, &cost, grace, &mut random, &mut tally)?;
    }
    Ok(tally)
}

fn stop_one(
    program: &Program,
    then: Then,
    cost: &Value,
    grace: Duration,
    random: &mut Random,
    tally: &mut Tally,
) -> io::Result<()> {
    let board = if then == Then::Continue { "board" } else { "hard" };
    let limit = if then == Then::Limit { " --time-limit 1500ms" } else { "" };
    let words = format!("solve {board} {OPTIONS}{limit}");
    let [out, err] = ["out", "err"].map(|name| program.folder.join(format!(".stop-{name}")));
    let mut command = program.command(&words.split(' ').collect::<Vec<_>>());
    let begin = Instant::now();
    let mut first =
        command.stdin(Stdio::null()).stdout(fs::File::create(&out)?).stderr(fs::File::create(&err)?).spawn()?;
    let second = child_of(first.id());
    sleep(Duration::from_millis(random.below(400) as u64));
    let send = |name: &str| match second {
        Some(second) => Command::new("kill").args([name, &second.to_string()]).stderr(Stdio::null()).status().map(drop),
        None => Ok(()),
    };
    send("-STOP")?;
    let mut since = Instant::now();
    match then {
        Then::Continue => {
            sleep(Duration::from_millis(random.below(1500) as u64));
            send("-CONT")?;
        }
        Then::Interrupt => {
            sleep(Duration::from_millis(200));
            since = Instant::now();
            signal(&first, "-INT")?;
        }
        Then::Limit => since = begin + Duration::from_millis(1500),
        Then::Nothing => {}
    }
    let status = loop {
        if let Some(status) = first.try_wait()? {
            break Some(status);
        }
        if since.elapsed() > HANG {
            first.kill()?;
            first.wait()?;
            break None;
        }
        sleep(Duration::from_millis(2));
    };
    let late = since.elapsed();
    send("-KILL")?;
    let [out, err] = [out, err].map(|path| fs::read_to_string(path).unwrap_or_default());
    let answer: Value = serde_json::from_str(&out).unwrap_or(Value::Null);
    let what = || format!("{words}, {then:?}: {status:?} {late:?} later\n{out}\n{err}");
    tally.count("stops", 1);
    let code = status.and_then(|status| status.code());
    let right = match then {
        Then::Continue => code == Some(0) && answer["cost"] == *cost,
        Then::Interrupt => code == Some(130) && late <= grace,
        Then::Limit => code == Some(3) && late <= grace,
        Then::Nothing => {
            code == Some(3) && err.contains("does not answer") && late <= 3 * grace + Duration::from_secs(12)
        }
    };
    tally.check(right && !err.contains("panicked"), what);
    tally.count(&format!("{then:?}: ms in all"), late.as_millis() as u64);
    Ok(())
}

/// The first child of a process, as soon as it has one.
fn child_of(process: u32) -> Option<u32> {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(5) {
        let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
        if let Some(child) = children.split_whitespace().next().and_then(|number| number.parse().ok()) {
            return Some(child);
        }
        sleep(Duration::from_millis(1));
    }
    None
}
