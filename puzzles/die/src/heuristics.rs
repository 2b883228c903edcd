//! Heuristics from the offset of a target cell and the side that shows the 1.
//!
//! The target is the cell of the goal for a forward search. For a backward search it is the cell of the start: rolls
//! are reversible and the 1 is up at the start.

use admissible::{Estimate, Heuristic, Properties};

use super::maze::{Die, Maze};
use super::orientation::PADDED_COUNT;
use admissible_front::grid::Direction;

/// The offset of the target from the die, and the side that shows the 1.
pub(super) struct View {
    /// Cells to the south and to the east; negative for north and west.
    pub(super) south: i32,
    pub(super) east: i32,
    /// The side that shows the 1; `None` if it is up.
    pub(super) one: Option<Direction>,
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

    /// Whether one of the two offsets has this length.
    pub(super) fn some_offset_is(&self, cells: u32) -> bool {
        self.south.unsigned_abs() == cells || self.east.unsigned_abs() == cells
    }

    pub(super) fn in_line(&self) -> bool {
        self.some_offset_is(0)
    }

    pub(super) fn is_at_target(&self) -> bool {
        self.distance() == 0
    }

    /// How far the target lies in the direction that the 1 faces; `None` if it is up.
    pub(super) fn ahead_of_one(&self) -> Option<i32> {
        // A table by direction avoids an unpredictable branch.
        self.one.map(|side| [-self.south, self.east, self.south, -self.east][side as usize])
    }
}

