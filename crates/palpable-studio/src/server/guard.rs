//! Who is let in: only pages that this server itself has sent, to a browser on this machine.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// Names under which a loopback server may be called; others are the work of a rebinding attack.
fn is_own_host(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.ends_with(']') => (name, digits.parse().ok()),
        _ => (host, Some(80)),
    };
    ["127.0.0.1", "localhost", "[::1]"].contains(&name) && given == Some(port)
}

/// True if the request was made to this machine under its own name.
pub fn host_is_ours(headers: &HeaderMap, port: u16) -> bool {
    let host = headers.get(HOST).and_then(|v| v.to_str().ok());
    host.is_some_and(|host| is_own_host(host, port))
}

/// True if the request comes from one of our own pages. `required` for sockets and uploads, where
/// every browser sends an origin.
pub fn origin_is_ours(headers: &HeaderMap, port: u16, required: bool) -> bool {
    match headers.get(ORIGIN) {
        None => !required,
        Some(value) => {
            let host = value.to_str().ok().and_then(|text| text.strip_prefix("http://"));
            host.is_some_and(|host| is_own_host(host, port))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_with_the_right_port_are_ours() {
        for host in ["127.0.0.1:7200", "localhost:7200", "[::1]:7200"] {
            assert!(is_own_host(host, 7200), "{host}");
        }
        let others = [
            "127.0.0.1",
            "127.0.0.1:7201",
            "evil.example:7200",
            "localhost.evil:7200",
            "",
            ":7200",
        ];
        for host in others {
            assert!(!is_own_host(host, 7200), "{host}");
        }
        let mut headers = HeaderMap::new();
        assert!(origin_is_ours(&headers, 7200, false) && !origin_is_ours(&headers, 7200, true));
        for (origin, good) in [
            ("http://127.0.0.1:7200", true),
            ("https://127.0.0.1:7200", false),
            ("http://evil.example:7200", false),
            ("null", false),
        ] {
            headers.insert(ORIGIN, origin.parse().expect("a header"));
            assert_eq!(origin_is_ours(&headers, 7200, true), good, "{origin}");
        }
    }
}
