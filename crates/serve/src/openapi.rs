//! The description of the API.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

/// Written by hand; a test compares its paths with those that are served.
const DESCRIPTION: &str = include_str!("openapi.json");

/// The OpenAPI description.
pub(crate) async fn description() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], DESCRIPTION)
}
