//! Which sequences of moves a depth-first search need not try.
//!
//! Two sequences that lead from a state to the same state are twins, and one of them is enough. Where what a sequence does
//! depends only on the *class* of the state that it starts in (on a sliding puzzle the cell of the gap), the twins can be
//! found once for every class, and serve everywhere in the tree: Taylor and Korf (1993). A word of moves is dropped if a
//! twin is shorter, or as long and earlier in the alphabet. Putting a smaller twin into a path makes the path smaller, in
//! that order, so the smallest of the shortest paths has no dropped word in it and is never lost.
//!
//! While a search goes down, a [`Mark`] keeps as much of the last moves as matters, as in Aho and Corasick's machine that
//! looks for many words at once.

use rustc_hash::FxHashSet;

use crate::audit::Interrupted;
use crate::space::StateSpace;

/// The most letters that the moves of a space can have.
pub const LETTERS: usize = 4;

/// The state of the machine after some moves.
pub type Mark = u16;

/// The marks after one more move, by its letter; [`NEVER`] for a move that need not be tried, or does not exist.
pub type NextMarks = [Mark; LETTERS];

/// No mark: the move need not be tried.
pub const NEVER: Mark = Mark::MAX;

/// Of pairs of expansions and lengths, both rising, the length that comes with so many expansions: 0 before the first.
pub fn words_after(lengths: &[(u64, usize)], expanded: u64) -> usize {
    lengths.iter().rev().find(|&&(after, _)| expanded >= after).map_or(0, |&(_, length)| length)
}

/// Words that are made longer between two looks at whether to give up.
const LOOK_EVERY: usize = 1 << 12;

/// A machine that knows which moves need not be tried after which.
#[derive(Debug, Clone)]
pub struct Pruning {
    /// By mark. Marks after which the state has the same class lie together: whoever goes through many states of a class
    /// at a time finds them in the cache.
    next: Vec<NextMarks>,
    /// By class: the mark before the first move.
    first: Vec<Mark>,
}

/// A word of moves from a class that has no smaller twin.
struct Word {
    /// The word without its last letter; a class without a word is its own.
    parent: u32,
    /// The word without its first letter, from the class that this letter leads to.
    suffix: u32,
    /// The words with one letter more, if they are kept.
    longer: [Longer; LETTERS],
    /// Whether the word begins a dropped one: then a mark has to remember it.
    counts: bool,
}

impl Word {
    /// Whether it has no letters, given its number.
    fn is_class(&self, at: usize) -> bool {
        self.parent as usize == at
    }
}

/// A word with one letter more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Longer {
    /// There is no such move, or a part of the word is dropped.
    Absent,
    Kept(u32),
    /// The word has a smaller twin, and no part of it has.
    Dropped,
}

impl Pruning {
    /// Finds the twins among the words of at most `longest` moves. `classes` has a state of each class, in which nothing
    /// looks alike that could differ in another state of the class; [`StateSpace::class`] and [`StateSpace::letter`] are
    /// those of the space. `None` if there would be more marks than fit.
    ///
    /// # Panics
    /// If a letter is not below [`LETTERS`].
    pub fn find<S: StateSpace>(space: &S, classes: &[S::State], longest: usize) -> Option<Pruning> {
        Self::find_unless(space, classes, longest, &mut || false).ok()?
    }

