//! Temporary files and folders that a process left unfinished.
//!
//! A temporary file is removed if writing fails, but not if the process exits at once or is killed. So its name
//! contains the process id. Before it exits, a process calls [`remove_unfinished`]. The files of a killed process are
//! removed by the next process that writes to the same folder; a lock tells them from files that are being written.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use tempfile::TempDir;

use crate::faults::operation;

const PREFIX: &str = ".unfinished-";

/// The folders that this process has written to.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A temporary folder for files that become complete together. It is removed when it is dropped.
///
/// # Errors
/// If the folder cannot be created.
pub fn temporary_folder(parent: &Path) -> io::Result<TempDir> {
    register(parent);
    operation()?;
    tempfile::Builder::new().prefix(&prefix()).tempdir_in(parent)
}

/// The prefix of this process's temporary file names.
pub(crate) fn prefix() -> String {
    format!("{PREFIX}{}-", std::process::id())
}

/// Registers a folder before the first write to it, and removes the files that ended processes left there.
pub(crate) fn register(folder: &Path) {
    let Ok(mut folders) = FOLDERS.lock() else { return };
    if folders.iter().any(|known| known == folder) {
        return;
    }
    folders.push(folder.into());
    drop(folders);
    remove_where(folder, |name, path| {
        let process = name.split('-').nth(1).and_then(|number| number.parse::<u32>().ok());
        process.is_some_and(|process| is_abandoned(process, path))
    });
}

/// Removes the unfinished files of this process. To be called before the process exits early.
pub fn remove_unfinished() {
    // A thread that holds the lock has not written to its folder yet.
    let Ok(folders) = FOLDERS.try_lock() else { return };
    let prefix = prefix();
    for folder in &*folders {
        remove_where(folder, |name, _| name.starts_with(&prefix));
    }
}

fn remove_where(folder: &Path, unwanted: impl Fn(&str, &Path) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
        if unwanted(name, &entry.path()) {
            let path = entry.path();
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }
}

/// Whether a process of this machine has ended; false where `/proc` does not say.
fn has_ended(process: u32) -> bool {
    Path::new("/proc/self").exists() && !Path::new(&format!("/proc/{process}")).exists()
}

/// Whether nobody writes a file or folder any more. The process that writes a file holds a lock on it, whatever its
/// number is. A number alone may be that of a process in another container, or on another machine that shares the
/// folder; so without a lock only what was not written for a minute is abandoned.
fn is_abandoned(process: u32, path: &Path) -> bool {
    let lock = if path.is_dir() { None } else { File::open(path).ok().map(|file| file.try_lock()) };
    match lock {
        Some(Err(TryLockError::WouldBlock)) => false,
        Some(Ok(())) => has_ended(process) && is_old(path, 2) || is_old(path, 60),
        Some(Err(TryLockError::Error(_))) | None => has_ended(process) && is_old(path, 60),
    }
}

/// Whether a file was not written for so many seconds. A younger one may not be locked yet.
fn is_old(path: &Path, seconds: u64) -> bool {
    let age = fs::metadata(path).and_then(|metadata| metadata.modified()).map(|written| written.elapsed());
    age.is_ok_and(|age| age.is_ok_and(|age| age > Duration::from_secs(seconds)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a file seem not written for so many seconds.
    fn age(file: &File, seconds: u64) {
        let then = std::time::SystemTime::now() - Duration::from_secs(seconds);
        file.set_times(fs::FileTimes::new().set_modified(then)).unwrap();
    }

    /// More than any system numbers its processes.
    const NOBODY: u32 = u32::MAX;

    #[test]
    fn a_file_is_abandoned_once_nobody_holds_its_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".unfinished-1-x");
        let file = File::create(&path).unwrap();
        file.try_lock().unwrap();
        age(&file, 1000);
        assert!(!is_abandoned(NOBODY, &path), "its writer is slow");
        file.unlock().unwrap();
        assert!(is_abandoned(NOBODY, &path));
        assert!(is_abandoned(std::process::id(), &path), "the number is that of another process by now");
        age(&file, 10);
        assert!(is_abandoned(NOBODY, &path));
        assert!(!is_abandoned(std::process::id(), &path), "it may not be locked yet");
        age(&file, 0);
        assert!(!is_abandoned(NOBODY, &path));
    }

    #[test]
    fn the_next_process_removes_what_a_killed_one_left() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(format!("{PREFIX}{NOBODY}-left"));
        age(&File::create(&left).unwrap(), 5);
        let young = folder.path().join(format!("{PREFIX}{NOBODY}-young"));
        File::create(&young).unwrap();
        fs::write(folder.path().join("kept"), "kept").unwrap();
        register(folder.path());
        assert!(!left.exists() && young.exists() && folder.path().join("kept").exists());
    }
}
