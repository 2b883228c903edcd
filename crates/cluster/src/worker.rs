//! One worker of a distributed search: it expands the states of its shard between the steps of the dataflow.
//!
//! Each turn of [`ShardWorker::run`] steps the dataflow, takes in the batches and messages that have arrived, and
//! expands some states of the least layer, if the frontier has reached that layer.

mod checkpoint;
mod messages;

use std::ops::ControlFlow;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use admissible::platform::Timestamp;
use admissible::search::distributed::{Job, Place, Shard, Worked};
use admissible::search::{Observer, Signal, Stats, Stop};
use timely::worker::Worker;

use crate::UNPOISONED;
use crate::batch::Batch;
use crate::checkpoint::{CheckpointStore, SavedShard, SavedShards, WorkerHistory};
use crate::coordinator::Coordinator;
use crate::dataflow::Dataflow;
use crate::message::{Count, Message, Results, RunEnd, StopReason};
use crate::peer_stream::{Loss, RunStatus};
use messages::MessageChannels;

/// Expansions between two steps of the dataflow.
const EXPANSIONS_PER_STEP: u64 = 2048;
/// The most states that one worker may have in flight to others. The limit bounds the queues of slow workers: the
/// others wait for them.
const MAX_IN_FLIGHT: u64 = 1 << 20;
/// How long an idle worker parks unless a message wakes it.
const IDLE_SLEEP: Duration = Duration::from_millis(5);
/// Time between two polls of clock, observer and counts.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Time between two reports to the coordinator.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);
/// Time for workers to answer `Halt`, and for the coordinator to answer a stop request, before they count as lost.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);
/// How long a worker waits after the end until all know the outcome.
const CLOSING_TIMEOUT: Duration = Duration::from_secs(5);

/// State that the workers of a process share.
pub(crate) struct Shared<'s, 'j, const N: usize> {
    pub(crate) job: &'s Job<'j, N>,
    pub(crate) status: &'s RunStatus,
    pub(crate) process: usize,
    pub(crate) threads: usize,
    /// Where checkpoints are written, if they are.
    pub(crate) store: Option<&'s dyn CheckpointStore>,
    pub(crate) saved_shards: SavedShards<'j, N>,
    pub(crate) signal: Signal,
    pub(crate) deadline: Option<Timestamp>,
}

/// One worker.
pub(crate) struct ShardWorker<'s, 'j, 'o, const N: usize> {
    shared: &'s Shared<'s, 'j, N>,
    worker: Worker,
    channels: MessageChannels,
    dataflow: Dataflow<N>,
    shard: Option<Box<dyn Shard<N> + 'j>>,
    /// The observer of the process, in its first worker.
    observer: Option<&'o mut dyn Observer>,
    /// The coordinator, in worker 0.
    coordinator: Option<Coordinator>,
    /// The least layer with open states in the shard.
    least: Option<u32>,
    /// States sent from here that the receivers have not acknowledged.
    in_flight: u64,
    /// For each worker: states received from it and not acknowledged yet.
    unacknowledged: Vec<u64>,
    /// States sent and states taken in since the start.
    exchanged: (u64, u64),
    history: WorkerHistory<N>,
    /// During a pause for a checkpoint: `Some` of the value of `exchanged` last reported, if any was.
    pause: Option<Option<(u64, u64)>>,
    /// When the last pause began.
    paused: Instant,
    /// No checkpoint begins before.
    works_until: Instant,
    /// Whether no state was lost here, and no goal removed from the open list.
    is_intact: bool,
    /// The counts from before the shard was handed over for a checkpoint.
    counted: Count,
    /// The greatest frontier seen: the least layer with open states anywhere.
    reached: u32,
    has_halted: bool,
    found_goal: bool,
    /// When it requested the stop of the search.
    stop_requested: Option<Instant>,
    polled: Instant,
    reported: Instant,
    end: Option<RunEnd>,
}

