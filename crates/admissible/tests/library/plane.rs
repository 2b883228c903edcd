//! An infinite plane: moves in four directions, and a goal that may be far away.

use admissible::{AbilityVisitor, Backward, Cost, Estimate, Heuristic, Invertible, Properties, StateSpace};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    East,
    North,
    West,
    South,
}

impl Direction {
    const ALL: [Direction; 4] = [Direction::East, Direction::North, Direction::West, Direction::South];

    fn opposite(self) -> Direction {
        match self {
            Direction::East => Direction::West,
            Direction::North => Direction::South,
            Direction::West => Direction::East,
            Direction::South => Direction::North,
        }
    }

    fn offset(self) -> (i32, i32) {
        match self {
            Direction::East => (1, 0),
            Direction::North => (0, 1),
            Direction::West => (-1, 0),
            Direction::South => (0, -1),
        }
    }
}

/// Every move costs `step_cost`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane {
    pub(crate) goal: Option<(i32, i32)>,
    pub(crate) step_cost: Cost,
}

impl Plane {
    pub(crate) fn distance(&self, from: (i32, i32)) -> Option<Cost> {
        let steps = |(x, y): (i32, i32)| from.0.abs_diff(x) + from.1.abs_diff(y);
        self.goal.map(|goal| steps(goal) * self.step_cost)
    }
}

impl StateSpace for Plane {
    type State = (i32, i32);
    type Packed = (i32, i32);
    type Move = Direction;
    type Moves = [Direction; 4];
    type Undo = ();

    fn pack(&self, state: &(i32, i32)) -> (i32, i32) {
        *state
    }

    fn unpack(&self, packed: (i32, i32)) -> (i32, i32) {
        packed
    }

    fn is_goal(&self, state: &(i32, i32)) -> bool {
        self.goal == Some(*state)
    }

    fn moves(&self, _state: &(i32, i32)) -> [Direction; 4] {
        Direction::ALL
    }

    fn apply(&self, (x, y): &mut (i32, i32), m: Direction) {
        let (right, up) = m.offset();
        (*x, *y) = (*x + right, *y + up);
    }

    fn undo(&self, state: &mut (i32, i32), m: Direction, (): ()) {
        self.apply(state, m.opposite());
    }

    fn cost(&self, _before: &(i32, i32), _m: Direction) -> Cost {
        self.step_cost
    }

    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.invertible(self).backward(self)
    }
}

impl Invertible for Plane {
    fn inverse(&self, m: Direction) -> Option<Direction> {
        Some(m.opposite())
    }
}

impl Backward for Plane {
    fn goals(&self) -> Option<Vec<(i32, i32)>> {
        Some(self.goal.into_iter().collect())
    }

    fn predecessors(&self, state: &(i32, i32), mut visit: impl FnMut((i32, i32), Cost)) {
        for m in Direction::ALL {
            let mut before = *state;
            self.apply(&mut before, m);
            visit(before, self.step_cost);
        }
    }
}

/// The distance to the goal, or 0 without a goal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlaneDistance;

impl Heuristic<Plane> for PlaneDistance {
    type Eval = Cost;

    fn evaluate(&self, space: &Plane, state: &(i32, i32)) -> Cost {
        space.distance(*state).unwrap_or(0)
    }

    fn estimate(&self, eval: Cost) -> Estimate {
        Estimate::new(eval)
    }

    fn properties(&self, _space: &Plane) -> Properties {
        Properties::CONSISTENT
    }
}
