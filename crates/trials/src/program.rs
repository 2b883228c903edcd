//! The program under test as a child process, with its output, peak memory and time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The program under test and its folders.
#[derive(Debug)]
pub struct Program {
    binary: PathBuf,
    /// Its working directory.
    pub folder: PathBuf,
    /// Its table cache.
    pub cache: PathBuf,
}

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    /// The exit status.
    pub status: ExitStatus,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// The peak resident memory in bytes; 0 if the system does not report it.
    pub resident: u64,
    /// Whether this crate killed it.
    pub killed: bool,
    /// The wall time.
    pub seconds: f64,
}

impl Run {
    /// The exit code, unless a signal ended it.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// Standard output as JSON; null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or(Value::Null)
    }

    /// The last line of standard error.
    pub fn last_line(&self) -> &str {
        self.err.lines().last().unwrap_or("")
    }
}

/// Longer than any run that does not hang, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(600);

impl Program {
    /// The program in `folder`, with a table cache inside it.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn new(binary: &Path, folder: &Path) -> io::Result<Self> {
        let cache = folder.join("cache");
        fs::create_dir_all(&cache)?;
        Ok(Program { binary: binary.into(), folder: folder.into(), cache })
    }

    /// The program with these arguments.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        self.prepare(&mut command).args(words);
        command
    }

    /// The program with a limit on the size of the files it writes, which acts like a full disk.
    pub fn command_on_small_disk(&self, kibibytes: u32, words: &[&str]) -> Command {
        let mut command = Command::new("bash");
        let script = format!("trap '' XFSZ; ulimit -f {kibibytes}; exec \"$0\" \"$@\"");
        self.prepare(&mut command).args(["-c", &script]).arg(&self.binary).args(words);
        command
    }

    fn prepare<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.current_dir(&self.folder).env("ADMISSIBLE_CACHE", &self.cache).env("NO_COLOR", "1")
    }

    /// Runs the program to its end.
    ///
    /// # Errors
    /// If it does not start.
    pub fn run(&self, words: &[&str]) -> io::Result<Run> {
        self.watch(self.command(words), None)
    }

    /// Runs the program, and kills it if it has not ended after `time`.
    ///
    /// # Errors
    /// If it does not start.
    pub fn run_for(&self, words: &[&str], time: Duration) -> io::Result<Run> {
        self.watch(self.command(words), Some(time))
    }

    /// Runs a command, and kills it after `kill_after`, or after ten minutes if that is `None`.
    ///
    /// # Errors
    /// If it does not start.
    pub fn watch(&self, mut command: Command, kill_after: Option<Duration>) -> io::Result<Run> {
        // Files, unlike pipes, never fill up.
        let [out, err] = ["out", "err"].map(|name| self.folder.join(format!(".{name}")));
        command.stdin(Stdio::null()).stdout(fs::File::create(&out)?).stderr(fs::File::create(&err)?);
        let begin = Instant::now();
        let mut child = command.spawn()?;
        let mut resident = 0;
        let mut killed = false;
        let status = loop {
            resident = peak_memory(&child).unwrap_or(0).max(resident);
            if let Some(status) = child.try_wait()? {
                break status;
            }
            let limit = kill_after.unwrap_or(TIMEOUT);
            if begin.elapsed() >= limit && !killed {
                child.kill()?;
                killed = true;
            }
            sleep(Duration::from_millis(1).min(limit.saturating_sub(begin.elapsed())));
        };
        let seconds = begin.elapsed().as_secs_f64();
        let text = |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        // A child that exits just before the signal was not killed.
        let killed = killed && status.code().is_none();
        Ok(Run { status, out: text(&out)?, err: text(&err)?, resident, killed, seconds })
    }
}

/// The peak resident memory of a child in bytes.
fn peak_memory(child: &Child) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}
