//! Rolling-die mazes: roll a die from S to G so that it arrives with the 1 up and never shows the 6 on top.
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]

mod counting;
mod draw;
mod explain;
mod features;
pub mod heuristics;
mod log;
mod maze;
mod orientation;
mod ranking;
mod read;
mod referee;
mod scope;
mod solution;
#[cfg(test)]
mod tests;

use admissible::heuristic::Zero;
use admissible::{Erased, Indexed as _, StateSpace as _};
use rand::Rng;
use serde_json::{Value, json};

pub use maze::{Die, Maze};
pub use orientation::Faces;

use admissible_front::grid::Direction;
use admissible_front::puzzle::{
    Advice, BadState, Card, Claim, CourseRun, Family, Feature, HeuristicCard, ParameterError, Puzzle, ReadOptions,
    Referee, Truth, WithPuzzle, ZERO_CARD,
};
use admissible_front::scope::{
    FamilyScope, REACHABLE, RankedStates, SAMPLE, Scope, ScopeCard, ScopeError, ScopeRequest,
};
use admissible_front::text::{Faults, move_order};
use admissible_front::{Example, Explanation, Page, Parameter, ParameterKind, Parameters, Purpose, Setting};
use explain::rules;
use heuristics::{DieRoll, DieRollAsRun, Euclidean, Manhattan, OpenBoard, Oriented, OrientedAsRun};
use ranking::FreeCells;
use read::Layout;
use referee::MazeReferee;

/// The move order of the first report's program; with it, A* reproduces the report's table.
const ORDER: [Direction; 4] = [Direction::East, Direction::South, Direction::West, Direction::North];
const LETTERS: [&str; 4] = ["N", "E", "S", "W"];

/// Rolling-die mazes of any size.
#[derive(Debug)]
pub struct DieMazes;

admissible_front::entry!(DieMazes);

const EXAMPLES: &[Example] = &[
    Example::new("course_puzzle4.txt", "course puzzle 4", include_str!("../instances/course_puzzle4.txt")),
    Example::new("course_puzzle1.txt", "course puzzle 1", include_str!("../instances/course_puzzle1.txt")),
    Example::new("course_puzzle2.txt", "course puzzle 2", include_str!("../instances/course_puzzle2.txt")),
    Example::new("course_puzzle3.txt", "course puzzle 3, unsolvable", include_str!("../instances/course_puzzle3.txt")),
    Example::new("course_puzzle5.txt", "course puzzle 5", include_str!("../instances/course_puzzle5.txt")),
    Example::new("random_12x16.txt", "random 12 x 16", include_str!("../instances/random_12x16.txt")),
    Example::new("random_30x40.txt", "random 30 x 40", include_str!("../instances/random_30x40.txt")),
];

/// The parameters of random mazes and of explorations.
const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "size",
        summary: "rows and columns",
        kind: ParameterKind::Size {
            least: (1, 2),
            // Larger mazes take minutes to generate and solve.
            cells: 25_000_000,
            too_small: "a maze needs at least two cells",
            too_large: "a random maze has at most 25000000 cells",
        },
        default: Some(Setting::Size(10, 10)),
        explored: None,
    },
    Parameter {
        name: "density",
        summary: "the density of obstacles",
        kind: ParameterKind::Share(0.0..1.0),
        default: Some(Setting::Share(0.2)),
        explored: None,
    },
];

