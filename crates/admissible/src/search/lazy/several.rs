//! Several states are expanded at a time, where a space makes keys from keys ([`StateSpace::STEPS_BY_KEY`]).
//!
//! Whether a state is new, which moves it has and how many cannot be predicted, and a processor that predicts wrongly has
//! nothing to do for as long as an expansion takes. So each step is taken for several states before the next one begins: they are
//! taken off the open list, those that are new are closed and put aside, what all of these lead to is listed, and the list is
//! estimated and opened. The only branches are those that hardly ever go the other way.
//!
//! The order is that of states which are taken ahead one by one: what was taken off is expanded before more is.

use super::put_off::Waiting;
use super::recent::Recent;
use super::{AHEAD, Ahead, FEW_AT_A_TIME, Key, Lazy, MANY_AT_A_TIME, MOST_H, Pause, RING, Route, SMALL};
use crate::batch::Batch;
use crate::heuristic::Heuristic;
use crate::search::closed::Full;
use crate::space::{Cost, StateSpace};

/// What is worked out for several states, as words: a list to which something may be added or not is fast with those.
#[derive(Debug)]
pub(super) struct Several<const N: usize, E> {
    /// The states that were just closed, and what the heuristic knows of them.
    states: Batch<Ahead<N>>,
    evals: Vec<E>,
    /// Where their moves lead to.
    found: Batch<Found<N>>,
    recent: Recent<N>,
}

impl<const N: usize, E> Several<N, E> {
    /// For keys whose first word has a state in these bits.
    pub(super) fn new(mask: u64) -> Self {
        Several { states: Batch::default(), evals: Vec::new(), found: Batch::default(), recent: Recent::new(mask) }
    }
}

/// What a move leads to.
#[derive(Debug, Clone, Copy, Default)]
struct Found<const N: usize> {
    key: Key<N>,
    /// The cost of the path there.
    g: Cost,
    /// The number of the state that it comes from.
    from: u32,
}

