//! What is left to roll, estimated from the offset of the goal and the side that shows the 1.
//!
//! All of them aim at a cell, so each serves both ways: at the goal's cell for the way there and, rolls being
//! reversible and the 1 being up at the start, at the start's cell for the way from the start.

use admissible::{Estimate, Heuristic, Properties};

use super::maze::{Die, Maze};
use crate::grid::Direction;

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

            const SCALE: u32 = $scale;

            #[inline]
            fn evaluate(&self, maze: &Maze, die: &Die) -> Estimate {
                let estimate: fn(&View) -> u32 = $estimate;
                Estimate::new(estimate(&View::new(maze, *die, self.target)))
            }

            #[inline]
            fn estimate(&self, eval: Estimate) -> Estimate {
                eval
            }

            #[inline]
            fn recall(&self, _maze: &Maze, _die: &Die, units: u32) -> Estimate {
                Estimate::new(units)
            }

            fn properties(&self, _maze: &Maze) -> Properties {
                $properties
            }
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

/// How far the target is, added up from what is known of rows and of columns: searches ask for nothing as often as for this.
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
        let entry = |offset: i32, weight: u32| offset.unsigned_abs() | (near(offset) * weight) << NEAR_SHIFT;
        let (rows, columns) = maze.framed();
        Offsets {
            rows: (0..rows).map(|at| entry(row + 1 - at as i32, 5)).collect(),
            columns: (0..columns).map(|at| entry(column + 1 - at as i32, 1)).collect(),
        }
    }

    /// The distance along the grid.
    #[inline]
    fn distance(&self, maze: &Maze, die: &Die) -> u32 {
        self.both(maze, die) & ((1 << NEAR_SHIFT) - 1)
    }

    /// How far the target lies to the south and to the east, from -2 to 2 each, as a number below 25.
    #[inline]
    fn near(&self, maze: &Maze, die: &Die) -> usize {
        (self.both(maze, die) >> NEAR_SHIFT) as usize
    }

    #[inline]
    fn both(&self, maze: &Maze, die: &Die) -> u32 {
        let (row, column) = maze.in_frame(die.cell);
        self.rows[row] + self.columns[column]
    }
}

/// A distance has as many bits: a maze has fewer cells.
const NEAR_SHIFT: u32 = 27;

/// A heuristic that adds something to the distance along the grid.
macro_rules! offset_heuristic {
    ($(#[$doc:meta])* $name:ident, $estimate:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $name {
            offsets: Offsets,
        }

        impl $name {
            /// The estimate of the way to a cell.
            pub fn new(maze: &Maze, target: u32) -> Self {
                $name { offsets: Offsets::new(maze, target) }
            }
        }

        impl Heuristic<Maze> for $name {
            type Eval = Estimate;

            #[inline]
            fn evaluate(&self, maze: &Maze, die: &Die) -> Estimate {
                let estimate: fn(&Offsets, &Maze, &Die) -> u32 = $estimate;
                Estimate::new(estimate(&self.offsets, maze, die))
            }

            #[inline]
            fn estimate(&self, eval: Estimate) -> Estimate {
                eval
            }

            #[inline]
            fn recall(&self, _maze: &Maze, _die: &Die, units: u32) -> Estimate {
                Estimate::new(units)
            }

            fn properties(&self, _maze: &Maze) -> Properties {
                Properties::CONSISTENT
            }
        }
    };
}

offset_heuristic! {
    /// The distance along the grid.
    Manhattan, Offsets::distance
}

offset_heuristic! {
    /// The exact distance on a board without obstacles and edges.
    OpenBoard, |offsets, maze, die| {
        let side = maze.orientations.one[usize::from(die.orientation)].map_or(4, |side| side as usize);
        offsets.distance(maze, die) + u32::from(DETOURS[side][offsets.near(maze, die)])
    }
}

/// What [`OpenBoard`] adds to the distance along the grid: by the side of the 1, the last one for up, and by how far the target lies
/// to the south and to the east, from -2 to 2, where what is farther away counts as 2. Which case it is cannot be predicted, so a
/// look into a table is faster than to tell them apart.
const DETOURS: [[u8; 25]; 5] = {
    let mut detours = [[0; 25]; 5];
    let mut at = 0;
    while at < 125 {
        let (side, south, east) = (at / 25, at / 5 % 5, at % 5);
        let ahead = [4 - south, east, south, 4 - east];
        detours[side][at % 25] = match side {
            4 if south == 2 && east == 2 => 0,
            4 if south == 2 || east == 2 => 2,
            4 => 4,
            _ => [2, 0, 4, 4, 4][ahead[side]],
        };
        at += 1;
    }
    detours
};
