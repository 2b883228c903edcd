//! Rolling-die mazes: roll a die from S to G so that it arrives with the 1 up and never shows the 6 on top.
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]

mod features;
pub mod heuristics;
mod maze;
mod orientation;
mod page;
mod parameters;
mod ranking;
mod read;
mod referee;
mod scope;
#[cfg(test)]
mod tests;

use admissible::heuristic::Zero;
use admissible::search::{Outcome, cheapest_move};
use admissible::{Erased, Indexed as _, StateSpace as _};
use anstyle::{AnsiColor, Style};
use rand::Rng;
use serde_json::{Value, json};

pub use maze::{Die, Maze};
pub use orientation::Faces;

use admissible_front::grid::Direction;
use admissible_front::puzzle::{
    Advice, BadState, Card, Claim, CourseRun, Family, Feature, GenerateError, HeuristicCard, Illegal, Puzzle,
    ReadOptions, Referee, Truth, WithPuzzle, ZERO_CARD,
};
use admissible_front::scope::{REACHABLE, Scope, ScopeCard, ScopeError, ScopeRequest, ScopeVisitor, Single};
use admissible_front::text::{Faults, Line, move_order, paragraphs};
use admissible_front::{Parameters, Purpose};
use heuristics::{DieRoll, Euclidean, Manhattan, OpenBoard, Oriented};
use ranking::FreeCells;
use read::Layout;
use referee::MazeReferee;

/// The order in which the first report's program tried the rolls: with it, its table comes out.
const ORDER: [Direction; 4] = [Direction::East, Direction::South, Direction::West, Direction::North];
const LETTERS: [&str; 4] = ["N", "E", "S", "W"];

/// Rolling-die mazes of any size.
#[derive(Debug)]
pub struct DieMazes;

admissible_front::entry!(DieMazes);

impl Family for DieMazes {
    const CARD: Card = Card {
        name: "die",
        summary: "roll a die through a maze; it must arrive with the 1 up and never show the 6 on top",
        format: "a grid, one row a line: S start, G goal, . free, * obstacle; blanks between the cells are allowed",
        examples: page::EXAMPLES,
        page: Some(page::PAGE),
        moves: &["E", "S", "W", "N"],
        heuristics: &[
            ZERO_CARD,
            HeuristicCard {
                name: "euclidean",
                summary: "the straight-line distance, not rounded",
                claim: "admissible",
                admissible: Truth::Yes,
                consistent: Truth::Yes,
            },
            HeuristicCard {
                name: "manhattan",
                summary: "the distance along the grid",
                claim: "admissible, consistent",
                admissible: Truth::Yes,
                consistent: Truth::Yes,
            },
            HeuristicCard {
                name: "die-roll",
                summary: "the distance along the grid, plus 2 or 4 by where the 1 is",
                claim: "admissible",
                admissible: Truth::Yes,
                consistent: Truth::No("it can fall by more than 1 in a roll, so A* has to reopen states"),
            },
            HeuristicCard {
                name: "oriented",
                summary: "the distance along the grid, plus 0, 2 or 4 by which way the 1 faces",
                claim: "admissible, consistent",
                admissible: Truth::No(
                    "one roll from the goal it says 3; A* that never reopens answers 11 instead of 9 on G*.. .... .... ..S.",
                ),
                consistent: Truth::No("one roll from the goal it says 3"),
            },
            HeuristicCard {
                name: "open-board",
                summary: "the exact distance on a board without obstacles",
                claim: "admissible, consistent",
                admissible: Truth::Yes,
                consistent: Truth::Yes,
            },
        ],
        features: features::CARDS,
        parameters: parameters::PARAMETERS,
        metrics: &[],
        course_heuristics: &["euclidean", "manhattan", "die-roll"],
        audited: "every cell and orientation of open boards, and of random mazes",
        classics: "",
        bench_sets: &[],
        scopes: &[
            ScopeCard {
                name: "open:N",
                summary: "every open board of up to N x N cells with every goal, every cell and orientation",
                of_file: false,
            },
            ScopeCard { name: "random:N", summary: "every cell and orientation of N random mazes", of_file: false },
            ScopeCard { name: "maze", summary: "every cell and orientation of the maze", of_file: true },
            REACHABLE,
        ],
    };

