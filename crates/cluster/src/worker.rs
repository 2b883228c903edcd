//! One worker: a part of the search, driven between the steps of the dataflow.

mod checkpoint;

use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::{Duration, Instant};

use admissible::platform::Timestamp;
use admissible::search::distributed::{Job, Place, Shard, Worked};
use admissible::search::{Observer, Signal, Stats, Stop};
use timely::communication::{Pull, Push};
use timely::worker::Worker;

use crate::batch::Batch;
use crate::checkpoint::{CheckpointStore, SavedShard, SavedShards, WorkerHistory};
use crate::coordinator::{Coordinator, Motion};
use crate::dataflow::Dataflow;
use crate::message::{Count, End, Envelope, Found, Message, Why};
use crate::wire::Fate;

/// Expansions between two looks at the batches.
const CHUNK: u64 = 2048;
/// States that one worker may have under way to others. Queues would grow without bounds where one of them is slow; as
/// it is, the others wait for it.
const UNDER_WAY: u64 = 1 << 20;
/// How long a worker sleeps that has nothing to do and is not woken.
const NAP: Duration = Duration::from_millis(5);
/// Between two looks at clock, observer and counts.
const LOOK: Duration = Duration::from_millis(20);
/// Between two reports to the coordinator.
const REPORT: Duration = Duration::from_millis(200);
/// Whoever was told to end, or asked for it, has so long to answer.
const ANSWER: Duration = Duration::from_secs(60);
/// How long one stays to tell the others who is gone.
const FAREWELL: Duration = Duration::from_millis(300);
/// How long one waits after the end until all know it.
const CLOSING: Duration = Duration::from_secs(5);

/// What the workers of a process share.
pub(crate) struct Shared<'s, 'j, const N: usize> {
    pub(crate) job: &'s Job<'j, N>,
    pub(crate) fate: &'s Fate,
    pub(crate) process: usize,
    pub(crate) threads: usize,
    /// Where the work is written down, if it is.
    pub(crate) log: Option<&'s dyn CheckpointStore>,
    pub(crate) saved_shards: SavedShards<'j, N>,
    pub(crate) signal: Signal,
    pub(crate) deadline: Option<Timestamp>,
}

/// Channels for messages from every worker to every worker.
struct Mail {
    to: Vec<Box<dyn Push<Envelope>>>,
    from: Box<dyn Pull<Envelope>>,
}

impl Mail {
    fn new(worker: &Worker) -> Self {
        // Messages wake a worker that sleeps, but are no business of any dataflow.
        let (to, from) = worker.allocate(worker.new_identifier(), Rc::from([usize::MAX]));
        Mail { to, from }
    }

    fn send(&mut self, to: usize, message: &Message) {
        self.to[to].send(Envelope::seal(message));
        self.to[to].done();
    }
}

/// One worker at work.
pub(crate) struct ShardWorker<'s, 'j, 'o, const N: usize> {
    shared: &'s Shared<'s, 'j, N>,
    worker: Worker,
    mail: Mail,
    dataflow: Dataflow<N>,
    part: Option<Box<dyn Shard<N> + 'j>>,
    /// The first worker of a process looks after its observer.
    observer: Option<&'o mut dyn Observer>,
    coordinator: Option<Coordinator>,
    /// The least layer that the part has states of.
    least: Option<u32>,
    /// States that are under way from here, as far as it has heard.
    under_way: u64,
    /// States that came from each worker, and that it has not been told of.
    taken: Vec<u64>,
    /// States that were ever sent from here, and taken in here.
    exchanged: (u64, u64),
    history: WorkerHistory<N>,
    /// Whether nothing is to be expanded for a while; and what was told then of the states exchanged.
    pause: Option<Option<(u64, u64)>>,
    /// Whether no state was lost here, and no goal was taken off.
    is_whole: bool,
    /// What was done when the part was last here.
    counted: Count,
    /// The least layer that anybody has states of, when it was last known.
    reached: u32,
    has_halted: bool,
    came_upon_goal: bool,
    /// When it asked for an end.
    asked: Option<Instant>,
    looked: Instant,
    reported: Instant,
    end: Option<End>,
}

