//! The board as a state space.
//!
//! A state is the set of hexes that hold a piece, one word, which is its packed form as well: pieces are alike, and
//! blocks and exits belong to the instance. Moves are found for all pieces at once: those that can move in a direction
//! are the ones whose neighbour there is free, which is a rotation and an AND.

use std::fmt;
use std::hint::select_unpredictable;

use admissible::{AbilityVisitor, Backward, Cost, Invertible, Keyed, StateSpace};

use super::hex::{Colour, Hex, Hexes, Step};

/// What a piece can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Leaves the board.
    Exit {
        /// The exit hex that it leaves from.
        from: Hex,
    },
    /// Jumps over a piece or a block.
    Jump {
        /// Where it stands.
        from: Hex,
        /// The free hex two steps away.
        to: Hex,
    },
    /// Moves a step.
    Move {
        /// Where it stands.
        from: Hex,
        /// The free neighbour.
        to: Hex,
    },
}

impl Action {
    /// The move or the jump from a hex to another one.
    #[inline]
    fn to(from: Hex, to: Hex) -> Action {
        if Step::between(from, to).is_single() { Action::Move { from, to } } else { Action::Jump { from, to } }
    }

    /// The pieces after the action, or the pieces before it if they are those after it.
    #[inline]
    fn toggle(self, pieces: Hexes) -> Hexes {
        match self {
            Action::Exit { from } => pieces.toggled(from),
            Action::Jump { from, to } | Action::Move { from, to } => pieces.toggled(from).toggled(to),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Exit { from } => write!(f, "EXIT from {from}."),
            Action::Jump { from, to } => write!(f, "JUMP from {from} to {to}."),
            Action::Move { from, to } => write!(f, "MOVE from {from} to {to}."),
        }
    }
}

/// The kinds of actions, in the default order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Exit,
    Jump,
    Move,
}

impl Kind {
    pub(super) const ALL: [Kind; 3] = [Kind::Exit, Kind::Jump, Kind::Move];
    /// Their names for `--move-order`.
    pub(super) const NAMES: [&str; 3] = ["exit", "jump", "move"];
}

/// A board of single-player Chexers.
#[derive(Debug)]
pub struct Chexers {
    pub(super) colour: Colour,
    /// The pieces at the start.
    pub(super) pieces: Hexes,
    pub(super) blocks: Hexes,
    pub(super) exits: Hexes,
    order: [Kind; 3],
}

impl Chexers {
    /// A board with pieces and blocks on different hexes, on which actions are tried in that order of kinds.
    pub(super) fn new(colour: Colour, pieces: Hexes, blocks: Hexes, order: [Kind; 3]) -> Self {
        debug_assert!(pieces.intersection(blocks).is_empty(), "no piece stands on a block");
        Chexers { colour, pieces, blocks, exits: colour.exits(), order }
    }

    /// How many actions the pieces can choose from.
    #[inline]
    fn count_actions(&self, pieces: Hexes) -> u32 {
        let occupied = pieces.union(self.blocks);
        let free = Hexes::BOARD.without(occupied);
        let leaps = Step::ALL.map(|step| {
            let beside_free = free.moved_back(step);
            let beside_occupied = occupied.intersection(beside_free).moved_back(step);
            pieces.intersection(beside_free.union(beside_occupied)).len()
        });
        pieces.intersection(self.exits).len() + leaps.iter().sum::<u32>()
    }

    /// The same board with other pieces to begin with.
    pub(super) fn beginning_with(&self, pieces: Hexes) -> Self {
        Chexers::new(self.colour, pieces, self.blocks, self.order)
    }
}

/// Which pieces could have acted before an action just as well as after it: those on hexes before the one it began on,
/// unless it made or took away what they need, or they are what it needed.
#[derive(Debug, Clone, Copy)]
struct Transpositions {
    /// Where it led from and to, outside the board for a piece that left it.
    from: Hex,
    to: Hex,
    /// From these hexes nothing depends on it.
    left_out: Hexes,
    /// From these, all that depends on it is an action to where it led from, or a jump over where it led to.
    steady: Hexes,
}

