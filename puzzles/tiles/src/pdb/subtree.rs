//! A depth-first subtree search with pattern databases, on one board in place.
//!
//! A move changes one group in each view, so applying and undoing it touches a few bytes. An expansion prefetches the
//! entries of all successors before it reads the first one. A successor that one view prunes needs no lookup in the
//! other.

use std::sync::Arc;

use admissible::Cost;
use admissible::memory::prefetch;
use admissible::pruning::{MAX_MOVES, MoveAutomaton};
use admissible::search::subtree::{SubtreeProgress, SubtreeSearch, Tally, Top};

use super::heuristic::{PatternSums, Sums, View};
use super::key::Key;
use super::regions::GapRegions;
use super::table::{has_late_regions, is_late, least_detours};
use crate::board::{PADDED_CELLS, Tiles};
use crate::heuristics::{NoPruning, PathPruning, UnitChange};
use crate::word::{Cell, Word};
use admissible_front::grid::Direction;

/// The number of slots for the groups of both views: a power of two, so that an index needs a mask and no bounds check.
const SLOTS: usize = 32;

/// The key of a group in the lower bits, and above them its detours.
#[derive(Debug, Clone, Copy, Default)]
struct GroupState(u64);

impl GroupState {
    /// The most bits of a key.
    const KEY_BITS: u32 = 56;

    #[inline(always)]
    fn new(key: u64, detours: u8) -> Self {
        debug_assert!(key >> Self::KEY_BITS == 0, "a key leaves room for the detours");
        GroupState(key | u64::from(detours) << Self::KEY_BITS)
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

/// A node of the search tree. It is passed in a register.
#[derive(Debug, Clone, Copy)]
struct Node<M> {
    mark: M,
    /// The moves not yet tried, a bit each.
    todo: u8,
    gap: u8,
    /// The moves left within the bound.
    room: u16,
    /// The detours left within the bound, in the view with fewer left and in the other.
    left: [i8; 2],
}

/// A frame of the stack: a node, and the move that the search made from it.
#[derive(Debug, Clone, Copy)]
struct Frame<M> {
    node: Node<M>,
    /// Whether the second view has fewer detours left.
    second_first: bool,
    move_index: usize,
    undo: Undo,
}

/// The data to undo a move: the tile, and the state of its group before the move in the first view and in the other.
#[derive(Debug, Clone, Copy)]
struct Undo {
    tile: u8,
    groups: [GroupState; 2],
}

/// The tables of a view.
struct ViewTables<'a> {
    /// By tile: the slot of its group.
    slots: [u8; PADDED_CELLS],
    /// By tile: the bytes of its group's table.
    tables: [&'a [u8]; PADDED_CELLS],
    /// By direction and tile: the summand of the key of the tile's group.
    summands: [[u64; PADDED_CELLS]; MAX_MOVES],
}

impl<'a> ViewTables<'a> {
    #[inline(always)]
    fn slot(&self, tile: u8) -> usize {
        usize::from(self.slots[usize::from(tile) % PADDED_CELLS]) % SLOTS
    }

    #[inline(always)]
    fn table(&self, tile: u8) -> &'a [u8] {
        self.tables[usize::from(tile) % PADDED_CELLS]
    }
}

/// What a search never changes. It does not depend on the pruning, so it is compiled once for all.
struct Fixed<'a> {
    /// By origin and direction of a tile: the tiles whose Manhattan distance grows, a bit each.
    farther: [u64; 4 * PADDED_CELLS],
    /// By cell of the gap and last move: the moves without its inverse, a bit each.
    moves_without_inverse: [u8; 4 * PADDED_CELLS],
    /// By direction of a tile: its offset from the gap.
    offsets: [u8; MAX_MOVES],
    /// By view.
    views: [ViewTables<'a>; 2],
    /// By slot: the regions of the gap.
    regions: [Option<&'a GapRegions>; SLOTS],
    /// By slot and cell of the board: the cell of the table's pattern.
    table_cells: [[u8; PADDED_CELLS]; SLOTS],
    has_two_views: bool,
    goal: [u8; PADDED_CELLS],
    goal_gap: u8,
}

/// The search. `ORDERED` is set if the key of some group depends on the order of its tiles.
struct DepthFirst<'a, W: Word, const GROUPS: usize, const ORDERED: bool, K: Key, P: PathPruning> {
    space: &'a Tiles<W>,
    heuristic: &'a PatternSums<GROUPS, K>,
    pruning: P,
    fixed: Fixed<'a>,
    board: [u8; PADDED_CELLS],
    groups: [GroupState; SLOTS],
    /// After a pause: the node to expand next, and whether the second view has fewer detours left.
    pending: Option<(Node<P::Mark>, bool)>,
    /// After a pause: the frames above the pending node, the deepest first.
    stack: Vec<Frame<P::Mark>>,
    /// Expansions until the next pause.
    expansions: u64,
    /// The bound minus the Manhattan distance, modulo 2.
    odd: u8,
    /// The detours beyond the bound that lookups let pass, to find the least excess of a path over the bound.
    leeway: i32,
    /// The room at the deepest node.
    least_room: u16,
    tally: Tally,
}

/// A subtree search with pattern databases, with an automaton or without.
pub(super) fn new<'a, W: Word, const GROUPS: usize, K: Key>(
    space: &'a Tiles<W>,
    heuristic: &'a PatternSums<GROUPS, K>,
    automaton: Option<Arc<MoveAutomaton>>,
) -> Box<dyn SubtreeSearch<Tiles<W>, Sums<GROUPS, K>> + 'a> {
    fn with<'a, W: Word, const GROUPS: usize, K: Key, P: PathPruning + 'a>(
        space: &'a Tiles<W>,
        heuristic: &'a PatternSums<GROUPS, K>,
        pruning: P,
    ) -> Box<dyn SubtreeSearch<Tiles<W>, Sums<GROUPS, K>> + 'a> {
        if heuristic.views.iter().any(View::has_order) {
            Box::new(DepthFirst::<W, GROUPS, true, K, P>::new(space, heuristic, pruning))
        } else {
            Box::new(DepthFirst::<W, GROUPS, false, K, P>::new(space, heuristic, pruning))
        }
    }
    match automaton {
        None => with(space, heuristic, NoPruning),
        Some(automaton) => with(space, heuristic, automaton),
    }
}

