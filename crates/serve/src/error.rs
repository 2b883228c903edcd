//! Errors of requests, as JSON.

use admissible_front::{AuditError, BadState, OpenError, PlanError};
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A refused request: status and reason.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    body: Value,
}

/// The most faults in an answer: a file of another kind can have thousands.
const MOST_FAULTS: usize = 8;
/// The most characters of a line that is quoted.
const MOST_COLUMNS: usize = 120;

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        ApiError { status, body: json!({ "message": without_options(&message.into()) }) }
    }

    /// A bug of this program.
    pub(crate) fn internal() -> Self {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error, no answer")
    }

    /// A well-formed request that cannot be carried out.
    pub(crate) fn unprocessable(message: impl ToString) -> Self {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message.to_string())
    }

    /// The faults of a file, with the messages of the program.
    pub(crate) fn of_file(name: &str, text: &str, error: &OpenError) -> Self {
        let mut refusal = match error {
            OpenError::Faults { faults, .. } => {
                let places = faults.iter().take(MOST_FAULTS).map(|fault| match fault.line {
                    0 => format!("error: {}", fault.message),
                    _ => format!("error: {name}:{}:{}: {}", fault.line, fault.column, fault.message),
                });
                ApiError::unprocessable(places.collect::<Vec<_>>().join("\n"))
            }
            OpenError::Empty | OpenError::Unrecognised => ApiError::unprocessable(format!("error: {name}:{error}")),
            OpenError::Ambiguous(_) => ApiError::unprocessable(format!("error: {name}: {error}")),
            other => ApiError::unprocessable(format!("error: {other}")),
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

    /// The body of the response, or the data of an `error` event.
    pub(crate) fn json(&self) -> Value {
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

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.json())).into_response()
    }
}

impl From<PlanError> for ApiError {
    fn from(error: PlanError) -> Self {
        let mut refusal = ApiError::unprocessable(format!("error: {error}"));
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

impl From<AuditError> for ApiError {
    fn from(error: AuditError) -> Self {
        match error {
            AuditError::Plan(error) => error.into(),
            AuditError::Scope(error) => ApiError::unprocessable(error),
            other => ApiError::unprocessable(other),
        }
    }
}

impl From<BadState> for ApiError {
    fn from(error: BadState) -> Self {
        ApiError::unprocessable(format!("state: {error}"))
    }
}

/// A JSON body; errors are JSON too.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let Json(body) = Json::from_request(request, state).await?;
        Ok(Body(body))
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> Self {
        ApiError::new(rejection.status(), rejection.body_text())
    }
}

/// The answer to a wrong method.
pub(crate) async fn method_not_allowed() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this path is asked for in another way; see /api/openapi.json")
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
