//! The parameters that the cards declare: defaults, ranges and messages.

use admissible_front::{Card, ParameterKind, Parameters, Purpose, Setting};
use admissible_puzzles::PUZZLES;

fn card(puzzle: &str) -> &'static Card {
    PUZZLES.entry(puzzle).expect("the registry has the puzzle").card()
}

#[test]
fn defaults_are_in_range_and_survive_text_and_json() {
    for card in PUZZLES.cards() {
        assert!(
            card.parameters.iter().filter(|parameter| matches!(parameter.kind, ParameterKind::Walk(_))).count() <= 1
        );
        for parameter in card.parameters {
            assert!(parameter.name.bytes().all(|byte| byte.is_ascii_lowercase()), "{}", parameter.name);
            for default in parameter.default.iter().chain(&parameter.explored) {
                let typed = [(parameter.name.to_string(), default.to_string())];
                let read = Parameters::read(card, Purpose::Generate, &typed).expect("it is of its kind");
                assert_eq!(read, Parameters::from([(parameter.name, default.clone())]));
                let json = serde_json::to_string(default).expect("it can be written");
                assert_eq!(serde_json::from_str::<Setting>(&json).expect("it can be read"), *default, "{json}");
                for purpose in [Purpose::Generate, Purpose::Explore] {
                    let complete = read.complete(card, purpose).expect("it is in range");
                    assert_eq!(complete.get(parameter.name), Some(default), "{}", card.name);
                }
            }
        }
    }
}

#[test]
fn missing_parameters_take_the_default_of_the_purpose() {
    let nothing = Parameters::default();
    let complete = |puzzle, purpose| nothing.complete(card(puzzle), purpose).expect("defaults are in range");
    let tiles = complete("tiles", Purpose::Generate);
    assert_eq!((tiles.size("size"), tiles.get("scramble")), ((4, 4), None));
    assert_eq!(complete("tiles", Purpose::Explore).size("size"), (3, 3));
    let chexers = complete("chexers", Purpose::Generate);
    assert_eq!((chexers.count("pieces"), chexers.count("blocks"), chexers.word("colour")), (4, 6, "red"));
    assert_eq!(complete("chexers", Purpose::Explore).get("blocks"), None);
    assert_eq!(complete("die", Purpose::Generate).share("density"), 0.2);
}

#[test]
fn wrong_parameters_are_refused_with_the_expected_range() {
    for (puzzle, name, setting, expected) in [
        ("die", "pieces", Setting::Count(3), "--pieces: die has no use for it, only for --size, --density"),
        ("die", "size", Setting::Count(3), "--size: expected rows x columns, such as 20x30, found 3"),
        ("die", "size", Setting::Size(1, 1), "a maze needs at least two cells"),
        ("die", "size", Setting::Size(usize::MAX, 2), "a random maze has at most 25000000 cells"),
        ("die", "density", Setting::Word("low".into()), "--density: expected a number, found low"),
        ("die", "density", Setting::Count(1), "the density of obstacles lies between 0 and 1"),
        ("tiles", "scramble", Setting::Count(usize::MAX), "--scramble: expected at most 4294967295 moves"),
        ("chexers", "pieces", Setting::Share(0.5), "--pieces: expected a whole number, found 0.5"),
        ("chexers", "pieces", Setting::Count(38), "the number of pieces lies between 1 and 37"),
        ("chexers", "colour", Setting::Count(1), "--colour: expected a word, found 1"),
        ("chexers", "colour", Setting::Word("pink".into()), "the colour is red, green or blue, not 'pink'"),
    ] {
        let refused = Parameters::from([(name, setting)]).complete(card(puzzle), Purpose::Generate);
        assert_eq!(refused.expect_err(expected).to_string(), expected);
    }
    let typed = |puzzle, name: &str, text: &str| {
        let read = Parameters::read(card(puzzle), Purpose::Explore, &[(name.into(), text.into())]);
        read.expect_err("it is refused").to_string()
    };
    assert_eq!(typed("tiles", "pieces", "3"), "--pieces: tiles has no use for it, only for --size");
    assert_eq!(typed("klotski", "pieces", "3"), "--pieces: klotski has no use for it");
    assert_eq!(typed("chexers", "pieces", "3x"), "--pieces: expected a whole number, found '3x'");
}

#[test]
fn a_whole_number_is_a_share_too() {
    let complete = Parameters::from([("density", Setting::Count(0))]).complete(card("die"), Purpose::Generate);
    assert_eq!(complete.expect("0 is in range").share("density"), 0.0);
}
