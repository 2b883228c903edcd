//! The pancake problem: sort a stack by flipping its topmost pancakes.
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]
pub mod heuristics;
mod referee;
mod stack;
#[cfg(test)]
mod tests;

use admissible::{Erased, heuristic::Zero, permutation};
use admissible_front::puzzle::{Advice, BadState, Card, Family, HeuristicCard, ParameterError, Puzzle};
use admissible_front::puzzle::{ReadOptions, Referee, WithPuzzle, ZERO_CARD};
use admissible_front::scope::{FamilyScope, RankedStates, SAMPLE, Scope, ScopeCard, ScopeError, ScopeRequest};
use admissible_front::text::{Faults, Line, paragraphs};
use admissible_front::{Example, Explanation, Page, Parameter, Parameters, Part};
use rand::{Rng, seq::SliceRandom as _};
use serde_json::{Value, json};
use stack::MOST;
pub use stack::Pancakes;

/// Stacks of up to 16 pancakes.
#[derive(Debug)]
pub struct PancakeStacks;
admissible_front::entry!(PancakeStacks);

impl Family for PancakeStacks {
    const CARD: Card = Card {
        heuristics: &[
            ZERO_CARD,
            HeuristicCard::consistent("gap", "neighbours, the plate among them, whose sizes are not consecutive"),
            HeuristicCard::consistent("top-gap", "gap, plus 1 if there are gaps and no flip removes one"),
        ],
        parameters: &[Parameter::count("pancakes", "the number of pancakes", 2..=MOST, "a pancake", [10, 8])],
        audited: "every order of 8 pancakes",
        scopes: &[ScopeCard { name: "pancakes:N", summary: "every order of N pancakes", of_file: false }, SAMPLE],
        examples: &[Example::new("ten.txt", "ten pancakes", include_str!("../instances/ten.txt"))],
        page: Some(Page { module: include_str!("../page.js"), style: include_str!("../page.css") }),
        ..Card::new(
            "pancake",
            "sort a stack of pancakes, the smallest on top, by flipping the topmost ones",
            "the sizes from the top, 1 to N, each once, with blanks between them: 3 1 2 5 4",
        )
    };
    fn recognises(text: &str) -> bool {
        let words: Vec<&str> = text.split_whitespace().collect();
        // Longer numbers are boards of other puzzles, such as 123456780.
        let is_size = |word: &&&str| word.len() <= 3 && word.parse().is_ok_and(|size: u32| size > 0);
        let sizes = words.iter().filter(is_size).count();
        text.trim().lines().count() == 1 && sizes * 2 > words.len() && !words.contains(&"0")
    }
    fn open<V: WithPuzzle>(text: &str, _options: &ReadOptions, visitor: V) -> Result<V::Out, Faults> {
        let lines: Vec<Line<'_>> = paragraphs(text).into_iter().flatten().collect();
        let words = lines.iter().flat_map(|line| line.words().into_iter().map(|word| (line.number, word)));
        let count = words.clone().count();
        let mut sizes = Vec::new();
        for (line, (column, word)) in words.take(MOST + 1) {
            let size = word.parse().ok().filter(|size| (1..=count).contains(size) && !sizes.contains(size));
            let fault = format!("expected each size from 1 to {count} once, found '{word}'");
            sizes.push(size.ok_or_else(|| Faults::one(line, column, fault))?);
        }
        let wrong_count = || Faults::one(1, 1, format!("expected 2 to {MOST} pancakes, found {count}"));
        Pancakes::new(&sizes).map(|stack| visitor.call(stack)).ok_or_else(wrong_count)
    }
    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, ParameterError> {
        let mut sizes: Vec<usize> = (1..=parameters.count("pancakes")).collect();
        sizes.shuffle(random);
        Ok(write(&sizes))
    }
    fn scope(request: &ScopeRequest) -> Result<FamilyScope, ScopeError> {
        let count = match request.parsed()? {
            None => request.parameters.count("pancakes"),
            Some(("pancakes", Some(count @ 2..=MOST))) => count,
            Some(_) => return Err(request.unknown(Self::CARD.scopes)),
        };
        Ok(FamilyScope::of(Pancakes::new(&Vec::from_iter(1..=count)).expect("it is in range")))
    }
}

