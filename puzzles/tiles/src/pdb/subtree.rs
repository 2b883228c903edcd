//! A subtree search by sums over tables: one board after the other, in place.
//!
//! A move changes one group in each view, so that a step down and back up touches a few bytes. The looks that the
//! successors of a board need are all asked for before the first is made; and what one view cuts off needs no look in
//! the other.

use std::sync::Arc;

use admissible::Cost;
use admissible::memory::prefetch;
use admissible::pruning::{MAX_MOVES, MoveAutomaton};
use admissible::search::subtree::{SubtreeProgress, SubtreeSearch, Tally, Top};

use super::super::board::{MOST_CELLS, Tiles};
use super::super::subtree::{Guide, Marks, NoMarks};
use super::super::word::{Cell, Word};
use super::heuristic::{PatternSums, Sums, View};
use super::key::Key;
use super::regions::GapRegions;
use super::table::{has_late_regions, is_late, least_detours};
use admissible_front::grid::Direction;

/// The groups of both views have this many slots, so that an index needs a mask and no comparison.
const SLOTS: usize = 32;

/// What is known of a group of tiles: the key in the lower bits, and above them the detours.
#[derive(Debug, Clone, Copy, Default)]
struct Known(u64);

impl Known {
    /// No table has a key of more bits.
    const KEY_BITS: u32 = 56;

    #[inline(always)]
    fn new(key: u64, detours: u8) -> Self {
        debug_assert!(key >> Self::KEY_BITS == 0, "a key leaves room for the detours");
        Known(key | u64::from(detours) << Self::KEY_BITS)
    }

    /// The key after a change.
    #[inline(always)]
    fn key_plus(self, change: u64) -> u64 {
        self.0.wrapping_add(change) & ((1 << Self::KEY_BITS) - 1)
    }

    #[inline(always)]
    fn detours(self) -> i32 {
        (self.0 >> Self::KEY_BITS) as i32
    }
}

/// A board on the way down. It is handed from function to function in a register.
#[derive(Debug, Clone, Copy)]
struct Here<M> {
    mark: M,
    /// The moves that are still to be tried, a bit each.
    todo: u8,
    gap: u8,
    /// What the bound leaves for the rest of the path.
    room: u16,
    /// The detours that are left within it, in the view where these are fewer and in the other.
    left: [i8; 2],
}

/// A step on the way down.
#[derive(Debug, Clone, Copy)]
struct Step<M> {
    here: Here<M>,
    /// Whether fewer detours are left in the second view.
    second_first: bool,
    letter: usize,
    before: Before,
}

/// What is put back on the way up: the tile that moved, and what was known of its group in the first view and in the
/// other.
#[derive(Debug, Clone, Copy)]
struct Before {
    tile: u8,
    known: [Known; 2],
}

/// What is to be known of the tiles in a view.
struct Members<'a> {
    /// By tile: the slot of its group, and the bytes of its table.
    slots: [u8; MOST_CELLS],
    tables: [&'a [u8]; MOST_CELLS],
    /// By the way that a tile goes, and by tile: what is added to the key of its group.
    changes: [[u64; MOST_CELLS]; MAX_MOVES],
}

impl<'a> Members<'a> {
    #[inline(always)]
    fn slot(&self, tile: u8) -> usize {
        usize::from(self.slots[usize::from(tile) % MOST_CELLS]) % SLOTS
    }

    #[inline(always)]
    fn table(&self, tile: u8) -> &'a [u8] {
        self.tables[usize::from(tile) % MOST_CELLS]
    }
}

