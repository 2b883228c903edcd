//! External merge sort of states: runs that fit into memory are sorted and written to disk, and merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek as _};
use std::path::{Path, PathBuf};

use admissible_files::{Counted, FileError, operation};

use crate::entries::{EntryReader, EntryWriter};
use crate::{Cost, Number};

/// The most runs on disk at once. When one more is needed, they are merged into one, to keep few files open.
const MAX_RUNS: usize = 64;
/// The fewest entries that make a run.
const MIN_RUN_ENTRIES: usize = 1024;

/// Sorts states that arrive in any order and with duplicates.
#[derive(Debug)]
pub struct Sorter {
    entries: Vec<(Number, Cost)>,
    /// The most entries in memory.
    max_entries: usize,
    folder: PathBuf,
    /// Unnamed files: the system removes them when this process ends, however it ends.
    runs: Vec<File>,
}

impl Sorter {
    /// Uses about `memory` bytes of memory, and files in `folder` for the rest.
    pub fn new(memory: u64, folder: &Path) -> Self {
        let max_entries = memory / size_of::<(Number, Cost)>() as u64;
        let max_entries = usize::try_from(max_entries).unwrap_or(usize::MAX).max(MIN_RUN_ENTRIES);
        Sorter { entries: Vec::new(), max_entries, folder: folder.into(), runs: Vec::new() }
    }

    /// Adds a state with its `g`.
    ///
    /// # Errors
    /// If the disk is full.
    #[inline]
    pub fn push(&mut self, state: Number, g: Cost) -> io::Result<()> {
        if self.entries.len() == self.entries.capacity() {
            self.make_room()?;
        }
        self.entries.push((state, g));
        Ok(())
    }

    #[cold]
    fn make_room(&mut self) -> io::Result<()> {
        let held = self.entries.len();
        if held < self.max_entries {
            self.entries.reserve_exact(held.max(MIN_RUN_ENTRIES).min(self.max_entries - held));
            return Ok(());
        }
        self.sort();
        // If most entries were duplicates, removing them made enough room.
        if self.entries.len() > self.max_entries / 2 {
            self.spill()?;
        }
        Ok(())
    }

    /// Sorts the entries in memory and keeps the smallest `g` of each state.
    fn sort(&mut self) {
        self.entries.sort_unstable();
        self.entries.dedup_by_key(|&mut (state, _)| state);
    }

    /// Moves the entries in memory to a run on disk.
    fn spill(&mut self) -> io::Result<()> {
        if self.runs.len() == MAX_RUNS {
            let merged = merge(std::mem::take(&mut self.runs), Vec::new()).map_err(as_io)?;
            self.runs.push(self.write_run(merged)?);
        }
        let entries = std::mem::take(&mut self.entries);
        self.runs.push(self.write_run(entries.iter().copied().map(Ok))?);
        self.entries = entries;
        self.entries.clear();
        Ok(())
    }

    fn write_run(&self, entries: impl Iterator<Item = Result<(Number, Cost), FileError>>) -> io::Result<File> {
        operation()?;
        let mut file = tempfile::tempfile_in(&self.folder)?;
        let mut writer = EntryWriter::new(BufWriter::new(Counted(&mut file)), &[]);
        for entry in entries {
            let (state, g) = entry.map_err(as_io)?;
            writer.put(state, g)?;
        }
        writer.finish()?;
        file.rewind()?;
        Ok(file)
    }

    /// The states in increasing order, each once, with the smallest `g` that was pushed for it.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn finish(mut self) -> Result<Sorted, FileError> {
        self.sort();
        merge(self.runs, self.entries)
    }
}

fn as_io(error: FileError) -> io::Error {
    match error {
        FileError::File(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

fn merge(runs: Vec<File>, entries: Vec<(Number, Cost)>) -> Result<Sorted, FileError> {
    let read = |run: File| EntryReader::new(BufReader::new(Counted(run)), &[]);
    let mut sorted = Sorted {
        runs: runs.into_iter().map(read).collect(),
        entries: entries.into_iter(),
        next: BinaryHeap::new(),
        last: None,
    };
    for source in 0..=sorted.runs.len() {
        sorted.fetch_next(source)?;
    }
    Ok(sorted)
}

/// Iterates over states in increasing order.
pub struct Sorted {
    runs: Vec<EntryReader<BufReader<Counted<File>>>>,
    entries: std::vec::IntoIter<(Number, Cost)>,
    /// The next entry of each source: of each run, and of the entries in memory, which are the last source.
    next: BinaryHeap<Reverse<(Number, Cost, usize)>>,
    last: Option<Number>,
}

impl Sorted {
    fn fetch_next(&mut self, source: usize) -> Result<(), FileError> {
        let entry = match self.runs.get_mut(source) {
            Some(run) => run.next()?,
            None => self.entries.next(),
        };
        self.next.extend(entry.map(|(state, g)| Reverse((state, g, source))));
        Ok(())
    }
}

impl Iterator for Sorted {
    type Item = Result<(Number, Cost), FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Reverse((state, g, source)) = self.next.pop()?;
            if let Err(error) = self.fetch_next(source) {
                return Some(Err(error));
            }
            // The first of several entries of a state has the smallest `g`.
            if self.last.replace(state) != Some(state) {
                return Some(Ok((state, g)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Sorts pseudo-random states, compares them with a `BTreeMap`, and returns the number of runs on disk.
    fn check_sorting(memory: u64, count: u64, range: u64) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(memory, folder.path());
        let mut expected = BTreeMap::new();
        let mut random = 7_u64;
        for _ in 0..count {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let state = Number([random >> 60, random << 3, (random >> 20) % range]);
            let g = (random >> 40) as Cost % 1000;
            sorter.push(state, g).unwrap();
            let least = expected.entry(state).or_insert(g);
            *least = g.min(*least);
        }
        let runs = sorter.runs.len();
        let sorted: Vec<(Number, Cost)> = sorter.finish().unwrap().map(Result::unwrap).collect();
        assert!(sorted == expected.into_iter().collect::<Vec<_>>());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
        runs
    }

    #[test]
    fn states_come_out_sorted_and_once() {
        assert_eq!(check_sorting(1 << 30, 50_000, 1 << 40), 0, "in memory");
        assert_eq!(check_sorting(0, 0, 1), 0);
        assert!(check_sorting(0, 50_000, 1 << 40) > 10);
        // More runs than allowed: some are merged on the way.
        assert!(check_sorting(0, 200_000, 1 << 40) <= MAX_RUNS);
    }

    #[test]
    fn duplicates_take_no_disk() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(0, folder.path());
        for turn in 0..100_000_u64 {
            sorter.push(Number::from(turn % 300), turn as Cost).unwrap();
        }
        assert_eq!(sorter.runs.len(), 0);
        let sorted: Vec<_> = sorter.finish().unwrap().map(Result::unwrap).collect();
        assert_eq!(sorted, (0..300).map(|at| (Number::from(at), at as Cost)).collect::<Vec<_>>());
    }
}
