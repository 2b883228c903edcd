//! The algorithms as values, so that one test can run all of them.

use admissible::search::{
    Limits, Report, Search, Stop, TieBreak, Weight, astar, bfs, bidirectional, dfs, greedy, idastar, run, ucs, wastar,
};
use admissible::{Backward, Heuristic};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Astar(TieBreak),
    Ucs(TieBreak),
    /// The weight, in halves.
    Wastar(u32, TieBreak),
    Greedy(TieBreak),
    Bfs,
    Dfs,
    Idastar,
    Bidirectional,
}

use Algorithm::{Astar, Bfs, Bidirectional, Dfs, Greedy, Idastar, Ucs, Wastar};

impl Algorithm {
    pub(crate) const ALL: [Algorithm; 12] = [
        Astar(TieBreak::Fifo),
        Astar(TieBreak::Lifo),
        Astar(TieBreak::LowH),
        Ucs(TieBreak::Fifo),
        Wastar(3, TieBreak::LowH),
        Wastar(4, TieBreak::Fifo),
        Wastar(10, TieBreak::Lifo),
        Greedy(TieBreak::LowH),
        Bfs,
        Dfs,
        Idastar,
        Bidirectional,
    ];

    /// The search, ready to be advanced. `to_goal` and `from_start` are for algorithms with a heuristic.
    pub(crate) fn search<'a, S: Backward, F: Heuristic<S>, B: Heuristic<S>>(
        self,
        space: &'a S,
        start: S::State,
        to_goal: &'a F,
        from_start: &'a B,
        limits: &Limits,
    ) -> Box<dyn Search<S> + 'a> {
        match self {
            Astar(tie) => astar(space, start, to_goal, tie, limits),
            Ucs(tie) => Box::new(ucs(space, start, tie, limits)),
            Wastar(halves, tie) => Box::new(wastar(space, start, to_goal, in_halves(halves), tie, limits)),
            Greedy(tie) => Box::new(greedy(space, start, to_goal, tie, limits)),
            Bfs => Box::new(bfs(space, start, limits)),
            Dfs => Box::new(dfs(space, start, None, limits)),
            Idastar => idastar(space, start, to_goal, limits),
            Bidirectional => {
                Box::new(bidirectional(space, start, to_goal, from_start, limits).expect("the goals are listed"))
            }
        }
    }

    pub(crate) fn run<S: Backward, F: Heuristic<S>, B: Heuristic<S>>(
        self,
        space: &S,
        start: S::State,
        to_goal: &F,
        from_start: &B,
        limits: &Limits,
    ) -> Report<S::Move> {
        run(&mut *self.search(space, start, to_goal, from_start, limits), limits, &mut ())
    }

    /// Limits with which it ends on a small graph: IDA* may take exponential time.
    pub(crate) fn limits(self) -> Limits {
        Limits { expanded: (self == Idastar).then_some(2_000), ..Limits::default() }
    }

    /// Whether it stopped at [`Algorithm::limits`].
    pub(crate) fn is_limited(self, why: Stop) -> bool {
        self == Idastar && why == Stop::Nodes
    }

    pub(crate) fn uses_heuristic(self) -> bool {
        !matches!(self, Ucs(_) | Bfs | Dfs)
    }
}

pub(crate) fn in_halves(halves: u32) -> Weight {
    Weight::new(halves, 2).expect("a weight is at least two halves")
}
