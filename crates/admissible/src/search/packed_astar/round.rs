//! Expansion in rounds of several states at a time.
//!
//! Whether a state is new, which moves it has and how many cannot be predicted, and a mispredicted branch costs about
//! as much as an expansion. So each step is taken for several states before the next one begins: they come off the open
//! list, the new ones are closed and put aside, the moves of all of these are listed, and the successors are estimated
//! and opened. The only branches left are those that hardly ever go the other way.
//!
//! The lines of the closed list that the next round looks at are prefetched bit by bit during this one: a processor
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

/// A round has one state for each `EXPANDED_FOR_EACH` states expanded so far, up to `MANY_AT_A_TIME`. So a small search on
/// one thread, which may end at any moment, expands its states one by one in the exact order.
const MANY_AT_A_TIME: usize = MOST_AT_ONCE;
const EXPANDED_FOR_EACH: u64 = 64;
/// How many entries are taken ahead of those, to have their lines arrive in time.
const AHEAD: usize = 64;
const _: () = assert!(MANY_AT_A_TIME + AHEAD <= prefetch_queue::MOST, "there is room for what is taken");
/// Taking entries ahead pays if the closed list has as many bytes, so that it is in no cache that is near, and the
/// search is not small; until then the order is exact, but for those few that are expanded together.
const FAR_AWAY: u64 = 4 << 20;
const SMALL: usize = 1 << 14;
/// So many lines are asked for together: then the processor looks for the pages of all of them at a time, and drops
/// none.
const ASKED_AT_ONCE: usize = 8;

/// A round under way.
pub(super) struct Round<S: Keyed, E, const N: usize> {
    /// The states that were just closed.
    states: Batch<Taken<N>>,
    /// How many of them have been expanded.
    expanded: usize,
    /// What is known of those that are expanded together: with the states where moves are played, and without them
    /// where keys are made from keys.
    players: Vec<Parent<S::State, E>>,
    parents: Vec<Parent<(), E>>,
    /// The least estimate of those.
    least: u32,
    /// Moves that are to be played.
    listed: Batch<Listed>,
    /// Where moves lead to.
    found: Batch<Found<N>>,
    filter: DuplicateFilter<N>,
}

/// What is known of a state that is expanded.
struct Parent<State, E> {
    state: State,
    eval: E,
    h: u32,
}

/// A move of one of the states that are expanded together.
#[derive(Debug, Clone, Copy, Default)]
struct Listed {
    /// The number of the state.
    from: u32,
    code: u32,
}

/// What a move leads to.
#[derive(Debug, Clone, Copy, Default)]
struct Found<const N: usize> {
    key: Key<N>,
    /// The number of the state that it comes from.
    from: u32,
}

impl<S: Keyed, E, const N: usize> Round<S, E, N> {
    /// None is under way.
    pub(super) fn none() -> Self {
        Round {
            states: Batch::default(),
            expanded: 0,
            players: Vec::new(),
            parents: Vec::new(),
            least: 0,
            listed: Batch::default(),
            found: Batch::default(),
            filter: DuplicateFilter::new(u64::MAX >> S::CODE_BITS),
        }
    }

    /// The states that are still to be expanded.
    #[inline]
    pub(super) fn left(&self) -> &[Taken<N>] {
        &self.states.items()[self.expanded..]
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.left().is_empty()
    }

    /// Has the round consist of these states.
    pub(super) fn consist_of(&mut self, states: impl Iterator<Item = Taken<N>>) {
        self.expanded = 0;
        self.states.clear();
        states.for_each(|taken| self.states.push(taken));
    }
}

