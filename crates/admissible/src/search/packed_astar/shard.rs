//! One worker's shard of a hash-distributed A* (HDA*).
//!
//! A hash assigns every state to one worker: Kishimoto, Fukunaga and Botea (2009). The worker that generates a state
//! sends it to its owner, which alone detects duplicates, so closed lists need no lock. Workers expand one layer of
//! equal `f` at a time. Once no worker has states of the layer and none are in transit, all begin the next. So with a
//! consistent heuristic a state is expanded once and with its least `g`, and every layer but the last has the same
//! states as in a search with one worker.
//!
//! A [`Shard`] knows neither threads nor sockets: its driver carries [`Entry`]s from shard to shard.

mod checkpoint;

use std::io::{self, Read, Write};

use rustc_hash::FxHashMap;

use super::closed::Closed;
use super::key::Key;
use super::route::Route;
use super::{MOST_H, PackedAstar, Pause};
use crate::heuristic::Heuristic;
use crate::keyed::Keyed;
use crate::search::closed::Full;
use crate::search::report::{Stats, Stop};
use crate::search::signal::Signal;
use crate::space::Cost;

/// A state that is sent to its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<const N: usize> {
    /// The state, with the code of the move that led to it in the free bits.
    pub key: [u64; N],
    /// The layer in which it is expanded.
    pub f: u32,
    /// The cost of the path to it.
    pub g: u32,
}

/// The worker of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The number of the worker, from 0.
    pub worker: usize,
    /// The number of workers.
    pub of: usize,
}

/// The result of [`Shard::work`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worked {
    /// The expansions are used up.
    Used,
    /// The layer has no states left here, unless others send more.
    Dry,
    /// It found a goal.
    Goal,
    /// It cannot continue.
    Stopped(Stop),
}

/// The parent of a state, and the move from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before<const N: usize> {
    /// The code of the move ([`Keyed::code`]).
    pub code: u32,
    /// The key of the parent, without a move code.
    pub key: [u64; N],
    /// The worker that owns the parent.
    pub owner: usize,
}

/// One worker's shard of a search.
pub trait Shard<const N: usize>: Send {
    /// Adds states that this worker owns to the open list.
    ///
    /// # Errors
    /// If they do not fit into memory.
    fn receive(&mut self, entries: &[Entry<N>]) -> Result<(), Stop>;
    /// The states to send, by owner. The driver takes them out.
    fn outgoing(&mut self) -> &mut [Vec<Entry<N>>];
    /// The least layer that has states here.
    fn least(&self) -> Option<u32>;
    /// Begins a layer. No worker may have states of an earlier one.
    fn begin_layer(&mut self, f: u32);
    /// Expands up to `expansions` states of the layer.
    fn work(&mut self, expansions: u64) -> Worked;
    /// The number of states of this layer and later ones that wait here.
    fn waiting(&self) -> u64;
    /// The goal that it found, and the cost of the path.
    fn goal(&self) -> Option<([u64; N], Cost)>;
    /// The number of goals that it found; in a search that passes goals, in the end all goals that it owns.
    fn goals(&self) -> u64;
    /// The state that was expanded last.
    fn last(&self) -> Option<[u64; N]>;
    /// The parent of a state that this shard has closed; `None` for the start.
    fn before(&self, state: [u64; N]) -> Option<Before<N>>;
    /// Whether the heuristic called a state a dead end.
    fn has_dead_ends(&self) -> bool;
    /// The counts so far.
    fn stats(&self) -> Stats;
    /// Sets the signal that long steps poll.
    fn set_signal(&mut self, signal: &Signal);
    /// Writes a checkpoint: all open and closed states, and the counts.
    ///
    /// # Errors
    /// If it cannot be written.
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;
    /// Resumes from a checkpoint of a shard of the same search and place, before anything is expanded.
    ///
    /// # Errors
    /// If it cannot be read, is not a checkpoint that [`Shard::save`] wrote, or does not fit into memory
    /// ([`io::ErrorKind::OutOfMemory`]).
    fn load(&mut self, from: &mut dyn Read) -> io::Result<()>;
}