impl Transpositions {
    /// After no action.
    const NONE: Transpositions =
        Transpositions { from: Hex::OUTSIDE, to: Hex::OUTSIDE, left_out: Hexes::NONE, steady: Hexes::NONE };

    #[inline]
    fn after(action: Action) -> Transpositions {
        let (from, to) = match action {
            Action::Exit { from } => (from, Hex::OUTSIDE),
            Action::Jump { from, to } | Action::Move { from, to } => (from, to),
        };
        let (near_from, near_to) = (from.neighbours(), to.neighbours());
        // What a jump went over lies between.
        let steady = from.all_before().without(near_from.intersection(near_to)).without(Hexes::from_iter([to]));
        let left_out = steady.without(near_from).without(near_to).without(from.two_away());
        Transpositions { from, to, left_out, steady }
    }

    /// Whether a move, or a jump over a hex, is one of them.
    #[inline]
    fn include(&self, from: Hex, to: Hex, over: Option<Hex>) -> bool {
        self.steady.contains(from) & (to != self.from) & (over != Some(self.to))
    }
}

/// The actions of one state: kind by kind, direction by direction, each for the pieces in reading order.
#[derive(Debug, Clone)]
pub struct Actions {
    pieces: Hexes,
    blocks: Hexes,
    exits: Hexes,
    order: [Kind; 3],
    /// The next pair of kind and direction: `6 * kind + direction`.
    stage: u8,
    /// The present pair.
    kind: Kind,
    step: Step,
    /// The pieces that have yet to do it.
    ready: Hexes,
}

impl Actions {
    /// The pieces that can do the present kind of action in the present direction.
    #[inline]
    fn able(&self) -> Hexes {
        let occupied = self.pieces.union(self.blocks);
        let beside_free = Hexes::BOARD.without(occupied).moved_back(self.step);
        match self.kind {
            Kind::Exit => self.pieces.intersection(self.exits),
            // Only hexes of the board are occupied, so no jump goes over the rim to the other side.
            Kind::Jump => self.pieces.intersection(occupied.intersection(beside_free).moved_back(self.step)),
            Kind::Move => self.pieces.intersection(beside_free),
        }
    }
}

impl Iterator for Actions {
    type Item = Action;

    #[inline]
    fn next(&mut self) -> Option<Action> {
        loop {
            if let Some(from) = self.ready.next() {
                let beside = from.after(self.step);
                return Some(match self.kind {
                    Kind::Exit => Action::Exit { from },
                    Kind::Jump => Action::Jump { from, to: beside.after(self.step) },
                    Kind::Move => Action::Move { from, to: beside },
                });
            }
            self.kind = *self.order.get(usize::from(self.stage / 6))?;
            self.step = Step::ALL[usize::from(self.stage % 6)];
            self.stage += if self.kind == Kind::Exit { 6 } else { 1 };
            self.ready = self.able();
        }
    }
}

impl StateSpace for Chexers {
    type State = Hexes;
    type Packed = u64;
    type Move = Action;
    type Moves = Actions;
    type Undo = ();

    #[inline]
    fn pack(&self, pieces: &Hexes) -> u64 {
        pieces.bits()
    }

    #[inline]
    fn unpack(&self, packed: u64) -> Hexes {
        Hexes::from_bits(packed)
    }

    #[inline]
    fn is_goal(&self, pieces: &Hexes) -> bool {
        pieces.is_empty()
    }

    #[inline]
    fn moves(&self, pieces: &Hexes) -> Actions {
        Actions {
            pieces: *pieces,
            blocks: self.blocks,
            exits: self.exits,
            order: self.order,
            stage: 0,
            kind: self.order[0],
            step: Step::ALL[0],
            ready: Hexes::NONE,
        }
    }

    #[inline]
    fn apply(&self, pieces: &mut Hexes, action: Action) {
        *pieces = action.toggle(*pieces);
    }

    #[inline]
    fn undo(&self, pieces: &mut Hexes, action: Action, (): ()) {
        *pieces = action.toggle(*pieces);
    }

    #[inline]
    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.keyed(self).invertible(self).backward(self)
    }
}

