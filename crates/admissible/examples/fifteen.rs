//! The 15-puzzle with only the items that `StateSpace` requires, and how fast that is; run it with `--release`.
use admissible::search::{Astar, Idastar, Report};
use admissible::{Estimate, Heuristic, Properties, StateSpace};

struct Fifteen;
/// Four bits a cell, and the cell of the gap.
type Board = (u64, u8);

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
        (cells, (0..16).find(|cell| cells >> (4 * cell) & 15 == 0).expect("a board has a gap"))
    }
    fn is_goal(&self, board: &Board) -> bool {
        board.0 == 0xfedc_ba98_7654_3210
    }
    fn moves(&self, board: &Board) -> Self::Moves {
        MOVES[usize::from(board.1)].iter().copied()
    }
    fn apply(&self, board: &mut Board, m: i8) {
        let (to, from) = (board.1, board.1.wrapping_add_signed(m));
        let tile = board.0 >> (4 * from) & 15;
        *board = (board.0 ^ (tile << (4 * from) | tile << (4 * to)), from);
    }
    fn undo(&self, board: &mut Board, m: i8, (): ()) {
        self.apply(board, -m);
    }
}

struct Manhattan;
fn distance(board: &Board, tile_in: u8, cell: u8) -> u32 {
    let tile = (board.0 >> (4 * tile_in) & 15) as u8;
    u32::from((tile / 4).abs_diff(cell / 4) + (tile % 4).abs_diff(cell % 4))
}

impl Heuristic<Fifteen> for Manhattan {
    type Eval = u32;
    fn evaluate(&self, _space: &Fifteen, board: &Board) -> u32 {
        (0..16).filter(|&cell| cell != board.1).map(|cell| distance(board, cell, cell)).sum()
    }
    fn advance(&self, _space: &Fifteen, before: u32, after: &Board, m: i8) -> u32 {
        let to = after.1.wrapping_add_signed(-m);
        before + distance(after, to, to) - distance(after, to, after.1)
    }
    fn estimate(&self, eval: u32) -> Estimate {
        Estimate::new(eval)
    }
    fn properties(&self, _space: &Fifteen) -> Properties {
        Properties::CONSISTENT
    }
}

fn main() {
    // Korf's instances 99, 76 and 2, the first cell in the lowest bits.
    for board in [0x8e31_6dbc_529a_04f7, 0x4c27_bde1_5960_38af] {
        let begin = std::time::Instant::now();
        let Report { outcome, stats } = Astar::new(&Fifteen, &Manhattan).solve(Fifteen.unpack(board));
        assert_eq!(outcome.cost(), Some(57));
        let rate = stats.expanded as f64 / 1e6 / begin.elapsed().as_secs_f64();
        println!("A*: {rate:.1} M expansions a second, {} bytes a stored state", stats.peak_bytes / stats.stored);
    }
    let begin = std::time::Instant::now();
    let report = Idastar::new(&Fifteen, &Manhattan).solve(Fifteen.unpack(0x6bf0_1732_e8c9_a45d));
    assert_eq!((report.outcome.cost(), report.stats.generated + 1), (Some(55), 15_300_442));
    println!("IDA*: {:.1} M nodes a second", 15.300_442 / begin.elapsed().as_secs_f64());
}
