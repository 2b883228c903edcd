//! The puzzle in the metric of the players: a move takes one piece any number of steps, around corners too.
//!
//! A flood fill gives the targets of a piece. It runs over the cells that the anchor of the piece may take: those at
//! which the piece covers only empty cells and its own.

use admissible::heuristic::Zero;
use admissible::search::{Outcome, Solution};
use admissible::{AbilityVisitor, Backward, Erased, Invertible, Ranking, StateSpace};
use serde_json::Value;

use crate::board::{Board, Frame, Klotski, Planes, Step};
use crate::ranking::{BY_MOVES, LayoutRanking, PieceSets};
use crate::{COMPONENT, SOLVABLE_BY, WORDS, features, metrics, solution};
use admissible_front::grid::Direction;
use admissible_front::puzzle::{Advice, BadState, Claim, CourseRun, Feature, Puzzle, Referee};
use admissible_front::scope::{Held, Scope, ScopeError};
use admissible_front::text::Faults;

/// A sliding-block puzzle in which consecutive steps of one piece cost 1.
#[derive(Debug)]
pub struct ByMoves<P>(pub(crate) Klotski<P>);

/// A move of one piece by any number of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slide {
    /// The anchor before the move.
    pub(crate) from: u8,
    /// The anchor after the move.
    pub(crate) to: u8,
}

/// The moves of one board: piece by piece, and the targets of each.
#[derive(Debug, Clone, Copy)]
pub struct Slides {
    frame: Frame,
    board: Board,
    /// The anchors of the pieces that are still to move.
    pieces: u64,
    /// The anchor of the present piece.
    anchor: u8,
    /// The remaining targets of the present piece.
    targets: u64,
}

impl Iterator for Slides {
    type Item = Slide;

    #[inline]
    fn next(&mut self) -> Option<Slide> {
        while self.targets == 0 {
            if self.pieces == 0 {
                return None;
            }
            self.anchor = self.pieces.trailing_zeros() as u8;
            self.pieces &= self.pieces - 1;
            self.targets = self.frame.reach(&self.board, self.anchor);
        }
        let to = self.targets.trailing_zeros() as u8;
        self.targets &= self.targets - 1;
        Some(Slide { from: self.anchor, to })
    }
}

impl Frame {
    /// The cells that the anchor of a piece may take while the others stay, connected or not.
    #[inline]
    fn free_anchors(&self, board: &Board, anchor: u8) -> u64 {
        let is = |anchors: u64| anchors >> anchor & 1 == 1;
        let one = 1 << anchor;
        let without = Board {
            singles: board.singles & !one,
            lying: board.lying & !one,
            standing: board.standing & !one,
            big: board.big & !one,
        };
        let free = self.empty(&without);
        let wide = |cells: u64| cells & cells >> 1 & self.not_last_column;
        let high = |cells: u64| cells & cells >> self.width;
        if is(board.singles) {
            free
        } else if is(board.lying) {
            wide(free)
        } else if is(board.standing) {
            high(free)
        } else {
            high(wide(free))
        }
    }

    /// The neighbours of the cells of a set.
    #[inline]
    fn neighbours(&self, cells: u64) -> u64 {
        (cells & self.not_last_column) << 1
            | (cells & self.not_first_column) >> 1
            | cells << self.width
            | cells >> self.width
    }

    /// The moves of a board.
    #[inline]
    pub(crate) fn slides(&self, board: &Board) -> Slides {
        let pieces = self.movable(board).into_iter().fold(0, |any, anchors| any | anchors);
        Slides { frame: *self, board: *board, pieces, anchor: 0, targets: 0 }
    }

    /// The cells that a piece can move to, without its present one.
    #[inline]
    fn reach(&self, board: &Board, anchor: u8) -> u64 {
        let free = self.free_anchors(board, anchor);
        let mut reached = 1_u64 << anchor;
        loop {
            let more = reached | self.neighbours(reached) & free;
            if more == reached {
                return reached & !(1 << anchor);
            }
            reached = more;
        }
    }

    /// The steps of a shortest path for a move.
    fn path(&self, board: &Board, slide: Slide) -> Vec<Step> {
        let free = self.free_anchors(board, slide.from);
        // The i-th flood has the cells at most i steps from the target.
        let mut floods = vec![1_u64 << slide.to];
        while floods[floods.len() - 1] >> slide.from & 1 == 0 {
            let last = floods[floods.len() - 1];
            floods.push((last | self.neighbours(last)) & free);
        }
        let mut anchor = slide.from;
        let closer_floods = floods.iter().rev().skip(1);
        closer_floods
            .map(|flood| {
                // Beyond the upper and left edge the number wraps around to one that no cell has.
                let closer = self.neighbours(1 << anchor) & flood;
                let leads_there = |direction: &Direction| {
                    let to = self.neighbour(anchor, *direction);
                    to < 64 && closer >> to & 1 == 1
                };
                let direction = Direction::ALL.into_iter().find(leads_there).expect("a neighbour is closer");
                let step = Step { anchor, direction };
                anchor = self.neighbour(anchor, direction);
                step
            })
            .collect()
    }
}

impl<P: Planes> ByMoves<P> {
    /// The steps of a sequence of moves.
    fn steps(&self, slides: &[Slide]) -> Vec<Step> {
        let mut board = self.0.start;
        let mut steps = Vec::new();
        for &slide in slides {
            steps.extend(self.0.frame.path(&board, slide));
            self.apply(&mut board, slide);
        }
        steps
    }
}

/// Methods that do not depend on the metric.
macro_rules! as_by_steps {
    ($($name:ident($($argument:ident: $type:ty)?) -> $out:ty;)*) => {
        $(#[inline]
        fn $name(&self, $($argument: $type)?) -> $out {
            self.0.$name($($argument)?)
        })*
    };
}

