//! The 15-puzzle with required items only, and its speed: `cargo run --release -p admissible --example fifteen`.
use admissible::search::{Astar, Idastar, Report};
use admissible::{Estimate, Heuristic, Properties, StateSpace};

struct Fifteen;
/// The tiles, four bits a cell, and the cell of the gap.
type Board = (u64, u8);

/// The moves of the gap from each cell: up, left, right, down.
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

/// The distance from each cell to the home of each tile.
struct Manhattan([[u16; 16]; 16]);
impl Heuristic<Fifteen> for Manhattan {
    type Eval = u16;
    fn evaluate(&self, _space: &Fifteen, &(cells, gap): &Board) -> u16 {
        let distances = (0..16).map(|cell| self.0[(cells >> (4 * cell) & 15) as usize][cell]);
        distances.sum::<u16>() - self.0[0][usize::from(gap)]
    }
    fn advance(&self, _space: &Fifteen, before: u16, &(cells, gap): &Board, m: i8) -> u16 {
        let to = gap.wrapping_add_signed(-m);
        let distances = &self.0[(cells >> (4 * to) & 15) as usize];
        before + distances[usize::from(to)] - distances[usize::from(gap)]
    }
    fn estimate(&self, eval: u16) -> Estimate {
        Estimate::from(eval)
    }
    fn properties(&self, _space: &Fifteen) -> Properties {
        Properties::CONSISTENT
    }
}

fn main() {
    let distance = |tile: usize, cell: usize| (tile / 4).abs_diff(cell / 4) + (tile % 4).abs_diff(cell % 4);
    let manhattan = Manhattan(std::array::from_fn(|tile| std::array::from_fn(|cell| distance(tile, cell) as u16)));
    // Korf's instances 99, 76 and 2, the first cell in the lowest bits.
    for board in [0x8e31_6dbc_529a_04f7, 0x4c27_bde1_5960_38af] {
        let begin = std::time::Instant::now();
        let Report { outcome, stats } = Astar::new(&Fifteen, &manhattan).solve(Fifteen.unpack(board));
        assert_eq!(outcome.cost(), Some(57));
        let rate = stats.expanded as f64 / 1e6 / begin.elapsed().as_secs_f64();
        println!("A*: {rate:.1} M expansions a second, {} bytes a stored state", stats.peak_bytes / stats.stored);
    }
    let begin = std::time::Instant::now();
    let report = Idastar::new(&Fifteen, &manhattan).solve(Fifteen.unpack(0x6bf0_1732_e8c9_a45d));
    assert_eq!((report.outcome.cost(), report.stats.generated + 1), (Some(55), 15_300_442));
    println!("IDA*: {:.1} M nodes a second", 15.300_442 / begin.elapsed().as_secs_f64());
}
