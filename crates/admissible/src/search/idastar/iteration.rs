//! One iteration of IDA*, on one thread or several.
//!
//! Each walker takes one subtree after the other. Threads live for one call of
//! [`Search::advance`](crate::search::Search::advance), some milliseconds. Between two calls one thread owns the whole
//! search; then an idle walker takes over moves from the stack of another. So only the list of trees needs a lock, and
//! each state is expanded once, by one walker.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::trees::{NextTree, Trees};
use super::walker::{Context, DfsStack, LEAST_FOR_SUBTREES, MOST_AT_ONCE, WalkProgress, Walker};
use crate::heuristic::{Heuristic, Properties};
use crate::platform::together;
use crate::search::hdastar::Team;
use crate::search::move_pruning::MovePruning;
use crate::search::subtree::subtree_search;
use crate::space::{Cost, StateSpace};

/// An iteration is worth several threads if the one before it took [`Team::worth_it`] times this many expansions.
const WORTH_SHARING: u64 = 16;
/// A call with fewer expansions than this is not worth starting threads.
const LEAST: u64 = 4 * MOST_AT_ONCE;
/// The ticks of a call with threads, for each thread.
const STRIDE: u64 = 64;

/// A tree is cut if it takes more than 1 / `.0` of the expansions of an iteration, and at least `.1` expansions.
const MOST_TREES: (u64, u64) = (1 << 14, 1 << 7);
/// The same for subtree searches that want large subtrees.
const MOST_LARGE_TREES: (u64, u64) = (1 << 10, 1 << 13);

/// What is searched, and with what.
pub(super) struct Problem<'a, S: StateSpace, H, P> {
    pub(super) space: &'a S,
    pub(super) heuristic: &'a H,
    pub(super) pruning: P,
    pub(super) start: S::State,
    pub(super) properties: Properties,
}

impl<'a, S: StateSpace, H, P> Problem<'a, S, H, P> {
    pub(super) fn context(&self) -> Context<'a, '_, S, H, P> {
        Context { space: self.space, heuristic: self.heuristic, pruning: &self.pruning }
    }
}

/// The walkers, and the trees and stacks left for them in this iteration.
pub(super) struct Iteration<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> {
    /// One for each thread; only one until an iteration is worth more.
    pub(super) walkers: Vec<Walker<'a, S, H, P>>,
    pub(super) trees: Trees<S::Move, H::Eval>,
    /// Stacks restored from a snapshot that no walker has taken yet.
    pub(super) waiting: Vec<DfsStack<S, H::Eval, P::Memory>>,
    team: Team,
    /// Whether all threads work on this iteration.
    pub(super) is_shared: bool,
    /// Whether trees may be searched in another order than that of the moves.
    may_reorder: bool,
    /// The counts before a snapshot, which no walker has.
    pub(super) earlier: NodeCounts,
}

/// Expansions and successors.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NodeCounts {
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

