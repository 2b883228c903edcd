//! Redundant sequences of moves, and a finite-state machine that recognises them.
//!
//! Two sequences of moves from one state to the same state are duplicates, and a depth-first search needs only one of
//! them. Where the effect of a sequence depends only on the *class* of the state that it starts in (on a sliding puzzle
//! the cell of the gap), the duplicates are found once for each class and hold everywhere in the tree: Taylor and Korf
//! (1993). A sequence is redundant if a duplicate of it is shorter, or as long and lexicographically smaller. Replacing
//! a redundant sequence makes a path smaller in that order, so the smallest of the shortest paths contains none and is
//! never lost.
//!
//! The machine is an Aho-Corasick automaton. Its state, a [`Mark`], holds as much of the last moves as matters.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::audit::Interrupted;
use crate::invertible::Invertible;

/// A space that knows redundant sequences of moves, for spaces where the effect of a sequence depends only on the
/// [`Prunable::class`] of the state.
pub trait Prunable: Invertible {
    /// The machine for sequences of at most `longest` moves. `None` if the space has none, or if `give_up`, which is
    /// called every few milliseconds, returns true.
    fn automaton(&self, longest: usize, give_up: &mut dyn FnMut() -> bool) -> Option<Arc<MoveAutomaton>>;

    /// The class of a state.
    fn class(&self, state: &Self::State) -> usize;

    /// The index of a move, below [`MAX_MOVES`].
    fn move_index(&self, m: Self::Move) -> usize;

    /// The length of sequences worth finding after `expanded` expansions, since longer ones take longer to find; 0 for
    /// none.
    fn length_after(&self, expanded: u64) -> usize {
        length_after(&[(1 << 16, 8), (1 << 20, 12)], expanded)
    }
}

/// The largest number of different moves.
pub const MAX_MOVES: usize = 4;

/// The state of the machine after some moves.
pub type Mark = u16;

/// The marks after one more move, by its index; [`NEVER`] for a move that is pruned, or does not exist.
pub type NextMarks = [Mark; MAX_MOVES];

/// No mark: the move is pruned.
pub const NEVER: Mark = Mark::MAX;

/// The length for a number of expansions, from pairs of expansions and lengths in rising order; 0 before the first
/// pair.
pub fn length_after(lengths: &[(u64, usize)], expanded: u64) -> usize {
    lengths.iter().rev().find(|&&(after, _)| expanded >= after).map_or(0, |&(_, length)| length)
}

/// The number of sequences that are extended between two calls of `give_up`.
const POLL_EVERY: usize = 1 << 12;

/// A finite-state machine that prunes redundant sequences of moves.
#[derive(Debug, Clone)]
pub struct MoveAutomaton {
    /// By mark. Marks after which the state has the same class are adjacent, so they share cache lines in a search that
    /// works on many states of a class at a time.
    next: Vec<NextMarks>,
    /// By class: the mark before the first move.
    first: Vec<Mark>,
}

/// A sequence of moves, from a state of some class, that is not redundant.
struct Sequence {
    /// The sequence without its last move; the empty sequence of a class is its own parent.
    parent: u32,
    /// The sequence without its first move, from the class that this move leads to.
    suffix: u32,
    /// The sequences with one move more, if they are kept.
    longer: [Longer; MAX_MOVES],
    /// Whether the sequence is a prefix of a redundant one: then it needs a mark.
    is_prefix: bool,
}

impl Sequence {
    /// Whether it is empty, given its number.
    fn is_class(&self, at: usize) -> bool {
        self.parent as usize == at
    }
}

/// A sequence with one move more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Longer {
    /// The move does not exist, or a part of the sequence is redundant.
    Absent,
    Kept(u32),
    /// The sequence is redundant, and no part of it is.
    Redundant,
}

