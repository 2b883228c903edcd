//! The ranking of layouts: every layout of the 4 by 5 board with one 2x2 piece.
//!
//! The 2x2 piece and the dominoes of a layout are its *skeleton*; the singles are a subset of the cells that the skeleton
//! leaves free. With the pieces given, every skeleton leaves the same number of cells and so has the same number of
//! subsets. The rank of a layout is the number of its skeleton times this, plus the rank of the subset: a subset of free
//! cells is a 16-bit word, and those with as many bits are ranked by size.

use std::sync::OnceLock;

use admissible::Ranking;
use rustc_hash::FxHashMap;

use super::ORDER;
use super::arrange::{Loose, arrangements};
use super::board::{Board, Frame, Goal, Klotski, Notation, members};
use super::by_moves::ByMoves;
use super::planes::Planes;
use super::transitions::Transitions;
use admissible_front::scope::Scope;

/// What lies around the 2x2 piece; the cells of the board that it leaves.
const AROUND: u32 = 16;

/// The layouts with given pieces.
#[derive(Debug)]
pub(super) struct Layouts {
    skeletons: Vec<Skeleton>,
    /// The number of a skeleton by its packed form.
    numbers: FxHashMap<u64, u32>,
    singles: u32,
    /// How many subsets of singles each has.
    subsets: usize,
    /// Worked out when somebody walks from number to number.
    transitions: OnceLock<Transitions>,
}

/// The 2x2 piece and the dominoes, and the cells that they leave free.
#[derive(Debug)]
pub(super) struct Skeleton {
    pub(super) board: Board,
    pub(super) free: u64,
}

/// The 16-bit words by how many bits they have.
struct Subsets {
    /// In rising order.
    ranked: [Vec<u16>; AROUND as usize + 1],
    /// The place of a word among those with as many bits.
    rank: Vec<u16>,
}

fn subsets() -> &'static Subsets {
    static SUBSETS: OnceLock<Subsets> = OnceLock::new();
    SUBSETS.get_or_init(|| {
        let mut ranked: [Vec<u16>; AROUND as usize + 1] = Default::default();
        let mut rank = Vec::with_capacity(1 << AROUND);
        for word in 0..=u16::MAX {
            let alike = &mut ranked[word.count_ones() as usize];
            rank.push(alike.len() as u16);
            alike.push(word);
        }
        Subsets { ranked, rank }
    })
}

/// The ways to lay out the 2x2 piece and the dominoes, wherever the singles may go.
fn skeletons(frame: &Frame, loose: Loose) -> Vec<Board> {
    let without_singles = Loose { empties: loose.empties + loose.singles, singles: 0, ..loose };
    let places =
        (0..frame.height as usize - 1).flat_map(|row| (0..frame.width as usize - 1).map(move |column| (row, column)));
    let boards = places.flat_map(|(row, column)| {
        let big = 1 << frame.cell(row, column);
        arrangements(frame, without_singles, big, usize::MAX).expect("nothing is too much")
    });
    boards.collect()
}

impl Layouts {
    /// Every layout of some pieces on a board of 4 by 5 cells.
    pub(super) fn new(frame: &Frame, loose: Loose) -> Self {
        let with_free = |board| Skeleton { board, free: frame.empty(&board) };
        let skeletons: Vec<Skeleton> = skeletons(frame, loose).into_iter().map(with_free).collect();
        Layouts {
            numbers: skeletons.iter().zip(0..).map(|(skeleton, at)| (key(&skeleton.board), at)).collect(),
            skeletons,
            singles: loose.singles,
            subsets: CHOOSE[(loose.empties + loose.singles) as usize][loose.singles as usize],
            transitions: OnceLock::new(),
        }
    }

    fn transitions(&self) -> &Transitions {
        let number = |skeleton: &Skeleton| self.numbers.get(&key(&skeleton.board)).copied();
        self.transitions.get_or_init(|| Transitions::new(&frame(), &self.skeletons, number))
    }
}

/// What stands for a skeleton: the board without its singles in one word.
#[inline]
fn key(board: &Board) -> u64 {
    u64::from_planes([board.standing, board.lying | board.standing, board.big])
}

/// How many subsets of so many have how few members.
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

impl<P: Planes> Ranking<Klotski<P>> for Layouts {
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
        // Each member has the subsets before it that have their largest members below it. No table is needed for that, and
        // an answer from an atlas takes less time than to make one.
        let rank: usize = members(board.singles).zip(1..).map(|(cell, few)| CHOOSE[place(cell)][few]).sum();
        Some(skeleton * self.subsets + rank)
    }

    /// Where the 2x2 piece is the goal, every layout of a skeleton is one, or none.
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

    /// A step back is a step.
    #[inline]
    fn successors(&self, space: &Klotski<P>, rank: usize, visit: impl FnMut(usize)) {
        self.predecessors(space, rank, visit);
    }
}

/// Sets of pieces for the 4 by 5 board, and every layout of each.
pub(super) struct PieceSets {
    title: &'static str,
    /// The pieces beside the 2x2 one, few pieces first, with the number of their layouts.
    sets: Vec<(Loose, u64)>,
}