impl<S: Keyed, H: Heuristic<S>, const N: usize, R: Route<S, N>> PackedAstar<'_, S, H, N, R> {
    /// Expands states of the present layer. However often it is interrupted, it does the same.
    pub(super) fn work(&mut self, expansions: u64) -> Pause<N> {
        let until = self.stats.expanded.saturating_add(expansions);
        while self.stats.expanded < until {
            if self.round.is_over()
                && let Err(pause) = self.begin_round()
            {
                return pause;
            }
            if self.expand_some(until - self.stats.expanded) == Err(Full) {
                self.open.count_anew();
                return Pause::Full;
            }
        }
        self.measure();
        Pause::Used
    }

    /// Takes entries ahead, looks at some, and puts those that are new aside.
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

    /// Closes so many of those that were taken ahead and puts those that are new aside. If there is a goal among them,
    /// that is not put aside but returned, if the search ends there.
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

    /// Expands up to so many of the states that were put aside.
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
            // In a plain table it costs less to look for a state once more.
            if !(S::DENSE_KEYS && self.closed.is_plain()) {
                self.drop_duplicates();
            }
            self.open_found()
        } else {
            self.list_moves(some);
            self.open_listed()
        }
    }

    /// Lists the moves of some states. The way back is counted, and not made: what it leads to is closed.
    #[inline]
    fn list_moves(&mut self, some: Range<usize>) {
        let (space, heuristic) = (self.space, self.heuristic);
        let h_is_exact = !(R::REOPENS && self.route.reopens());
        let Round { states, players, listed, least, .. } = &mut self.round;
        let states = &states.items()[some];
        let mut generated = 0;
        *least = u32::MAX;
        players.clear();
        listed.clear();
        listed.fill(states.len() * S::MAX_VISITS, Listed::default(), |listed| {
            for (from, &Taken { key, h }) in states.iter().enumerate() {
                let state = key.state(space);
                generated += space.each_move(&state, key.came_by(space), |m, is_move| {
                    listed.put_if(Listed { from: from as u32, code: space.code(m) }, is_move);
                });
                *least = h.min(*least);
                players.push(Parent { eval: eval(space, heuristic, &state, h, h_is_exact), state, h });
            }
        });
        self.stats.generated += u64::from(generated);
    }

    /// Makes the moves that were listed, and opens what they lead to.
    #[inline]
    fn open_listed(&mut self) -> Result<(), Full> {
        let (mut opener, round) = self.opener();
        let listed = round.listed.items();
        let part = opener.part(listed.len());
        for some in listed.chunks(part) {
            opener.ask_for_lines();
            for &Listed { from, code } in some {
                let (m, Parent { state, eval, h }) = (opener.space.move_of_code(code), &round.players[from as usize]);
                debug_assert_eq!(opener.space.cost(state, m), 1, "a space with keys has moves that cost 1");
                let mut after = state.clone();
                opener.space.apply(&mut after, m);
                opener.open(*h, *eval, m, Key::after(opener.space, &after, m), &after)?;
            }
        }
        opener.opened(listed.len());
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
        // The way back and transpositions are counted, and not taken: what they lead to is closed, or found
        // otherwise.
        found.fill(states.len() * S::MAX_VISITS, Found::default(), |found| {
            let find = |from: usize, m: S::Move, words: [u64; 2], is_move: bool| {
                found.put_if(Found { key: Key::reached_by(space, words, m), from: from as u32 }, is_move);
            };
            let reached = |at: usize| (states[at].key.words::<S>(), states[at].key.came_by(space));
            self.stats.generated += space.each_successor_of_many(states.len(), reached, find);
        });
    }

    /// Takes what was opened a moment ago out of what was found.
    #[inline]
    fn drop_duplicates(&mut self) {
        let f = self.open.f();
        let Round { parents, found, filter, .. } = &mut self.round;
        found.retain(|&Found { key, from }| filter.is_new(key, (f + 1 - u64::from(parents[from as usize].h)) as Cost));
    }

    /// Opens what was found.
    #[inline]
    fn open_found(&mut self) -> Result<(), Full> {
        let (mut opener, round) = self.opener();
        let found = round.found.items();
        let part = opener.part(found.len());
        for some in found.chunks(part) {
            opener.ask_for_lines();
            for &Found { key, from } in some {
                let m = key.came_by(opener.space).expect("a move led to it");
                let Parent { eval, h, .. } = &round.parents[from as usize];
                opener.open(*h, *eval, m, key, &key.state(opener.space))?;
            }
        }
        opener.opened(found.len());
        Ok(())
    }

    /// What opens the successors of the states that are expanded.
    #[inline]
    fn opener(&mut self) -> (Opener<'_, S, H, N, R>, &Round<S, H::Eval, N>) {
        let most_bytes = self.limit.saturating_sub(self.closed.bytes());
        let f = self.open.f();
        let PackedAstar { space, heuristic, open, route, dead_ends, round, queue, closed, .. } = self;
        // An estimate falls by 1 at the most.
        let opening = open.opening(round.least.saturating_sub(1), most_bytes);
        let keys = if is_far_away(closed) { queue.keys() } else { &[] };
        (Opener { space, heuristic, opening, route, dead_ends, f, elsewhere: 0, closed, keys }, round)
    }
}