/// The methods that all heuristics share: the evaluation is the estimate.
macro_rules! eval_is_estimate {
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

/// A heuristic that is a function of the [`View`].
macro_rules! view_heuristic {
    ($(#[$doc:meta])* $name:ident, scale $scale:expr, $properties:expr, $estimate:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name {
            /// The target cell.
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

            eval_is_estimate!($properties);
        }
    };
}

/// The units of the straight-line distance that make a roll. Rounding down keeps it admissible and consistent.
const FIXED_POINT: u32 = 1 << 16;

view_heuristic! {
    /// The straight-line distance.
    Euclidean, scale FIXED_POINT, Properties::CONSISTENT, |view| {
        let (south, east) = (i64::from(view.south), i64::from(view.east));
        let squared = (south * south + east * east) as u64;
        // floor(2^16 * sqrt(squared)), exactly, capped at the largest estimate.
        let units = (u128::from(squared) << 32).isqrt();
        units.min(u128::from(u32::MAX - 1)) as u32
    }
}

view_heuristic! {
    /// The heuristic of the first report.
    DieRoll, scale 1, Properties::ADMISSIBLE, |view| view.distance() + die_roll(view).1
}

view_heuristic! {
    /// The heuristic that the first report's program runs: less than [`DieRoll`] for a die on its side that is in line
    /// with the goal and two or more cells away.
    DieRollAsRun, scale 1, Properties::ADMISSIBLE, |view| view.distance() + die_roll_as_run(view).1
}

view_heuristic! {
    /// The heuristic of the second report, as published. It overestimates.
    Oriented, scale 1, Properties::UNKNOWN, |view| view.distance() + oriented(view).1
}

view_heuristic! {
    /// The heuristic that the second report's program runs. It overestimates, too.
    OrientedAsRun, scale 1, Properties::UNKNOWN, |view| view.distance() + oriented_as_run(view).1
}

/// The rule of a heuristic that applies to a die, and what it adds to the distance along the grid.
pub(super) type Rule = (&'static str, u32);

pub(super) fn die_roll(view: &View) -> Rule {
    match view.one {
        None if view.is_at_target() => ("rule 1, at the goal with the 1 up: 0", 0),
        Some(_) if view.is_at_target() => ("rule 2, at the goal with the 1 on a side: 4", 4),
        None if view.in_line() => ("rule 3, the 1 up, dx = 0 or dy = 0: m + 2", 2),
        Some(_) if view.some_offset_is(1) => ("rule 4, the 1 on a side, dx = 1 or dy = 1: m", 0),
        None => ("rule 5, the 1 up: m + 4", 4),
        Some(_) => ("rule 6, any other: m + 2", 2),
    }
}

/// As [`die_roll`], but for a die in line with the goal.
pub(super) fn die_roll_as_run(view: &View) -> Rule {
    match view.one {
        Some(_) if view.in_line() && view.distance() >= 2 => {
            ("the 1 on a side, dx = 0 or dy = 0, two or more cells away: m", 0)
        }
        _ => die_roll(view),
    }
}

pub(super) fn oriented(view: &View) -> Rule {
    match view.ahead_of_one() {
        None if view.is_at_target() => ("rule 1, at the goal with the 1 up: 0", 0),
        Some(1..) => ("rule 2, the 1 faces towards the goal on some axis: m + 4", 4),
        None if view.in_line() => ("rule 3, the 1 up, dx = 0 or dy = 0: m + 2", 2),
        None => ("rule 4, the 1 up: m + 4", 4),
        Some(..=-1) if view.in_line() => ("rule 5, the 1 faces away from the goal, dx = 0 or dy = 0: m + 2", 2),
        Some(..=-1) if view.some_offset_is(1) => ("rule 6, the 1 faces away from the goal, dx = 1 or dy = 1: m", 0),
        Some(_) => ("rule 7, any other: m + 4", 4),
    }
}

pub(super) fn oriented_as_run(view: &View) -> Rule {
    match view.ahead_of_one() {
        Some(1..) => ("rule 1, the 1 faces towards the goal on some axis: m", 0),
        None if view.in_line() => ("rule 2, the 1 up, dx = 0 or dy = 0: m", 0),
        None => ("rule 3, the 1 up: m + 4", 4),
        Some(..=-1) if view.in_line() => ("rule 4, in line, the 1 faces straight away from the goal: m + 2", 2),
        Some(_) if view.in_line() => ("rule 5, in line otherwise: m + 4", 4),
        Some(_) if view.some_offset_is(1) => ("rule 6, the 1 on a side, dx = 1 or dy = 1: m", 0),
        Some(_) => ("rule 7, any other: m + 2", 2),
    }
}

pub(super) fn open_board(view: &View) -> Rule {
    match view.ahead_of_one().map(|ahead| -ahead) {
        None if view.is_at_target() => ("rule 1, at the goal with the 1 up: 0", 0),
        None if view.in_line() => ("rule 2, the 1 up, dx = 0 or dy = 0: m + 2", 2),
        None => ("rule 3, the 1 up: m + 4", 4),
        Some(1) => ("rule 4, a = 1, the goal is one cell away on the side opposite to the 1: m", 0),
        Some(2..) => ("rule 5, a >= 2, the goal is farther away on the side opposite to the 1: m + 2", 2),
        Some(_) => ("rule 6, a <= 0, the goal is not on the side opposite to the 1: m + 4", 4),
    }
}

/// Tables by row and by column whose entries add up to an [`Offset`]: the hottest lookup of a search.
#[derive(Debug, Clone)]
struct Offsets {
    rows: Box<[u32]>,
    columns: Box<[u32]>,
}

impl Offsets {
    fn new(maze: &Maze, target: u32) -> Self {
        let (row, column) = maze.place(target);
        let clamped = |offset: i32| (offset.clamp(-2, 2) + 2) as u32;
        let entry = |offset: i32, weight: u32| offset.unsigned_abs() | (clamped(offset) * weight) << Offset::BITS;
        // The index of a row or column counts from the rim.
        Offsets {
            rows: (0..maze.rows + 2).map(|at| entry(row + 1 - at as i32, 5)).collect(),
            columns: (0..1_usize << maze.shift).map(|at| entry(column + 1 - at as i32, 1)).collect(),
        }
    }

    #[inline]
    fn of(&self, maze: &Maze, die: &Die) -> Offset {
        let (row, column) = (die.cell >> maze.shift, die.cell & ((1 << maze.shift) - 1));
        Offset(self.rows[row as usize] + self.columns[column as usize])
    }
}

/// The distance along the grid in the lowest bits, and above it the clamped offsets.
#[derive(Debug, Clone, Copy)]
struct Offset(u32);

impl Offset {
    /// The bits of a distance; rows and columns together are fewer than `2^27`.
    const BITS: u32 = 27;

    #[inline]
    fn distance(self) -> u32 {
        self.0 & ((1 << Self::BITS) - 1)
    }

    /// The offsets to the south and to the east, each clamped to -2..=2: `5 * (south + 2) + east + 2`, below 25.
    #[inline]
    fn clamped(self) -> usize {
        (self.0 >> Self::BITS) as usize % PADDED_CLAMPED
    }
}

/// The length of tables by [`Offset::clamped`]: 25, padded to a power of two.
const PADDED_CLAMPED: usize = 32;

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

    eval_is_estimate!(Properties::CONSISTENT);
}

/// The exact distance on a board without obstacles and edges.
#[derive(Debug, Clone)]
pub struct OpenBoard {
    offsets: Offsets,
    /// The detour beyond the distance along the grid, by orientation and by [`Offset::clamped`]. A table is faster than
    /// a `match`, whose branches are unpredictable.
    detours: [[u8; PADDED_CLAMPED]; PADDED_COUNT],
}

impl OpenBoard {
    /// The distance to a cell.
    pub fn new(maze: &Maze, target: u32) -> Self {
        let mut detours = [[0; PADDED_CLAMPED]; PADDED_COUNT];
        for (detours, one) in detours.iter_mut().zip(maze.orientations.one) {
            for (clamped, detour) in detours.iter_mut().enumerate().take(25) {
                let (south, east) = (clamped as i32 / 5 - 2, clamped as i32 % 5 - 2);
                *detour = open_board(&View { south, east, one }).1 as u8;
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
        let detour = self.detours[usize::from(die.orientation) % PADDED_COUNT][offset.clamped()];
        Estimate::new(offset.distance() + u32::from(detour))
    }

    eval_is_estimate!(Properties::CONSISTENT);
}
