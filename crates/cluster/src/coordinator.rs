//! The coordinator, in worker 0: collects goals, stop requests and counts, ends the search for all workers, and runs
//! the two-phase protocol of checkpoints.
//!
//! It is a state machine without I/O: each message it handles may yield one [`Action`] for its worker.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::message::{Count, Message, Results, RunEnd, RunOutcome, StopReason};

/// Why the search is over.
#[derive(Debug)]
enum Decision {
    Goal { worker: usize, state: Vec<u64> },
    Exhausted,
    Stop(StopReason),
}

/// Messages that the coordinator wants sent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// To one worker.
    Send(usize, Message),
    /// To all workers, in this order.
    Broadcast(Vec<Message>),
}

/// A checkpoint in progress.
#[derive(Debug)]
struct Checkpointing {
    /// For each paused worker: the states that it has sent and taken in, and whether it is intact.
    paused: Vec<Option<(u64, u64, bool)>>,
    /// For each process that has finished writing: whether it succeeded.
    written: Vec<Option<bool>>,
    /// The stop reason that the checkpoint records.
    why: Option<StopReason>,
}

#[derive(Debug)]
pub(crate) struct Coordinator {
    counts: Vec<Count>,
    decision: Option<Decision>,
    /// When `Halt` was broadcast.
    pub(crate) halted_at: Option<Instant>,
    finals: Vec<Option<Results>>,
    /// The number of processes, if they write checkpoints.
    writers: Option<usize>,
    checkpointing: Option<Checkpointing>,
    /// The number of the last checkpoint.
    last_number: u64,
    /// The layer that all workers had reached when the search was over.
    bound: u32,
}

impl Coordinator {
    /// `writers` is the number of processes, if they write checkpoints.
    pub(crate) fn new(workers: usize, writers: Option<usize>) -> Self {
        Coordinator {
            counts: vec![Count::default(); workers],
            decision: None,
            halted_at: None,
            finals: vec![None; workers],
            writers,
            checkpointing: None,
            last_number: 0,
            bound: 0,
        }
    }

    /// The sum of the counts last reported.
    pub(crate) fn total(&self) -> Count {
        let mut total = Count::default();
        self.counts.iter().for_each(|count| total.add(count));
        total
    }

    /// The first worker that has not answered `Halt`.
    pub(crate) fn unanswered(&self) -> Option<usize> {
        self.finals.iter().position(Option::is_none)
    }

    /// No open states are left; `last` is the last layer.
    pub(crate) fn exhausted(&mut self, last: u32) -> Option<Action> {
        self.decide(Decision::Exhausted, last)
    }

    fn decide(&mut self, decision: Decision, bound: u32) -> Option<Action> {
        if self.decision.is_some() {
            return None;
        }
        // A shard that ran out of memory has lost states, so it is not worth a checkpoint.
        let is_kept = self.writers.is_some() && matches!(decision, Decision::Stop(why) if why != StopReason::Memory);
        self.decision = Some(decision);
        self.bound = bound;
        match self.checkpointing {
            Some(_) => None,
            None if is_kept => Some(Action::Broadcast(vec![self.pause()])),
            None => Some(Action::Broadcast(vec![self.halt()])),
        }
    }

    fn halt(&mut self) -> Message {
        self.halted_at = Some(Instant::now());
        Message::Halt
    }

    fn pause(&mut self) -> Message {
        let (workers, writers) = (self.counts.len(), self.writers.unwrap_or(0));
        self.checkpointing =
            Some(Checkpointing { paused: vec![None; workers], written: vec![None; writers], why: None });
        Message::Pause
    }

    /// Begins a checkpoint, unless one is in progress or the search is over.
    pub(crate) fn checkpoint(&mut self) -> Option<Action> {
        let is_at_work = self.decision.is_none() && self.checkpointing.is_none() && self.writers.is_some();
        is_at_work.then(|| Action::Broadcast(vec![self.pause()]))
    }

    /// Has the processes write, once all workers are paused and no batch is in flight.
    fn write(&mut self) -> Option<Action> {
        let checkpointing = self.checkpointing.as_mut()?;
        let paused: Vec<_> = checkpointing.paused.iter().copied().collect::<Option<_>>()?;
        let (sent, taken) = paused.iter().fold((0, 0), |(sent, taken), one| (sent + one.0, taken + one.1));
        if sent != taken {
            return None;
        }
        if !paused.iter().all(|&(_, _, is_intact)| is_intact) {
            return Some(self.resume(false));
        }
        checkpointing.why = match self.decision {
            Some(Decision::Stop(why)) => Some(why),
            _ => None,
        };
        // Numbers increase and are unique across runs.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
        self.last_number = now.max(self.last_number + 1);
        Some(Action::Broadcast(vec![Message::Write { number: self.last_number, why: checkpointing.why }]))
    }

