//! The 15-puzzle by three closures, for states of any type that can be cloned, compared and hashed.
//! Run it with `cargo run --release -p admissible --example fifteen_closures`.
use std::hash::Hash;
use std::time::Instant;

use admissible::Properties;
use admissible::search::AstarFn;

/// Korf's instance 99, the gap as 0.
const START: [u8; 16] = [7, 15, 4, 0, 10, 9, 2, 5, 12, 11, 13, 6, 1, 3, 14, 8];

/// The tile in each cell: any type that holds sixteen bytes.
trait Board: Clone + Eq + Hash + AsRef<[u8]> + AsMut<[u8]> {}
impl<T: Clone + Eq + Hash + AsRef<[u8]> + AsMut<[u8]>> Board for T {}

fn successors<B: Board>(board: &B) -> Vec<(B, u32)> {
    let gap = board.as_ref().iter().position(|&tile| tile == 0).expect("a board has a gap");
    let near = |&cell: &usize| (cell / 4).abs_diff(gap / 4) + (cell % 4).abs_diff(gap % 4) == 1;
    let slide = |cell: usize| {
        let mut after = board.clone();
        after.as_mut().swap(gap, cell);
        (after, 1)
    };
    (0..16).filter(near).map(slide).collect()
}

fn manhattan<B: Board>(board: &B) -> u32 {
    let tiles = board.as_ref().iter().map(|&tile| usize::from(tile)).enumerate().filter(|&(_, tile)| tile != 0);
    tiles.map(|(cell, tile)| ((cell / 4).abs_diff(tile / 4) + (cell % 4).abs_diff(tile % 4)) as u32).sum()
}

fn is_goal<B: Board>(board: &B) -> bool {
    board.as_ref().is_sorted()
}

fn solve<B: Board>(name: &str, start: B) {
    let begin = Instant::now();
    let report = AstarFn::new(successors, manhattan, is_goal).properties(Properties::CONSISTENT).solve(start);
    assert_eq!(report.outcome.cost(), Some(57));
    let rate = report.stats.expanded as f64 / begin.elapsed().as_secs_f64() / 1e6;
    println!("{name}: {} expanded, {rate:.1} M a second", report.stats.expanded);
}

fn main() {
    solve("[u8; 16]", START);
    solve("Vec<u8>", START.to_vec());
}
