//! One worker's shard of a hash-distributed A* (HDA*).
//!
//! Every state belongs to one worker, by a hash: Kishimoto, Fukunaga and Botea (2009). Whoever produces it sends it
//! there, and the owner alone knows whether it is new, so there is no lock on a closed list. Workers expand the
//! states of one layer of equal `f` at a time; once none of them has any left and none is on its way, all go on to the
//! next. So with a consistent heuristic a state is expanded once and at its cheapest, as in a search that is alone, and
//! every layer before the last one has the same states in it.
//!
//! A [`Shard`] knows neither threads nor sockets: whoever drives it carries [`Entry`]s from one to the other.

mod saved;

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

/// A state on its way to its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<const N: usize> {
    /// The state, and the number of the move that led to it in the free bits.
    pub key: [u64; N],
    /// The layer that it is expanded in.
    pub f: u32,
    /// The cost of the path to it.
    pub g: u32,
}

/// Which of the workers a shard is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its number.
    pub worker: usize,
    /// How many there are.
    pub of: usize,
}

/// How states are shared out among the workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sharing {
    /// By what few moves change ([`Keyed::abstraction`]): most successors stay where they are produced.
    #[default]
    Together,
    /// By a hash of the whole state.
    Scattered,
}

/// How far a shard came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worked {
    /// It used the expansions.
    Used,
    /// Nothing of the layer is left here, unless more is sent.
    Dry,
    /// It came upon a goal.
    Goal,
    /// It cannot go on.
    Stopped(Stop),
}

/// How a state was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before<const N: usize> {
    /// The number of the move ([`Keyed::code`]).
    pub code: u32,
    /// The key of the state before it, without the number of a move.
    pub key: [u64; N],
    /// Who knows that one.
    pub owner: usize,
}

/// One worker's shard of a search.
pub trait Shard<const N: usize>: Send {
    /// Takes in states that belong here.
    ///
    /// # Errors
    /// If there is no room for them.
    fn receive(&mut self, entries: &[Entry<N>]) -> Result<(), Stop>;
    /// The states that belong to others, by their owners, to be carried there and taken out.
    fn outgoing(&mut self) -> &mut [Vec<Entry<N>>];
    /// The least layer that has states here.
    fn least(&self) -> Option<u32>;
    /// Goes on to a layer below which nobody has states.
    fn begin_layer(&mut self, f: u32);
    /// Expands up to so many states of the layer.
    fn work(&mut self, expansions: u64) -> Worked;
    /// How many states of the layer or of later ones are waiting here.
    fn waiting(&self) -> u64;
    /// The goal that it came upon, and the cost of the path.
    fn goal(&self) -> Option<([u64; N], Cost)>;
    /// How many goals it came upon; where goals are passed, all that belong here in the end.
    fn goals(&self) -> u64;
    /// The state that was expanded last.
    fn last(&self) -> Option<[u64; N]>;
    /// How a state was reached that this shard has closed; `None` for the start.
    fn before(&self, state: [u64; N]) -> Option<Before<N>>;
    /// Whether the heuristic called a state a dead end.
    fn has_dead_ends(&self) -> bool;
    /// What it took.
    fn stats(&self) -> Stats;
    /// Hands over what steps that take long are to look at.
    fn heed(&mut self, signal: &Signal);
    /// Writes down every state that is here, open or closed, and what it took so far.
    ///
    /// # Errors
    /// If it cannot be written.
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;
    /// Goes on from what a shard of the same search and place wrote down, instead of from the start.
    ///
    /// # Errors
    /// If it cannot be read, is nothing that [`Shard::save`] wrote, or there is no room for it
    /// ([`io::ErrorKind::OutOfMemory`]).
    fn load(&mut self, from: &mut dyn Read) -> io::Result<()>;
}

/// A shard of the search from a state, for keys of `N` words, within so many bytes. If `passes_goals`, a goal is a
/// state like any other, and the search goes through all that can be reached.
///
/// # Panics
/// Unless the keys of the space have `N` words.
pub fn shard<'a, S: Keyed, H: Heuristic<S>, const N: usize>(
    space: &'a S,
    start: &S::State,
    heuristic: &'a H,
    place: Place,
    sharing: Sharing,
    passes_goals: bool,
    bytes: u64,
) -> Option<Box<dyn Shard<N> + 'a>> {
    assert_eq!(S::KEY_WORDS, N, "keys have as many words as the shard expects");
    let estimate = heuristic.estimate(heuristic.evaluate(space, start)).rounded_up(heuristic.scale());
    let h = estimate.unwrap_or(0).min(MOST_H);
    let shared = Shared {
        place,
        sharing,
        mask: u64::MAX >> S::CODE_BITS,
        passes_goals,
        goals: 0,
        goal: None,
        known: (!heuristic.properties(space).consistent).then(FxHashMap::default),
        outgoing: vec![Vec::new(); place.of],
    };
    let mut search = PackedAstar::routed(space, heuristic, bytes, h, shared);
    if !search.fits() {
        return None;
    }
    if place.of > 1 {
        // A table for all keys would be as large for each of the workers as for one that is alone.
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

/// The states of one worker among several.
struct Shared<const N: usize> {
    place: Place,
    sharing: Sharing,
    /// The bits of a key's first word that are the state.
    mask: u64,
    passes_goals: bool,
    /// How many it came upon.
    goals: u64,
    goal: Option<(Key<N>, Cost)>,
    /// Where the heuristic is not consistent: the closed states with the cost of their paths and the first word of
    /// their keys.
    known: Option<FxHashMap<[u64; N], (Cost, u64)>>,
    outgoing: Vec<Vec<Entry<N>>>,
}

/// What a map takes for a state, roughly.
const ENTRY_OF_MAP: usize = 40;

impl<const N: usize> Shared<N> {
    #[inline]
    fn owner<S: Keyed>(&self, space: &S, state: &S::State, key: Key<N>) -> usize {
        let number = match self.sharing {
            Sharing::Together => space.abstraction(state).unwrap_or_else(|| key.hash(self.mask)),
            Sharing::Scattered => key.hash(self.mask),
        };
        // The closed list goes by the high bits of the hash: these are others, so that its lines are used evenly.
        const ODD: u64 = 0xD6E8_FEB8_6659_FD93;
        let mixed = (number ^ number >> 32).wrapping_mul(ODD);
        ((u128::from(mixed) * self.place.of as u128) >> 64) as usize
    }

    fn state_of(&self, mut key: Key<N>) -> [u64; N] {
        key.0[0] &= self.mask;
        key.0
    }
}

impl<S: Keyed, const N: usize> Route<S, N> for Shared<N> {
    const REOPENS: bool = true;
    // Shards do not keep the exact order among themselves.
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
        let known = self.known.as_mut().expect("states are opened again");
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
        // While a map grows the old one is there as well.
        known.len() + more <= known.capacity() || (3 * known.capacity() * ENTRY_OF_MAP) as u64 <= bytes
    }
}

impl<S: Keyed, H: Heuristic<S>, const N: usize> Shard<N> for PackedAstar<'_, S, H, N, Shared<N>> {
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
        debug_assert!(self.of_layer() == 0 && self.least().is_none_or(|least| least >= f), "nothing is left behind");
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
        let key = found.expect("what leads to a state is closed by its owner");
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

    fn heed(&mut self, signal: &Signal) {
        self.signal = signal.clone();
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_down(out)
    }

    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.take_up(from)
    }
}
