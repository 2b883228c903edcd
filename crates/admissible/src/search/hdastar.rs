//! Hash-distributed A* (HDA*) on several threads: one [`Shard`] for each thread, which send entries to each other.
//!
//! Threads live for one call of [`Search::advance`], some milliseconds. Between two calls one thread owns the whole
//! search, so limits, statistics and the path need no synchronisation. A layer with few states is not worth threads:
//! then one thread does the work of all shards in turn.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};

use super::packed_astar::{Entry, Place, Shard, Worked, shard};
use super::report::{Guarantee, Limits, Outcome, Solution, Stats, Stop};
use super::{Progress, Search, Signal, Visit};
use crate::heuristic::Heuristic;
use crate::keyed::Keyed;
use crate::platform::{HAS_THREADS, together};
use crate::space::{AbilityVisitor, Cost, StateSpace};

/// Expansions of a worker between two checks of its inbox.
const CHUNK: u64 = 2048;
/// The default of [`Team::worth_it`].
const WORTH_A_THREAD: u64 = 8 * CHUNK;
/// The ticks of a call with threads, for each thread.
const STRIDE: u64 = 64;

/// The threads of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Team {
    /// The number of threads.
    pub threads: usize,
    /// The number of open states for each thread that is worth starting threads; below it one thread does all work.
    pub worth_it: u64,
}

impl Team {
    /// A team of `threads` threads, which start when it pays; one if the target has no threads.
    pub fn of(threads: usize) -> Self {
        let threads = if HAS_THREADS { threads.max(1) } else { 1 };
        Team { threads, worth_it: WORTH_A_THREAD }
    }
}

/// Hash-distributed A* on several threads: a cheapest path if the heuristic is admissible. States are expanded layer
/// by layer of equal `f`, so with a consistent heuristic it expands the same states as [`astar`](super::astar) in every
/// layer but the last, with any number of threads. In the last layer the count depends on which thread finds a goal
/// first. Fractional estimates are rounded up to whole costs, so with them it expands fewer states than
/// [`astar`](super::astar), which compares fractions.
///
/// `None` for spaces without [keys](Keyed), or if the first tables do not fit into memory.
pub fn hdastar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    team: Team,
    limits: &Limits,
) -> Option<Box<dyn Search<S> + 'a>> {
    struct Make<'a, 'v, S: StateSpace, H> {
        start: S::State,
        heuristic: &'a H,
        team: Team,
        limits: &'v Limits,
        search: Option<Box<dyn Search<S> + 'a>>,
    }
    impl<'a, S: StateSpace, H: Heuristic<S>> AbilityVisitor<'a, S> for Make<'a, '_, S, H> {
        fn keyed(self, space: &'a S) -> Self
        where
            S: Keyed,
        {
            let &Make { ref start, heuristic, team, limits, .. } = &self;
            let search = if const { S::KEY_WORDS == 1 } {
                Hdastar::<S, 1>::boxed(space, start, heuristic, team, limits)
            } else {
                Hdastar::<S, 2>::boxed(space, start, heuristic, team, limits)
            };
            Make { search, ..self }
        }
    }
    space.abilities(Make { start, heuristic, team, limits, search: None }).search
}

type Inbox<const N: usize> = Mutex<Vec<Entry<N>>>;

/// Hash-distributed A* under way; see [`hdastar`].
struct Hdastar<'a, S: Keyed, const N: usize> {
    space: &'a S,
    shards: Vec<Box<dyn Shard<N> + 'a>>,
    /// The entries sent to each shard and not received yet.
    inboxes: Vec<Inbox<N>>,
    worth_it: u64,
    admissible: bool,
    stats: Stats,
    before_layer: u64,
    /// Whether the first layer has begun.
    began: bool,
    signal: Signal,
    outcome: Option<Outcome<S::Move>>,
}

/// The shared state of the threads of one call.
struct SharedCall<'s, const N: usize> {
    inboxes: &'s [Inbox<N>],
    /// Expansions left.
    left: AtomicU64,
    /// The number of busy workers and of inboxes that are not empty: the layer is done when it is 0.
    busy: AtomicUsize,
    over: AtomicBool,
    /// Why the call is over, unless the layer is done or the expansions are used up.
    why: Mutex<Option<Worked>>,
}

/// A worker between two turns.
#[derive(Default)]
struct Turn<const N: usize> {
    /// The entries received last, for their memory.
    entries: Vec<Entry<N>>,
    /// Whether it had no states of the layer left.
    is_idle: bool,
}