impl<P: Planes> StateSpace for ByMoves<P> {
    type State = Board;
    type Packed = P;
    type Move = Slide;
    type Moves = Slides;
    type Undo = ();

    as_by_steps! {
        pack(board: &Board) -> P;
        unpack(packed: P) -> Board;
        is_goal(board: &Board) -> bool;
    }

    #[inline]
    fn moves(&self, board: &Board) -> Slides {
        self.0.frame.slides(board)
    }

    #[inline]
    fn apply(&self, board: &mut Board, slide: Slide) {
        board.move_piece(slide.from, slide.to);
    }

    #[inline]
    fn undo(&self, board: &mut Board, slide: Slide, (): ()) {
        board.move_piece(slide.to, slide.from);
    }

    #[inline]
    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.invertible(self).backward(self)
    }
}

impl<P: Planes> Invertible for ByMoves<P> {
    #[inline]
    fn inverse(&self, slide: Slide) -> Option<Slide> {
        Some(Slide { from: slide.to, to: slide.from })
    }
}

/// The inverse of a move is a move: predecessors are successors.
impl<P: Planes> Backward for ByMoves<P> {
    fn goals(&self) -> Option<Vec<Board>> {
        self.0.goals()
    }
}

impl<P: Planes> Ranking<ByMoves<P>> for LayoutRanking {
    const REVERSIBLE: bool = true;

    fn size(&self) -> usize {
        Ranking::<Klotski<P>>::size(self)
    }

    #[inline]
    fn unrank(&self, space: &ByMoves<P>, rank: usize) -> Board {
        self.unrank(&space.0, rank)
    }

    #[inline]
    fn rank(&self, space: &ByMoves<P>, board: &Board) -> Option<usize> {
        self.rank(&space.0, board)
    }
}

impl<P: Planes> Puzzle for ByMoves<P> {
    const UNIT: &'static str = "move";
    const SOLVABLE_BY: &'static str = SOLVABLE_BY;

    as_by_steps! {
        solvable(board: &Board) -> Option<bool>;
        note() -> Option<String>;
        state_json(board: &Board) -> Value;
        board_json() -> Value;
        draw(board: &Board) -> String;
        ranked_scope() -> Option<&'static str>;
        number_of(board: &Board) -> [u64; 3];
        of_number(number: [u64; 3]) -> Option<Board>;
        file(board: &Board) -> Option<String>;
    }

    fn start(&self) -> Board {
        self.0.start
    }

    fn beginning_at(&self, state: &Value) -> Result<Self, BadState> {
        self.0.beginning_at(state).map(ByMoves)
    }

    /// The anchor of the piece and the steps of its path: `(3,1) down right`.
    fn move_name(&self, before: &Board, slide: Slide) -> String {
        let (row, column) = self.0.frame.place(slide.from);
        let steps = self.0.frame.path(before, slide);
        let words: Vec<&str> = steps.iter().map(|step| WORDS[step.direction as usize]).collect();
        format!("({row},{column}) {}", words.join(" "))
    }

    fn solution_extras(&self, slides: &[Slide]) -> Vec<(&'static str, u64)> {
        let mut extras = vec![("steps", self.steps(slides).len() as u64)];
        extras.extend(metrics::fewest(&self.0, self.0.start).map(|fewest| ("fewest_steps", fewest)));
        extras
    }

    fn advice(&self) -> Advice {
        Advice {
            algorithm: "bfs",
            heuristic: "zero",
            why: "the heuristics count steps, and breadth-first search finds the fewest moves",
            fallbacks: Vec::new(),
        }
    }

    fn heuristic(&self, name: &str) -> Option<Erased<'static, Self>> {
        (name == "zero").then(|| Erased::new(Box::new(Zero)))
    }

    fn lacks(&self, heuristic: &str) -> Option<String> {
        (heuristic != "zero").then(|| "it counts steps, and here moves are counted".into())
    }

    fn feature(&self, name: &str) -> Option<Feature<Self>> {
        let feature = features::named(&self.0, name)?;
        Some(Box::new(move |puzzle, board| feature(&puzzle.0, board)))
    }

    fn scope(&self, name: Option<&str>) -> Result<Scope<'_>, ScopeError> {
        Ok(match self.0.sets(name)? {
            Some(sets) => sets.by_moves(),
            None => Scope::reachable(COMPONENT, Held::Borrowed(self)),
        })
    }

    fn atlases(&self) -> Vec<String> {
        self.0.set_name().map(|name| name + BY_MOVES).into_iter().collect()
    }

    fn atlas(&self, _name: &str) -> Option<Scope<'_>> {
        Some(PieceSets::one(self.0.ranked_pieces()?).by_moves())
    }

    /// The course counts steps: consecutive boards are one step apart.
    fn course(&self, run: &CourseRun<'_, Self>) -> String {
        let outcome = match run.outcome {
            Outcome::Solved(solution) => {
                let steps = self.steps(&solution.moves);
                Outcome::Solved(Solution { cost: steps.len() as u32, moves: steps, guarantee: solution.guarantee })
            }
            Outcome::Unsolvable => Outcome::Unsolvable,
            Outcome::Stopped { why, lower_bound } => Outcome::Stopped { why: *why, lower_bound: *lower_bound },
        };
        solution::write(&self.0, &outcome)
    }

    /// Reads moves, or steps, of which consecutive ones of a piece make a move.
    fn read_solution(&self, text: &str) -> Result<Claim, Faults> {
        solution::read_moves(text, &self.0.plain(&self.0.start), self.0.notation)
    }

    fn referee(&self) -> Box<dyn Referee> {
        Box::new(self.0.board_referee(true))
    }
}
