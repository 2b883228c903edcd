//! Single-player Chexers: take every piece off a hexagonal board through the exits of its colour. Pieces move to
//! neighbours and jump over pieces and blocks.
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]

mod board;
mod draw;
mod explain;
mod features;
mod generate;
pub mod heuristics;
mod hex;
mod ranking;
mod read;
mod referee;
mod scope;
mod solution;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use admissible::Erased;
use admissible::heuristic::Zero;
use rand::Rng;
use serde_json::{Value, json};

pub use board::{Action, Actions, Chexers};
pub use hex::{Colour, Hex, Hexes};

use admissible_front::puzzle::{
    Advice, BadState, BranchingBound, Card, Claim, CourseRun, Family, Feature, HeuristicCard, ParameterError, Puzzle,
    ReadOptions, Referee, WithPuzzle, ZERO_CARD,
};
use admissible_front::scope::{
    FamilyScope, REACHABLE, RankedStates, SAMPLE, Scope, ScopeCard, ScopeError, ScopeRequest,
};
use admissible_front::text::{Faults, move_order};
use admissible_front::{Example, Explanation, Page, Parameter, ParameterKind, Parameters, Purpose, Setting};
use board::ActionKind;
use explain::rules;
use heuristics::{Exits, PartneredJumps, RelaxedJumps};
use ranking::Placements;
use read::Layout;
use referee::{BoardReferee, Occupant};

/// Boards of single-player Chexers, with as many pieces and blocks as fit.
#[derive(Debug)]
pub struct ChexersBoards;

admissible_front::entry!(ChexersBoards);

const EXAMPLES: &[Example] = &[
    Example::new("random_red.json", "random red", include_str!("../instances/random_red.json")),
    Example::new("random_green.json", "random green", include_str!("../instances/random_green.json")),
    Example::new("random_blue.json", "random blue", include_str!("../instances/random_blue.json")),
    Example::new("eight_pieces.json", "eight pieces", include_str!("../instances/eight_pieces.json")),
    Example::new("no_way_out.json", "no way out", include_str!("../instances/no_way_out.json")),
];

/// The parameters of random boards and of explorations.
const PARAMETERS: &[Parameter] = &[
    Parameter::count("pieces", "the number of pieces", 1..=HEXES, "a piece", [4, 4]),
    Parameter {
        name: "blocks",
        summary: "the number of blocks",
        kind: ParameterKind::Count { range: 0..=HEXES - 1, unit: "a block" },
        default: Some(Setting::Count(6)),
        explored: None,
    },
    Parameter {
        name: "clustering",
        summary: "the percentage of blocks next to another block",
        kind: ParameterKind::Count { range: 0..=100, unit: "a percent" },
        default: None,
        explored: None,
    },
    Parameter {
        name: "distance",
        summary: "the sum of relaxed-jumps at the start",
        kind: ParameterKind::Count { range: 1..=MOST_ACTIONS, unit: "an action" },
        default: None,
        explored: None,
    },
    Parameter {
        name: "colour",
        summary: "the colour",
        kind: ParameterKind::Word(&Colour::NAMES),
        default: Some(RED),
        explored: Some(RED),
    },
];

/// No sum of shortest paths is longer.
const MOST_ACTIONS: usize = HEXES * HEXES;
const HEXES: usize = Hexes::BOARD.len() as usize;
const RED: Setting = Setting::Word(Cow::Borrowed(Colour::NAMES[Colour::Red as usize]));

impl Family for ChexersBoards {
    const CARD: Card = Card {
        examples: EXAMPLES,
        page: Some(Page { module: include_str!("../page.js"), style: include_str!("../page.css") }),
        fixed_goal: "the goal of Chexers is always the empty board",
        moves: &ActionKind::NAMES,
        heuristics: &[
            ZERO_CARD,
            HeuristicCard {
                rules: rules::RELAXED_JUMPS,
                claim: "admissible",
                ..HeuristicCard::consistent(
                    "relaxed-jumps",
                    "the fewest actions of each piece alone, if it could always jump; summed over the pieces",
                )
            },
            HeuristicCard {
                rules: rules::PARTNERED_JUMPS,
                claim: "(ours) admissible, consistent",
                ..HeuristicCard::consistent(
                    "partnered-jumps",
                    "relaxed-jumps, plus the longest detour that a piece needs to jump over another one",
                )
            },
        ],
        features: features::CARDS,
        parameters: PARAMETERS,
        audited: "every placement of up to three pieces",
        scopes: &[
            ScopeCard {
                name: "pieces:N",
                summary: "every placement of up to N pieces of each colour, without blocks and with random ones",
                of_file: false,
            },
            ScopeCard {
                name: "random:N",
                summary: "every placement of up to 3 pieces on N boards with random blocks",
                of_file: false,
            },
            ScopeCard { name: "placements", summary: "every placement of as many pieces, or fewer", of_file: true },
            REACHABLE,
            SAMPLE,
        ],
        ..Card::new(
            "chexers",
            "take every piece off a hexagonal board: move, jump over pieces and blocks, exit on their own side",
            "a JSON object: \"colour\" (red, green or blue), \"pieces\" and \"blocks\" (lists of hexes [q, r])",
        )
    };

