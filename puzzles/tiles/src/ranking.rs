//! The ranking of all solvable boards, and the change of the rank by a move.
//!
//! The tiles in reading order without the gap are a permutation of those of the goal. For each cell of the gap, the
//! permutations of one parity are solvable: half of them. The rank of a board is the gap's cell times this half, plus
//! half the lexicographic rank of the permutation. In the factorial number system, the digit of a tile counts the
//! smaller tiles after it.
//!
//! A move along a row leaves the permutation unchanged. A move between rows takes a tile past the others of a row's
//! width and changes only the digits of those places; a table gives the new digits. To keep this window narrow, boards
//! that are wider than high are read column by column.

use std::ops::RangeInclusive;

use admissible::{Ranking, permutation};

use super::board::{Board, Tiles};
use super::word::{Cell, Word};

/// The distances of boards with more cells would not fit into memory.
pub(super) const MOST_RANKED_CELLS: usize = 14;

/// The solvable boards of one size and goal.
#[derive(Debug)]
pub(super) struct Boards {
    width: usize,
    /// The cells of the board in the reading order of the ranking.
    cells: Vec<usize>,
    /// By tile: its place in the goal.
    places: Vec<usize>,
    /// By place in the goal: its tile.
    tiles: Vec<u8>,
    /// Half the number of permutations of the tiles.
    half: usize,
    /// By cell of the gap: whether the permutations of solvable boards are odd.
    odd: Vec<bool>,
    /// By cell: the effect of a move between it and the cell in the next row.
    windows: Vec<Window>,
    parity: Parity,
}

/// The digits of consecutive places in a rank, and their change when the last tile moves to the front.
#[derive(Debug)]
struct Window {
    /// The weight of the last of the digits.
    weight: usize,
    /// Whether the digits include the lowest bit of the rank, which the half rank lacks.
    at_end: bool,
    /// By the digits as one number: the digits after the gap moves to the next row.
    down: Vec<u32>,
    /// The inverse of `down`.
    up: Vec<u32>,
}

/// Whether the digits of a half rank have an odd sum, from two tables.
#[derive(Debug)]
struct Parity {
    split: usize,
    upper: Vec<bool>,
    lower: Vec<bool>,
}

impl Parity {
    fn new(tiles: usize) -> Self {
        let parts = |low: usize| factorial(low) / 2 + factorial(tiles) / factorial(low);
        let low_tiles = (2..=tiles).min_by_key(|&low| parts(low)).expect("there are at least three tiles");
        let split = factorial(low_tiles) / 2;
        // Each pass appends a digit to every number; the digit with the largest radix comes first.
        let table = |radices: RangeInclusive<usize>| {
            radices.rev().fold(vec![false], |shorter, radix| {
                shorter.iter().flat_map(|&odd| (0..radix).map(move |digit| odd ^ (digit % 2 == 1))).collect()
            })
        };
        Parity { split, upper: table(low_tiles + 1..=tiles), lower: table(3..=low_tiles) }
    }

    #[inline]
    fn is_odd(&self, half_rank: usize) -> bool {
        self.upper[half_rank / self.split] ^ self.lower[half_rank % self.split]
    }
}

impl Window {
    /// The window of `places` places from the place `first` on.
    fn new(tiles: usize, first: usize, places: usize) -> Self {
        let radices: Vec<usize> = (first..first + places).map(|place| tiles - place).collect();
        let size = radices.iter().product();
        let mut down = vec![0; size];
        let mut up = vec![0; size];
        // The digits of the number, and those after the move.
        let mut digits = vec![0; places];
        let mut moved = digits.clone();
        for (number, after) in down.iter_mut().enumerate() {
            moved.copy_from_slice(&digits);
            for at in (0..places - 1).rev() {
                let (tile, next) = (moved[at], moved[at + 1]);
                // A digit is greater than the next exactly if its tile is; then one smaller tile fewer follows it.
                (moved[at], moved[at + 1]) = if tile > next { (next, tile - 1) } else { (next + 1, tile) };
            }
            let new = moved.iter().zip(&radices).fold(0, |number, (digit, radix)| number * radix + digit);
            *after = new as u32;
            up[new] = number as u32;
            for (digit, radix) in digits.iter_mut().zip(&radices).rev() {
                *digit = (*digit + 1) % radix;
                if *digit > 0 {
                    break;
                }
            }
        }
        let after = tiles - first - places;
        Window { weight: factorial(after), at_end: after < 2, down, up }
    }

