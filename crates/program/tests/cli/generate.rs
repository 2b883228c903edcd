//! `generate`.

use serde_json::Value;

use crate::support::{ANSWERED, BAD_INPUT, Folder, Run, STOPPED, assert_text};

fn generate(words: &str) -> Run {
    Folder::new().run(&format!("generate {words}"))
}

/// Parameters of easy instances of each kind of puzzle.
const RECIPES: [&str; 6] = [
    "die",
    "die --size 3x20 --density 0.4",
    "tiles --size 3x3",
    "tiles --scramble 20",
    "klotski",
    "chexers --pieces 3 --blocks 10 --colour blue",
];

#[test]
fn the_same_seed_gives_the_same_instance_and_another_seed_another() {
    for recipe in RECIPES {
        let [first, again, other] =
            [1, 1, 2].map(|seed| generate(&format!("{recipe} --seed {seed}")).prints(ANSWERED).to_string());
        assert_text(&again, &first);
        assert_ne!(first, other, "{recipe}");
    }
}

#[test]
fn every_instance_can_be_solved() {
    for recipe in RECIPES {
        for seed in [0, 7, 42, u64::MAX] {
            let instance = generate(&format!("{recipe} --seed {seed}"));
            let text = instance.prints(ANSWERED);
            let run = Folder::new().run_with(&["solve", "-", "--format", "json"], text);
            assert_eq!(run.solved::<Value>().puzzle, recipe.split(' ').next().expect("a name"), "{text}");
        }
    }
}

#[test]
fn without_a_seed_the_new_instance_can_be_reproduced() {
    let run = generate("die --size 12x12");
    assert_eq!(run.code, Some(ANSWERED), "{run}");
    let seed = run.err.strip_prefix("note: --seed ").and_then(|rest| rest.strip_suffix(" gives this instance again\n"));
    let again = generate(&format!("die --size 12x12 --seed {}", seed.unwrap_or_else(|| panic!("{run}"))));
    assert_text(again.prints(ANSWERED), &run.out);
}

#[test]
fn sizes_are_respected() {
    let shape = |words: &str| {
        let run = generate(words);
        let rows: Vec<usize> = run.prints(ANSWERED).lines().map(|line| line.split_whitespace().count()).collect();
        let width = run.out.lines().next().map_or(0, |line| line.chars().count());
        (rows, width)
    };
    assert_eq!(shape("die --size 7x30 --seed 1"), (vec![1; 7], 30));
    assert_eq!(shape("die --seed 1"), (vec![1; 10], 10));
    assert_eq!(shape("tiles --size 2x5 --seed 1").0, [5; 2]);
    assert_eq!(shape("tiles --size 6x6 --seed 1").0, [6; 6]);
    assert_eq!(shape("tiles --seed 1").0, [4; 4]);
    assert_eq!(shape("klotski --seed 1"), (vec![1; 5], 4));
    assert_eq!(shape("klotski --size 6x5 --seed 1"), (vec![1; 6], 5));
}

#[test]
fn parameters_are_respected() {
    let count = |words: &str, symbol: char| generate(words).prints(ANSWERED).matches(symbol).count();
    assert_eq!(count("die --density 0 --seed 3", '*'), 0);
    assert!((100..300).contains(&count("die --size 20x20 --density 0.5 --seed 3", '*')));
    assert_eq!(count("klotski --empties 6 --seed 3", '.'), 6);
    assert_eq!(count("chexers --pieces 2 --blocks 5 --seed 3", '[') - 2, 7);
    assert!(generate("chexers --colour green --seed 3").prints(ANSWERED).contains("\"colour\": \"green\""));
    assert_text(generate("tiles --size 2x3 --scramble 0 --seed 3").prints(ANSWERED), "1 2 3\n4 5 0\n");
}

#[test]
fn a_scrambled_board_is_no_farther_than_its_moves() {
    for seed in 0..5 {
        let board = generate(&format!("tiles --scramble 9 --seed {seed}"));
        let run = Folder::new().run_with(&["solve", "-", "--format", "json"], board.prints(ANSWERED));
        let cost = run.solved::<Value>().cost;
        assert!(cost <= 9 && cost % 2 == 1, "{board}");
    }
}

#[test]
fn impossible_parameters_are_refused() {
    for (words, expected) in [
        ("die --size 0x5", "a maze needs at least two cells"),
        ("die --size 1x1", "a maze needs at least two cells"),
        ("die --density 1", "the density of obstacles lies between 0 and 1"),
        ("die --density -0.1", "the density of obstacles lies between 0 and 1"),
        ("die --density nan", "the density of obstacles lies between 0 and 1"),
        ("tiles --size 1x9", "a board has at least 2 x 2 and at most 40 cells"),
        ("tiles --size 7x7", "a board has at least 2 x 2 and at most 40 cells"),
        ("klotski --size 1x8", "a board needs at least two rows and two columns"),
        ("klotski --size 7x7", "a board has at most 42 cells"),
        ("klotski --empties 17", "a 2x2 piece leaves room for at most 16 empty cells"),
        ("chexers --pieces 0", "the number of pieces lies between 1 and 37"),
        ("chexers --pieces 38", "the number of pieces lies between 1 and 37"),
        ("chexers --pieces 20 --blocks 20", "20 pieces leave room for 17 blocks, not for 20"),
        ("chexers --colour pink", "the colour is red, green or blue, not 'pink'"),
    ] {
        assert_text(generate(words).refuses(), &format!("error: {expected}\n"));
        assert_eq!(generate(&format!("{words} --seed 1")).code, Some(BAD_INPUT));
    }
}

/// A maze of more than 200 million cells could be written, but not be read.
#[test]
fn a_maze_that_is_too_large_is_refused_at_once() {
    let run = generate("die --size 15000x15000 --seed 1");
    assert!(run.refuses().starts_with("error: "), "{run}");
}

#[test]
fn generation_gives_up_if_no_instance_is_solvable() {
    let run = generate("die --density 0.99 --seed 1");
    assert_eq!((run.code, run.out.as_str()), (Some(STOPPED), ""), "{run}");
    assert_text(&run.err, "none of 1000 random instances is solvable: ask for fewer obstacles\n");
}
