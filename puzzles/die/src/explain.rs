//! The rule of each heuristic that applies to a die, and its parts: the offsets to the goal, and the detour for the 1.

use admissible_front::{Explanation, Part};

use super::Maze;
use super::heuristics::{View, die_roll, die_roll_as_run, open_board, oriented, oriented_as_run};
use super::maze::Die;

/// Explains a heuristic of the card other than `zero`.
pub(super) fn explain(maze: &Maze, heuristic: &str, die: Die) -> Option<Explanation> {
    let view = View::new(maze, die, maze.goal);
    let (dx, dy) = (view.east.unsigned_abs(), view.south.unsigned_abs());
    let (rule, detour) = match heuristic {
        "euclidean" => {
            let what = format!("the square root of {dx} * {dx} + {dy} * {dy}");
            let length = (f64::from(dx).powi(2) + f64::from(dy).powi(2)).sqrt();
            return Some(Explanation::new("sqrt(dx * dx + dy * dy)", [Part::new(what, length)]));
        }
        "manhattan" => ("m", 0),
        "die-roll" => die_roll(&view),
        "die-roll-as-run" => die_roll_as_run(&view),
        "oriented" => oriented(&view),
        "oriented-as-run" => oriented_as_run(&view),
        "open-board" => open_board(&view),
        _ => return None,
    };
    let one = match view.one {
        None => "the 1 is up".to_string(),
        Some(side) => format!("the 1 faces {}", Maze::word(side)),
    };
    let place = |cells: u32, offset: i32, [positive, negative]: [&str; 2], unit: &str| match cells {
        0 => format!("the goal is in the same {unit}"),
        1 => format!("the goal is 1 {unit} to the {}", if offset > 0 { positive } else { negative }),
        cells => format!("the goal is {cells} {unit}s to the {}", if offset > 0 { positive } else { negative }),
    };
    let mut parts = vec![
        Part::new(format!("dx: {}", place(dx, view.east, ["east", "west"], "column")), dx),
        Part::new(format!("dy: {}", place(dy, view.south, ["south", "north"], "row")), dy),
    ];
    if heuristic != "manhattan" {
        parts.push(Part::new(format!("detour: {one}"), detour));
    }
    Some(Explanation::new(format!("{rule}, with m = dx + dy = {}", dx + dy), parts))
}

/// The exact rules of the heuristics, for the card.
pub(super) mod rules {
    pub(crate) const EUCLIDEAN: &str = "\
dx and dy are the columns and the rows between the die and the goal.
h = sqrt(dx * dx + dy * dy), in steps of 1/65536, rounded down.";
    pub(crate) const MANHATTAN: &str = "\
dx and dy are the columns and the rows between the die and the goal.
h = m = dx + dy.";
    pub(crate) const DIE_ROLL: &str = "\
dx and dy are the columns and the rows between the die and the goal, m = dx + dy. The first rule that fits counts:
1. at the goal, the 1 up: 0
2. at the goal, the 1 on a side: 4
3. the 1 up, and dx = 0 or dy = 0: m + 2
4. the 1 on a side, and dx = 1 or dy = 1: m
5. the 1 up: m + 4
6. any other: m + 2";
    pub(crate) const DIE_ROLL_AS_RUN: &str = "\
dx and dy are the columns and the rows between the die and the goal, m = dx + dy. The first rule that fits counts:
1. at the goal, the 1 up: 0
2. at the goal, the 1 on a side: 4
3. the 1 up, and dx = 0 or dy = 0: m + 2
4. the 1 on a side, and dx or dy is 0 or 1: m
5. the 1 up: m + 4
6. any other: m + 2";
    pub(crate) const ORIENTED: &str = "\
dx and dy are the columns and the rows between the die and the goal, m = dx + dy. The first rule that fits counts:
1. at the goal, the 1 up: 0
2. the side with the 1 faces towards the goal on some axis: m + 4
3. the 1 up, and dx = 0 or dy = 0: m + 2
4. the 1 up: m + 4
5. the side with the 1 faces away from the goal, and dx = 0 or dy = 0: m + 2
6. the side with the 1 faces away from the goal, and dx = 1 or dy = 1: m
7. any other: m + 4";
    pub(crate) const ORIENTED_AS_RUN: &str = "\
dx and dy are the columns and the rows between the die and the goal, m = dx + dy. The first rule that fits counts:
1. the side with the 1 faces towards the goal on some axis: m
2. the 1 up, and dx = 0 or dy = 0: m
3. the 1 up: m + 4
4. dx = 0 or dy = 0, and the side with the 1 faces straight away from the goal: m + 2
5. dx = 0 or dy = 0: m + 4
6. dx = 1 or dy = 1: m
7. any other: m + 2";
    pub(crate) const OPEN_BOARD: &str = "\
dx and dy are the columns and the rows between the die and the goal, m = dx + dy; a is the number of cells that the goal
lies in the direction opposite to the one that the 1 faces. The first rule that fits counts:
1. at the goal, the 1 up: 0
2. the 1 up, and dx = 0 or dy = 0: m + 2
3. the 1 up: m + 4
4. the 1 on a side, a = 1: m
5. the 1 on a side, a >= 2: m + 2
6. the 1 on a side, a <= 0: m + 4";
}

#[cfg(test)]
mod tests {
    use admissible_front::check_explanation;
    use admissible_front::puzzle::{Family as _, Puzzle as _};

    use crate::read::Layout;
    use crate::{DieMazes, Faces, ORDER};

    const OPEN: &str = ".........\n.........\n....S....\n.........\n...G.....\n.........\n.........\n";

    #[test]
    fn parts_add_up_on_every_cell_and_in_every_orientation() {
        let maze = Layout::read(OPEN).and_then(|layout| layout.maze(ORDER)).expect("a maze");
        let start = maze.start();
        for cell in (0..7).flat_map(|row| (0..9).map(move |column| (row, column))) {
            for faces in maze.orientations.faces {
                let die = maze.die(maze.cell(cell.0, cell.1), faces);
                for card in DieMazes::CARD.heuristics.iter().filter(|card| card.name != "zero") {
                    check_explanation(&maze, card.name, &die);
                }
            }
        }
        assert!(maze.explain("no-such-heuristic", &start).is_none());
    }

    /// The differences between the rules of the reports and what their programs ran.
    #[test]
    fn rules_as_run_differ_where_the_reports_say() {
        let maze = Layout::read(OPEN).and_then(|layout| layout.maze(ORDER)).expect("a maze");
        let totals = |place: (usize, usize), faces: Faces| {
            let die = maze.die(maze.cell(place.0, place.1), faces);
            ["die-roll", "die-roll-as-run", "oriented", "oriented-as-run"]
                .map(|name| maze.explain(name, &die).expect("an explanation").total() as u32)
        };
        let north = Faces { up: 2, north: 6, east: 3 };
        assert_eq!(maze.explain("die-roll", &maze.die(maze.cell(1, 3), north)).map(|found| found.parts.len()), Some(3));
        // The goal is three cells to the south. The 1 faces south, towards it.
        assert_eq!(totals((1, 3), north), [5, 3, 7, 3]);
        // The 1 is up: in line, and not in line.
        assert_eq!(totals((1, 3), Faces::START), [5, 5, 5, 3]);
        assert_eq!(totals((1, 5), Faces::START), [9, 9, 9, 9]);
    }
}
