//! Many boards at a time, for sums over tables.
//!
//! A look into a table of hundreds of megabytes takes as long as a hundred instructions. So all looks that a chunk of
//! boards needs are asked for first and made afterwards; and what one view cuts off needs no look in the other.
//! Which boards these are does not matter, so the last of a stack are taken, and few are ever held.

use std::sync::Arc;

use admissible::memory::prefetch;
use admissible::pruning::Pruning;
use admissible::search::{Dive, Dived, Tally, Top};

use super::super::board::{Board, MOST_CELLS, Tiles, Word};
use super::super::dive::{Kind, Marks, NoMarks};
use super::heuristic::{PatternSums, Sums};
use super::key::Key;
use super::table::Lookup;

/// Boards to take from a pile at once: their looks should all be under way together, and stay in the cache until made.
const CHUNK: usize = 64;

/// A board with what the tables say of it, what the bound leaves for the rest of the path, and the mark of the machine.
#[derive(Debug, Clone, Copy)]
struct Item<W, const GROUPS: usize, K, M> {
    board: W,
    sums: Sums<GROUPS, K>,
    room: u8,
    mark: M,
    /// The cell of the gap and the move that led there.
    kind: u8,
    /// The estimates of the two views.
    estimates: [u8; 2],
}

impl<W, const GROUPS: usize, K, M> Item<W, GROUPS, K, M> {
    /// The view that is likelier to cut off a successor.
    #[inline]
    fn first_view(&self) -> usize {
        usize::from(self.estimates[1] > self.estimates[0])
    }
}

/// A successor that is not decided yet.
#[derive(Debug, Clone, Copy)]
struct Pending<K, M> {
    /// Its parent in the chunk.
    item: u8,
    kind: u8,
    tile: u8,
    mark: M,
    /// The value in the view that is looked into first, once that is known.
    value: u8,
    /// The keys of the moved tile's groups in both views.
    keys: [K; 2],
    /// The place of the next look.
    place: usize,
}

struct Sinking<'a, W: Word, const GROUPS: usize, K: Key, M: Marks> {
    heuristic: &'a PatternSums<GROUPS, K>,
    marks: M,
    goal: Board<W>,
    kinds: Vec<Kind<()>>,
    /// By view and tile: the table of the tile's group, and its bytes.
    tables: [[(&'a Lookup, &'a [u8]); MOST_CELLS]; 2],
    stack: Vec<Item<W, GROUPS, K, M::Mark>>,
    chunk: Vec<Item<W, GROUPS, K, M::Mark>>,
    pending: Vec<Pending<K, M::Mark>>,
    tally: Tally,
}

/// A dive by sums over tables, with a machine or without.
pub(super) fn new<'a, W: Word, const GROUPS: usize, K: Key>(
    space: &'a Tiles<W>,
    heuristic: &'a PatternSums<GROUPS, K>,
    pruning: Option<Arc<Pruning>>,
) -> Box<dyn Dive<Tiles<W>, Sums<GROUPS, K>> + 'a> {
    match pruning {
        None => Box::new(Sinking::new(space, heuristic, NoMarks)),
        Some(machine) => Box::new(Sinking::new(space, heuristic, machine)),
    }
}

impl<'a, W: Word, const GROUPS: usize, K: Key, M: Marks> Sinking<'a, W, GROUPS, K, M> {
    fn new(space: &Tiles<W>, heuristic: &'a PatternSums<GROUPS, K>, marks: M) -> Self {
        Sinking {
            heuristic,
            marks,
            goal: space.goal,
            kinds: space.kinds(|_, _| ()),
            tables: [0, 1].map(|view| {
                let view = heuristic.views.get(view).unwrap_or(&heuristic.views[0]);
                std::array::from_fn(|tile| {
                    let lookup = &heuristic.lookups[usize::from(view.tables[view.group_of(tile as u8)])];
                    (lookup, lookup.bytes())
                })
            }),
            stack: Vec::new(),
            chunk: Vec::with_capacity(CHUNK),
            pending: Vec::with_capacity(3 * CHUNK),
            tally: Tally::default(),
        }
    }

    /// Expands the boards of the chunk; true if there is a goal among their successors.
    fn expand(&mut self) -> bool {
        self.tally.expanded += self.chunk.len() as u64;
        self.look_ahead();
        self.tally.generated += self.pending.len() as u64;
        self.cut_by_one_view();
        self.keep_the_rest()
    }

    /// Asks for the values of the successors in the view that is likelier to cut them off.
    fn look_ahead(&mut self) {
        self.pending.clear();
        let marks = self.marks.table();
        self.chunk.iter().for_each(|item| M::expect(marks, item.mark));
        for (at, item) in self.chunk.iter().enumerate() {
            let first = item.first_view();
            let view = &self.heuristic.views[first];
            for way in &self.kinds[usize::from(item.kind)].ways {
                let (mark, may) = M::next(marks, item.mark, way.direction as usize);
                if !may {
                    continue;
                }
                let tile = item.board.get(way.from);
                let group = view.group_of(tile);
                let key = view.key_after(view.step(way.pile), item.board, tile, group, item.sums.keys[first][group]);
                let place = self.look_for(first, tile, key);
                let kind = way.pile as u8;
                // The key of the other view comes later.
                self.pending.push(Pending { item: at as u8, kind, tile, mark, value: 0, keys: [key; 2], place });
            }
        }
    }

