//! Walking distance against a slow second implementation, against the oracle, and on Korf's instances.

use super::*;

/// By line and goal line: the number of tiles; and the line of the gap.
type View = (Vec<Vec<u8>>, usize);

/// The view of a board.
fn view(board: &[u8], goal: &[u8], line: &dyn Fn(usize) -> usize) -> View {
    let lines = line(board.len() - 1) + 1;
    let mut counts = vec![vec![0; lines]; lines];
    let mut gap = 0;
    for (cell, tile) in board.iter().enumerate() {
        let home = goal.iter().position(|t| t == tile).expect("every tile has a place");
        if *tile == 0 {
            gap = line(cell);
        } else {
            counts[line(cell)][line(home)] += 1;
        }
    }
    (counts, gap)
}

/// The distances of all views to that of the goal.
fn view_distances(goal: View) -> HashMap<View, u32> {
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut layer = vec![goal];
    for distance in 1.. {
        let mut next = Vec::new();
        for (counts, gap) in layer {
            for other in (0..counts.len()).filter(|&other| other.abs_diff(gap) == 1) {
                for home in (0..counts.len()).filter(|&home| counts[other][home] > 0) {
                    let mut after = counts.clone();
                    after[other][home] -= 1;
                    after[gap][home] += 1;
                    distances.entry((after.clone(), other)).or_insert_with(|| {
                        next.push((after, other));
                        distance
                    });
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

#[test]
fn walking_distance_is_the_sum_of_the_distances_of_both_views() {
    let mut random = Random::new(1);
    for size @ (rows, columns) in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 3), (4, 4), (2, 5), (5, 2)] {
        let cells = rows * columns;
        for goal in [gap_last(cells), gap_first(cells), shuffled(&mut random, cells)] {
            let space = puzzle::<u64>(size, &goal, &goal);
            let heuristic = WalkingDistance::new(&space, &space.goal);
            let row = |cell: usize| cell / columns;
            let column = |cell: usize| cell % columns;
            let by_rows = view_distances(view(&goal, &goal, &row));
            let by_columns = view_distances(view(&goal, &goal, &column));
            if size == (4, 4) {
                assert_eq!((by_rows.len(), by_columns.len()), (24_964, 24_964));
            }
            for _ in 0..500 {
                let tiles = mixed(&mut random, columns, &goal);
                let board = space.unpack(u64::of(&tiles));
                let expected = by_rows[&view(&tiles, &goal, &row)] + by_columns[&view(&tiles, &goal, &column)];
                assert_eq!(estimate(&space, &heuristic, &board), expected, "{size:?}: {tiles:?} to {goal:?}");
                check_incremental(&space, &heuristic, &board);
            }
        }
    }
}

#[test]
fn walking_distance_is_consistent_and_at_least_manhattan_on_every_small_board() {
    let check = |size: Size, goal: &[u8], costs: &HashMap<Vec<u8>, u32>| {
        let space = puzzle::<u64>(size, goal, goal);
        let walking = WalkingDistance::new(&space, &space.goal);
        let manhattan = Manhattan::new(&space, &space.goal);
        for (tiles, &cost) in costs {
            let board = space.unpack(u64::of(tiles));
            let walk = check_estimate(&space, &walking, &board, cost);
            assert!(walk >= estimate(&space, &manhattan, &board), "{tiles:?}: {walk}");
        }
    };
    check((3, 3), &gap_last(9), &EIGHT);
    for size @ (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)] {
        let cells = rows * columns;
        for goal in [gap_last(cells), gap_first(cells), shuffled(&mut Random::new(1), cells)] {
            check(size, &goal, &distances(rows, columns, &goal));
        }
    }
}

#[test]
fn boards_with_large_tables_lack_walking_distance() {
    let lacks = |rows: usize, columns: usize| {
        let tiles = gap_last(rows * columns);
        puzzle::<u128>((rows, columns), &tiles, &tiles).lacks("walking-distance")
    };
    assert_eq!(
        [(4, 4), (2, 2), (5, 2), (2, 5), (3, 4)].map(|(rows, columns)| lacks(rows, columns)),
        [const { None }; 5]
    );
    let why = |size: &str| Some(format!("its tables for {size} would be too large"));
    assert_eq!([lacks(5, 5), lacks(3, 5), lacks(2, 6)], [why("5 x 5"), why("3 x 5"), why("2 x 6")]);
}

#[test]
fn idastar_with_walking_distance_solves_the_shorter_of_korfs_instances() {
    let shorter: Vec<(Tiles<u64>, u32)> = korf().filter(|&(_, length)| length <= 50).collect();
    assert_eq!(shorter.len(), 32);
    for (space, length) in shorter {
        let heuristic = WalkingDistance::new(&space, &space.goal);
        let mut search = Idastar::new(&space, &heuristic).solvable(true).search(space.start);
        let report = run(&mut *search, &Limits::default(), &mut ());
        assert_eq!(report.outcome.cost(), Some(length), "{:?}", space.list(&space.start));
    }
}
