//! Sorts more states than fit into memory: runs that do fit are sorted and written to disk, and merged in the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek as _};
use std::path::{Path, PathBuf};

use admissible_files::FileError;

use crate::entries::{EntryReader, EntryWriter};
use crate::{Cost, Number};

/// So many runs are merged into one before there are more, so that few files are open at once.
const MOST_RUNS: usize = 64;
/// Fewer entries than this are not worth a run.
const LEAST_ENTRIES: usize = 1024;

/// Takes states in any order and any number of times.
#[derive(Debug)]
pub struct Sorter {
    entries: Vec<(Number, Cost)>,
    /// How many entries are kept in memory.
    most: usize,
    folder: PathBuf,
    /// Files that have no name: they are gone with this process, however it ends.
    runs: Vec<File>,
}

impl Sorter {
    /// Keeps about so many bytes in memory, and the rest in files in the folder.
    pub fn new(memory: u64, folder: &Path) -> Self {
        let most = memory / size_of::<(Number, Cost)>() as u64;
        let most = usize::try_from(most).unwrap_or(usize::MAX).max(LEAST_ENTRIES);
        Sorter { entries: Vec::new(), most, folder: folder.into(), runs: Vec::new() }
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
        if held < self.most {
            self.entries.reserve_exact(held.max(LEAST_ENTRIES).min(self.most - held));
            return Ok(());
        }
        self.sort();
        // Where most of it was there several times, there is room for more before anything has to be written.
        if self.entries.len() > self.most / 2 {
            self.spill()?;
        }
        Ok(())
    }

    /// Every state once, with the smallest `g` that it came with.
    fn sort(&mut self) {
        self.entries.sort_unstable();
        self.entries.dedup_by_key(|&mut (state, _)| state);
    }

    fn spill(&mut self) -> io::Result<()> {
        if self.runs.len() == MOST_RUNS {
            let merged = merge(std::mem::take(&mut self.runs), Vec::new()).map_err(as_io)?;
            self.runs.push(self.run(merged)?);
        }
        let entries = std::mem::take(&mut self.entries);
        self.runs.push(self.run(entries.iter().copied().map(Ok))?);
        self.entries = entries;
        self.entries.clear();
        Ok(())
    }

    fn run(&self, entries: impl Iterator<Item = Result<(Number, Cost), FileError>>) -> io::Result<File> {
        let mut file = tempfile::tempfile_in(&self.folder)?;
        let mut writer = EntryWriter::new(BufWriter::new(&mut file), &[]);
        for entry in entries {
            let (state, g) = entry.map_err(as_io)?;
            writer.put(state, g)?;
        }
        writer.finish()?;
        file.rewind()?;
        Ok(file)
    }

    /// The states in increasing order, each once, with the smallest `g` that it came with.
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
    let read = |run: File| EntryReader::new(BufReader::new(run), &[]);
    let mut sorted = Sorted {
        runs: runs.into_iter().map(read).collect(),
        entries: entries.into_iter(),
        next: BinaryHeap::new(),
        last: None,
    };
    for source in 0..=sorted.runs.len() {
        sorted.draw(source)?;
    }
    Ok(sorted)
}

/// States in increasing order.
pub struct Sorted {
    runs: Vec<EntryReader<BufReader<File>>>,
    entries: std::vec::IntoIter<(Number, Cost)>,
    /// The next entry of each run, and of those in memory, which count as the last run.
    next: BinaryHeap<Reverse<(Number, Cost, usize)>>,
    last: Option<Number>,
}

impl Sorted {
    fn draw(&mut self, source: usize) -> Result<(), FileError> {
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
            if let Err(error) = self.draw(source) {
                return Some(Err(error));
            }
            // Of several the first has the smallest `g`.
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

    fn drill(memory: u64, count: u64, range: u64) -> usize {
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
        assert_eq!(drill(1 << 30, 50_000, 1 << 40), 0, "in memory");
        assert_eq!(drill(0, 0, 1), 0);
        assert!(drill(0, 50_000, 1 << 40) > 10);
        // More runs than are kept: they are merged on the way.
        assert!(drill(0, 200_000, 1 << 40) <= MOST_RUNS);
    }

    #[test]
    fn what_is_there_many_times_takes_no_disk() {
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
