//! Who is let in: only pages that this server itself has sent, to a browser on this machine.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Uri};

/// Names under which a loopback server may be called; others are the work of a rebinding attack.
fn is_own_host(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.ends_with(']') => (name, digits.parse().ok()),
        _ => (host, Some(80)),
    };
    ["127.0.0.1", "localhost", "[::1]"].contains(&name) && given == Some(port)
}

/// True if the request was made to this machine under its own name.
pub fn host_is_ours(uri: &Uri, headers: &HeaderMap, port: u16) -> bool {
    let named = headers.get_all(HOST).iter().map(|value| value.to_str().unwrap_or_default());
    // what an absolute address names counts as well
    let mut all = named.chain(uri.authority().map(|authority| authority.as_str())).peekable();
    all.peek().is_some() && all.all(|host| is_own_host(host, port))
}

/// True if the request comes from one of our own pages. `required` for sockets and uploads, where
/// every browser sends an origin.
pub fn origin_is_ours(headers: &HeaderMap, port: u16, required: bool) -> bool {
    let is_ours = |value: &HeaderValue| {
        let host = value.to_str().ok().and_then(|text| text.strip_prefix("http://"));
        host.is_some_and(|host| is_own_host(host, port))
    };
    let given = headers.get_all(ORIGIN);
    (!required || headers.contains_key(ORIGIN)) && given.iter().all(is_ours)
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
        headers.insert(ORIGIN, "http://127.0.0.1:7200".parse().expect("a header"));
        headers.append(ORIGIN, "http://evil.example".parse().expect("a header"));
        assert!(!origin_is_ours(&headers, 7200, true), "all that are given count");
    }

    #[test]
    fn every_host_that_a_request_names_must_be_ours() {
        let (ours, evil) = ("127.0.0.1:7200", "evil.example:7200");
        let cases: [(&str, &[&str], bool); 7] = [
            ("/x", &[ours], true),
            ("/x", &[], false),
            ("/x", &[evil], false),
            ("/x", &[ours, evil], false),
            ("http://127.0.0.1:7200/x", &[ours], true),
            ("http://evil.example:7200/x", &[ours], false),
            ("http://127.0.0.1:7200/x", &[evil], false),
        ];
        for (uri, hosts, good) in cases {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(HOST, host.parse().expect("a header"));
            }
            let uri: Uri = uri.parse().expect("an address");
            assert_eq!(host_is_ours(&uri, &headers, 7200), good, "{uri} {hosts:?}");
        }
    }
}
