//! Several states are expanded at a time, where a space makes keys from keys ([`StateSpace::STEPS_BY_KEY`]).
//!
//! Whether a state is new, which moves it has and how many cannot be predicted, and a processor that predicts wrongly has
//! nothing to do for as long as an expansion takes. So each step is taken for several states before the next one begins: they are
//! taken off the open list, those that are new are closed and put aside, what all of these lead to is listed, and the list is
//! estimated and opened. The only branches are those that hardly ever go the other way.
//!
//! The order is that of states which are taken ahead one by one: what was taken off is expanded before more is.

use super::recent::Recent;
use super::{AHEAD, AT_A_TIME, Ahead, Key, Lazy, MOST_H, Pause, Route, SMALL};
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
    /// Their moves: the number of the state in the high half, the code of the move in the low one.
    moves: Batch<u64>,
    /// Where those lead to.
    found: Batch<Found<N>>,
    recent: Recent<N>,
}

impl<const N: usize, E> Several<N, E> {
    pub(super) fn new() -> Self {
        Several {
            states: Batch::default(),
            evals: Vec::new(),
            moves: Batch::default(),
            found: Batch::default(),
            recent: Recent::new(),
        }
    }
}

/// What a move leads to.
#[derive(Debug, Clone, Copy, Default)]
struct Found<const N: usize> {
    key: Key<N>,
    /// The number of the state that it comes from, and the code of the move.
    from: u32,
    code: u32,
}

impl<S: StateSpace, H: Heuristic<S>, const N: usize, R: Route<S, N>> Lazy<'_, S, H, N, R> {
    /// [`Lazy::work`] for several states at a time. However often it is interrupted, it does the same.
    pub(super) fn work_on_several(&mut self, expansions: u64) -> Pause<N> {
        let until = self.stats.expanded.saturating_add(expansions);
        while self.stats.expanded < until {
            if self.due == 0 {
                if !self.closed.has_room(AT_A_TIME as usize) && self.grow() == Err(Full) {
                    return Pause::Full;
                }
                self.stats.max_frontier = self.stats.max_frontier.max(self.frontier());
                self.take_several_ahead();
                self.due = self.ring.count.min(AT_A_TIME);
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

    /// Fills up what is taken ahead, if the layer has as much.
    #[inline]
    fn take_several_ahead(&mut self) {
        let most = if self.closed.len() < SMALL { AT_A_TIME } else { AHEAD };
        let Lazy { open, closed, ring, .. } = self;
        open.take_some(most.saturating_sub(ring.count), |key, h| {
            let line = closed.line_of::<S>(key);
            closed.prefetch(line);
            ring.push(Ahead { key, h, line: line as u32 });
        });
    }

    /// Looks at up to so many of the states that are due, and expands those that are new. Ends at a goal.
    #[inline]
    fn expand_several(&mut self, most: u32) -> Result<Option<(Key<N>, Cost)>, Full> {
        let f = self.open.f();
        let mut goal = None;
        self.several.states.clear();
        for _ in 0..most {
            let Some(ahead) = self.ring.pop() else { break };
            self.due -= 1;
            let is_new = self.insert(ahead.line as usize, ahead.key, 0);
            if self.space.is_goal(&ahead.key.state(self.space)) && is_new && self.route.ends_at_goal() {
                goal = Some((ahead.key, (f - u64::from(ahead.h)) as Cost));
                break;
            }
            self.several.states.push_if(ahead, is_new);
        }
        if let Some(last) = self.several.states.items().last() {
            self.last = Some((last.key, (f - u64::from(last.h)) as Cost));
        }
        self.last = goal.or(self.last);
        self.list_moves();
        self.list_successors();
        self.open_successors()?;
        Ok(goal)
    }

    /// Lists the moves of the new states.
    #[inline]
    fn list_moves(&mut self) {
        let (space, heuristic) = (self.space, self.heuristic);
        let Several { states, evals, moves, .. } = &mut self.several;
        moves.clear();
        evals.clear();
        for (&Ahead { key, h, .. }, number) in states.items().iter().zip(0_u64..) {
            let state = key.state(space);
            // What is left of the layer's `f` is the estimate, unless it was too large to be written down.
            evals.push(if H::SCALE > 1 || h >= MOST_H {
                heuristic.evaluate(space, &state)
            } else {
                heuristic.recall(space, &state, h)
            });
            let came_by = key.came_by(space);
            // What it came from is closed, so the way back is counted and not taken.
            self.stats.generated += u64::from(came_by.is_some_and(|m| space.inverse(m).is_some()));
            space.each_onward(&state, came_by, |m, is_move| {
                moves.push_if(number << 32 | u64::from(space.code(m)), is_move);
            });
        }
        self.stats.expanded += states.items().len() as u64;
        self.stats.generated += moves.items().len() as u64;
    }

    /// Lists what the moves lead to, but for what was opened a moment ago.
    #[inline]
    fn list_successors(&mut self) {
        let (space, f, mask) = (self.space, self.open.f(), self.closed.mask());
        let Several { states, moves, found, recent, .. } = &mut self.several;
        found.clear();
        found.make_room(moves.items().len(), Found::default());
        for &one in moves.items() {
            let (from, code) = ((one >> 32) as u32, one as u32);
            let parent = states.items()[from as usize];
            let words = parent.key.after_move(space, space.decode(code));
            let key = Key::of_words::<S>(words, u64::from(code) + 1);
            let g = (f - u64::from(parent.h)) as Cost + 1;
            let is_new = recent.is_new(words, key.hash(mask), g);
            found.put_if(Found { key, from, code }, is_new);
        }
    }

    /// Estimates what was listed, and puts it onto the open list, or hands it to whom it belongs.
    #[inline]
    fn open_successors(&mut self) -> Result<(), Full> {
        let (space, heuristic, f) = (self.space, self.heuristic, self.open.f());
        let most_bytes = self.limit.saturating_sub(self.closed.bytes());
        let Several { states, evals, found, .. } = &self.several;
        for &Found { key, from, code } in found.items() {
            let (parent_h, eval) = (states.items()[from as usize].h, evals[from as usize]);
            let state = key.state(space);
            let estimate = heuristic.estimate(heuristic.advance(space, eval, &state, space.decode(code)));
            let Some(h) = estimate.rounded_up(H::SCALE) else {
                self.dead_ends = true;
                continue;
            };
            debug_assert!(h + 1 >= parent_h.min(MOST_H), "a consistent heuristic falls by at most 1");
            // Less than the parent's estimate leaves is no news: an `f` never falls along a path.
            let h = h.min(MOST_H).max(parent_h.saturating_sub(1));
            let f = f + 1 + u64::from(h) - u64::from(parent_h);
            if !self.route.send(space, &state, key, f, h) {
                self.open.push(f, h, key, most_bytes)?;
            }
        }
        Ok(())
    }
}