impl<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Iteration<'a, S, H, P> {
    pub(super) fn new(problem: &Problem<'a, S, H, P>, team: Team, may_reorder: bool, trees_bytes: u64) -> Self {
        let Problem { space, heuristic, pruning, start, .. } = problem;
        let subtree = subtree_search(*space, *heuristic, pruning.automaton());
        Iteration {
            walkers: vec![Walker::new(start.clone(), subtree)],
            trees: Trees::new(heuristic.evaluate(space, start), trees_bytes),
            waiting: Vec::new(),
            team,
            is_shared: false,
            may_reorder,
            earlier: NodeCounts::default(),
        }
    }

    /// Whether an iteration is worth several threads, given the expansions of the last one, or that it is known to be
    /// large.
    pub(super) fn is_worth_sharing(&self, expanded_last: u64, is_large: bool) -> bool {
        let Team { threads, worth_it, .. } = self.team;
        threads > 1 && (expanded_last >= worth_it.saturating_mul(WORTH_SHARING) || is_large)
    }

    /// See [`Search::stride`](crate::search::Search::stride).
    pub(super) fn stride(&self) -> u64 {
        if self.is_shared { STRIDE * self.team.threads.next_power_of_two() as u64 } else { 1 }
    }

    /// Gives every walker a new subtree search, since the automaton has changed.
    pub(super) fn renew_subtree_searches(&mut self, problem: &Problem<'a, S, H, P>) {
        for walker in &mut self.walkers {
            walker.subtree = subtree_search(problem.space, problem.heuristic, problem.pruning.automaton());
        }
    }

    /// Begins an iteration, given the expansions of the last one.
    pub(super) fn begin(&mut self, problem: &Problem<'a, S, H, P>, bound: Cost, expanded_last: u64, is_large: bool) {
        self.is_shared = self.is_worth_sharing(expanded_last, is_large);
        for walker in &mut self.walkers {
            walker.policy.begin(expanded_last);
        }
        self.trees.begin(self.cut_above(expanded_last));
        if let Some(NextTree::Tree(stack) | NextTree::Cut(stack)) = self.next_tree(problem, bound) {
            self.walkers[0].take(stack);
        }
    }

    /// Trees that took more expansions than this in the last iteration are cut.
    fn cut_above(&self, expanded_last: u64) -> u64 {
        let wants_large = self.walkers[0].subtree.as_ref().is_some_and(|subtree| subtree.wants_large_subtrees());
        let (most, least) = if wants_large { MOST_LARGE_TREES } else { MOST_TREES };
        if self.may_reorder { (expanded_last / most).max(least) } else { u64::MAX }
    }

    /// Takes the next tree of this iteration, or cuts it; `None` if none is left. Either expands one state.
    fn next_tree(&mut self, problem: &Problem<'a, S, H, P>, bound: Cost) -> Option<NextTree<S, H::Eval, P::Memory>> {
        self.trees.next(problem.context(), &problem.start, bound)
    }

    /// Whether this iteration is complete, or none has begun.
    pub(super) fn is_complete(&self) -> bool {
        self.waiting.is_empty() && self.trees.queued.is_empty() && self.walkers.iter().all(Walker::is_idle)
    }

    /// The counts of the whole search.
    pub(super) fn counts(&self) -> NodeCounts {
        let NodeCounts { expanded, generated } = self.earlier;
        NodeCounts {
            expanded: expanded + self.trees.expanded + self.walkers.iter().map(|walker| walker.expanded).sum::<u64>(),
            generated: generated
                + self.trees.generated
                + self.walkers.iter().map(|walker| walker.generated).sum::<u64>(),
        }
    }

    /// Continues the iteration. Returns the walker that found a goal, if one did, and its room (bound minus `g`).
    pub(super) fn walk(
        &mut self,
        problem: &Problem<'a, S, H, P>,
        bound: Cost,
        expansions: u64,
    ) -> Option<(usize, Cost)> {
        if self.is_shared && expansions >= LEAST {
            return self.walk_in_parallel(problem, bound, expansions);
        }
        let in_steps = expansions < LEAST_FOR_SUBTREES;
        let mut left = expansions.min(MOST_AT_ONCE);
        while left > 0 {
            let Some(at) = self.walkers.iter().position(|walker| !walker.is_idle()) else {
                if let Some(stack) = self.waiting.pop() {
                    self.walkers[0].take(stack);
                    continue;
                }
                left -= 1;
                match self.next_tree(problem, bound)? {
                    NextTree::Cut(_) if left > 0 => {}
                    // Shows a caller that steps through the search the state that was expanded.
                    NextTree::Cut(stack) | NextTree::Tree(stack) => self.walkers[0].take(stack),
                }
                continue;
            };
            let walker = &mut self.walkers[at];
            let before = walker.expanded;
            match walker.advance(problem.context(), left, in_steps) {
                WalkProgress::Goal { room } => return Some((at, room)),
                WalkProgress::Partly => return None,
                WalkProgress::Through => self.trees.note(walker.tree, walker.stats),
            }
            // Discarded work is subtracted from `expanded`, which may therefore fall.
            left = left.saturating_sub(walker.expanded.saturating_sub(before));
        }
        None
    }

    /// Gives idle walkers a tree or a part of another's stack; expanding roots uses up some of the expansions.
    fn feed_idle_walkers(&mut self, problem: &Problem<'a, S, H, P>, bound: Cost, left: &mut u64) {
        while self.walkers.len() < self.team.threads {
            let subtree = subtree_search(problem.space, problem.heuristic, problem.pruning.automaton());
            let mut walker = Walker::new(problem.start.clone(), subtree);
            walker.policy = self.walkers[0].policy.clone();
            self.walkers.push(walker);
        }
        for idle in 0..self.walkers.len() {
            if !self.walkers[idle].is_idle() {
                continue;
            }
            let stack = self.waiting.pop().or_else(|| self.stack_of_next_tree(problem, bound, left)).or_else(|| {
                let branches = self.walkers.iter().enumerate();
                let (_, highest) = branches.filter_map(|(at, walker)| Some((walker.first_branch()?, at))).min()?;
                self.walkers[highest].split(problem.context(), &problem.start, bound)
            });
            let Some(stack) = stack else { return };
            self.walkers[idle].take(stack);
        }
    }

    /// The stack at the root of the next tree, unless the expansions are used up first by cutting.
    fn stack_of_next_tree(
        &mut self,
        problem: &Problem<'a, S, H, P>,
        bound: Cost,
        left: &mut u64,
    ) -> Option<DfsStack<S, H::Eval, P::Memory>> {
        while *left > 0 {
            let next = self.next_tree(problem, bound)?;
            *left -= 1;
            if let NextTree::Tree(stack) = next {
                return Some(stack);
            }
        }
        None
    }

    /// Runs each walker on a thread until one finds no tree left.
    fn walk_in_parallel(
        &mut self,
        problem: &Problem<'a, S, H, P>,
        bound: Cost,
        mut expansions: u64,
    ) -> Option<(usize, Cost)> {
        self.feed_idle_walkers(problem, bound, &mut expansions);
        let context = problem.context();
        let queue = Mutex::new(TreeQueue { trees: &mut self.trees, start: problem.start.clone() });
        let shared = SharedWork { queue, bound, left: AtomicU64::new(expansions), over: AtomicBool::new(false) };
        let shared = &shared;
        let mut working = self.walkers.iter_mut().enumerate().filter(|(_, walker)| !walker.is_idle());
        let (first, walker) = working.next()?;
        let others = working.map(|(at, walker)| move || (at, shared.walk(walker, context)));
        let found = together(|| (first, shared.walk(walker, context)), others);
        found.into_iter().find_map(|(at, room)| Some((at, room?)))
    }
}

