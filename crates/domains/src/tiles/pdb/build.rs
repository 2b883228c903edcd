//! Building a table: for every placement of a pattern's tiles, the fewest moves of these tiles that bring them home.
//!
//! Breadth-first from the goal. A state is a placement and the region that the gap is in: moves of tiles outside the
//! pattern cost nothing, so the gap goes wherever no tile of the pattern is in its way. A placement's value is that of
//! the region that is reached first. Placements that occupy the same cells have the same regions and the same moves;
//! these are worked out once for each set of cells, and a move then takes a whole block of orders to another block, by a
//! table of its own for how the moved tile passes others.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};

use admissible::audit::Interrupted;

use super::Watch;
use super::pattern::{MOST_TILES, Numbering, Pattern, members};

/// The value of a placement that cannot be reached.
pub(super) const NEVER: u8 = u8::MAX;

/// A move of one tile, for all orders of the tiles on a set of cells.
struct SetMove {
    /// The region that the gap must be in, as a bit.
    region: u8,
    /// The region that it is in afterwards.
    region_after: u8,
    /// How the order changes: 0 if it does not, otherwise the number of a table.
    change: u8,
    /// The set of cells afterwards.
    set_after: u32,
}

/// Sets of cells that a thread takes at a time.
const SHARE: usize = 16;

/// The values of a table without holes, worked out on so many threads. `watch` hears of every placement once.
pub(super) fn build(pattern: &Pattern, threads: usize, watch: &mut Watch<'_>) -> Result<Vec<u8>, Interrupted> {
    let numbering = Numbering::new(pattern.cells(), pattern.tiles());
    let moves = set_moves(pattern, &numbering);
    let changes = order_changes(&numbering);
    let bytes = |value: u8| (0..pattern.placements()).map(|_| AtomicU8::new(value)).collect::<Vec<AtomicU8>>();
    let (values, visited) = (bytes(NEVER), bytes(0));
    let mut layers = [bytes(0), bytes(0)];
    let flags = || (0..numbering.sets.len()).map(|_| AtomicBool::new(false)).collect::<Vec<AtomicBool>>();
    let mut active = [flags(), flags()];

    let home = numbering.placement(pattern.home_cells().into_iter().map(|cell| cell as u32));
    let gap_region = Regions::of(pattern, pattern.homes).bit(pattern.gap);
    values[home].store(0, Relaxed);
    visited[home].store(gap_region, Relaxed);
    layers[0][home].store(gap_region, Relaxed);
    active[0][home / numbering.orders].store(true, Relaxed);
    let mut found = 1;
    for moves_so_far in 1.. {
        let [layer, next_layer] = &layers;
        let [now, next] = &active;
        let next_set = AtomicUsize::new(0);
        let newly_found = AtomicUsize::new(0);
        let work = || {
            let mut open: Vec<(u32, u8)> = Vec::with_capacity(numbering.orders);
            let mut found = 0;
            loop {
                let first = next_set.fetch_add(SHARE, Relaxed);
                if first >= numbering.sets.len() {
                    break;
                }
                for set in first..(first + SHARE).min(numbering.sets.len()) {
                    if !now[set].load(Relaxed) {
                        continue;
                    }
                    now[set].store(false, Relaxed);
                    let block = set * numbering.orders..(set + 1) * numbering.orders;
                    open.clear();
                    for (order, regions) in layer[block].iter().enumerate() {
                        let bits = regions.load(Relaxed);
                        if bits != 0 {
                            regions.store(0, Relaxed);
                            open.push((order as u32, bits));
                        }
                    }
                    for step in &moves[set] {
                        let block = step.set_after as usize * numbering.orders;
                        let change = &changes[usize::from(step.change)][..];
                        let mut reached = false;
                        for &(order, regions) in &open {
                            if regions & step.region == 0 {
                                continue;
                            }
                            let order = if step.change == 0 { order } else { change[order as usize] };
                            let to = block + order as usize;
                            // Most states were reached before, and looking is cheaper than writing.
                            if visited[to].load(Relaxed) & step.region_after != 0 {
                                continue;
                            }
                            let before = visited[to].fetch_or(step.region_after, Relaxed);
                            if before & step.region_after == 0 {
                                next_layer[to].fetch_or(step.region_after, Relaxed);
                                reached = true;
                                if before == 0 {
                                    values[to].store(moves_so_far, Relaxed);
                                    found += 1;
                                }
                            }
                        }
                        if reached {
                            next[step.set_after as usize].store(true, Relaxed);
                        }
                    }
                }
            }
            newly_found.fetch_add(found, Relaxed);
        };
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| _ = scope.spawn(work));
            work();
        });
        let newly_found = newly_found.into_inner();
        found += newly_found;
        if watch(newly_found as u64) == ControlFlow::Break(()) {
            return Err(Interrupted);
        }
        layers.swap(0, 1);
        active.swap(0, 1);
        if !active[0].iter().any(|active| active.load(Relaxed)) {
            break;
        }
    }
    debug_assert!(found <= pattern.placements());
    drop((layers, visited));
    Ok(values.into_iter().map(AtomicU8::into_inner).collect())
}