impl<'s, 'j, 'o, const N: usize> ShardWorker<'s, 'j, 'o, N> {
    pub(crate) fn new(
        mut worker: Worker,
        shared: &'s Shared<'s, 'j, N>,
        observer: Option<&'o mut dyn Observer>,
    ) -> Self {
        let place = Place { worker: worker.index(), of: worker.peers() };
        let (mut part, history) = match shared.saved_shards.take(place.worker % shared.threads) {
            Some(SavedShard { part, history }) => (Some(part), history),
            None => ((shared.job.make)(place), WorkerHistory::default()),
        };
        // A part that gives up a long step has lost states, and could not be written down: there it may take its time.
        if let Some(part) = part.as_mut().filter(|_| shared.log.is_none()) {
            part.set_signal(&shared.signal);
        }
        let least = part.as_ref().and_then(|part| part.least());
        let mail = Mail::new(&worker);
        let dataflow = Dataflow::new(&mut worker, least);
        let now = Instant::now();
        let mut worker = ShardWorker {
            shared,
            mail,
            dataflow,
            observer,
            coordinator: (place.worker == 0)
                .then(|| Coordinator::new(place.of, shared.log.map(|_| place.of / shared.threads))),
            least,
            under_way: 0,
            taken: vec![0; place.of],
            exchanged: (0, 0),
            history,
            pause: None,
            is_whole: true,
            counted: Count::default(),
            reached: 0,
            has_halted: false,
            came_upon_goal: false,
            asked: None,
            looked: now,
            reported: now,
            end: None,
            worker,
            part,
        };
        if worker.part.is_none() {
            worker.lose(Why::Memory);
        }
        worker
    }

    /// Works until the search is over: how it ended, or nothing if a process is gone; and what this worker did.
    pub(crate) fn run(mut self) -> (Option<End>, Count) {
        let end = self.run_to_end();
        (end, self.count())
    }

    fn run_to_end(&mut self) -> Option<End> {
        let mut is_busy = true;
        loop {
            self.worker.step_or_park(Some(if is_busy { Duration::ZERO } else { NAP }));
            is_busy = self.receive();
            while let Some(envelope) = self.mail.from.recv() {
                if let Some(message) = envelope.open() {
                    self.hear(message);
                }
            }
            if let Some(process) = self.shared.fate.gone() {
                self.say_farewell(process);
                return None;
            }
            if self.end.is_some() {
                return self.leave();
            }
            self.see_frontier();
            self.tell_pause();
            is_busy |= self.work();
            self.look();
            self.checkpoint_if_due();
        }
    }

    fn me(&self) -> usize {
        self.worker.index()
    }

    fn tell(&mut self, to: usize, message: Message) {
        if to == self.me() { self.hear(message) } else { self.mail.send(to, &message) }
    }

    fn ask(&mut self, why: Why) {
        if self.asked.is_none() {
            self.asked = Some(Instant::now());
            self.tell(0, Message::Stop { why });
        }
    }

    /// Asks for an end, since states are lost.
    fn lose(&mut self, why: Why) {
        self.is_whole = false;
        self.ask(why);
    }

    /// Takes in the batches that have arrived; false if there were none.
    fn receive(&mut self) -> bool {
        // Those that go on earlier may send before the part is back: that waits.
        if self.part.is_none() && self.pause.is_some() {
            return false;
        }
        let batches = self.dataflow.take();
        if batches.is_empty() {
            return false;
        }
        if let Some(part) = self.part.as_mut().filter(|_| !self.has_halted) {
            let mut received = Ok(());
            for batch in &batches {
                self.least = batch.entries.iter().map(|entry| entry.f).chain(self.least).min();
                received = received.and_then(|()| part.receive(&batch.entries));
            }
            if received.is_err() {
                self.lose(Why::Memory);
            }
        }
        for batch in &batches {
            self.exchanged.1 += batch.entries.len() as u64;
            self.taken[batch.from] += batch.entries.len() as u64;
            self.tell_taken(batch.from);
        }
        self.dataflow.settle(self.least);
        true
    }

    /// Tells a sender what was taken in, if it is worth a word. What it is not told of is, from all together, a quarter
    /// of what it may have under way, so that it never waits in vain.
    fn tell_taken(&mut self, from: usize) {
        let states = self.taken[from];
        if states > UNDER_WAY / (4 * self.taken.len() as u64) {
            self.taken[from] = 0;
            self.tell(from, Message::Taken { states });
        }
    }

