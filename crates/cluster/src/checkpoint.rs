//! Consistent checkpoints of all processes, by two-phase commit.
//!
//! The coordinator has all workers pause. Once they have and no batch is in flight, every process writes its shards
//! to a new checkpoint beside its last one; once all have succeeded, each replaces the last one by the new one. So
//! whenever a process dies, all processes have a checkpoint of the same moment. Its number identifies it.

use std::fmt::Debug;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::sync::{Mutex, MutexGuard};

use admissible::search::Stop;
use admissible::search::distributed::{Job, Place, Shard};

use crate::UNPOISONED;
use crate::peer_stream::RunStatus;

/// The number that stands for the start of the search, which needs no checkpoint.
pub const BEGINNING: u64 = 0;

/// Stores the checkpoints of one process.
pub trait CheckpointStore: Send + Sync + Debug {
    /// Whether it is time for the next checkpoint.
    fn is_due(&self) -> bool;
    /// Writes a checkpoint with this number; `why` is given if the run is about to stop. Keeps the last checkpoint
    /// until [`commit`](Self::commit). False if writing failed.
    fn write(&self, number: u64, why: Option<Stop>, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> bool;
    /// Replaces the last checkpoint by the one just written: all processes have written theirs.
    fn commit(&self);
    /// The checkpoint to resume from; `None` to start from the beginning.
    ///
    /// # Errors
    /// If it cannot be read.
    fn resumed(&self) -> io::Result<Option<Box<dyn Read + '_>>>;
}

/// What a worker has done so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WorkerHistory<const N: usize> {
    /// The layers it has expanded states of, each with the number of states expanded before it.
    pub(crate) layers: Vec<(u32, u64)>,
    /// The last layer with states, and the first of these.
    pub(crate) samples: (u32, Vec<[u64; N]>),
}

/// An upper bound on the size of a history, to reject corrupt lengths.
const MAX_HISTORY_BYTES: u64 = 1 << 30;

impl<const N: usize> WorkerHistory<N> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let samples: Vec<&[u64]> = self.samples.1.iter().map(|state| &state[..]).collect();
        let text = serde_json::to_vec(&(&self.layers, self.samples.0, samples))?;
        out.write_all(&(text.len() as u64).to_le_bytes())?;
        out.write_all(&text)
    }

    pub(crate) fn read(from: &mut dyn Read) -> io::Result<Self> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not the history of a worker");
        let mut length = [0; 8];
        from.read_exact(&mut length)?;
        let length =
            Some(u64::from_le_bytes(length)).filter(|&length| length <= MAX_HISTORY_BYTES).ok_or_else(wrong)?;
        let mut text = Vec::new();
        from.take(length).read_to_end(&mut text)?;
        let (layers, layer, samples): (_, _, Vec<Vec<u64>>) = serde_json::from_slice(&text)?;
        let samples =
            samples.into_iter().map(|state| state.try_into().map_err(|_| wrong())).collect::<Result<_, _>>()?;
        Ok(WorkerHistory { layers, samples: (layer, samples) })
    }
}

/// A worker's shard and history.
pub(crate) struct SavedShard<'j, const N: usize> {
    pub(crate) shard: Box<dyn Shard<N> + 'j>,
    pub(crate) history: WorkerHistory<N>,
}

/// The shards of a process's workers, while a checkpoint is written and after one is read.
pub(crate) struct SavedShards<'j, const N: usize>(Mutex<Vec<Option<SavedShard<'j, N>>>>);

impl<'j, const N: usize> SavedShards<'j, N> {
    /// One empty place for each thread.
    pub(crate) fn new(threads: usize) -> Self {
        SavedShards(Mutex::new((0..threads).map(|_| None).collect()))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<SavedShard<'j, N>>>> {
        self.0.lock().expect(UNPOISONED)
    }

    /// Stores the shard of a worker. True if the shards of all workers are stored now.
    pub(crate) fn put(&self, thread: usize, saved: SavedShard<'j, N>) -> bool {
        let mut places = self.lock();
        places[thread] = Some(saved);
        places.iter().all(Option::is_some)
    }

    pub(crate) fn take(&self, thread: usize) -> Option<SavedShard<'j, N>> {
        self.lock()[thread].take()
    }

    /// Writes all shards; fails if a process is lost meanwhile.
    pub(crate) fn write(&self, out: &mut dyn Write, status: &RunStatus) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, AbortOnLoss { out, status });
        for saved in self.lock().iter().flatten() {
            saved.history.write(&mut out)?;
            saved.shard.save(&mut out)?;
        }
        out.flush()
    }

    /// Reads the shards from a checkpoint of this process, whose first worker is `first`.
    ///
    /// # Errors
    /// `OutOfMemory` if a shard does not fit into memory.
    pub(crate) fn read(&self, from: &mut dyn Read, job: &Job<'j, N>, first: usize, of: usize) -> io::Result<()> {
        let mut from = BufReader::with_capacity(BUFFER_BYTES, from);
        for (thread, place) in self.lock().iter_mut().enumerate() {
            let made = (job.make)(Place { worker: first + thread, of });
            let mut shard = made.ok_or(io::ErrorKind::OutOfMemory)?;
            let history = WorkerHistory::read(&mut from)?;
            shard.load(&mut from)?;
            *place = Some(SavedShard { shard, history });
        }
        Ok(())
    }
}

/// Buffer size for reading and writing.
const BUFFER_BYTES: usize = 1 << 20;

/// A writer that fails once a process is lost, so that the loss is reported soon.
struct AbortOnLoss<'a> {
    out: &'a mut dyn Write,
    status: &'a RunStatus,
}

impl Write for AbortOnLoss<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.status.lost().is_some() {
            return Err(io::Error::other("a process is lost"));
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
    fn a_history_is_read_as_it_was_written() {
        let history = WorkerHistory { layers: vec![(3, 0), (5, 17)], samples: (5, vec![[1, u64::MAX]]) };
        let mut bytes = Vec::new();
        history.write(&mut bytes).unwrap();
        assert_eq!(WorkerHistory::read(&mut &bytes[..]).unwrap(), history);
        WorkerHistory::<1>::read(&mut &bytes[..]).expect_err("its states have two words");
        for cut in 0..bytes.len() {
            WorkerHistory::<2>::read(&mut &bytes[..cut]).expect_err("it is truncated");
        }
        bytes[..8].copy_from_slice(&[0xFF; 8]);
        WorkerHistory::<2>::read(&mut &bytes[..]).expect_err("the length exceeds the maximum");
    }
}
