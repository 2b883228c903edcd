//! The 37 hexes of the board in axial coordinates, sets of them, and the exits of each colour.
//!
//! A hex `(q, r)` is bit `8 (r + 3) + (q + 3)` of a word: seven rows of seven, cut to a hexagon, with an empty column
//! to the right and an empty row below. So a step in one of the six directions is the same rotation of the word for
//! every hex, and a step off the board ends outside [`Hexes::BOARD`] instead of on the other side. Bits are in reading
//! order: by row, then from left to right.

use std::fmt;

/// The steps to the six neighbours.
const STEPS: [(i8, i8); 6] = [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)];

/// A hex of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hex(pub(super) u8);

impl Hex {
    /// The hex at `(q, r)`, if that is on the board.
    pub const fn new(q: i8, r: i8) -> Option<Hex> {
        let on_board = -3 <= q && q <= 3 && -3 <= r && r <= 3 && -3 <= q + r && q + r <= 3;
        if on_board { Some(Hex((8 * (r + 3) + q + 3) as u8)) } else { None }
    }

    /// The coordinates `(q, r)`.
    pub fn coordinates(self) -> (i8, i8) {
        ((self.0 % 8) as i8 - 3, (self.0 / 8) as i8 - 3)
    }

    /// The number of its bit, below 64.
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0 & 63)
    }

    /// A hex that is neither on the board nor adjacent to it.
    pub(super) const OUTSIDE: Hex = Hex(63);

    /// The adjacent hexes of the board.
    #[inline]
    pub(super) fn neighbours(self) -> Hexes {
        const NEIGHBOURS: [Hexes; 64] = around(1);
        NEIGHBOURS[self.index()]
    }

    /// The hexes of the board from which a jump leads here.
    #[inline]
    pub(super) fn two_away(self) -> Hexes {
        const TWO_AWAY: [Hexes; 64] = around(2);
        TWO_AWAY[self.index()]
    }

    /// The hexes before it in reading order.
    #[inline]
    pub(super) fn all_before(self) -> Hexes {
        Hexes((1 << self.index()) - 1)
    }

    /// The hex from which a step leads here.
    #[inline]
    pub(super) fn before(self, step: Step) -> Hex {
        Hex(self.0.wrapping_sub(step.0) & 63)
    }

    /// The hex after a step, which may be outside the board.
    #[inline]
    pub(super) fn after(self, step: Step) -> Hex {
        Hex((self.0 + step.0) & 63)
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (q, r) = self.coordinates();
        write!(f, "({q}, {r})")
    }
}

/// A step in one of the six directions, or two of them for a jump, as a rotation of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step(pub(super) u8);

impl Step {
    /// The step or jump from a hex to another one.
    #[inline]
    pub(super) fn between(from: Hex, to: Hex) -> Step {
        Step(to.0.wrapping_sub(from.0) & 63)
    }

    /// Whether it is a single step and not a jump.
    #[inline]
    pub(super) fn is_single(self) -> bool {
        const SINGLE: u64 = {
            let mut single = 0;
            let mut at = 0;
            while at < 6 {
                single |= 1 << Step::ALL[at].0;
                at += 1;
            }
            single
        };
        SINGLE >> (self.0 & 63) & 1 == 1
    }

    pub(super) const ALL: [Step; 6] = {
        let mut all = [Step(0); 6];
        let mut at = 0;
        while at < 6 {
            let (q, r) = STEPS[at];
            all[at] = Step((8 * r + q) as u8 & 63);
            at += 1;
        }
        all
    };
}

/// By hex of the board: the hexes that are `steps` steps away in a straight line. Empty for hexes outside the board.
const fn around(steps: i8) -> [Hexes; 64] {
    let mut around = [Hexes::NONE; 64];
    let mut place = 0;
    while place < 49 {
        let (q, r) = (place % 7 - 3, place / 7 - 3);
        let mut at = 0;
        while at < 6 {
            let (along_q, along_r) = STEPS[at];
            if let (Some(hex), Some(other)) = (Hex::new(q, r), Hex::new(q + steps * along_q, r + steps * along_r)) {
                around[hex.0 as usize].0 |= 1 << other.0;
            }
            at += 1;
        }
        place += 1;
    }
    around
}

/// A set of hexes as the bits of a word, iterated in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hexes(pub(super) u64);

impl Hexes {
    /// No hex.
    pub const NONE: Hexes = Hexes(0);

    /// Every hex of the board.
    pub const BOARD: Hexes = {
        let mut board = 0;
        let mut place = 0;
        while place < 49 {
            if let Some(hex) = Hex::new(place % 7 - 3, place / 7 - 3) {
                board |= 1 << hex.0;
            }
            place += 1;
        }
        Hexes(board)
    };

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of hexes.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether a hex is in the set.
    #[inline]
    pub fn contains(self, hex: Hex) -> bool {
        self.0 >> hex.index() & 1 == 1
    }

