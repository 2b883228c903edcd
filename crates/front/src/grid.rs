//! The four directions of a square grid, and short lists of them that fit into a register.

/// A direction on the board; north is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Towards row 0.
    North,
    /// Towards the last column.
    East,
    /// Towards the last row.
    South,
    /// Towards column 0.
    West,
}

impl Direction {
    /// All four, clockwise.
    pub const ALL: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];

    /// The way back.
    #[inline]
    pub fn opposite(self) -> Self {
        Self::from_bits(self as u16 ^ 2)
    }

    /// The direction encoded in the two lowest bits. The `match` compiles to no code; an array would cost a load.
    #[inline]
    pub fn from_bits(bits: u16) -> Self {
        match bits & 3 {
            0 => Direction::North,
            1 => Direction::East,
            2 => Direction::South,
            _ => Direction::West,
        }
    }

    /// The change of row and column.
    pub fn step(self) -> (isize, isize) {
        [(-1, 0), (0, 1), (1, 0), (0, -1)][self as usize]
    }
}

/// A list of at most four directions, packed: four bits each, the first one lowest, and bit 2 set in each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Directions(u16);

impl Directions {
    /// Appends a direction.
    #[must_use]
    pub fn with(self, direction: Direction) -> Self {
        let used = u16::BITS - self.0.leading_zeros();
        Directions(self.0 | (direction as u16 | 4) << used.next_multiple_of(4))
    }
}

impl Directions {
    /// Calls `visit` with the first three directions, flagged `true`. If there are fewer, the rest are arbitrary and
    /// flagged `false`, so that no branch depends on the unpredictable number of directions.
    #[inline]
    pub fn first_three(self, mut visit: impl FnMut(Direction, bool)) {
        for at in 0..3 {
            let bits = self.0 >> (4 * at);
            visit(Direction::from_bits(bits), bits & 4 != 0);
        }
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        directions.into_iter().fold(Directions::default(), Directions::with)
    }
}

impl Iterator for Directions {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        if self.0 == 0 {
            return None;
        }
        let direction = Direction::from_bits(self.0);
        self.0 >>= 4;
        Some(direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_keep_their_order() {
        use Direction::{East, North, South, West};
        for order in [vec![], vec![West], vec![North, South], vec![East, South, West, North]] {
            let directions: Directions = order.iter().copied().collect();
            let mut first = Vec::new();
            directions.first_three(|direction, is_one| first.extend(is_one.then_some(direction)));
            assert_eq!(first, order[..order.len().min(3)]);
            assert_eq!(directions.collect::<Vec<_>>(), order);
        }
        assert!(Direction::ALL.iter().all(|d| d.opposite().opposite() == *d && d.opposite() != *d));
    }
}