/// The trees left to search, and the start, from which their paths are replayed.
struct TreeQueue<'t, S: StateSpace, E> {
    trees: &'t mut Trees<S::Move, E>,
    start: S::State,
}

/// The shared state of the threads of one call.
struct SharedWork<'t, S: StateSpace, E> {
    queue: Mutex<TreeQueue<'t, S, E>>,
    bound: Cost,
    /// Expansions left.
    left: AtomicU64,
    over: AtomicBool,
}

impl<'t, S: StateSpace, E: Copy> SharedWork<'t, S, E> {
    fn queue(&self) -> MutexGuard<'_, TreeQueue<'t, S, E>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work of one thread. Returns the room (bound minus `g`) at a goal, if it found one.
    fn walk<'a, H: Heuristic<S, Eval = E>, P: MovePruning<S>>(
        &self,
        walker: &mut Walker<'a, S, H, P>,
        context: Context<'a, '_, S, H, P>,
    ) -> Option<Cost> {
        let mut left = 0;
        while !self.over.load(Relaxed) {
            if left == 0 {
                let take = |left: u64| (left > 0).then(|| left.saturating_sub(MOST_AT_ONCE));
                left = self.left.fetch_update(Relaxed, Relaxed, take).ok()?.min(MOST_AT_ONCE);
            }
            if walker.is_idle() {
                left -= 1;
                let TreeQueue { trees, start } = &mut *self.queue();
                match trees.next(context, start, self.bound) {
                    Some(NextTree::Cut(_)) => {}
                    Some(NextTree::Tree(stack)) => walker.take(stack),
                    None => self.over.store(true, Relaxed),
                }
                continue;
            }
            let before = walker.expanded;
            match walker.advance(context, left, false) {
                WalkProgress::Partly => {}
                WalkProgress::Through => self.queue().trees.note(walker.tree, walker.stats),
                WalkProgress::Goal { room } => {
                    self.over.store(true, Relaxed);
                    return Some(room);
                }
            }
            // Discarded work is subtracted from `expanded`, which may therefore fall.
            left = left.saturating_sub(walker.expanded.saturating_sub(before));
        }
        None
    }
}
