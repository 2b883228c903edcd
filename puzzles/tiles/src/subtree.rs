//! Many boards at a time, for heuristics that every move changes by one.
//!
//! Boards with the gap in the same cell that were reached by the same move have the same moves: the same cells are
//! looked at and the same tables used, so such boards lie in a pile and are taken from it many at once. What the bound
//! leaves beyond the estimate is the *slack*; as a move changes the estimate by one, a move towards the goal costs
//! nothing of it and one away from it costs two. Half the slack is kept where the board has its gap, and no board needs
//! more than its word.

use std::sync::Arc;

use admissible::Cost;
use admissible::memory::{Work, for_this_processor};
use admissible::pruning::{MAX_MOVES, Mark, MoveAutomaton, NEVER, NextMarks};
use admissible::search::subtree::{SubtreeProgress, SubtreeSearch, Tally, Top};

use super::board::{Board, Slide, Tiles};
use super::word::{Cell, Word};
use admissible_front::grid::Direction;

/// A heuristic that every move changes by one.
pub(super) trait Guide<W: Word>: Sync {
    /// What it carries along a path.
    type Eval: Copy + Send;
    /// What a subtree search carries of it: all but the estimate.
    type Carried: Copy + Default + Send;
    /// What it knows of a move, given where from and where to. It is copied before many boards make the move, so that
    /// it stays in registers.
    type Step<'a>: Copy + Send
    where
        Self: 'a;
    /// Splits what was carried along the path into what a subtree search carries and the estimate.
    fn split(&self, eval: Self::Eval) -> (Self::Carried, u32);
    /// What is to be known of a tile's move from a cell.
    fn step(&self, from: Cell, slide: Slide) -> Self::Step<'_>;
    /// What is carried after the move of a tile, and whether it leads away from the goal. The board is the one before.
    fn advance(&self, step: Self::Step<'_>, board: W, tile: u8, carried: Self::Carried) -> (Self::Carried, bool);
}

/// The marks of a machine, or nothing.
pub(super) trait Marks: Send {
    /// One mark.
    type Mark: Copy + Default + Send;
    /// What the bound leaves for the rest of a path, where somebody wants to know that.
    type Room: Room;
    /// What tells which follow, copied for the same reason.
    type Table<'a>: Copy
    where
        Self: 'a;
    /// The mark at the top of a subtree search.
    fn first(mark: Mark) -> Self::Mark;
    /// What tells which follow.
    fn table(&self) -> Self::Table<'_>;
    /// Of these moves, a bit each, those that may be made.
    fn allowed(table: Self::Table<'_>, mark: Self::Mark, moves: u8) -> u8;
    /// The mark after a move, and whether the move may be made.
    fn next(table: Self::Table<'_>, mark: Self::Mark, letter: usize) -> (Self::Mark, bool);
}

/// What the bound leaves for the rest of a path, or nothing.
pub(super) trait Room: Copy + Default + Ord + Send {
    /// From so many moves; `None` if they are too many.
    fn new(moves: Cost) -> Option<Self>;
    /// After one more move.
    fn less(self) -> Self;
    /// How many moves, if that is known.
    fn moves(self) -> Option<Cost>;
}

impl Room for () {
    fn new(_moves: Cost) -> Option<()> {
        Some(())
    }

    #[inline]
    fn less(self) {}

    fn moves(self) -> Option<Cost> {
        None
    }
}

impl Room for u16 {
    fn new(moves: Cost) -> Option<u16> {
        moves.try_into().ok()
    }

    #[inline]
    fn less(self) -> u16 {
        self.wrapping_sub(1)
    }

    fn moves(self) -> Option<Cost> {
        Some(self.into())
    }
}

/// Every move may be made but the way back, which piles leave out.
pub(super) struct NoMarks;

impl Marks for NoMarks {
    type Mark = ();
    type Room = ();
    type Table<'a> = ();

    fn first(_mark: Mark) {}

    fn table(&self) {}

    #[inline]
    fn allowed((): (), (): (), moves: u8) -> u8 {
        moves
    }

    #[inline]
    fn next((): (), (): (), _letter: usize) -> ((), bool) {
        ((), true)
    }
}

impl Marks for Arc<MoveAutomaton> {
    type Mark = Mark;
    type Room = u16;
    type Table<'a> = &'a [NextMarks];

    fn first(mark: Mark) -> Mark {
        mark
    }

    fn table(&self) -> &[NextMarks] {
        MoveAutomaton::table(self)
    }

    #[inline]
    fn allowed(table: &[NextMarks], mark: Mark, moves: u8) -> u8 {
        let may = table[usize::from(mark)].map(|next| next != NEVER);
        let bit = |letter: usize| u8::from(may[letter]) << letter;
        moves & (bit(0) | bit(1) | bit(2) | bit(3))
    }

    #[inline]
    fn next(table: &[NextMarks], mark: Mark, letter: usize) -> (Mark, bool) {
        let next = table[usize::from(mark)][letter % MAX_MOVES];
        (next, next != NEVER)
    }
}

/// Boards of one kind. The space for them is kept, used or not, so that it can be written to without asking.
#[derive(Debug)]
pub(super) struct Pile<T> {
    items: Vec<T>,
    len: usize,
}

impl<T: Copy + Default> Pile<T> {
    pub(super) fn new() -> Self {
        Pile { items: Vec::new(), len: 0 }
    }

    /// Room for so many more; [`Pile::keep`] says how many were written.
    #[inline]
    pub(super) fn room(&mut self, more: usize) -> &mut [T] {
        if self.items.len() < self.len + more {
            self.items.resize((self.len + more).next_power_of_two(), T::default());
        }
        &mut self.items[self.len..self.len + more]
    }

    #[inline]
    pub(super) fn keep(&mut self, more: usize) {
        self.len += more;
    }

    /// Takes up to so many off the top.
    #[inline]
    pub(super) fn take(&mut self, most: usize, into: &mut Vec<T>) {
        let rest = self.len.saturating_sub(most);
        into.clear();
        into.extend_from_slice(&self.items[rest..self.len]);
        self.len = rest;
    }
}

/// The piles of a subtree search, by the cell of the gap and the move that led there.
#[derive(Debug)]
pub(super) struct Piles<T> {
    piles: Vec<Pile<T>>,
    /// The pile to look at next.
    next: usize,
}

impl<T: Copy + Default> Piles<T> {
    pub(super) fn new(cells: usize) -> Self {
        Piles { piles: (0..cells * Direction::ALL.len()).map(|_| Pile::new()).collect(), next: 0 }
    }

    /// Forgets all boards but one.
    pub(super) fn begin(&mut self, pile: usize, item: T) {
        self.piles.iter_mut().for_each(|pile| pile.len = 0);
        self.push(pile, item);
    }

    #[inline]
    pub(super) fn pile(&mut self, at: usize) -> &mut Pile<T> {
        &mut self.piles[at]
    }

    #[inline]
    pub(super) fn push(&mut self, pile: usize, item: T) {
        let pile = &mut self.piles[pile];
        pile.room(1)[0] = item;
        pile.keep(1);
    }

    /// Takes up to so many boards of a kind and tells which; `None` if there are no boards any more. The piles have
    /// their turn one after the other, so that meanwhile the others grow.
    #[inline]
    pub(super) fn take(&mut self, most: usize, into: &mut Vec<T>) -> Option<usize> {
        let (before, after) = self.piles.split_at(self.next);
        let filled = |pile: &Pile<T>| pile.len > 0;
        let at = match after.iter().position(filled) {
            Some(at) => self.next + at,
            None => before.iter().position(filled)?,
        };
        let pile = &mut self.piles[at];
        pile.take(most, into);
        self.next = if pile.len >= most { at } else { (at + 1) % self.piles.len() };
        Some(at)
    }
}

/// A move of the boards in a pile.
#[derive(Debug)]
pub(super) struct Way<S> {
    pub(super) direction: Direction,
    pub(super) from: Cell,
    /// The pile that it leads to.
    pub(super) pile: usize,
    pub(super) step: S,
}

/// The gap and the moves of the boards in a pile.
#[derive(Debug)]
pub(super) struct Kind<S> {
    pub(super) gap: Cell,
    pub(super) ways: Vec<Way<S>>,
}

impl<W: Word> Tiles<W> {
    /// The kinds of boards, by their piles.
    pub(super) fn kinds<S>(&self, step: impl Fn(Cell, Slide) -> S) -> Vec<Kind<S>> {
        let kind = |pile: usize| {
            let (gap, last) = (Cell::new(pile / 4), Direction::from_bits(pile as u16));
            let way = |slide: Slide| {
                let (from, direction) = (slide.origin(gap), slide.direction());
                Way { direction, from, pile: from.with(direction), step: step(from, slide) }
            };
            Kind { gap, ways: self.onward_from(gap, last).map(way).collect() }
        };
        (0..self.cells() * Direction::ALL.len()).map(kind).collect()
    }
}

/// Boards to take from a pile at once.
const CHUNK: usize = 512;

/// A board with its slack, what the heuristic carries, the mark of the machine, and the room.
type Item<W, G, M> = (W, <G as Guide<W>>::Carried, <M as Marks>::Mark, <M as Marks>::Room);

/// A subtree search with a heuristic that every move changes by one.
pub(super) struct ByOnes<'a, W: Word, G: Guide<W>, M: Marks> {
    guide: &'a G,
    marks: M,
    goal: Board<W>,
    kinds: Vec<Kind<G::Step<'a>>>,
    piles: Piles<Item<W, G, M>>,
    chunk: Vec<Item<W, G, M>>,
    /// The room at the farthest board.
    least_room: M::Room,
    tally: Tally,
}

/// A subtree search through the boards of a space, with a machine or without.
pub(super) fn by_ones<'a, W: Word, G: Guide<W>>(
    space: &'a Tiles<W>,
    guide: &'a G,
    pruning: Option<Arc<MoveAutomaton>>,
) -> Box<dyn SubtreeSearch<Tiles<W>, G::Eval> + 'a> {
    match pruning {
        None => Box::new(ByOnes::new(space, guide, NoMarks)),
        Some(machine) => Box::new(ByOnes::new(space, guide, machine)),
    }
}

