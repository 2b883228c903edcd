//! The sum over the groups, on the board and on its mirror image.

use std::sync::Arc;

use admissible::heuristic::{HasTables, HeuristicVisitor};
use admissible::pruning::{MAX_MOVES, MoveAutomaton};
use admissible::search::subtree::{SearchesSubtrees, SubtreeSearch};
use admissible::{Estimate, Heuristic, Properties};

use super::super::board::{Board, MOST_CELLS, Slide, Tiles};
use super::super::heuristics::Manhattan;
use super::super::word::{Cell, Word};
use super::key::Key;
use super::partition::Partition;
use super::subtree;
use super::table::{Lookup, Table};

/// The sum of what the tables say of each group of tiles or, if that is more, of the groups of the mirrored board; for
/// at most `GROUPS` groups.
#[derive(Debug)]
pub struct PatternSums<const GROUPS: usize, K> {
    /// The tables that are different.
    pub(super) lookups: Vec<Lookup>,
    /// The board as it is and, where the goal allows it, seen in a mirror along the diagonal.
    pub(super) views: Vec<View<GROUPS, K>>,
    pub(super) distances: Manhattan,
}

/// Smaller tables are found fast enough wherever they are.
const LEAST_TO_COPY: u64 = 16 << 20;

/// The board in one way of looking at it.
#[derive(Debug)]
pub(super) struct View<const GROUPS: usize, K> {
    groups: Vec<Group>,
    /// By group: the number of its table.
    pub(super) tables: [u8; GROUPS],
    /// By tile.
    group: [u8; MOST_CELLS],
    /// Whether tiles that pass others change the key of some group.
    has_order: bool,
    /// The steps that differ; with few of them, they stay in the cache.
    steps: Vec<Step<GROUPS, K>>,
    /// By the cell that a tile comes from and the way that it goes.
    step_from: Vec<u8>,
    /// By the way that a tile goes: one of its steps.
    step_by_way: [u8; MAX_MOVES],
    /// For tiles that go backwards and for those that go forwards, by tile and by the tile that it passes: what is
    /// added to the key.
    passing: [Vec<K>; 2],
}

/// A group of tiles.
#[derive(Debug)]
struct Group {
    /// The number of its table.
    table: usize,
    /// In the order of the table's pattern.
    tiles: Vec<u8>,
    /// By cell of the board: the cell that the table knows.
    seen: Vec<usize>,
}

/// A step from one cell to the next.
#[derive(Debug, PartialEq)]
pub(super) struct Step<const GROUPS: usize, K> {
    /// By tile: what is added to the key of its group.
    change: [K; MOST_CELLS],
    /// By group: the cells that are passed, in the order in which its table counts them.
    passed: [Passed; GROUPS],
}

/// The cells between two others.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Passed {
    cells: [Cell; MOST_PASSED],
    count: u8,
    forwards: bool,
}

/// Between a cell and the one below it lie all but one of a row.
const MOST_PASSED: usize = MOST_CELLS / 2;

/// What is known of a board: how far its tiles are from home along the grid, and for each view the keys of the groups
/// and their detours.
#[derive(Debug, Clone, Copy)]
pub struct Sums<const GROUPS: usize, K> {
    pub(super) keys: [[K; GROUPS]; 2],
    pub(super) detours: [[u8; GROUPS]; 2],
    pub(super) distance: u16,
}

impl<const GROUPS: usize, K: Key> Default for Sums<GROUPS, K> {
    fn default() -> Self {
        Sums { keys: [[K::default(); GROUPS]; 2], detours: [[0; GROUPS]; 2], distance: 0 }
    }
}

impl<const GROUPS: usize, K> Sums<GROUPS, K> {
    /// The detours in a view: at most 16 in each of a few groups.
    #[inline]
    pub(super) fn total(&self, view: usize) -> u8 {
        self.detours[view].iter().sum()
    }
}

