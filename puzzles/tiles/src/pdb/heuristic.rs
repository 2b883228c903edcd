//! The heuristic: the sum over the groups, on the board and on its mirror image.

use std::sync::Arc;

use admissible::heuristic::HeuristicVisitor;
use admissible::pruning::{MAX_MOVES, MoveAutomaton};
use admissible::search::subtree::{SearchesSubtrees, SubtreeSearch};
use admissible::{Estimate, Heuristic, Properties};

use super::super::board::{Board, PADDED_CELLS, Slide, Tiles};
use super::super::heuristics::Manhattan;
use super::super::word::{Cell, Word};
use super::key::Key;
use super::partition::Partition;
use super::pattern::MOST_TILES;
use super::subtree;
use super::table::{Lookup, Table};

/// The maximum of two sums over at most `GROUPS` groups of tiles: those of the board, and those of its mirror image.
#[derive(Debug)]
pub struct PatternSums<const GROUPS: usize, K> {
    /// The tables, each once.
    pub(super) lookups: Vec<Lookup>,
    /// The board and, if the goal allows it, its mirror image at the diagonal.
    pub(super) views: Vec<View<GROUPS, K>>,
    pub(super) distances: Manhattan,
}

/// The board or its mirror image.
#[derive(Debug)]
pub(super) struct View<const GROUPS: usize, K> {
    groups: Vec<Group>,
    /// By group: the index of its table.
    pub(super) tables: [u8; GROUPS],
    /// By tile.
    group: [u8; PADDED_CELLS],
    /// Whether the key of some group depends on the order of its tiles.
    has_order: bool,
    /// The distinct key changes, few enough to stay in the processor's cache.
    key_changes: Vec<KeyChange<GROUPS, K>>,
    /// By origin and direction of a tile: the index of its key change.
    change_from: Vec<u8>,
    /// By direction of a tile: the index of one of its key changes.
    change_by_direction: [u8; MAX_MOVES],
    /// For tiles that move to earlier cells and for those that move to later ones, by tile and by passed tile: the
    /// summand of the key.
    passing: [Vec<K>; 2],
}

/// A group of tiles.
#[derive(Debug)]
struct Group {
    /// The index of its table.
    table: usize,
    /// In the order of the table's pattern.
    tiles: Vec<u8>,
    /// By cell of the board: the cell of the table's pattern.
    table_cell: Vec<usize>,
}

/// The change of the keys by a move from one cell to the next.
#[derive(Debug, PartialEq)]
pub(super) struct KeyChange<const GROUPS: usize, K> {
    /// By tile: the summand of the key of its group.
    summands: [K; PADDED_CELLS],
    /// By group: the cells between the two, in the cell order of its table.
    passed: [PassedCells; GROUPS],
}

/// The cells that a move passes in the cell order of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PassedCells {
    cells: [Cell; MOST_PASSED],
    count: u8,
    forwards: bool,
}

/// A vertical move passes at most a row less one cell.
const MOST_PASSED: usize = PADDED_CELLS / 2;

/// The evaluation of a board: the Manhattan distance, and for each view the keys of the groups and their detours.
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
    /// The sum of the detours in a view: at most 16 in each group.
    #[inline]
    pub(super) fn total(&self, view: usize) -> u8 {
        self.detours[view].iter().sum()
    }
}

