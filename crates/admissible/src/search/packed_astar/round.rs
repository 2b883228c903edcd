//! Expansion in rounds of several states at a time.
//!
//! Whether a state is new, and which moves it has, is unpredictable, and a mispredicted branch costs about as much as
//! an expansion. So a round does each step for several states before the next step: take entries off the open list,
//! close those that are new, list the moves of all of these, estimate and open the successors. The remaining branches
//! almost always go the same way.
//!
//! The lines of the closed list that the next round needs are prefetched a few at a time during this one: a processor
//! drops prefetches if there are too many at once.

use std::ops::Range;

use super::closed::{Closed, MOST_AT_ONCE};
use super::duplicate_filter::DuplicateFilter;
use super::open::Opening;
use super::prefetch_queue::{self, Taken};
use super::{Key, MOST_H, PackedAstar, Pause, Route};
use crate::batch::Batch;
use crate::heuristic::Heuristic;
use crate::keyed::Keyed;
use crate::search::closed::Full;
use crate::space::Cost;

/// A round has one state for each `EXPANDED_FOR_EACH` states expanded so far, up to `MANY_AT_A_TIME`. So a small search
/// on one thread, which may end at any moment, expands its states one by one in the exact order.
const MANY_AT_A_TIME: usize = MOST_AT_ONCE;
const EXPANDED_FOR_EACH: u64 = 64;
/// The entries in the prefetch queue beyond those of a round, so that their lines arrive in time.
const AHEAD: usize = 64;
const _: () = assert!(MANY_AT_A_TIME + AHEAD <= prefetch_queue::MOST, "the prefetch queue has room");
/// Prefetching pays once the closed list has this many bytes, too many for a near cache, and more than [`SMALL`]
/// states; until then the order is exact, except within a round.
const FAR_AWAY: u64 = 4 << 20;
const SMALL: usize = 1 << 14;
/// The lines that are prefetched together: few enough that the processor drops none, and their page walks overlap.
const PREFETCHED_TOGETHER: usize = 8;

/// A round under way.
pub(super) struct Round<S: Keyed, E, const N: usize> {
    /// The states that were just closed.
    states: Batch<Taken<N>>,
    /// The number of them that have been expanded.
    expanded: usize,
    /// The states that are expanded together: with the unpacked state if moves are applied, without it if successor
    /// keys are computed from keys.
    unpacked_parents: Vec<Parent<S::State, E>>,
    parents: Vec<Parent<(), E>>,
    /// Their least estimate.
    least: u32,
    /// Moves to apply.
    listed: Batch<ListedMove>,
    /// Successors.
    found: Batch<Successor<N>>,
    filter: DuplicateFilter<N>,
}

/// A state that is expanded.
struct Parent<State, E> {
    state: State,
    eval: E,
    h: u32,
}

/// A move of one of the states that are expanded together.
#[derive(Debug, Clone, Copy, Default)]
struct ListedMove {
    /// The index of the state among the parents.
    from: u32,
    code: u32,
}

/// A successor.
#[derive(Debug, Clone, Copy, Default)]
struct Successor<const N: usize> {
    key: Key<N>,
    /// The index of its parent.
    from: u32,
}

impl<S: Keyed, E, const N: usize> Round<S, E, N> {
    /// An empty round.
    pub(super) fn new() -> Self {
        Round {
            states: Batch::default(),
            expanded: 0,
            unpacked_parents: Vec::new(),
            parents: Vec::new(),
            least: 0,
            listed: Batch::default(),
            found: Batch::default(),
            filter: DuplicateFilter::new(u64::MAX >> S::CODE_BITS),
        }
    }

    /// The states not yet expanded.
    #[inline]
    pub(super) fn left(&self) -> &[Taken<N>] {
        &self.states.items()[self.expanded..]
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.left().is_empty()
    }

    /// Replaces the states of the round by these.
    pub(super) fn replace(&mut self, states: impl Iterator<Item = Taken<N>>) {
        self.expanded = 0;
        self.states.clear();
        states.for_each(|taken| self.states.push(taken));
    }
}