/// The cells that the gap can go to without moving a tile of the pattern.
struct Regions(Vec<u64>);

impl Regions {
    fn of(pattern: &Pattern, occupied: u64) -> Self {
        let mut left = !occupied & ((1 << pattern.cells()) - 1);
        let mut regions = Vec::new();
        while left != 0 {
            let mut region = left & left.wrapping_neg();
            loop {
                let wider = (region | neighbours(pattern, region)) & left;
                if wider == region {
                    break;
                }
                region = wider;
            }
            regions.push(region);
            left &= !region;
        }
        Regions(regions)
    }

    /// The region of a cell, as a bit.
    fn bit(&self, cell: usize) -> u8 {
        let number = self.0.iter().position(|region| region >> cell & 1 == 1).expect("no tile lies there");
        1u8.checked_shl(number as u32).expect("eight tiles leave at most eight regions")
    }
}

/// The cells beside those of a set.
fn neighbours(pattern: &Pattern, cells: u64) -> u64 {
    let columns = pattern.columns;
    let first_column: u64 = (0..pattern.rows).map(|row| 1 << (row * columns)).sum();
    let last_column = first_column << (columns - 1);
    cells << columns | cells >> columns | (cells & !last_column) << 1 | (cells & !first_column) >> 1
}

fn set_moves(pattern: &Pattern, numbering: &Numbering) -> Vec<Vec<SetMove>> {
    let regions: Vec<Regions> = numbering.sets.iter().map(|&set| Regions::of(pattern, set)).collect();
    let moves_of = |(&set, here): (&u64, &Regions)| {
        let mut moves = Vec::new();
        let place = |set: u64, cell: usize| (set & ((1 << cell) - 1)).count_ones() as usize;
        for from in members(set) {
            for to in members(neighbours(pattern, 1 << from) & !set & ((1 << pattern.cells()) - 1)) {
                let after = set ^ 1 << from ^ 1 << to;
                let (place_before, place_after) = (place(set, from), place(after, to));
                let change =
                    if place_before == place_after { 0 } else { 1 + place_before * numbering.tiles + place_after };
                let set_after = numbering.set(after);
                moves.push(SetMove {
                    region: here.bit(to),
                    region_after: regions[set_after].bit(from),
                    change: change as u8,
                    set_after: set_after as u32,
                });
            }
        }
        moves
    };
    numbering.sets.iter().zip(&regions).map(moves_of).collect()
}

/// What becomes of an order when the tile in one place goes to another: by 1 + the place before times the number of tiles
/// + the place after. The first, and all that change nothing, are empty.
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
            numbering.order_number(&places[..tiles]) as u32
        };
        changes.push(if from == to { Vec::new() } else { (0..numbering.orders).map(after).collect() });
    }
    changes
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, VecDeque};

    use super::*;

    /// The fewest moves by brute force: over the cells of the pattern's tiles and of the gap, where only moves of the
    /// pattern's tiles count.
    fn by_hand(pattern: &Pattern) -> HashMap<Vec<usize>, u8> {
        let beside = |cell: usize| {
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
            for cell in beside(gap) {
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
        best
    }

    #[test]
    fn tables_are_those_of_brute_force() {
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
            let truth = by_hand(&pattern);
            let numbering = Numbering::new(pattern.cells(), pattern.tiles());
            for threads in [1, 3] {
                let table = build(&pattern, threads, &mut |_| ControlFlow::Continue(())).unwrap();
                let reached = table.iter().filter(|&&value| value != NEVER).count();
                assert_eq!(reached, truth.len(), "{pattern}");
                for (tiles, &value) in &truth {
                    let number = numbering.placement(tiles.iter().map(|&cell| cell as u32));
                    assert_eq!(table[number], value, "{pattern}: {tiles:?}");
                }
            }
        }
    }
}
