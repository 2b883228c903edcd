//! Sliding blocks (Klotski, Hua Rong Dao): slide the pieces of an almost full board until the 2x2 piece lies at the
//! bottom centre, or until the board is the one that the file gives as the goal.
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]

mod board;
mod by_moves;
mod draw;
mod explain;
mod features;
pub mod heuristics;
mod metrics;
pub mod ranking;
mod read;
mod referee;
mod solution;
#[cfg(test)]
mod tests;

use admissible::heuristic::Zero;
use admissible::platform::IS_SMALL;
use admissible::{Erased, Keyed as _};
use rand::{Rng, RngExt as _};
use serde_json::{Value, json};

pub use board::{Board, Klotski, Planes, Step, Steps, TwoWords};
pub use by_moves::{ByMoves, Slide, Slides};

use admissible_front::grid::Direction;
use admissible_front::puzzle::{
    Advice, BadState, Card, Claim, CourseRun, Family, Feature, HeuristicCard, ParameterError, Puzzle, ReadOptions,
    Referee, Truth, WithPuzzle, ZERO_CARD,
};
use admissible_front::scope::{FamilyScope, Held, SAMPLE, Scope, ScopeCard, ScopeError, ScopeRequest};
use admissible_front::text::{Faults, move_order};
use admissible_front::{Example, Explanation, Page, Parameter, ParameterKind, Parameters, Setting};
use board::Goal;
use explain::rules;
use heuristics::{Blockers, Manhattan, TABLE_SIZE, WithoutSingles};
use ranking::{PieceCounts, PieceSets};
use read::Layout;
use referee::{BoardReferee, PlainBoard, PlainGoal};

const ORDER: [Direction; 4] = [Direction::North, Direction::West, Direction::East, Direction::South];
/// By direction.
const WORDS: [&str; 4] = ["up", "right", "down", "left"];

/// Sliding-block puzzles of up to 42 cells.
#[derive(Debug)]
pub struct KlotskiBoards;

admissible_front::entry!(KlotskiBoards);

const EXAMPLES: &[Example] = &[
    Example::new("classic.txt", "classic", include_str!("../instances/classic.txt")),
    Example::new("random_31.txt", "random, 2 empties", include_str!("../instances/random_31.txt")),
    Example::new("start_and_goal.txt", "start and goal", include_str!("../instances/start_and_goal.txt")),
    Example::new("tall_7x4.txt", "tall", include_str!("../instances/tall_7x4.txt")),
];

/// The parameters of random boards and of explorations.
const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "size",
        summary: "rows and columns",
        kind: ParameterKind::Size {
            least: (2, 2),
            cells: TwoWords::MOST_CELLS,
            too_small: "a board needs at least two rows and two columns",
            too_large: "a board has at most 42 cells",
        },
        default: Some(Setting::Size(5, 4)),
        explored: None,
    },
    Parameter {
        name: "empties",
        summary: "the number of empty cells",
        // All but the four of the 2x2 piece.
        kind: ParameterKind::Count { range: 0..=TwoWords::MOST_CELLS - 4, unit: "an empty cell" },
        default: Some(Setting::Count(2)),
        explored: None,
    },
];

