//! Sliding tiles: the 8-, 15- and 24-puzzle and every other size from 2 x 2.
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]

mod ahead;
mod board;
mod chart;
mod databases;
mod features;
pub mod heuristics;
mod made;
mod number;
mod parameters;
pub mod pdb;
mod read;
mod referee;
mod subtree;
#[cfg(test)]
mod tests;
mod walking;
mod word;

use admissible::{Erased, Invertible as _, StateSpace as _};
use std::ops::ControlFlow;

use admissible::audit::{Interrupted, Listed};
use admissible::heuristic::Zero;
use admissible::search::Outcome;
use anstyle::{AnsiColor, Style};
use rand::seq::SliceRandom as _;
use rand::{Rng, RngExt as _};
use serde_json::{Value, json};

pub use board::{Board, Slide, Slides, Tiles};
pub use word::{Cell, KeyedWord, Word};

use admissible_front::expanse::{Region, Whole, WithChart, WithExpanse};
use admissible_front::grid::Direction;
use admissible_front::puzzle::{
    Advice, BadState, Card, Claim, CourseRun, Family, Feature, GenerateError, HeuristicCard, Puzzle, ReadOptions,
    Referee, TableBytes, Truth, WithPuzzle, ZERO_CARD,
};
use admissible_front::survey::{SAMPLE, ScopeCard, ScopeError, Single, WithSurvey, parse_scope};
use admissible_front::text::{Faults, Line, move_order, paragraphs};
use admissible_front::{BenchSet, DatabaseSet, Entry, Of, Parameters, Setting};
use chart::Boards;
use databases::partition_name;
use heuristics::{LinearConflict, Manhattan, Misplaced, WalkingDistance};
use pdb::{MOST_GROUPS, PRESETS};
use read::Layout;
use referee::TilesReferee;

/// The words of the course, by [`Direction`]: the way the tile goes.
const WORDS: [&str; 4] = ["UP", "RIGHT", "DOWN", "LEFT"];

fn word(slide: Slide) -> &'static str {
    WORDS[slide.direction() as usize]
}

/// Up to this many cells every state that a search meets fits into memory.
const SMALL: usize = 12;
/// Up to this many cells an audit looks at every board: 1,814,400 of them.
const MOST_SURVEYED: usize = 10;

/// Sliding-tile puzzles of any size.
#[derive(Debug)]
pub struct SlidingTiles;

/// The row of the registry. A function that is never inlined, so that the searches are compiled into this crate alone.
#[inline(never)]
pub fn entry() -> &'static dyn Entry {
    &Of::<SlidingTiles>::ROW
}

/// Korf's instances.
static BENCH_SETS: &[BenchSet] = &[
    BenchSet {
        name: "korf100",
        summary: "Korf's 100 random 15-puzzles (1985)",
        puzzle: "tiles",
        goal: Some("blank-first"),
        lines: include_str!("../../../instances/tiles/korf100.txt"),
        nodes: include_str!("../../../instances/tiles/korf100_nodes.txt"),
    },
    BenchSet {
        name: "korf50",
        summary: "Korf and Felner's 50 random 24-puzzles (2002); most take minutes to hours",
        puzzle: "tiles",
        goal: Some("blank-first"),
        lines: include_str!("../../../instances/tiles/korf50.txt"),
        nodes: "",
    },
];

