//! Every command that writes files, on disks of every small size: the write that fails is another one each time.
//!
//! Each run gives a right answer or a clear end, its exit code is in the table, an answer that was found is printed,
//! and no half-written file stays behind. The same commands run with every small limit on address space.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::Tally;
use crate::program::{Program, Run};

const BOARD: &str = "5 1 4 8\n9 6 3 12\n2 10 7 11\n13 14 15 0\n";

/// A command, and the files that it may leave. With an answer as JSON on standard output, it has to be printed.
const WRITERS: [(&str, &[&str]); 8] = [
    ("solve board -a astar -H manhattan --format json --certificate proof", &["proof"]),
    ("solve board -a astar -H misplaced --format json --trace states.jsonl", &["states.jsonl"]),
    ("solve board -a astar -H misplaced --format json --trace states.yaml", &["states.yaml"]),
    ("compare board -H manhattan,misplaced --format json --report report", &["report"]),
    ("sweep die --vary size=4,5 --samples 2 --format json --report report", &["report"]),
    ("explore tiles --size 2x3 --format json --report report", &["report"]),
    ("explore tiles --size 2x4 --format json --save", &[]),
    ("bench korf100 --only 79 --format json -H linear-conflict --save saved", &["saved"]),
];

/// The sizes of the disk in KiB.
const SIZES: [u32; 10] = [0, 1, 2, 4, 8, 16, 32, 64, 256, 4096];

/// Runs every command on every disk, or on every third in a brief trial.
///
/// # Errors
/// If the program does not start.
pub fn run(binary: &Path, brief: bool) -> io::Result<Tally> {
    let mut tally = Tally::default();
    for (words, files) in WRITERS {
        for size in SIZES.into_iter().step_by(if brief { 4 } else { 1 }) {
            let folder = tempfile::tempdir()?;
            fs::write(folder.path().join("board"), BOARD)?;
            let program = Program::new(binary, folder.path())?;
            let run = program.watch(on_disk(&program, binary, size, words), None)?;
            judge(&program, words, files, size, &run, &mut tally)?;
        }
    }
    Ok(tally)
}

/// A command with a limit on the size of files. Its own output goes through a pipe, which has none.
fn on_disk(program: &Program, binary: &Path, size: u32, words: &str) -> Command {
    let mut command = Command::new("bash");
    let script = format!("set -o pipefail; (trap '' XFSZ; ulimit -f {size}; exec \"$0\" \"$@\") 2> >(cat >&2) | cat");
    command.args(["-c", &script]).arg(binary).args(words.split(' ')).current_dir(&program.folder);
    command.env("ADMISSIBLE_CACHE", &program.cache).env("NO_COLOR", "1");
    command
}

fn judge(program: &Program, words: &str, files: &[&str], size: u32, run: &Run, tally: &mut Tally) -> io::Result<()> {
    let what = |why: &str| format!("{words}, {size} KiB: {why}: {:?}\n{}\n{}", run.status, run.out, run.err);
    tally.count("disks", 1);
    tally.check(!run.err.contains("panicked"), || what("panicked"));
    let code = run.code();
    tally.check(matches!(code, Some(0 | 2)), || what("exit code"));
    tally.count("full disks", u64::from(code == Some(2)));
    // What could be seen to fail before the work began has no answer.
    let is_late = !run.err.is_empty() && run.out.is_empty();
    let is_answer = run.json() != Value::Null;
    let may_lack = words.contains("--save") || size < 2;
    tally.check(is_answer || is_late && may_lack || code == Some(2) && may_lack, || what("no answer"));
    tally.count("answers beside a full disk", u64::from(code == Some(2) && is_answer));
    let mut left: Vec<String> = Vec::new();
    for entry in fs::read_dir(&program.folder)?.chain(fs::read_dir(&program.cache)?) {
        left.push(entry?.file_name().to_string_lossy().into_owned());
    }
    let known = ["board", "cache", ".out", ".err"];
    left.retain(|name| !known.contains(&name.as_str()) && !name.ends_with(".atlas"));
    let expected = |name: &String| code == Some(0) && files.contains(&name.as_str());
    tally.check(left.iter().all(expected), || what(&format!("left behind {left:?}")));
    Ok(())
}

/// Limits on address space in MiB.
const SPACES: [u64; 8] = [40, 64, 96, 128, 192, 256, 384, 512];

const SEARCHES: [&str; 5] = [
    "solve hard --goal blank-first -a astar -H manhattan --format json --time-limit 2s",
    "solve hard --goal blank-first -a bfs --format json --time-limit 2s",
    "solve hard --goal blank-first -a hdastar -H manhattan --format json --time-limit 2s",
    "solve hard --goal blank-first -a bidirectional --format json --time-limit 2s",
    "solve hard --goal blank-first -H pdb:6-6-3 --format json --time-limit 2s",
];

/// Runs searches that fill memory with limits on address space (`ulimit -v`).
///
/// # Errors
/// If the program does not start.
pub fn spaces(binary: &Path, brief: bool) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("hard"), "15 14 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n")?;
    let program = Program::new(binary, folder.path())?;
    for words in SEARCHES {
        for mebibytes in SPACES.into_iter().step_by(if brief { 4 } else { 1 }) {
            let mut command = Command::new("bash");
            let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", mebibytes << 10);
            command.args(["-c", &script]).arg(binary).args(words.split(' ')).current_dir(&program.folder);
            command.env("ADMISSIBLE_CACHE", &program.cache);
            let run = program.watch(command, None)?;
            let answer = run.json();
            let what = || format!("{words}, {mebibytes} MiB: {:?}\n{}\n{}", run.status, run.out, run.err);
            tally.count("address spaces", 1);
            let is_clear = matches!(run.code(), Some(0 | 3)) && !run.err.contains("panicked");
            tally.check(is_clear, what);
            tally.count("with an answer or a bound", u64::from(answer != Value::Null));
            tally.count("out of memory", u64::from(run.err.contains("out of memory")));
            let bound = answer["lower_bound"].as_u64().or(answer["cost"].as_u64());
            tally.check(bound.is_none_or(|bound| bound <= 80), || format!("bound {bound:?}: {}", what()));
        }
    }
    Ok(tally)
}