impl PieceSets {
    fn new(title: &'static str, sets: impl Iterator<Item = Loose>) -> Self {
        let counted = sets.map(|loose| (loose, count(loose))).filter(|&(_, layouts)| layouts > 0);
        let mut sets: Vec<(Loose, u64)> = counted.collect();
        sets.sort_by_key(|(loose, _)| loose.singles + loose.lying + loose.standing);
        PieceSets { title, sets }
    }

    /// All sets that leave at least two cells empty.
    pub(super) fn all() -> Self {
        PieceSets::new(
            "every layout of 4 x 5 cells with one 2x2 piece and at least two empty cells",
            (2..=AROUND).flat_map(with_empties),
        )
    }

    /// The sets that leave so many cells empty.
    pub(super) fn with_empties(empties: u32) -> Self {
        PieceSets::new(
            "every layout of 4 x 5 cells with one 2x2 piece and that many empty cells",
            with_empties(empties),
        )
    }

    /// The layouts of a set, and a puzzle with these pieces.
    fn laid_out(&self, number: usize) -> (Klotski<u64>, Layouts) {
        let loose = self.sets[number].0;
        let frame = frame();
        let layouts = Layouts::new(&frame, loose);
        // Any layout would do as the start: heuristics ask it what pieces there are.
        let first = &layouts.skeletons[0];
        let singles = members(first.free).take(loose.singles as usize).map(|cell| 1 << cell).sum();
        let goal = Goal::BigAt(frame.cell(3, 1));
        let start = Board { singles, ..first.board };
        (Klotski::new(frame, start, goal, Notation::Symbols, ORDER), layouts)
    }

    /// One set.
    pub(super) fn one(loose: Loose) -> Self {
        PieceSets::new("every layout of the pieces on 4 x 5 cells", std::iter::once(loose))
    }

    /// The sets with these singles and so many dominoes, lying or standing.
    pub(super) fn dominoes_either_way(singles: u32, dominoes: u32) -> Self {
        let empties = AROUND - singles - 2 * dominoes;
        let sets = (0..=dominoes).map(|lying| Loose { empties, singles, lying, standing: dominoes - lying });
        PieceSets::new("every layout of the pieces on 4 x 5 cells, dominoes lying or standing", sets)
    }
}

/// Every set of pieces that leaves so many cells empty beside the 2x2 piece.
pub(super) fn with_empties(empties: u32) -> impl Iterator<Item = Loose> {
    let dominoes = (0..=AROUND / 2).flat_map(|count| (0..=count).map(move |lying| (lying, count - lying)));
    dominoes.filter_map(move |(lying, standing)| {
        let singles = AROUND.checked_sub(empties + 2 * (lying + standing))?;
        Some(Loose { empties, singles, lying, standing })
    })
}

fn frame() -> Frame {
    Frame::new(4, 5)
}

fn count(loose: Loose) -> u64 {
    let subsets = CHOOSE[(loose.empties + loose.singles) as usize][loose.singles as usize];
    (skeletons(&frame(), loose).len() * subsets) as u64
}

/// The name of an atlas of a set of pieces.
pub(super) fn set_name(loose: Loose) -> String {
    let Loose { singles, lying, standing, .. } = loose;
    format!("klotski-4x5-{singles}s{lying}l{standing}u")
}

/// What the name of an atlas by moves ends with.
pub(super) const BY_MOVES: &str = "-moves";

impl Scope for PieceSets {
    type Puzzle = Klotski<u64>;
    type Ranking = Layouts;

    fn title(&self) -> String {
        self.title.into()
    }

    fn parts(&self) -> usize {
        self.sets.len()
    }

    fn states(&self, part: usize) -> u128 {
        self.sets[part].1.into()
    }

    fn atlas(&self, part: usize) -> Option<String> {
        Some(set_name(self.sets[part].0))
    }

    fn part<Out>(&self, part: usize, user: impl FnOnce(&Klotski<u64>, &Layouts) -> Out) -> Out {
        let (space, layouts) = self.laid_out(part);
        user(&space, &layouts)
    }
}

/// The same layouts in the count of moves.
pub(super) struct SetsByMoves(pub(super) PieceSets);

impl Scope for SetsByMoves {
    type Puzzle = ByMoves<u64>;
    type Ranking = Layouts;

    fn title(&self) -> String {
        self.0.title.into()
    }

    fn parts(&self) -> usize {
        self.0.sets.len()
    }

    fn states(&self, part: usize) -> u128 {
        self.0.states(part)
    }

    fn atlas(&self, part: usize) -> Option<String> {
        Some(set_name(self.0.sets[part].0) + BY_MOVES)
    }

    fn part<Out>(&self, part: usize, user: impl FnOnce(&ByMoves<u64>, &Layouts) -> Out) -> Out {
        let (space, layouts) = self.0.laid_out(part);
        user(&ByMoves(space), &layouts)
    }
}