/// A shard of the search from `start`, for keys of `N` words, within `bytes`; `None` if its first tables do not fit. If
/// `passes_goals`, goals are expanded like other states, and the search expands all reachable states.
///
/// # Panics
/// Unless the keys of the space have `N` words.
pub fn shard<'a, S: Keyed, H: Heuristic<S>, const N: usize>(
    space: &'a S,
    start: &S::State,
    heuristic: &'a H,
    place: Place,
    passes_goals: bool,
    bytes: u64,
) -> Option<Box<dyn Shard<N> + 'a>> {
    assert_eq!(S::KEY_WORDS, N, "the shard is for keys of the space's number of words");
    let estimate = heuristic.estimate(heuristic.evaluate(space, start)).rounded_up(heuristic.scale());
    let h = estimate.unwrap_or(0).min(MOST_H);
    let route = ShardRoute {
        place,
        mask: u64::MAX >> S::CODE_BITS,
        passes_goals,
        goals: 0,
        goal: None,
        known: (!heuristic.properties(space).consistent).then(FxHashMap::default),
        outgoing: vec![Vec::new(); place.of],
    };
    let mut search = PackedAstar::routed(space, heuristic, bytes, h, route);
    if !search.fits() {
        return None;
    }
    if place.of > 1 {
        // A plain table would have an entry for every key in each worker.
        search.closed = Closed::hashed(S::CODE_BITS);
    }
    let key = Key::start(space, start);
    if estimate.is_some() && search.route.owner(space, start, key) == place.worker {
        search.open.push(h.into(), h, key, bytes).ok()?;
    }
    search.dead_ends = estimate.is_none();
    search.measure();
    Some(Box::new(search))
}

/// The route of one worker among several.
struct ShardRoute<const N: usize> {
    place: Place,
    /// The state bits of a key's first word.
    mask: u64,
    passes_goals: bool,
    /// The number of goals found.
    goals: u64,
    goal: Option<(Key<N>, Cost)>,
    /// Only if the heuristic is not consistent: the closed states, each with its `g` and the first word of its key.
    known: Option<FxHashMap<[u64; N], (Cost, u64)>>,
    outgoing: Vec<Vec<Entry<N>>>,
}

/// The approximate bytes of an entry of `known`.
const ENTRY_OF_MAP: usize = 40;

impl<const N: usize> ShardRoute<N> {
    #[inline]
    fn owner<S: Keyed>(&self, space: &S, state: &S::State, key: Key<N>) -> usize {
        let number = space.abstraction(state).unwrap_or_else(|| key.hash(self.mask));
        // Another hash than that of the closed list, so that the states of one worker use all its lines evenly.
        const ODD: u64 = 0xD6E8_FEB8_6659_FD93;
        let mixed = (number ^ number >> 32).wrapping_mul(ODD);
        ((u128::from(mixed) * self.place.of as u128) >> 64) as usize
    }

    fn state_of(&self, mut key: Key<N>) -> [u64; N] {
        key.0[0] &= self.mask;
        key.0
    }
}

impl<S: Keyed, const N: usize> Route<S, N> for ShardRoute<N> {
    const REOPENS: bool = true;
    // The order across shards is not exact anyway.
    const LEAST_ROUND: usize = 16;

    #[inline]
    fn send(&mut self, space: &S, state: &S::State, key: Key<N>, f: u64, h: u32) -> bool {
        let owner = self.owner(space, state, key);
        if owner == self.place.worker {
            return false;
        }
        self.outgoing[owner].push(Entry { key: key.0, f: f as u32, g: (f - u64::from(h)) as u32 });
        true
    }

    #[inline]
    fn reopens(&self) -> bool {
        self.known.is_some()
    }