    fn recognises(text: &str) -> bool {
        let cells = || text.chars().filter(|c| !c.is_whitespace() && *c != '\u{feff}');
        let ours = cells().filter(|&c| "SG*.".contains(c)).count();
        // A slip of the pen should not hide what it is; boards of dots and digits are Klotski.
        let typical = cells().any(|c| "SG*".contains(c)) || ours == cells().count();
        ours * 2 > cells().count() && typical && !cells().any(|c| "<>^{".contains(c))
    }

    fn open<V: WithPuzzle>(text: &str, options: &ReadOptions, visitor: V) -> Result<V::Out, Faults> {
        if options.goal.is_some() {
            return Err(Faults::option("--goal: a die maze has its goal in the file"));
        }
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

    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, GenerateError> {
        Ok(Layout::random(parameters.size("size"), parameters.share("density"), random).write())
    }

    fn scope<V: ScopeVisitor>(request: &ScopeRequest, visitor: V) -> Result<V::Out, ScopeError> {
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
        Ok(visitor.ranked(&mazes))
    }
}

impl Maze {
    fn letter(direction: Direction) -> &'static str {
        LETTERS[direction as usize]
    }

    fn word(direction: Direction) -> &'static str {
        ["north", "east", "south", "west"][direction as usize]
    }

    /// The symbols of the maze. Where a die begins on the goal, the goal is shown.
    fn symbols(&self) -> Vec<Vec<char>> {
        let symbol = |cell: u32| match cell {
            _ if cell == self.goal => 'G',
            _ if cell == self.start => 'S',
            _ if self.is_free(cell) => '.',
            _ => '*',
        };
        let row = |row| (0..self.columns).map(|column| symbol(self.cell(row, column))).collect();
        (0..self.rows).map(row).collect()
    }

    /// The maze as text, with something else in some cells.
    fn picture(&self, mut inside: impl FnMut(u32) -> Option<String>) -> String {
        let obstacle = AnsiColor::BrightBlack.on_default();
        let end = Style::new().bold().fg_color(Some(AnsiColor::Green.into()));
        let mut text = String::new();
        for row in 0..self.rows {
            let cells: Vec<String> = (0..self.columns)
                .map(|column| {
                    let cell = self.cell(row, column);
                    inside(cell).unwrap_or_else(|| match cell {
                        _ if !self.is_free(cell) => format!("{obstacle}*{obstacle:#}"),
                        _ if cell == self.start => format!("{end}S{end:#}"),
                        _ if cell == self.goal => format!("{end}G{end:#}"),
                        _ => ".".into(),
                    })
                })
                .collect();
            text += &cells.join(" ");
            text.push('\n');
        }
        text
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
        json!({ "rows": self.symbols().into_iter().map(String::from_iter).collect::<Vec<String>>() })
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
        let style = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
        let up = self.faces(*die).up;
        self.picture(|cell| (cell == die.cell).then(|| format!("{style}{up}{style:#}")))
    }

    fn draw_path(&self, moves: &[Direction]) -> Option<String> {
        let style = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
        let mut arrows = std::collections::HashMap::new();
        let mut die = self.start();
        for &direction in moves {
            arrows.insert(die.cell, ["↑", "→", "↓", "←"][direction as usize]);
            self.apply(&mut die, direction);
        }
        Some(self.picture(|cell| {
            let arrow = arrows.get(&cell).filter(|_| cell != self.start && cell != self.goal)?;
            Some(format!("{style}{arrow}{style:#}"))
        }))
    }

    fn place(&self, die: &Die) -> Option<(i64, i64)> {
        let (row, column) = Maze::place(self, die.cell);
        Some((row.into(), column.into()))
    }

    fn advice(&self) -> Advice {
        Advice {
            algorithm: "astar",
            heuristic: "open-board",
            why: "open-board is consistent and the strongest of the admissible heuristics, and the states fit in memory",
            fallback: None,
        }
    }

    fn heuristic(&self, name: &str) -> Option<Erased<'static, Self>> {
        let target = self.goal;
        Some(match name {
            "zero" => Erased::new(Box::new(Zero)),
            "euclidean" => Erased::new(Box::new(Euclidean { target })),
            "manhattan" => Erased::compiled(Box::new(Manhattan::new(self, target))),
            "die-roll" => Erased::new(Box::new(DieRoll { target })),
            "oriented" => Erased::new(Box::new(Oriented { target })),
            "open-board" => Erased::compiled(Box::new(OpenBoard::new(self, target))),
            _ => return None,
        })
    }

    fn heuristic_from_start(&self, name: &str) -> Erased<'static, Self> {
        let target = self.start;
        // Those that look at the faces take it that the 1 is up at the start, as it is in every file.
        let upright = self.start_faces.up == 1;
        match name {
            "euclidean" => Erased::new(Box::new(Euclidean { target })),
            "die-roll" if upright => Erased::new(Box::new(DieRoll { target })),
            "oriented" if upright => Erased::new(Box::new(Oriented { target })),
            "open-board" if upright => Erased::new(Box::new(OpenBoard::new(self, target))),
            "manhattan" | "die-roll" | "oriented" | "open-board" => Erased::new(Box::new(Manhattan::new(self, target))),
            _ => Erased::new(Box::new(Zero)),
        }
    }

    fn feature(&self, name: &str) -> Option<Feature<Self>> {
        features::named(name)
    }

    fn ranked(&self) -> Option<impl Scope<Puzzle = Self>> {
        Some(Single {
            name: "maze",
            title: "every cell and orientation of the maze".into(),
            atlas: self.atlas_name(),
            states: self.states(),
            puzzle: self,
            make: FreeCells::new,
        })
    }

    /// Every maze starts with the die in the same orientation, and elsewhere than at the goal.
    fn number_of(&self, die: &Die) -> [u64; 3] {
        [0, 0, self.pack(die).into()]
    }

    fn of_number(&self, number: [u64; 3]) -> Option<Die> {
        let [0, 0, packed] = number else { return None };
        let packed = u32::try_from(packed).ok().filter(|&packed| packed < self.index_bound())?;
        Some(self.unpack(packed)).filter(|die| self.is_free(die.cell))
    }

    fn file(&self, die: &Die) -> Option<String> {
        if self.faces(*die) != Faces::START || die.cell == self.goal {
            return None;
        }
        let symbol = |cell: u32| match cell {
            _ if cell == die.cell => 'S',
            _ if cell == self.goal => 'G',
            _ if self.is_free(cell) => '.',
            _ => '*',
        };
        let row = |row: usize| (0..self.columns).map(move |column| symbol(self.cell(row, column))).chain(['\n']);
        Some((0..self.rows).flat_map(row).collect())
    }

    /// The reports count the start and every successor that is not closed as generated, and what is taken off the
    /// frontier, goal included, as visited.
    fn course(&self, run: &CourseRun<'_, Self>) -> String {
        let mut text = String::new();
        let mut line = |content: String| {
            text += &content;
            text.push('\n');
        };
        let show = |die: Die, by: Option<Direction>| {
            let (row, column) = Maze::place(self, die.cell);
            let faces = self.faces(die);
            let by = by.map_or("start", Maze::word);
            format!("row {row}, column {column}, north {}, up {}, {by}", faces.north, faces.up)
        };
        line(format!("Heuristic: {}", run.heuristic));
        line("Visited states:".into());
        for (at, visit) in run.visited.iter().enumerate() {
            let by = visit.parent.and_then(|parent| cheapest_move(self, parent, visit.state));
            line(format!("{:>5}. {}", at + 1, show(self.unpack(visit.state), by.map(|(_, m)| m))));
        }
        line(format!("Nodes generated: {}", run.stats.generated_not_closed + 1));
        line(format!("Nodes visited: {}", run.visited.len()));
        match run.outcome {
            Outcome::Solved(solution) => {
                line(format!("Moves in the solution: {}", solution.cost));
                line("Solution:".into());
                let mut die = self.start();
                line(format!("{:>5}. {}", 0, show(die, None)));
                for (at, &m) in solution.moves.iter().enumerate() {
                    self.apply(&mut die, m);
                    line(format!("{:>5}. {}", at + 1, show(die, Some(m))));
                }
                let letters: Vec<&str> = solution.moves.iter().map(|&m| Maze::letter(m)).collect();
                line(format!("Rolls: {}", letters.join(" ")));
            }
            Outcome::Unsolvable => line("No solution".into()),
            Outcome::Stopped { why, lower_bound } => {
                line(format!("Stopped {}: every solution has at least {lower_bound} moves", why.phrase()));
            }
        }
        text
    }

    /// Rolls as letters or words in any mixture, or the course output, every section of which has to be right; the last
    /// one is the claim.
    fn read_solution(&self, text: &str) -> Result<Claim, Faults> {
        let lines: Vec<Line<'_>> = paragraphs(text).into_iter().flatten().collect();
        let none = lines.iter().find(|line| line.text.trim().eq_ignore_ascii_case("no solution"));
        let has_rolls = lines.iter().any(|line| line.text.trim_start().starts_with("Rolls:"));
        if let Some(line) = none.filter(|_| has_rolls) {
            return Err(Faults::one(line.number, 1, "expected sections that agree, found 'No solution' beside rolls"));
        }
        let mut sections = lines.iter().filter(|line| line.text.trim_start().starts_with("Rolls:")).peekable();
        while let Some(rolls) = sections.next() {
            let claim = read_rolls(rolls.words().split_off(1).into_iter().map(|word| (rolls.number, word)))?;
            let Claim::Actions(actions) = &claim else { return Ok(claim) };
            if sections.peek().is_none() {
                return Ok(claim);
            }
            if let Err(illegal) = self.referee().replay(actions) {
                let reason = format!("{} (in the section that ends at line {})", illegal.reason, rolls.number);
                return Ok(Claim::Broken { actions: actions.len() as u32, illegal: Illegal { reason, ..illegal } });
            }
        }
        if none.is_some() {
            return Ok(Claim::Unsolvable);
        }
        read_rolls(lines.iter().flat_map(|line| line.words().into_iter().map(|word| (line.number, word))))
    }

    fn referee(&self) -> Box<dyn Referee> {
        let (row, column) = Maze::place(self, self.start);
        let Faces { up, north, east } = self.start_faces;
        Box::new(MazeReferee { rows: self.symbols(), start: (row.into(), column.into()), faces: [up, north, east] })
    }
}

fn read_rolls<'a>(words: impl Iterator<Item = (usize, (usize, &'a str))>) -> Result<Claim, Faults> {
    let mut actions = Vec::new();
    for (line, (column, word)) in words {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() {
            continue;
        }
        let known = Direction::ALL.into_iter().find(|&direction| {
            word.eq_ignore_ascii_case(Maze::letter(direction)) || word.eq_ignore_ascii_case(Maze::word(direction))
        });
        match known {
            Some(direction) => actions.push(Maze::letter(direction).to_string()),
            None => return Err(Faults::one(line, column, format!("expected a roll (N, E, S or W), found '{word}'"))),
        }
    }
    Ok(Claim::Actions(actions))
}
