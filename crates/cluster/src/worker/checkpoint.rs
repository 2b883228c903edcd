//! A worker's part in a checkpoint.

use std::time::Instant;

use admissible::search::Stop;

use super::{ShardWorker, Shared};
use crate::checkpoint::{CheckpointStore, SavedShard};
use crate::message::{Message, StopReason};

impl<const N: usize> ShardWorker<'_, '_, '_, N> {
    /// Begins a checkpoint if one is due. Between two checkpoints the work goes on for at least as long as it paused
    /// for the first: however slow the disks are, the search takes at most about twice its time.
    pub(super) fn checkpoint_if_due(&mut self) {
        if let Some(coordinator) = &mut self.coordinator
            && Instant::now() >= self.works_until
            && self.shared.store.is_some_and(CheckpointStore::is_due)
            && let Some(action) = coordinator.checkpoint()
        {
            self.perform(action);
        }
    }

    /// During a pause, reports the states exchanged to the coordinator whenever they change.
    pub(super) fn report_pause(&mut self) {
        let exchanged = self.exchanged;
        if let Some(told) = self.pause.as_mut().filter(|told| **told != Some(exchanged)) {
            *told = Some(exchanged);
            let ((sent, taken), is_intact) = (exchanged, self.is_intact);
            let worker = self.index();
            self.send(0, Message::Paused { worker, sent, taken, is_intact });
        }
    }

    /// Hands the shard over for writing; the last worker of the process writes the checkpoint.
    pub(super) fn write(&mut self, number: u64, why: Option<StopReason>) {
        self.counted = self.count();
        let Shared { store, saved_shards, status, process, threads, .. } = self.shared;
        let (Some(shard), Some(store)) = (self.shard.take(), store) else { return };
        let saved = SavedShard { shard, history: std::mem::take(&mut self.history) };
        if saved_shards.put(self.index() % threads, saved) {
            let is_ok = store.write(number, why.map(Stop::from), &mut |out| saved_shards.write(out, status));
            self.send(0, Message::Written { process: *process, is_ok });
        }
    }

    /// Takes the shard back and ends the pause.
    pub(super) fn resume(&mut self, is_committed: bool) {
        let Shared { store, saved_shards, threads, .. } = self.shared;
        let thread = self.index() % threads;
        if let Some(SavedShard { shard, history }) = saved_shards.take(thread) {
            (self.shard, self.history) = (Some(shard), history);
        }
        self.pause = None;
        self.works_until = Instant::now() + self.paused.elapsed();
        if let Some(store) = store.filter(|_| is_committed && thread == 0) {
            store.commit();
        }
    }
}
