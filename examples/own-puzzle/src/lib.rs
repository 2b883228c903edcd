//! Frogs and toads: on a row of stones with one free stone, frogs and toads change sides. An animal hops to the free
//! stone from the next stone, or over one animal of the other kind. The goal is all toads, the free stone, all frogs.
#![forbid(unsafe_code)]

use std::array::IntoIter;
use std::iter::Flatten;

use admissible::heuristic::Zero;
use admissible::{AbilityVisitor, Backward, Erased, Estimate, Heuristic, Properties, StateSpace};
use admissible_front::puzzle::{Advice, BadState, Card, Family, HeuristicCard, Illegal, ParameterError, Puzzle};
use admissible_front::puzzle::{ReadOptions, Referee, WithPuzzle, ZERO_CARD};
use admissible_front::scope::{FamilyScope, Held, Scope, ScopeError, ScopeRequest};
use admissible_front::text::{Faults, paragraphs, shown};
use admissible_front::{Example, Parameter, Parameters};
use rand::{Rng, seq::SliceRandom as _};
use serde_json::{Value, json};

/// A letter for each stone: `F`, `T` or `.`; zeros after the last stone.
type Row = [u8; 16];

/// A row of frogs and toads that change sides.
#[derive(Debug)]
pub struct Frogs {
    stones: usize,
    start: Row,
    goal: Row,
}

fn gap(row: &Row) -> usize {
    row.iter().position(|&stone| stone == b'.').expect("one stone is free")
}

impl Frogs {
    /// The row of these letters, if it has 2 to 16 stones and one of them is free.
    fn new(letters: &str) -> Option<Self> {
        let (stones, mut start) = (letters.len(), Row::default());
        let is_row = stones > 1 && letters.matches('.').count() == 1;
        start.get_mut(..stones).filter(|_| is_row)?.copy_from_slice(letters.as_bytes());
        let mut goal = start;
        goal[..stones].sort_unstable_by_key(|letter| b"T.F".iter().position(|known| known == letter));
        Some(Frogs { stones, start, goal })
    }
    fn letters(&self, row: &Row) -> String {
        row[..self.stones].iter().map(|&letter| char::from(letter)).collect()
    }
}

impl StateSpace for Frogs {
    type State = Row;
    type Packed = Row;
    /// The stone that an animal leaves.
    type Move = usize;
    type Moves = Flatten<IntoIter<Option<usize>, 4>>;
    /// The stone that was free.
    type Undo = usize;
    fn pack(&self, row: &Row) -> Row {
        *row
    }
    fn unpack(&self, packed: Row) -> Row {
        packed
    }
    fn is_goal(&self, row: &Row) -> bool {
        *row == self.goal
    }
    fn moves(&self, row: &Row) -> Self::Moves {
        let gap = gap(row);
        let stone = |offset| gap.checked_add_signed(offset).filter(|&stone| stone < self.stones);
        let jump = |over, from| stone(from).filter(|&from| stone(over).is_some_and(|over| row[over] != row[from]));
        [jump(-1, -2), stone(-1), stone(1), jump(1, 2)].into_iter().flatten()
    }
    fn apply(&self, row: &mut Row, from: usize) -> usize {
        let gap = gap(row);
        row.swap(from, gap);
        gap
    }
    fn undo(&self, row: &mut Row, from: usize, gap: usize) {
        row.swap(from, gap);
    }
    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.backward(self)
    }
}

/// An animal may hop back: predecessors are successors.
impl Backward for Frogs {
    fn goals(&self) -> Option<Vec<Row>> {
        Some(vec![self.goal])
    }
}

/// Half of the distance that the animals have left. It is consistent: a hop changes the distance by at most 2.
#[derive(Debug)]
struct HalfDistance;

impl Heuristic<Frogs> for HalfDistance {
    type Eval = u32;
    fn evaluate(&self, frogs: &Frogs, row: &Row) -> u32 {
        let to_end = |(letter, stone): (&u8, usize)| match letter {
            b'F' => frogs.stones - 1 - stone,
            b'T' => stone,
            _ => 0,
        };
        let distance = |row: &Row| row.iter().zip(0..).map(to_end).sum::<usize>();
        (distance(row) - distance(&frogs.goal)).div_ceil(2) as u32
    }
    fn estimate(&self, eval: u32) -> Estimate {
        Estimate::new(eval)
    }
    fn properties(&self, _frogs: &Frogs) -> Properties {
        Properties::CONSISTENT
    }
}

/// Rows of up to 16 stones.
#[derive(Debug)]
pub struct FrogsAndToads;

admissible_front::entry!(FrogsAndToads);

impl Family for FrogsAndToads {
    const CARD: Card = Card {
        heuristics: &[
            ZERO_CARD,
            HeuristicCard::consistent("half-distance", "half of the stones between the animals and their places"),
        ],
        parameters: &[Parameter::count("frogs", "the number of frogs, and of toads", 1..=7, "a frog", [4, 4])],
        audited: "every row of 4 frogs and 4 toads",
        examples: &[Example::new("three.txt", "three of each", "FFF.TTT\n")],
        ..Card::new(
            "frogs",
            "frogs and toads change sides by hops to the free stone",
            "the stones from left to right, F a frog, T a toad and . free: FFF.TTT",
        )
    };

