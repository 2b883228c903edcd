//! The board as a state space.
//!
//! A state is the set of hexes with a piece: one word, which is also the packed form. Pieces are interchangeable;
//! blocks and exits belong to the instance. A rotation and an AND give all pieces whose neighbour in a direction is
//! free.

use std::fmt;
use std::hint::select_unpredictable;

use admissible::{AbilityVisitor, Backward, Cost, Invertible, Keyed, StateSpace};

use super::hex::{Colour, Hex, Hexes, Step};

/// An action of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Leaves the board.
    Exit {
        /// The exit hex.
        from: Hex,
    },
    /// Jumps over a piece or a block.
    Jump {
        /// The hex before the action.
        from: Hex,
        /// The free hex two steps away.
        to: Hex,
    },
    /// Moves to a neighbour.
    Move {
        /// The hex before the action.
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

    /// The pieces after the action, given those before it, and vice versa.
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
pub(super) enum ActionKind {
    Exit,
    Jump,
    Move,
}

impl ActionKind {
    pub(super) const ALL: [ActionKind; 3] = [ActionKind::Exit, ActionKind::Jump, ActionKind::Move];
    /// The names for `--move-order`.
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
    order: [ActionKind; 3],
}

impl Chexers {
    /// A board with pieces and blocks on different hexes, and the move order of its actions.
    pub(super) fn new(colour: Colour, pieces: Hexes, blocks: Hexes, order: [ActionKind; 3]) -> Self {
        debug_assert!(pieces.intersection(blocks).is_empty(), "no piece stands on a block");
        Chexers { colour, pieces, blocks, exits: colour.exits(), order }
    }

    /// The number of actions.
    #[inline]
    fn count_actions(&self, pieces: Hexes) -> u32 {
        let occupied = pieces.union(self.blocks);
        let free = Hexes::BOARD.without(occupied);
        let moves_and_jumps = Step::ALL.map(|step| {
            let beside_free = free.moved_back(step);
            let beside_occupied = occupied.intersection(beside_free).moved_back(step);
            pieces.intersection(beside_free.union(beside_occupied)).len()
        });
        pieces.intersection(self.exits).len() + moves_and_jumps.iter().sum::<u32>()
    }

    /// The same board with another start.
    pub(super) fn beginning_with(&self, pieces: Hexes) -> Self {
        Chexers::new(self.colour, pieces, self.blocks, self.order)
    }
}

/// The actions that commute with the last action and are pruned after it. Their pieces are on hexes before that of the
/// last action. They must not need a hex that the last action freed or occupied, nor be the piece that it jumped over.
#[derive(Debug, Clone, Copy)]
struct Transpositions {
    /// The hex before the last action.
    from: Hex,
    /// The hex after the last action; outside the board after an exit.
    to: Hex,
    /// All actions from these hexes commute with the last action.
    independent: Hexes,
    /// Actions from these hexes commute unless they lead to `from` or jump over `to`.
    mostly_independent: Hexes,
}

impl Transpositions {
    /// Without a last action.
    const NONE: Transpositions = Transpositions {
        from: Hex::OUTSIDE,
        to: Hex::OUTSIDE,
        independent: Hexes::NONE,
        mostly_independent: Hexes::NONE,
    };

    #[inline]
    fn after(action: Action) -> Transpositions {
        let (from, to) = match action {
            Action::Exit { from } => (from, Hex::OUTSIDE),
            Action::Jump { from, to } | Action::Move { from, to } => (from, to),
        };
        let (near_from, near_to) = (from.neighbours(), to.neighbours());
        // The hex that a jump passes over is a neighbour of both.
        let between = near_from.intersection(near_to);
        let mostly_independent = from.all_before().without(between).without(Hexes::from_iter([to]));
        let independent = mostly_independent.without(near_from).without(near_to).without(from.two_away());
        Transpositions { from, to, independent, mostly_independent }
    }

    /// Whether a move, or a jump over a hex, is pruned.
    #[inline]
    fn include(&self, from: Hex, to: Hex, over: Option<Hex>) -> bool {
        self.mostly_independent.contains(from) & (to != self.from) & (over != Some(self.to))
    }
}

/// The actions of one state: kind by kind, direction by direction, each for the pieces in reading order.
#[derive(Debug, Clone)]
pub struct Actions {
    pieces: Hexes,
    blocks: Hexes,
    exits: Hexes,
    order: [ActionKind; 3],
    /// The next kind and direction: `6 * kind + direction`.
    stage: u8,
    /// The present kind.
    kind: ActionKind,
    /// The present direction.
    step: Step,
    /// The pieces whose action of this kind and direction comes next.
    ready: Hexes,
}

impl Actions {
    /// The pieces with an action of the present kind and direction.
    #[inline]
    fn actors(&self) -> Hexes {
        let occupied = self.pieces.union(self.blocks);
        let beside_free = Hexes::BOARD.without(occupied).moved_back(self.step);
        match self.kind {
            ActionKind::Exit => self.pieces.intersection(self.exits),
            // Only hexes of the board are occupied, so no jump wraps around the edge.
            ActionKind::Jump => self.pieces.intersection(occupied.intersection(beside_free).moved_back(self.step)),
            ActionKind::Move => self.pieces.intersection(beside_free),
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
                    ActionKind::Exit => Action::Exit { from },
                    ActionKind::Jump => Action::Jump { from, to: beside.after(self.step) },
                    ActionKind::Move => Action::Move { from, to: beside },
                });
            }
            self.kind = *self.order.get(usize::from(self.stage / 6))?;
            self.step = Step::ALL[usize::from(self.stage % 6)];
            self.stage += if self.kind == ActionKind::Exit { 6 } else { 1 };
            self.ready = self.actors();
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
        pieces.0
    }

    #[inline]
    fn unpack(&self, packed: u64) -> Hexes {
        Hexes(packed)
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
    /// The piece or block that was jumped over stays, so a jump is reversible; an exit is not.
    #[inline]
    fn inverse(&self, action: Action) -> Option<Action> {
        match action {
            Action::Exit { .. } => None,
            Action::Jump { from, to } => Some(Action::Jump { from: to, to: from }),
            Action::Move { from, to } => Some(Action::Move { from: to, to: from }),
        }
    }
}

