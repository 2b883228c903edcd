//! Numbers of states, for every puzzle: `of_number` inverts `number_of`, and rejects every other number.

use std::collections::HashMap;

use admissible_oracle::Random;

use admissible_chexers::ChexersBoards;
use admissible_die::DieMazes;
use admissible_front::puzzle::{Family, Puzzle, ReadOptions, WithPuzzle};
use admissible_klotski::KlotskiBoards;
use admissible_tiles::SlidingTiles;

/// Checks the states of a random walk, then numbers with random bits flipped.
struct Walk;

impl WithPuzzle for Walk {
    type Out = ();

    fn call<P: Puzzle>(self, puzzle: P) {
        let mut random = Random::new(11);
        let mut seen: HashMap<[u64; 3], P::Packed> = HashMap::new();
        let mut state = puzzle.start();
        for _ in 0..2000 {
            let (number, packed) = (puzzle.number_of(&state), puzzle.pack(&state));
            assert_eq!(*seen.entry(number).or_insert(packed), packed, "two states have {number:?}");
            let back = puzzle.of_number(number).expect("it is the number of a state");
            assert_eq!(puzzle.pack(&back), packed);
            let moves: Vec<P::Move> = puzzle.moves(&state).into_iter().collect();
            let successors = |state: &P::State| {
                let step = |m| {
                    let mut next = state.clone();
                    puzzle.apply(&mut next, m);
                    puzzle.pack(&next)
                };
                puzzle.moves(state).into_iter().map(step).collect::<Vec<P::Packed>>()
            };
            assert_eq!(successors(&back), successors(&state), "the whole state is restored");
            match moves.len() {
                0 => state = puzzle.start(),
                some => drop(puzzle.apply(&mut state, moves[random.below(some)])),
            }
        }
        let known: Vec<[u64; 3]> = seen.keys().copied().collect();
        for turn in 0..20_000 {
            let mut number = known[random.below(known.len())];
            for _ in 0..=turn % 3 {
                number[[2, 2, 2, 1, 0][random.below(5)]] ^= 1 << random.below(64);
            }
            let Some(state) = puzzle.of_number(number) else { continue };
            assert_eq!(puzzle.number_of(&state), number);
            // Every successor of an accepted state has a number, and its JSON is a valid start.
            for m in puzzle.moves(&state) {
                let mut next = state.clone();
                puzzle.apply(&mut next, m);
                assert!(puzzle.of_number(puzzle.number_of(&next)).is_some());
            }
            assert!(puzzle.beginning_at(&puzzle.state_json(&state)).is_ok());
        }
    }
}

fn walk<F: Family>(texts: &[&str], metric: Option<&str>) {
    for text in texts {
        let options = ReadOptions { metric: metric.map(String::from), ..ReadOptions::default() };
        F::open(text, &options, Walk).unwrap_or_else(|faults| panic!("{text}: {faults}"));
    }
}

#[test]
fn of_number_inverts_number_of() {
    walk::<DieMazes>(&["S..\n.*.\n..G\n", "S.*....\n..*.*..\n....*.G\n"], None);
    let line = |numbers: std::ops::Range<u32>| numbers.map(|n| format!("{n} ")).collect::<String>();
    let large = (0..6).map(|row| line(row * 6..row * 6 + 6) + "\n").collect::<String>();
    let largest = (0..5).map(|row| line(row * 8..row * 8 + 8) + "\n").collect::<String>();
    let square = (0..5).map(|row| line(row * 5..row * 5 + 5) + "\n").collect::<String>();
    walk::<SlidingTiles>(&["1 2\n3 0\n", "8 6 7 2 5 4 3 0 1", "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"], None);
    walk::<SlidingTiles>(&[&square, &large, &largest], None);
    let boards = [
        "^11^\nv11v\n^<>^\nv22v\n2..2\n",
        "11.\n112\n<>2\n\n.11\n211\n<>2\n",
        "^11^.\nv11v2\n<><>.\n22<>2\n.2<>2\n2....\n",
    ];
    walk::<KlotskiBoards>(&boards, None);
    walk::<KlotskiBoards>(&boards[..2], Some("moves"));
    walk::<ChexersBoards>(
        &[
            r#"{"colour": "red", "pieces": [[0,0],[0,-1],[-2,1]], "blocks": [[-1,0],[-1,1],[1,1],[3,-1]]}"#,
            r#"{"colour": "blue", "pieces": [[3,0]], "blocks": []}"#,
        ],
        None,
    );
}

/// A small space accepts exactly as many numbers as it has states.
#[test]
fn other_numbers_are_rejected() {
    struct Count(Vec<u64>);
    impl WithPuzzle for Count {
        type Out = usize;
        fn call<P: Puzzle>(self, puzzle: P) -> usize {
            self.0.iter().filter(|&&low| puzzle.of_number([0, 0, low]).is_some()).count()
        }
    }
    let options = ReadOptions::default();
    let low = || Count((0..100_000).collect());
    assert_eq!(SlidingTiles::open("1 2 3\n4 5 0\n", &options, low()).unwrap(), 720);
    assert_eq!(DieMazes::open("S.*\n..G\n", &options, low()).unwrap(), 5 * 20);
    // Two planes. A 2x2 piece and a single on 2 x 3 cells: the piece has two places, the single two cells beside it.
    let planes = (0..128).flat_map(|first| (0..128).map(move |second| first | second << 21)).collect();
    assert_eq!(KlotskiBoards::open("112\n11.\n\n211\n.11\n", &options, Count(planes)).unwrap(), 4);
}