impl<'a, W: Word, G: Guide<W>, M: Marks> ByOnes<'a, W, G, M> {
    fn new(space: &Tiles<W>, guide: &'a G, marks: M) -> Self {
        ByOnes {
            guide,
            marks,
            goal: space.goal,
            kinds: space.kinds(|from, slide| guide.step(from, slide)),
            piles: Piles::new(space.cells()),
            chunk: Vec::with_capacity(CHUNK),
            least_room: M::Room::default(),
            tally: Tally::default(),
        }
    }
}

/// Expands the boards of the chunk, which come from a pile; true if there is a goal among their successors.
struct Expand<'s, 'a, W: Word, G: Guide<W>, M: Marks> {
    search: &'s mut ByOnes<'a, W, G, M>,
    pile: usize,
}

impl<W: Word, G: Guide<W>, M: Marks> Work for Expand<'_, '_, W, G, M> {
    type Out = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Expand { search, pile } = self;
        let Kind { gap, ways } = &search.kinds[pile];
        let (gap, guide, marks) = (*gap, search.guide, search.marks.table());
        let mut goal = false;
        search.least_room = search.chunk.iter().fold(search.least_room, |least, &(.., room)| least.min(room));
        for &Way { direction, from, pile, step } in ways {
            let boards = search.piles.pile(pile);
            let room = boards.room(search.chunk.len());
            let (mut kept, mut allowed) = (0, 0);
            for &(board, carried, mark, left) in &search.chunk {
                let (slack, tile) = (board.get(gap), board.get(from));
                let (mark, may) = M::next(marks, mark, direction as usize);
                let (carried, away) = guide.advance(step, board.flip(gap, slack), tile, carried);
                // Written in any case: a board that is not kept is written over by the next one.
                room[kept] = (board.swap(gap, from).less(from, away), carried, mark, left.less());
                kept += usize::from(may & (slack >= u8::from(away)));
                allowed += usize::from(may);
            }
            if from == search.goal.gap() {
                goal |= room[..kept].iter().any(|&(board, ..)| board.flip(from, board.get(from)) == search.goal.tiles);
            }
            boards.keep(kept);
            search.tally.generated += allowed as u64;
            if kept < allowed {
                search.tally.least_excess = 2;
            }
        }
        search.tally.expanded += search.chunk.len() as u64;
        goal
    }
}

