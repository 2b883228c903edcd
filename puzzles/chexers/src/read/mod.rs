//! Boards as text: a JSON object with the colour, the pieces and the blocks.

mod json;

use super::hex::{Colour, Hex, Hexes};
use admissible_front::text::{Faults, Inspector, check_length};
use json::Json;

/// The most hexes of a list: the cells of a board.
const MOST_HEXES: usize = 37;

/// The board of a file: every hex is on the board, and no piece is on another one or on a block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) colour: Colour,
    pub(super) pieces: Hexes,
    pub(super) blocks: Hexes,
}

impl Layout {
    pub(super) fn read(text: &str) -> Result<Self, Faults> {
        check_length(text)?;
        let document = Json::read(text)?;
        let (line, column) = document.place();
        let Some(members) = document.members() else {
            let message =
                format!("expected an object {{\"colour\", \"pieces\", \"blocks\"}}, found {}", document.shown());
            return Err(Faults::one(line, column, message));
        };
        let mut inspector = Inspector::default();
        let mut value_of = |names: &[&str], needed: bool| {
            let mut values = members.iter().filter(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| *value);
            let first = values.next();
            if first.is_none() && needed {
                inspector.fault(line, column, format!("expected a key \"{}\", found none", names[0]));
            }
            if let Some(second) = values.next() {
                let (line, column) = second.place();
                inspector.fault(line, column, format!("expected one value of \"{}\", found a second", names[0]));
            }
            first
        };
        let colour = value_of(&["colour", "color"], true);
        let pieces = value_of(&["pieces"], true);
        let blocks = value_of(&["blocks"], false);
        let colour = colour.and_then(|value| read_colour(value, &mut inspector));
        let pieces = pieces.map_or(Vec::new(), |list| read_hexes(list, &mut inspector));
        let blocks = blocks.map_or(Vec::new(), |list| read_hexes(list, &mut inspector));
        for (at, &(hex, pair)) in pieces.iter().enumerate() {
            let (line, column) = pair.place();
            let place_in =
                |list: &[(Hex, Json<'_>)]| list.iter().find(|(other, _)| *other == hex).map(|(_, pair)| pair.place());
            if let Some((first_line, first_column)) = place_in(&pieces[..at]) {
                let message = format!("expected a piece on another hex, found {} again", pair.shown());
                inspector.fault(line, column, format!("{message} (the first is at {first_line}:{first_column})"));
            }
            if let Some((block_line, block_column)) = place_in(&blocks) {
                let message = format!("expected a piece on a free hex, found {} with a block", pair.shown());
                inspector.fault(line, column, format!("{message} (at {block_line}:{block_column})"));
            }
        }
        inspector.pass(Layout {
            colour: colour.unwrap_or(Colour::Red),
            pieces: pieces.into_iter().map(|(hex, _)| hex).collect(),
            blocks: blocks.into_iter().map(|(hex, _)| hex).collect(),
        })
    }

    /// The board in the format of the course.
    pub(super) fn write(&self) -> String {
        let list = |hexes: Hexes| {
            let pairs: Vec<String> = hexes.map(Hex::coordinates).map(|(q, r)| format!("[{q}, {r}]")).collect();
            pairs.join(", ")
        };
        format!(
            "{{\n    \"colour\": \"{}\",\n    \"pieces\": [{}],\n    \"blocks\": [{}]\n}}\n",
            self.colour.name(),
            list(self.pieces),
            list(self.blocks)
        )
    }
}

fn read_colour(value: Json<'_>, inspector: &mut Inspector) -> Option<Colour> {
    let colour = value.string().and_then(|name| Colour::named(&name));
    if colour.is_none() {
        let (line, column) = value.place();
        inspector.fault(line, column, format!("expected \"red\", \"green\" or \"blue\", found {}", value.shown()));
    }
    colour
}

/// The hexes of a list that are on the board, each with the pair that names it.
fn read_hexes<'a>(list: Json<'a>, inspector: &mut Inspector) -> Vec<(Hex, Json<'a>)> {
    let mut expected = |what: &str, value: Json<'_>| {
        let (line, column) = value.place();
        inspector.fault(line, column, format!("expected {what}, found {}", value.shown()));
    };
    let Some(pairs) = list.items() else {
        expected("a list of hexes [q, r]", list);
        return Vec::new();
    };
    // A place takes a look at all text before it, so the number of hexes is bounded first.
    if pairs.len() > MOST_HEXES {
        let (line, column) = pairs[MOST_HEXES].place();
        let message = format!("expected at most {MOST_HEXES} hexes, the cells of a board, found {}", pairs.len());
        inspector.fault(line, column, message);
        return Vec::new();
    }
    let mut hexes = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let Some([q, r]) = pair.items().and_then(|items| <[Json<'_>; 2]>::try_from(items).ok()) else {
            expected("a hex [q, r]", pair);
            continue;
        };
        let coordinates = [q, r].map(|value| {
            let number = value.whole_number();
            if number.is_none() {
                expected("a whole number", value);
            }
            number
        });
        let [Some(q), Some(r)] = coordinates else { continue };
        match i8::try_from(q).ok().zip(i8::try_from(r).ok()).and_then(|(q, r)| Hex::new(q, r)) {
            Some(hex) => hexes.push((hex, pair)),
            None => expected("a hex of the board, with |q|, |r| and |q + r| at most 3", pair),
        }
    }
    hexes
}