    fn recognises(text: &str) -> bool {
        text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[', '"'])
    }

    fn open<V: WithPuzzle>(text: &str, options: &ReadOptions, visitor: V) -> Result<V::Out, Faults> {
        let Layout { colour, pieces, blocks } = Layout::read(text)?;
        let places = move_order(options.move_order.as_deref(), &ActionKind::NAMES)?;
        let order = [0, 1, 2].map(|at| ActionKind::ALL[places[at]]);
        Ok(visitor.call(Chexers::new(colour, pieces, blocks, order)))
    }

    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, ParameterError> {
        Ok(generate::layout(parameters, random)?.write())
    }

    /// An audit takes boards of each colour with and without blocks; an exploration takes one board without blocks.
    fn scope(request: &ScopeRequest) -> Result<FamilyScope, ScopeError> {
        let random = &mut request.random();
        let pieces = match (request.purpose, request.parsed()?) {
            (Purpose::Audit, Some(("random", Some(boards)))) => {
                return Ok(scope::random_boards(boards, random)?.into());
            }
            (Purpose::Audit, None) => 3,
            (_, None) => request.parameters.count("pieces"),
            (_, Some(("pieces", Some(pieces)))) => pieces,
            (Purpose::Audit, Some(_)) => return Err(request.unknown(Self::CARD.scopes)),
            (_, Some(_)) => {
                let name = request.name.as_deref().unwrap_or_default();
                return Err(ScopeError(format!("unknown scope '{name}', expected pieces:N")));
            }
        };
        if !(1..=HEXES).contains(&pieces) {
            return Err(ScopeError(format!("the number of pieces lies between 1 and {HEXES}")));
        }
        if request.purpose == Purpose::Audit {
            return Ok(scope::placements(pieces, random).into());
        }
        if request.parameters.get("blocks").is_some() {
            return Err(ScopeError("a board with blocks is explored by its file".into()));
        }
        let colour = Colour::named(request.parameters.word("colour")).expect("a word of the card");
        let pieces = Hexes::BOARD.take(pieces).collect();
        Ok(FamilyScope::of(Chexers::new(colour, pieces, Hexes::NONE, ActionKind::ALL)))
    }
}

/// The most pieces of an atlas that may answer for a board of fewer pieces.
const MOST_PIECES_OF_ATLAS: usize = 8;

impl Chexers {
    /// Every placement of at most this number of pieces.
    fn placements(&self, most: usize) -> Scope<'_> {
        let plural = if most == 1 { "piece" } else { "pieces" };
        let blocks = if self.blocks.is_empty() { "on the board without blocks" } else { "between the blocks" };
        Scope::ranked(RankedStates {
            name: "placements",
            title: format!("every placement of up to {most} {plural} {blocks}"),
            atlas: self.atlas_name(most),
            states: scope::subsets(Hexes::BOARD.without(self.blocks).len().into(), most).into(),
            puzzle: self,
            make: move |board: &Chexers| Placements::new(board, most),
        })
    }
}

impl Puzzle for Chexers {
    fn start(&self) -> Hexes {
        self.pieces
    }

    /// The empty board is the goal.
    fn solvable(&self, pieces: &Hexes) -> Option<bool> {
        pieces.is_empty().then_some(true)
    }

    /// The bound of the course report: six actions a piece.
    fn branching_bound(&self) -> Option<BranchingBound> {
        Some(BranchingBound { formula: "6p (p pieces)", value: 6 * self.pieces.len() })
    }

    fn state_json(&self, pieces: &Hexes) -> Value {
        pieces.map(|hex| json!(hex.coordinates())).collect()
    }