/// The tiles of a board by cell.
fn cells_of<W: Word>(space: &Tiles<W>, tiles: W) -> [u8; PADDED_CELLS] {
    std::array::from_fn(|cell| if cell < space.cells() { tiles.get(Cell::new(cell)) } else { 0 })
}

/// The parts of a search that it never changes.
fn fixed<'a, W: Word, const GROUPS: usize, K: Key>(
    space: &Tiles<W>,
    heuristic: &'a PatternSums<GROUPS, K>,
) -> Fixed<'a> {
    const { assert!(2 * GROUPS <= SLOTS) };
    let views = [0, 1].map(|view| heuristic.views.get(view).unwrap_or(&heuristic.views[0]));
    let mut farther = [0; 4 * PADDED_CELLS];
    let mut moves_without_inverse = [0; 4 * PADDED_CELLS];
    let buckets = space.bucket_moves(|from, slide| UnitChange::<W>::move_data(&heuristic.distances, from, slide));
    for (bucket, moves) in buckets.iter().enumerate() {
        for m in &moves.moves {
            farther[m.bucket] = m.data;
            moves_without_inverse[bucket] |= 1 << m.direction as u8;
        }
    }
    let slot = |view: usize, tile: usize| (view * GROUPS + views[view].group_of(tile as u8)) as u8;
    let (mut regions, mut table_cells) = ([None; SLOTS], [[0; PADDED_CELLS]; SLOTS]);
    for (view, tile) in (0..2).flat_map(|view| (0..PADDED_CELLS).map(move |tile| (view, tile))) {
        let (group, slot) = (views[view].group_of(tile as u8), usize::from(slot(view, tile)));
        regions[slot] = heuristic.lookups[usize::from(views[view].tables[group])].regions();
        for (cell, table_cell) in table_cells[slot].iter_mut().enumerate().take(space.cells()) {
            *table_cell = views[view].table_cell(group, Cell::new(cell)) as u8;
        }
    }
    Fixed {
        farther,
        moves_without_inverse,
        offsets: Direction::ALL.map(|direction| {
            let (down, right) = direction.step();
            (-down * space.columns as isize - right) as u8
        }),
        views: [0, 1].map(|view| ViewTables {
            slots: std::array::from_fn(|tile| slot(view, tile)),
            tables: std::array::from_fn(|tile| {
                let table = views[view].tables[views[view].group_of(tile as u8)];
                heuristic.lookups[usize::from(table)].bytes()
            }),
            summands: views[view].summands(),
        }),
        regions,
        table_cells,
        has_two_views: heuristic.views.len() == 2,
        goal: cells_of(space, space.goal.tiles),
        goal_gap: space.goal.gap().number() as u8,
    }
}