    /// The hexes of both sets.
    #[inline]
    #[must_use]
    pub fn union(self, other: Hexes) -> Hexes {
        Hexes(self.0 | other.0)
    }

    /// The hexes that the sets share.
    #[inline]
    #[must_use]
    pub fn intersection(self, other: Hexes) -> Hexes {
        Hexes(self.0 & other.0)
    }

    /// The hexes that are not in the other set.
    #[inline]
    #[must_use]
    pub fn without(self, other: Hexes) -> Hexes {
        Hexes(self.0 & !other.0)
    }

    /// Whether the sets share no hex.
    #[inline]
    pub(super) fn is_disjoint(self, other: Hexes) -> bool {
        self.0 & other.0 == 0
    }

    /// The set with a hex added or, if the set has it, removed.
    #[inline]
    #[must_use]
    pub(super) fn toggled(self, hex: Hex) -> Hexes {
        Hexes(self.0 ^ 1 << hex.index())
    }

    /// Every hex moved by a step. A hex that leaves the board is outside [`Hexes::BOARD`]; a second step might bring it
    /// back on the other side.
    #[inline]
    #[must_use]
    pub(super) fn moved(self, step: Step) -> Hexes {
        Hexes(self.0.rotate_left(step.0.into()))
    }

    /// Every hex moved by the inverse step: the hexes from which the step leads into the set.
    #[inline]
    #[must_use]
    pub(super) fn moved_back(self, step: Step) -> Hexes {
        Hexes(self.0.rotate_right(step.0.into()))
    }
}

impl FromIterator<Hex> for Hexes {
    fn from_iter<I: IntoIterator<Item = Hex>>(hexes: I) -> Self {
        hexes.into_iter().fold(Hexes::NONE, |set, hex| Hexes(set.0 | 1 << hex.index()))
    }
}

impl Iterator for Hexes {
    type Item = Hex;

    #[inline]
    fn next(&mut self) -> Option<Hex> {
        if self.0 == 0 {
            return None;
        }
        let hex = Hex(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(hex)
    }
}

/// The colour of the pieces, which determines their exits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Exits at the upper right.
    Red,
    /// Exits at the bottom.
    Green,
    /// Exits at the upper left.
    Blue,
}

impl Colour {
    /// All three.
    pub const ALL: [Colour; 3] = [Colour::Red, Colour::Green, Colour::Blue];
    /// The names in files.
    pub const NAMES: [&str; 3] = ["red", "green", "blue"];

    /// The name in files.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The colour of that name.
    pub fn named(name: &str) -> Option<Colour> {
        Colour::ALL.into_iter().find(|colour| colour.name() == name)
    }

    /// The exits of its pieces.
    pub fn exits(self) -> Hexes {
        let exits = match self {
            Colour::Red => [(3, -3), (3, -2), (3, -1), (3, 0)],
            Colour::Green => [(-3, 3), (-2, 3), (-1, 3), (0, 3)],
            Colour::Blue => [(-3, 0), (-2, -1), (-1, -2), (0, -3)],
        };
        exits.into_iter().map(|(q, r)| Hex::new(q, r).expect("exits are on the board")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_37_hexes_in_reading_order() {
        let hexes: Vec<Hex> = Hexes::BOARD.collect();
        assert_eq!(hexes.len(), 37);
        assert!(hexes.is_sorted_by_key(|hex| (hex.coordinates().1, hex.coordinates().0)));
        for hex in hexes {
            let (q, r) = hex.coordinates();
            assert_eq!(Hex::new(q, r), Some(hex));
            assert!((q + r).abs() <= 3);
        }
        assert!([(4, -2), (2, 2), (-2, -2), (0, -4)].into_iter().all(|(q, r)| Hex::new(q, r).is_none()));
    }

    #[test]
    fn a_step_off_the_board_ends_outside() {
        for hex in Hexes::BOARD {
            let (q, r) = hex.coordinates();
            for (step, (along_q, along_r)) in Step::ALL.into_iter().zip(STEPS) {
                let there = Hexes::from_iter([hex]).moved(step).intersection(Hexes::BOARD);
                assert_eq!(there, Hex::new(q + along_q, r + along_r).into_iter().collect(), "{hex} {step:?}");
                assert!(there.is_empty() || there == Hexes::from_iter([hex.after(step)]));
                assert_eq!(Hexes::from_iter([hex]).moved(step).moved_back(step), Hexes::from_iter([hex]));
            }
        }
    }
}