impl<const GROUPS: usize, K: Key> View<GROUPS, K> {
    fn new<W: Word>(space: &Tiles<W>, lookups: &[Lookup], groups: Vec<Group>) -> Self {
        let mut view = View {
            tables: [0; GROUPS],
            group: [0; PADDED_CELLS],
            has_order: false,
            key_changes: Vec::new(),
            change_from: vec![0; 4 * space.cells()],
            change_by_direction: [0; MAX_MOVES],
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
                let mut table = vec![K::default(); PADDED_CELLS * PADDED_CELLS];
                for group in view.groups.iter().filter(ordered) {
                    for (at, &tile) in group.tiles.iter().enumerate() {
                        for (other_at, &other) in group.tiles.iter().enumerate().filter(|&(other, _)| other != at) {
                            let change = sign * lookups[group.table].passing(at, other_at);
                            table[usize::from(tile) * PADDED_CELLS + usize::from(other)] = K::from_bits(change as u64);
                        }
                    }
                }
                table
            });
        }
        let nothing = PassedCells { cells: [Cell::new(0); MOST_PASSED], count: 0, forwards: false };
        for (gap, slide) in space.slides() {
            let from = slide.origin(gap);
            let mut key_change = KeyChange { summands: [K::default(); PADDED_CELLS], passed: [nothing; GROUPS] };
            for (number, group) in view.groups.iter().enumerate() {
                let lookup = &lookups[group.table];
                let (table_from, table_to) = (group.table_cell[from.number()], group.table_cell[gap.number()]);
                for (at, &tile) in group.tiles.iter().enumerate() {
                    let summand = lookup.weight(at, table_to).wrapping_sub(lookup.weight(at, table_from));
                    key_change.summands[usize::from(tile)] = K::from_bits(summand);
                }
                if lookup.has_order() {
                    let between = table_from.min(table_to) + 1..table_from.max(table_to);
                    let cells = (0..space.cells()).filter(|&cell| between.contains(&group.table_cell[cell]));
                    let passed = &mut key_change.passed[number];
                    passed.forwards = table_to > table_from;
                    for cell in cells {
                        passed.cells[usize::from(passed.count)] = Cell::new(cell);
                        passed.count += 1;
                    }
                }
            }
            let index = view.key_changes.iter().position(|other| *other == key_change).unwrap_or_else(|| {
                view.key_changes.push(key_change);
                view.key_changes.len() - 1
            });
            view.change_from[from.with(slide.direction())] = index as u8;
            view.change_by_direction[slide.direction() as usize] = index as u8;
        }
        view
    }

    /// The group of a tile.
    #[inline]
    pub(super) fn group_of(&self, tile: u8) -> usize {
        usize::from(self.group[usize::from(tile) % PADDED_CELLS])
    }

    /// By direction and tile: the summand of the key of the tile's group. Without an order in the keys it does not
    /// depend on the cell.
    pub(super) fn summands(&self) -> [[u64; PADDED_CELLS]; MAX_MOVES] {
        self.change_by_direction.map(|index| self.key_changes[usize::from(index)].summands.map(Key::signed_bits))
    }

    /// Whether the key of some group depends on the order of its tiles.
    pub(super) fn has_order(&self) -> bool {
        self.has_order
    }

    /// The cell in the table of a group that corresponds to a cell of the board.
    #[inline]
    pub(super) fn table_cell(&self, group: usize, cell: Cell) -> usize {
        self.groups[group].table_cell[cell.number()]
    }

    /// The key change of a move, by the origin and direction of its tile.
    #[inline]
    pub(super) fn key_change(&self, from: usize) -> &KeyChange<GROUPS, K> {
        &self.key_changes[usize::from(self.change_from[from])]
    }

    /// The key of a tile's group after a move of the tile; the board is the one before or after the move.
    #[inline]
    pub(super) fn key_after(
        &self,
        change: &KeyChange<GROUPS, K>,
        board: impl Fn(Cell) -> u8,
        tile: u8,
        group: usize,
        key: K,
    ) -> K {
        let tile = usize::from(tile) % PADDED_CELLS;
        let key = key.plus(change.summands[tile]);
        if !self.has_order {
            return key;
        }
        let PassedCells { cells, count, forwards } = &change.passed[group];
        let passing = &self.passing[usize::from(*forwards)];
        let pass = |key: K, &cell: &Cell| key.plus(passing[tile * PADDED_CELLS + usize::from(board(cell))]);
        cells[..usize::from(*count)].iter().fold(key, pass)
    }
}