#[cfg(test)]
mod tests {
    use admissible_oracle::Random;

    use super::*;

    fn hexes<const N: usize>(coordinates: [(i8, i8); N]) -> Hexes {
        coordinates.into_iter().map(|(q, r)| Hex::new(q, r).unwrap()).collect()
    }

    #[test]
    fn files_are_read_in_every_writing() {
        let expected = Layout { colour: Colour::Blue, pieces: hexes([(1, 2), (0, 3)]), blocks: hexes([(2, 0)]) };
        for text in [
            "{\"colour\": \"blue\", \"pieces\": [[1, 2], [0, 3]], \"blocks\": [[2, 0]]}",
            "{\r\"colour\":\"blue\",\r\"pieces\":[[1,2],[0,3]],\r\"blocks\":[[2,0] , [2,0]] }",
            "\u{feff}{\r\n\"blocks\": [[2, -0]],\r\n\"note\": {\"pieces\": 1},\r\n\
             \"pieces\": [[0,3],[1,2]],\"color\":\"blue\"}\n\n",
        ] {
            assert_eq!(Layout::read(text).as_ref(), Ok(&expected), "{text:?}");
        }
        let without_blocks = Layout::read("{\"colour\": \"red\", \"pieces\": []}").unwrap();
        assert_eq!(without_blocks, Layout { colour: Colour::Red, pieces: Hexes::NONE, blocks: Hexes::NONE });
        assert_eq!(Layout::read(&expected.write()), Ok(expected));
    }

    #[test]
    fn every_fault_is_reported_with_its_place() {
        for (text, expected) in [
            ("[1, 2]", "1:1: expected an object {\"colour\", \"pieces\", \"blocks\"}, found [1, 2]"),
            ("{\"colour\": \"red\"}", "1:1: expected a key \"pieces\", found none"),
            ("\n {\"pieces\": []}", "2:2: expected a key \"colour\", found none"),
            (
                "{\"colour\": \"purple\", \"pieces\": []}",
                "1:12: expected \"red\", \"green\" or \"blue\", found \"purple\"",
            ),
            ("{\"colour\": 3, \"pieces\": []}", "1:12: expected \"red\", \"green\" or \"blue\", found 3"),
            (
                "{\"colour\": \"red\", \"pieces\": [],\n\"color\": \"blue\"}",
                "2:10: expected one value of \"colour\", found a second",
            ),
            ("{\"colour\": \"red\", \"pieces\": {}}", "1:29: expected a list of hexes [q, r], found {}"),
            ("{\"colour\": \"red\", \"pieces\": [[0, 0], 5]}", "1:38: expected a hex [q, r], found 5"),
            ("{\"colour\": \"red\", \"pieces\": [[0,\n0, 0]]}", "1:30: expected a hex [q, r], found [0, 0, 0]"),
            ("{\"colour\": \"red\", \"pieces\": [[0, 0.5]]}", "1:34: expected a whole number, found 0.5"),
            (
                "{\"colour\": \"red\", \"pieces\": [[3, 1]]}",
                "1:30: expected a hex of the board, with |q|, |r| and |q + r| at most 3, found [3, 1]",
            ),
            (
                "{\"colour\": \"red\", \"pieces\": [], \"blocks\": [[-99999999999999999999, 0]]}",
                "1:44: expected a hex of the board, with |q|, |r| and |q + r| at most 3, \
                 found [-99999999999999999999, 0]",
            ),
        ] {
            assert_eq!(Layout::read(text).unwrap_err().to_string(), expected, "{text:?}");
        }
    }

