//! The list of puzzles, and boards sent by a client.

use admissible_front::{ALGORITHMS, Card, Classic, Parameter, ReadOptions, Task, Truth, classics};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::refusal::{Refusal, without_options};
use crate::{MOST_BODY, Prepared, Settings, read};

/// A board in a request.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Board {
    /// The text of its file.
    pub(crate) text: String,
    /// Its name in messages.
    #[serde(default = "unnamed")]
    pub(crate) name: String,
    /// The puzzle; recognised if `None`.
    pub(crate) puzzle: Option<String>,
    /// The goal, for puzzles with several.
    pub(crate) goal: Option<String>,
    /// The start; that of the file if `None`.
    pub(crate) state: Option<Value>,
}

fn unnamed() -> String {
    "board".into()
}

impl Board {
    /// Reads it.
    pub(crate) fn open(&self, settings: &Settings) -> Result<Task, Refusal> {
        let options = ReadOptions {
            goal: self.goal.clone(),
            table_cache: settings.table_cache.clone(),
            ..ReadOptions::default()
        };
        let task = settings
            .puzzles
            .open(&self.text, self.puzzle.as_deref(), &options)
            .map_err(|error| Refusal::of_file(&self.name, &self.text, &error))?;
        match &self.state {
            None => Ok(task),
            Some(state) => Ok(task.beginning_at(state)?),
        }
    }
}

/// The puzzles, algorithms and limits of searches.
pub(crate) fn puzzles(settings: &Settings) -> Prepared {
    Prepared::Answer(json!({
        "puzzles": settings.puzzles.cards().map(card).collect::<Value>(),
        "algorithms": ALGORITHMS
            .iter()
            .map(|card| json!({ "name": card.name, "summary": without_options(card.summary), "guided": card.guided }))
            .collect::<Value>(),
        "limits": {
            "jobs": settings.jobs, "seconds": settings.time.as_secs_f64(), "bytes": settings.memory, "body": MOST_BODY,
        },
        "version": env!("CARGO_PKG_VERSION"),
    }))
}

fn classic(classic: &Classic) -> Value {
    json!({
        "name": classic.name,
        "chinese": classic.chinese,
        "english": classic.english,
        "steps": classic.steps,
        "moves": classic.moves,
        "text": classic.text,
    })
}

fn card(card: &'static Card) -> Value {
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
        "classics": classics(card).iter().map(classic).collect::<Value>(),
    })
}

/// Reads a board: its puzzle, its constant part, its state and the moves from there. Faults of the text are an answer
/// with `error`, since the page asks whether a text is a board.
pub(crate) fn open_board(settings: &Settings, body: &[u8]) -> Result<Prepared, Refusal> {
    let opened = read::<Board>(body)?.open(settings).map_or_else(|refusal| refusal.json(), |task| opened(&task));
    Ok(Prepared::Answer(opened))
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
        // Drawing a large board takes long, so it is drawn only for pages without a module.
        "drawing": card.page.is_none().then(|| task.drawing()),
        "solved": position.solved,
        "moves": moves.collect::<Value>(),
        "lacks": lacks.collect::<serde_json::Map<String, Value>>(),
    })
}
