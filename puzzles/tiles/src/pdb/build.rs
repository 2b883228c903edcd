//! Building a table: for every placement of a pattern's tiles, the fewest moves of these tiles that bring them home.
//!
//! A breadth-first search from the goal. A state is a placement and the region of the gap: moves of other tiles cost
//! nothing, so the gap moves freely within its region. The value of a placement is that of the region reached first.
//! Placements on the same set of cells have the same regions and moves, which are computed once for each set. A move
//! maps the block of all orders on a set to another block; a table gives the new order if the tile passes others.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use admissible::audit::Interrupted;
use admissible::memory::large_vec;
use admissible::platform::together;

use super::Watch;
use super::pattern::{MOST_TILES, Numbering, Pattern, members};
use super::regions::Grid;

/// The value of an unreachable placement.
pub(super) const UNREACHABLE: u8 = u8::MAX;

/// A move of one tile, for all orders of the tiles on a set of cells.
struct SetMove {
    /// The region that the gap must be in, as a bit.
    region: u8,
    /// The region of the gap after the move, as a bit.
    region_after: u8,
    /// The index of the table of new orders; 0 if the order does not change.
    change: u8,
    /// The set of cells after the move.
    set_after: u32,
}

/// The number of sets of cells that a thread takes at a time.
const BATCH: usize = 16;

/// A table under construction. It can be paused after any set of cells, written and resumed.
pub struct Building {
    pattern: Pattern,
    numbering: Numbering,
    moves: Vec<Vec<SetMove>>,
    changes: Vec<Vec<u32>>,
    /// By placement: its value.
    values: Vec<AtomicU8>,
    /// By placement: the regions reached.
    visited: Vec<AtomicU8>,
    /// By placement: the regions reached later than the first; empty if the table does not distinguish regions.
    late: Vec<AtomicU8>,
    /// By placement: the regions in the present layer, and those in the next one.
    layers: [Vec<AtomicU8>; 2],
    /// By set of cells: whether either layer has placements on it.
    active: [Vec<AtomicBool>; 2],
    /// The value of the placements in the next layer.
    depth: u8,
    found: u64,
}

/// Called with the number of new placements that have a value; returns whether to continue.
type Progress<'a> = dyn FnMut(u64) -> bool + 'a;

impl Building {
    /// A table with only the goal known.
    pub fn new(pattern: &Pattern) -> Self {
        let building = Building::empty(pattern);
        let home = building.numbering.placement(pattern.home_cells().into_iter().map(|cell| cell as u32));
        let gap_region = 1 << Grid::of(pattern).regions(pattern.homes).number(pattern.gap);
        building.values[home].store(0, Relaxed);
        building.visited[home].store(gap_region, Relaxed);
        building.layers[0][home].store(gap_region, Relaxed);
        building.active[0][home / building.numbering.orders].store(true, Relaxed);
        Building { found: 1, ..building }
    }

    fn empty(pattern: &Pattern) -> Self {
        let numbering = Numbering::new(pattern.cells(), pattern.tiles());
        let filled = |value: u8, count: usize| {
            let mut bytes = large_vec(count);
            bytes.extend((0..count).map(|_| AtomicU8::new(value)));
            bytes
        };
        let bytes = |value: u8| filled(value, pattern.placements());
        let flags = || (0..numbering.sets.len()).map(|_| AtomicBool::new(false)).collect::<Vec<AtomicBool>>();
        Building {
            moves: set_moves(pattern, &numbering),
            changes: order_changes(&numbering),
            values: bytes(UNREACHABLE),
            visited: bytes(0),
            late: filled(0, if pattern.distinguishes_regions() { pattern.placements() } else { 0 }),
            layers: [bytes(0), bytes(0)],
            active: [flags(), flags()],
            numbering,
            pattern: pattern.clone(),
            depth: 1,
            found: 0,
        }
    }

    /// The number of placements that have a value.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Builds to the end on `threads` threads. `watch` counts every placement once, and is called every few
    /// milliseconds.
    ///
    /// # Errors
    /// If `watch` stops it. A later call continues.
    pub fn advance(&mut self, threads: usize, watch: &mut Watch<'_>) -> Result<(), Interrupted> {
        loop {
            self.layer(threads, watch)?;
            self.layers.swap(0, 1);
            self.active.swap(0, 1);
            if !self.active[0].iter().any(|active| active.load(Relaxed)) {
                return Ok(());
            }
            self.depth = self.depth.checked_add(1).filter(|&depth| depth < UNREACHABLE).expect("values are below 255");
        }
    }