impl<'s, 'j, 'o, const N: usize> ShardWorker<'s, 'j, 'o, N> {
    pub(crate) fn new(
        mut worker: Worker,
        shared: &'s Shared<'s, 'j, N>,
        observer: Option<&'o mut dyn Observer>,
    ) -> Self {
        let place = Place { worker: worker.index(), of: worker.peers() };
        let (mut shard, history) = match shared.saved_shards.take(place.worker % shared.threads) {
            Some(SavedShard { shard, history }) => (Some(shard), history),
            None => ((shared.job.make)(place), WorkerHistory::default()),
        };
        // A shard that aborts a long step has lost states and cannot be saved. With checkpoints it is not interrupted.
        if let Some(shard) = shard.as_mut().filter(|_| shared.store.is_none()) {
            shard.set_signal(&shared.signal);
        }
        let least = shard.as_ref().and_then(|shard| shard.least());
        let channels = MessageChannels::new(&worker);
        let dataflow = Dataflow::new(&mut worker, least);
        let now = Instant::now();
        let mut worker = ShardWorker {
            shared,
            channels,
            dataflow,
            observer,
            coordinator: (place.worker == 0)
                .then(|| Coordinator::new(place.of, shared.store.map(|_| place.of / shared.threads))),
            least,
            in_flight: 0,
            unacknowledged: vec![0; place.of],
            exchanged: (0, 0),
            history,
            pause: None,
            paused: now,
            works_until: now,
            is_intact: true,
            counted: Count::default(),
            reached: 0,
            has_halted: false,
            found_goal: false,
            stop_requested: None,
            polled: now,
            reported: now,
            end: None,
            worker,
            shard,
        };
        if worker.shard.is_none() {
            worker.stop_incomplete(StopReason::Memory);
        }
        worker
    }

    /// Works until the search is over. Returns the result, `None` if a process was lost, and the counts of this worker.
    pub(crate) fn run(mut self) -> (Option<RunEnd>, Count) {
        let end = self.run_to_end();
        (end, self.count())
    }

    fn run_to_end(&mut self) -> Option<RunEnd> {
        let mut is_busy = true;
        loop {
            self.worker.step_or_park(Some(if is_busy { Duration::ZERO } else { IDLE_SLEEP }));
            is_busy = self.receive();
            self.receive_messages();
            if let Some((process, why)) = self.shared.status.lost() {
                self.announce_loss(process, why);
                return None;
            }
            if self.end.is_some() {
                return self.finish();
            }
            self.check_frontier();
            self.report_pause();
            is_busy |= self.work();
            self.poll();
            self.checkpoint_if_due();
        }
    }

    fn index(&self) -> usize {
        self.worker.index()
    }

    /// Asks the coordinator to stop the search.
    fn request_stop(&mut self, why: StopReason) {
        if self.stop_requested.is_none() {
            self.stop_requested = Some(Instant::now());
            self.shared.status.is_stopping.store(true, SeqCst);
            self.send(0, Message::Stop { why });
        }
    }

    /// Requests a stop because this worker has lost states.
    fn stop_incomplete(&mut self, why: StopReason) {
        self.is_intact = false;
        self.request_stop(why);
    }

    /// Takes in the batches that have arrived. False if there were none.
    fn receive(&mut self) -> bool {
        // Workers that resume earlier may send before this one has its shard back. Those batches wait.
        if self.shard.is_none() && self.pause.is_some() {
            return false;
        }
        let batches = self.dataflow.take();
        if batches.is_empty() {
            return false;
        }
        if let Some(shard) = self.shard.as_mut().filter(|_| !self.has_halted) {
            let mut received = Ok(());
            for batch in &batches {
                self.least = batch.entries.iter().map(|entry| entry.f).chain(self.least).min();
                received = received.and_then(|()| shard.receive(&batch.entries));
            }
            if received.is_err() {
                self.stop_incomplete(StopReason::Memory);
            }
        }
        for batch in &batches {
            self.exchanged.1 += batch.entries.len() as u64;
            self.unacknowledged[batch.from] += batch.entries.len() as u64;
            self.acknowledge(batch.from);
        }
        self.dataflow.set_least_layer(self.least);
        true
    }

    /// Acknowledges the states of a sender once there are enough of them. The unacknowledged states at all receivers
    /// together stay below a quarter of the sender's limit, so it never waits forever.
    fn acknowledge(&mut self, from: usize) {
        let states = self.unacknowledged[from];
        if states > MAX_IN_FLIGHT / (4 * self.unacknowledged.len() as u64) {
            self.unacknowledged[from] = 0;
            self.send(from, Message::Received { states });
        }
    }