    #[inline]
    fn close(&mut self, key: Key<N>, g: Cost) -> bool {
        let state = self.state_of(key);
        let known = self.known.as_mut().expect("the search reopens");
        let (least, word) = known.entry(state).or_insert((Cost::MAX, 0));
        let is_cheaper = g < *least;
        if is_cheaper {
            (*least, *word) = (g, key.0[0]);
        }
        is_cheaper
    }

    #[inline]
    fn ends_at_goal(&mut self) -> bool {
        self.goals += 1;
        !self.passes_goals
    }

    fn bytes(&self) -> u64 {
        self.known.as_ref().map_or(0, |known| (known.capacity() * ENTRY_OF_MAP) as u64)
    }

    #[inline]
    fn has_room(&self, more: usize, bytes: u64) -> bool {
        let Some(known) = &self.known else { return true };
        // While a map grows, the old one is in memory as well.
        known.len() + more <= known.capacity() || (3 * known.capacity() * ENTRY_OF_MAP) as u64 <= bytes
    }
}

impl<S: Keyed, H: Heuristic<S>, const N: usize> Shard<N> for PackedAstar<'_, S, H, N, ShardRoute<N>> {
    fn receive(&mut self, entries: &[Entry<N>]) -> Result<(), Stop> {
        let most = self.limit.saturating_sub(self.closed.bytes());
        for entry in entries {
            let pushed = self.open.push(entry.f.into(), entry.f - entry.g, Key(entry.key), most);
            pushed.map_err(|Full| Stop::Memory)?;
        }
        Ok(())
    }

    fn outgoing(&mut self) -> &mut [Vec<Entry<N>>] {
        &mut self.route.outgoing
    }

    fn least(&self) -> Option<u32> {
        if self.of_layer() > 0 { Some(self.open.f() as u32) } else { self.open.least().map(|f| f as u32) }
    }

    fn begin_layer(&mut self, f: u32) {
        debug_assert!(self.of_layer() == 0 && self.least().is_none_or(|least| least >= f), "earlier layers are empty");
        self.open.go_to(f.into());
        self.before_layer = self.stats.expanded;
        self.stats.layer = f;
    }

    fn work(&mut self, expansions: u64) -> Worked {
        let pause = PackedAstar::work(self, expansions);
        self.measure();
        match pause {
            Pause::Used => Worked::Used,
            Pause::Dry => Worked::Dry,
            Pause::Goal(key, g) => {
                self.route.goal = Some((key, g));
                Worked::Goal
            }
            Pause::Full => Worked::Stopped(self.signal.stop().unwrap_or(Stop::Memory)),
        }
    }

    fn waiting(&self) -> u64 {
        self.open.len() + self.of_layer() as u64
    }

    fn goal(&self) -> Option<([u64; N], Cost)> {
        self.route.goal.map(|(key, g)| (self.route.state_of(key), g))
    }

    fn goals(&self) -> u64 {
        self.route.goals
    }

    fn last(&self) -> Option<[u64; N]> {
        self.last.map(|(key, _)| self.route.state_of(key))
    }

    fn before(&self, state: [u64; N]) -> Option<Before<N>> {
        let found = match &self.route.known {
            None => self.closed.find(Key(state)),
            Some(known) => known.get(&state).map(|&(_, word)| {
                let mut key = state;
                key[0] = word;
                Key(key)
            }),
        };
        let key = found.expect("the parent of a state is closed by its owner");
        let m = key.came_by(self.space)?;
        let mut before = key.state(self.space);
        self.space.retrace(&mut before, m);
        let start = Key::start(self.space, &before);
        let owner = self.route.owner(self.space, &before, start);
        Some(Before { code: self.space.code(m), key: self.route.state_of(start), owner })
    }

    fn has_dead_ends(&self) -> bool {
        self.dead_ends
    }

    fn stats(&self) -> Stats {
        Stats { expanded_before_last_layer: self.before_layer, ..self.stats }
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.signal = signal.clone();
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_checkpoint(out)
    }

    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.read_checkpoint(from)
    }
}