impl Invertible for Chexers {
    /// What was jumped over stays, so a piece can jump back; one that has left cannot return.
    #[inline]
    fn inverse(&self, action: Action) -> Option<Action> {
        match action {
            Action::Exit { .. } => None,
            Action::Jump { from, to } => Some(Action::Jump { from: to, to: from }),
            Action::Move { from, to } => Some(Action::Move { from: to, to: from }),
        }
    }
}

/// A key is a packed state.
impl Keyed for Chexers {
    const KEY_WORDS: usize = 1;
    const CODE_BITS: u32 = 12;

    #[inline]
    fn key(&self, pieces: &Hexes) -> [u64; 2] {
        [pieces.bits(), 0]
    }

    #[inline]
    fn state_of_key(&self, [word, _]: [u64; 2]) -> Hexes {
        Hexes::from_bits(word)
    }

    const SUCCESSORS_BY_KEY: bool = true;

    /// Every piece in every direction, and out.
    const MAX_VISITS: usize = 7 * 37;

    /// Piece by piece: how many can move in a direction cannot be predicted, how many there are can.
    #[inline]
    fn each_successor(
        &self,
        [word, _]: [u64; 2],
        pieces: &Hexes,
        came_by: Option<Action>,
        mut visit: impl FnMut(Action, [u64; 2], bool),
    ) -> u32 {
        let occupied = pieces.union(self.blocks);
        let free = Hexes::BOARD.without(occupied);
        let before = came_by.map_or(word, |action| action.toggle(*pieces).bits());
        let transpositions = came_by.map_or(Transpositions::NONE, Transpositions::after);
        for from in pieces.without(transpositions.left_out) {
            let gone = pieces.toggled(from);
            visit(Action::Exit { from }, [gone.bits(), 0], self.exits.without(transpositions.steady).contains(from));
            for step in Step::ALL {
                let beside = from.after(step);
                // Only hexes of the board are occupied, so no jump goes over the rim to the other side.
                let jumps = occupied.contains(beside);
                let to = select_unpredictable(jumps, beside.after(step), beside);
                let after = gone.toggled(to).bits();
                let is_transposition = transpositions.include(from, to, jumps.then_some(beside));
                visit(Action::to(from, to), [after, 0], free.contains(to) & (after != before) & !is_transposition);
            }
        }
        self.count_actions(*pieces)
    }

    /// Of two pieces that do not get in each other's way, the one that stood further on goes last.
    #[inline]
    fn transposition_order(&self, action: Action) -> u32 {
        let (Action::Exit { from } | Action::Jump { from, .. } | Action::Move { from, .. }) = action;
        from.index() as u32
    }

    /// The hex that the piece comes to, or leaves from, and how far that is.
    #[inline]
    fn code(&self, action: Action) -> u32 {
        let (to, way) = match action {
            Action::Exit { from } => (from, 0),
            Action::Jump { from, to } | Action::Move { from, to } => (to, to.index().wrapping_sub(from.index()) & 63),
        };
        (to.index() << 6 | way) as u32
    }

    #[inline]
    fn move_of_code(&self, code: u32) -> Action {
        let (to, step) = (Hex::from_index(code as usize >> 6), Step::of_rotation(code as u8 & 63));
        let from = to.before(step);
        if step == Step::NONE { Action::Exit { from } } else { Action::to(from, to) }
    }

    #[inline]
    fn retrace(&self, pieces: &mut Hexes, action: Action) {
        *pieces = action.toggle(*pieces);
    }
}

impl Backward for Chexers {
    fn goals(&self) -> Option<Vec<Hexes>> {
        Some(vec![Hexes::NONE])
    }

    /// Moves and jumps are taken back by moves and jumps, an exit by a piece that comes in, as long as some of those
    /// at the start are missing.
    fn predecessors(&self, pieces: &Hexes, mut visit: impl FnMut(Hexes, Cost)) {
        for action in self.moves(pieces).filter(|action| !matches!(action, Action::Exit { .. })) {
            visit(action.toggle(*pieces), 1);
        }
        if pieces.len() < self.pieces.len() {
            for exit in self.exits.without(pieces.union(self.blocks)) {
                visit(pieces.toggled(exit), 1);
            }
        }
    }
}
