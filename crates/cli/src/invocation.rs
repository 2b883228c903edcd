//! How the program was started: its arguments, and how to start it again for further processes.

use std::ffi::OsString;
use std::io;
use std::process::Command;
use std::sync::OnceLock;

/// How the program was started, where that is not by its own executable: another program may contain it.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The words that start the program again, without arguments.
    pub restart: Vec<OsString>,
    /// The arguments; the first is the name of the program.
    pub arguments: Vec<OsString>,
}

static INVOCATION: OnceLock<Invocation> = OnceLock::new();

impl Invocation {
    /// Sets the invocation of this process, once.
    pub(crate) fn set(self) {
        let _ = INVOCATION.set(self);
    }
}

/// The arguments of the program; the first is its name.
pub(crate) fn arguments() -> Vec<OsString> {
    INVOCATION.get().map_or_else(|| std::env::args_os().collect(), |invocation| invocation.arguments.clone())
}

/// A command that starts the program again, without arguments.
pub(crate) fn restart() -> io::Result<Command> {
    match INVOCATION.get().and_then(|invocation| invocation.restart.split_first()) {
        Some((program, words)) => {
            let mut command = Command::new(program);
            command.args(words);
            Ok(command)
        }
        None => Ok(Command::new(std::env::current_exe()?)),
    }
}
