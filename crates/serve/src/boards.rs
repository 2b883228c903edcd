//! What there is to play, and boards that somebody sends.

use admissible_front::{ALGORITHMS, Card, Parameter, ReadOptions, Task, Truth};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::assets::module_path;
use crate::error::{ApiError, Body};
use crate::{MOST_BODY, Shared};

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
        let options = ReadOptions {
            goal: self.goal.clone(),
            table_cache: shared.settings.table_cache.clone(),
            ..ReadOptions::default()
        };
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
    let examples = card.examples.iter().map(|example| json!({ "name": example.title, "text": example.text }));
    json!({
        "name": card.name,
        "summary": card.summary,
        "format": card.format,
        "heuristics": card.heuristics.iter().map(heuristic).collect::<Value>(),
        "parameters": card.parameters.iter().map(Parameter::json).collect::<Value>(),
        "scopes": scopes.collect::<Value>(),
        "examples": examples.collect::<Value>(),
        "module": module_path(card),
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
        // A large board takes longer to draw than to read, so no drawing is made that the page does not need.
        "drawing": card.page.is_none().then(|| task.drawing()),
        "solved": position.solved,
        "moves": moves.collect::<Value>(),
        "lacks": lacks.collect::<serde_json::Map<String, Value>>(),
    })
}