impl Family for KlotskiBoards {
    const CARD: Card = Card {
        examples: EXAMPLES,
        page: Some(Page { module: include_str!("../page.js"), style: include_str!("../page.css") }),
        fixed_goal: "a klotski file gives its goal as a second board",
        moves: &["up", "left", "right", "down"],
        heuristics: &[
            ZERO_CARD,
            HeuristicCard::consistent("manhattan", "the distance of the 2x2 piece to its place")
                .with_rules(rules::MANHATTAN),
            HeuristicCard {
                name: "blockers",
                summary: "manhattan, plus 1 or 2 for every piece below the 2x2 piece",
                rules: rules::BLOCKERS,
                claim: "admissible, dominates manhattan",
                admissible: Truth::Sometimes(
                    "on every layout with exactly two empty cells, not in general: ^^^^ vvvv ..22 <>11 2.11 has h = 3, \
                     distance 2",
                ),
                consistent: Truth::No("it falls by more than 1 on 10,131 of the 1,122,092 steps of the classic pieces"),
            },
            HeuristicCard {
                rules: rules::WITHOUT_SINGLES,
                claim: "(ours) admissible, consistent",
                ..HeuristicCard::consistent(
                    "without-singles",
                    "the exact distance of the board without its singles, plus the steps that they need themselves",
                )
            },
        ],
        features: features::CARDS,
        parameters: PARAMETERS,
        metrics: METRICS,
        audited: "every layout of 4 x 5 cells with at least two empty ones",
        classics: include_str!("../instances/classics.txt"),
        scopes: &[
            ScopeCard {
                name: "all",
                summary: "every layout of 4 x 5 cells with at least two empty ones",
                of_file: false,
            },
            ScopeCard {
                name: "classic",
                summary: "every layout of the classic pieces, dominoes either way",
                of_file: false,
            },
            ScopeCard { name: "empties:N", summary: "every layout of 4 x 5 cells with N empty ones", of_file: false },
            ScopeCard { name: "component", summary: "every board that the start can reach", of_file: true },
            ScopeCard {
                name: "pieces",
                summary: "every layout of the pieces, dominoes either way (4 x 5)",
                of_file: true,
            },
            ScopeCard {
                name: "set",
                summary: "every layout of the pieces, dominoes as they lie (4 x 5)",
                of_file: true,
            },
            SAMPLE,
        ],
        ..Card::new(
            "klotski",
            "slide blocks until the 2x2 piece is at the bottom centre, or until the goal board is reached",
            "rows of symbols (. empty, 1 the 2x2 piece, 2 single, <> lying, ^ above v standing domino) or of digits \
             (0 empty, 1 the 2x2 piece, 7 single, two equal others a domino); a goal board may follow an empty line",
        )
    };

    fn recognises(text: &str) -> bool {
        read::recognises(text)
    }

    fn open<V: WithPuzzle>(text: &str, options: &ReadOptions, visitor: V) -> Result<V::Out, Faults> {
        let layout = Layout::read(text)?;
        let order = match &options.move_order {
            None => ORDER,
            Some(order) => {
                let places = move_order(Some(order), &WORDS)?;
                [0, 1, 2, 3].map(|at| Direction::ALL[places[at]])
            }
        };
        let (is_large, by_moves) = (layout.cells() > u64::MOST_CELLS, counts_moves(options));
        Ok(if IS_SMALL || is_large {
            let puzzle = layout.puzzle::<TwoWords>(order);
            if by_moves { visitor.call(ByMoves(puzzle)) } else { visitor.call(puzzle) }
        } else {
            let puzzle = layout.puzzle::<u64>(order);
            if by_moves { visitor.call(ByMoves(puzzle)) } else { visitor.call(puzzle) }
        })
    }

    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, ParameterError> {
        let (rows, columns) = parameters.size("size");
        let empties = parameters.count("empties");
        let room = rows * columns - 4;
        if empties > room {
            return Err(ParameterError(format!("a 2x2 piece leaves room for at most {room} empty cells")));
        }
        let mut board = vec![vec!['.'; columns]; rows];
        let (row, column) = (random.random_range(0..rows - 1), random.random_range(0..columns - 1));
        board[row][column..column + 2].fill('1');
        board[row + 1][column..column + 2].fill('1');
        let mut surplus = room - empties;
        while surplus > 0 {
            let (row, column) = (random.random_range(0..rows), random.random_range(0..columns));
            let piece = match random.random_range(0..3) {
                0 => vec![(row, column, '2')],
                1 => vec![(row, column, '<'), (row, column + 1, '>')],
                _ => vec![(row, column, '^'), (row + 1, column, 'v')],
            };
            let is_free = |row: usize, column: usize| board.get(row).and_then(|cells| cells.get(column)) == Some(&'.');
            // A single fits on every free cell, so the loop ends.
            if piece.len() <= surplus && piece.iter().all(|&(row, column, _)| is_free(row, column)) {
                surplus -= piece.len();
                for (row, column, symbol) in piece {
                    board[row][column] = symbol;
                }
            }
        }
        let lines = board.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>());
        Ok(lines.collect())
    }

    fn scope(request: &ScopeRequest) -> Result<FamilyScope, ScopeError> {
        if request.parameters.get("size").is_some_and(|size| *size != Setting::Size(5, 4)) {
            return Err(ScopeError("only layouts of 5 x 4 cells have a whole space".into()));
        }
        let sets = match (request.parsed()?, request.parameters.get("empties")) {
            (Some(("empties", Some(empties @ 1..=16))), _) | (None, Some(&Setting::Count(empties @ 1..=16))) => {
                PieceSets::with_empties(empties as u32)
            }
            (None, None) | (Some(("all", None)), _) => PieceSets::all(),
            (Some(("classic", None)), _) => PieceSets::dominoes_either_way(4, 5),
            _ => return Err(request.unknown(Self::CARD.scopes)),
        };
        let scope = if counts_moves(&request.reading) { sets.by_moves() } else { sets.by_steps() };
        Ok(scope.into())
    }
}

