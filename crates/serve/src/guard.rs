//! Protection against requests from other web pages: only the page itself and programs may use the server.
//!
//! A foreign page in the same browser could send requests to a local port (cross-site request forgery), or resolve its
//! own host name to this machine (DNS rebinding). Headers that a page cannot forge reveal both: `Host` must be an
//! address of this server, and `Origin`, if present, must equal `Host`. A request that names its host twice, by a
//! second header or in its target, is refused.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::ApiError;

/// The content security policy: only files of this server, nothing inline.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Checks requests against the address of the server.
#[derive(Debug, Clone, Copy)]
pub struct Guard(SocketAddr);

impl Guard {
    /// For a server that listens at `address`.
    pub fn new(address: SocketAddr) -> Self {
        Guard(address)
    }

    /// Whether a `Host` header names this server: its address, `localhost`, or any numeric address if it listens on all
    /// of them.
    pub fn knows(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            // A colon within `[::1]` does not separate a port.
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let ours = self.0.ip();
        let named = match name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            Ok(ip) => ip == ours || ours.is_unspecified() || ip.is_loopback() && ours.is_loopback(),
            Err(_) => name.eq_ignore_ascii_case("localhost") && (ours.is_loopback() || ours.is_unspecified()),
        };
        named && port == Some(self.0.port())
    }

    fn refusal(&self, target: &Uri, headers: &HeaderMap) -> Option<ApiError> {
        // A target with a host of its own, or a second header, may name another host than the one that is checked.
        if target.authority().is_some() || headers.get_all(HOST).iter().nth(1).is_some() {
            let message = "expected a path as the target of the request, and one Host header";
            return Some(ApiError::new(StatusCode::BAD_REQUEST, message));
        }
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let Some(host) = text(HOST).filter(|host| self.knows(host)) else {
            let message = "this server answers to its own address only; the Host header names another";
            return Some(ApiError::new(StatusCode::MISDIRECTED_REQUEST, message));
        };
        let foreign = text(ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") != Some(host));
        foreign.then(|| ApiError::new(StatusCode::FORBIDDEN, "requests from other pages are refused"))
    }
}

/// Refuses foreign requests, and adds the security headers to every response.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.refusal(request.uri(), request.headers()) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(CONTENT_SECURITY_POLICY, POLICY);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(X_FRAME_OPTIONS, "DENY");
    set(REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(CACHE_CONTROL, "no-store");
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knows(address: &str, host: &str) -> bool {
        Guard::new(address.parse().expect("an address")).knows(host)
    }

    #[test]
    fn own_addresses_are_known_and_foreign_names_are_not() {
        for host in ["127.0.0.1:7000", "localhost:7000", "LOCALHOST:7000", "[::1]:7000"] {
            assert!(knows("127.0.0.1:7000", host), "{host}");
            assert!(knows("0.0.0.0:7000", host), "{host}");
        }
        for host in
            ["", "127.0.0.1", "127.0.0.1:7001", "evil.example:7000", "localhost.evil.example:7000", "192.168.0.9:7000"]
        {
            assert!(!knows("127.0.0.1:7000", host), "{host}");
        }
        assert!(knows("0.0.0.0:7000", "192.168.0.9:7000"));
        assert!(!knows("0.0.0.0:7000", "evil.example:7000"));
        assert!(knows("192.168.0.9:80", "192.168.0.9"));
        assert!(!knows("192.168.0.9:80", "localhost"));
    }
}