    fn board_json(&self) -> Value {
        let list = |hexes: Hexes| hexes.map(|hex| json!(hex.coordinates())).collect::<Value>();
        json!({ "colour": self.colour.name(), "blocks": list(self.blocks), "exits": list(self.exits) })
    }

    fn beginning_at(&self, state: &Value) -> Result<Self, BadState> {
        let bad = || BadState::new("hexes [q, r] of the board, each once and none with a block", state);
        let number = |value: &Value| value.as_i64().and_then(|number| i8::try_from(number).ok());
        let hex = |value: &Value| {
            let [q, r] = <&[Value; 2]>::try_from(value.as_array()?.as_slice()).ok()?;
            Hex::new(number(q)?, number(r)?)
        };
        let places = state.as_array().ok_or_else(bad)?;
        let pieces = places.iter().map(hex).collect::<Option<Hexes>>().ok_or_else(bad)?;
        if pieces.len() as usize != places.len() || !pieces.intersection(self.blocks).is_empty() {
            return Err(bad());
        }
        Ok(self.beginning_with(pieces))
    }

    fn move_name(&self, _before: &Hexes, action: Action) -> String {
        action.to_string()
    }

    fn draw(&self, pieces: &Hexes) -> String {
        draw::board(self, *pieces)
    }

    fn advice(&self) -> Advice {
        Advice::astar(
            "partnered-jumps",
            "partnered-jumps is consistent, and the many orders of the same actions lead to few different states",
        )
    }

    fn heuristic(&self, name: &str) -> Option<Erased<'static, Self>> {
        Some(match name {
            "zero" => Erased::new(Box::new(Zero)),
            "relaxed-jumps" => Erased::compiled_packed(Box::new(RelaxedJumps::new(self))),
            "partnered-jumps" => Erased::compiled_packed(Box::new(PartneredJumps::new(self))),
            _ => return None,
        })
    }

    fn heuristic_from_start(&self, name: &str) -> Erased<'static, Self> {
        match name {
            "relaxed-jumps" | "partnered-jumps" => Erased::new(Box::new(Exits)),
            _ => Erased::new(Box::new(Zero)),
        }
    }

    fn explain(&self, heuristic: &str, pieces: &Hexes) -> Option<Explanation> {
        explain::explain(self, heuristic, *pieces)
    }

    fn feature(&self, name: &str) -> Option<Feature<Self>> {
        features::named(name)
    }

    fn ranked(&self) -> Option<Scope<'_>> {
        Some(self.placements(self.pieces.len() as usize))
    }

    /// An atlas with more pieces also holds the placements of fewer.
    fn atlases(&self) -> Vec<String> {
        let pieces = self.pieces.len() as usize;
        (pieces..=pieces.max(MOST_PIECES_OF_ATLAS)).map(|most| self.atlas_name(most)).collect()
    }

    fn atlas(&self, name: &str) -> Option<Scope<'_>> {
        Some(self.placements(name.rsplit_once('-')?.1.parse().ok()?))
    }

    fn number_of(&self, pieces: &Hexes) -> [u64; 3] {
        [0, 0, pieces.0]
    }

    fn of_number(&self, number: [u64; 3]) -> Option<Hexes> {
        let [0, 0, bits] = number else { return None };
        let pieces = Hexes(bits);
        let is_placed = pieces.without(Hexes::BOARD).is_empty() && pieces.intersection(self.blocks).is_empty();
        (is_placed && pieces.len() <= self.pieces.len()).then_some(pieces)
    }

    fn file(&self, pieces: &Hexes) -> Option<String> {
        let layout = Layout { colour: self.colour, pieces: *pieces, blocks: self.blocks };
        (pieces.len() == self.pieces.len()).then(|| layout.write())
    }

    fn course(&self, run: &CourseRun<'_, Self>) -> String {
        solution::write(run.outcome)
    }

    fn read_solution(&self, text: &str) -> Result<Claim, Faults> {
        solution::read(text)
    }

    fn referee(&self) -> Box<dyn Referee> {
        let occupants = |hexes: Hexes, occupant: Occupant| {
            hexes.map(move |hex| {
                let (q, r) = hex.coordinates();
                ((q.into(), r.into()), occupant)
            })
        };
        let board = occupants(self.pieces, Occupant::Piece).chain(occupants(self.blocks, Occupant::Block)).collect();
        Box::new(BoardReferee { colour: self.colour.name(), board })
    }
}