impl<S: StateSpace, H: Heuristic<S>, const N: usize, R: Route<S, N>> Lazy<'_, S, H, N, R> {
    /// [`Lazy::work`] for several states at a time. However often it is interrupted, it does the same.
    pub(super) fn work_on_several(&mut self, expansions: u64) -> Pause<N> {
        let until = self.stats.expanded.saturating_add(expansions);
        // What was put off takes time as well, and expands nothing.
        let mut rounds = expansions;
        while self.stats.expanded < until && rounds > 0 {
            if self.due == 0 {
                if Self::PUTS_OFF {
                    match self.go_on_with_put_off() {
                        Ok(true) => {
                            rounds -= 1;
                            continue;
                        }
                        Ok(false) => {}
                        Err(Full) => return Pause::Full,
                    }
                }
                if !self.closed.has_room(MANY_AT_A_TIME as usize) && self.grow() == Err(Full) {
                    return Pause::Full;
                }
                self.stats.max_frontier = self.stats.max_frontier.max(self.frontier());
                self.several.recent.fit(self.closed.len());
                self.due = self.take_several_ahead();
            }
            if self.due == 0 {
                return Pause::Dry;
            }
            let most = (until - self.stats.expanded).min(self.due.into()) as u32;
            match self.expand_several(most) {
                Ok(None) => {}
                Ok(Some((key, g))) => return Pause::Goal(key, g),
                Err(Full) => return Pause::Full,
            }
        }
        self.measure();
        Pause::Used
    }

    /// Fills up what is taken ahead, if the layer has as much. Returns how many are due.
    #[inline]
    fn take_several_ahead(&mut self) -> u32 {
        let is_small = self.closed.len() < SMALL;
        let at_a_time = if is_small { FEW_AT_A_TIME } else { MANY_AT_A_TIME };
        let most = if is_small { at_a_time } else { at_a_time + AHEAD };
        let Lazy { open, closed, ring, .. } = self;
        let begin = ring.end();
        let mut end = begin;
        open.take_some(most.saturating_sub(ring.count), |block, h, count| {
            for (at, &key) in block.iter().rev().enumerate() {
                ring.entries[(end + at) % RING] = Ahead { key, h };
            }
            end += count as usize;
        });
        ring.count += (end - begin) as u32;
        if !is_small {
            (begin..end).for_each(|at| closed.prefetch(closed.line_of::<S>(ring.entries[at % RING].key)));
        }
        ring.count.min(at_a_time)
    }

    /// Looks at up to so many of the states that are due, and expands those that are new. Ends at a goal.
    #[inline]
    fn expand_several(&mut self, most: u32) -> Result<Option<(Key<N>, Cost)>, Full> {
        let f = self.open.f();
        let goal = self.close_several(most).map(|goal| (goal.key, (f - u64::from(goal.h)) as Cost));
        if let Some(last) = self.several.states.items().last() {
            self.last = Some((last.key, (f - u64::from(last.h)) as Cost));
        }
        self.last = goal.or(self.last);
        self.list_successors()?;
        // In a plain table it costs less to look for a state once more.
        if !(S::DENSE_KEYS && self.closed.is_plain()) {
            self.drop_recent();
        }
        self.open_successors(0)?;
        Ok(goal)
    }

    /// Closes up to so many of the states that are due and puts those that are new aside; ends at a goal.
    #[inline]
    fn close_several(&mut self, most: u32) -> Option<Ahead<N>> {
        let mut states = std::mem::take(&mut self.several.states);
        states.clear();
        let mut goal = None;
        let none = Ahead { key: Key::default(), h: 0 };
        states.fill(most as usize, none, |states| {
            for _ in 0..most {
                let Some((ahead, _)) = self.ring.pop() else { break };
                self.due -= 1;
                let is_new = self.insert(self.home(ahead.key), ahead.key, 0);
                // A goal has no more to go.
                let may_be_goal = ahead.h == 0 && self.space.is_goal(&ahead.key.state(self.space));
                if may_be_goal && is_new && self.route.ends_at_goal() {
                    goal = Some(ahead);
                    break;
                }
                states.put_if(ahead, is_new);
            }
        });
        self.several.states = states;
        goal
    }

    /// Lists what the moves of the new states lead to, and puts off those that lead to later layers.
    #[inline]
    fn list_successors(&mut self) -> Result<(), Full> {
        let states = self.several.states.items();
        self.stats.expanded += states.len() as u64;
        if Self::PUTS_OFF {
            let most_bytes = self.limit.saturating_sub(self.closed.bytes() + self.open.bytes());
            for &Ahead { key, h } in states {
                self.put_off.push(key, Waiting { h, rise: 1 }, 1, most_bytes)?;
            }
        }
        self.list_rising(0);
        Ok(())
    }

    /// Lists what those moves lead to by which `f` rises so far from what the states have; all moves unless some are put off.
    #[inline]
    fn list_rising(&mut self, rise: u32) {
        let (space, heuristic, f) = (self.space, self.heuristic, self.open.f() - u64::from(rise));
        let Several { states, evals, found, .. } = &mut self.several;
        let states = states.items();
        found.clear();
        evals.clear();
        for &Ahead { key, h } in states {
            let state = key.state(space);
            // What is left of the layer's `f` is the estimate, unless it was too large to be written down.
            evals.push(if H::SCALE > 1 || h >= MOST_H {
                heuristic.evaluate(space, &state)
            } else {
                heuristic.recall(space, &state, h)
            });
        }
        // The way back and moves that have a twin are counted, and not taken: what they lead to is closed, or found otherwise.
        found.fill(states.len() * S::MOST_ONWARD, Found::default(), |found| {
            let mut find = |from: usize, m: S::Move, words: [u64; 2], is_move: bool| {
                let g = (f - u64::from(states[from].h)) as Cost + 1;
                found.put_if(Found { key: Key::reached_by(space, words, m), g, from: from as u32 }, is_move);
            };
            let reached = |at: usize| (states[at].key.words::<S>(), states[at].key.came_by(space));
            if !Self::PUTS_OFF {
                self.stats.generated += space.each_onward_of_several(states.len(), reached, find);
                return;
            }
            for at in 0..states.len() {
                let (words, came_by) = reached(at);
                let find = |m: S::Move, words: [u64; 2], is_move: bool| find(at, m, words, is_move);
                let count = heuristic.each_rising(space, words, &space.of_key(words), came_by, rise, find);
                self.stats.generated += u64::from(count);
            }
        });
    }

    /// Has some of the states go on that waited for this layer, if what they lead to is as near to the goal as what is open; true if
    /// there were any.
    #[inline]
    fn go_on_with_put_off(&mut self) -> Result<bool, Full> {
        let Some(least) = self.put_off.least_h() else { return Ok(false) };
        // Those that were taken ahead come from the open list.
        let open = self.ring.each().map(|ahead| ahead.h).next().or_else(|| self.open.least_h());
        if open.is_some_and(|open| open < least) {
            return Ok(false);
        }
        let most_bytes = self.limit.saturating_sub(self.closed.bytes() + self.open.bytes());
        let states = &mut self.several.states;
        states.clear();
        let waiting = self.put_off.take_some(FEW_AT_A_TIME, |key| states.push(Ahead { key, h: 0 }));
        let Waiting { h, rise } = waiting.expect("some are waiting");
        states.each_mut().for_each(|ahead| ahead.h = h);
        if rise == 1 {
            for &Ahead { key, h } in states.items() {
                self.put_off.push(key, Waiting { h, rise: 2 }, 1, most_bytes)?;
            }
        }
        self.list_rising(rise);
        self.drop_recent();
        self.open_successors(rise)?;
        Ok(true)
    }

    /// Takes what was opened a moment ago out of the list.
    #[inline]
    fn drop_recent(&mut self) {
        let Several { found, recent, .. } = &mut self.several;
        found.retain(|&Found { key, g, .. }| recent.is_new(key, g));
    }

    /// Estimates what was listed, and puts it onto the open list, or hands it to whom it belongs. The states that it comes from
    /// have an `f` that is so far below that of the layer.
    #[inline]
    fn open_successors(&mut self, below: u32) -> Result<(), Full> {
        let (space, heuristic, f) = (self.space, self.heuristic, self.open.f() - u64::from(below));
        let most_bytes = self.limit.saturating_sub(self.closed.bytes() + self.put_off.bytes());
        let Several { evals, found, .. } = &self.several;
        let mut opening = self.open.opening(most_bytes);
        for &Found { key, g, from } in found.items() {
            let (parent_h, eval) = ((f + 1 - u64::from(g)) as u32, evals[from as usize]);
            let state = key.state(space);
            let m = key.came_by(space).expect("a move led to it");
            let estimate = heuristic.estimate(heuristic.advance(space, eval, &state, m));
            let Some(h) = estimate.rounded_up(H::SCALE) else {
                self.dead_ends = true;
                continue;
            };
            debug_assert!(h + 1 >= parent_h.min(MOST_H), "a consistent heuristic falls by at most 1");
            // Less than the parent's estimate leaves is no news: an `f` never falls along a path.
            let h = h.min(MOST_H).max(parent_h.saturating_sub(1));
            let f = u64::from(g) + u64::from(h);
            if !self.route.send(space, &state, key, f, h) {
                opening.push(f, h, key)?;
            }
        }
        Ok(())
    }
}