    fn see_frontier(&mut self) {
        match self.dataflow.frontier() {
            Some(layer) if layer > self.reached => {
                self.reached = layer;
                if self.shared.job.admissible {
                    self.shared.fate.raise_bound(layer);
                }
                let stats = self.stats();
                let verdict = self.observer.as_mut().map(|observer| observer.layer(layer, &stats));
                self.heed(verdict);
            }
            Some(_) => {}
            None => {
                let reached = self.bound();
                if let Some(motion) = self.coordinator.as_mut().and_then(|coordinator| coordinator.exhausted(reached)) {
                    self.carry_out(motion);
                }
            }
        }
    }

    /// Expands some states if the layer has come; false if there was nothing to do.
    fn work(&mut self) -> bool {
        let waits = self.under_way > UNDER_WAY || self.pause.is_some();
        if self.has_halted || self.came_upon_goal || self.asked.is_some() || waits {
            return false;
        }
        let (Some(part), Some(layer)) = (&mut self.part, self.least) else { return false };
        if self.dataflow.frontier().is_none_or(|reached| reached < layer) {
            return false;
        }
        let from = self.worker.index();
        let before = part.stats().expanded;
        if self.history.layers.last().is_none_or(|&(last, _)| last < layer) {
            part.begin_layer(layer);
            self.history.layers.push((layer, before));
        }
        // While states of a layer are collected, one at a time.
        let (of_layer, samples) = &mut self.history.samples;
        let most = self.shared.job.samples;
        let is_collecting = most > 0 && (*of_layer != layer || samples.len() < most);
        let worked = part.work(if is_collecting { 1 } else { CHUNK });
        if is_collecting && part.stats().expanded > before {
            if *of_layer != layer {
                samples.clear();
            }
            *of_layer = layer;
            samples.extend(part.last());
        }
        for (to, entries) in part.outgoing().iter_mut().enumerate() {
            if !entries.is_empty() {
                self.under_way += entries.len() as u64;
                self.exchanged.0 += entries.len() as u64;
                self.dataflow.put(Batch { from, to, entries: std::mem::take(entries) });
            }
        }
        match worked {
            Worked::Used => {}
            Worked::Dry => self.least = part.least(),
            Worked::Goal => {
                let (state, _) = part.goal().expect("it came upon a goal");
                self.came_upon_goal = true;
                self.is_whole = false;
                let worker = self.me();
                self.tell(0, Message::Goal { worker, state: state.to_vec() });
            }
            Worked::Stopped(Stop::Interrupted) => self.lose(Why::Interrupted),
            Worked::Stopped(Stop::Time) => self.lose(Why::Time),
            Worked::Stopped(_) => self.lose(Why::Memory),
        }
        self.dataflow.settle(self.least);
        true
    }

    /// The lower bound that is proved; a layer of a heuristic that overestimates is none.
    fn bound(&self) -> u32 {
        if self.shared.job.admissible { self.reached } else { 0 }
    }

    fn count(&self) -> Count {
        let Some(stats) = self.part.as_ref().map(|part| part.stats()) else { return self.counted };
        Count {
            expanded: stats.expanded,
            generated: stats.generated,
            stored: stats.stored,
            max_frontier: stats.max_frontier,
            bytes: stats.bytes,
            peak_bytes: stats.peak_bytes,
        }
    }

    /// What is known of all, or of this worker.
    fn stats(&self) -> Stats {
        let count = self.coordinator.as_ref().map_or_else(|| self.count(), Coordinator::total);
        stats(&count, self.bound())
    }

    /// Every now and then: is there reason to stop, and what does the coordinator want to know?
    fn look(&mut self) {
        let now = Instant::now();
        if now - self.looked < LOOK {
            return;
        }
        self.looked = now;
        if now - self.reported >= REPORT || self.coordinator.is_some() {
            self.reported = now;
            let message = Message::Count { worker: self.me(), count: self.count() };
            self.tell(0, message);
        }
        if self.observer.is_some() {
            if self.shared.deadline.is_some_and(|deadline| Timestamp::now() >= deadline) {
                self.ask(Why::Time);
            }
            let stats = self.stats();
            let verdict = self.observer.as_mut().map(|observer| observer.tick(&stats));
            self.heed(verdict);
        }
        if let Some(coordinator) = &self.coordinator {
            let too_many = self.shared.job.limits.expanded.is_some_and(|most| coordinator.total().expanded >= most);
            let silent = coordinator.halted.filter(|&at| now - at > ANSWER).and_then(|_| coordinator.silent());
            if let Some(worker) = silent {
                self.shared.fate.lose(worker / self.shared.threads);
            }
            if too_many {
                self.ask(Why::Nodes);
            }
        }
        // Whoever pauses was answered.
        let is_unanswered = self.coordinator.is_none() && self.pause.is_none();
        if self.asked.is_some_and(|at| now - at > ANSWER) && is_unanswered {
            self.shared.fate.lose(0);
        }
    }

