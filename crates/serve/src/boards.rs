//! What there is to play, and boards that somebody sends.

use admissible_front::{ALGORITHMS, Card, Parameter, ReadOptions, Task, Truth};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{ApiError, Body};
use crate::{MOST_BODY, Shared};

/// Boards to begin with, the first of a puzzle first of all: puzzle, name, text.
static EXAMPLES: &[(&str, &str, &str)] = &[
    ("die", "course puzzle 4", include_str!("../../../instances/die/course_puzzle4.txt")),
    ("die", "course puzzle 1", include_str!("../../../instances/die/course_puzzle1.txt")),
    ("die", "course puzzle 2", include_str!("../../../instances/die/course_puzzle2.txt")),
    ("die", "course puzzle 3, unsolvable", include_str!("../../../instances/die/course_puzzle3.txt")),
    ("die", "course puzzle 5", include_str!("../../../instances/die/course_puzzle5.txt")),
    ("die", "random 12 x 16", include_str!("../../../instances/die/random_12x16.txt")),
    ("die", "random 30 x 40", include_str!("../../../instances/die/random_30x40.txt")),
    ("tiles", "random 8-puzzle", include_str!("../../../instances/tiles/random_3x3.txt")),
    ("tiles", "hardest 8-puzzle", include_str!("../../../instances/tiles/hardest_3x3.txt")),
    ("tiles", "own goal", include_str!("../../../instances/tiles/own_goal_3x3.txt")),
    ("tiles", "3 x 4", include_str!("../../../instances/tiles/random_3x4.txt")),
    ("tiles", "15-puzzle", include_str!("../../../instances/tiles/scrambled_4x4.txt")),
    ("tiles", "14-15, unsolvable", include_str!("../../../instances/tiles/fourteen_fifteen.txt")),
    ("tiles", "24-puzzle", include_str!("../../../instances/tiles/scrambled_5x5.txt")),
    ("klotski", "classic", include_str!("../../../instances/klotski/classic.txt")),
    ("klotski", "random, 2 empties", include_str!("../../../instances/klotski/random_31.txt")),
    ("klotski", "start and goal", include_str!("../../../instances/klotski/start_and_goal.txt")),
    ("klotski", "tall", include_str!("../../../instances/klotski/tall_7x4.txt")),
    ("chexers", "random red", include_str!("../../../instances/chexers/random_red.json")),
    ("chexers", "random green", include_str!("../../../instances/chexers/random_green.json")),
    ("chexers", "random blue", include_str!("../../../instances/chexers/random_blue.json")),
    ("chexers", "eight pieces", include_str!("../../../instances/chexers/eight_pieces.json")),
    ("chexers", "no way out", include_str!("../../../instances/chexers/no_way_out.json")),
];

/// A board as somebody sends it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Board {
    /// What a file has in it.
    pub(crate) text: String,
    /// What it is called in messages.
    #[serde(default = "unnamed")]
    pub(crate) name: String,
    /// The kind of puzzle; recognised if there is none.
    pub(crate) puzzle: Option<String>,
    /// The goal, for puzzles that have a choice.
    pub(crate) goal: Option<String>,
    /// The state to begin with; that of the file if there is none.
    pub(crate) state: Option<Value>,
}

fn unnamed() -> String {
    "board".into()
}

impl Board {
    /// Reads it. Takes a moment for large boards.
    pub(crate) fn open(&self, shared: &Shared) -> Result<Task, ApiError> {
        let options =
            ReadOptions { goal: self.goal.clone(), shelf: shared.settings.shelf.clone(), ..ReadOptions::default() };
        let task = shared
            .settings
            .puzzles
            .open(&self.text, self.puzzle.as_deref(), &options)
            .map_err(|error| ApiError::of_file(&self.name, &self.text, &error))?;
        match &self.state {
            None => Ok(task),
            Some(state) => Ok(task.beginning_at(state)?),
        }
    }
}

/// Everything that there is to choose from.
pub(crate) async fn puzzles(State(shared): State<Shared>) -> Json<Value> {
    let settings = &shared.settings;
    Json(json!({
        "puzzles": settings.puzzles.cards().map(card).collect::<Value>(),
        "algorithms": ALGORITHMS
            .iter()
            .map(|card| json!({ "name": card.name, "summary": card.summary, "guided": card.guided }))
            .collect::<Value>(),
        "limits": {
            "jobs": settings.jobs, "seconds": settings.time.as_secs_f64(), "bytes": settings.memory, "body": MOST_BODY,
        },
        "version": env!("CARGO_PKG_VERSION"),
    }))
}

fn card(card: &Card) -> Value {
    let truth = |truth: Truth| match truth {
        Truth::Yes => json!({ "holds": "yes" }),
        Truth::No(why) => json!({ "holds": "no", "why": why }),
        Truth::Sometimes(why) => json!({ "holds": "sometimes", "why": why }),
    };
    let heuristic = |card: &admissible_front::HeuristicCard| {
        json!({
            "name": card.name,
            "summary": card.summary,
            "claim": card.claim,
            "admissible": truth(card.admissible),
            "consistent": truth(card.consistent),
        })
    };
    let scopes = card
        .scopes
        .iter()
        .map(|scope| json!({ "name": scope.name, "summary": scope.summary, "of_file": scope.of_file }));
    let examples = EXAMPLES.iter().filter(|(puzzle, ..)| *puzzle == card.name);
    json!({
        "name": card.name,
        "summary": card.summary,
        "format": card.format,
        "heuristics": card.heuristics.iter().map(heuristic).collect::<Value>(),
        "parameters": card.parameters.iter().map(Parameter::json).collect::<Value>(),
        "scopes": scopes.collect::<Value>(),
        "examples": examples.map(|(_, name, text)| json!({ "name": name, "text": text })).collect::<Value>(),
    })
}

/// Reads a board: what it is, what stays the same in it, the state, and where one can go from there. Whether a text is a
/// board is a question like any other, so what is wrong with one is an answer and not a refusal.
pub(crate) async fn open_board(
    State(shared): State<Shared>,
    Body(board): Body<Board>,
) -> Result<Json<Value>, ApiError> {
    let read = tokio::task::spawn_blocking(move || match board.open(&shared) {
        Ok(task) => opened(&task),
        Err(error) => error.json(),
    });
    read.await.map(Json).map_err(|_| ApiError::internal())
}

fn opened(task: &Task) -> Value {
    let position = task.position();
    let card = task.card();
    let moves = position.moves.into_iter().map(|(action, state)| json!({ "action": action, "state": state }));
    let lacks = card.heuristics.iter().filter_map(|card| Some((card.name.to_string(), json!(task.lacks(card.name)?))));
    json!({
        "puzzle": card.name,
        "board": task.board(),
        "state": position.state,
        "solved": position.solved,
        "moves": moves.collect::<Value>(),
        "lacks": lacks.collect::<serde_json::Map<String, Value>>(),
    })
}