/// Whether the lines of a table are asked for before they are needed.
#[inline]
fn is_far_away<const N: usize>(closed: &Closed<N>) -> bool {
    closed.bytes() >= FAR_AWAY && closed.len() >= SMALL
}

/// What a heuristic knows of a state that was taken off the open list. What is left of the layer's `f` is the estimate,
/// unless it was too large to be written down, or a parent had a larger one.
#[inline]
fn eval<S: Keyed, H: Heuristic<S>>(space: &S, heuristic: &H, state: &S::State, h: u32, h_is_exact: bool) -> H::Eval {
    if heuristic.scale() == 1 && h < MOST_H && h_is_exact {
        heuristic.eval_from_h(space, state, h)
    } else {
        heuristic.evaluate(space, state)
    }
}

/// Estimates states and puts them onto the open list, or hands them to whom they belong.
struct Opener<'a, S: Keyed, H: Heuristic<S>, const N: usize, R> {
    space: &'a S,
    heuristic: &'a H,
    opening: Opening<'a, Key<N>>,
    route: &'a mut R,
    dead_ends: &'a mut bool,
    /// That of the states that they come from.
    f: u64,
    /// How many did not go onto the open list.
    elsewhere: usize,
    closed: &'a Closed<N>,
    /// What the next round looks at in the closed list, and has not been asked for yet.
    keys: &'a [Key<N>],
}

impl<S: Keyed, H: Heuristic<S>, const N: usize, R: Route<S, N>> Opener<'_, S, H, N, R> {
    /// How many of these states are opened each time that lines are asked for.
    fn part(&self, states: usize) -> usize {
        states.div_ceil(self.keys.len().div_ceil(ASKED_AT_ONCE).max(1)).max(1)
    }

    /// Asks for some lines of those that the next round looks at.
    #[inline]
    fn ask_for_lines(&mut self) {
        let (now, later) = self.keys.split_at(ASKED_AT_ONCE.min(self.keys.len()));
        for &key in now {
            self.closed.prefetch(self.closed.line_of::<S>(key));
        }
        self.keys = later;
    }

    /// Opens what a move led to, given what is known of the state before it.
    #[inline(always)]
    fn open(&mut self, h_before: u32, before: H::Eval, m: S::Move, key: Key<N>, state: &S::State) -> Result<(), Full> {
        let estimate = self.heuristic.estimate(self.heuristic.advance(self.space, before, state, m));
        let Some(h) = estimate.rounded_up(self.heuristic.scale()) else {
            *self.dead_ends = true;
            self.elsewhere += 1;
            return Ok(());
        };
        debug_assert!(
            R::REOPENS && self.route.reopens() || h + 1 >= h_before.min(MOST_H),
            "a consistent heuristic falls by at most 1"
        );
        // Less than the estimate before leaves is no news: an `f` never falls along a path.
        let h = h.min(MOST_H).max(h_before.saturating_sub(1));
        let f = self.f + 1 + u64::from(h) - u64::from(h_before);
        if self.route.send(self.space, state, key, f, h) {
            self.elsewhere += 1;
            return Ok(());
        }
        self.opening.push(f, h, key)
    }

    /// Told how many were to be opened, when all of them have been.
    #[inline]
    fn opened(&mut self, states: usize) {
        self.opening.count(states - self.elsewhere);
    }
}
