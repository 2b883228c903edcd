//! Who may talk to the server: the page itself, and programs on this machine.
//!
//! A page of somebody else, open in the same browser, could send requests to a port of this machine; and a name of
//! somebody else can be made to lead to this machine, so that the browser takes the two for one site. Both are told by
//! headers that a page cannot forge: `Host` must be an address of ours and not a stranger's name, and `Origin`, where
//! there is one, must be the same as `Host`.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::ApiError;

/// Nothing from elsewhere, nothing inline: scripts and styles are files of ours.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Where the server is reached.
#[derive(Debug, Clone, Copy)]
pub struct Guard(SocketAddr);

impl Guard {
    /// For a server that listens there.
    pub fn new(address: SocketAddr) -> Self {
        Guard(address)
    }

    /// Whether a `Host` header names this server: by its address, as `localhost` or, if it listens on every address of
    /// the machine, by any address in numbers.
    pub fn knows(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            // The colons of `[::1]` are none before a port.
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

    fn refusal(&self, headers: &HeaderMap) -> Option<ApiError> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let Some(host) = text(HOST).filter(|host| self.knows(host)) else {
            let message = "this server answers to its own address only; the Host header names another";
            return Some(ApiError::new(StatusCode::MISDIRECTED_REQUEST, message));
        };
        let foreign = text(ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") != Some(host));
        foreign.then(|| ApiError::new(StatusCode::FORBIDDEN, "requests from other pages are refused"))
    }
}

/// Refuses strangers, and tells browsers what the page may do.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.refusal(request.headers()) {
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
    fn addresses_are_known_and_names_of_others_are_not() {
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