    #[test]
    fn longer_lists_than_boards_are_refused_before_they_are_looked_at() {
        let list = |count: usize| vec!["[9,9]"; count].join(",");
        let text = format!("{{\"colour\": \"red\", \"pieces\": [[0,0]], \"blocks\": [{}]}}", list(38));
        let expected = "1:271: expected at most 37 hexes, the cells of a board, found 38";
        assert_eq!(Layout::read(&text).unwrap_err().to_string(), expected);
        let text = format!("{{\"colour\": \"red\", \"pieces\": [{}]}}", list(37));
        assert_eq!(Layout::read(&text).unwrap_err().count(), 37);
        let text = format!("{{\"colour\": \"red\", {} \"pieces\": []}}", "\"pieces\": [],".repeat(1000));
        assert_eq!(Layout::read(&text).unwrap_err().count(), 1);
        let text = format!("{}{{\"colour\": \"red\", \"pieces\": []}}", " ".repeat(1 << 20));
        assert!(Layout::read(&text).unwrap_err().to_string().starts_with("1:1: expected a board, in at most 1 MiB"));
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let text = "{\r\"colour\": \"Red\",\r\"pieces\": [[0,0], [1,0],[0,0], [2,0],[4,0], [null, \"a\"]],\r\
                    \"blocks\": [[2, 0], 7]\r}";
        let expected = "2:11: expected \"red\", \"green\" or \"blue\", found \"Red\"\n\
            3:25: expected a piece on another hex, found [0,0] again (the first is at 3:12)\n\
            3:32: expected a piece on a free hex, found [2,0] with a block (at 4:12)\n\
            3:38: expected a hex of the board, with |q|, |r| and |q + r| at most 3, found [4,0]\n\
            3:46: expected a whole number, found null\n\
            3:52: expected a whole number, found \"a\"\n\
            4:20: expected a hex [q, r], found 7";
        assert_eq!(Layout::read(text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn damaged_files_have_faults_with_valid_places() {
        let text = "{\r\n\"colour\": \"red\",\r\"pieces\": [[0, 0], [-1, 2]],\n\"blocks\": [[1, 1]]}\n";
        let odd = ['"', '\\', '[', ']', '{', '}', ',', ':', '-', '7', '.', 'e', 'ü', '\u{feff}', '\0', '\n', '\r', ' '];
        for seed in 0..20_000 {
            let mut random = Random::new(seed);
            let mut characters: Vec<char> = text.chars().collect();
            for _ in 0..=random.below(3) {
                let at = random.below(characters.len() + 1);
                let end = characters.len().min(at + random.below(3));
                characters.splice(at..end, odd.get(random.below(2 * odd.len())).copied());
            }
            if random.below(4) == 0 {
                characters.truncate(random.below(characters.len() + 1));
            }
            let damaged: String = characters.into_iter().collect();
            let unified = damaged.trim_start_matches('\u{feff}').replace("\r\n", "\n");
            let lines: Vec<&str> = unified.split(['\n', '\r']).collect();
            if let Err(faults) = Layout::read(&damaged) {
                for fault in faults.iter() {
                    let width = lines[fault.line - 1].chars().count();
                    assert!((1..=width + 1).contains(&fault.column), "{damaged:?}: {fault:?}");
                    assert!(fault.message.starts_with("expected "), "{damaged:?}: {}", fault.message);
                }
            }
        }
    }
}