impl<const GROUPS: usize, K: Key> View<GROUPS, K> {
    fn new<W: Word>(space: &Tiles<W>, lookups: &[Lookup], groups: Vec<Group>) -> Self {
        let mut view = View {
            tables: [0; GROUPS],
            group: [0; MOST_CELLS],
            has_order: false,
            steps: Vec::new(),
            step_from: vec![0; 4 * space.cells()],
            step_by_way: [0; MAX_MOVES],
            passing: [Vec::new(), Vec::new()],
            groups,
        };
        for (number, group) in view.groups.iter().enumerate() {
            view.tables[number] = group.table as u8;
            group.tiles.iter().for_each(|&tile| view.group[usize::from(tile)] = number as u8);
        }
        let ordered = |group: &&Group| lookups[group.table].has_order();
        view.has_order = view.groups.iter().any(|group| ordered(&group));
        if view.has_order {
            view.passing = [-1, 1].map(|sign| {
                let mut table = vec![K::default(); MOST_CELLS * MOST_CELLS];
                for group in view.groups.iter().filter(ordered) {
                    for (at, &tile) in group.tiles.iter().enumerate() {
                        for (other_at, &other) in group.tiles.iter().enumerate().filter(|&(other, _)| other != at) {
                            let change = sign * lookups[group.table].passing(at, other_at);
                            table[usize::from(tile) * MOST_CELLS + usize::from(other)] = K::from_bits(change as u64);
                        }
                    }
                }
                table
            });
        }
        let nothing = Passed { cells: [Cell::new(0); MOST_PASSED], count: 0, forwards: false };
        for (gap, slide) in space.slides() {
            let from = slide.origin(gap);
            let mut step = Step { change: [K::default(); MOST_CELLS], passed: [nothing; GROUPS] };
            for (number, group) in view.groups.iter().enumerate() {
                let lookup = &lookups[group.table];
                let (seen_from, seen_to) = (group.seen[from.number()], group.seen[gap.number()]);
                for (at, &tile) in group.tiles.iter().enumerate() {
                    let change = lookup.weight(at, seen_to).wrapping_sub(lookup.weight(at, seen_from));
                    step.change[usize::from(tile)] = K::from_bits(change);
                }
                if lookup.has_order() {
                    let between = seen_from.min(seen_to) + 1..seen_from.max(seen_to);
                    let cells = (0..space.cells()).filter(|&cell| between.contains(&group.seen[cell]));
                    let passed = &mut step.passed[number];
                    passed.forwards = seen_to > seen_from;
                    for cell in cells {
                        passed.cells[usize::from(passed.count)] = Cell::new(cell);
                        passed.count += 1;
                    }
                }
            }
            let number = view.steps.iter().position(|other| *other == step).unwrap_or_else(|| {
                view.steps.push(step);
                view.steps.len() - 1
            });
            view.step_from[from.with(slide.direction())] = number as u8;
            view.step_by_way[slide.direction() as usize] = number as u8;
        }
        view
    }

    /// The group of a tile.
    #[inline]
    pub(super) fn group_of(&self, tile: u8) -> usize {
        usize::from(self.group[usize::from(tile) % MOST_CELLS])
    }

    /// By the way that a tile goes, and by tile: what is added to the key of its group, which is the same wherever the
    /// tile is unless groups have an order.
    pub(super) fn changes(&self) -> [[u64; MOST_CELLS]; MAX_MOVES] {
        // What is taken away has all upper bits set.
        self.step_by_way.map(|step| self.steps[usize::from(step)].change.map(Key::signed_bits))
    }

    /// Whether tiles that pass others change the key of some group.
    pub(super) fn has_order(&self) -> bool {
        self.has_order
    }

    /// A cell of the board as the table of a group knows it.
    #[inline]
    pub(super) fn seen(&self, group: usize, cell: Cell) -> usize {
        self.groups[group].seen[cell.number()]
    }

    /// A step, by the cell that a tile comes from and the way that it goes.
    #[inline]
    pub(super) fn step(&self, from: usize) -> &Step<GROUPS, K> {
        &self.steps[usize::from(self.step_from[from])]
    }

    /// The key of a tile's group after a step of the tile; the board is the one before or after.
    #[inline]
    pub(super) fn key_after(
        &self,
        step: &Step<GROUPS, K>,
        board: impl Fn(Cell) -> u8,
        tile: u8,
        group: usize,
        key: K,
    ) -> K {
        let tile = usize::from(tile) % MOST_CELLS;
        let key = key.plus(step.change[tile]);
        if !self.has_order {
            return key;
        }
        let Passed { cells, count, forwards } = &step.passed[group];
        let passing = &self.passing[usize::from(*forwards)];
        let pass = |key: K, &cell: &Cell| key.plus(passing[tile * MOST_CELLS + usize::from(board(cell))]);
        cells[..usize::from(*count)].iter().fold(key, pass)
    }
}

