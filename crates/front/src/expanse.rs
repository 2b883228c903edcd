//! What can be explored whole: every state of some instances by number, or what a start can reach.

use admissible::Backward;
use admissible::explore::Chart;

use crate::parameters::Parameters;
use crate::puzzle::{Puzzle, ReadOptions};

/// Some instances of a puzzle between which no move leads, and every state of each by number.
pub trait Expanse: Sync {
    /// The puzzle.
    type Puzzle: Puzzle + Backward;
    /// The states of one instance.
    type Chart: Chart<Self::Puzzle>;

    /// What it is, in words.
    fn title(&self) -> String;
    /// How many instances there are.
    fn parts(&self) -> usize {
        1
    }
    /// How many states a part has; told without making it. The largest number stands for whatever is larger.
    fn states(&self, part: usize) -> u128;
    /// The name under which an atlas of a part is kept. It stands for the numbers too: whoever numbers states in another way
    /// gives another name.
    fn name(&self, part: usize) -> String;
    /// Makes a part and hands it over. Nobody asks for one whose states do not fit into memory.
    fn part<R>(&self, part: usize, user: impl FnOnce(&Self::Puzzle, &Self::Chart) -> R) -> R;
}

/// Explores what is known only here by its type.
pub trait WithExpanse {
    /// What comes out.
    type Out;
    /// The states have numbers.
    fn numbered<E: Expanse>(self, expanse: &E) -> Self::Out;
    /// They have none: what the start can reach has to be listed.
    fn reachable<P: Puzzle + Backward>(self, title: &str, puzzle: &P) -> Self::Out;
}

/// Uses the numbers of an instance's states.
pub trait WithChart<P: Puzzle> {
    /// What comes out.
    type Out;
    /// Uses them.
    fn call<C: Chart<P>>(self, chart: &C) -> Self::Out
    where
        P: Backward;
}

/// Which space of a puzzle to explore where no file is given.
#[derive(Debug, Clone, Default)]
pub struct Region {
    /// One of the puzzle's scopes.
    pub scope: Option<String>,
    /// Sizes and pieces, [complete](Parameters::complete).
    pub parameters: Parameters,
    /// Goal and metric.
    pub reading: ReadOptions,
}

/// One instance with its states numbered.
pub struct Whole<'a, P, M> {
    /// What it is, in words.
    pub title: String,
    /// The name of its atlas.
    pub name: String,
    /// The number of states.
    pub states: u128,
    /// The instance.
    pub puzzle: &'a P,
    /// Makes the chart.
    pub make: M,
}

impl<P, C, M> Expanse for Whole<'_, P, M>
where
    P: Puzzle + Backward,
    C: Chart<P>,
    M: Fn(&P) -> C + Sync,
{
    type Puzzle = P;
    type Chart = C;

    fn title(&self) -> String {
        self.title.clone()
    }

    fn states(&self, _part: usize) -> u128 {
        self.states
    }

    fn name(&self, _part: usize) -> String {
        self.name.clone()
    }

    fn part<R>(&self, _part: usize, user: impl FnOnce(&P, &C) -> R) -> R {
        user(self.puzzle, &(self.make)(self.puzzle))
    }
}