    fn resume(&mut self, is_committed: bool) -> Action {
        let why = self.checkpointing.take().and_then(|checkpointing| checkpointing.why);
        let resume = Message::Resume { is_committed };
        Action::Broadcast(match self.decision {
            None => vec![resume],
            // The stop was requested during the checkpoint, which therefore does not record it.
            Some(Decision::Stop(_)) if is_committed && why.is_none() => vec![resume, self.pause()],
            Some(_) => vec![resume, self.halt()],
        })
    }

    /// Handles a message to the coordinator; `layer` is the layer that all workers have reached.
    pub(crate) fn handle(&mut self, message: Message, layer: u32) -> Option<Action> {
        match message {
            Message::Count { worker, count } => {
                *self.counts.get_mut(worker)? = count;
                None
            }
            Message::Goal { worker, state } => self.decide(Decision::Goal { worker, state }, layer),
            Message::Stop { why } => self.decide(Decision::Stop(why), layer),
            Message::Paused { worker, sent, taken, is_intact } => {
                *self.checkpointing.as_mut()?.paused.get_mut(worker)? = Some((sent, taken, is_intact));
                self.write()
            }
            Message::Written { process, is_ok } => {
                let written = &mut self.checkpointing.as_mut()?.written;
                *written.get_mut(process)? = Some(is_ok);
                let all: Vec<bool> = written.iter().copied().collect::<Option<_>>()?;
                Some(self.resume(all.into_iter().all(|is_ok| is_ok)))
            }
            Message::Final { worker, found } => {
                *self.counts.get_mut(worker)? = found.count;
                self.finals[worker] = Some(*found);
                if self.unanswered().is_some() {
                    return None;
                }
                match self.decision.as_ref()? {
                    // All workers have halted, so the closed lists no longer change.
                    Decision::Goal { worker, state } => {
                        let trace = Message::Trace { state: state.clone(), codes: Vec::new() };
                        Some(Action::Send(*worker, trace))
                    }
                    Decision::Exhausted => Some(self.end(RunOutcome::Exhausted)),
                    Decision::Stop(why) => Some(self.end(RunOutcome::Stopped(*why))),
                }
            }
            Message::Path { mut codes } => {
                codes.reverse();
                Some(self.end(RunOutcome::Path(codes)))
            }
            Message::Received { .. }
            | Message::Halt
            | Message::Trace { .. }
            | Message::End(_)
            | Message::Lost { .. } => None,
            Message::Pause | Message::Write { .. } | Message::Resume { .. } => None,
        }
    }