impl Family for SlidingTiles {
    const CARD: Card = Card {
        name: "tiles",
        summary: "slide numbered tiles into order: the 8-, 15- and 24-puzzle and other sizes",
        format: "numbers with blanks between them, 0 the gap, one row a line (a square board may stand on one line); \
                 the goal is 1 2 3 ... with the gap last, or --goal blank-first, or a second board after an empty line",
        // The gap goes up, left, right, down: the order that published node counts of IDA* refer to.
        moves: &["DOWN", "RIGHT", "LEFT", "UP"],
        heuristics: &[
            ZERO_CARD,
            HeuristicCard {
                name: "misplaced",
                summary: "the number of tiles that are not in their place",
                claim: "admissible, consistent",
                admissible: Truth::Yes,
                consistent: Truth::Yes,
            },
            HeuristicCard {
                name: "manhattan",
                summary: "the sum of the tiles' distances along the grid",
                claim: "admissible, consistent",
                admissible: Truth::Yes,
                consistent: Truth::Yes,
            },
            HeuristicCard {
                name: "linear-conflict",
                summary: "manhattan + 2 for each tile that must leave its line to let others pass",
                claim: "admissible, consistent",
                admissible: Truth::Yes,
                consistent: Truth::Yes,
            },
            HeuristicCard {
                name: "walking-distance",
                summary: "the fewest moves between rows + the fewest between columns; up to 4 x 4 and 2 x 5",
                claim: "admissible, consistent",
                admissible: Truth::Yes,
                consistent: Truth::Yes,
            },
            HeuristicCard {
                name: "pdb",
                summary: "additive pattern databases, the board and its mirror image; pdb:6-6-3 or pdb:aab/abb/cc. chooses groups",
                claim: "(ours) admissible",
                admissible: Truth::Yes,
                consistent: Truth::Sometimes("where one table holds all tiles (3x3); others forget where the gap is"),
            },
        ],
        features: features::CARDS,
        parameters: parameters::PARAMETERS,
        metrics: &[],
        course_heuristics: &[],
        audited: "every board of 3 x 3",
        classics: "",
        bench_sets: BENCH_SETS,
        scopes: &[
            ScopeCard { name: "RxC", summary: "every solvable board of R x C cells, up to 10 cells", of_file: false },
            ScopeCard { name: "boards", summary: "every board that leads to the goal, up to 10 cells", of_file: true },
            ScopeCard { name: "sample:N", summary: "about N boards near the goal and on shortest ways", of_file: true },
        ],
    };

    fn recognises(text: &str) -> bool {
        let lines = paragraphs(text);
        let mut words = lines.iter().flatten().flat_map(Line::words);
        let numbers = words.clone().filter(|(_, word)| word.bytes().all(|b| b.is_ascii_digit())).count();
        // Most words are numbers, and some line has several: a typing error should not hide what it is.
        numbers * 2 > words.clone().count()
            && lines.iter().flatten().any(|line| line.words().len() > 1)
            && !words.any(|(_, word)| word.contains(['<', '>', '^', '{', '*']))
    }

    fn open<V: WithPuzzle>(text: &str, options: &ReadOptions, visitor: V) -> Result<V::Out, Faults> {
        let (start, given) = Layout::read(text)?;
        let Layout { rows, columns, tiles } = start;
        let cells = tiles.len();
        let gap_last = || (1..cells as u8).chain([0]).collect();
        let goal: Vec<u8> = match (options.goal.as_deref(), given) {
            (None, Some(given)) => given.tiles,
            (Some(_), Some(_)) => return Err(Faults::option("--goal: the file has a goal of its own")),
            (None | Some("blank-last"), None) => gap_last(),
            (Some("blank-first"), None) => (0..cells as u8).collect(),
            (Some(other), None) => {
                return Err(Faults::option(format!("--goal: expected blank-first or blank-last, found '{other}'")));
            }
        };
        let names: Vec<&str> = Self::CARD.moves.to_vec();
        let places = move_order(options.move_order.as_deref(), &names)?;
        let direction =
            |at: usize| WORDS.iter().position(|&word| word == names[places[at]]).expect("a word of the card");
        let order = [0, 1, 2, 3].map(|at| Direction::ALL[direction(at)]);
        let shelf = options.shelf.clone();
        Ok(if cells <= u64::CELLS {
            visitor.call(Tiles::<u64>::new(rows, columns, &tiles, &goal, order).with_shelf(shelf))
        } else if cells <= u128::CELLS {
            visitor.call(Tiles::<u128>::new(rows, columns, &tiles, &goal, order).with_shelf(shelf))
        } else {
            visitor.call(Tiles::<[u64; 4]>::new(rows, columns, &tiles, &goal, order).with_shelf(shelf))
        })
    }

    fn databases() -> Vec<DatabaseSet> {
        ahead::database_sets()
    }

    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, GenerateError> {
        let (rows, columns) = parameters.size("size");
        let cells = rows * columns;
        let solved: Vec<u8> = (1..cells as u8).chain([0]).collect();
        let space = |tiles: &[u8]| Tiles::<[u64; 4]>::new(rows, columns, tiles, &solved, Direction::ALL);
        let tiles = match parameters.get("scramble") {
            Some(&Setting::Count(steps)) => {
                let walk = space(&solved);
                let mut board = walk.goal;
                let mut last: Option<Slide> = None;
                for _ in 0..steps {
                    let way_back = last.and_then(|slide| walk.inverse(slide));
                    let moves: Vec<Slide> = walk.moves(&board).filter(|&m| Some(m) != way_back).collect();
                    let m = moves[random.random_range(0..moves.len())];
                    walk.apply(&mut board, m);
                    last = Some(m);
                }
                walk.list(&board)
            }
            _ => {
                let mut tiles = solved.clone();
                tiles.shuffle(random);
                let shuffled = space(&tiles);
                if !shuffled.is_solvable(&shuffled.start) {
                    // Swapping two tiles, neither of them the gap, changes the parity.
                    let others: Vec<usize> = (0..cells).filter(|&cell| tiles[cell] != 0).take(2).collect();
                    tiles.swap(others[0], others[1]);
                }
                tiles
            }
        };
        Ok(write_rows(&tiles, columns))
    }