    /// Expands the rest of the present layer.
    fn layer(&mut self, threads: usize, watch: &mut Watch<'_>) -> Result<(), Interrupted> {
        let (next_set, newly_found) = (AtomicUsize::new(0), AtomicU64::new(0));
        let halt = AtomicBool::new(false);
        let this = &*self;
        let work = |progress: &mut Progress<'_>| {
            let mut open: Vec<(u32, u8)> = Vec::with_capacity(this.numbering.orders);
            loop {
                let first = next_set.fetch_add(BATCH, Relaxed);
                if first >= this.numbering.sets.len() {
                    return;
                }
                for set in first..(first + BATCH).min(this.numbering.sets.len()) {
                    if !this.active[0][set].load(Relaxed) {
                        continue;
                    }
                    if halt.load(Relaxed) {
                        return;
                    }
                    if !progress(this.expand(set, &mut open)) {
                        halt.store(true, Relaxed);
                    }
                }
            }
        };
        let count = |found: u64| newly_found.fetch_add(found, Relaxed);
        let mut reported = 0;
        let here = || {
            work(&mut |found| {
                let all = count(found) + found;
                let new = all - reported;
                reported = all;
                watch(new).is_continue()
            });
        };
        let other = || {
            work(&mut |found| {
                count(found);
                true
            });
        };
        together(here, (1..threads).map(|_| other));
        let newly_found = newly_found.into_inner();
        self.found += newly_found;
        // Report what the other threads have found since.
        let verdict = watch(newly_found - reported);
        if halt.into_inner() || verdict == ControlFlow::Break(()) { Err(Interrupted) } else { Ok(()) }
    }

    /// Expands the placements of the present layer on a set of cells. Returns the number of placements that got a
    /// value.
    fn expand(&self, set: usize, open: &mut Vec<(u32, u8)>) -> u64 {
        let ([layer, next_layer], [now, next]) = (&self.layers, &self.active);
        let (visited, orders) = (&self.visited, self.numbering.orders);
        now[set].store(false, Relaxed);
        open.clear();
        for (order, regions) in layer[set * orders..(set + 1) * orders].iter().enumerate() {
            let bits = regions.load(Relaxed);
            if bits != 0 {
                regions.store(0, Relaxed);
                open.push((order as u32, bits));
            }
        }
        let mut found = 0;
        for set_move in &self.moves[set] {
            let block = set_move.set_after as usize * orders;
            let change = &self.changes[usize::from(set_move.change)][..];
            let mut reached = false;
            for &(order, regions) in &*open {
                if regions & set_move.region == 0 {
                    continue;
                }
                let order = if set_move.change == 0 { order } else { change[order as usize] };
                let to = block + order as usize;
                // Most states were visited before, and a load is cheaper than a read-modify-write.
                if visited[to].load(Relaxed) & set_move.region_after != 0 {
                    continue;
                }
                let before = visited[to].fetch_or(set_move.region_after, Relaxed);
                if before & set_move.region_after == 0 {
                    next_layer[to].fetch_or(set_move.region_after, Relaxed);
                    reached = true;
                    if before == 0 {
                        self.values[to].store(self.depth, Relaxed);
                        found += 1;
                    } else if let Some(late) = self.late.get(to)
                        && self.values[to].load(Relaxed) < self.depth
                    {
                        late.fetch_or(set_move.region_after, Relaxed);
                    }
                }
            }
            if reached {
                next[set_move.set_after as usize].store(true, Relaxed);
            }
        }
        found
    }

    /// The values of a finished build, and the late regions if the table distinguishes regions.
    pub(super) fn into_values(self) -> (Vec<u8>, Vec<u8>) {
        debug_assert!(self.found as usize <= self.pattern.placements());
        let Building { values, visited, late, layers, .. } = self;
        drop((visited, layers));
        let bytes = |column: Vec<AtomicU8>| column.into_iter().map(AtomicU8::into_inner).collect();
        (bytes(values), bytes(late))
    }

    /// The bytes of every placement, set by set, with their initial value; the layers come last.
    fn columns(&self) -> [(&[AtomicU8], u8); 5] {
        let [layer, next_layer] = &self.layers;
        [(&self.values, UNREACHABLE), (&self.visited, 0), (&self.late, 0), (layer, 0), (next_layer, 0)]
    }

    /// Writes the progress. A block of initial values takes one byte.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&u64::from(self.depth).to_le_bytes())?;
        out.write_all(&self.found.to_le_bytes())?;
        let mut block = Vec::with_capacity(self.numbering.orders);
        for (column, initial) in self.columns() {
            for bytes in column.chunks(self.numbering.orders) {
                block.clear();
                block.extend(bytes.iter().map(|byte| byte.load(Relaxed)));
                let is_known = block.iter().any(|&byte| byte != initial);
                out.write_all(&[is_known.into()])?;
                if is_known {
                    out.write_all(&block)?;
                }
            }
        }
        Ok(())
    }

    /// Reads what [`Building::write`] wrote.
    ///
    /// # Errors
    /// If reading fails, or the input belongs to another table.
    pub fn read(pattern: &Pattern, input: &mut dyn Read) -> io::Result<Self> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "it is no table in the making");
        let mut number = || {
            let mut bytes = [0; 8];
            input.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
        };
        let depth =
            u8::try_from(number()?).ok().filter(|&depth| (1..UNREACHABLE).contains(&depth)).ok_or_else(wrong)?;
        let found = number()?;
        let building = Building { depth, found, ..Building::empty(pattern) };
        let mut block = vec![0; building.numbering.orders];
        for (at, (column, _)) in building.columns().into_iter().enumerate() {
            for (set, bytes) in column.chunks(building.numbering.orders).enumerate() {
                let mut is_known = [0];
                input.read_exact(&mut is_known)?;
                match is_known {
                    [0] => continue,
                    [1] => input.read_exact(&mut block)?,
                    _ => return Err(wrong()),
                }
                bytes.iter().zip(&block).for_each(|(byte, &known)| byte.store(known, Relaxed));
                if let Some(layer) = at.checked_sub(3) {
                    building.active[layer][set].store(true, Relaxed);
                }
            }
        }
        let known = building.values.iter().filter(|value| value.load(Relaxed) != UNREACHABLE).count() as u64;
        if known == found { Ok(building) } else { Err(wrong()) }
    }
}