    fn recognises(text: &str) -> bool {
        text.matches(['F', 'T']).count() * 2 > text.trim().len()
    }
    fn open<V: WithPuzzle>(text: &str, _options: &ReadOptions, visitor: V) -> Result<V::Out, Faults> {
        let mut letters = String::new();
        for line in paragraphs(text).into_iter().flatten() {
            for (column, letter) in line.cells() {
                if !"FT.".contains(letter) || (letter == '.' && letters.contains('.')) || letters.len() == 16 {
                    let message = format!("expected 'F', 'T' or one '.' on up to 16 stones, found {}", shown(letter));
                    return Err(Faults::one(line.number, column, message));
                }
                letters.push(letter);
            }
        }
        let fault = || Faults::one(1, 1, format!("expected 2 to 16 stones, one of them '.', found '{letters}'"));
        Frogs::new(&letters).map(|frogs| visitor.call(frogs)).ok_or_else(fault)
    }
    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, ParameterError> {
        let animals = parameters.count("frogs");
        let mut letters = ["F".repeat(animals), "T".repeat(animals), ".".into()].concat().into_bytes();
        letters.shuffle(random);
        Ok(letters.into_iter().map(char::from).chain(['\n']).collect())
    }
    fn scope(request: &ScopeRequest) -> Result<FamilyScope, ScopeError> {
        if request.name.is_some() {
            return Err(request.unknown(Self::CARD.scopes));
        }
        let animals = request.parameters.count("frogs");
        let frogs = Frogs::new(&["F".repeat(animals), "T".repeat(animals)].join(".")).expect("it is in range");
        let title = format!("every row of {animals} frogs and {animals} toads");
        Ok(Scope::reachable(&title, Held::Owned(frogs)).into())
    }
}

impl Puzzle for Frogs {
    const UNIT: &'static str = "hop";
    fn start(&self) -> Row {
        self.start
    }
    fn state_json(&self, row: &Row) -> Value {
        json!(self.letters(row))
    }
    fn board_json(&self) -> Value {
        json!({ "goal": self.letters(&self.goal) })
    }
    fn beginning_at(&self, state: &Value) -> Result<Self, BadState> {
        let frogs = state.as_str().and_then(Frogs::new).filter(|frogs| frogs.goal == self.goal);
        frogs.ok_or_else(|| BadState::new(&format!("the letters of {} in some order", self.letters(&self.goal)), state))
    }
    fn move_name(&self, before: &Row, from: usize) -> String {
        format!("{} to {}", from + 1, gap(before) + 1)
    }
    fn draw(&self, row: &Row) -> String {
        self.letters(row) + "\n"
    }
    fn advice(&self) -> Advice {
        Advice::astar("half-distance", "half-distance is consistent, and the rows are few")
    }
    fn heuristic(&self, name: &str) -> Option<Erased<'static, Self>> {
        match name {
            "zero" => Some(Erased::new(Box::new(Zero))),
            "half-distance" => Some(Erased::new(Box::new(HalfDistance))),
            _ => None,
        }
    }
    fn number_of(&self, row: &Row) -> [u64; 3] {
        let number = u128::from_be_bytes(*row);
        [0, (number >> 64) as u64, number as u64]
    }
    fn of_number(&self, [zero, high, low]: [u64; 3]) -> Option<Row> {
        let row = (u128::from(high) << 64 | u128::from(low)).to_be_bytes();
        let frogs = Frogs::new(&self.letters(&row)).filter(|frogs| frogs.start == row && frogs.goal == self.goal);
        frogs.filter(|_| zero == 0).map(|frogs| frogs.start)
    }
    fn file(&self, row: &Row) -> Option<String> {
        Some(self.draw(row))
    }
    fn referee(&self) -> Box<dyn Referee> {
        Box::new(PlainRow(self.letters(&self.start).chars().collect()))
    }
}

/// Replays hops on a plain list.
struct PlainRow(Vec<char>);

impl Referee for PlainRow {
    fn replay(&self, actions: &[String]) -> Result<Vec<Value>, Illegal> {
        let mut row = self.0.clone();
        let mut states = vec![json!(String::from_iter(&row))];
        for (action, step) in actions.iter().zip(1..) {
            let stone = |word: &str| word.parse::<usize>().ok()?.checked_sub(1).filter(|&stone| stone < row.len());
            let hop = action.split_once(" to ").and_then(|(from, to)| stone(from).zip(stone(to)));
            let is_legal = |&(from, to): &(usize, usize)| match from.abs_diff(to) {
                1 => row[to] == '.',
                2 => row[to] == '.' && row[from] != row[(from + to) / 2],
                _ => false,
            };
            let illegal = || Illegal { step, reason: format!("'{action}' is no hop to the free stone like 3 to 4") };
            let (from, to) = hop.filter(is_legal).ok_or_else(illegal)?;
            row.swap(from, to);
            states.push(json!(String::from_iter(&row)));
        }
        let row = String::from_iter(row);
        let unchanged = Illegal { step: states.len(), reason: format!("the animals have not changed sides: {row}") };
        if row.trim_start_matches('T').trim_end_matches('F') == "." { Ok(states) } else { Err(unchanged) }
    }
}

#[cfg(test)]
mod tests {
    use admissible::laws::{check_backward, check_incremental, check_space};

    use super::*;

    #[test]
    fn the_laws_hold() {
        for letters in ["FFF.TTT", "FTTF.TFFT", ".T", "F.", "FFFFFFFF.TTTTTTT"] {
            let frogs = Frogs::new(letters).expect("a row");
            check_space(&frogs, &frogs.start);
            check_backward(&frogs, &frogs.start);
            check_incremental(&frogs, &HalfDistance, &frogs.start);
            assert_eq!(frogs.of_number(frogs.number_of(&frogs.start)), Some(frogs.start));
            assert_eq!(frogs.of_number([1, 0, 0]), None);
        }
    }
}
