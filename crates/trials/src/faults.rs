//! Full disks, folders that cannot be written to, files that vanish: a clear error, and no file is lost or left behind.

use std::fs;
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Tally;
use crate::program::{Program, Run};

const BOARD: &str = "14 1 9 6\n4 8 12 5\n7 2 3 0\n10 11 13 15\n";
const SOLVE: [&str; 8] = ["solve", "board", "--goal", "blank-first", "-a", "idastar", "-H", "manhattan"];

/// Injects every fault once.
///
/// # Errors
/// If the program does not start.
pub fn run(binary: &Path) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let folder = tempfile::tempdir()?;
    let program = Program::new(binary, folder.path())?;
    fs::write(folder.path().join("board"), BOARD)?;
    let with = |more: &[&'static str]| [&SOLVE[..], more].concat();

    // A full disk.
    let built = program.run(&["pdb", "build", "5-5-5"])?;
    tally.check(built.code() == Some(0), || built.err.clone());
    let before = names(&program.cache)?;
    let run = program.watch(program.command_on_small_disk(40, &["pdb", "build", "5-5-5", "--again"]), None)?;
    check_refused(&mut tally, "pdb build on a full disk", &run, "File too large");
    tally.check(names(&program.cache)? == before, || "a failed build left something behind".into());
    tally.check(program.run(&["pdb", "verify"])?.code() == Some(0), || "a failed build damaged a table".into());
    let words = ["explore", "tiles", "--size", "2x5", "--save"];
    let run = program.watch(program.command_on_small_disk(40, &words), None)?;
    check_refused(&mut tally, "explore --save on a full disk", &run, "File too large");
    tally.check(names(&program.cache)? == before, || "a failed atlas left something behind".into());
    let words = ["explore", "tiles", "--size", "2x5", "--checkpoint", "small", "--checkpoint-every", "0s"];
    let run = program.watch(program.command_on_small_disk(40, &words), None)?;
    tally.count("faults", 1);
    let goes_on = run.code() == Some(0) && run.err.contains("the checkpoint was not written");
    tally.check(goes_on, || format!("explore goes on without checkpoints: {:?} {}", run.status, run.err));
    fs::write(folder.path().join("padded"), BOARD.to_string() + &"\n".repeat(4000))?;
    let words = with(&["--checkpoint", "small"]).into_iter().map(|word| if word == "board" { "padded" } else { word });
    let run = program.watch(program.command_on_small_disk(2, &words.collect::<Vec<_>>()), None)?;
    check_refused(&mut tally, "a checkpoint on a full disk", &run, "small");

    // Paths below a file, folders that cannot be written to or do not exist, files that are no checkpoints.
    for path in ["board/below", "/proc/below", "none/below"] {
        let run = program.run(&with(&["--checkpoint", path]))?;
        check_refused(&mut tally, path, &run, path);
        tally.check(run.out.is_empty(), || format!("{path}: it searched first"));
    }
    let run = program.run(&with(&["--checkpoint", "board"]))?;
    check_refused(&mut tally, "a board for a checkpoint", &run, "is not overwritten");
    tally.check(fs::read_to_string(folder.path().join("board"))? == BOARD, || "the board was overwritten".into());
    check_refused(
        &mut tally,
        "a file that is no checkpoint",
        &program.run(&["resume", "board"])?,
        "no checkpoint of ours",
    );
    check_refused(&mut tally, "a missing checkpoint", &program.run(&["resume", "missing"])?, "missing");

    // A folder that vanishes during the search.
    fs::create_dir(folder.path().join("some"))?;
    fs::write(folder.path().join("hard"), "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n")?;
    let words = "solve hard --goal blank-first -a idastar -H manhattan \
                 --checkpoint some/file --checkpoint-every 1ms --format json";
    let mut child = program.command(&words.split(' ').collect::<Vec<_>>());
    let child = child.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn()?;
    let begin = Instant::now();
    while !folder.path().join("some/file").exists() && begin.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(1));
    }
    while fs::remove_dir_all(folder.path().join("some")).is_err() && begin.elapsed() < Duration::from_secs(60) {}
    let output = child.wait_with_output()?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    tally.count("faults", 1);
    let right = output.status.code() == Some(0) && out.contains("\"cost\":57");
    tally.check(right, || format!("a folder that vanishes: {:?} {out} {err}", output.status));
    tally
        .check(err.contains("the checkpoint was not written"), || format!("a folder that vanishes: no warning: {err}"));
    Ok(tally)
}

/// Checks that a run ended with exit code 2 and a message that contains `expected`.
fn check_refused(tally: &mut Tally, what: &str, run: &Run, expected: &str) {
    tally.count("faults", 1);
    let clear = run.code() == Some(2) && run.err.contains(expected) && !run.err.contains("panicked");
    tally.check(clear, || format!("{what}: {:?} {}", run.status, run.err));
}

/// The names of the files of a folder, sorted.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names: Vec<String> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<io::Result<_>>()?;
    names.sort();
    Ok(names)
}