    #[inline]
    fn apply(&self, table: &[u32], rank: usize) -> usize {
        let (upper, low) = (rank / self.weight, rank % self.weight);
        let (high, digits) = (upper / table.len(), upper % table.len());
        (high * table.len() + table[digits] as usize) * self.weight + low
    }
}

fn factorial(number: usize) -> usize {
    (1..=number).product()
}

/// The number of solvable boards of this many cells, if it fits into 128 bits.
pub(super) fn count(cells: usize) -> Option<u128> {
    (3..=cells as u128).try_fold(1_u128, u128::checked_mul)
}

impl Boards {
    /// The solvable boards of a puzzle of at most [`MOST_RANKED_CELLS`].
    pub(super) fn new<W: Word>(puzzle: &Tiles<W>) -> Self {
        let (rows, columns) = (puzzle.rows, puzzle.columns);
        let wide = columns > rows;
        let width = if wide { rows } else { columns };
        let cells: Vec<usize> = match wide {
            false => (0..rows * columns).collect(),
            true => (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column)).collect(),
        };
        let goal: Vec<u8> = cells.iter().map(|&cell| puzzle.goal.tiles.get(Cell::new(cell))).collect();
        let goal_gap = goal.iter().position(|&tile| tile == 0).expect("a board has a gap");
        let tiles: Vec<u8> = goal.into_iter().filter(|&tile| tile != 0).collect();
        let mut places = vec![0; cells.len()];
        for (place, &tile) in tiles.iter().enumerate() {
            places[usize::from(tile)] = place;
        }
        // A move between rows passes `width - 1` tiles.
        let is_odd = |cell: usize| width.is_multiple_of(2) && (cell / width + goal_gap / width) % 2 == 1;
        Boards {
            width,
            odd: (0..cells.len()).map(is_odd).collect(),
            windows: (0..cells.len() - width).map(|cell| Window::new(tiles.len(), cell, width)).collect(),
            half: factorial(tiles.len()) / 2,
            parity: Parity::new(tiles.len()),
            cells,
            places,
            tiles,
        }
    }

    /// The rank of the permutation with this half rank and the gap in that cell.
    #[inline]
    fn permutation(&self, gap: usize, half_rank: usize) -> usize {
        2 * half_rank + usize::from(self.parity.is_odd(half_rank) ^ self.odd[gap])
    }
}

impl<W: Word> Tiles<W> {
    /// The name of an atlas of the boards. Ranks identify tiles by their place in the goal, so of the goal only its
    /// gap matters.
    pub(super) fn atlas_name(&self) -> String {
        format!("tiles-{}x{}-gap{}", self.rows, self.columns, self.goal.gap().number())
    }
}

impl<W: Word> Ranking<Tiles<W>> for Boards {
    const REVERSIBLE: bool = true;

    fn size(&self) -> usize {
        self.cells.len() * self.half
    }

    fn unrank(&self, puzzle: &Tiles<W>, rank: usize) -> Board<W> {
        let (gap, half_rank) = (rank / self.half, rank % self.half);
        let mut board = [0; 16];
        permutation::unrank(self.tiles.len(), self.permutation(gap, half_rank), |place, item| {
            board[self.cells[place + usize::from(place >= gap)]] = self.tiles[item];
        });
        puzzle.board(&board[..self.cells.len()])
    }

    fn rank(&self, _puzzle: &Tiles<W>, board: &Board<W>) -> Option<usize> {
        let (mut rank, mut gap, mut seen, mut is_odd) = (0, 0, 0_u64, false);
        for (at, &cell) in self.cells.iter().enumerate() {
            match board.tiles.get(Cell::new(cell)) {
                0 => gap = at,
                tile => {
                    let place = self.places[usize::from(tile)];
                    let smaller_before = (seen & ((1 << place) - 1)).count_ones() as usize;
                    let digit = place - smaller_before;
                    let radix = self.tiles.len() - seen.count_ones() as usize;
                    rank = rank * radix + digit;
                    is_odd ^= digit % 2 == 1;
                    seen |= 1 << place;
                }
            }
        }
        (is_odd == self.odd[gap]).then_some(gap * self.half + rank / 2)
    }