    fn survey<V: WithSurvey>(scope: Option<&str>, _random: &mut dyn Rng, visitor: V) -> Result<V::Out, ScopeError> {
        let (rows, columns) = parse_size(scope.unwrap_or("3x3"), u64::CELLS)?;
        let solved: Vec<u8> = (1..(rows * columns) as u8).chain([0]).collect();
        let names: [Direction; 4] = [Direction::South, Direction::East, Direction::West, Direction::North];
        Tiles::<u64>::new(rows, columns, &solved, &solved, names).survey(None, visitor)
    }

    fn expanse<V: WithExpanse>(region: &Region, visitor: V) -> Result<V::Out, ScopeError> {
        let (rows, columns) = match &region.scope {
            Some(scope) => parse_size(scope, <[u64; 4]>::CELLS)?,
            None => region.parameters.size("size"),
        };
        struct Explore<V>(V);
        impl<V: WithExpanse> WithPuzzle for Explore<V> {
            type Out = Result<V::Out, ScopeError>;
            fn call<P: Puzzle>(self, puzzle: P) -> Self::Out {
                puzzle.expanse(None, self.0)
            }
        }
        let text = write_rows(&(1..(rows * columns) as u8).chain([0]).collect::<Vec<u8>>(), columns);
        match Self::open(&text, &region.reading, Explore(visitor)) {
            Ok(explored) => explored,
            Err(faults) => {
                Err(ScopeError(faults.iter().map(|fault| fault.message.clone()).collect::<Vec<_>>().join("; ")))
            }
        }
    }
}

/// Rows and columns from words like `3x4`.
fn parse_size(scope: &str, most: usize) -> Result<(usize, usize), ScopeError> {
    let size = scope.split_once('x').and_then(|(rows, columns)| {
        let (rows, columns): (usize, usize) = (rows.parse().ok()?, columns.parse().ok()?);
        (rows >= 2 && columns >= 2 && rows.checked_mul(columns)? <= most).then_some((rows, columns))
    });
    size.ok_or_else(|| ScopeError::unknown(scope, SlidingTiles::CARD.scopes, false))
}

/// Tiles as a file has them.
fn write_rows(tiles: &[u8], columns: usize) -> String {
    let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ") + "\n";
    tiles.chunks(columns).map(row).collect()
}

impl<W: Word> Puzzle for Tiles<W> {
    fn start(&self) -> Board<W> {
        self.start
    }

    fn solvable(&self, board: &Board<W>) -> Option<bool> {
        Some(self.is_solvable(board))
    }

    fn state_json(&self, board: &Board<W>) -> Value {
        json!(self.list(board))
    }

    fn board_json(&self) -> Value {
        json!({ "rows": self.rows, "columns": self.columns, "goal": self.list(&self.goal) })
    }

    fn beginning_at(&self, state: &Value) -> Result<Self, BadState> {
        let bad = || BadState::new(&format!("every number from 0 to {} once", self.cells() - 1), state);
        let tile = |value: &Value| value.as_u64().filter(|&tile| tile < self.cells() as u64).map(|tile| tile as u8);
        let tiles = state.as_array().and_then(|tiles| tiles.iter().map(tile).collect::<Option<Vec<u8>>>());
        let tiles = tiles.filter(|tiles| tiles.len() == self.cells()).ok_or_else(bad)?;
        if (0..self.cells() as u8).any(|tile| !tiles.contains(&tile)) {
            return Err(bad());
        }
        Ok(self.beginning_with(&tiles))
    }

    fn move_name(&self, _before: &Board<W>, slide: Slide) -> String {
        word(slide).into()
    }