/// The metrics by name; the first is the default.
const METRICS: &[&str] = &["steps", "moves"];

fn counts_moves(options: &ReadOptions) -> bool {
    options.metric.as_deref() == Some(METRICS[1])
}

/// What shows that a goal of other pieces than the start is out of reach.
const SOLVABLE_BY: &str = "the number of pieces";

/// The title of the scope `component`.
const COMPONENT: &str = "every board that the start can reach";

impl<P: Planes> Klotski<P> {
    /// The pieces beside the 2x2 one, if their layouts have ranks.
    fn ranked_pieces(&self) -> Option<PieceCounts> {
        let shape = (self.frame.width, self.frame.height, self.start.big.count_ones());
        let fits = shape == (4, 5, 1) && matches!(self.goal, Goal::BigAt(_));
        fits.then(|| PieceCounts::of(&self.frame, &self.start))
    }

    /// The sets of pieces of a scope; `None` for the boards that the start can reach.
    fn sets(&self, scope: Option<&str>) -> Result<Option<PieceSets>, ScopeError> {
        let scope = scope.unwrap_or("component");
        if scope == "component" {
            return Ok(None);
        }
        let message = || format!("the scope '{scope}' is for boards of 4 x 5 cells with one 2x2 piece");
        let counts = self.ranked_pieces().ok_or_else(|| ScopeError(message()))?;
        Ok(Some(match scope {
            "set" => PieceSets::one(counts),
            _ => PieceSets::dominoes_either_way(counts.singles, counts.lying + counts.standing),
        }))
    }

    /// The name of the atlas of this board.
    fn set_name(&self) -> Option<String> {
        self.ranked_pieces().map(ranking::set_name)
    }

    /// Whether the goal is a board of other pieces, which no step changes.
    fn has_foreign_goal(&self) -> bool {
        matches!(self.goal, Goal::Board(goal) if goal.counts() != self.start.counts())
    }

    /// How the pieces of a foreign goal differ from those of the start.
    fn foreign_pieces(&self) -> Option<String> {
        let Goal::Board(goal) = self.goal else { return None };
        let names = ["single", "lying domino", "standing domino", "2x2 piece"];
        let pieces = |count: u32, name: &str| match (count, name.strip_suffix('o')) {
            (1, _) => format!("1 {name}"),
            (_, Some(_)) => format!("{count} {name}es"),
            (_, None) => format!("{count} {name}s"),
        };
        let counts = self.start.counts().into_iter().zip(goal.counts()).zip(names);
        let differences: Vec<String> = counts
            .filter(|((start, goal), _)| start != goal)
            .map(|((start, goal), name)| format!("{}, not {start}", pieces(goal, name)))
            .collect();
        let text = format!("the goal has other pieces than the start: {}", differences.join("; "));
        (!differences.is_empty()).then_some(text)
    }