/// `ORDERED` is whether some groups have an order, so that what a move adds to a key depends on where the tile is.
struct Sinking<'a, W: Word, const GROUPS: usize, const ORDERED: bool, K: Key, M: Marks> {
    space: &'a Tiles<W>,
    heuristic: &'a PatternSums<GROUPS, K>,
    marks: M,
    /// By the cell that a tile comes from and the way that it goes: the tiles that come farther from home, a bit each.
    farther: [u64; 4 * MOST_CELLS],
    /// By the cell of the gap and the move that led there: the moves but the way back, a bit each.
    onward: [u8; 4 * MOST_CELLS],
    /// By the way that a tile goes: where it comes from, seen from the gap.
    offsets: [u8; MAX_MOVES],
    /// By view.
    members: [Members<'a>; 2],
    /// By slot: the regions of the gap, and by cell the cell that the table knows.
    regions: [Option<&'a GapRegions>; SLOTS],
    seen: [[u8; MOST_CELLS]; SLOTS],
    has_two_views: bool,
    goal: [u8; MOST_CELLS],
    goal_gap: u8,
    /// The board, and what is known of every group.
    board: [u8; MOST_CELLS],
    known: [Known; SLOTS],
    /// Where it goes on after a pause: at a board that is not expanded yet, and whether fewer detours are left there in
    /// the second view; and then with those above it.
    arrived: Option<(Here<M::Mark>, bool)>,
    above: Vec<Step<M::Mark>>,
    /// Expansions until the next pause.
    expansions: u64,
    /// What the bound leaves beyond whole detours: 0 or 1.
    odd: u8,
    /// How many detours beyond the bound are let pass, until it is known by how much a path exceeds the bound at the
    /// least.
    leeway: i32,
    /// The room at the farthest board.
    least_room: u16,
    tally: Tally,
}

/// A subtree search by sums over tables, with a machine or without.
pub(super) fn new<'a, W: Word, const GROUPS: usize, K: Key>(
    space: &'a Tiles<W>,
    heuristic: &'a PatternSums<GROUPS, K>,
    pruning: Option<Arc<MoveAutomaton>>,
) -> Box<dyn SubtreeSearch<Tiles<W>, Sums<GROUPS, K>> + 'a> {
    fn with<'a, W: Word, const GROUPS: usize, K: Key, M: Marks + 'a>(
        space: &'a Tiles<W>,
        heuristic: &'a PatternSums<GROUPS, K>,
        marks: M,
    ) -> Box<dyn SubtreeSearch<Tiles<W>, Sums<GROUPS, K>> + 'a> {
        if heuristic.views.iter().any(View::has_order) {
            Box::new(Sinking::<W, GROUPS, true, K, M>::new(space, heuristic, marks))
        } else {
            Box::new(Sinking::<W, GROUPS, false, K, M>::new(space, heuristic, marks))
        }
    }
    match pruning {
        None => with(space, heuristic, NoMarks),
        Some(machine) => with(space, heuristic, machine),
    }
}

/// The tiles of a board by cell.
fn cells_of<W: Word>(space: &Tiles<W>, tiles: W) -> [u8; MOST_CELLS] {
    std::array::from_fn(|cell| if cell < space.cells() { tiles.get(Cell::new(cell)) } else { 0 })
}

