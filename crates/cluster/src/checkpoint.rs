//! Writing down how far the work is, so that it goes on when its processes are gone.
//!
//! Worker 0 has all others pause. Once they do and no batch is under way, every process writes down its parts, beside
//! what it wrote before; and once all have, each puts the new in the place of the old. So whenever a process dies,
//! there is something that all of them have written at the same moment, and it has a number by which they find it.

use std::fmt::Debug;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::sync::{Mutex, MutexGuard};

use admissible::search::Stop;
use admissible::search::distributed::{Job, Place, Shard};

use crate::wire::Fate;

/// The number of what nobody had to write down: the beginning.
pub const BEGINNING: u64 = 0;

/// Where a process writes down how far the work is.
pub trait CheckpointStore: Send + Sync + Debug {
    /// Whether it is time to do so again.
    fn is_due(&self) -> bool;
    /// Writes what this process has, under a number, and why it is about to stop if it is. What was written before
    /// stays. False if that did not work.
    fn write(&self, number: u64, why: Option<Stop>, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> bool;
    /// All have written theirs: what was written before is not needed any more.
    fn settle(&self);
    /// What to go on from, if not from the beginning.
    ///
    /// # Errors
    /// If it cannot be read.
    fn resumed(&self) -> io::Result<Option<Box<dyn Read + '_>>>;
}

/// What a worker knows of the way behind it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WorkerHistory<const N: usize> {
    /// The layers that it worked on, and how many states it had expanded before each.
    pub(crate) layers: Vec<(u32, u64)>,
    /// The last layer that had states, and the first of them.
    pub(crate) samples: (u32, Vec<[u64; N]>),
}

/// No history is longer: a line for each layer, and few states.
const LONGEST: u64 = 1 << 30;

impl<const N: usize> WorkerHistory<N> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let samples: Vec<&[u64]> = self.samples.1.iter().map(|state| &state[..]).collect();
        let text = serde_json::to_vec(&(&self.layers, self.samples.0, samples))?;
        out.write_all(&(text.len() as u64).to_le_bytes())?;
        out.write_all(&text)
    }

    fn read(from: &mut dyn Read) -> io::Result<Self> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "no worker wrote this");
        let mut length = [0; 8];
        from.read_exact(&mut length)?;
        let length = Some(u64::from_le_bytes(length)).filter(|&length| length <= LONGEST).ok_or_else(wrong)?;
        let mut text = Vec::new();
        from.take(length).read_to_end(&mut text)?;
        let (layers, layer, samples): (_, _, Vec<Vec<u64>>) = serde_json::from_slice(&text)?;
        let samples =
            samples.into_iter().map(|state| state.try_into().map_err(|_| wrong())).collect::<Result<_, _>>()?;
        Ok(WorkerHistory { layers, samples: (layer, samples) })
    }
}

/// A worker's part, and what it knows of its way.
pub(crate) struct SavedShard<'j, const N: usize> {
    pub(crate) part: Box<dyn Shard<N> + 'j>,
    pub(crate) history: WorkerHistory<N>,
}

/// Where the workers of a process leave their parts to be written down together, and find those that were read.
pub(crate) struct SavedShards<'j, const N: usize>(Mutex<Vec<Option<SavedShard<'j, N>>>>);

impl<'j, const N: usize> SavedShards<'j, N> {
    /// With room for so many workers.
    pub(crate) fn new(threads: usize) -> Self {
        SavedShards(Mutex::new((0..threads).map(|_| None).collect()))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<SavedShard<'j, N>>>> {
        self.0.lock().expect("nobody panics with it")
    }

    /// Leaves the part of a worker there; whether those of all are there now.
    pub(crate) fn put(&self, thread: usize, saved: SavedShard<'j, N>) -> bool {
        let mut places = self.lock();
        places[thread] = Some(saved);
        places.iter().all(Option::is_some)
    }

    pub(crate) fn take(&self, thread: usize) -> Option<SavedShard<'j, N>> {
        self.lock()[thread].take()
    }

    /// Writes down all that is there, unless a process is gone meanwhile.
    pub(crate) fn write(&self, out: &mut dyn Write, fate: &Fate) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(BLOCK, Watchful { out, fate });
        for saved in self.lock().iter().flatten() {
            saved.history.write(&mut out)?;
            saved.part.save(&mut out)?;
        }
        out.flush()
    }

    /// Fills the places with what a process wrote down. `None` if a part does not fit into memory.
    pub(crate) fn read(&self, from: &mut dyn Read, job: &Job<'j, N>, first: usize, of: usize) -> io::Result<()> {
        let mut from = BufReader::with_capacity(BLOCK, from);
        for (thread, place) in self.lock().iter_mut().enumerate() {
            let made = (job.make)(Place { worker: first + thread, of });
            let mut part = made.ok_or(io::ErrorKind::OutOfMemory)?;
            let history = WorkerHistory::read(&mut from)?;
            part.load(&mut from)?;
            *place = Some(SavedShard { part, history });
        }
        Ok(())
    }
}

/// Bytes that are written at once.
const BLOCK: usize = 1 << 20;

/// Ends writing when a process is gone: whoever waits for this one is to hear of that soon.
struct Watchful<'a> {
    out: &'a mut dyn Write,
    fate: &'a Fate,
}

impl Write for Watchful<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.fate.gone().is_some() {
            return Err(io::Error::other("a process is gone"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diary_is_read_as_it_was_written() {
        let history = WorkerHistory { layers: vec![(3, 0), (5, 17)], samples: (5, vec![[1, u64::MAX]]) };
        let mut bytes = Vec::new();
        history.write(&mut bytes).unwrap();
        assert_eq!(WorkerHistory::read(&mut &bytes[..]).unwrap(), history);
        WorkerHistory::<1>::read(&mut &bytes[..]).expect_err("its states have two words");
        for cut in 0..bytes.len() {
            WorkerHistory::<2>::read(&mut &bytes[..cut]).expect_err("it is cut off");
        }
        bytes[..8].copy_from_slice(&[0xFF; 8]);
        WorkerHistory::<2>::read(&mut &bytes[..]).expect_err("nothing is as long");
    }
}