    fn board_referee(&self, by_moves: bool) -> BoardReferee {
        let goal = match self.goal {
            Goal::BigAt(cell) => PlainGoal::BigAt(self.frame.place(cell)),
            Goal::Board(board) => PlainGoal::Board(self.plain(&board)),
        };
        BoardReferee { start: self.plain(&self.start), goal, by_moves }
    }

    fn plain(&self, board: &Board) -> PlainBoard {
        PlainBoard(self.frame.symbols(board))
    }

    /// The anchors of the 2x2 pieces in the goal.
    fn big_places(&self) -> u64 {
        match self.goal {
            Goal::BigAt(cell) => 1 << cell,
            Goal::Board(board) => board.big,
        }
    }
}

impl<P: Planes> Puzzle for Klotski<P> {
    const SOLVABLE_BY: &'static str = SOLVABLE_BY;

    fn start(&self) -> Board {
        self.start
    }

    fn solvable(&self, _board: &Board) -> Option<bool> {
        self.has_foreign_goal().then_some(false)
    }

    fn note(&self) -> Option<String> {
        self.foreign_pieces()
    }

    fn state_json(&self, board: &Board) -> Value {
        json!(self.frame.symbols(board).into_iter().map(String::from_iter).collect::<Vec<String>>())
    }

    fn board_json(&self) -> Value {
        let goal = match self.goal {
            Goal::BigAt(cell) => json!({ "big": self.frame.place(cell) }),
            Goal::Board(board) => json!({ "rows": self.state_json(&board) }),
        };
        json!({ "rows": self.frame.height, "columns": self.frame.width, "goal": goal })
    }

    fn beginning_at(&self, state: &Value) -> Result<Self, BadState> {
        let bad = || BadState::new("rows of symbols with the same pieces as the start", state);
        let row = |row: &Value| row.as_str().map(|row| format!("{row}\n"));
        let rows = state.as_array().filter(|rows| rows.len() == self.frame.height as usize).ok_or_else(bad)?;
        let text = rows.iter().map(row).collect::<Option<String>>().ok_or_else(bad)?;
        let start = Layout::read_start(&text, &self.frame).ok_or_else(bad)?;
        if start.counts() != self.start.counts() {
            return Err(bad());
        }
        Ok(self.beginning_with(start))
    }

    fn move_name(&self, _before: &Board, step: Step) -> String {
        let (row, column) = self.frame.place(step.anchor);
        format!("({row},{column}) {}", WORDS[step.direction as usize])
    }

    fn draw(&self, board: &Board) -> String {
        let exit = match self.goal {
            Goal::BigAt(cell) => {
                let (_, column) = self.frame.place(cell);
                column..column + 2
            }
            Goal::Board(_) => 0..0,
        };
        draw::draw(&self.plain(board), exit)
    }

    /// The moves of this solution, and the fewest moves of any: players count moves, not steps.
    fn solution_extras(&self, steps: &[Step]) -> Vec<(&'static str, u64)> {
        let mut extras = vec![("moves", metrics::moves_of(self, steps))];
        let by_moves = ByMoves(self.beginning_with(self.start));
        extras.extend(metrics::fewest(&by_moves, self.start).map(|fewest| ("fewest_moves", fewest)));
        extras
    }

