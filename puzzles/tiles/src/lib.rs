//! Sliding tiles: the 8-, 15- and 24-puzzle and every other size from 2 x 2.
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]

mod board;
mod draw;
mod explain;
mod features;
pub mod heuristics;
mod memo;
mod number;
pub mod pdb;
mod ranking;
mod read;
mod referee;
mod solution;
#[cfg(test)]
mod tests;
mod word;

use admissible::{Erased, Invertible as _, StateSpace as _};
use std::ops::ControlFlow;

use admissible::audit::Interrupted;
use admissible::heuristic::Zero;
use admissible::platform::IS_SMALL;
use rand::seq::SliceRandom as _;
use rand::{Rng, RngExt as _};
use serde_json::{Value, json};

pub use board::{Board, Slide, Slides, Tiles};
pub use word::{Cell, KeyedWord, Word};

use admissible_front::grid::Direction;
use admissible_front::puzzle::{
    Advice, BadState, Card, Claim, CourseRun, Family, Feature, HeuristicCard, ParameterError, Puzzle, ReadOptions,
    Referee, TableBytes, Truth, WithPuzzle, ZERO_CARD,
};
use admissible_front::scope::{FamilyScope, RankedStates, SAMPLE, Scope, ScopeCard, ScopeError, ScopeRequest};
use admissible_front::text::{Faults, move_order};
use admissible_front::{
    BenchSet, DatabaseSet, Example, Explanation, Page, Parameter, ParameterKind, Parameters, Setting,
};
use explain::rules;
use heuristics::{LinearConflict, Manhattan, Misplaced, WalkingDistance};
use pdb::{MOST_GROUPS, PRESETS, partition_name};
use ranking::Boards;
use read::Layout;
use referee::TilesReferee;

/// The order of the card's moves.
const ORDER: [Direction; 4] = [Direction::South, Direction::East, Direction::West, Direction::North];
/// The words of the course by [`Direction`] of the tile.
const WORDS: [&str; 4] = ["UP", "RIGHT", "DOWN", "LEFT"];

fn word(slide: Slide) -> &'static str {
    WORDS[slide.direction() as usize]
}

/// Up to this many cells, the states of an A* search fit into memory.
const SMALL: usize = 12;

/// Sliding-tile puzzles of any size.
#[derive(Debug)]
pub struct SlidingTiles;

admissible_front::entry!(SlidingTiles);

const EXAMPLES: &[Example] = &[
    Example::new("random_3x3.txt", "random 8-puzzle", include_str!("../instances/random_3x3.txt")),
    Example::new("hardest_3x3.txt", "hardest 8-puzzle", include_str!("../instances/hardest_3x3.txt")),
    Example::new("own_goal_3x3.txt", "own goal", include_str!("../instances/own_goal_3x3.txt")),
    Example::new("random_3x4.txt", "3 x 4", include_str!("../instances/random_3x4.txt")),
    Example::new("scrambled_4x4.txt", "15-puzzle", include_str!("../instances/scrambled_4x4.txt")),
    Example::new("fourteen_fifteen.txt", "14-15, unsolvable", include_str!("../instances/fourteen_fifteen.txt")),
    Example::new("scrambled_5x5.txt", "24-puzzle", include_str!("../instances/scrambled_5x5.txt")),
];

/// The parameters of random boards and of explorations.
const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "size",
        summary: "rows and columns",
        kind: ParameterKind::Size {
            least: (2, 2),
            cells: MOST_CELLS,
            too_small: "a board has at least 2 x 2 and at most 40 cells",
            too_large: "a board has at least 2 x 2 and at most 40 cells",
        },
        default: Some(Setting::Size(4, 4)),
        explored: Some(Setting::Size(3, 3)),
    },
    Parameter {
        name: "scramble",
        summary: "random moves from the goal, instead of a random board",
        kind: ParameterKind::Walk(u32::MAX as usize),
        default: None,
        explored: None,
    },
];

/// Korf's instances, the field's standard benchmarks.
const KORF: &[BenchSet] = &[
    BenchSet {
        name: "korf100",
        summary: "Korf's 100 random 15-puzzles (1985)",
        puzzle: "tiles",
        goal: Some("blank-first"),
        lines: include_str!("../instances/korf100.txt"),
        nodes: include_str!("../instances/korf100_nodes.txt"),
    },
    BenchSet {
        name: "korf50",
        summary: "Korf and Felner's 50 random 24-puzzles (2002); most take minutes to hours",
        puzzle: "tiles",
        goal: Some("blank-first"),
        lines: include_str!("../instances/korf50.txt"),
        nodes: "",
    },
];

