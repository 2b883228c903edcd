//! Subtree searches agree with single steps in all counts, and pruned move sequences never cost a solution.

use admissible::Prunable as _;
use admissible::search::Report;

use super::*;
use crate::pdb::{Partition, PatternSums};
use admissible_front::puzzle::Puzzle as _;

/// Runs a search by single expansions, which excludes subtree search.
fn step_by_step<W: Word>(search: &mut dyn Search<Tiles<W>>) -> Report<Slide> {
    while search.outcome().is_none() {
        search.advance(1);
    }
    Report { outcome: search.outcome().unwrap().clone(), stats: search.stats() }
}

fn check_same<W: Word, H: Heuristic<Tiles<W>>>(space: &Tiles<W>, heuristic: &H) {
    let limits = Limits::default();
    let plain = || Idastar::new(space, heuristic).solvable(true).search(space.start);
    let pruned = || Idastar::new(space, heuristic).solvable(true).pruned().search(space.start);
    let single = [step_by_step(&mut *plain()), step_by_step(&mut *pruned())];
    let by_subtrees = [run(&mut *plain(), &limits, &mut ()), run(&mut *pruned(), &limits, &mut ())];
    assert_eq!(single, by_subtrees, "{:?}", space.list(&space.start));
    assert_eq!(single[0].outcome.cost(), single[1].outcome.cost());
    let before_the_last = |report: &Report<Slide>| report.stats.expanded_before_last_layer;
    assert!(before_the_last(&single[1]) <= before_the_last(&single[0]));
    // A pause in the middle of a subtree search changes nothing.
    let mut search = pruned();
    let mut random = Random::new(7);
    while search.outcome().is_none() {
        search.advance(1 + random.below(3000) as u64);
    }
    assert_eq!(Report { outcome: search.outcome().unwrap().clone(), stats: search.stats() }, by_subtrees[1]);
    // Nor does a snapshot that another search resumes.
    for (make, whole) in [(&plain as &dyn Fn() -> Box<dyn Search<Tiles<W>>>, 0), (&pruned, 1)] {
        let mut search = make();
        while search.outcome().is_none() {
            search.advance(1 + random.below(3000) as u64);
            // A resumed search starts its subtree again, so most subtrees must end without a snapshot.
            if random.below(200) == 0
                && let Some(snapshot) = search.snapshot()
            {
                search = make();
                assert!(search.restore(&snapshot), "{snapshot:?}");
            }
        }
        assert_eq!(Report { outcome: search.outcome().unwrap().clone(), stats: search.stats() }, by_subtrees[whole]);
    }
}

/// A random walk from the goal.
fn scrambled<W: Word>(random: &mut Random, size: Size, goal: &[u8], moves: usize) -> Tiles<W> {
    let walk = puzzle::<W>(size, goal, goal);
    let mut board = walk.goal;
    for _ in 0..moves {
        let offered: Vec<Slide> = walk.moves(&board).collect();
        walk.apply(&mut board, offered[random.below(offered.len())]);
    }
    puzzle(size, &walk.list(&board), goal)
}

fn check_all_heuristics<W: Word>(space: &Tiles<W>, partitions: &[&str]) {
    let mut names = vec!["manhattan", "linear-conflict"];
    if WalkingDistance::serves(space.rows, space.columns) {
        names.push("walking-distance");
    }
    for name in names.iter().chain(partitions) {
        check_same(space, &space.heuristic(name).expect("a heuristic of that name"));
    }
}

#[test]
fn subtree_searches_agree_with_single_steps() {
    let mut random = Random::new(3);
    for _ in 0..3 {
        for goal in [gap_last(16), gap_first(16)] {
            check_all_heuristics(&scrambled::<u64>(&mut random, (4, 4), &goal, 90), &["pdb:5-5-5"]);
        }
        let goal = shuffled(&mut random, 9);
        check_all_heuristics(&scrambled::<u64>(&mut random, (3, 3), &goal, 200), &["pdb"]);
        check_all_heuristics(&scrambled::<u64>(&mut random, (2, 7), &gap_last(14), 60), &["pdb"]);
        check_all_heuristics(&scrambled::<u128>(&mut random, (3, 7), &gap_first(21), 50), &[]);
        check_all_heuristics(&scrambled::<u128>(&mut random, (5, 5), &gap_last(25), 60), &[]);
        check_all_heuristics(&scrambled::<[u64; 4]>(&mut random, (6, 6), &gap_last(36), 40), &[]);
    }
}

