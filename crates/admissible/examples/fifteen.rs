//! The 15-puzzle with only the items that `StateSpace` requires, and how fast that is.
//! Run it with `cargo run --release -p admissible --example fifteen`.
use std::time::Instant;

use admissible::search::Astar;
use admissible::{Estimate, Heuristic, Properties, StateSpace};

struct Fifteen;
/// Four bits a cell, and the cell of the gap.
#[derive(Clone)]
struct Board(u64, u8);

fn tile(board: &Board, cell: u8) -> u64 {
    board.0 >> (4 * cell) & 15
}

/// Where the gap can go from each cell: up, left, right, down.
#[rustfmt::skip]
const MOVES: [&[i8]; 16] = [
    &[1, 4], &[-1, 1, 4], &[-1, 1, 4], &[-1, 4], &[-4, 1, 4], &[-4, -1, 1, 4], &[-4, -1, 1, 4], &[-4, -1, 4],
    &[-4, 1, 4], &[-4, -1, 1, 4], &[-4, -1, 1, 4], &[-4, -1, 4], &[-4, 1], &[-4, -1, 1], &[-4, -1, 1], &[-4, -1],
];

impl StateSpace for Fifteen {
    type State = Board;
    type Packed = u64;
    type Move = i8;
    type Moves = std::iter::Copied<std::slice::Iter<'static, i8>>;
    type Undo = ();
    fn pack(&self, board: &Board) -> u64 {
        board.0
    }
    fn unpack(&self, cells: u64) -> Board {
        Board(cells, (0..16).find(|cell| cells >> (4 * cell) & 15 == 0).expect("a board has a gap"))
    }
    fn is_goal(&self, board: &Board) -> bool {
        board.0 == 0xfedc_ba98_7654_3210
    }
    fn moves(&self, board: &Board) -> Self::Moves {
        MOVES[usize::from(board.1)].iter().copied()
    }
    fn apply(&self, board: &mut Board, m: i8) {
        let (to, from) = (board.1, board.1.wrapping_add_signed(m));
        let tile = tile(board, from);
        *board = Board(board.0 ^ (tile << (4 * from) | tile << (4 * to)), from);
    }
    fn undo(&self, board: &mut Board, m: i8, (): ()) {
        self.apply(board, -m);
    }
}

struct Manhattan;

fn distance(tile: u64, cell: u8) -> u32 {
    u32::from((tile as u8 / 4).abs_diff(cell / 4) + (tile as u8 % 4).abs_diff(cell % 4))
}

impl Heuristic<Fifteen> for Manhattan {
    type Eval = u32;
    fn evaluate(&self, _space: &Fifteen, board: &Board) -> u32 {
        (0..16).filter(|&cell| cell != board.1).map(|cell| distance(tile(board, cell), cell)).sum()
    }
    fn advance(&self, _space: &Fifteen, before: u32, after: &Board, m: i8) -> u32 {
        let (from, to) = (after.1, after.1.wrapping_add_signed(-m));
        before + distance(tile(after, to), to) - distance(tile(after, to), from)
    }
    fn estimate(&self, eval: u32) -> Estimate {
        Estimate::new(eval)
    }
    fn properties(&self, _space: &Fifteen) -> Properties {
        Properties::CONSISTENT
    }
}

fn main() {
    // Korf's instances 99 and 76, the first cell in the lowest bits, and the lengths of their shortest solutions.
    for (board, cost) in [(0x8e31_6dbc_529a_04f7, 57), (0x4c27_bde1_5960_38af, 57)] {
        let begin = Instant::now();
        let report = Astar::new(&Fifteen, &Manhattan).solve(Fifteen.unpack(board));
        let (rate, stats) = (report.stats.expanded as f64 / begin.elapsed().as_secs_f64(), report.stats);
        assert_eq!(report.outcome.cost(), Some(cost));
        let bytes = stats.peak_bytes as f64 / stats.stored as f64;
        println!("{} expanded, {:.1} M/s, {bytes:.1} bytes a stored state", stats.expanded, rate / 1e6);
    }
}