impl Family for SlidingTiles {
    const CARD: Card = Card {
        fixed_goal: "",
        examples: EXAMPLES,
        page: Some(Page { module: include_str!("../page.js"), style: include_str!("../page.css") }),
        // The gap goes up, left, right, down: the move order of published node counts of IDA*.
        moves: &["DOWN", "RIGHT", "LEFT", "UP"],
        heuristics: &[
            ZERO_CARD,
            HeuristicCard::consistent("misplaced", "the number of tiles that are not in their place")
                .with_rules(rules::MISPLACED),
            HeuristicCard::consistent("manhattan", "the sum of the tiles' distances along the grid")
                .with_rules(rules::MANHATTAN),
            HeuristicCard::consistent(
                "linear-conflict",
                "manhattan + 2 for each tile that must leave its line to let others pass",
            )
            .with_rules(rules::LINEAR_CONFLICT),
            HeuristicCard::consistent(
                "walking-distance",
                "the fewest moves between rows + the fewest between columns; up to 4 x 4 and 2 x 5",
            )
            .with_rules(rules::WALKING_DISTANCE),
            HeuristicCard {
                name: "pdb",
                summary: "additive pattern databases, the board and its mirror image; \
                          pdb:6-6-3 or pdb:aab/abb/cc. chooses groups",
                rules: rules::PDB,
                claim: "(ours) admissible",
                admissible: Truth::Yes,
                consistent: Truth::Sometimes("where one table holds all tiles (3x3); others forget where the gap is"),
            },
        ],
        features: features::CARDS,
        parameters: PARAMETERS,
        audited: "every board of 3 x 3",
        bench_sets: KORF,
        scopes: &[
            ScopeCard { name: "RxC", summary: "every solvable board of R x C cells, up to 10 cells", of_file: false },
            ScopeCard { name: "boards", summary: "every board that leads to the goal, up to 10 cells", of_file: true },
            SAMPLE,
        ],
        ..Card::new(
            "tiles",
            "slide numbered tiles into order: the 8-, 15- and 24-puzzle and other sizes",
            "numbers with blanks or commas between them, 0 or _ the gap, one row a line (a square board may stand on \
             one line), also [[1,2,3],[4,5,6],[7,8,0]], 123456780, 123/456/780, or after a line with the size; \
             the goal is 1 2 3 ... with the gap last, or --goal blank-first, or a second board after an empty line",
        )
    };

    fn recognises(text: &str) -> bool {
        read::recognises(text)
    }

    fn open<V: WithPuzzle>(text: &str, options: &ReadOptions, visitor: V) -> Result<V::Out, Faults> {
        let (start, given) = Layout::read(text)?;
        let Layout { rows, columns, tiles } = start;
        let goal = match (options.goal.as_deref(), given) {
            (None, Some(given)) => given.tiles,
            (Some(_), Some(_)) => return Err(Faults::option("--goal: the file has a goal of its own")),
            (name, None) => named_goal(name, tiles.len()).map_err(Faults::option)?,
        };
        let names: Vec<&str> = Self::CARD.moves.to_vec();
        let places = move_order(options.move_order.as_deref(), &names)?;
        let direction =
            |at: usize| WORDS.iter().position(|&word| word == names[places[at]]).expect("a word of the card");
        let order = [0, 1, 2, 3].map(|at| Direction::ALL[direction(at)]);
        Ok(with_tiles((rows, columns), &tiles, &goal, order, options, visitor))
    }