impl<'a, W: Word, const GROUPS: usize, const ORDERED: bool, K: Key, M: Marks> Sinking<'a, W, GROUPS, ORDERED, K, M> {
    fn new(space: &'a Tiles<W>, heuristic: &'a PatternSums<GROUPS, K>, marks: M) -> Self {
        const { assert!(2 * GROUPS <= SLOTS) };
        let views = [0, 1].map(|view| heuristic.views.get(view).unwrap_or(&heuristic.views[0]));
        let mut farther = [0; 4 * MOST_CELLS];
        let mut onward = [0; 4 * MOST_CELLS];
        let kinds = space.kinds(|from, slide| Guide::<W>::step(&heuristic.distances, from, slide));
        for (at, way) in kinds.iter().enumerate().flat_map(|(at, kind)| kind.ways.iter().map(move |way| (at, way))) {
            farther[way.pile] = way.step;
            onward[at] |= 1 << way.direction as u8;
        }
        let slot = |view: usize, tile: usize| (view * GROUPS + views[view].group_of(tile as u8)) as u8;
        let (mut regions, mut seen) = ([None; SLOTS], [[0; MOST_CELLS]; SLOTS]);
        for (view, tile) in (0..2).flat_map(|view| (0..MOST_CELLS).map(move |tile| (view, tile))) {
            let (group, slot) = (views[view].group_of(tile as u8), usize::from(slot(view, tile)));
            regions[slot] = heuristic.lookups[usize::from(views[view].tables[group])].regions();
            for (cell, there) in seen[slot].iter_mut().enumerate().take(space.cells()) {
                *there = views[view].seen(group, Cell::new(cell)) as u8;
            }
        }
        Sinking {
            space,
            heuristic,
            marks,
            farther,
            onward,
            offsets: Direction::ALL.map(|direction| {
                let (down, right) = direction.step();
                (-down * space.columns as isize - right) as u8
            }),
            members: [0, 1].map(|view| Members {
                slots: std::array::from_fn(|tile| slot(view, tile)),
                tables: std::array::from_fn(|tile| {
                    let table = views[view].tables[views[view].group_of(tile as u8)];
                    heuristic.lookups[usize::from(table)].bytes()
                }),
                changes: views[view].changes(),
            }),
            regions,
            seen,
            has_two_views: heuristic.views.len() == 2,
            goal: cells_of(space, space.goal.tiles),
            goal_gap: space.goal.gap().number() as u8,
            board: [0; MOST_CELLS],
            known: [Known::default(); SLOTS],
            arrived: None,
            above: Vec::new(),
            expansions: 0,
            odd: 0,
            leeway: 0,
            least_room: u16::MAX,
            tally: Tally::default(),
        }
    }

    #[inline(always)]
    fn tile(&self, cell: u8) -> u8 {
        self.board[usize::from(cell) % MOST_CELLS]
    }

    /// Where a tile comes from that goes into the gap that way.
    #[inline(always)]
    fn origin(&self, gap: u8, letter: usize) -> u8 {
        gap.wrapping_add(self.offsets[letter % MAX_MOVES])
    }

    /// The moves that may be made with the gap in a cell, after a move and with the mark that it led to, a bit each.
    #[inline(always)]
    fn onward(&self, gap: u8, last: usize, mark: M::Mark) -> u8 {
        let onward = self.onward[usize::from(gap) % MOST_CELLS * 4 + last % MAX_MOVES];
        M::allowed(self.marks.table(), mark, onward)
    }

    /// The key of a tile's group in a view after a move, and the place of the entry, which is asked for.
    #[inline(always)]
    fn look_for(&self, view: usize, letter: usize, from: u8, tile: u8) -> (u64, usize) {
        let members = &self.members[view];
        let known = self.known[members.slot(tile)];
        let (key, place) = if ORDERED {
            self.place_in_order(view, letter, from, tile, known.key_plus(0))
        } else {
            let key = known.key_plus(members.changes[letter % MAX_MOVES][usize::from(tile) % MOST_CELLS]);
            (key, key as usize)
        };
        prefetch(members.table(tile), place);
        (key, place)
    }

    /// The same for groups of which one or more have an order.
    fn place_in_order(&self, view: usize, letter: usize, from: u8, tile: u8, key: u64) -> (u64, usize) {
        let view = &self.heuristic.views[view];
        let (group, board) = (view.group_of(tile), |cell: Cell| self.tile(cell.number() as u8));
        let step = view.step(usize::from(from) * 4 + letter);
        let key = view.key_after(step, board, tile, group, K::from_bits(key)).bits();
        (key, self.heuristic.lookups[usize::from(view.tables[group])].place(key))
    }

    /// Makes a look that was asked for: the detours of the moved tile's group, and how many are left within the bound,
    /// given how many were left before and what the move costs; `None` if that is too few for the successor to be of
    /// interest.
    #[inline(always)]
    fn look(&self, view: usize, tile: u8, from: u8, left: i32, key: u64, place: usize) -> Option<(u8, i32)> {
        let members = &self.members[view];
        let entry = members.table(tile)[place];
        let (slot, detours) = (members.slot(tile), least_detours(entry));
        let left = left + self.known[slot].detours() - i32::from(detours);
        if left + self.leeway < 0 {
            return None;
        }
        if !has_late_regions(entry) || !self.is_late(slot, from, key, entry) {
            return Some((detours, left));
        }
        (left + self.leeway > 0).then_some((detours + 1, left - 1))
    }

