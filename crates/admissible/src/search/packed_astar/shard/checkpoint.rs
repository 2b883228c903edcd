//! Checkpoints of a shard: all of its states, so that the search can resume after its processes have ended.
//!
//! A checkpoint is a sequence of 64-bit words, little-endian: the counts, the closed keys, the open keys with their `f`
//! and `h`, the keys in the prefetch queue, and the keys that were closed and not yet expanded.

use std::io::{self, Read, Write};

use rustc_hash::FxHashMap;

use super::super::closed::MOST_AT_ONCE;
use super::super::key::Key;
use super::super::prefetch_queue::{MOST, Taken};
use super::super::{MOST_H, PackedAstar};
use super::{ENTRY_OF_MAP, ShardRoute};
use crate::heuristic::Heuristic;
use crate::keyed::Keyed;
use crate::search::closed::Full;
use crate::search::report::Stats;
use crate::space::Cost;

impl<S: Keyed, H: Heuristic<S>, const N: usize> PackedAstar<'_, S, H, N, ShardRoute<N>> {
    pub(super) fn write_checkpoint(&self, out: &mut dyn Write) -> io::Result<()> {
        let Stats { expanded, generated, max_frontier, .. } = self.stats;
        let known = self.route.known.as_ref();
        let closed = known.map_or(self.closed.len(), FxHashMap::len) as u64;
        let (goals, dead_ends) = (self.route.goals, u64::from(self.dead_ends));
        let counts = [self.open.f(), self.before_layer, expanded, generated, max_frontier, goals, dead_ends];
        put(out, &counts)?;
        let (queued, left) = (self.queue.len() as u64, self.round.left().len() as u64);
        put(out, &[closed, self.open.len(), queued, left])?;
        match known {
            None => {
                let mut keys = (0..self.closed.places()).filter_map(|at| self.closed.at(at));
                keys.try_for_each(|key| put(out, &key.0))?;
            }
            Some(known) => {
                for (state, &(g, word)) in known {
                    put(out, state)?;
                    put(out, &[word, g.into()])?;
                }
            }
        }
        let mut put_open = |f: u64, h: u32, key: Key<N>| {
            put(out, &key.0)?;
            put(out, &[f << 32 | u64::from(h)])
        };
        self.open.each(&mut put_open)?;
        let mut taken = self.queue.each().chain(self.round.left().iter().copied());
        taken.try_for_each(|taken| put_open(self.open.f(), taken.h, taken.key))
    }

    pub(super) fn read_checkpoint(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "no part of a search was written there");
        let full = |_| io::Error::from(io::ErrorKind::OutOfMemory);
        let [f, before_layer, expanded, generated, max_frontier, goals, dead_ends] = take(from)?;
        let [closed, open, queued, left] = take(from)?;
        let is_layer = |f: u64| f <= Cost::MAX.into();
        if !is_layer(f) || self.stats.expanded > 0 || queued > MOST as u64 || left > MOST_AT_ONCE as u64 {
            return Err(wrong());
        }
        // The checkpoint includes the start.
        while self.open.pop().is_some() {}
        self.open.go_to(f);
        (self.before_layer, self.route.goals, self.dead_ends) = (before_layer, goals, dead_ends > 0);
        self.stats = Stats { expanded, generated, max_frontier, layer: f as Cost, ..self.stats };
        self.make_room(closed).map_err(full)?;
        for _ in 0..closed {
            let key = Self::take_key(from)?;
            if let Some(known) = &mut self.route.known {
                let [word, g] = take(from)?;
                known.insert(key.0, (Cost::try_from(g).map_err(|_| wrong())?, word));
            } else {
                self.closed.insert::<S>(key);
            }
        }
        let most = self.limit.saturating_sub(self.closed.bytes());
        let mut entry = || {
            let key = Self::take_key(from)?;
            let [place] = take(from)?;
            let (entry_f, h) = (place >> 32, place as u32);
            let is_valid = entry_f >= f && u64::from(h) <= entry_f && h <= MOST_H;
            if is_valid { Ok((entry_f, Taken { key, h })) } else { Err(wrong()) }
        };
        for _ in 0..open {
            let (entry_f, Taken { key, h }) = entry()?;
            self.open.push(entry_f, h, key, most).map_err(full)?;
        }
        let mut of_layer = |count: u64| -> io::Result<Vec<Taken<N>>> {
            let of_layer = |(entry_f, taken)| if entry_f == f { Ok(taken) } else { Err(wrong()) };
            (0..count).map(|_| entry().and_then(of_layer)).collect()
        };
        self.queue.replace(&of_layer(queued)?);
        self.round.replace(of_layer(left)?.into_iter());
        self.measure();
        Ok(())
    }

    /// Reads a key. A key without a code would end the search in a panic; every other one stands for some state.
    fn take_key(from: &mut dyn Read) -> io::Result<Key<N>> {
        let words: [u64; N] = take(from)?;
        let has_code = words[0] >> (64 - S::CODE_BITS) > 0;
        has_code.then_some(Key(words)).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a key has no code"))
    }

    /// Makes room for `closed` states before the first is inserted. They come in the order of the old table; inserted
    /// into a smaller, growing one, they would all collide at its beginning.
    fn make_room(&mut self, closed: u64) -> Result<(), Full> {
        let most = self.limit.saturating_sub(self.open.bytes());
        match &mut self.route.known {
            Some(known) if closed.saturating_mul(2 * ENTRY_OF_MAP as u64) <= most => known.reserve(closed as usize),
            Some(_) => return Err(Full),
            None => {
                while !self.closed.has_room_for(closed) {
                    self.grow()?;
                }
            }
        }
        Ok(())
    }
}

fn put(out: &mut dyn Write, words: &[u64]) -> io::Result<()> {
    words.iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))
}

fn take<const COUNT: usize>(from: &mut dyn Read) -> io::Result<[u64; COUNT]> {
    let mut words = [0; COUNT];
    for word in &mut words {
        let mut bytes = [0; 8];
        from.read_exact(&mut bytes)?;
        *word = u64::from_le_bytes(bytes);
    }
    Ok(words)
}
