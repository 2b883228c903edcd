//! The ranking of the layouts of 4 by 5 cells with one 2x2 piece, and the scopes made of them.
//!
//! The 2x2 piece and the dominoes of a layout are its *skeleton*; the singles are a subset of the cells that it leaves
//! free. For given pieces, every skeleton has the same number of subsets. The rank of a layout is the number of its
//! skeleton times this, plus the rank of the subset: a 16-bit word, ranked among the words with the same number of
//! bits.

mod arrangements;
mod transitions;

use std::sync::OnceLock;

use admissible::Ranking;
use rustc_hash::FxHashMap;

use crate::ORDER;
use crate::board::{Board, Frame, Goal, Klotski, Notation, Planes, members};
use crate::by_moves::ByMoves;
use admissible_front::puzzle::Puzzle;
use admissible_front::scope::{InstanceOf, Scope};
pub use arrangements::PieceCounts;
pub(crate) use arrangements::arrangements;
use transitions::Transitions;

/// The number of cells beside the 2x2 piece.
const AROUND: u32 = 16;

/// The layouts with given pieces.
#[derive(Debug)]
pub struct LayoutRanking {
    skeletons: Vec<Skeleton>,
    /// The number of a skeleton by its packed form.
    numbers: FxHashMap<u64, u32>,
    singles: u32,
    /// The number of subsets of singles of each skeleton.
    subsets: usize,
    /// Computed on first use.
    transitions: OnceLock<Transitions>,
}

/// The 2x2 piece and the dominoes, and the cells that they leave free.
#[derive(Debug)]
struct Skeleton {
    board: Board,
    free: u64,
}

/// The ranks of 16-bit words among those with the same number of bits.
struct Subsets {
    /// By number of bits: the words in ascending order.
    ranked: [Vec<u16>; AROUND as usize + 1],
    /// By word: its rank.
    rank: Vec<u16>,
}

fn subsets() -> &'static Subsets {
    static SUBSETS: OnceLock<Subsets> = OnceLock::new();
    SUBSETS.get_or_init(|| {
        let mut ranked: [Vec<u16>; AROUND as usize + 1] = Default::default();
        let mut rank = Vec::with_capacity(1 << AROUND);
        for word in 0..=u16::MAX {
            let words = &mut ranked[word.count_ones() as usize];
            rank.push(words.len() as u16);
            words.push(word);
        }
        Subsets { ranked, rank }
    })
}

/// All skeletons of some pieces.
fn skeletons(frame: &Frame, counts: PieceCounts) -> Vec<Board> {
    let without_singles = PieceCounts { empties: counts.empties + counts.singles, singles: 0, ..counts };
    let places =
        (0..frame.height as usize - 1).flat_map(|row| (0..frame.width as usize - 1).map(move |column| (row, column)));
    let boards = places.flat_map(|(row, column)| {
        let big = 1 << frame.cell(row, column);
        arrangements(frame, without_singles, big, usize::MAX).expect("there is no bound")
    });
    boards.collect()
}

impl LayoutRanking {
    /// Every layout of some pieces on a board of 4 by 5 cells.
    pub(crate) fn new(frame: &Frame, counts: PieceCounts) -> Self {
        let with_free = |board| Skeleton { board, free: frame.empty(&board) };
        let skeletons: Vec<Skeleton> = skeletons(frame, counts).into_iter().map(with_free).collect();
        LayoutRanking {
            numbers: skeletons.iter().zip(0..).map(|(skeleton, at)| (key(&skeleton.board), at)).collect(),
            skeletons,
            singles: counts.singles,
            subsets: CHOOSE[(counts.empties + counts.singles) as usize][counts.singles as usize],
            transitions: OnceLock::new(),
        }
    }

    fn transitions(&self) -> &Transitions {
        let number = |skeleton: &Skeleton| self.numbers.get(&key(&skeleton.board)).copied();
        self.transitions.get_or_init(|| Transitions::new(&frame(), &self.skeletons, number))
    }
}

/// The packed form of a skeleton: the board without its singles.
#[inline]
fn key(board: &Board) -> u64 {
    u64::from_planes([board.standing, board.lying | board.standing, board.big])
}