    /// Reports a new layer to the observer, and an empty frontier to the coordinator.
    fn check_frontier(&mut self) {
        match self.dataflow.frontier() {
            Some(layer) if layer > self.reached => {
                self.reached = layer;
                if self.shared.job.admissible {
                    self.shared.status.bound.fetch_max(layer, SeqCst);
                }
                let stats = self.stats();
                let flow = self.observer.as_mut().map(|observer| observer.layer(layer, &stats));
                self.stop_if_asked(flow);
            }
            Some(_) => {}
            None => {
                let reached = self.bound();
                if let Some(action) = self.coordinator.as_mut().and_then(|coordinator| coordinator.exhausted(reached)) {
                    self.perform(action);
                }
            }
        }
    }

    /// Expands some states if the frontier has reached their layer. False if there was nothing to do.
    fn work(&mut self) -> bool {
        let waits = self.in_flight > MAX_IN_FLIGHT || self.pause.is_some();
        if self.has_halted || self.found_goal || self.stop_requested.is_some() || waits {
            return false;
        }
        let (Some(shard), Some(layer)) = (&mut self.shard, self.least) else { return false };
        if self.dataflow.frontier().is_none_or(|reached| reached < layer) {
            return false;
        }
        let from = self.worker.index();
        let before = shard.stats().expanded;
        if self.history.layers.last().is_none_or(|&(last, _)| last < layer) {
            shard.begin_layer(layer);
            self.history.layers.push((layer, before));
        }
        // Expand one state at a time while collecting samples of a layer.
        let (of_layer, samples) = &mut self.history.samples;
        let most = self.shared.job.samples;
        let is_collecting = most > 0 && (*of_layer != layer || samples.len() < most);
        let worked = shard.work(if is_collecting { 1 } else { EXPANSIONS_PER_STEP });
        if is_collecting && shard.stats().expanded > before {
            if *of_layer != layer {
                samples.clear();
            }
            *of_layer = layer;
            samples.extend(shard.last());
        }
        for (to, entries) in shard.outgoing().iter_mut().enumerate() {
            if !entries.is_empty() {
                self.in_flight += entries.len() as u64;
                self.exchanged.0 += entries.len() as u64;
                self.dataflow.put(Batch { from, to, entries: std::mem::take(entries) });
            }
        }
        match worked {
            Worked::Used => {}
            Worked::Dry => self.least = shard.least(),
            Worked::Goal => {
                let (state, _) = shard.goal().expect("the shard expanded a goal");
                self.found_goal = true;
                self.is_intact = false;
                let worker = self.index();
                self.send(0, Message::Goal { worker, state: state.to_vec() });
            }
            Worked::Stopped(Stop::Interrupted) => self.stop_incomplete(StopReason::Interrupted),
            Worked::Stopped(Stop::Time) => self.stop_incomplete(StopReason::Time),
            Worked::Stopped(_) => self.stop_incomplete(StopReason::Memory),
        }
        self.dataflow.set_least_layer(self.least);
        true
    }

    /// The lower bound proved; none if the heuristic may overestimate.
    fn bound(&self) -> u32 {
        if self.shared.job.admissible { self.reached } else { 0 }
    }

    fn count(&self) -> Count {
        let Some(stats) = self.shard.as_ref().map(|shard| shard.stats()) else { return self.counted };
        Count {
            expanded: stats.expanded,
            generated: stats.generated,
            stored: stats.stored,
            max_frontier: stats.max_frontier,
            bytes: stats.bytes,
            peak_bytes: stats.peak_bytes,
        }
    }

    /// Statistics of all workers in the coordinator, of this one otherwise.
    fn stats(&self) -> Stats {
        let count = self.coordinator.as_ref().map_or_else(|| self.count(), Coordinator::total);
        stats(&count, self.bound())
    }