    fn draw(&self, board: &Board<W>) -> String {
        let home = AnsiColor::Green.on_default();
        let away = Style::new().bold();
        let width = (self.cells() - 1).to_string().len();
        let rule = |left: &str, middle: &str, right: &str| {
            let cells = vec!["─".repeat(width + 2); self.columns];
            format!("{left}{}{right}\n", cells.join(middle))
        };
        let (tiles, goal) = (self.list(board), self.list(&self.goal));
        let cell = |(&tile, &wanted): (&u8, &u8)| match tile {
            0 => " ".repeat(width + 2),
            _ if tile == wanted => format!(" {home}{tile:>width$}{home:#} "),
            _ => format!(" {away}{tile:>width$}{away:#} "),
        };
        let rows: Vec<String> = tiles
            .chunks(self.columns)
            .zip(goal.chunks(self.columns))
            .map(|(tiles, goal)| format!("│{}│\n", tiles.iter().zip(goal).map(cell).collect::<Vec<_>>().join("│")))
            .collect();
        rule("┌", "┬", "┐") + &rows.join(&rule("├", "┼", "┤")) + &rule("└", "┴", "┘")
    }

    fn advice(&self) -> Advice {
        self.advice_within(u64::MAX)
    }

    fn advice_within(&self, bytes: u64) -> Advice {
        if self.cells() <= SMALL {
            return Advice {
                algorithm: "astar",
                heuristic: "linear-conflict",
                why: "linear-conflict is the strongest heuristic here without tables, and the states of a small board fit \
                      in memory",
                then: None,
            };
        }
        let (heuristic, why) = if let Some(preset) = self.best_at_hand(bytes) {
            (preset.heuristic, "its tables are at hand, and no other heuristic here is as strong")
        } else if WalkingDistance::serves(self.rows, self.columns) {
            (
                "walking-distance",
                "walking-distance has its tables at once, and IDA* needs no memory for a space this large",
            )
        } else {
            ("linear-conflict", "linear-conflict needs no tables, and IDA* needs no memory for a space this large")
        };
        let then = if heuristic.starts_with("pdb") { None } else { self.worth_building(bytes) };
        Advice { algorithm: "idastar-pruned", heuristic, why, then }
    }

    fn tables(&self, heuristic: &str) -> TableBytes {
        self.partition(heuristic).map_or(TableBytes::default(), |partition| self.table_bytes(&partition))
    }

    fn prepare(&self, heuristic: &str, watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Result<(), Interrupted> {
        let Some(partition) = self.partition(heuristic) else { return Ok(()) };
        let (mut done, work) = (0, self.entries_to_build(&partition));
        let mut count = |entries| {
            done += entries;
            watch(done, work)
        };
        self.load(&partition, &mut count).map(drop)
    }

    fn heuristic(&self, name: &str) -> Option<Erased<'static, Self>> {
        Some(match name {
            "zero" => Erased::new(Box::new(Zero)),
            "misplaced" => Erased::new(Box::new(Misplaced::new(self, &self.goal))),
            "manhattan" if const { W::CELLS <= u64::CELLS } => {
                Erased::compiled(Box::new(Manhattan::new(self, &self.goal)))
            }
            // On larger boards A* waits for memory, and is as fast with it erased.
            "manhattan" => Erased::new(Box::new(Manhattan::new(self, &self.goal))),
            "linear-conflict" => Erased::compiled(Box::new(LinearConflict::new(self, &self.goal))),
            // It serves no board in a larger word, so nothing has to be compiled for those.
            "walking-distance" if const { W::CELLS <= u64::CELLS } => {
                Erased::compiled(Box::new(WalkingDistance::new(self, &self.goal)))
            }
            name => self.pattern_sums(&self.partition(name)?),
        })
    }

    fn lacks(&self, heuristic: &str) -> Option<String> {
        let (rows, columns) = (self.rows, self.columns);
        if heuristic == "walking-distance" && !WalkingDistance::serves(rows, columns) {
            return Some(format!("its tables for {rows} x {columns} would be too large"));
        }
        let partition = partition_name(heuristic)??;
        let fitting = PRESETS.iter().filter(|preset| preset.size == (rows, columns)).map(|preset| preset.name);
        let names: Vec<&str> = fitting.collect();
        let known = if names.is_empty() { "only pdb itself".into() } else { names.join(", ") };
        let missing = || {
            format!(
                "'{partition}' is no partition for {rows} x {columns} and this goal: there is {known}; or draw one, \
                        a letter for each tile of the goal, up to {MOST_GROUPS} groups of up to 8 tiles, such as aab/abb/cc."
            )
        };
        self.partition(heuristic).is_none().then(missing)
    }

    fn feature(&self, name: &str) -> Option<Feature<Self>> {
        features::named(self, name)
    }