fn write(sizes: &[usize]) -> String {
    sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n"
}

impl Puzzle for Pancakes {
    const UNIT: &'static str = "flip";
    fn start(&self) -> u64 {
        self.start
    }
    fn state_json(&self, stack: &u64) -> Value {
        json!(self.sizes(*stack))
    }
    fn board_json(&self) -> Value {
        json!({ "pancakes": self.count })
    }
    fn beginning_at(&self, state: &Value) -> Result<Self, BadState> {
        let sizes = serde_json::from_value::<Vec<usize>>(state.clone()).ok();
        let stack = sizes.and_then(|sizes| Pancakes::new(&sizes)).filter(|stack| stack.count == self.count);
        stack.ok_or_else(|| BadState::new(&format!("each size from 1 to {} once", self.count), state))
    }
    fn move_name(&self, _before: &u64, flipped: u8) -> String {
        format!("flip {flipped}")
    }
    fn draw(&self, stack: &u64) -> String {
        let bar = |size: usize| format!("{}{} {size}\n", " ".repeat(self.count - size), "██".repeat(size));
        self.sizes(*stack).into_iter().map(bar).collect()
    }
    fn advice(&self) -> Advice {
        Advice::astar("top-gap", "top-gap is consistent and the strongest heuristic, and leaves few stacks to expand")
    }
    fn heuristic(&self, name: &str) -> Option<Erased<'static, Self>> {
        Some(match name {
            "zero" => Erased::new(Box::new(Zero)),
            "gap" => Erased::compiled(Box::new(heuristics::Gap::<false>)),
            "top-gap" => Erased::compiled(Box::new(heuristics::Gap::<true>)),
            _ => return None,
        })
    }
    fn explain(&self, heuristic: &str, stack: &u64) -> Option<Explanation> {
        let gaps = (1..=self.count).filter(|&place| self.is_gap(*stack, place - 1, place));
        let mut parts = Vec::from_iter(gaps.map(|place| format!("the gap below {}", self.sizes(*stack)[place - 1])));
        let is_stuck = heuristic == "top-gap" && !parts.is_empty() && !self.can_remove_gap(*stack);
        parts.extend(is_stuck.then(|| "no flip removes a gap".into()));
        Some(Explanation::new("1 for each gap", parts.into_iter().map(|what| Part::new(what, 1))))
    }
    fn ranked(&self) -> Option<Scope<'_>> {
        Some(Scope::ranked(RankedStates {
            name: "orders",
            title: format!("every order of {} pancakes", self.count),
            atlas: format!("pancake-{}", self.count),
            states: permutation::count_of(self.count) as u128,
            puzzle: self,
            make: |space: &Pancakes| permutation::Permutations {
                count: space.count,
                item: |stack: &u64, place| stack::pancake(*stack, place),
                make: |items: &[usize]| items.iter().rev().fold(0, |stack, &item| stack << 4 | item as u64),
            },
        }))
    }
    fn number_of(&self, stack: &u64) -> [u64; 3] {
        [0, 0, *stack]
    }
    fn of_number(&self, number: [u64; 3]) -> Option<u64> {
        Pancakes::new(&self.sizes(number[2])).map(|stack| stack.start).filter(|&stack| [0, 0, stack] == number)
    }
    fn file(&self, stack: &u64) -> Option<String> {
        Some(write(&self.sizes(*stack)))
    }
    fn referee(&self) -> Box<dyn Referee> {
        Box::new(referee::PlainStack(self.sizes(self.start)))
    }
}