impl MoveAutomaton {
    /// Finds the redundant sequences of at most `longest` moves. `classes` has one representative state of each class:
    /// two sequences may lead from it to the same state only if they do so from every state of the class. `None` if
    /// [`Mark`] cannot number all marks. `give_up` is called every few milliseconds.
    ///
    /// # Errors
    /// If `give_up` returned true.
    ///
    /// # Panics
    /// If the index of a move is not below [`MAX_MOVES`].
    pub fn find<S: Prunable>(
        space: &S,
        classes: &[S::State],
        longest: usize,
        give_up: &mut dyn FnMut() -> bool,
    ) -> Result<Option<MoveAutomaton>, Interrupted> {
        let sequence =
            |parent, suffix| Sequence { parent, suffix, longer: [Longer::Absent; MAX_MOVES], is_prefix: false };
        let mut sequences: Vec<Sequence> =
            (0..classes.len() as u32).map(|class| Sequence { is_prefix: true, ..sequence(class, class) }).collect();
        let mut seen: Vec<FxHashSet<S::Packed>> =
            classes.iter().map(|state| FxHashSet::from_iter([space.pack(state)])).collect();
        // The sequences of the current length, each with its class and the state that it leads to.
        let mut layer: Vec<(usize, u32, S::State)> =
            classes.iter().enumerate().map(|(class, state)| (class, class as u32, state.clone())).collect();
        let mut moves: Vec<S::Move> = Vec::with_capacity(MAX_MOVES);
        let last = longest.max(1);
        for length in 1..=last {
            let mut longer = Vec::new();
            for (number, (class, at, mut state)) in layer.into_iter().enumerate() {
                if number.is_multiple_of(POLL_EVERY) && give_up() {
                    return Err(Interrupted);
                }
                moves.clear();
                moves.extend(space.moves(&state));
                moves.sort_unstable_by_key(|&m| space.move_index(m));
                for &m in &moves {
                    let index = space.move_index(m);
                    let undo = space.apply(&mut state, m);
                    // Without its first move the sequence is one shorter, and so known already.
                    let suffix = match (length, sequences[sequences[at as usize].suffix as usize].longer[index]) {
                        (1, _) => Some(space.class(&state) as u32),
                        (_, Longer::Kept(suffix)) => Some(suffix),
                        _ => None,
                    };
                    if let Some(suffix) = suffix {
                        let number = sequences.len() as u32;
                        sequences[at as usize].longer[index] = if !seen[class].insert(space.pack(&state)) {
                            Longer::Redundant
                        } else if length == last && length > 1 {
                            // It is a prefix of nothing, so its suffix serves as well.
                            Longer::Kept(suffix)
                        } else {
                            sequences.push(sequence(at, suffix));
                            longer.push((class, number, state.clone()));
                            Longer::Kept(number)
                        };
                    }
                    space.undo(&mut state, m, undo);
                }
            }
            layer = longer;
        }
        Ok(Self::machine(sequences))
    }

    fn machine(mut sequences: Vec<Sequence>) -> Option<MoveAutomaton> {
        // A sequence comes after its prefixes.
        for at in (0..sequences.len()).rev() {
            if sequences[at].is_prefix || sequences[at].longer.contains(&Longer::Redundant) {
                sequences[at].is_prefix = true;
                let parent = sequences[at].parent as usize;
                sequences[parent].is_prefix = true;
            }
        }
        let count = sequences.iter().filter(|sequence| sequence.is_prefix).count();
        if count >= usize::from(NEVER) {
            return None;
        }
        // By sequence: the class that it leads to, which is that of its suffixes. They are shorter and come before it.
        let mut leads_to: Vec<u32> = Vec::with_capacity(sequences.len());
        for (at, sequence) in sequences.iter().enumerate() {
            leads_to.push(if sequence.is_class(at) { at as u32 } else { leads_to[sequence.suffix as usize] });
        }
        let mut in_order: Vec<usize> = (0..sequences.len()).filter(|&at| sequences[at].is_prefix).collect();
        in_order.sort_by_key(|&at| leads_to[at]);
        // By sequence: its mark, or that of its longest suffix with a mark.
        let mut marks: Vec<Mark> = vec![NEVER; sequences.len()];
        for (mark, &at) in in_order.iter().enumerate() {
            marks[at] = mark as Mark;
        }
        let mut next: Vec<NextMarks> = vec![[NEVER; MAX_MOVES]; count];
        for (at, sequence) in sequences.iter().enumerate() {
            if !sequence.is_prefix {
                marks[at] = marks[sequence.suffix as usize];
            }
        }
        for (at, sequence) in sequences.iter().enumerate().filter(|(_, sequence)| sequence.is_prefix) {
            next[usize::from(marks[at])] = std::array::from_fn(|index| match sequence.longer[index] {
                Longer::Kept(longer) => marks[longer as usize],
                Longer::Redundant => NEVER,
                Longer::Absent if sequence.is_class(at) => NEVER,
                Longer::Absent => next[usize::from(marks[sequence.suffix as usize])][index],
            });
        }
        let first = (0..sequences.len()).take_while(|&at| sequences[at].is_class(at)).map(|at| marks[at]).collect();
        Some(MoveAutomaton { next, first })
    }

    /// The mark before the first move, from a state of that class.
    #[inline]
    pub fn first(&self, class: usize) -> Mark {
        self.first[class]
    }

    /// The mark after one more move, or [`NEVER`].
    #[inline]
    pub fn next(&self, mark: Mark, index: usize) -> Mark {
        self.next[usize::from(mark)][index]
    }

    /// By mark: the marks after one more move.
    pub fn table(&self) -> &[NextMarks] {
        &self.next
    }

    /// The number of marks.
    pub fn marks(&self) -> usize {
        self.next.len()
    }
}
