//! Stacks of pancakes and their flips. A stack is a word of four bits a pancake, the top in the lowest bits. Pancakes
//! count from 0, the smallest; the plate below the stack counts as the next larger one.

use admissible::{AbilityVisitor, Backward, StateSpace};

/// The most pancakes that a word holds.
pub(super) const MOST: usize = 16;

/// A stack to be sorted, the smallest pancake on top.
#[derive(Debug, Clone, Copy)]
pub struct Pancakes {
    pub(super) count: usize,
    pub(super) start: u64,
    goal: u64,
}

/// The pancake at a place, from 0 at the top.
pub(super) fn pancake(stack: u64, place: usize) -> usize {
    (stack >> (4 * place)) as usize & 15
}

impl Pancakes {
    /// The stack of the sizes 1 to `count` from the top, if every one is there once.
    pub(super) fn new(sizes: &[usize]) -> Option<Self> {
        let count = sizes.len();
        let is_stack = (2..=MOST).contains(&count) && (1..=count).all(|size| sizes.contains(&size));
        let start = sizes.iter().rev().fold(0, |stack, size| stack << 4 | (size.wrapping_sub(1) as u64 & 15));
        is_stack.then(|| Pancakes { count, start, goal: 0xFEDC_BA98_7654_3210 & u64::MAX >> (64 - 4 * count) })
    }
    /// The sizes of a stack from the top.
    pub(super) fn sizes(&self, stack: u64) -> Vec<usize> {
        (0..self.count).map(|place| pancake(stack, place) + 1).collect()
    }
    /// Whether two pancakes would form a gap if they lay together: their sizes are not consecutive.
    pub(super) fn is_gap(&self, stack: u64, upper: usize, lower: usize) -> bool {
        let below = if lower == self.count { self.count } else { pancake(stack, lower) };
        pancake(stack, upper).abs_diff(below) != 1
    }
    /// The gaps between neighbours, the plate among them.
    pub(super) fn gaps(&self, stack: u64) -> u32 {
        (1..=self.count).map(|lower| u32::from(self.is_gap(stack, lower - 1, lower))).sum()
    }
    /// The gaps after a flip, given those before it. Only the neighbours at the spatula change.
    pub(super) fn gaps_after(&self, before: u32, after: u64, flipped: u8) -> u32 {
        let spatula = usize::from(flipped);
        before + u32::from(self.is_gap(after, spatula - 1, spatula)) - u32::from(self.is_gap(after, 0, spatula))
    }
    /// Whether some flip removes a gap: it brings the top pancake to a neighbour in size.
    pub(super) fn can_remove_gap(&self, stack: u64) -> bool {
        (2..=self.count).any(|lower| !self.is_gap(stack, 0, lower) && self.is_gap(stack, lower - 1, lower))
    }
}

impl StateSpace for Pancakes {
    type State = u64;
    type Packed = u64;
    /// The number of pancakes on the spatula.
    type Move = u8;
    type Moves = std::ops::Range<u8>;
    type Undo = ();
    fn pack(&self, stack: &u64) -> u64 {
        *stack
    }
    fn unpack(&self, packed: u64) -> u64 {
        packed
    }
    fn is_goal(&self, stack: &u64) -> bool {
        *stack == self.goal
    }
    fn moves(&self, _stack: &u64) -> Self::Moves {
        2..self.count as u8 + 1
    }
    fn apply(&self, stack: &mut u64, flipped: u8) {
        let bytes = stack.swap_bytes();
        let reversed = (bytes & 0x0F0F_0F0F_0F0F_0F0F) << 4 | bytes >> 4 & 0x0F0F_0F0F_0F0F_0F0F;
        let others = 64 - 4 * u32::from(flipped);
        *stack = *stack & !(u64::MAX >> others) | reversed >> others;
    }
    fn undo(&self, stack: &mut u64, flipped: u8, (): ()) {
        self.apply(stack, flipped);
    }
    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.backward(self)
    }
}

/// A flip takes itself back: predecessors are successors.
impl Backward for Pancakes {
    fn goals(&self) -> Option<Vec<u64>> {
        Some(vec![self.goal])
    }
}