    /// Reports counts and checks limits, observer and timeouts, once every [`POLL_INTERVAL`].
    fn poll(&mut self) {
        let now = Instant::now();
        if now - self.polled < POLL_INTERVAL {
            return;
        }
        self.polled = now;
        if now - self.reported >= REPORT_INTERVAL || self.coordinator.is_some() {
            self.reported = now;
            let message = Message::Count { worker: self.index(), count: self.count() };
            self.send(0, message);
        }
        if self.observer.is_some() {
            if self.shared.deadline.is_some_and(|deadline| Timestamp::now() >= deadline) {
                self.request_stop(StopReason::Time);
            }
            let stats = self.stats();
            let flow = self.observer.as_mut().map(|observer| observer.tick(&stats));
            self.stop_if_asked(flow);
        }
        if let Some(coordinator) = &self.coordinator {
            *self.shared.status.total.lock().expect(UNPOISONED) = coordinator.total();
            let too_many = self.shared.job.limits.expanded.is_some_and(|most| coordinator.total().expanded >= most);
            let silent =
                coordinator.halted_at.filter(|&at| now - at > REPLY_TIMEOUT).and_then(|_| coordinator.unanswered());
            if let Some(worker) = silent {
                self.shared.status.lose(worker / self.shared.threads, Loss::Silent);
            }
            if too_many {
                self.request_stop(StopReason::Nodes);
            }
        }
        // A paused worker has already answered the coordinator.
        let is_unanswered = self.coordinator.is_none() && self.pause.is_none();
        if self.stop_requested.is_some_and(|at| now - at > REPLY_TIMEOUT) && is_unanswered {
            self.shared.status.lose(0, Loss::Silent);
        }
    }

    fn stop_if_asked(&mut self, flow: Option<ControlFlow<Stop>>) {
        if let Some(ControlFlow::Break(why)) = flow {
            self.request_stop(match why {
                Stop::Nodes => StopReason::Nodes,
                Stop::Time => StopReason::Time,
                Stop::Memory => StopReason::Memory,
                _ => StopReason::Interrupted,
            });
        }
    }

    fn results(&self) -> Results {
        let count = self.count();
        let ends = self.history.layers.iter().skip(1).map(|&(_, before)| before).chain([count.expanded]);
        let layers = self.history.layers.iter().zip(ends).map(|(&(layer, before), end)| (layer, end - before));
        // Some layers had nothing but states that were closed already.
        let layers = layers.filter(|&(_, states)| states > 0).collect();
        Results {
            count,
            layers,
            samples: self.history.samples.1.iter().map(|state| state.to_vec()).collect(),
            goals: self.shard.as_ref().map_or(0, |shard| shard.goals()),
            dead_ends: self.shard.as_ref().is_some_and(|shard| shard.has_dead_ends()),
        }
    }

    /// Follows the path back from a state through this shard, then hands over to the owner of the next state.
    fn trace(&mut self, state: &[u64], mut codes: Vec<u32>) {
        let (Some(shard), Ok(mut state)) = (&self.shard, <[u64; N]>::try_from(state)) else { return };
        loop {
            match shard.before(state) {
                None => return self.send(0, Message::Path { codes }),
                Some(before) => {
                    codes.push(before.code);
                    if before.owner != self.worker.index() {
                        return self.send(before.owner, Message::Trace { state: before.key.to_vec(), codes });
                    }
                    state = before.key;
                }
            }
        }
    }

    /// Steps the dataflow until all workers know the outcome.
    fn finish(&mut self) -> Option<RunEnd> {
        self.shared.status.ended.store(true, SeqCst);
        self.dataflow.leave();
        let until = Instant::now() + CLOSING_TIMEOUT;
        while self.worker.step_or_park(Some(IDLE_SLEEP)) && Instant::now() < until && !self.shared.status.is_broken() {}
        self.end.take()
    }
}

pub(crate) fn stats(count: &Count, layer: u32) -> Stats {
    let mut stats = Stats::default();
    stats.expanded = count.expanded;
    stats.generated = count.generated;
    stats.stored = count.stored;
    stats.max_frontier = count.max_frontier;
    stats.frontier_duplicates = true;
    stats.bytes = count.bytes;
    stats.peak_bytes = count.peak_bytes;
    stats.layer = layer;
    stats
}
