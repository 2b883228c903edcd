//! Files that were being written when the program ended.
//!
//! A file is removed by itself if writing fails, but not if the program is ended at once. So its temporary name has the
//! number of the process: whoever ends it on purpose removes the files first, and what a killed process has left behind
//! is removed by the next one that writes there.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

const PREFIX: &str = ".unfinished-";

/// The folders that this process has written to.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What the temporary names of this process begin with.
pub(crate) fn prefix() -> String {
    format!("{PREFIX}{}-", std::process::id())
}

/// Notes a folder that is going to be written to, and removes what processes that are no more have left there.
pub(crate) fn begin(folder: &Path) {
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

/// Removes the files that this process has not finished, before it ends at once.
pub fn remove_unfinished() {
    // Whoever holds the list has not begun to write.
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

/// Whether there is no such process here any more; false where that cannot be told.
fn has_ended(process: u32) -> bool {
    Path::new("/proc/self").exists() && !Path::new(&format!("/proc/{process}")).exists()
}

/// Whether nothing was written to a file for a minute: processes of another machine may share the folder.
fn is_old(path: &Path) -> bool {
    let age = fs::metadata(path).and_then(|known| known.modified()).map(|written| written.elapsed());
    age.is_ok_and(|age| age.is_ok_and(|age| age > Duration::from_secs(60)))
}