    /// The place of a value, which is asked for.
    #[inline]
    fn look_for(&self, view: usize, tile: u8, key: K) -> usize {
        let (lookup, bytes) = self.tables[view][usize::from(tile) % MOST_CELLS];
        let place = lookup.place(key.bits());
        prefetch(bytes, place);
        place
    }

    /// The value in a place that was asked for.
    #[inline]
    fn look(&self, view: usize, tile: u8, place: usize) -> u8 {
        self.tables[view][usize::from(tile) % MOST_CELLS].1[place]
    }

    /// Makes those looks, and asks for the values in the other view of what is left.
    fn cut_by_one_view(&mut self) {
        let views = &self.heuristic.views;
        let mut kept = 0;
        for at in 0..self.pending.len() {
            let mut next = self.pending[at];
            let item = &self.chunk[usize::from(next.item)];
            let first = item.first_view();
            next.value = self.look(first, next.tile, next.place);
            let before = item.sums.values[first][views[first].group_of(next.tile)];
            let estimate = u16::from(item.estimates[first]) + u16::from(next.value) - u16::from(before);
            let excess = (estimate + 1).saturating_sub(item.room.into());
            // Where the excess would be the least so far the other view has a say in it.
            if excess > 0 && u64::from(excess) >= self.tally.least_excess {
                continue;
            }
            if let [_, _] = &views[..] {
                let second = 1 - first;
                let view = &views[second];
                let group = view.group_of(next.tile);
                let step = view.step(next.kind.into());
                let key = item.sums.keys[second][group];
                next.keys[second] = view.key_after(step, item.board, next.tile, group, key);
                next.place = self.look_for(second, next.tile, next.keys[second]);
            }
            self.pending[kept] = next;
            kept += 1;
        }
        self.pending.truncate(kept);
    }

    /// Makes the looks in the other view, and puts the successors that are within the bound on the stack.
    fn keep_the_rest(&mut self) -> bool {
        let mut goal = false;
        for at in 0..self.pending.len() {
            let next = &self.pending[at];
            let item = &self.chunk[usize::from(next.item)];
            let mut after = Item { room: item.room - 1, mark: next.mark, kind: next.kind, ..*item };
            let (first, mut needed) = (item.first_view(), 0);
            for (at, view) in self.heuristic.views.iter().enumerate() {
                let group = view.group_of(next.tile);
                let value = if at == first { next.value } else { self.look(at, next.tile, next.place) };
                let before = std::mem::replace(&mut after.sums.values[at][group], value);
                after.sums.keys[at][group] = next.keys[at];
                let estimate = u16::from(item.estimates[at]) + u16::from(value) - u16::from(before);
                after.estimates[at] = estimate as u8;
                needed = estimate.max(needed);
            }
            if needed > u16::from(after.room) {
                self.tally.least_excess = self.tally.least_excess.min(u64::from(needed - u16::from(after.room)));
                continue;
            }
            let (gap, from) = (self.kinds[usize::from(item.kind)].gap, self.kinds[usize::from(next.kind)].gap);
            after.board = item.board.slide(next.tile, from, gap);
            goal |= after.board == self.goal.tiles;
            self.stack.push(after);
        }
        goal
    }
}

impl<W: Word, const GROUPS: usize, K: Key, M: Marks> Dive<Tiles<W>, Sums<GROUPS, K>> for Sinking<'_, W, GROUPS, K, M> {
    fn begin(&mut self, top: Top<'_, Tiles<W>, Sums<GROUPS, K>>) -> bool {
        let estimates = [top.eval.sum(0), top.eval.sum(1)].map(u8::try_from);
        // A board of room 0 would be the goal.
        let (Ok(room @ 1..), [Ok(first), Ok(second)]) = (u8::try_from(top.room), estimates) else { return false };
        self.tally = Tally::default();
        let kind = top.state.gap().with(top.came_by.direction()) as u8;
        self.stack.clear();
        let (board, mark, estimates) = (top.state.tiles, M::first(top.mark), [first, second]);
        self.stack.push(Item { board, sums: top.eval, room, mark, kind, estimates });
        true
    }

    fn advance(&mut self, expansions: u64) -> Dived {
        let mut left = expansions;
        while left > 0 {
            if self.stack.is_empty() {
                return Dived::Through;
            }
            let rest = self.stack.len().saturating_sub(CHUNK.min(left as usize));
            self.chunk.clear();
            self.chunk.extend(self.stack.drain(rest..));
            left -= self.chunk.len() as u64;
            if self.expand() {
                return Dived::Goal;
            }
        }
        Dived::Partly
    }

    fn tally(&self) -> Tally {
        self.tally
    }
}