    /// The same, unless `give_up`, which is asked every few milliseconds, says so.
    ///
    /// # Errors
    /// If it was given up.
    ///
    /// # Panics
    /// If a letter is not below [`LETTERS`].
    pub fn find_unless<S: StateSpace>(
        space: &S,
        classes: &[S::State],
        longest: usize,
        give_up: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Pruning>, Interrupted> {
        let word = |parent, suffix| Word { parent, suffix, longer: [Longer::Absent; LETTERS], counts: false };
        let mut words: Vec<Word> =
            (0..classes.len() as u32).map(|class| Word { counts: true, ..word(class, class) }).collect();
        let mut seen: Vec<FxHashSet<S::Packed>> =
            classes.iter().map(|state| FxHashSet::from_iter([space.pack(state)])).collect();
        // The words of the length at hand, each with its class and where it leads.
        let mut layer: Vec<(usize, u32, S::State)> =
            classes.iter().enumerate().map(|(class, state)| (class, class as u32, state.clone())).collect();
        let mut moves: Vec<S::Move> = Vec::with_capacity(LETTERS);
        let last = longest.max(1);
        for length in 1..=last {
            let mut longer = Vec::new();
            for (number, (class, at, mut state)) in layer.into_iter().enumerate() {
                if number.is_multiple_of(LOOK_EVERY) && give_up() {
                    return Err(Interrupted);
                }
                moves.clear();
                moves.extend(space.moves(&state));
                moves.sort_unstable_by_key(|&m| space.letter(m));
                for &m in &moves {
                    let letter = space.letter(m);
                    let undo = space.apply(&mut state, m);
                    // Without its first letter the word is one shorter, and so known already.
                    let suffix = match (length, words[words[at as usize].suffix as usize].longer[letter]) {
                        (1, _) => Some(space.class(&state) as u32),
                        (_, Longer::Kept(suffix)) => Some(suffix),
                        _ => None,
                    };
                    if let Some(suffix) = suffix {
                        let number = words.len() as u32;
                        words[at as usize].longer[letter] = if !seen[class].insert(space.pack(&state)) {
                            Longer::Dropped
                        } else if length == last && length > 1 {
                            // Nothing is longer, so there is no more to remember of it than of its end.
                            Longer::Kept(suffix)
                        } else {
                            words.push(word(at, suffix));
                            longer.push((class, number, state.clone()));
                            Longer::Kept(number)
                        };
                    }
                    space.undo(&mut state, m, undo);
                }
            }
            layer = longer;
        }
        Ok(Self::machine(words))
    }

    fn machine(mut words: Vec<Word>) -> Option<Pruning> {
        // A word comes after all that it begins with.
        for at in (0..words.len()).rev() {
            if words[at].counts || words[at].longer.contains(&Longer::Dropped) {
                words[at].counts = true;
                let parent = words[at].parent as usize;
                words[parent].counts = true;
            }
        }
        let counting = words.iter().filter(|word| word.counts).count();
        if counting >= usize::from(NEVER) {
            return None;
        }
        // By word: the class that it leads to, which is that of its ends. Ends are shorter and so come before.
        let mut leads_to: Vec<u32> = Vec::with_capacity(words.len());
        for (at, word) in words.iter().enumerate() {
            leads_to.push(if word.is_class(at) { at as u32 } else { leads_to[word.suffix as usize] });
        }
        let mut in_order: Vec<usize> = (0..words.len()).filter(|&at| words[at].counts).collect();
        in_order.sort_by_key(|&at| leads_to[at]);
        // By word: its mark, or that of the longest end of it that counts.
        let mut marks: Vec<Mark> = vec![NEVER; words.len()];
        for (mark, &at) in in_order.iter().enumerate() {
            marks[at] = mark as Mark;
        }
        let mut next: Vec<NextMarks> = vec![[NEVER; LETTERS]; counting];
        for (at, word) in words.iter().enumerate() {
            if !word.counts {
                marks[at] = marks[word.suffix as usize];
            }
        }
        for (at, word) in words.iter().enumerate().filter(|(_, word)| word.counts) {
            next[usize::from(marks[at])] = std::array::from_fn(|letter| match word.longer[letter] {
                Longer::Kept(longer) => marks[longer as usize],
                Longer::Dropped => NEVER,
                Longer::Absent if word.is_class(at) => NEVER,
                Longer::Absent => next[usize::from(marks[word.suffix as usize])][letter],
            });
        }
        let first = (0..words.len()).take_while(|&at| words[at].is_class(at)).map(|at| marks[at]).collect();
        Some(Pruning { next, first })
    }

    /// The mark before the first move, from a state of that class.
    #[inline]
    pub fn first(&self, class: usize) -> Mark {
        self.first[class]
    }

    /// The mark after one more move, or [`NEVER`].
    #[inline]
    pub fn next(&self, mark: Mark, letter: usize) -> Mark {
        self.next[usize::from(mark)][letter]
    }

    /// The marks that follow each.
    pub fn table(&self) -> &[NextMarks] {
        &self.next
    }

    /// How many marks there are.
    pub fn marks(&self) -> usize {
        self.next.len()
    }
}
