//! Refused requests, as JSON.

use admissible_front::{AuditError, BadState, OpenError, PlanError};
use serde_json::{Value, json};

/// A refused request: status and reason.
#[derive(Debug)]
pub struct Refusal {
    status: u16,
    body: Value,
}

/// The most faults in an answer: a file of another kind can have thousands.
const MOST_FAULTS: usize = 8;
/// The most characters of a line that is quoted.
const MOST_COLUMNS: usize = 120;

impl Refusal {
    /// The status of HTTP for a body that is no JSON.
    pub const BAD_REQUEST: u16 = 400;
    /// The status of HTTP for a path that leads nowhere.
    pub const NOT_FOUND: u16 = 404;
    /// The status of HTTP for a well-formed request that cannot be carried out.
    pub const UNPROCESSABLE: u16 = 422;
    /// The status of HTTP for an answer that takes too long.
    pub const TIMEOUT: u16 = 504;

    /// A refusal with a status of HTTP.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Refusal { status, body: json!({ "message": without_options(&message.into()) }) }
    }

    /// A well-formed request that cannot be carried out.
    pub(crate) fn unprocessable(message: impl ToString) -> Self {
        Refusal::new(Self::UNPROCESSABLE, message.to_string())
    }

    /// The faults of a file, with the messages of the program.
    pub(crate) fn of_file(name: &str, text: &str, error: &OpenError) -> Self {
        let mut refusal = match error {
            OpenError::Faults { faults, .. } => {
                let places = faults.iter().take(MOST_FAULTS).map(|fault| match fault.line {
                    0 => format!("error: {}", fault.message),
                    _ => format!("error: {name}:{}:{}: {}", fault.line, fault.column, fault.message),
                });
                Refusal::unprocessable(places.collect::<Vec<_>>().join("\n"))
            }
            OpenError::Empty | OpenError::Unrecognised => Refusal::unprocessable(format!("error: {name}:{error}")),
            OpenError::Ambiguous(_) => Refusal::unprocessable(format!("error: {name}: {error}")),
            other => Refusal::unprocessable(format!("error: {other}")),
        };
        if let OpenError::Faults { puzzle, faults } = error {
            let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
            let lines: Vec<&str> = text.split('\n').collect();
            let fault = |fault: &admissible_front::Fault| {
                let line = fault.line.checked_sub(1).and_then(|at| lines.get(at));
                let shown = line.filter(|line| line.chars().count() <= MOST_COLUMNS);
                json!({ "line": fault.line, "column": fault.column, "message": fault.message, "text": shown })
            };
            refusal.body["puzzle"] = json!(puzzle);
            refusal.body["faults"] = faults.iter().take(MOST_FAULTS).map(fault).collect();
            refusal.body["more"] = json!(faults.count().saturating_sub(MOST_FAULTS));
        }
        if let OpenError::Ambiguous(names) = error {
            refusal.body["could_be"] = json!(names);
        }
        refusal
    }

    /// The status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The body of the response, or the data of an `error` event.
    pub fn json(&self) -> Value {
        json!({ "error": self.body })
    }
}

/// A message of the program in words that fit the page, which has fields and no options: `--goal` becomes `goal`.
pub(crate) fn without_options(message: &str) -> String {
    let message = message.replace(": say which with --puzzle", "").replace("at most --weight times", "at most W times");
    let mut plain = String::with_capacity(message.len());
    for (at, word) in message.split(' ').enumerate() {
        if at > 0 {
            plain.push(' ');
        }
        let option = word.strip_prefix("--").filter(|name| name.starts_with(|first: char| first.is_ascii_lowercase()));
        plain += option.unwrap_or(word);
    }
    plain
}

impl From<PlanError> for Refusal {
    fn from(error: PlanError) -> Self {
        let mut refusal = Refusal::unprocessable(format!("error: {error}"));
        if let PlanError::Expression(fault) = &error {
            refusal.body["faults"] = json!([{
                "line": fault.line, "column": fault.column, "length": fault.length, "message": fault.message,
                "text": fault.text.split('\n').nth(fault.line.saturating_sub(1)),
            }]);
            refusal.body["note"] = json!(fault.note);
        }
        refusal
    }
}

impl From<AuditError> for Refusal {
    fn from(error: AuditError) -> Self {
        match error {
            AuditError::Plan(error) => error.into(),
            AuditError::Scope(error) => Refusal::unprocessable(error),
            other => Refusal::unprocessable(other),
        }
    }
}

impl From<BadState> for Refusal {
    fn from(error: BadState) -> Self {
        Refusal::unprocessable(format!("state: {error}"))
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        let status = if error.is_data() { Self::UNPROCESSABLE } else { Self::BAD_REQUEST };
        Refusal::new(status, format!("the body is no such request: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::without_options;

    #[test]
    fn messages_have_no_options() {
        for (message, expected) in [
            ("error: --scope: 9 states", "error: scope: 9 states"),
            ("it could be die or tiles: say which with --puzzle", "it could be die or tiles"),
            ("leave out --tie-break", "leave out tie-break"),
            ("a -- b ---", "a -- b ---"),
            ("weighted A*: at most --weight times the shortest", "weighted A*: at most W times the shortest"),
        ] {
            assert_eq!(without_options(message), expected);
        }
    }
}
