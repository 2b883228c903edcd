//! Mazes as text: one row a line, with or without blanks between the cells.

use rand::{Rng, RngExt as _};

use super::maze::Maze;
use admissible_front::grid::Direction;
use admissible_front::text::{Faults, Inspector, Line, paragraphs, shown};

/// The grid of a file: a rectangle of symbols with one S and one G.
pub(super) struct Layout {
    pub(super) rows: Vec<Vec<char>>,
    pub(super) start: (usize, usize),
    pub(super) goal: (usize, usize),
}

impl Layout {
    /// A layout with these obstacles. Cells are numbered in reading order; `start` and `goal` are never obstacles.
    pub(super) fn new(
        (rows, columns): (usize, usize),
        start: usize,
        goal: usize,
        mut is_obstacle: impl FnMut(usize) -> bool,
    ) -> Self {
        let mut symbol = |cell: usize| match (is_obstacle(cell), cell) {
            (_, cell) if cell == start => 'S',
            (_, cell) if cell == goal => 'G',
            (true, _) => '*',
            (false, _) => '.',
        };
        let place = |cell: usize| (cell / columns, cell % columns);
        let mut row = |row: usize| (0..columns).map(|column| symbol(row * columns + column)).collect();
        Layout { rows: (0..rows).map(&mut row).collect(), start: place(start), goal: place(goal) }
    }

    /// A random start, goal and obstacles.
    pub(super) fn random((rows, columns): (usize, usize), density: f64, random: &mut dyn Rng) -> Self {
        let cells = rows * columns;
        let start = random.random_range(0..cells);
        let goal = (start + random.random_range(1..cells)) % cells;
        Layout::new((rows, columns), start, goal, |_| random.random_bool(density))
    }

    /// The text of the file.
    pub(super) fn write(&self) -> String {
        self.rows.iter().flat_map(|row| row.iter().copied().chain(['\n'])).collect()
    }

    pub(super) fn read(text: &str) -> Result<Self, Faults> {
        let lines: Vec<Line<'_>> = paragraphs(text).into_iter().flatten().collect();
        let Some(first) = lines.first() else {
            return Err(Faults::one(1, 1, "expected rows of 'S', 'G', '.' and '*', found nothing"));
        };
        let mut inspector = Inspector::default();
        let width = first.cells().len();
        let mut rows = Vec::with_capacity(lines.len());
        let mut ends = [Vec::new(), Vec::new()];
        for pair in lines.windows(2) {
            if inspector.is_full() {
                break;
            }
            if pair[1].number > pair[0].number + 1 {
                inspector.fault(pair[0].number + 1, 1, "expected the next row of the maze, found an empty line");
            }
        }
        for line in &lines {
            // A file of another kind may have millions of wrong characters.
            if inspector.is_full() {
                break;
            }
            let cells = line.cells();
            for &(column, c) in &cells {
                match c {
                    'S' => ends[0].push((line.number, column, rows.len())),
                    'G' => ends[1].push((line.number, column, rows.len())),
                    '.' | '*' => {}
                    other => inspector.fault(
                        line.number,
                        column,
                        format!("expected 'S', 'G', '.' or '*', found {}", shown(other)),
                    ),
                }
            }
            if cells.len() != width {
                let column = cells.get(width).map_or(line.end(), |&(column, _)| column);
                let message = format!("expected {width} cells as in the first row, found {}", cells.len());
                inspector.fault(line.number, column, message);
            }
            rows.push(cells.into_iter().map(|(_, c)| c).collect::<Vec<char>>());
        }
        for (symbol, name, found) in [('S', "start", &ends[0]), ('G', "goal", &ends[1])] {
            match found[..] {
                [] => {
                    let message = format!("expected one {name} '{symbol}' in the maze, found none");
                    inspector.fault(first.number, 1, message);
                }
                [(first_line, first_column, _), ref others @ ..] => {
                    for &(line, column, _) in others {
                        let message = format!(
                            "expected one {name} '{symbol}', found a second \
                             (the first is at {first_line}:{first_column})"
                        );
                        inspector.fault(line, column, message);
                    }
                }
            }
        }
        let place = |symbol: char, found: &[(usize, usize, usize)]| {
            found.first().map_or((0, 0), |&(_, _, row)| {
                (row, rows[row].iter().position(|&c| c == symbol).expect("the row has the symbol"))
            })
        };
        let (start, goal) = (place('S', &ends[0]), place('G', &ends[1]));
        inspector.pass(Layout { rows, start, goal })
    }

    pub(super) fn maze(&self, order: [Direction; 4]) -> Result<Maze, Faults> {
        let columns = self.rows[0].len();
        let mut maze = Maze::new(self.rows.len(), columns, order)
            .ok_or_else(|| Faults::one(1, 1, "expected a maze of at most 200 million cells, found a larger one"))?;
        for (row, cells) in self.rows.iter().enumerate() {
            for (column, _) in cells.iter().enumerate().filter(|&(_, &c)| c != '*') {
                maze.set_free(maze.cell(row, column));
            }
        }
        maze.start = maze.cell(self.start.0, self.start.1);
        maze.goal = maze.cell(self.goal.0, self.goal.1);
        Ok(maze)
    }
}
