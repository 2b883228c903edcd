//! Batched subtree search, for heuristics that every move changes by one.
//!
//! Boards with the gap in the same cell after the same last move have the same moves and use the same tables. Such
//! boards share a bucket, and the search expands a batch of them at once. The *slack* of a board is the bound minus its
//! f. A move that lowers the estimate keeps the slack, one that raises it costs two. The gap's cell of a board's word
//! stores half the slack, so a board takes no more than its word.

use std::sync::Arc;

use admissible::Cost;
use admissible::memory::{Work, for_this_processor};
use admissible::pruning::{MAX_MOVES, Mark, MoveAutomaton, NEVER, NextMarks};
use admissible::search::subtree::{SubtreeProgress, SubtreeSearch, Tally, Top};

use crate::board::{Board, Slide, Tiles};
use crate::word::{Cell, Word};
use admissible_front::grid::Direction;

/// A heuristic that every move changes by one.
pub(crate) trait UnitChange<W: Word>: Sync {
    /// The evaluation of the heuristic.
    type Eval: Copy + Send;
    /// The part of the evaluation that a subtree search carries: all but the estimate.
    type Carried: Copy + Default + Send;
    /// The tables for a move from one cell to another. A batch copies them first, so that they stay in registers.
    type MoveData<'a>: Copy + Send
    where
        Self: 'a;
    /// Splits an evaluation into the part that a subtree search carries and the estimate.
    fn split(&self, eval: Self::Eval) -> (Self::Carried, u32);
    /// The tables for a tile's move from a cell.
    fn move_data(&self, from: Cell, slide: Slide) -> Self::MoveData<'_>;
    /// The carried part after the move of a tile, and whether the estimate grows. `board` is the board before the move.
    fn advance(&self, data: Self::MoveData<'_>, board: W, tile: u8, carried: Self::Carried) -> (Self::Carried, bool);
}

/// Pruning of paths by an automaton, or none.
pub(crate) trait PathPruning: Send {
    /// The automaton's mark of a path.
    type Mark: Copy + Default + Send;
    /// The moves left within the bound, if the search records them.
    type Room: Room;
    /// The transitions, copied to stay in registers.
    type Table<'a>: Copy
    where
        Self: 'a;
    /// The mark at the root of a subtree.
    fn first(mark: Mark) -> Self::Mark;
    /// The transitions.
    fn table(&self) -> Self::Table<'_>;
    /// The moves of a set, a bit each, that are not pruned.
    fn allowed(table: Self::Table<'_>, mark: Self::Mark, moves: u8) -> u8;
    /// The mark after a move, and whether the move is allowed.
    fn next(table: Self::Table<'_>, mark: Self::Mark, move_index: usize) -> (Self::Mark, bool);
}

/// The moves left within the bound for the rest of a path; `()` does not record them.
pub(crate) trait Room: Copy + Default + Ord + Send {
    /// `None` if `moves` does not fit.
    fn new(moves: Cost) -> Option<Self>;
    /// The room after one more move.
    fn after_move(self) -> Self;
    /// The number of moves, if recorded.
    fn moves(self) -> Option<Cost>;
}

impl Room for () {
    fn new(_moves: Cost) -> Option<()> {
        Some(())
    }

    #[inline]
    fn after_move(self) {}

    fn moves(self) -> Option<Cost> {
        None
    }
}

impl Room for u16 {
    fn new(moves: Cost) -> Option<u16> {
        moves.try_into().ok()
    }

    #[inline]
    fn after_move(self) -> u16 {
        self.wrapping_sub(1)
    }

    fn moves(self) -> Option<Cost> {
        Some(self.into())
    }
}

/// No pruning beyond inverse moves, which the buckets omit.
pub(crate) struct NoPruning;

impl PathPruning for NoPruning {
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
    fn next((): (), (): (), _move_index: usize) -> ((), bool) {
        ((), true)
    }
}

impl PathPruning for Arc<MoveAutomaton> {
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
        let is_allowed = table[usize::from(mark)].map(|next| next != NEVER);
        let bit = |move_index: usize| u8::from(is_allowed[move_index]) << move_index;
        moves & (bit(0) | bit(1) | bit(2) | bit(3))
    }

    #[inline]
    fn next(table: &[NextMarks], mark: Mark, move_index: usize) -> (Mark, bool) {
        let next = table[usize::from(mark)][move_index % MAX_MOVES];
        (next, next != NEVER)
    }
}

/// A stack of boards with the same gap and last move. Items beyond `len` are initialized, so that a batch can write
/// there without a check.
#[derive(Debug)]
struct Bucket<T> {
    items: Vec<T>,
    len: usize,
}

impl<T: Copy + Default> Bucket<T> {
    fn new() -> Self {
        Bucket { items: Vec::new(), len: 0 }
    }