/// The binomial coefficients: the number of subsets by the size of the set and of the subset.
const CHOOSE: [[usize; AROUND as usize + 1]; AROUND as usize + 1] = {
    let mut choose = [[0; AROUND as usize + 1]; AROUND as usize + 1];
    let mut many = 0;
    while many <= AROUND as usize {
        choose[many][0] = 1;
        let mut few = 1;
        while few <= many {
            choose[many][few] = choose[many - 1][few - 1] + choose[many - 1][few];
            few += 1;
        }
        many += 1;
    }
    choose
};

impl<P: Planes> Ranking<Klotski<P>> for LayoutRanking {
    const REVERSIBLE: bool = true;

    fn size(&self) -> usize {
        self.skeletons.len() * self.subsets
    }

    #[inline(always)]
    fn unrank(&self, _space: &Klotski<P>, rank: usize) -> Board {
        let skeleton = &self.skeletons[rank / self.subsets];
        let mut chosen = subsets().ranked[self.singles as usize][rank % self.subsets];
        let mut free = skeleton.free;
        let mut singles = 0;
        while chosen != 0 {
            let skipped = chosen.trailing_zeros();
            for _ in 0..skipped {
                free &= free - 1;
            }
            singles |= free & free.wrapping_neg();
            free &= free - 1;
            chosen >>= skipped;
            chosen >>= 1;
        }
        Board { singles, ..skeleton.board }
    }

    #[inline]
    fn rank(&self, _space: &Klotski<P>, board: &Board) -> Option<usize> {
        let skeleton = *self.numbers.get(&key(board))? as usize;
        let free = self.skeletons[skeleton].free;
        let place = |cell: u8| (free & ((1 << cell) - 1)).count_ones() as usize;
        // The combinatorial number system. It needs no table of subsets, which would take longer to make than an answer
        // from an atlas.
        let rank: usize = members(board.singles).zip(1..).map(|(cell, few)| CHOOSE[place(cell)][few]).sum();
        Some(skeleton * self.subsets + rank)
    }

    /// If the goal is a place of the 2x2 piece, all layouts of a skeleton are goals, or none.
    fn goals(&self, space: &Klotski<P>, mut visit: impl FnMut(usize)) {
        match space.goal {
            Goal::Board(board) => self.rank(space, &board).into_iter().for_each(visit),
            Goal::BigAt(cell) => {
                let skeletons =
                    self.skeletons.iter().enumerate().filter(|(_, skeleton)| skeleton.board.big == 1 << cell);
                for (at, _) in skeletons {
                    (at * self.subsets..(at + 1) * self.subsets).for_each(&mut visit);
                }
            }
        }
    }

    #[inline(always)]
    fn predecessors(&self, _space: &Klotski<P>, rank: usize, mut visit: impl FnMut(usize)) {
        let (skeleton, subset) = (rank / self.subsets, rank % self.subsets);
        let Subsets { ranked, rank } = subsets();
        let singles = ranked[self.singles as usize][subset];
        self.transitions().for_each(skeleton, singles, |skeleton, singles| {
            visit(skeleton * self.subsets + usize::from(rank[usize::from(singles)]));
        });
    }

    /// The inverse of a step is a step.
    #[inline]
    fn successors(&self, space: &Klotski<P>, rank: usize, visit: impl FnMut(usize)) {
        self.predecessors(space, rank, visit);
    }
}

/// Sets of pieces for the 4 by 5 board, with all layouts of each.
pub struct PieceSets {
    title: &'static str,
    /// The pieces beside the 2x2 one with the number of their layouts; fewer pieces come first.
    sets: Vec<(PieceCounts, u64)>,
}

impl PieceSets {
    fn new(title: &'static str, sets: impl Iterator<Item = PieceCounts>) -> Self {
        let counted = sets.map(|counts| (counts, count(counts))).filter(|&(_, layouts)| layouts > 0);
        let mut sets: Vec<(PieceCounts, u64)> = counted.collect();
        sets.sort_by_key(|(counts, _)| counts.singles + counts.lying + counts.standing);
        PieceSets { title, sets }
    }