    fn databases() -> Vec<DatabaseSet> {
        pdb::database_sets()
    }

    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, ParameterError> {
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
                    let inverse = last.and_then(|slide| walk.inverse(slide));
                    let moves: Vec<Slide> = walk.moves(&board).filter(|&m| Some(m) != inverse).collect();
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

    fn scope(request: &ScopeRequest) -> Result<FamilyScope, ScopeError> {
        let size = match &request.name {
            Some(name) => parse_size(name)?,
            None => request.parameters.size("size"),
        };
        if !fits(size) {
            return Err(ScopeError(format!("a board has at least 2 x 2 and at most {MOST_CELLS} cells")));
        }
        struct DefaultScope;
        impl WithPuzzle for DefaultScope {
            type Out = FamilyScope;
            fn call<P: Puzzle>(self, puzzle: P) -> FamilyScope {
                FamilyScope::of(puzzle)
            }
        }
        let goal = named_goal(request.reading.goal.as_deref(), size.0 * size.1).map_err(ScopeError)?;
        Ok(with_tiles(size, &goal, &goal, ORDER, &request.reading, DefaultScope))
    }
}

/// The largest boards.
const MOST_CELLS: usize = <[u64; 4]>::CELLS;

fn fits((rows, columns): (usize, usize)) -> bool {
    rows >= 2 && columns >= 2 && rows.checked_mul(columns).is_some_and(|cells| cells <= MOST_CELLS)
}

/// The goal that `--goal` names.
fn named_goal(name: Option<&str>, cells: usize) -> Result<Vec<u8>, String> {
    match name {
        None | Some("blank-last") => Ok((1..cells as u8).chain([0]).collect()),
        Some("blank-first") => Ok((0..cells as u8).collect()),
        Some(other) => Err(format!("--goal: expected blank-first or blank-last, found '{other}'")),
    }
}

/// Calls the visitor with a puzzle whose boards use the smallest possible word; a small program has two sizes of words.
fn with_tiles<V: WithPuzzle>(
    (rows, columns): (usize, usize),
    tiles: &[u8],
    goal: &[u8],
    order: [Direction; 4],
    options: &ReadOptions,
    visitor: V,
) -> V::Out {
    let table_cache = options.table_cache.clone();
    match tiles.len() {
        cells if cells <= u64::CELLS => {
            visitor.call(Tiles::<u64>::new(rows, columns, tiles, goal, order).with_table_cache(table_cache))
        }
        cells if !IS_SMALL && cells <= u128::CELLS => {
            visitor.call(Tiles::<u128>::new(rows, columns, tiles, goal, order).with_table_cache(table_cache))
        }
        _ => visitor.call(Tiles::<[u64; 4]>::new(rows, columns, tiles, goal, order).with_table_cache(table_cache)),
    }
}

/// Parses a size such as `3x4`.
fn parse_size(name: &str) -> Result<(usize, usize), ScopeError> {
    let size = name.split_once('x').and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    size.filter(|&size| fits(size)).ok_or_else(|| ScopeError(format!("unknown scope '{name}', expected RxC")))
}

/// The text of a board in a file.
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
        draw::board(self, board)
    }

    fn advice(&self) -> Advice {
        self.advice_within(u64::MAX)
    }

    fn advice_within(&self, bytes: u64) -> Advice {
        if self.cells() <= SMALL {
            return Advice::astar(
                "linear-conflict",
                "linear-conflict is the strongest heuristic here without tables, and the states of a small board fit \
                 in memory",
            );
        }
        let (heuristic, why) = if let Some(preset) = self.best_available(bytes) {
            (preset.heuristic, "its tables are at hand, and no other heuristic here is as strong")
        } else if WalkingDistance::serves(self.rows, self.columns) {
            (
                "walking-distance",
                "walking-distance has its tables at once, and IDA* needs no memory for a space this large",
            )
        } else {
            ("linear-conflict", "linear-conflict needs no tables, and IDA* needs no memory for a space this large")
        };
        let fallbacks = self.worth_building(heuristic, bytes);
        Advice { algorithm: "idastar-pruned", heuristic, why, fallbacks }
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
                Erased::compiled_packed(Box::new(Manhattan::new(self, &self.goal)))
            }
            // On larger boards A* is bound by memory, and as fast through dynamic dispatch.
            "manhattan" => Erased::new(Box::new(Manhattan::new(self, &self.goal))),
            "linear-conflict" if const { W::CELLS <= u128::CELLS } => {
                Erased::compiled_packed(Box::new(LinearConflict::new(self, &self.goal)))
            }
            "linear-conflict" => Erased::new(Box::new(LinearConflict::new(self, &self.goal))),
            // It serves no board in a larger word, so the larger words need no compiled search.
            "walking-distance" if const { W::CELLS <= u64::CELLS } => {
                Erased::compiled_packed(Box::new(WalkingDistance::new(self, &self.goal)))
            }
            name => self.pattern_sums(&self.partition(name)?),
        })
    }

    fn guide(&self, heuristic: &str) -> Option<Erased<'static, Self>> {
        match heuristic {
            "linear-conflict" => Some(Erased::compiled_beam(Box::new(LinearConflict::new(self, &self.goal)))),
            name => Some(self.mean_of_sums(&self.partition(name)?)),
        }
    }

    fn explain(&self, heuristic: &str, board: &Board<W>) -> Option<Explanation> {
        explain::explain(self, heuristic, board)
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

    fn ranked(&self) -> Option<Scope<'_>> {
        Some(Scope::ranked(RankedStates {
            name: "boards",
            title: format!("every {} x {} board that leads to the goal", self.rows, self.columns),
            atlas: self.atlas_name(),
            states: ranking::count(self.cells()).unwrap_or(u128::MAX),
            puzzle: self,
            make: Boards::new,
        }))
    }

    fn atlases(&self) -> Vec<String> {
        if self.cells() > ranking::MOST_RANKED_CELLS { Vec::new() } else { vec![self.atlas_name()] }
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
        let is_default = goal.iter().copied().eq((1..self.cells() as u8).chain([0]));
        Some(if is_default { start } else { format!("{start}\n{}", write_rows(&goal, self.columns)) })
    }

    fn course(&self, run: &CourseRun<'_, Self>) -> String {
        solution::course(run.outcome)
    }

    fn read_solution(&self, text: &str) -> Result<Claim, Faults> {
        solution::read(text, &self.list(&self.start), self.columns)
    }

    fn referee(&self) -> Box<dyn Referee> {
        Box::new(TilesReferee { columns: self.columns, start: self.list(&self.start), goal: self.list(&self.goal) })
    }
}
