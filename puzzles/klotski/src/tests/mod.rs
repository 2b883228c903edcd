//! The puzzle against brute force, published counts and the files of the courses.

mod by_moves;
mod files;
mod heuristics;
mod reading;
mod space;

use std::collections::{HashMap, VecDeque};

use admissible::search::{Limits, Outcome, Report, Search, TieBreak, astar, run};
use admissible::{Backward as _, Cost, StateSpace as _};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use super::*;
use admissible_front::Setting;

const CLASSIC: &str = "^11^ v11v ^<>^ v22v 2..2";

/// The text of a file with these rows; `/` separates two boards.
fn file(rows: &str) -> String {
    rows.split(' ').map(|row| if row == "/" { "\n".into() } else { format!("{row}\n") }).collect()
}

fn puzzle<P: Planes>(text: &str) -> Klotski<P> {
    Layout::read(text).unwrap_or_else(|faults| panic!("{text}\n{faults}")).puzzle(ORDER)
}

fn random_board(size: (usize, usize), empties: usize, seed: u64) -> String {
    let parameters = Parameters::from([("size", Setting::Size(size.0, size.1)), ("empties", Setting::Count(empties))]);
    entry().generate(&parameters, &mut ChaCha8Rng::seed_from_u64(seed)).expect("there are such boards")
}

fn finish<P: Planes>(search: &mut dyn Search<Klotski<P>>) -> Report<Step> {
    run(search, &Limits::default(), &mut ())
}

fn solve<P: Planes>(klotski: &Klotski<P>) -> Outcome<Step> {
    let manhattan = Manhattan::to(&klotski.frame, klotski.big_places());
    finish(&mut *astar(klotski, klotski.start, &manhattan, TieBreak::LowH, &Limits::default())).outcome
}

fn rows<P: Planes>(klotski: &Klotski<P>, board: &Board) -> Vec<String> {
    klotski.frame.symbols(board).into_iter().map(String::from_iter).collect()
}

/// The depth of every board in reach.
fn depths<P: Planes>(klotski: &Klotski<P>, starts: &[Board]) -> HashMap<P, Cost> {
    let mut depths: HashMap<P, Cost> = starts.iter().map(|board| (klotski.pack(board), 0)).collect();
    let mut queue: VecDeque<Board> = starts.iter().copied().collect();
    while let Some(board) = queue.pop_front() {
        let depth = depths[&klotski.pack(&board)] + 1;
        klotski.predecessors(&board, |next, _| {
            depths.entry(klotski.pack(&next)).or_insert_with(|| {
                queue.push_back(next);
                depth
            });
        });
    }
    depths
}
