//! The mazes that an audit looks at where no file is given.

use admissible::audit::Listed;
use rand::{Rng, RngExt as _};

use super::maze::Maze;
use super::orientation::COUNT;
use super::read::Layout;
use super::{DieMazes, ORDER};
use admissible_front::puzzle::Family as _;
use admissible_front::survey::{Many, ScopeError};
use admissible_front::{Parameters, Setting};

/// Every cell and orientation of some mazes.
type Mazes = Many<Layout, Maze>;

/// The open boards of the default have up to this many rows and columns.
const SMALL: usize = 6;
/// And there is one on which the goal has so many cells on each side.
const FAR: usize = 10;
/// Beside so many random mazes.
const RANDOM: usize = 200;

/// All boards up to N x N have N^4 / 9 pairs of goal and cell: beyond this the audit would take hours.
const MOST_OPEN: usize = 24;
const MOST_RANDOM: usize = 1_000_000;

/// Small open boards with every goal, a large one with the goal in its middle, and random mazes.
pub(super) fn by_default(random: &mut dyn Rng) -> Mazes {
    let side = 2 * FAR + 1;
    let large = open_board(side, side, FAR, FAR);
    let texts = small_boards(SMALL).chain([large]).chain(random_texts(RANDOM, random));
    let title = format!(
        "open boards of up to {SMALL} x {SMALL} cells with every goal, one of {side} x {side} with the goal in its middle, and \
         {RANDOM} random mazes: every cell and orientation of each"
    );
    mazes(title, texts.collect())
}

pub(super) fn open_boards(most: usize) -> Result<Mazes, ScopeError> {
    if !(2..=MOST_OPEN).contains(&most) {
        return Err(ScopeError(format!("the scope 'open' takes a size from 2 to {MOST_OPEN}, not {most}")));
    }
    let title =
        format!("open boards of up to {most} x {most} cells with every goal: every cell and orientation of each");
    Ok(mazes(title, small_boards(most).collect()))
}

pub(super) fn random_mazes(count: usize, random: &mut dyn Rng) -> Result<Mazes, ScopeError> {
    if count > MOST_RANDOM {
        return Err(ScopeError(format!("the scope 'random' takes at most {MOST_RANDOM} mazes")));
    }
    Ok(mazes(format!("{count} random mazes: every cell and orientation of each"), random_texts(count, random)))
}

fn mazes(title: String, texts: Vec<String>) -> Mazes {
    let read = |text: String| Layout::read(&text).expect("what is written here can be read");
    let cells = |layout: &Layout| layout.rows.iter().map(Vec::len).sum();
    let free = |layout: &Layout| layout.rows.iter().flatten().filter(|&&symbol| symbol != '*').count();
    let mut recipes: Vec<(usize, Layout)> =
        texts.into_iter().map(read).map(|layout| (cells(&layout), layout)).collect();
    recipes.sort_by_key(|(cells, _)| *cells);
    let states = recipes.iter().map(|(_, layout)| (COUNT * free(layout)) as u64).sum();
    Many { title, recipes, states, make: every_state }
}

fn every_state(layout: &Layout) -> (Maze, Listed<u32>) {
    let maze = layout.maze(ORDER).expect("it is not too large");
    let states = Listed::of(&maze, maze.every_state());
    (maze, states)
}

fn small_boards(most: usize) -> impl Iterator<Item = String> {
    let sizes = (1..=most).flat_map(move |rows| (1..=most).map(move |columns| (rows, columns)));
    let goals = sizes.flat_map(|(rows, columns)| (0..rows * columns).map(move |goal| (rows, columns, goal)));
    goals
        .filter(|(rows, columns, _)| rows * columns > 1)
        .map(|(rows, columns, goal)| open_board(rows, columns, goal / columns, goal % columns))
}

/// The start lies beside the goal; it is a cell like any other.
fn open_board(rows: usize, columns: usize, goal_row: usize, goal_column: usize) -> String {
    let goal = goal_row * columns + goal_column;
    let start = if goal == 0 { 1 } else { goal - 1 };
    let symbol = |cell: usize| match cell {
        _ if cell == goal => 'G',
        _ if cell == start => 'S',
        _ => '.',
    };
    let row = |row: usize| (0..columns).map(|column| symbol(row * columns + column)).chain(['\n']).collect::<String>();
    (0..rows).map(row).collect()
}

fn random_texts(count: usize, random: &mut dyn Rng) -> Vec<String> {
    let text = |_| {
        let size = Setting::Size(random.random_range(2..=12), random.random_range(2..=12));
        let density = Setting::Share(random.random_range(0.0..0.45));
        let parameters = Parameters::from([("size", size), ("density", density)]);
        DieMazes::generate(&parameters, random).expect("there are such mazes")
    };
    (0..count).map(text).collect()
}