impl<const GROUPS: usize, K: Key> PatternSums<GROUPS, K> {
    /// The sums over a partition, given the tables of its patterns in their canonical form.
    pub(in super::super) fn new<W: Word>(space: &Tiles<W>, partition: &Partition, tables: &[Table]) -> Self {
        let turn = partition.turn();
        let lookups: Vec<Lookup> = tables.iter().cloned().map(Lookup::new).collect();
        let goal = space.list(&space.goal);
        let mirror = |cell: usize| cell % space.columns * space.columns + cell / space.columns;
        let group = |mirrored: bool, pattern: &super::Pattern| {
            let (kept, lies) = pattern.canonical();
            let table = tables.iter().position(|table| *table.pattern() == kept).expect("a table each");
            let cell = |&cell: &usize| lies[if mirrored { mirror(cell) } else { cell }];
            let seen: Vec<usize> = turn.iter().map(cell).collect();
            let tile = |home: usize| goal[seen.iter().position(|&cell| cell == home).expect("a cell of the board")];
            Group { table, tiles: kept.home_cells().into_iter().map(tile).collect(), seen }
        };
        let view = |mirrored: bool| {
            let groups = partition.patterns().iter().map(|pattern| group(mirrored, pattern)).collect();
            View::new(space, &lookups, groups)
        };
        let views = if partition.has_mirror() { vec![view(false), view(true)] } else { vec![view(false)] };
        PatternSums { lookups, views, distances: Manhattan::new(space, &space.goal) }
    }
}

impl<W: Word, const GROUPS: usize, K: Key> Heuristic<Tiles<W>> for PatternSums<GROUPS, K> {
    type Eval = Sums<GROUPS, K>;

    fn evaluate(&self, space: &Tiles<W>, board: &Board<W>) -> Sums<GROUPS, K> {
        let mut sums = Sums { distance: self.distances.evaluate(space, board), ..Sums::default() };
        let tiles = space.list(board);
        let gap = board.gap().number();
        for (at, view) in self.views.iter().enumerate() {
            for (number, group) in view.groups.iter().enumerate() {
                let cell = |&tile: &u8| group.seen[tiles.iter().position(|&t| t == tile).expect("every tile is there")];
                let cells: Vec<usize> = group.tiles.iter().map(cell).collect();
                let key = self.lookups[group.table].key(&cells);
                sums.keys[at][number] = K::from_bits(key);
                sums.detours[at][number] = self.lookups[group.table].detours(key, group.seen[gap]);
            }
        }
        sums
    }

    #[inline]
    fn advance(&self, space: &Tiles<W>, mut sums: Sums<GROUPS, K>, after: &Board<W>, slide: Slide) -> Sums<GROUPS, K> {
        let (tile, from) = (after.moved(), after.gap());
        sums.distance = self.distances.advance(space, sums.distance, after, slide);
        for (at, view) in self.views.iter().enumerate() {
            let group = view.group_of(tile);
            let step = view.step(from.with(slide.direction()));
            let key = view.key_after(step, |cell| after.tiles.get(cell), tile, group, sums.keys[at][group]);
            sums.keys[at][group] = key;
            let gap = view.seen(group, from);
            sums.detours[at][group] = self.lookups[usize::from(view.tables[group])].detours(key.bits(), gap);
        }
        sums
    }

    #[inline]
    fn estimate(&self, sums: Sums<GROUPS, K>) -> Estimate {
        Estimate::from(sums.distance + 2 * u16::from(sums.total(0).max(sums.total(1))))
    }

    /// One table for all tiles has the exact distance. Several tell little of where the gap is, so the sum can fall by
    /// more than 1 in a move.
    fn properties(&self, _space: &Tiles<W>) -> Properties {
        if self.views[0].groups.len() == 1 { Properties::CONSISTENT } else { Properties::ADMISSIBLE }
    }

    fn abilities<'a, V: HeuristicVisitor<'a, Tiles<W>, Self>>(&'a self, visitor: V) -> V {
        visitor.subtree_search(self).tables(self)
    }
}

impl<W: Word, const GROUPS: usize, K: Key> SearchesSubtrees<Tiles<W>> for PatternSums<GROUPS, K> {
    fn subtree_search<'a>(
        &'a self,
        space: &'a Tiles<W>,
        automaton: Option<Arc<MoveAutomaton>>,
    ) -> Box<dyn SubtreeSearch<Tiles<W>, Sums<GROUPS, K>> + 'a> {
        subtree::new(space, self, automaton)
    }
}

impl<const GROUPS: usize, K: Key> HasTables for PatternSums<GROUPS, K> {
    fn copy_to_huge_pages(&self, most: u64, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
        let bytes: u64 = self.lookups.iter().map(|lookup| lookup.bytes().len() as u64).sum();
        if bytes < LEAST_TO_COPY || bytes > most {
            return Some(0);
        }
        self.lookups.iter().map(|lookup| lookup.copy_to_huge_pages(stop)).sum()
    }
}