    /// If the goal is a place, thousands of boards are goals, and a backward search does not help. If it is one board,
    /// the backward search has a heuristic as well, and the two searches meet early. A classic board with two empty
    /// cells reaches too few boards for a table to pay.
    fn advice(&self) -> Advice {
        let is_tight = self.frame.inside.count_ones() <= 20 && self.frame.empty(&self.start).count_ones() <= 2;
        match self.goal {
            Goal::BigAt(_) if is_tight => Advice::astar(
                "manhattan",
                "manhattan is consistent, and so few boards are in reach that a table for a stronger one does not pay",
            ),
            Goal::BigAt(_) => Advice::astar(
                "without-singles",
                "without-singles is consistent, and its table pays where many boards are in reach",
            ),
            Goal::Board(_) => Advice {
                algorithm: "bidirectional",
                ..Advice::astar("manhattan", "the goal is a single board, and manhattan is consistent from either end")
            },
        }
    }

    fn heuristic(&self, name: &str) -> Option<Erased<'static, Self>> {
        let places = self.big_places();
        Some(match name {
            "zero" => Erased::new(Box::new(Zero)),
            "manhattan" => Erased::compiled_packed(Box::new(Manhattan::to(&self.frame, places))),
            "blockers" => Erased::new(Box::new(Blockers::to(&self.frame, places))),
            "without-singles" => Erased::compiled_packed(Box::new(WithoutSingles::to_goal(self, TABLE_SIZE))),
            _ => return None,
        })
    }

    fn explain(&self, heuristic: &str, board: &Board) -> Option<Explanation> {
        explain::explain(self, heuristic, board)
    }

    fn feature(&self, name: &str) -> Option<Feature<Self>> {
        features::named(self, name)
    }

    /// Steps are reversible, so the distance of the 2x2 pieces also serves backward searches. Blockers of the goal say
    /// nothing about the distance from the start.
    fn heuristic_from_start(&self, name: &str) -> Erased<'static, Self> {
        match name {
            "manhattan" | "blockers" => Erased::new(Box::new(Manhattan::to(&self.frame, self.start.big))),
            "without-singles" => Erased::new(Box::new(WithoutSingles::from_start(self, TABLE_SIZE))),
            _ => Erased::new(Box::new(Zero)),
        }
    }

    fn scope(&self, name: Option<&str>) -> Result<Scope<'_>, ScopeError> {
        Ok(match self.sets(name)? {
            Some(sets) => sets.by_steps(),
            None => Scope::reachable(COMPONENT, Held::Borrowed(self)),
        })
    }

    fn ranked_scope(&self) -> Option<&'static str> {
        self.ranked_pieces().map(|_| "set")
    }

    fn atlases(&self) -> Vec<String> {
        self.set_name().into_iter().collect()
    }

    fn atlas(&self, _name: &str) -> Option<Scope<'_>> {
        Some(PieceSets::one(self.ranked_pieces()?).by_steps())
    }

    fn number_of(&self, board: &Board) -> [u64; 3] {
        let [first, second] = self.key(board);
        [0, second, first]
    }

    fn of_number(&self, number: [u64; 3]) -> Option<Board> {
        let [0, second, first] = number else { return None };
        let key = [first, second];
        let board = self.state_of_key(key);
        let is_key = self.frame.is_board(&board) && self.key(&board) == key;
        (is_key && board.counts() == self.start.counts()).then_some(board)
    }

    fn file(&self, board: &Board) -> Option<String> {
        let lines = |board: &Board| -> String {
            self.frame.symbols(board).into_iter().map(|row| String::from_iter(row) + "\n").collect()
        };
        Some(match self.goal {
            Goal::BigAt(_) => lines(board),
            Goal::Board(goal) => format!("{}\n{}", lines(board), lines(&goal)),
        })
    }

    fn course(&self, run: &CourseRun<'_, Self>) -> String {
        solution::write(self, run.outcome)
    }

    fn read_solution(&self, text: &str) -> Result<Claim, Faults> {
        solution::read(text, &self.plain(&self.start), self.notation)
    }

    fn referee(&self) -> Box<dyn Referee> {
        Box::new(self.board_referee(false))
    }
}