impl<W: Word, G: Guide<W>, M: Marks> SubtreeSearch<Tiles<W>, G::Eval> for ByOnes<'_, W, G, M> {
    fn begin(&mut self, top: Top<'_, Tiles<W>, G::Eval>) -> bool {
        let (carried, estimate) = self.guide.split(top.eval);
        let slack = top.room - estimate;
        if !slack.is_multiple_of(2) || slack / 2 > u32::from(W::LARGEST) {
            return false;
        }
        let Some(room) = M::Room::new(top.room) else { return false };
        (self.tally, self.least_room) = (Tally::default(), room);
        let gap = top.state.gap();
        let board = top.state.tiles.flip(gap, (slack / 2) as u8);
        self.piles.begin(gap.with(top.came_by.direction()), (board, carried, M::first(top.mark), room));
        true
    }

    fn advance(&mut self, expansions: u64) -> SubtreeProgress {
        let mut left = expansions;
        while left > 0 {
            let most = CHUNK.min(left as usize);
            let Some(pile) = self.piles.take(most, &mut self.chunk) else { return SubtreeProgress::Through };
            left -= self.chunk.len() as u64;
            if for_this_processor(Expand { search: self, pile }) {
                return SubtreeProgress::Goal;
            }
        }
        SubtreeProgress::Partly
    }

    fn tally(&self) -> Tally {
        self.tally
    }

    fn least_room(&self) -> Option<Cost> {
        self.least_room.moves()
    }

    fn wants_large_subtrees(&self) -> bool {
        true
    }
}
