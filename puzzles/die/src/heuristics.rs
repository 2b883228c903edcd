//! What is left to roll, estimated from the offset of the goal and the side that shows the 1.
//!
//! All of them aim at a cell, so each serves both ways: at the goal's cell for the way there and, rolls being
//! reversible and the 1 being up at the start, at the start's cell for the way from the start.

use admissible::{Estimate, Heuristic, Properties};

use super::maze::{Die, Maze};
use super::orientation::PLACES;
use admissible_front::grid::Direction;

/// The target as seen from the die.
pub(super) struct View {
    /// How far the target lies to the south and to the east; negative for north and west.
    pub(super) south: i32,
    pub(super) east: i32,
    /// The side that shows the 1; `None` if it is up.
    one: Option<Direction>,
}

impl View {
    #[inline]
    pub(super) fn new(maze: &Maze, die: Die, target: u32) -> Self {
        let (row, column) = maze.place(die.cell);
        let (target_row, target_column) = maze.place(target);
        let one = maze.orientations.one[usize::from(die.orientation)];
        View { south: target_row - row, east: target_column - column, one }
    }

    pub(super) fn distance(&self) -> u32 {
        self.south.unsigned_abs() + self.east.unsigned_abs()
    }

    /// Whether one of the two offsets is so many cells.
    fn some_offset_is(&self, cells: u32) -> bool {
        self.south.unsigned_abs() == cells || self.east.unsigned_abs() == cells
    }

    fn in_line(&self) -> bool {
        self.some_offset_is(0)
    }

    fn is_there(&self) -> bool {
        self.distance() == 0
    }

    /// How far the target lies in the direction that the 1 faces; `None` if it is up.
    pub(super) fn ahead_of_one(&self) -> Option<i32> {
        // By direction, and no branch that nobody can predict.
        self.one.map(|side| [-self.south, self.east, self.south, -self.east][side as usize])
    }
}

/// What all heuristics have in common: nothing is carried along but the estimate.
macro_rules! looks_afresh {
    ($properties:expr) => {
        #[inline]
        fn estimate(&self, eval: Estimate) -> Estimate {
            eval
        }

        #[inline]
        fn eval_from_h(&self, _maze: &Maze, _die: &Die, units: u32) -> Estimate {
            Estimate::new(units)
        }

        fn properties(&self, _maze: &Maze) -> Properties {
            $properties
        }
    };
}

/// A heuristic that looks at the offset of the target and the side of the 1.
macro_rules! view_heuristic {
    ($(#[$doc:meta])* $name:ident, scale $scale:expr, $properties:expr, $estimate:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name {
            /// The cell to come to.
            pub target: u32,
        }

        impl Heuristic<Maze> for $name {
            type Eval = Estimate;

            #[inline]
            fn scale(&self) -> u32 {
                $scale
            }

            #[inline]
            fn evaluate(&self, maze: &Maze, die: &Die) -> Estimate {
                let estimate: fn(&View) -> u32 = $estimate;
                Estimate::new(estimate(&View::new(maze, *die, self.target)))
            }

            looks_afresh!($properties);
        }
    };
}

/// Units of the straight-line distance to a roll. Rounding down keeps the estimate admissible and consistent.
const FIXED_POINT: u32 = 1 << 16;

view_heuristic! {
    /// The straight-line distance.
    Euclidean, scale FIXED_POINT, Properties::CONSISTENT, |view| {
        let (south, east) = (i64::from(view.south), i64::from(view.east));
        let squared = (south * south + east * east) as u64;
        // floor(2^16 * sqrt(squared)), exactly. Beyond what an estimate can hold the largest one is as good.
        let units = (u128::from(squared) << 32).isqrt();
        units.min(u128::from(u32::MAX - 1)) as u32
    }
}

view_heuristic! {
    /// The first report's own heuristic.
    DieRoll, scale 1, Properties::ADMISSIBLE, |view| {
        let distance = view.distance();
        match view.one {
            None if view.is_there() => 0,
            Some(_) if view.is_there() => 4,
            None if view.in_line() => distance + 2,
            Some(_) if view.some_offset_is(1) => distance,
            None => distance + 4,
            Some(_) => distance + 2,
        }
    }
}