#[test]
fn keys_are_incremental_in_sparse_and_compact_tables() {
    let mut random = Random::new(5);
    // A group of eight tiles has a compact table; groups of four have sparse ones.
    for (size, gap) in [((3, 3), 8), ((3, 3), 0), ((2, 4), 7), ((3, 3), 4), ((2, 4), 1)] {
        let (rows, columns) = size;
        let cells = rows * columns;
        let goal: Vec<u8> = (1..=gap as u8).chain([0]).chain(gap as u8 + 1..cells as u8).collect();
        let space = puzzle::<u64>(size, &goal, &goal);
        let partition = Partition::named(rows, columns, gap, None).unwrap();
        let tables = space.load(&partition, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        let narrow = PatternSums::<4, u32>::new(&space, &partition, &tables);
        let wide = PatternSums::<4, u64>::new(&space, &partition, &tables);
        let mut board = space.goal;
        let (mut carried, mut carried_wide) = (narrow.evaluate(&space, &board), wide.evaluate(&space, &board));
        for _ in 0..2000 {
            let offered: Vec<Slide> = space.moves(&board).collect();
            let slide = offered[random.below(offered.len())];
            space.apply(&mut board, slide);
            carried = narrow.advance(&space, carried, &board, slide);
            carried_wide = wide.advance(&space, carried_wide, &board, slide);
            let afresh = estimate(&space, &narrow, &board);
            assert_eq!([read(&space, &narrow, carried), read(&space, &wide, carried_wide)], [afresh; 2]);
        }
    }
}

fn read<H: Heuristic<Tiles<u64>>>(_space: &Tiles<u64>, heuristic: &H, eval: H::Eval) -> u32 {
    heuristic.estimate(eval).units().expect("no dead end")
}

/// The distances of all boards from the start, without the moves that the automaton prunes.
fn pruned_distances(space: &Tiles<u64>, longest: usize) -> HashMap<u64, u32> {
    let automaton = space.automaton(longest, &mut || false).expect("tiles have an automaton");
    let mut distances = HashMap::from([(space.start.tiles, 0)]);
    let mut seen = std::collections::HashSet::new();
    let mut layer = vec![(space.start, automaton.first(space.class(&space.start)))];
    let mut depth = 0;
    while !layer.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for (board, mark) in layer {
            for slide in space.moves(&board) {
                let mark = automaton.next(mark, space.move_index(slide));
                if mark == admissible::pruning::NEVER {
                    continue;
                }
                let mut after = board;
                space.apply(&mut after, slide);
                distances.entry(after.tiles).or_insert(depth);
                if seen.insert((after.tiles, mark)) {
                    next.push((after, mark));
                }
            }
        }
        layer = next;
    }
    distances
}

#[test]
fn pruning_changes_no_distance() {
    for (size, longest) in [((2, 2), 12), ((2, 3), 12), ((3, 2), 9), ((2, 4), 10), ((3, 3), 12)] {
        let cells = size.0 * size.1;
        let gaps = if cells == 9 { vec![1] } else { (0..cells).collect() };
        for gap in gaps {
            let start: Vec<u8> = (1..=gap as u8).chain([0]).chain(gap as u8 + 1..cells as u8).collect();
            let space = puzzle::<u64>(size, &start, &start);
            let truth = pruned_distances(&space, 0);
            assert_eq!(truth.len(), (1..=cells).product::<usize>() / 2);
            assert_eq!(pruned_distances(&space, longest), truth, "{size:?} from {start:?}, sequences of {longest}");
        }
    }
}

#[test]
fn the_number_of_marks_of_the_automaton() {
    let space = puzzle::<u64>((4, 4), &gap_last(16), &gap_last(16));
    let marks = |longest: usize| space.automaton(longest, &mut || false).unwrap().marks();
    // Without pruned sequences a mark is the cell of the gap. Pruning inverse moves adds the last move.
    assert_eq!(marks(0), 16);
    assert_eq!(marks(2), 16 + 48);
    assert!(marks(12) > marks(8));
}
