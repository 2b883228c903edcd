//! Temporary files that a process left unfinished.
//!
//! A temporary file is removed if writing fails, but not if the process exits at once or is killed. So its name
//! contains the process id. Before it exits, a process calls [`remove_unfinished`]. The files of a killed process are
//! removed by the next process that writes to the same folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

const PREFIX: &str = ".unfinished-";

/// The folders that this process has written to.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

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
        process.is_some_and(has_ended) && is_old(path)
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
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a process of this machine has ended; false where `/proc` does not say.
fn has_ended(process: u32) -> bool {
    Path::new("/proc/self").exists() && !Path::new(&format!("/proc/{process}")).exists()
}

/// Whether a file was not written for a minute. A younger file may belong to a process of another machine that shares
/// the folder.
fn is_old(path: &Path) -> bool {
    let age = fs::metadata(path).and_then(|metadata| metadata.modified()).map(|written| written.elapsed());
    age.is_ok_and(|age| age.is_ok_and(|age| age > Duration::from_secs(60)))
}