/// Ends the call if a worker panics: the others would wait for it for ever.
struct EndOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, SeqCst);
        }
    }
}

impl<const N: usize> SharedCall<'_, N> {
    fn end(&self, why: Worked) {
        self.why.lock().expect("no thread panics while it holds the lock").get_or_insert(why);
        self.over.store(true, SeqCst);
    }

    /// The work of one thread.
    fn work(&self, worker: usize, shard: &mut dyn Shard<N>) {
        let _guard = EndOnPanic(&self.over);
        let mut turn = Turn::default();
        while !self.over.load(SeqCst) {
            if !self.work_for_a_turn(worker, shard, &mut turn) {
                std::thread::yield_now();
            }
        }
    }

    /// Receives entries and expands some states; false if there are none.
    fn work_for_a_turn(&self, worker: usize, shard: &mut dyn Shard<N>, turn: &mut Turn<N>) -> bool {
        let Turn { entries, is_idle } = turn;
        if self.receive(worker, entries) {
            if !*is_idle {
                self.busy.fetch_sub(1, SeqCst);
            }
            *is_idle = false;
            if let Err(stop) = shard.receive(entries) {
                self.end(Worked::Stopped(stop));
                return true;
            }
            entries.clear();
        }
        if *is_idle {
            return false;
        }
        let take = |left: u64| (left > 0).then(|| left.saturating_sub(CHUNK));
        let Ok(left) = self.left.fetch_update(SeqCst, SeqCst, take) else {
            self.over.store(true, SeqCst);
            return true;
        };
        let (share, before) = (left.min(CHUNK), shard.stats().expanded);
        let worked = shard.work(share);
        self.left.fetch_add(share - (shard.stats().expanded - before), SeqCst);
        self.send(shard);
        match worked {
            Worked::Used => {}
            Worked::Dry => {
                *is_idle = true;
                if self.busy.fetch_sub(1, SeqCst) == 1 {
                    self.over.store(true, SeqCst);
                }
            }
            Worked::Goal | Worked::Stopped(_) => self.end(worked),
        }
        true
    }

    fn receive(&self, worker: usize, entries: &mut Vec<Entry<N>>) -> bool {
        std::mem::swap(entries, &mut self.inboxes[worker].lock().expect("no thread panics while it holds the lock"));
        !entries.is_empty()
    }

    fn send(&self, shard: &mut dyn Shard<N>) {
        for (entries, inbox) in shard.outgoing().iter_mut().zip(self.inboxes) {
            if entries.is_empty() {
                continue;
            }
            let mut inbox = inbox.lock().expect("no thread panics while it holds the lock");
            if inbox.is_empty() {
                self.busy.fetch_add(1, SeqCst);
            }
            inbox.append(entries);
        }
    }
}