impl Family for DieMazes {
    const CARD: Card = Card {
        examples: EXAMPLES,
        page: Some(Page { module: include_str!("../page.js"), style: include_str!("../page.css") }),
        fixed_goal: "a die maze has its goal in the file",
        moves: &["E", "S", "W", "N"],
        heuristics: &[
            ZERO_CARD,
            HeuristicCard {
                claim: "admissible",
                rules: rules::EUCLIDEAN,
                ..HeuristicCard::consistent("euclidean", "the straight-line distance, not rounded")
            },
            HeuristicCard::consistent("manhattan", "the distance along the grid").with_rules(rules::MANHATTAN),
            HeuristicCard {
                name: "die-roll",
                summary: "the distance along the grid, plus 2 or 4 by where the 1 is",
                rules: rules::DIE_ROLL,
                claim: "admissible",
                admissible: Truth::Yes,
                consistent: Truth::No("it can fall by more than 1 in a roll, so A* has to reopen states"),
            },
            HeuristicCard {
                name: "die-roll-as-run",
                summary: "die-roll as the report's program runs it: nothing is added in line with the goal, on its side",
                rules: rules::DIE_ROLL_AS_RUN,
                claim: "admissible",
                admissible: Truth::Yes,
                consistent: Truth::No("it can fall by more than 1 in a roll, so A* has to reopen states"),
            },
            HeuristicCard {
                rules: rules::ORIENTED,
                admissible: Truth::No(
                    "one roll from the goal it says 3; \
                     A* that never reopens answers 11 instead of 9 on G*.. .... .... ..S.",
                ),
                consistent: Truth::No("one roll from the goal it says 3"),
                ..HeuristicCard::consistent(
                    "oriented",
                    "the distance along the grid, plus 0, 2 or 4 by which way the 1 faces",
                )
            },
            HeuristicCard {
                rules: rules::ORIENTED_AS_RUN,
                admissible: Truth::No("one roll from the goal it says 3 where the 1 faces straight away from it"),
                consistent: Truth::No("one roll from the goal it says 3"),
                ..HeuristicCard::consistent(
                    "oriented-as-run",
                    "oriented as the report's program runs it, with other rules than the printed ones",
                )
            },
            HeuristicCard::consistent("open-board", "the exact distance on a board without obstacles")
                .with_rules(rules::OPEN_BOARD),
        ],
        features: features::CARDS,
        parameters: PARAMETERS,
        course_heuristics: &["euclidean", "manhattan", "die-roll"],
        course_counting: Some("first-report"),
        counting_rules: counting::RULES,
        audited: "every cell and orientation of open boards, and of random mazes",
        scopes: &[
            ScopeCard {
                name: "open:N",
                summary: "every open board of up to N x N cells with every goal, every cell and orientation",
                of_file: false,
            },
            ScopeCard { name: "random:N", summary: "every cell and orientation of N random mazes", of_file: false },
            ScopeCard { name: "maze", summary: "every cell and orientation of the maze", of_file: true },
            REACHABLE,
            SAMPLE,
        ],
        ..Card::new(
            "die",
            "roll a die through a maze; it must arrive with the 1 up and never show the 6 on top",
            "a grid, one row a line: S start, G goal, . free, * obstacle; blanks between the cells are allowed",
        )
    };

    fn recognises(text: &str) -> bool {
        let cells = || text.chars().filter(|c| !c.is_whitespace() && *c != '\u{feff}');
        let ours = cells().filter(|&c| "SG*.".contains(c)).count();
        // A single typo does not hide a maze. Boards of dots and digits are Klotski.
        let typical = cells().any(|c| "SG*".contains(c)) || ours == cells().count();
        ours * 2 > cells().count() && typical && !cells().any(|c| "<>^{".contains(c))
    }

    fn open<V: WithPuzzle>(text: &str, options: &ReadOptions, visitor: V) -> Result<V::Out, Faults> {
        let layout = Layout::read(text)?;
        let order = match &options.move_order {
            None => ORDER,
            Some(order) => {
                let places = move_order(Some(order), &LETTERS)?;
                [0, 1, 2, 3].map(|at| Direction::ALL[places[at]])
            }
        };
        let maze = layout.maze(order)?;
        Ok(visitor.call(maze))
    }

    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, ParameterError> {
        Ok(Layout::random(parameters.size("size"), parameters.share("density"), random).write())
    }

    fn scope(request: &ScopeRequest) -> Result<FamilyScope, ScopeError> {
        if request.purpose == Purpose::Explore {
            return Err(ScopeError("to explore die takes a file".into()));
        }
        let random = &mut request.random();
        let mazes = match request.parsed()? {
            None => scope::by_default(random),
            Some(("open", Some(most))) => scope::open_boards(most)?,
            Some(("random", Some(count))) => scope::random_mazes(count, random)?,
            Some(_) => return Err(request.unknown(Self::CARD.scopes)),
        };
        Ok(mazes.into())
    }
}

impl Maze {
    fn letter(direction: Direction) -> &'static str {
        LETTERS[direction as usize]
    }

    /// A heuristic of the card that estimates the distance to a cell, which a die reaches with the 1 up.
    fn heuristic_to(&self, name: &str, target: u32) -> Option<Erased<'static, Self>> {
        Some(match name {
            "zero" => Erased::new(Box::new(Zero)),
            "euclidean" => Erased::new(Box::new(Euclidean { target })),
            "manhattan" => Erased::compiled_packed(Box::new(Manhattan::new(self, target))),
            "die-roll" => Erased::new(Box::new(DieRoll { target })),
            "die-roll-as-run" => Erased::new(Box::new(DieRollAsRun { target })),
            "oriented" => Erased::new(Box::new(Oriented { target })),
            "oriented-as-run" => Erased::new(Box::new(OrientedAsRun { target })),
            "open-board" => Erased::compiled_packed(Box::new(OpenBoard::new(self, target))),
            _ => return None,
        })
    }

    fn word(direction: Direction) -> &'static str {
        ["north", "east", "south", "west"][direction as usize]
    }
}