    #[inline]
    fn predecessors(&self, _puzzle: &Tiles<W>, rank: usize, mut visit: impl FnMut(usize)) {
        let (gap, half_rank) = (rank / self.half, rank % self.half);
        let column = gap % self.width;
        if column > 0 {
            visit(rank - self.half);
        }
        if column + 1 < self.width {
            visit(rank + self.half);
        }
        let mut vertical = |to: usize, window: &Window, table: &[u32]| {
            // The lowest bit of a rank follows from the others. A window without it ignores it.
            let rank = if window.at_end { self.permutation(gap, half_rank) } else { 2 * half_rank };
            visit(to * self.half + window.apply(table, rank) / 2);
        };
        if let Some(window) = self.windows.get(gap) {
            vertical(gap + self.width, window, &window.down);
        }
        if gap >= self.width {
            let window = &self.windows[gap - self.width];
            vertical(gap - self.width, window, &window.up);
        }
    }

    #[inline]
    fn successors(&self, puzzle: &Tiles<W>, rank: usize, visit: impl FnMut(usize)) {
        Ranking::<Tiles<W>>::predecessors(self, puzzle, rank, visit);
    }
}

#[cfg(test)]
mod tests {
    use admissible::Backward as _;
    use admissible::explore::Layers;

    use super::*;
    use admissible_front::grid::Direction;

    fn puzzle(rows: usize, columns: usize, goal: &[u8]) -> Tiles<u64> {
        Tiles::new(rows, columns, goal, goal, Direction::ALL)
    }

    #[test]
    fn ranks_are_dense_and_moves_of_ranks_agree_with_the_board() {
        let goals: [(usize, usize, &[u8]); 6] = [
            (2, 2, &[1, 2, 3, 0]),
            (2, 3, &[0, 1, 2, 3, 4, 5]),
            (3, 2, &[1, 2, 3, 4, 5, 0]),
            (2, 4, &[1, 7, 3, 4, 0, 6, 5, 2]),
            (4, 2, &[1, 2, 3, 4, 5, 6, 7, 0]),
            (3, 3, &[1, 2, 3, 8, 0, 4, 7, 6, 5]),
        ];
        for (rows, columns, goal) in goals {
            let puzzle = puzzle(rows, columns, goal);
            let boards = Boards::new(&puzzle);
            let size = Ranking::<Tiles<u64>>::size(&boards);
            assert_eq!(Some(size as u128), count(goal.len()));
            for rank in 0..size {
                let board = boards.unrank(&puzzle, rank);
                assert_eq!(boards.rank(&puzzle, &board), Some(rank), "{rows} x {columns}");
                assert!(puzzle.is_solvable(&board));
                let mut expected = Vec::new();
                puzzle.predecessors(&board, |before, _| expected.extend(boards.rank(&puzzle, &before)));
                let mut found = Vec::new();
                boards.predecessors(&puzzle, rank, |before| found.push(before));
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{rows} x {columns}, rank {rank}");
            }
            let mut swapped = goal.to_vec();
            let others: Vec<usize> = (0..goal.len()).filter(|&cell| goal[cell] != 0).take(2).collect();
            swapped.swap(others[0], others[1]);
            assert_eq!(boards.rank(&puzzle, &puzzle.board(&swapped)), None, "unsolvable boards have no rank");
        }
    }

    #[test]
    fn the_largest_distances_are_the_published_ones() {
        for (rows, columns, farthest) in [(2, 2, 6), (2, 3, 21), (3, 2, 21), (2, 4, 36), (3, 3, 31), (5, 2, 55)] {
            let cells = rows * columns;
            let solved: Vec<u8> = (1..cells as u8).chain([0]).collect();
            let puzzle = puzzle(rows, columns, &solved);
            let boards = Boards::new(&puzzle);
            for threads in [1, 2] {
                let layers = Layers::backward(&puzzle, &boards, threads, &()).expect("the watcher never stops it");
                assert_eq!(layers.depths().len() - 1, farthest, "{rows} x {columns}");
                assert_eq!(Some(u128::from(layers.states())), count(cells), "{rows} x {columns}");
            }
        }
    }
}