fn set_moves(pattern: &Pattern, numbering: &Numbering) -> Vec<Vec<SetMove>> {
    let grid = Grid::of(pattern);
    let bit = |set: u64, cell: usize| {
        let number = grid.regions(set).number(cell);
        1u8.checked_shl(number as u32).expect("eight tiles leave at most eight regions")
    };
    let moves_of = |&set: &u64| {
        let mut moves = Vec::new();
        let place = |set: u64, cell: usize| (set & ((1 << cell) - 1)).count_ones() as usize;
        for from in members(set) {
            for to in members(grid.neighbours(1 << from) & !set) {
                let after = set ^ 1 << from ^ 1 << to;
                let (place_before, place_after) = (place(set, from), place(after, to));
                let change =
                    if place_before == place_after { 0 } else { 1 + place_before * numbering.tiles + place_after };
                moves.push(SetMove {
                    region: bit(set, to),
                    region_after: bit(after, from),
                    change: change as u8,
                    set_after: numbering.set(after) as u32,
                });
            }
        }
        moves
    };
    numbering.sets.iter().map(moves_of).collect()
}

/// The rank of an order after the tile in one place moves to another: by `1 + from * tiles + to`, and by the rank
/// before. The first table, and those that change nothing, are empty.
fn order_changes(numbering: &Numbering) -> Vec<Vec<u32>> {
    let tiles = numbering.tiles;
    let mut changes = vec![Vec::new()];
    for (from, to) in (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to))) {
        let moved = |place: u8| match usize::from(place) {
            place if place == from => to,
            place if from < place && place <= to => place - 1,
            place if to <= place && place < from => place + 1,
            place => place,
        } as u8;
        let after = |order: usize| {
            let places: [u8; MOST_TILES] = numbering.order(order).map(moved);
            numbering.order_rank(&places[..tiles]) as u32
        };
        changes.push(if from == to { Vec::new() } else { (0..numbering.orders).map(after).collect() });
    }
    changes
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::{HashMap, VecDeque};

    use super::*;

    /// Values by the cells of the tiles and of the gap.
    type WithGap = HashMap<(Vec<usize>, usize), u8>;

    /// The fewest moves of the pattern's tiles by a 0-1 breadth-first search over their cells and that of the gap: by
    /// tiles and gap, and by tiles alone.
    pub(crate) fn brute_force(pattern: &Pattern) -> (WithGap, HashMap<Vec<usize>, u8>) {
        let neighbours = |cell: usize| {
            let (row, column) = (cell / pattern.columns, cell % pattern.columns);
            let steps =
                [(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)];
            steps
                .into_iter()
                .filter(|&(r, c)| r < pattern.rows && c < pattern.columns)
                .map(|(r, c)| r * pattern.columns + c)
        };
        let mut best: HashMap<Vec<usize>, u8> = HashMap::new();
        let mut seen: HashMap<(Vec<usize>, usize), u8> = HashMap::new();
        let mut queue = VecDeque::from([(pattern.home_cells(), pattern.gap, 0)]);
        while let Some((tiles, gap, moves)) = queue.pop_front() {
            if seen.get(&(tiles.clone(), gap)).is_some_and(|&known| known <= moves) {
                continue;
            }
            seen.insert((tiles.clone(), gap), moves);
            let value = best.entry(tiles.clone()).or_insert(moves);
            *value = moves.min(*value);
            for cell in neighbours(gap) {
                match tiles.iter().position(|&tile| tile == cell) {
                    None => queue.push_front((tiles.clone(), cell, moves)),
                    Some(at) => {
                        let mut after = tiles.clone();
                        after[at] = gap;
                        queue.push_back((after, cell, moves + 1));
                    }
                }
            }
        }
        (seen, best)
    }

    #[test]
    fn tables_agree_with_brute_force() {
        let patterns = [
            (2, 2, 0b0111, 3),
            (2, 3, 0b01_1111, 5),
            (2, 3, 0b00_1010, 2),
            (2, 4, 0b0110_0110, 7),
            (3, 3, 0b0_1111_0110, 0),
            (3, 3, 0b0_0010_1001, 8),
            (3, 3, 0b0_0010_1001, 4),
            (3, 4, 0b0010_0001_1011, 11),
            (4, 4, 0b0000_0110_0011_0000, 15),
            (5, 6, 0b11_0000, 29),
        ];
        for (rows, columns, homes, gap) in patterns {
            let pattern = Pattern { rows, columns, homes, gap };
            let (with_gap, truth) = brute_force(&pattern);
            let numbering = Numbering::new(pattern.cells(), pattern.tiles());
            for threads in [1, 3] {
                let mut building = Building::new(&pattern);
                building.advance(threads, &mut |_| ControlFlow::Continue(())).unwrap();
                let (table, late) = building.into_values();
                let reached = table.iter().filter(|&&value| value != UNREACHABLE).count();
                assert_eq!(reached, truth.len(), "{pattern}");
                for (tiles, &value) in &truth {
                    let number = numbering.placement(tiles.iter().map(|&cell| cell as u32));
                    assert_eq!(table[number], value, "{pattern}: {tiles:?}");
                }
                for ((tiles, gap), &value) in with_gap.iter().filter(|_| pattern.distinguishes_regions()) {
                    let number = numbering.placement(tiles.iter().map(|&cell| cell as u32));
                    let occupied = tiles.iter().fold(0, |set, &cell| set | 1 << cell);
                    let region = Grid::of(&pattern).regions(occupied).number(*gap);
                    assert_eq!(late[number] >> region & 1 == 1, value > truth[tiles], "{pattern}: {tiles:?} {gap}");
                }
            }
        }
    }

    /// Pauses often, and resumes from what was written.
    #[test]
    fn a_table_that_is_built_in_pieces_is_the_same() {
        for (homes, threads) in [(0b0110_0011_0001_0000, 1), (0b0000_0000_0011_0111, 3)] {
            let pattern = Pattern { rows: 4, columns: 4, homes, gap: 15 };
            let mut whole = Building::new(&pattern);
            whole.advance(threads, &mut |_| ControlFlow::Continue(())).unwrap();
            let (mut pieces, mut reported) = (0, 1);
            let mut building = Building::new(&pattern);
            let paused = |building: &mut Building, reported: &mut u64| {
                let mut calls_left = 400;
                let advanced = building.advance(threads, &mut |found| {
                    *reported += found;
                    calls_left -= 1;
                    if calls_left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                advanced.is_err()
            };
            while paused(&mut building, &mut reported) {
                assert_eq!(reported, building.found());
                let mut kept = Vec::new();
                building.write(&mut kept).unwrap();
                for wrong in [&kept[..kept.len() - 1], &kept[..17], &[0; 16]] {
                    assert!(Building::read(&pattern, &mut &wrong[..]).is_err());
                }
                building = Building::read(&pattern, &mut &kept[..]).unwrap();
                pieces += 1;
            }
            // The progress of several threads before all of them pause varies.
            assert!(pieces > if threads == 1 { 10 } else { 1 }, "{pieces}");
            assert_eq!((reported, building.found()), (whole.found(), whole.found()));
            assert!(building.into_values() == whole.into_values());
        }
    }
}