    /// Whether the gap is in a region that takes a detour more.
    #[inline(always)]
    fn is_late(&self, slot: usize, gap: u8, key: u64, entry: u8) -> bool {
        let gap = self.seen[slot][usize::from(gap) % MOST_CELLS];
        self.regions[slot].is_some_and(|regions| is_late(entry, regions.number(key, gap.into())))
    }

    /// Makes a move from a board, if it leads to one within the bound: what to put back, the board there, and whether
    /// fewer detours are left there in the other view. `key` and `place` are those of the moved tile's group in the
    /// first view, which were asked for.
    #[inline(always)]
    fn play<const SECOND_FIRST: bool>(
        &mut self,
        here: Here<M::Mark>,
        letter: usize,
        key: u64,
        place: usize,
    ) -> Option<(Before, Here<M::Mark>, bool)> {
        let (first, second) = (usize::from(SECOND_FIRST), usize::from(!SECOND_FIRST));
        let from = self.origin(here.gap, letter);
        let tile = self.tile(from);
        // A move away from home is half a detour, and the way back the other half.
        let farther = (self.farther[usize::from(from) % MOST_CELLS * 4 + letter % MAX_MOVES] >> tile & 1) as i32;
        let [left, other_left] = here.left.map(|left| i32::from(left) - farther);
        let (detours, left) = self.look(first, tile, from, left, key, place)?;
        let (other_key, (other_detours, other_left)) = if self.has_two_views {
            let (key, place) = self.look_for(second, letter, from, tile);
            (key, self.look(second, tile, from, other_left, key, place)?)
        } else {
            (0, (0, i32::from(i8::MAX)))
        };
        let least = left.min(other_left);
        if least < 0 {
            self.learn((-2 * least) as u64 - u64::from(self.odd));
            return None;
        }
        self.board[usize::from(from) % MOST_CELLS] = 0;
        self.board[usize::from(here.gap) % MOST_CELLS] = tile;
        let known = [
            self.know(first, tile, Known::new(key, detours)),
            self.know(second, tile, Known::new(other_key, other_detours)),
        ];
        let (mark, _) = M::next(self.marks.table(), here.mark, letter);
        let left_there = [least as i8, left.max(other_left) as i8];
        let todo = self.onward(from, letter, mark);
        let there = Here { mark, todo, gap: from, room: here.room - 1, left: left_there };
        Some((Before { tile, known }, there, other_left < left))
    }

    /// Notes what is known of a tile's group in a view, and says what was known before.
    #[inline(always)]
    fn know(&mut self, view: usize, tile: u8, known: Known) -> Known {
        std::mem::replace(&mut self.known[self.members[view].slot(tile)], known)
    }

    /// Takes back a move from a board.
    #[inline(always)]
    fn take_back(&mut self, first: usize, gap: u8, letter: usize, before: Before) {
        let from = self.origin(gap, letter);
        let Before { tile, known: [known, other_known] } = before;
        self.board[usize::from(from) % MOST_CELLS] = tile;
        self.board[usize::from(gap) % MOST_CELLS] = 0;
        self.know(first, tile, known);
        self.know(1 - first, tile, other_known);
    }

