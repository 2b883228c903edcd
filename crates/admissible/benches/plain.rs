//! Compares arena A* with eager A* on a space that implements only the required items: `cargo bench -p admissible`.
//!
//! The 15-puzzle with unit costs, with heavy tiles (a move costs the tile's number), and with a fractional estimate.
//! Both engines must agree in cost and in expansions before the last layer before a time counts. They run in turn, the
//! best of a few rounds counts, and the ratio of their rates must not fall below a fixed value.

use std::time::{Duration, Instant};

use admissible::search::{Limits, Report, Search, TieBreak, astar, eager_astar, run};
use admissible::{Cost, Estimate, Heuristic, Properties, StateSpace};

/// The tiles, four bits a cell, and the cell of the gap.
type Board = (u64, u8);

struct Fifteen {
    is_heavy: bool,
}

fn tile(board: &Board, cell: u8) -> u8 {
    (board.0 >> (4 * cell) & 15) as u8
}

impl StateSpace for Fifteen {
    type State = Board;
    type Packed = u64;
    type Move = i8;
    type Moves = std::iter::Flatten<std::array::IntoIter<Option<i8>, 4>>;
    type Undo = ();

    fn pack(&self, board: &Board) -> u64 {
        board.0
    }

    fn unpack(&self, cells: u64) -> Board {
        (cells, (0..16).find(|cell| cells >> (4 * cell) & 15 == 0).expect("a board has a gap"))
    }

    fn is_goal(&self, board: &Board) -> bool {
        board.0 == 0xfedc_ba98_7654_3210
    }

    fn moves(&self, board: &Board) -> Self::Moves {
        let (row, column) = (board.1 / 4, board.1 % 4);
        let [up, left] = [(row > 0).then_some(-4), (column > 0).then_some(-1)];
        let [right, down] = [(column < 3).then_some(1), (row < 3).then_some(4)];
        [up, left, right, down].into_iter().flatten()
    }

    fn apply(&self, board: &mut Board, m: i8) {
        let (to, from) = (board.1, board.1.wrapping_add_signed(m));
        let tile = u64::from(tile(board, from));
        *board = (board.0 ^ (tile << (4 * from) | tile << (4 * to)), from);
    }

    fn undo(&self, board: &mut Board, m: i8, (): ()) {
        self.apply(board, -m);
    }

    fn cost(&self, board: &Board, m: i8) -> Cost {
        if self.is_heavy { tile(board, board.1.wrapping_add_signed(m)).into() } else { 1 }
    }
}

/// Rows and columns between a tile's cell and its home.
fn offsets(tile: u8, cell: u8) -> (u32, u32) {
    ((tile / 4).abs_diff(cell / 4).into(), (tile % 4).abs_diff(cell % 4).into())
}

/// The Manhattan distance of every tile, times its weight.
struct Manhattan;

/// The straight-line distance of every tile to its home, in fixed point.
struct Euclidean;

fn manhattan(space: &Fifteen, tile: u8, cell: u8) -> u32 {
    let (rows, columns) = offsets(tile, cell);
    (rows + columns) * if space.is_heavy { tile.into() } else { 1 }
}

fn euclidean(_space: &Fifteen, tile: u8, cell: u8) -> u32 {
    let (rows, columns) = offsets(tile, cell);
    ((rows * rows + columns * columns) << (2 * Euclidean::BITS)).isqrt()
}

impl Euclidean {
    const BITS: u32 = 10;
}

macro_rules! sum_over_tiles {
    ($heuristic:ident, $scale:expr, $of_tile:ident) => {
        impl Heuristic<Fifteen> for $heuristic {
            type Eval = u32;
            fn scale(&self) -> u32 {
                $scale
            }

            fn evaluate(&self, space: &Fifteen, board: &Board) -> u32 {
                let cells = (0..16).filter(|&cell| cell != board.1);
                cells.map(|cell| $of_tile(space, tile(board, cell), cell)).sum()
            }

            fn advance(&self, space: &Fifteen, before: u32, after: &Board, m: i8) -> u32 {
                let to = after.1.wrapping_add_signed(-m);
                let tile = tile(after, to);
                before + $of_tile(space, tile, to) - $of_tile(space, tile, after.1)
            }

            fn estimate(&self, eval: u32) -> Estimate {
                Estimate::new(eval)
            }

            fn properties(&self, _space: &Fifteen) -> Properties {
                Properties::CONSISTENT
            }
        }
    };
}
sum_over_tiles!(Manhattan, 1, manhattan);
sum_over_tiles!(Euclidean, 1 << Euclidean::BITS, euclidean);

fn timed(search: &mut dyn Search<Fifteen>) -> (Report<i8>, Duration) {
    let begin = Instant::now();
    (run(search, &Limits::default(), &mut ()), begin.elapsed())
}

/// Solves a board with both engines in turn; prints the rates and returns whether the ratio is at least `promised`.
fn compare<H: Heuristic<Fifteen>>(name: &str, space: &Fifteen, heuristic: &H, board: u64, promised: f64) -> bool {
    let (limits, start) = (Limits::default(), space.unpack(board));
    let [mut eager_rate, mut rate, mut bytes] = [0.0_f64; 3];
    let mut expanded = 0;
    for _ in 0..3 {
        let (eager, eager_time) = timed(&mut eager_astar(space, start, heuristic, TieBreak::LowH, &limits));
        let (arena, time) = timed(&mut *astar(space, start, heuristic, TieBreak::LowH, &limits));
        let fixed = |report: &Report<i8>| (report.outcome.cost(), report.stats.expanded_before_last_layer);
        assert_eq!(fixed(&arena), fixed(&eager));
        assert!(arena.outcome.cost().is_some() && arena.stats.frontier_duplicates && !eager.stats.frontier_duplicates);
        eager_rate = eager_rate.max(eager.stats.expanded as f64 / eager_time.as_secs_f64() / 1e6);
        rate = rate.max(arena.stats.expanded as f64 / time.as_secs_f64() / 1e6);
        expanded = arena.stats.expanded;
        bytes = arena.stats.peak_bytes as f64 / arena.stats.stored as f64;
    }
    let ratio = rate / eager_rate;
    let verdict = if ratio >= promised { "" } else { "  NOT KEPT" };
    print!("{name:<12} {expanded:>8} {eager_rate:>6.2} M/s {rate:>6.2} M/s {ratio:>5.2}x {promised:>5.1}x");
    println!(" {bytes:>5.1} bytes{verdict}");
    ratio >= promised
}

fn main() {
    let (unit, heavy) = (Fifteen { is_heavy: false }, Fifteen { is_heavy: true });
    println!("{:<12} {:>8} {:>10} {:>10} {:>6} {:>6}", "", "expanded", "eager", "arena", "ratio", "least");
    // Korf's instances 99 and 12, the first cell in the lowest bits.
    let kept = [
        compare("unit costs", &unit, &Manhattan, 0x8e31_6dbc_529a_04f7, 2.0),
        compare("heavy tiles", &heavy, &Manhattan, 0x8e31_6dbc_529a_04f7, 1.5),
        compare("fractions", &unit, &Euclidean, 0xfdba_0327_5c84_691e, 1.5),
    ];
    assert!(kept.iter().all(|kept| *kept), "a ratio is below the promised one");
}
