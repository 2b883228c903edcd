//! A worker's share in writing down how far the work is.

use admissible::search::Stop;

use super::{ShardWorker, Shared};
use crate::checkpoint::{CheckpointStore, SavedShard};
use crate::message::{Message, Why};

impl<const N: usize> ShardWorker<'_, '_, '_, N> {
    /// Has everything written down if it is time.
    pub(super) fn checkpoint_if_due(&mut self) {
        if let Some(coordinator) = &mut self.coordinator
            && self.shared.log.is_some_and(CheckpointStore::is_due)
            && let Some(motion) = coordinator.checkpoint()
        {
            self.carry_out(motion);
        }
    }

    /// Tells the coordinator of the states exchanged, if that has changed during a pause.
    pub(super) fn tell_pause(&mut self) {
        let exchanged = self.exchanged;
        if let Some(told) = self.pause.as_mut().filter(|told| **told != Some(exchanged)) {
            *told = Some(exchanged);
            let ((sent, taken), is_whole) = (exchanged, self.is_whole);
            let worker = self.me();
            self.tell(0, Message::Paused { worker, sent, taken, is_whole });
        }
    }

    /// Leaves the part to be written down; the last of the process writes for all.
    pub(super) fn write(&mut self, number: u64, why: Option<Why>) {
        self.counted = self.count();
        let Shared { log, saved_shards, fate, process, threads, .. } = self.shared;
        let (Some(part), Some(log)) = (self.part.take(), log) else { return };
        let saved = SavedShard { part, history: std::mem::take(&mut self.history) };
        if saved_shards.put(self.me() % threads, saved) {
            let is_good = log.write(number, why.map(Stop::from), &mut |out| saved_shards.write(out, fate));
            self.tell(0, Message::Written { process: *process, is_good });
        }
    }

    /// Takes the part back and goes on.
    pub(super) fn go_on(&mut self, is_written: bool) {
        let Shared { log, saved_shards, threads, .. } = self.shared;
        let thread = self.me() % threads;
        if let Some(SavedShard { part, history }) = saved_shards.take(thread) {
            (self.part, self.history) = (Some(part), history);
        }
        self.pause = None;
        if let Some(log) = log.filter(|_| is_written && thread == 0) {
            log.settle();
        }
    }
}