    /// All sets that leave at least two cells empty.
    pub fn all() -> Self {
        PieceSets::new(
            "every layout of 4 x 5 cells with one 2x2 piece and at least two empty cells",
            (2..=AROUND).flat_map(with_empties),
        )
    }

    /// The sets that leave this many cells empty.
    pub(crate) fn with_empties(empties: u32) -> Self {
        PieceSets::new(
            "every layout of 4 x 5 cells with one 2x2 piece and that many empty cells",
            with_empties(empties),
        )
    }

    /// Each set with the number of its layouts.
    pub fn sets(&self) -> &[(PieceCounts, u64)] {
        &self.sets
    }

    /// The layouts in the metric of steps.
    pub(crate) fn by_steps(self) -> Scope<'static> {
        self.scope("", ranked)
    }

    /// The layouts in the metric of moves.
    pub(crate) fn by_moves(self) -> Scope<'static> {
        self.scope(BY_MOVES, ranked_by_moves)
    }

    fn scope<P: Puzzle>(self, suffix: &str, make: fn(&PieceCounts) -> (P, LayoutRanking)) -> Scope<'static>
    where
        LayoutRanking: Ranking<P>,
    {
        let instance = |(counts, states): (PieceCounts, u64)| {
            let atlas = Some(set_name(counts) + suffix);
            InstanceOf { cells: 0, states: states.into(), atlas, from: counts }
        };
        Scope::several(self.title.into(), self.sets.into_iter().map(instance), make)
    }

    /// One set.
    pub(crate) fn one(counts: PieceCounts) -> Self {
        PieceSets::new("every layout of the pieces on 4 x 5 cells", std::iter::once(counts))
    }

    /// The sets with this many singles and dominoes, lying or standing.
    pub(crate) fn dominoes_either_way(singles: u32, dominoes: u32) -> Self {
        let empties = AROUND - singles - 2 * dominoes;
        let sets = (0..=dominoes).map(|lying| PieceCounts { empties, singles, lying, standing: dominoes - lying });
        PieceSets::new("every layout of the pieces on 4 x 5 cells, dominoes lying or standing", sets)
    }
}

/// Every set of pieces that leaves this many cells empty beside the 2x2 piece.
fn with_empties(empties: u32) -> impl Iterator<Item = PieceCounts> {
    let dominoes = (0..=AROUND / 2).flat_map(|count| (0..=count).map(move |lying| (lying, count - lying)));
    dominoes.filter_map(move |(lying, standing)| {
        let singles = AROUND.checked_sub(empties + 2 * (lying + standing))?;
        Some(PieceCounts { empties, singles, lying, standing })
    })
}

fn frame() -> Frame {
    Frame::new(4, 5)
}

fn count(counts: PieceCounts) -> u64 {
    let subsets = CHOOSE[(counts.empties + counts.singles) as usize][counts.singles as usize];
    (skeletons(&frame(), counts).len() * subsets) as u64
}

/// The name of an atlas of a set of pieces.
pub(crate) fn set_name(counts: PieceCounts) -> String {
    let PieceCounts { singles, lying, standing, .. } = counts;
    format!("klotski-4x5-{singles}s{lying}l{standing}u")
}

/// A puzzle with these pieces, and the ranking of their layouts.
pub fn ranked(&counts: &PieceCounts) -> (Klotski<u64>, LayoutRanking) {
    let frame = frame();
    let layouts = LayoutRanking::new(&frame, counts);
    // Any layout serves as the start: heuristics need only its pieces.
    let first = &layouts.skeletons[0];
    let singles = members(first.free).take(counts.singles as usize).map(|cell| 1 << cell).sum();
    let goal = Goal::BigAt(frame.cell(3, 1));
    let start = Board { singles, ..first.board };
    (Klotski::new(frame, start, goal, Notation::Symbols, ORDER), layouts)
}

/// The same in the metric of moves.
pub(crate) fn ranked_by_moves(counts: &PieceCounts) -> (ByMoves<u64>, LayoutRanking) {
    let (space, layouts) = ranked(counts);
    (ByMoves(space), layouts)
}

/// The suffix of the name of an atlas by moves.
pub(crate) const BY_MOVES: &str = "-moves";