    /// Space for `more` items; [`Bucket::keep`] then adds those that were written.
    #[inline]
    fn space(&mut self, more: usize) -> &mut [T] {
        if self.items.len() < self.len + more {
            self.items.resize((self.len + more).next_power_of_two(), T::default());
        }
        &mut self.items[self.len..self.len + more]
    }

    #[inline]
    fn keep(&mut self, more: usize) {
        self.len += more;
    }

    /// Moves up to `most` items from the top into `into`.
    #[inline]
    fn take(&mut self, most: usize, into: &mut Vec<T>) {
        let rest = self.len.saturating_sub(most);
        into.clear();
        into.extend_from_slice(&self.items[rest..self.len]);
        self.len = rest;
    }
}

/// The buckets of a subtree search, by the cell of the gap and the last move.
#[derive(Debug)]
struct Buckets<T> {
    buckets: Vec<Bucket<T>>,
    /// The bucket whose turn is next.
    next: usize,
}

impl<T: Copy + Default> Buckets<T> {
    fn new(cells: usize) -> Self {
        Buckets { buckets: (0..cells * Direction::ALL.len()).map(|_| Bucket::new()).collect(), next: 0 }
    }

    /// Empties all buckets, and adds one item.
    fn begin(&mut self, bucket: usize, item: T) {
        self.buckets.iter_mut().for_each(|bucket| bucket.len = 0);
        let bucket = &mut self.buckets[bucket];
        bucket.space(1)[0] = item;
        bucket.keep(1);
    }

    #[inline]
    fn bucket(&mut self, at: usize) -> &mut Bucket<T> {
        &mut self.buckets[at]
    }

    /// Takes up to `most` boards of one bucket and returns its index; `None` if all are empty. The buckets take turns,
    /// so that the others fill up.
    #[inline]
    fn take(&mut self, most: usize, into: &mut Vec<T>) -> Option<usize> {
        let (before, after) = self.buckets.split_at(self.next);
        let filled = |bucket: &Bucket<T>| bucket.len > 0;
        let at = match after.iter().position(filled) {
            Some(at) => self.next + at,
            None => before.iter().position(filled)?,
        };
        let bucket = &mut self.buckets[at];
        bucket.take(most, into);
        self.next = if bucket.len >= most { at } else { (at + 1) % self.buckets.len() };
        Some(at)
    }
}

/// A move of the boards in a bucket.
#[derive(Debug)]
pub(crate) struct BucketMove<D> {
    pub(crate) direction: Direction,
    pub(crate) from: Cell,
    /// The bucket of the successors.
    pub(crate) bucket: usize,
    pub(crate) data: D,
}

/// The gap and the moves of the boards in a bucket.
#[derive(Debug)]
pub(crate) struct BucketMoves<D> {
    pub(crate) gap: Cell,
    pub(crate) moves: Vec<BucketMove<D>>,
}

impl<W: Word> Tiles<W> {
    /// By bucket: the gap and the moves of its boards.
    pub(crate) fn bucket_moves<D>(&self, data: impl Fn(Cell, Slide) -> D) -> Vec<BucketMoves<D>> {
        let moves_of = |bucket: usize| {
            let (gap, last) = (Cell::new(bucket / 4), Direction::from_bits(bucket as u16));
            let bucket_move = |slide: Slide| {
                let (from, direction) = (slide.origin(gap), slide.direction());
                BucketMove { direction, from, bucket: from.with(direction), data: data(from, slide) }
            };
            BucketMoves { gap, moves: self.moves_without_inverse(gap, last).map(bucket_move).collect() }
        };
        (0..self.cells() * Direction::ALL.len()).map(moves_of).collect()
    }
}

/// The most boards of a batch.
const BATCH: usize = 512;

/// A board with its slack, the carried part of its evaluation, the automaton's mark, and the room.
type Item<W, H, P> = (W, <H as UnitChange<W>>::Carried, <P as PathPruning>::Mark, <P as PathPruning>::Room);

/// A subtree search with a heuristic that every move changes by one.
struct BatchedSearch<'a, W: Word, H: UnitChange<W>, P: PathPruning> {
    heuristic: &'a H,
    pruning: P,
    goal: Board<W>,
    moves: Vec<BucketMoves<H::MoveData<'a>>>,
    buckets: Buckets<Item<W, H, P>>,
    batch: Vec<Item<W, H, P>>,
    /// The room at the deepest board.
    least_room: P::Room,
    tally: Tally,
}

/// A subtree search through the boards of a space, with an automaton or without.
pub(super) fn batched_search<'a, W: Word, H: UnitChange<W>>(
    space: &'a Tiles<W>,
    heuristic: &'a H,
    automaton: Option<Arc<MoveAutomaton>>,
) -> Box<dyn SubtreeSearch<Tiles<W>, H::Eval> + 'a> {
    match automaton {
        None => Box::new(BatchedSearch::new(space, heuristic, NoPruning)),
        Some(automaton) => Box::new(BatchedSearch::new(space, heuristic, automaton)),
    }
}