impl<'a, S: Keyed, const N: usize> Hdastar<'a, S, N> {
    fn boxed<H: Heuristic<S>>(
        space: &'a S,
        start: &S::State,
        heuristic: &'a H,
        team: Team,
        limits: &Limits,
    ) -> Option<Box<dyn Search<S> + 'a>> {
        let of = team.threads;
        let bytes = limits.bytes.unwrap_or(u64::MAX) / of as u64;
        let of_worker = |worker| shard::<S, H, N>(space, start, heuristic, Place { worker, of }, false, bytes);
        let shards: Vec<_> = (0..of).map(of_worker).collect::<Option<_>>()?;
        let mut search = Hdastar {
            space,
            worth_it: team.worth_it,
            inboxes: shards.iter().map(|_| Mutex::default()).collect(),
            shards,
            admissible: heuristic.properties(space).admissible,
            stats: Stats::default(),
            before_layer: 0,
            began: false,
            signal: Signal::default(),
            outcome: None,
        };
        search.count();
        Some(Box::new(search))
    }

    fn count(&mut self) {
        let Stats { layer, max_frontier, threads, .. } = self.stats;
        let mut sum = Stats { layer, max_frontier, threads, frontier_duplicates: true, ..Stats::default() };
        let mut frontier = 0;
        for shard in &self.shards {
            let stats = shard.stats();
            sum.expanded += stats.expanded;
            sum.generated += stats.generated;
            sum.stored += stats.stored;
            sum.bytes += stats.bytes;
            sum.peak_bytes += stats.peak_bytes;
            frontier += shard.waiting();
        }
        sum.max_frontier = sum.max_frontier.max(frontier);
        self.stats = sum;
    }

    /// Begins the least layer that has states, after the current one is done.
    fn next_layer(&mut self) -> Progress {
        self.count();
        let Some(f) = self.shards.iter().filter_map(|shard| shard.least()).min() else {
            let unproved = !self.admissible && self.shards.iter().any(|shard| shard.has_dead_ends());
            self.stats.expanded_before_last_layer = self.stats.expanded;
            self.outcome = Some(Outcome::exhausted(false, unproved, self.stats.layer));
            return Progress::Ended;
        };
        self.began = true;
        self.before_layer = self.stats.expanded;
        for shard in &mut self.shards {
            shard.begin_layer(f);
        }
        if self.admissible {
            self.stats.layer = f;
        }
        Progress::Layer(self.stats.layer)
    }

    /// Runs each shard on a thread, or all of them in turn on this one; `None` if the layer is done.
    fn work(&mut self, expansions: u64, in_parallel: bool) -> Option<Worked> {
        let full = self.inboxes.iter_mut().filter_map(|inbox| inbox.get_mut().ok()).filter(|inbox| !inbox.is_empty());
        let call = SharedCall {
            busy: AtomicUsize::new(self.shards.len() + full.count()),
            inboxes: &self.inboxes,
            left: AtomicU64::new(expansions),
            over: AtomicBool::new(false),
            why: Mutex::new(None),
        };
        if in_parallel {
            self.stats.threads = self.shards.len() as u64;
            let (first, others) = self.shards.split_first_mut().expect("there is at least one shard");
            let work = |(worker, shard): (usize, &mut Box<dyn Shard<N> + '_>)| call.work(worker, &mut **shard);
            let work = &work;
            together(|| work((0, first)), (1..).zip(others).map(|shard| move || work(shard)));
        } else {
            let mut turns: Vec<Turn<N>> = self.shards.iter().map(|_| Turn::default()).collect();
            for worker in (0..turns.len()).cycle().take_while(|_| !call.over.load(SeqCst)) {
                call.work_for_a_turn(worker, &mut *self.shards[worker], &mut turns[worker]);
            }
        }
        let layer_is_done = call.busy.into_inner() == 0;
        let why = call.why.into_inner().expect("no thread panics while it holds the lock");
        why.or((!layer_is_done).then_some(Worked::Used))
    }

    fn solved(&mut self) -> Progress {
        let goal = |shard: &dyn Shard<N>| shard.goal();
        let (worker, (mut state, cost)) = (0..self.shards.len())
            .find_map(|worker| Some((worker, goal(&*self.shards[worker])?)))
            .expect("a shard has found a goal");
        let mut owner = worker;
        let mut moves = Vec::with_capacity(cost as usize);
        while let Some(before) = self.shards[owner].before(state) {
            moves.push(self.space.move_of_code(before.code));
            (owner, state) = (before.owner, before.key);
        }
        moves.reverse();
        let guarantee = if self.admissible { Guarantee::Optimal } else { Guarantee::None };
        self.stats.expanded_before_last_layer = self.before_layer;
        self.outcome = Some(Outcome::Solved(Solution { cost: moves.len() as Cost, moves, guarantee }));
        Progress::Ended
    }
}

impl<S: Keyed, const N: usize> Search<S> for Hdastar<'_, S, N> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        if !self.began {
            return self.next_layer();
        }
        let waiting: u64 = self.shards.iter().map(|shard| shard.waiting()).sum();
        let threads = self.shards.len() as u64;
        let enough = waiting >= threads.saturating_mul(self.worth_it) && expansions >= threads * CHUNK;
        let worked = self.work(expansions, threads > 1 && enough);
        self.count();
        match worked {
            None => self.next_layer(),
            Some(Worked::Used | Worked::Dry) => Progress::Running,
            Some(Worked::Goal) => self.solved(),
            Some(Worked::Stopped(why)) => {
                self.stop(why);
                Progress::Ended
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn outcome(&self) -> Option<&Outcome<S::Move>> {
        self.outcome.as_ref()
    }

    fn stop(&mut self, why: Stop) {
        if self.outcome.is_none() {
            self.stats.expanded_before_last_layer = self.before_layer;
            self.outcome = Some(Outcome::Stopped { why, lower_bound: self.stats.layer });
        }
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        None
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.signal = signal.clone();
        for shard in &mut self.shards {
            shard.set_signal(signal);
        }
    }

    fn stride(&self) -> u64 {
        STRIDE * self.shards.len().next_power_of_two() as u64
    }
}