    fn survey<V: WithSurvey>(&self, scope: Option<&str>, visitor: V) -> Result<V::Out, ScopeError> {
        let small = self.cells() <= MOST_SURVEYED;
        match scope.map(parse_scope).transpose()? {
            None if !small => Ok(visitor.sample(self, vec![self.goal], SAMPLE)),
            None | Some(("boards", None)) if small => {
                let states = Listed::reachable(self, [self.goal], usize::MAX)?;
                let title = format!("every {} x {} board that leads to the goal", self.rows, self.columns);
                Ok(visitor.every(&Single::backward(title, self, states)))
            }
            Some(("boards", None)) => Err(ScopeError(format!(
                "boards of more than {MOST_SURVEYED} cells are too many to look at: choose sample:N"
            ))),
            Some(("sample", Some(states))) => Ok(visitor.sample(self, vec![self.goal], states)),
            _ => Err(ScopeError::unknown(scope.unwrap_or_default(), SlidingTiles::CARD.scopes, true)),
        }
    }

    fn heuristic_from_start(&self, name: &str) -> Erased<'static, Self> {
        match name {
            "misplaced" => Erased::new(Box::new(Misplaced::new(self, &self.start))),
            "manhattan" => Erased::new(Box::new(Manhattan::new(self, &self.start))),
            "linear-conflict" => Erased::new(Box::new(LinearConflict::new(self, &self.start))),
            "walking-distance" if const { W::CELLS <= u64::CELLS } => {
                Erased::new(Box::new(WalkingDistance::new(self, &self.start)))
            }
            _ => Erased::new(Box::new(Zero)),
        }
    }

    fn expanse<V: WithExpanse>(&self, scope: Option<&str>, visitor: V) -> Result<V::Out, ScopeError> {
        if scope.is_some_and(|scope| scope != "boards") {
            return Err(ScopeError::unknown(scope.unwrap_or_default(), SlidingTiles::CARD.scopes, true));
        }
        Ok(visitor.numbered(&Whole {
            title: format!("every {} x {} board that leads to the goal", self.rows, self.columns),
            name: self.atlas_name(),
            states: chart::count(self.cells()).unwrap_or(u128::MAX),
            puzzle: self,
            make: Boards::new,
        }))
    }

    fn atlases(&self) -> Vec<String> {
        if self.cells() > chart::MOST_CELLS { Vec::new() } else { vec![self.atlas_name()] }
    }

    fn with_atlas<U: WithChart<Self>>(&self, _name: &str, user: U) -> Option<U::Out> {
        Some(user.call(&Boards::new(self)))
    }

    fn number_of(&self, board: &Board<W>) -> [u64; 3] {
        self.rank(board)
    }

    fn of_number(&self, number: [u64; 3]) -> Option<Board<W>> {
        self.unrank(number)
    }

    fn file(&self, board: &Board<W>) -> Option<String> {
        let start = write_rows(&self.list(board), self.columns);
        let goal = self.list(&self.goal);
        let is_usual = goal.iter().copied().eq((1..self.cells() as u8).chain([0]));
        Some(if is_usual { start } else { format!("{start}\n{}", write_rows(&goal, self.columns)) })
    }

    fn course(&self, run: &CourseRun<'_, Self>) -> String {
        match run.outcome {
            Outcome::Solved(solution) => solution.moves.iter().map(|&slide| format!("{}\n", word(slide))).collect(),
            Outcome::Unsolvable => "UNSOLVABLE\n".into(),
            Outcome::Stopped { .. } => "UNSOLVED\n".into(),
        }
    }

    fn read_solution(&self, text: &str) -> Result<Claim, Faults> {
        let mut actions = Vec::new();
        for line in paragraphs(text).iter().flatten() {
            for (column, word) in line.words() {
                for name in word.split(|c: char| !c.is_alphanumeric()).filter(|name| !name.is_empty()) {
                    if name.eq_ignore_ascii_case("UNSOLVABLE") {
                        let alone = text.split_whitespace().count() == 1;
                        let message = "expected UNSOLVABLE to stand alone, found moves beside it";
                        return alone.then_some(Claim::Unsolvable).ok_or(Faults::one(line.number, column, message));
                    }
                    let Some(known) = WORDS.iter().find(|known| known.eq_ignore_ascii_case(name)) else {
                        let message = format!("expected LEFT, RIGHT, UP, DOWN or UNSOLVABLE, found '{name}'");
                        return Err(Faults::one(line.number, column, message));
                    };
                    actions.push((*known).to_string());
                }
            }
        }
        Ok(Claim::Actions(actions))
    }

    fn referee(&self) -> Box<dyn Referee> {
        Box::new(TilesReferee { columns: self.columns, start: self.list(&self.start), goal: self.list(&self.goal) })
    }
}