impl<S: Keyed, H: Heuristic<S>, const N: usize, R: Route<S, N>> PackedAstar<'_, S, H, N, R> {
    /// Expands up to `expansions` states of the current layer. The result does not depend on how expansions are divided
    /// into calls.
    pub(super) fn work(&mut self, expansions: u64) -> Pause<N> {
        let until = self.stats.expanded.saturating_add(expansions);
        while self.stats.expanded < until {
            if self.round.is_over()
                && let Err(pause) = self.begin_round()
            {
                return pause;
            }
            if self.expand_some(until - self.stats.expanded) == Err(Full) {
                self.open.recount();
                return Pause::Full;
            }
        }
        self.measure();
        Pause::Used
    }

    /// Fills the prefetch queue and begins a round with the new states among its first entries.
    #[inline]
    fn begin_round(&mut self) -> Result<(), Pause<N>> {
        self.stats.max_frontier = self.stats.max_frontier.max(self.frontier());
        let at_a_time = (self.stats.expanded / EXPANDED_FOR_EACH) as usize;
        let at_a_time = at_a_time.clamp(R::LEAST_ROUND, MANY_AT_A_TIME);
        self.queue.fill(&mut self.open, at_a_time + if is_far_away(&self.closed) { AHEAD } else { 0 });
        if self.queue.len() == 0 {
            return Err(Pause::Dry);
        }
        let due = self.queue.len().min(at_a_time);
        let has_room = self.closed.has_room(due) || self.grow() == Ok(());
        let bytes = self.limit.saturating_sub(self.open.bytes());
        if !has_room || (R::REOPENS && !self.route.has_room(due, bytes)) {
            return Err(Pause::Full);
        }
        if S::SUCCESSORS_BY_KEY {
            self.round.filter.fit(self.closed.len());
        }
        match self.close_some(due) {
            None => Ok(()),
            Some((key, g)) => {
                self.last = Some((key, g));
                Err(Pause::Goal(key, g))
            }
        }
    }

    /// Closes the first `due` entries of the prefetch queue; those that are new become the states of the round. Returns
    /// a goal among them, if the search ends there.
    #[inline]
    fn close_some(&mut self, due: usize) -> Option<(Key<N>, Cost)> {
        let (space, f, zero_at_goals) = (self.space, self.open.f(), self.zero_at_goals);
        let PackedAstar { queue, closed, route, round, .. } = self;
        let g_of = |taken: Taken<N>| (f - u64::from(taken.h)) as Cost;
        let mut is_new = [false; MANY_AT_A_TIME];
        let is_new = &mut is_new[..due];
        if R::REOPENS && route.reopens() {
            is_new
                .iter_mut()
                .zip(queue.each())
                .for_each(|(is_new, taken)| *is_new = route.close(taken.key, g_of(taken)));
        } else {
            closed.insert_several::<S>(&queue.keys()[..due], is_new);
        }
        let mut goal = None;
        round.expanded = 0;
        round.states.clear();
        round.states.fill(due, Taken { key: Key::default(), h: 0 }, |states| {
            for (taken, &is_new) in queue.each().zip(&*is_new) {
                let may_be_goal = (taken.h == 0 || !zero_at_goals) && is_new && space.is_goal(&taken.key.state(space));
                if may_be_goal && route.ends_at_goal() {
                    goal = goal.or(Some((taken.key, g_of(taken))));
                } else {
                    states.put_if(taken, is_new);
                }
            }
        });
        queue.drop_first(due);
        goal
    }

    /// Expands up to `most` states of the round.
    #[inline]
    fn expand_some(&mut self, most: u64) -> Result<(), Full> {
        let Round { states, expanded, .. } = &mut self.round;
        let left = states.items().len() - *expanded;
        let some = *expanded..*expanded + most.min(left as u64) as usize;
        *expanded = some.end;
        self.stats.expanded += some.len() as u64;
        let states = &states.items()[some.clone()];
        if let Some(last) = states.last() {
            self.last = Some((last.key, (self.open.f() - u64::from(last.h)) as Cost));
        }
        if S::SUCCESSORS_BY_KEY {
            self.list_successors(some);
            // In a plain table another lookup costs less than the filter.
            if !(S::DENSE_KEYS && self.closed.is_plain()) {
                self.drop_duplicates();
            }
            self.open_found()
        } else {
            self.list_moves(some);
            self.open_listed()
        }
    }

    /// Lists the moves of some states. The move back is counted but not listed: the parent is closed.
    #[inline]
    fn list_moves(&mut self, some: Range<usize>) {
        let (space, heuristic) = (self.space, self.heuristic);
        let h_is_exact = !(R::REOPENS && self.route.reopens());
        let Round { states, unpacked_parents, listed, least, .. } = &mut self.round;
        let states = &states.items()[some];
        let mut generated = 0;
        *least = u32::MAX;
        unpacked_parents.clear();
        listed.clear();
        listed.fill(states.len() * S::MAX_VISITS, ListedMove::default(), |listed| {
            for (from, &Taken { key, h }) in states.iter().enumerate() {
                let state = key.state(space);
                generated += space.each_move(&state, key.came_by(space), |m, is_move| {
                    listed.put_if(ListedMove { from: from as u32, code: space.code(m) }, is_move);
                });
                *least = h.min(*least);
                unpacked_parents.push(Parent { eval: eval(space, heuristic, &state, h, h_is_exact), state, h });
            }
        });
        self.stats.generated += u64::from(generated);
    }

    /// Applies the listed moves and opens the successors.
    #[inline]
    fn open_listed(&mut self) -> Result<(), Full> {
        let (mut opener, round) = self.opener();
        let listed = round.listed.items();
        let part = opener.part(listed.len());
        for some in listed.chunks(part) {
            opener.prefetch_lines();
            for &ListedMove { from, code } in some {
                let (m, Parent { state, eval, h }) =
                    (opener.space.move_of_code(code), &round.unpacked_parents[from as usize]);
                debug_assert_eq!(opener.space.cost(state, m), 1, "a space with keys has moves that cost 1");
                let mut after = state.clone();
                opener.space.apply(&mut after, m);
                opener.open(*h, *eval, m, Key::after(opener.space, &after, m), &after)?;
            }
        }
        opener.count(listed.len());
        Ok(())
    }

    /// Lists the keys of the successors of some states.
    #[inline]
    fn list_successors(&mut self, some: Range<usize>) {
        let (space, heuristic) = (self.space, self.heuristic);
        let h_is_exact = !(R::REOPENS && self.route.reopens());
        let Round { states, parents, found, least, .. } = &mut self.round;
        let states = &states.items()[some];
        *least = u32::MAX;
        parents.clear();
        for &Taken { key, h } in states {
            *least = h.min(*least);
            let eval = eval(space, heuristic, &key.state(space), h, h_is_exact);
            parents.push(Parent { state: (), eval, h });
        }
        found.clear();
        // Moves back and transpositions are counted but not listed: their successors are closed, or generated by
        // another path.
        found.fill(states.len() * S::MAX_VISITS, Successor::default(), |found| {
            let find = |from: usize, m: S::Move, words: [u64; 2], is_move: bool| {
                found.put_if(Successor { key: Key::reached_by(space, words, m), from: from as u32 }, is_move);
            };
            let reached = |at: usize| (states[at].key.words::<S>(), states[at].key.came_by(space));
            self.stats.generated += space.each_successor_of_many(states.len(), reached, find);
        });
    }

    /// Removes recently opened states from the successors.
    #[inline]
    fn drop_duplicates(&mut self) {
        let f = self.open.f();
        let Round { parents, found, filter, .. } = &mut self.round;
        found.retain(|&Successor { key, from }| {
            filter.is_new(key, (f + 1 - u64::from(parents[from as usize].h)) as Cost)
        });
    }

    /// Opens the successors.
    #[inline]
    fn open_found(&mut self) -> Result<(), Full> {
        let (mut opener, round) = self.opener();
        let found = round.found.items();
        let part = opener.part(found.len());
        for some in found.chunks(part) {
            opener.prefetch_lines();
            for &Successor { key, from } in some {
                let m = key.came_by(opener.space).expect("a move led to every successor");
                let Parent { eval, h, .. } = &round.parents[from as usize];
                opener.open(*h, *eval, m, key, &key.state(opener.space))?;
            }
        }
        opener.count(found.len());
        Ok(())
    }

    /// The opener of successors, and the round.
    #[inline]
    fn opener(&mut self) -> (Opener<'_, S, H, N, R>, &Round<S, H::Eval, N>) {
        let most_bytes = self.limit.saturating_sub(self.closed.bytes());
        let f = self.open.f();
        let PackedAstar { space, heuristic, open, route, dead_ends, round, queue, closed, .. } = self;
        // An estimate falls by at most 1.
        let opening = open.opening(round.least.saturating_sub(1), most_bytes);
        let keys = if is_far_away(closed) { queue.keys() } else { &[] };
        (Opener { space, heuristic, opening, route, dead_ends, f, not_opened: 0, closed, keys }, round)
    }
}