impl<'a, W: Word, const GROUPS: usize, const ORDERED: bool, K: Key, P: PathPruning>
    DepthFirst<'a, W, GROUPS, ORDERED, K, P>
{
    fn new(space: &'a Tiles<W>, heuristic: &'a PatternSums<GROUPS, K>, pruning: P) -> Self {
        DepthFirst {
            space,
            heuristic,
            pruning,
            fixed: fixed(space, heuristic),
            board: [0; PADDED_CELLS],
            groups: [GroupState::default(); SLOTS],
            pending: None,
            stack: Vec::new(),
            expansions: 0,
            odd: 0,
            leeway: 0,
            least_room: u16::MAX,
            tally: Tally::default(),
        }
    }

    #[inline(always)]
    fn tile(&self, cell: u8) -> u8 {
        self.board[usize::from(cell) % PADDED_CELLS]
    }

    /// The cell of the tile that a move takes into the gap.
    #[inline(always)]
    fn origin(&self, gap: u8, move_index: usize) -> u8 {
        gap.wrapping_add(self.fixed.offsets[move_index % MAX_MOVES])
    }

    /// The allowed moves with the gap in a cell after a move and with its mark, a bit each.
    #[inline(always)]
    fn allowed_moves(&self, gap: u8, last: usize, mark: P::Mark) -> u8 {
        let moves = self.fixed.moves_without_inverse[usize::from(gap) % PADDED_CELLS * 4 + last % MAX_MOVES];
        P::allowed(self.pruning.table(), mark, moves)
    }

    /// The key of a tile's group in a view after a move, and the index of the entry, which is prefetched.
    #[inline(always)]
    fn prefetch_entry(&self, view: usize, move_index: usize, from: u8, tile: u8) -> (u64, usize) {
        let tables = &self.fixed.views[view];
        let group = self.groups[tables.slot(tile)];
        let (key, index) = if ORDERED {
            self.ordered_key(view, move_index, from, tile, group.key_plus(0))
        } else {
            let key = group.key_plus(tables.summands[move_index % MAX_MOVES][usize::from(tile) % PADDED_CELLS]);
            (key, key as usize)
        };
        prefetch(tables.table(tile), index);
        (key, index)
    }

    /// The key and the index after a move if the key of some group depends on the order of its tiles.
    fn ordered_key(&self, view: usize, move_index: usize, from: u8, tile: u8, key: u64) -> (u64, usize) {
        let view = &self.heuristic.views[view];
        let (group, board) = (view.group_of(tile), |cell: Cell| self.tile(cell.number() as u8));
        let change = view.key_change(usize::from(from) * 4 + move_index);
        let key = view.key_after(change, board, tile, group, K::from_bits(key)).bits();
        (key, self.heuristic.lookups[usize::from(view.tables[group])].index(key))
    }

    /// Reads a prefetched entry: the detours of the moved tile's group, and the detours left within the bound after the
    /// move, given those left before the lookup. `None` if the successor is pruned.
    #[inline(always)]
    fn lookup(&self, view: usize, tile: u8, from: u8, left: i32, key: u64, index: usize) -> Option<(u8, i32)> {
        let tables = &self.fixed.views[view];
        let entry = tables.table(tile)[index];
        let (slot, detours) = (tables.slot(tile), least_detours(entry));
        let left = left + self.groups[slot].detours() - i32::from(detours);
        if left + self.leeway < 0 {
            return None;
        }
        if !has_late_regions(entry) || !self.is_late(slot, from, key, entry) {
            return Some((detours, left));
        }
        (left + self.leeway > 0).then_some((detours + 1, left - 1))
    }

    /// Whether the gap is in a late region.
    #[inline(always)]
    fn is_late(&self, slot: usize, gap: u8, key: u64, entry: u8) -> bool {
        let gap = self.fixed.table_cells[slot][usize::from(gap) % PADDED_CELLS];
        self.fixed.regions[slot].is_some_and(|regions| is_late(entry, regions.number(key, gap.into())))
    }

    /// Applies a move, unless it is pruned. Returns the undo data, the successor, and whether the other view has fewer
    /// detours left there. `key` and `index` belong to the moved tile's group in the first view and are prefetched.
    #[inline(always)]
    fn apply<const SECOND_FIRST: bool>(
        &mut self,
        node: Node<P::Mark>,
        move_index: usize,
        key: u64,
        index: usize,
    ) -> Option<(Undo, Node<P::Mark>, bool)> {
        let (first, second) = (usize::from(SECOND_FIRST), usize::from(!SECOND_FIRST));
        let from = self.origin(node.gap, move_index);
        let tile = self.tile(from);
        // A move away from home takes a detour: the tile has to make the inverse move as well.
        let farther =
            (self.fixed.farther[usize::from(from) % PADDED_CELLS * 4 + move_index % MAX_MOVES] >> tile & 1) as i32;
        let [left, other_left] = node.left.map(|left| i32::from(left) - farther);
        let (detours, left) = self.lookup(first, tile, from, left, key, index)?;
        let (other_key, (other_detours, other_left)) = if self.fixed.has_two_views {
            let (key, index) = self.prefetch_entry(second, move_index, from, tile);
            (key, self.lookup(second, tile, from, other_left, key, index)?)
        } else {
            (0, (0, i32::from(i8::MAX)))
        };
        let least = left.min(other_left);
        if least < 0 {
            self.record_excess((-2 * least) as u64 - u64::from(self.odd));
            return None;
        }
        self.board[usize::from(from) % PADDED_CELLS] = 0;
        self.board[usize::from(node.gap) % PADDED_CELLS] = tile;
        let groups = [
            self.replace_group(first, tile, GroupState::new(key, detours)),
            self.replace_group(second, tile, GroupState::new(other_key, other_detours)),
        ];
        let (mark, _) = P::next(self.pruning.table(), node.mark, move_index);
        let left_after = [least as i8, left.max(other_left) as i8];
        let todo = self.allowed_moves(from, move_index, mark);
        let successor = Node { mark, todo, gap: from, room: node.room - 1, left: left_after };
        Some((Undo { tile, groups }, successor, other_left < left))
    }

    /// Replaces the state of a tile's group in a view; returns the previous one.
    #[inline(always)]
    fn replace_group(&mut self, view: usize, tile: u8, group: GroupState) -> GroupState {
        std::mem::replace(&mut self.groups[self.fixed.views[view].slot(tile)], group)
    }

    /// Undoes a move from a node with the gap in a cell.
    #[inline(always)]
    fn undo(&mut self, first: usize, gap: u8, move_index: usize, undo: Undo) {
        let from = self.origin(gap, move_index);
        let Undo { tile, groups: [group, other_group] } = undo;
        self.board[usize::from(from) % PADDED_CELLS] = tile;
        self.board[usize::from(gap) % PADDED_CELLS] = 0;
        self.replace_group(first, tile, group);
        self.replace_group(1 - first, tile, other_group);
    }

    /// Searches the subtrees of the remaining moves of a node, whose entries in the first view are prefetched first.
    fn search_below<const SECOND_FIRST: bool>(&mut self, mut node: Node<P::Mark>) -> SubtreeProgress {
        let first = usize::from(SECOND_FIRST);
        let (mut keys, mut indices) = ([0; MAX_MOVES], [0; MAX_MOVES]);
        for move_index in 0..MAX_MOVES {
            if node.todo >> move_index & 1 == 1 {
                let from = self.origin(node.gap, move_index);
                (keys[move_index], indices[move_index]) = self.prefetch_entry(first, move_index, from, self.tile(from));
            }
        }
        while node.todo != 0 {
            let move_index = node.todo.trailing_zeros() as usize % MAX_MOVES;
            node.todo &= node.todo - 1;
            let key = keys[move_index];
            let index = if ORDERED { indices[move_index] } else { key as usize };
            let Some((undo, successor, flipped)) = self.apply::<SECOND_FIRST>(node, move_index, key, index) else {
                continue;
            };
            if successor.gap == self.fixed.goal_gap && self.board == self.fixed.goal {
                return SubtreeProgress::Goal;
            }
            let progress = self.expand(successor, SECOND_FIRST ^ flipped);
            if progress != SubtreeProgress::Through {
                self.stack.push(Frame { node, second_first: SECOND_FIRST, move_index, undo });
                return progress;
            }
            self.undo(first, node.gap, move_index, undo);
        }
        SubtreeProgress::Through
    }

    /// Expands a node, or pauses if no expansions are left.
    #[inline(always)]
    fn expand(&mut self, node: Node<P::Mark>, second_first: bool) -> SubtreeProgress {
        if self.expansions == 0 {
            self.pending = Some((node, second_first));
            return SubtreeProgress::Partly;
        }
        self.expansions -= 1;
        self.least_room = self.least_room.min(node.room);
        self.tally.generated += u64::from(node.todo.count_ones());
        if second_first { self.search_below::<true>(node) } else { self.search_below::<false>(node) }
    }

    /// Records the excess of a path over the bound. No excess is less than one detour.
    #[cold]
    fn record_excess(&mut self, excess: u64) {
        self.tally.least_excess = self.tally.least_excess.min(excess);
        self.leeway = if excess <= 2 { 0 } else { self.leeway };
    }
}

