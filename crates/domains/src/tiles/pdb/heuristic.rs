//! The sum over the groups, on the board and on its mirror image.

use admissible::{Estimate, Heuristic, Properties};

use super::super::board::{Board, Cell, MOST_CELLS, Slide, Tiles, Word};
use super::partition::Partition;
use super::table::{Lookup, Table};

/// The sum of what the tables say of each group of tiles or, if that is more, of the groups of the mirrored board; for at
/// most `GROUPS` groups.
#[derive(Debug)]
pub struct PatternSums<const GROUPS: usize> {
    /// The tables that are different.
    lookups: Vec<Lookup>,
    /// The board as it is and, where the goal allows it, seen in a mirror along the diagonal.
    views: Vec<View<GROUPS>>,
}

/// The board in one way of looking at it.
#[derive(Debug)]
struct View<const GROUPS: usize> {
    /// By group: the number of its table.
    tables: [u8; GROUPS],
    groups: usize,
    /// By tile.
    group: [u8; MOST_CELLS],
    /// By tile and cell: what the tile adds there to the key of its group.
    keys: Box<[u32; MOST_CELLS * MOST_CELLS]>,
}

/// What the tables say of a board: for each view the keys of the groups, their values, and the sum.
#[derive(Debug, Clone, Copy)]
pub struct Sums<const GROUPS: usize> {
    keys: [[u32; GROUPS]; 2],
    values: [[u8; GROUPS]; 2],
    sums: [u16; 2],
}

#[inline]
fn place(tile: u8, cell: Cell) -> usize {
    usize::from(tile) % MOST_CELLS * MOST_CELLS + cell.number()
}

impl<const GROUPS: usize> PatternSums<GROUPS> {
    /// The sums over a partition, given the tables of its patterns in their canonical form.
    pub(in super::super) fn new<W: Word>(space: &Tiles<W>, partition: &Partition, tables: &[Table]) -> Self {
        let turn = partition.turn();
        let views = if partition.has_mirror() { 2 } else { 1 };
        let lookups: Vec<Lookup> = tables.iter().cloned().map(Lookup::new).collect();
        let goal = space.list(&space.goal);
        let mut made = Vec::new();
        for mirrored in [false, true].into_iter().take(views) {
            let see = |cell: usize| {
                let cell = turn[cell];
                if mirrored { cell % space.columns * space.columns + cell / space.columns } else { cell }
            };
            let mut view = View {
                tables: [0; GROUPS],
                groups: partition.patterns().len(),
                group: [0; MOST_CELLS],
                keys: vec![0; MOST_CELLS * MOST_CELLS].try_into().expect("it has that length"),
            };
            for (number, pattern) in partition.patterns().iter().enumerate() {
                let canonical = pattern.canonical();
                let table = tables.iter().position(|table| *table.pattern() == canonical).expect("a table each");
                view.tables[number] = table as u8;
                // A table that is kept for the mirrored pattern is looked into with mirrored cells.
                let reflect = |cell: usize| {
                    if canonical == *pattern {
                        cell
                    } else {
                        cell % space.columns * space.columns + cell / space.columns
                    }
                };
                let homes = canonical.home_cells();
                for (home, &tile) in goal.iter().enumerate().filter(|&(_, &tile)| tile != 0) {
                    let Some(at) = homes.iter().position(|&cell| cell == reflect(see(home))) else { continue };
                    if pattern.homes >> see(home) & 1 == 0 {
                        continue;
                    }
                    view.group[usize::from(tile)] = number as u8;
                    for cell in 0..space.cells() {
                        view.keys[place(tile, Cell::new(cell))] = lookups[table].key(at, reflect(see(cell)));
                    }
                }
            }
            made.push(view);
        }
        PatternSums { lookups, views: made }
    }
}

impl<W: Word, const GROUPS: usize> Heuristic<Tiles<W>> for PatternSums<GROUPS> {
    type Eval = Sums<GROUPS>;

    fn evaluate(&self, space: &Tiles<W>, board: &Board<W>) -> Sums<GROUPS> {
        let mut sums = Sums { keys: [[0; GROUPS]; 2], values: [[0; GROUPS]; 2], sums: [0; 2] };
        for (at, view) in self.views.iter().enumerate() {
            for cell in (0..space.cells()).map(Cell::new) {
                let tile = board.tiles.get(cell);
                if tile != 0 {
                    sums.keys[at][usize::from(view.group[usize::from(tile)])] += view.keys[place(tile, cell)];
                }
            }
            for group in 0..view.groups {
                let value = self.lookups[usize::from(view.tables[group])].value(sums.keys[at][group]);
                sums.values[at][group] = value;
                sums.sums[at] += u16::from(value);
            }
        }
        sums
    }

    #[inline]
    fn advance(&self, _space: &Tiles<W>, mut sums: Sums<GROUPS>, after: &Board<W>, slide: Slide) -> Sums<GROUPS> {
        let (tile, from) = (after.moved(), after.gap());
        let to = slide.destination(from);
        for (at, view) in self.views.iter().enumerate() {
            let group = usize::from(view.group[usize::from(tile) % MOST_CELLS]);
            let key = sums.keys[at][group]
                .wrapping_add(view.keys[place(tile, to)])
                .wrapping_sub(view.keys[place(tile, from)]);
            let value = self.lookups[usize::from(view.tables[group])].value(key);
            sums.keys[at][group] = key;
            sums.sums[at] = sums.sums[at] + u16::from(value) - u16::from(sums.values[at][group]);
            sums.values[at][group] = value;
        }
        sums
    }

    #[inline]
    fn estimate(&self, sums: Sums<GROUPS>) -> Estimate {
        Estimate::from(sums.sums[0].max(sums.sums[1]))
    }

    /// One table for all tiles has the exact distance. Several have lost where the gap is, so the sum can fall by more than
    /// 1 in a move.
    fn properties(&self, _space: &Tiles<W>) -> Properties {
        if self.views[0].groups == 1 { Properties::CONSISTENT } else { Properties::ADMISSIBLE }
    }
}