/// Whether the table is so large that prefetching pays.
#[inline]
fn is_far_away<const N: usize>(closed: &Closed<N>) -> bool {
    closed.bytes() >= FAR_AWAY && closed.len() >= SMALL
}

/// The evaluation of a state that was taken off the open list. Its `h` there is the estimate, unless that was capped to
/// [`MOST_H`], or raised to the estimate of a parent (pathmax).
#[inline]
fn eval<S: Keyed, H: Heuristic<S>>(space: &S, heuristic: &H, state: &S::State, h: u32, h_is_exact: bool) -> H::Eval {
    if heuristic.scale() == 1 && h < MOST_H && h_is_exact {
        heuristic.eval_from_h(space, state, h)
    } else {
        heuristic.evaluate(space, state)
    }
}

/// Estimates successors and puts them onto the open list, or sends them to their owners.
struct Opener<'a, S: Keyed, H: Heuristic<S>, const N: usize, R> {
    space: &'a S,
    heuristic: &'a H,
    opening: Opening<'a, Key<N>>,
    route: &'a mut R,
    dead_ends: &'a mut bool,
    /// The `f` of their parents.
    f: u64,
    /// The number of successors that did not go onto the open list.
    not_opened: usize,
    closed: &'a Closed<N>,
    /// The keys of the next round whose lines were not prefetched yet.
    keys: &'a [Key<N>],
}