impl<const GROUPS: usize, K: Key> PatternSums<GROUPS, K> {
    /// The sums over a partition, given the tables of its canonical patterns.
    pub(in super::super) fn new<W: Word>(space: &Tiles<W>, partition: &Partition, tables: &[Table]) -> Self {
        let lookups: Vec<Lookup> = tables.iter().cloned().map(Lookup::new).collect();
        let goal = space.list(&space.goal);
        let mirror = |cell: usize| cell % space.columns * space.columns + cell / space.columns;
        let group = |mirrored: bool, pattern: &super::Pattern| {
            let (canonical, image) = pattern.canonical();
            let table = tables.iter().position(|table| table.pattern == canonical).expect("a table each");
            let cell = |&cell: &usize| image[if mirrored { mirror(cell) } else { cell }];
            let table_cell: Vec<usize> = partition.reflection.iter().map(cell).collect();
            let tile =
                |home: usize| goal[table_cell.iter().position(|&cell| cell == home).expect("a cell of the board")];
            Group { table, tiles: canonical.home_cells().into_iter().map(tile).collect(), table_cell }
        };
        let view = |mirrored: bool| {
            let groups = partition.patterns.iter().map(|pattern| group(mirrored, pattern)).collect();
            View::new(space, &lookups, groups)
        };
        let views = if partition.has_mirror() { vec![view(false), view(true)] } else { vec![view(false)] };
        PatternSums { lookups, views, distances: Manhattan::new(space, &space.goal) }
    }

    /// For the board and for its mirror image: the tiles of each group, and the moves beyond their distances along the
    /// grid that its table adds.
    pub(crate) fn groups<W: Word>(&self, space: &Tiles<W>, board: &Board<W>) -> Vec<Vec<(Vec<u8>, u8)>> {
        let sums = self.evaluate(space, board);
        let of_view = |(view, detours): (&View<GROUPS, K>, [u8; GROUPS])| {
            view.groups.iter().zip(detours).map(|(group, detours)| (group.tiles.clone(), 2 * detours)).collect()
        };
        self.views.iter().zip(sums.detours).map(of_view).collect()
    }
}

impl<W: Word, const GROUPS: usize, K: Key> Heuristic<Tiles<W>> for PatternSums<GROUPS, K> {
    type Eval = Sums<GROUPS, K>;

    fn evaluate(&self, space: &Tiles<W>, board: &Board<W>) -> Sums<GROUPS, K> {
        let mut sums = Sums { distance: self.distances.evaluate(space, board), ..Sums::default() };
        let mut places = [0; PADDED_CELLS];
        for cell in 0..space.cells() {
            places[usize::from(board.tiles.get(Cell::new(cell))) % PADDED_CELLS] = cell;
        }
        for (at, view) in self.views.iter().enumerate() {
            for (number, group) in view.groups.iter().enumerate() {
                let mut cells = [0; MOST_TILES];
                for (cell, &tile) in cells.iter_mut().zip(&group.tiles) {
                    *cell = group.table_cell[places[usize::from(tile) % PADDED_CELLS]];
                }
                let key = self.lookups[group.table].key(&cells[..group.tiles.len()]);
                sums.keys[at][number] = K::from_bits(key);
                sums.detours[at][number] = self.lookups[group.table].detours(key, group.table_cell[places[0]]);
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
            let change = view.key_change(from.with(slide.direction()));
            let key = view.key_after(change, |cell| after.tiles.get(cell), tile, group, sums.keys[at][group]);
            sums.keys[at][group] = key;
            let gap = view.table_cell(group, from);
            sums.detours[at][group] = self.lookups[usize::from(view.tables[group])].detours(key.bits(), gap);
        }
        sums
    }

    #[inline]
    fn estimate(&self, sums: Sums<GROUPS, K>) -> Estimate {
        Estimate::from(sums.distance + 2 * u16::from(sums.total(0).max(sums.total(1))))
    }

    /// One table for all tiles gives the exact distance. Several tables know little of the gap, so their sum can fall
    /// by more than 1 in a move.
    fn properties(&self, _space: &Tiles<W>) -> Properties {
        if self.views[0].groups.len() == 1 { Properties::CONSISTENT } else { Properties::ADMISSIBLE }
    }

    fn abilities<'a, V: HeuristicVisitor<'a, Tiles<W>, Self>>(&'a self, visitor: V) -> V {
        visitor.subtree_search(self)
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