    fn end(&self, outcome: RunOutcome) -> Action {
        let finals = || self.finals.iter().flatten();
        let mut layers: Vec<(u32, u64)> = finals().flat_map(|last| last.layers.iter().copied()).collect();
        layers.sort_unstable();
        layers.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            earlier.1 += if is_same { later.1 } else { 0 };
            is_same
        });
        let last_layer = layers.last().map(|&(layer, _)| layer);
        let in_last = |last: &&Results| last.layers.last().map(|&(layer, _)| layer) == last_layer;
        let found = Results {
            count: self.total(),
            samples: finals().filter(in_last).flat_map(|last| last.samples.iter().cloned()).collect(),
            goals: finals().map(|last| last.goals).sum(),
            dead_ends: finals().any(|last| last.dead_ends),
            layers,
        };
        let end = RunEnd { outcome, bound: self.bound, workers: self.counts.len(), found };
        Action::Broadcast(vec![Message::End(Box::new(end))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(worker: usize, layers: &[(u32, u64)]) -> Message {
        let samples = vec![vec![worker as u64]];
        let found = Results { layers: layers.to_vec(), samples, goals: 1, ..Results::default() };
        Message::Final { worker, found: Box::new(found) }
    }

    #[track_caller]
    fn end(action: Option<Action>) -> RunEnd {
        let Some(Action::Broadcast(message)) = action else { panic!("not a broadcast: {action:?}") };
        let [Message::End(end)] = &message[..] else { panic!("not the end: {message:?}") };
        (**end).clone()
    }

    #[test]
    fn the_first_goal_ends_the_search_and_its_path_is_traced_once_all_have_halted() {
        let mut coordinator = Coordinator::new(2, None);
        let goal = |worker| Message::Goal { worker, state: vec![7] };
        assert_eq!(coordinator.handle(goal(1), 5), Some(Action::Broadcast(vec![Message::Halt])));
        assert_eq!(coordinator.handle(goal(0), 5), None);
        assert_eq!(coordinator.handle(Message::Stop { why: StopReason::Time }, 5), None);
        assert_eq!(coordinator.handle(last(0, &[(3, 1), (5, 4)]), 5), None);
        assert_eq!(coordinator.unanswered(), Some(1));
        let trace = Message::Trace { state: vec![7], codes: vec![] };
        assert_eq!(coordinator.handle(last(1, &[(4, 2), (5, 1)]), 5), Some(Action::Send(1, trace)));
        let end = end(coordinator.handle(Message::Path { codes: vec![3, 2, 1] }, 5));
        assert_eq!(end.outcome, RunOutcome::Path(vec![1, 2, 3]));
        assert_eq!(end.found.layers, [(3, 1), (4, 2), (5, 5)]);
        assert_eq!((end.bound, end.workers, end.found.goals), (5, 2, 2));
    }

    #[test]
    fn samples_come_from_the_last_layer() {
        let mut coordinator = Coordinator::new(2, None);
        assert_eq!(coordinator.exhausted(9), Some(Action::Broadcast(vec![Message::Halt])));
        assert_eq!(coordinator.handle(last(0, &[(8, 1)]), 9), None);
        let end = end(coordinator.handle(last(1, &[(9, 1)]), 9));
        assert_eq!((end.outcome, end.found.samples), (RunOutcome::Exhausted, vec![vec![1]]));
    }

    fn paused(worker: usize, sent: u64, taken: u64) -> Message {
        Message::Paused { worker, sent, taken, is_intact: true }
    }

    fn broadcast(action: Option<Action>) -> Vec<Message> {
        match action {
            None => vec![],
            Some(Action::Broadcast(message)) => message,
            Some(action) => panic!("not a broadcast: {action:?}"),
        }
    }

    #[test]
    fn checkpoints_wait_for_batches_in_flight() {
        let mut coordinator = Coordinator::new(2, Some(2));
        assert_eq!(broadcast(coordinator.checkpoint()), [Message::Pause]);
        assert_eq!(broadcast(coordinator.checkpoint()), [], "one checkpoint at a time");
        assert_eq!(broadcast(coordinator.handle(paused(0, 5, 2), 1)), []);
        assert_eq!(broadcast(coordinator.handle(paused(1, 2, 4), 1)), []);
        let [Message::Write { number: first, why: None }] = broadcast(coordinator.handle(paused(1, 2, 5), 1))[..]
        else {
            panic!("all are paused and nothing is in flight")
        };
        let written = |process, is_ok| Message::Written { process, is_ok };
        assert_eq!(broadcast(coordinator.handle(written(1, true), 1)), []);
        assert_eq!(broadcast(coordinator.handle(written(0, false), 1)), [Message::Resume { is_committed: false }]);
        // The next checkpoint has a larger number.
        assert_eq!(broadcast(coordinator.checkpoint()), [Message::Pause]);
        assert_eq!(broadcast(coordinator.handle(paused(0, 5, 2), 1)), []);
        let [Message::Write { number, .. }] = broadcast(coordinator.handle(paused(1, 2, 5), 1))[..] else {
            panic!("all are paused")
        };
        assert!(number > first);
    }

    #[test]
    fn a_stop_writes_a_checkpoint_unless_states_are_lost() {
        let stop = Message::Stop { why: StopReason::Time };
        let mut coordinator = Coordinator::new(1, Some(1));
        assert_eq!(broadcast(coordinator.handle(stop.clone(), 3)), [Message::Pause]);
        let [Message::Write { why: Some(StopReason::Time), .. }] =
            broadcast(coordinator.handle(paused(0, 0, 0), 3))[..]
        else {
            panic!("the checkpoint records the reason")
        };
        let written = Message::Written { process: 0, is_ok: true };
        assert_eq!(
            broadcast(coordinator.handle(written.clone(), 3)),
            [Message::Resume { is_committed: true }, Message::Halt]
        );

        // The stop request arrives during a checkpoint.
        let mut coordinator = Coordinator::new(1, Some(1));
        assert_eq!(broadcast(coordinator.checkpoint()), [Message::Pause]);
        assert_eq!(broadcast(coordinator.handle(paused(0, 0, 0), 3)).len(), 1);
        assert_eq!(broadcast(coordinator.handle(stop, 3)), []);
        assert_eq!(broadcast(coordinator.handle(written, 3)), [Message::Resume { is_committed: true }, Message::Pause]);

        // The goal state has left the open list, so the checkpoint would miss it.
        let mut coordinator = Coordinator::new(1, Some(1));
        assert_eq!(broadcast(coordinator.checkpoint()), [Message::Pause]);
        assert_eq!(broadcast(coordinator.handle(Message::Goal { worker: 0, state: vec![1] }, 3)), []);
        let lost = Message::Paused { worker: 0, sent: 0, taken: 0, is_intact: false };
        assert_eq!(broadcast(coordinator.handle(lost, 3)), [Message::Resume { is_committed: false }, Message::Halt]);

        let mut coordinator = Coordinator::new(1, Some(1));
        assert_eq!(broadcast(coordinator.handle(Message::Stop { why: StopReason::Memory }, 3)), [Message::Halt]);
    }
}