impl<W: Word, const GROUPS: usize, const ORDERED: bool, K: Key, P: PathPruning> SubtreeSearch<Tiles<W>, Sums<GROUPS, K>>
    for DepthFirst<'_, W, GROUPS, ORDERED, K, P>
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
            self.groups[slot] = GroupState::new(key.bits(), detours);
        }
        self.stack.clear();
        let (gap, mark) = (top.state.gap().number() as u8, P::first(top.mark));
        let todo = self.allowed_moves(gap, top.came_by.direction() as usize, mark);
        let totals = [top.eval.total(0), top.eval.total(1)];
        let left = |total: u8| slack - total as i8;
        let left = [left(totals[0].max(totals[1])), left(totals[0].min(totals[1]))];
        self.pending = Some((Node { mark, todo, gap, room, left }, totals[1] > totals[0]));
        true
    }

    fn advance(&mut self, expansions: u64) -> SubtreeProgress {
        self.expansions = expansions;
        let mut frames = std::mem::take(&mut self.stack).into_iter();
        let mut progress = self
            .pending
            .take()
            .map_or(SubtreeProgress::Through, |(node, second_first)| self.expand(node, second_first));
        while progress == SubtreeProgress::Through
            && let Some(Frame { node, second_first, move_index, undo }) = frames.next()
        {
            self.undo(second_first.into(), node.gap, move_index, undo);
            progress = if second_first { self.search_below::<true>(node) } else { self.search_below::<false>(node) };
        }
        self.stack.extend(frames);
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
