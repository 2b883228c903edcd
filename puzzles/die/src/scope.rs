//! The mazes of an audit without a file.

use rand::{Rng, RngExt as _};

use super::ORDER;
use super::maze::Maze;
use super::orientation::COUNT;
use super::ranking::FreeCells;
use super::read::Layout;
use admissible_front::scope::{InstanceOf, Scope, ScopeError};

/// The most rows and columns of the default's open boards.
const SMALL: usize = 6;
/// The default's large board has this many cells on each side of the goal.
const FAR: usize = 10;
/// The number of random mazes of the default.
const RANDOM: usize = 200;

/// The boards of up to N x N cells have N^6 / 9 pairs of goal and cell: a larger N would take hours.
const MOST_OPEN: usize = 24;
const MOST_RANDOM: usize = 1_000_000;

/// Small open boards with every goal, a large one with the goal in its middle, and random mazes.
pub(super) fn by_default(random: &mut dyn Rng) -> Scope<'static> {
    let side = 2 * FAR + 1;
    let large = open_board((side, side), FAR * side + FAR);
    let layouts = small_boards(SMALL).chain([large]).chain(random_layouts(RANDOM, random));
    let title = format!(
        "open boards of up to {SMALL} x {SMALL} cells with every goal, one of {side} x {side} with the goal in its \
         middle, and {RANDOM} random mazes: every cell and orientation of each"
    );
    mazes(title, layouts)
}

pub(super) fn open_boards(most: usize) -> Result<Scope<'static>, ScopeError> {
    if !(2..=MOST_OPEN).contains(&most) {
        return Err(ScopeError(format!("the scope 'open' takes a size from 2 to {MOST_OPEN}, not {most}")));
    }
    let title =
        format!("open boards of up to {most} x {most} cells with every goal: every cell and orientation of each");
    Ok(mazes(title, small_boards(most)))
}

pub(super) fn random_mazes(count: usize, random: &mut dyn Rng) -> Result<Scope<'static>, ScopeError> {
    if count > MOST_RANDOM {
        return Err(ScopeError(format!("the scope 'random' takes at most {MOST_RANDOM} mazes")));
    }
    Ok(mazes(format!("{count} random mazes: every cell and orientation of each"), random_layouts(count, random)))
}

/// Every cell and orientation of some mazes.
fn mazes(title: String, layouts: impl IntoIterator<Item = Layout>) -> Scope<'static> {
    let instance = |from: Layout| {
        let free = from.rows.iter().flatten().filter(|&&symbol| symbol != '*').count();
        let cells = from.rows.len() * from.rows[0].len();
        InstanceOf { cells, states: (COUNT * free) as u128, atlas: None, from }
    };
    let mut instances: Vec<InstanceOf<Layout>> = layouts.into_iter().map(instance).collect();
    instances.sort_by_key(|instance| instance.cells);
    Scope::several(title, instances, ranked)
}

fn ranked(layout: &Layout) -> (Maze, FreeCells) {
    let maze = layout.maze(ORDER).expect("it is not too large");
    let cells = FreeCells::new(&maze);
    (maze, cells)
}

fn small_boards(most: usize) -> impl Iterator<Item = Layout> {
    let sizes = (1..=most).flat_map(move |rows| (1..=most).map(move |columns| (rows, columns)));
    let larger = sizes.filter(|(rows, columns)| rows * columns > 1);
    larger.flat_map(|(rows, columns)| (0..rows * columns).map(move |goal| open_board((rows, columns), goal)))
}

/// An open board. A layout needs a start; here it is a cell beside the goal.
fn open_board(size: (usize, usize), goal: usize) -> Layout {
    Layout::new(size, if goal == 0 { 1 } else { goal - 1 }, goal, |_| false)
}

fn random_layouts(count: usize, random: &mut dyn Rng) -> Vec<Layout> {
    let layout = |_| {
        let size = (random.random_range(2..=12), random.random_range(2..=12));
        let density = random.random_range(0.0..0.45);
        Layout::random(size, density, random)
    };
    (0..count).map(layout).collect()
}
