//! Refused requests as responses.

use admissible_api::Refusal;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// A refused request: status and reason.
#[derive(Debug)]
pub(crate) struct ApiError(Refusal);

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        ApiError(Refusal::new(status.as_u16(), message))
    }

    /// A bug of this program.
    pub(crate) fn internal() -> Self {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error, no answer")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status()).expect("refusals have statuses of HTTP");
        (status, Json(self.0.json())).into_response()
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        ApiError(refusal)
    }
}

/// The answer to a wrong method.
pub(crate) async fn method_not_allowed() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this path is asked for in another way; see /api/openapi.json")
}