    /// Everything below a board, which is expanded: the looks of its successors in the first view are asked for first.
    fn below<const SECOND_FIRST: bool>(&mut self, mut here: Here<M::Mark>) -> SubtreeProgress {
        let first = usize::from(SECOND_FIRST);
        let (mut keys, mut places) = ([0; MAX_MOVES], [0; MAX_MOVES]);
        for letter in 0..MAX_MOVES {
            if here.todo >> letter & 1 == 1 {
                let from = self.origin(here.gap, letter);
                (keys[letter], places[letter]) = self.look_for(first, letter, from, self.tile(from));
            }
        }
        while here.todo != 0 {
            let letter = here.todo.trailing_zeros() as usize % MAX_MOVES;
            here.todo &= here.todo - 1;
            let place = if ORDERED { places[letter] } else { keys[letter] as usize };
            let Some((before, there, flipped)) = self.play::<SECOND_FIRST>(here, letter, keys[letter], place) else {
                continue;
            };
            if there.gap == self.goal_gap && self.board == self.goal {
                return SubtreeProgress::Goal;
            }
            let progress = self.expand(there, SECOND_FIRST ^ flipped);
            if progress != SubtreeProgress::Through {
                self.above.push(Step { here, second_first: SECOND_FIRST, letter, before });
                return progress;
            }
            self.take_back(first, here.gap, letter, before);
        }
        SubtreeProgress::Through
    }

    /// Expands a board, unless it is time to pause.
    #[inline(always)]
    fn expand(&mut self, here: Here<M::Mark>, second_first: bool) -> SubtreeProgress {
        if self.expansions == 0 {
            self.arrived = Some((here, second_first));
            return SubtreeProgress::Partly;
        }
        self.expansions -= 1;
        self.least_room = self.least_room.min(here.room);
        self.tally.generated += u64::from(here.todo.count_ones());
        if second_first { self.below::<true>(here) } else { self.below::<false>(here) }
    }

    /// Learns by how much a path exceeds the bound. Nothing can be less than one detour.
    #[cold]
    fn learn(&mut self, excess: u64) {
        self.tally.least_excess = self.tally.least_excess.min(excess);
        self.leeway = if excess <= 2 { 0 } else { self.leeway };
    }
}

impl<W: Word, const GROUPS: usize, const ORDERED: bool, K: Key, M: Marks> SubtreeSearch<Tiles<W>, Sums<GROUPS, K>>
    for Sinking<'_, W, GROUPS, ORDERED, K, M>
{
    fn begin(&mut self, top: Top<'_, Tiles<W>, Sums<GROUPS, K>>) -> bool {
        let beyond = top.room - u32::from(top.eval.distance);
        let (Ok(slack), Ok(room)) = (i8::try_from(beyond / 2), u16::try_from(top.room)) else { return false };
        self.tally = Tally::default();
        self.odd = (beyond % 2) as u8;
        self.leeway = i32::from(u8::MAX);
        self.least_room = u16::MAX;
        self.board = cells_of(self.space, top.state.tiles);
        for (slot, (key, &detours)) in top.eval.keys.iter().flatten().zip(top.eval.detours.iter().flatten()).enumerate()
        {
            self.known[slot] = Known::new(key.bits(), detours);
        }
        self.above.clear();
        let (gap, mark) = (top.state.gap().number() as u8, M::first(top.mark));
        let todo = self.onward(gap, top.came_by.direction() as usize, mark);
        let totals = [top.eval.total(0), top.eval.total(1)];
        let left = |total: u8| slack - total as i8;
        let left = [left(totals[0].max(totals[1])), left(totals[0].min(totals[1]))];
        self.arrived = Some((Here { mark, todo, gap, room, left }, totals[1] > totals[0]));
        true
    }

    fn advance(&mut self, expansions: u64) -> SubtreeProgress {
        self.expansions = expansions;
        let mut above = std::mem::take(&mut self.above).into_iter();
        let mut progress = self
            .arrived
            .take()
            .map_or(SubtreeProgress::Through, |(here, second_first)| self.expand(here, second_first));
        while progress == SubtreeProgress::Through
            && let Some(Step { here, second_first, letter, before }) = above.next()
        {
            self.take_back(second_first.into(), here.gap, letter, before);
            progress = if second_first { self.below::<true>(here) } else { self.below::<false>(here) };
        }
        self.above.extend(above);
        self.tally.expanded += expansions - self.expansions;
        progress
    }

    fn tally(&self) -> Tally {
        self.tally
    }

    fn least_room(&self) -> Option<Cost> {
        Some(self.least_room.into())
    }
}