/// The packed state is the key.
impl Keyed for Chexers {
    const KEY_WORDS: usize = 1;
    const CODE_BITS: u32 = 12;

    #[inline]
    fn key(&self, pieces: &Hexes) -> [u64; 2] {
        [pieces.0, 0]
    }

    #[inline]
    fn state_of_key(&self, [word, _]: [u64; 2]) -> Hexes {
        Hexes(word)
    }

    const SUCCESSORS_BY_KEY: bool = true;

    /// Every piece in every direction, and its exit.
    const MAX_VISITS: usize = 7 * 37;

    /// Piece by piece: the number of pieces is predictable, the number that can move in a direction is not.
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
        let before = came_by.map_or(word, |action| action.toggle(*pieces).0);
        let transpositions = came_by.map_or(Transpositions::NONE, Transpositions::after);
        let exits = self.exits.without(transpositions.mostly_independent);
        for from in pieces.without(transpositions.independent) {
            let gone = pieces.toggled(from);
            visit(Action::Exit { from }, [gone.0, 0], exits.contains(from));
            for step in Step::ALL {
                let beside = from.after(step);
                // Only hexes of the board are occupied, so no jump wraps around the edge.
                let jumps = occupied.contains(beside);
                let to = select_unpredictable(jumps, beside.after(step), beside);
                let after = gone.toggled(to).0;
                let is_transposition = transpositions.include(from, to, jumps.then_some(beside));
                visit(Action::to(from, to), [after, 0], free.contains(to) & (after != before) & !is_transposition);
            }
        }
        self.count_actions(*pieces)
    }

    /// Of two independent actions, that of the piece on the later hex comes last.
    #[inline]
    fn transposition_order(&self, action: Action) -> u32 {
        let (Action::Exit { from } | Action::Jump { from, .. } | Action::Move { from, .. }) = action;
        from.index() as u32
    }

    /// The hex after the action, or the exit, and the rotation that leads there.
    #[inline]
    fn code(&self, action: Action) -> u32 {
        let (to, rotation) = match action {
            Action::Exit { from } => (from, 0),
            Action::Jump { from, to } | Action::Move { from, to } => (to, to.index().wrapping_sub(from.index()) & 63),
        };
        (to.index() << 6 | rotation) as u32
    }

    #[inline]
    fn move_of_code(&self, code: u32) -> Action {
        let (to, step) = (Hex((code >> 6) as u8 & 63), Step(code as u8 & 63));
        let from = to.before(step);
        if step == Step(0) { Action::Exit { from } } else { Action::to(from, to) }
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

    /// The inverse of a move is a move and that of a jump a jump. The inverse of an exit adds a piece on an exit, up to
    /// the number of pieces at the start.
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