impl<S: Keyed, H: Heuristic<S>, const N: usize, R: Route<S, N>> Opener<'_, S, H, N, R> {
    /// The number of successors to open between two prefetches.
    fn part(&self, states: usize) -> usize {
        states.div_ceil(self.keys.len().div_ceil(PREFETCHED_TOGETHER).max(1)).max(1)
    }

    /// Prefetches a few of the lines that the next round needs.
    #[inline]
    fn prefetch_lines(&mut self) {
        let (now, later) = self.keys.split_at(PREFETCHED_TOGETHER.min(self.keys.len()));
        for &key in now {
            self.closed.prefetch(self.closed.line_of::<S>(key));
        }
        self.keys = later;
    }

    /// Opens a successor, given the estimate and evaluation of its parent.
    #[inline(always)]
    fn open(&mut self, h_before: u32, before: H::Eval, m: S::Move, key: Key<N>, state: &S::State) -> Result<(), Full> {
        let estimate = self.heuristic.estimate(self.heuristic.advance(self.space, before, state, m));
        let Some(h) = estimate.rounded_up(self.heuristic.scale()) else {
            *self.dead_ends = true;
            self.not_opened += 1;
            return Ok(());
        };
        debug_assert!(
            R::REOPENS && self.route.reopens() || h + 1 >= h_before.min(MOST_H),
            "a consistent heuristic falls by at most 1"
        );
        // Pathmax: `f` never falls along a path.
        let h = h.min(MOST_H).max(h_before.saturating_sub(1));
        let f = self.f + 1 + u64::from(h) - u64::from(h_before);
        if self.route.send(self.space, state, key, f, h) {
            self.not_opened += 1;
            return Ok(());
        }
        self.opening.push(f, h, key)
    }

    /// Updates the length of the open list after all `states` successors were handled.
    #[inline]
    fn count(&mut self, states: usize) {
        self.opening.count(states - self.not_opened);
    }
}