impl Puzzle for Maze {
    fn start(&self) -> Die {
        self.die(self.start, self.start_faces)
    }

    fn state_json(&self, die: &Die) -> Value {
        let (row, column) = Maze::place(self, die.cell);
        let Faces { up, north, east } = self.faces(*die);
        json!({ "row": row, "col": column, "top": up, "north": north, "east": east })
    }

    fn board_json(&self) -> Value {
        json!({ "rows": self.symbols(self.start).into_iter().map(String::from_iter).collect::<Vec<String>>() })
    }

    fn beginning_at(&self, state: &Value) -> Result<Self, BadState> {
        let bad = || BadState::new("{\"row\", \"col\", \"top\", \"north\", \"east\"} of a die on a free cell", state);
        let number = |key: &str| state[key].as_u64().and_then(|number| usize::try_from(number).ok());
        let face = |key: &str| number(key).and_then(|face| u8::try_from(face).ok());
        let place = number("row").zip(number("col"));
        let (row, column) = place.filter(|&(row, column)| row < self.rows && column < self.columns).ok_or_else(bad)?;
        let faces = face("top").zip(face("north")).zip(face("east"));
        let faces = faces.map(|((up, north), east)| Faces { up, north, east });
        let start_faces = faces.filter(|faces| self.orientations.faces.contains(faces)).ok_or_else(bad)?;
        let start = Some(self.cell(row, column)).filter(|&cell| self.is_free(cell)).ok_or_else(bad)?;
        let mut maze = self.clone();
        (maze.start, maze.start_faces) = (start, start_faces);
        Ok(maze)
    }

    fn move_name(&self, _before: &Die, direction: Direction) -> String {
        Maze::letter(direction).into()
    }

    fn draw(&self, die: &Die) -> String {
        draw::board(self, die)
    }

    fn draw_path(&self, moves: &[Direction]) -> Option<String> {
        Some(draw::path(self, moves))
    }

    fn place(&self, die: &Die) -> Option<(i64, i64)> {
        let (row, column) = Maze::place(self, die.cell);
        Some((row.into(), column.into()))
    }

    fn advice(&self) -> Advice {
        Advice::astar(
            "open-board",
            "open-board is consistent and the strongest of the admissible heuristics, and the states fit in memory",
        )
    }

    fn heuristic(&self, name: &str) -> Option<Erased<'static, Self>> {
        self.heuristic_to(name, self.goal)
    }

    fn explain(&self, heuristic: &str, die: &Die) -> Option<Explanation> {
        explain::explain(self, heuristic, *die)
    }

    fn heuristic_from_start(&self, name: &str) -> Erased<'static, Self> {
        // Heuristics that depend on the faces need the 1 up at the start, as in every file.
        let is_known = self.start_faces.up == 1 || ["zero", "euclidean"].contains(&name);
        match self.heuristic_to(name, self.start) {
            None => Erased::new(Box::new(Zero)),
            Some(heuristic) if is_known => heuristic,
            Some(_) => Erased::new(Box::new(Manhattan::new(self, self.start))),
        }
    }

    fn feature(&self, name: &str) -> Option<Feature<Self>> {
        features::named(name)
    }

    fn ranked(&self) -> Option<Scope<'_>> {
        Some(Scope::ranked(RankedStates {
            name: "maze",
            title: "every cell and orientation of the maze".into(),
            atlas: self.atlas_name(),
            states: self.states(),
            puzzle: self,
            make: FreeCells::new,
        }))
    }

    fn number_of(&self, die: &Die) -> [u64; 3] {
        [0, 0, self.pack(die).into()]
    }

    fn of_number(&self, number: [u64; 3]) -> Option<Die> {
        let [0, 0, packed] = number else { return None };
        let packed = u32::try_from(packed).ok().filter(|&packed| packed < self.index_bound())?;
        Some(self.unpack(packed)).filter(|die| self.is_free(die.cell))
    }

    /// In a file the die starts in [`Faces::START`] and not on the goal.
    fn file(&self, die: &Die) -> Option<String> {
        if self.faces(*die) != Faces::START || die.cell == self.goal {
            return None;
        }
        Some(self.symbols(die.cell).into_iter().map(|row| String::from_iter(row) + "\n").collect())
    }

    fn course(&self, run: &CourseRun<'_, Self>) -> String {
        solution::course(self, run)
    }

    fn read_solution(&self, text: &str) -> Result<Claim, Faults> {
        solution::read(self, text)
    }

    fn referee(&self) -> Box<dyn Referee> {
        let (row, column) = Maze::place(self, self.start);
        let Faces { up, north, east } = self.start_faces;
        Box::new(MazeReferee {
            rows: self.symbols(self.start),
            start: (row.into(), column.into()),
            faces: [up, north, east],
        })
    }
}