    fn heed(&mut self, verdict: Option<ControlFlow<Stop>>) {
        if let Some(ControlFlow::Break(why)) = verdict {
            self.ask(match why {
                Stop::Nodes => Why::Nodes,
                Stop::Time => Why::Time,
                Stop::Memory => Why::Memory,
                _ => Why::Interrupted,
            });
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Halt => {
                if !self.has_halted {
                    self.has_halted = true;
                    let (worker, found) = (self.me(), Box::new(self.found()));
                    self.tell(0, Message::Final { worker, found });
                }
            }
            Message::Pause => self.pause = Some(None),
            Message::Write { number, why } => self.write(number, why),
            Message::GoOn { is_written } => self.go_on(is_written),
            Message::Trace { state, codes } => self.trace(&state, codes),
            Message::Taken { states } => self.under_way = self.under_way.saturating_sub(states),
            Message::End(end) => self.end = Some(*end),
            Message::Gone { process } => self.shared.fate.lose(process),
            message => {
                let layer = self.bound();
                if let Some(motion) = self.coordinator.as_mut().and_then(|coordinator| coordinator.hear(message, layer))
                {
                    self.carry_out(motion);
                }
            }
        }
    }

    fn carry_out(&mut self, motion: Motion) {
        match motion {
            Motion::Tell(to, message) => self.tell(to, message),
            Motion::TellAll(list) => {
                // Itself last: what it hears may be more to tell.
                for to in (0..self.worker.peers()).rev() {
                    list.iter().for_each(|message| self.tell(to, message.clone()));
                }
            }
        }
    }

    fn found(&self) -> Found {
        let count = self.count();
        let ends = self.history.layers.iter().skip(1).map(|&(_, before)| before).chain([count.expanded]);
        let layers = self.history.layers.iter().zip(ends).map(|(&(layer, before), end)| (layer, end - before));
        // Of some layers nothing was left but states that were closed already.
        let layers = layers.filter(|&(_, states)| states > 0).collect();
        Found {
            count,
            layers,
            samples: self.history.samples.1.iter().map(|state| state.to_vec()).collect(),
            goals: self.part.as_ref().map_or(0, |part| part.goals()),
            dead_ends: self.part.as_ref().is_some_and(|part| part.has_dead_ends()),
        }
    }

    /// Walks back from a state as long as it is on one's own ground, then hands over.
    fn trace(&mut self, state: &[u64], mut codes: Vec<u32>) {
        let (Some(part), Ok(mut state)) = (&self.part, <[u64; N]>::try_from(state)) else { return };
        loop {
            match part.before(state) {
                None => return self.tell(0, Message::Path { codes }),
                Some(before) => {
                    codes.push(before.code);
                    if before.owner != self.worker.index() {
                        return self.tell(before.owner, Message::Trace { state: before.key.to_vec(), codes });
                    }
                    state = before.key;
                }
            }
        }
    }

    /// Tells the other processes who is gone, so that all name the same one.
    fn say_farewell(&mut self, process: usize) {
        let threads = self.shared.threads;
        if self.me().is_multiple_of(threads) {
            for to in (0..self.worker.peers()).step_by(threads) {
                if to / threads != process && to != self.me() {
                    self.mail.send(to, &Message::Gone { process });
                }
            }
        }
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            self.worker.step_or_park(Some(NAP));
        }
    }

    /// Stays until all know that it is over.
    fn leave(&mut self) -> Option<End> {
        self.shared.fate.end();
        self.dataflow.leave();
        let until = Instant::now() + CLOSING;
        while self.worker.step_or_park(Some(NAP)) && Instant::now() < until && !self.shared.fate.is_broken() {}
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