view_heuristic! {
    /// The second report's own heuristic, as it was published. It overestimates.
    Oriented, scale 1, Properties::UNKNOWN, |view| {
        let distance = view.distance();
        match view.ahead_of_one() {
            None if view.is_there() => 0,
            Some(1..) => distance + 4,
            None if view.in_line() => distance + 2,
            None => distance + 4,
            Some(..=-1) if view.in_line() => distance + 2,
            Some(..=-1) if view.some_offset_is(1) => distance,
            Some(_) => distance + 4,
        }
    }
}

/// How far the target is, added up from what is known of rows and of columns: searches ask for nothing as often as for
/// this.
#[derive(Debug, Clone)]
struct Offsets {
    rows: Box<[u32]>,
    columns: Box<[u32]>,
}

impl Offsets {
    fn new(maze: &Maze, target: u32) -> Self {
        let (row, column) = maze.place(target);
        // What is far away counts as 2 cells away.
        let near = |offset: i32| (offset.clamp(-2, 2) + 2) as u32;
        let entry = |offset: i32, weight: u32| offset.unsigned_abs() | (near(offset) * weight) << Offset::BITS;
        let (rows, columns) = maze.framed();
        Offsets {
            rows: (0..rows).map(|at| entry(row + 1 - at as i32, 5)).collect(),
            columns: (0..columns).map(|at| entry(column + 1 - at as i32, 1)).collect(),
        }
    }

    /// That of a die.
    #[inline]
    fn of(&self, maze: &Maze, die: &Die) -> Offset {
        let (row, column) = maze.in_frame(die.cell);
        Offset(self.rows[row] + self.columns[column])
    }
}

/// A distance along the grid, and in the bits above it how the target lies.
#[derive(Debug, Clone, Copy)]
struct Offset(u32);

impl Offset {
    /// The bits of a distance: a maze has fewer cells in a row.
    const BITS: u32 = 27;

    #[inline]
    fn distance(self) -> u32 {
        self.0 & ((1 << Self::BITS) - 1)
    }

    /// How far the target lies to the south and to the east, from -2 to 2 each, as a number below 25: five times that
    /// to the south.
    #[inline]
    fn near(self) -> usize {
        (self.0 >> Self::BITS) as usize % NEAR
    }
}

/// There are as many places for what goes by [`Offset::near`].
const NEAR: usize = 32;

/// The distance along the grid.
#[derive(Debug, Clone)]
pub struct Manhattan {
    offsets: Offsets,
}

impl Manhattan {
    /// The distance to a cell.
    pub fn new(maze: &Maze, target: u32) -> Self {
        Manhattan { offsets: Offsets::new(maze, target) }
    }
}

impl Heuristic<Maze> for Manhattan {
    type Eval = Estimate;

    #[inline]
    fn evaluate(&self, maze: &Maze, die: &Die) -> Estimate {
        Estimate::new(self.offsets.of(maze, die).distance())
    }

    looks_afresh!(Properties::CONSISTENT);
}

/// The exact distance on a board without obstacles and edges.
#[derive(Debug, Clone)]
pub struct OpenBoard {
    offsets: Offsets,
    /// What it adds to the distance along the grid, by orientation and by [`Offset::near`]. Which case it is cannot be
    /// predicted, so a look into a table is faster than to tell them apart.
    detours: [[u8; NEAR]; PLACES],
}

impl OpenBoard {
    /// The distance to a cell.
    pub fn new(maze: &Maze, target: u32) -> Self {
        let mut detours = [[0; NEAR]; PLACES];
        for (detours, one) in detours.iter_mut().zip(maze.orientations.one) {
            for (near, detour) in detours.iter_mut().enumerate().take(25) {
                let (south, east) = (near as i32 / 5 - 2, near as i32 % 5 - 2);
                *detour = match (View { south, east, one }).ahead_of_one() {
                    None if south == 0 && east == 0 => 0,
                    None if south == 0 || east == 0 => 2,
                    None => 4,
                    Some(-1) => 0,
                    Some(..-1) => 2,
                    Some(_) => 4,
                };
            }
        }
        OpenBoard { offsets: Offsets::new(maze, target), detours }
    }
}

impl Heuristic<Maze> for OpenBoard {
    type Eval = Estimate;

    #[inline]
    fn evaluate(&self, maze: &Maze, die: &Die) -> Estimate {
        let offset = self.offsets.of(maze, die);
        let detour = self.detours[usize::from(die.orientation) % PLACES][offset.near()];
        Estimate::new(offset.distance() + u32::from(detour))
    }

    looks_afresh!(Properties::CONSISTENT);
}
