//! The orientations of a die: the 20 of 24 that do not have the 6 up.

use admissible_front::grid::Direction;

/// The faces on top, to the north and to the east. Opposite faces add up to 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Faces {
    /// The face on top.
    pub up: u8,
    /// The face to the north.
    pub north: u8,
    /// The face to the east.
    pub east: u8,
}

impl Faces {
    /// The orientation at the start of every file: 1 up, 2 north, 3 east.
    pub const START: Faces = Faces { up: 1, north: 2, east: 3 };

    /// The faces after a roll.
    pub fn rolled(self, direction: Direction) -> Faces {
        let Faces { up, north, east } = self;
        match direction {
            Direction::North => Faces { up: 7 - north, north: up, east },
            Direction::South => Faces { up: north, north: 7 - up, east },
            Direction::East => Faces { up: 7 - east, north, east: up },
            Direction::West => Faces { up: east, north, east: 7 - up },
        }
    }

    /// The side of the die that shows the 1; `None` if it is up.
    pub fn side_of_one(self) -> Option<Direction> {
        match self {
            Faces { north: 1, .. } => Some(Direction::North),
            Faces { east: 1, .. } => Some(Direction::East),
            Faces { north: 6, .. } => Some(Direction::South),
            Faces { east: 6, .. } => Some(Direction::West),
            _ => None,
        }
    }
}

/// The number of allowed orientations.
pub(super) const COUNT: usize = 20;

/// The length of hot tables by orientation: a power of two, so that an index needs a mask and no bounds check.
pub(super) const PADDED_COUNT: usize = COUNT.next_power_of_two();

/// The allowed orientations by number, with the result of each roll.
#[derive(Debug, Clone)]
pub(super) struct Orientations {
    pub(super) faces: [Faces; COUNT],
    /// The side that shows the 1; `None` if it is up.
    pub(super) one: [Option<Direction>; COUNT],
    /// The orientation after a roll; `FORBIDDEN` if that brings the 6 up.
    rolled: [[u8; 4]; PADDED_COUNT],
    /// The allowed rolls, a bit for each direction.
    rollable: [u8; PADDED_COUNT],
}

const FORBIDDEN: u8 = u8::MAX;

impl Orientations {
    /// Breadth-first search from the start, which gets the number 0.
    pub(super) fn new() -> Self {
        let mut found = vec![Faces::START];
        let mut next = 0;
        while next < found.len() {
            for direction in Direction::ALL {
                let faces = found[next].rolled(direction);
                if faces.up != 6 && !found.contains(&faces) {
                    found.push(faces);
                }
            }
            next += 1;
        }
        let faces: [Faces; COUNT] = found.try_into().expect("20 orientations can be reached without the 6 up");
        let number = |wanted: Faces| faces.iter().position(|&f| f == wanted).map_or(FORBIDDEN, |at| at as u8);
        let mut rolled = [[FORBIDDEN; 4]; PADDED_COUNT];
        for (numbers, faces) in rolled.iter_mut().zip(faces) {
            *numbers = Direction::ALL.map(|direction| number(faces.rolled(direction)));
        }
        let bit = |(at, &number): (usize, &u8)| u8::from(number != FORBIDDEN) << at;
        let rollable = rolled.map(|numbers| numbers.iter().enumerate().map(bit).sum());
        Orientations { faces, one: faces.map(Faces::side_of_one), rolled, rollable }
    }

    /// The orientation after an allowed roll.
    #[inline]
    pub(super) fn rolled(&self, orientation: u8, direction: Direction) -> u8 {
        self.rolled[usize::from(orientation) % PADDED_COUNT][direction as usize]
    }

    /// The allowed rolls, a bit for each direction.
    #[inline]
    pub(super) fn rollable(&self, orientation: u8) -> u8 {
        self.rollable[usize::from(orientation) % PADDED_COUNT]
    }
}