impl<'a, W: Word, H: UnitChange<W>, P: PathPruning> BatchedSearch<'a, W, H, P> {
    fn new(space: &Tiles<W>, heuristic: &'a H, pruning: P) -> Self {
        BatchedSearch {
            heuristic,
            pruning,
            goal: space.goal,
            moves: space.bucket_moves(|from, slide| heuristic.move_data(from, slide)),
            buckets: Buckets::new(space.cells()),
            batch: Vec::with_capacity(BATCH),
            least_room: P::Room::default(),
            tally: Tally::default(),
        }
    }
}

/// Expands the batch, which comes from a bucket; true if there is a goal among the successors.
struct Expand<'s, 'a, W: Word, H: UnitChange<W>, P: PathPruning> {
    search: &'s mut BatchedSearch<'a, W, H, P>,
    bucket: usize,
}

impl<W: Word, H: UnitChange<W>, P: PathPruning> Work for Expand<'_, '_, W, H, P> {
    type Out = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Expand { search, bucket } = self;
        let BucketMoves { gap, moves } = &search.moves[bucket];
        let (gap, heuristic, transitions) = (*gap, search.heuristic, search.pruning.table());
        let mut goal = false;
        search.least_room = search.batch.iter().fold(search.least_room, |least, &(.., room)| least.min(room));
        for &BucketMove { direction, from, bucket, data } in moves {
            let successors = search.buckets.bucket(bucket);
            let space = successors.space(search.batch.len());
            let (mut kept, mut allowed) = (0, 0);
            for &(board, carried, mark, room) in &search.batch {
                let (slack, tile) = (board.get(gap), board.get(from));
                let (mark, is_allowed) = P::next(transitions, mark, direction as usize);
                let (carried, grows) = heuristic.advance(data, board.flip(gap, slack), tile, carried);
                // Written without a branch: the next board overwrites one that is not kept.
                space[kept] = (board.swap(gap, from).subtract(from, grows), carried, mark, room.after_move());
                kept += usize::from(is_allowed & (slack >= u8::from(grows)));
                allowed += usize::from(is_allowed);
            }
            if from == search.goal.gap() {
                goal |= space[..kept].iter().any(|&(board, ..)| board.flip(from, board.get(from)) == search.goal.tiles);
            }
            successors.keep(kept);
            search.tally.generated += allowed as u64;
            if kept < allowed {
                search.tally.least_excess = 2;
            }
        }
        search.tally.expanded += search.batch.len() as u64;
        goal
    }
}

impl<W: Word, H: UnitChange<W>, P: PathPruning> SubtreeSearch<Tiles<W>, H::Eval> for BatchedSearch<'_, W, H, P> {
    fn begin(&mut self, top: Top<'_, Tiles<W>, H::Eval>) -> bool {
        let (carried, estimate) = self.heuristic.split(top.eval);
        let slack = top.room - estimate;
        if !slack.is_multiple_of(2) || slack / 2 > u32::from(W::LARGEST) {
            return false;
        }
        let Some(room) = P::Room::new(top.room) else { return false };
        (self.tally, self.least_room) = (Tally::default(), room);
        let gap = top.state.gap();
        let board = top.state.tiles.flip(gap, (slack / 2) as u8);
        self.buckets.begin(gap.with(top.came_by.direction()), (board, carried, P::first(top.mark), room));
        true
    }

    fn advance(&mut self, expansions: u64) -> SubtreeProgress {
        let mut left = expansions;
        while left > 0 {
            let most = BATCH.min(left as usize);
            let Some(bucket) = self.buckets.take(most, &mut self.batch) else { return SubtreeProgress::Through };
            left -= self.batch.len() as u64;
            if for_this_processor(Expand { search: self, bucket }) {
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
