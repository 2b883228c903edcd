//! The program as a child that is watched.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The program, and the folders that it works in.
#[derive(Debug)]
pub struct Program {
    binary: PathBuf,
    /// Where it runs.
    pub folder: PathBuf,
    /// Where its tables are.
    pub cache: PathBuf,
}

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub status: ExitStatus,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// The most bytes that it had in memory, where the system says so.
    pub resident: u64,
    /// Whether it was killed by us.
    pub killed: bool,
    /// How long it took.
    pub seconds: f64,
}

impl Run {
    /// The exit code, if it ended by itself.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or(Value::Null)
    }

    /// The last line of standard error.
    pub fn last_line(&self) -> &str {
        self.err.lines().last().unwrap_or("")
    }
}

/// Longer than anything takes that works, on however busy a machine.
const A_LONG_TIME: Duration = Duration::from_secs(600);

impl Program {
    /// The program in a folder of its own, with tables of its own.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn new(binary: &Path, folder: &Path) -> io::Result<Self> {
        let cache = folder.join("cache");
        fs::create_dir_all(&cache)?;
        Ok(Program { binary: binary.into(), folder: folder.into(), cache })
    }

    /// The program with these words.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        self.prepare(&mut command).args(words);
        command
    }

    /// The program with files of at most so many kibibytes: to the program it looks as if the disk was full.
    pub fn command_on_small_disk(&self, kibibytes: u32, words: &[&str]) -> Command {
        let mut command = Command::new("bash");
        let script = format!("trap '' XFSZ; ulimit -f {kibibytes}; exec \"$0\" \"$@\"");
        self.prepare(&mut command).args(["-c", &script]).arg(&self.binary).args(words);
        command
    }

    fn prepare<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.current_dir(&self.folder).env("ADMISSIBLE_CACHE", &self.cache).env("NO_COLOR", "1")
    }

    /// Runs a command to its end.
    ///
    /// # Errors
    /// If it does not start.
    pub fn run(&self, words: &[&str]) -> io::Result<Run> {
        self.watch(self.command(words), None)
    }

    /// Runs a command, and kills it after some time if it has not ended by then.
    ///
    /// # Errors
    /// If it does not start.
    pub fn run_for(&self, words: &[&str], time: Duration) -> io::Result<Run> {
        self.watch(self.command(words), Some(time))
    }

    /// Watches a command.
    ///
    /// # Errors
    /// If it does not start.
    pub fn watch(&self, mut command: Command, kill_after: Option<Duration>) -> io::Result<Run> {
        // Into files, so that nobody has to empty a pipe.
        let [out, err] = ["out", "err"].map(|name| self.folder.join(format!(".{name}")));
        command.stdin(Stdio::null()).stdout(fs::File::create(&out)?).stderr(fs::File::create(&err)?);
        let begin = Instant::now();
        let mut child = command.spawn()?;
        let mut resident = 0;
        let mut killed = false;
        let status = loop {
            resident = peak_of(&child).unwrap_or(0).max(resident);
            if let Some(status) = child.try_wait()? {
                break status;
            }
            let patience = kill_after.unwrap_or(A_LONG_TIME);
            if begin.elapsed() >= patience && !killed {
                child.kill()?;
                killed = true;
            }
            sleep(Duration::from_millis(1).min(patience.saturating_sub(begin.elapsed())));
        };
        let seconds = begin.elapsed().as_secs_f64();
        let text = |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        // A child that ends at the same moment was not killed.
        let killed = killed && status.code().is_none();
        Ok(Run { status, out: text(&out)?, err: text(&err)?, resident, killed, seconds })
    }
}

/// The most bytes that a child has had in memory so far.
fn peak_of(child: &Child) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}
