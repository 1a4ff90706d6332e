//! Refuses requests that a browser sends for another site.
//!
//! Any page that a person looks at can send requests to loopback. A browser names the site by `Sec-Fetch-Site` and
//! `Origin`, and by `Host` where the page's own name was made to resolve to loopback.

use std::net::{IpAddr, Ipv6Addr};

use hyper::header::{CONTENT_TYPE, HOST, HeaderName, ORIGIN};
use hyper::http::uri::Authority;
use hyper::{HeaderMap, StatusCode};

use super::Failed;

/// Refuses a request that a browser sends for another site.
pub(super) fn check(headers: &HeaderMap) -> Result<(), Failed> {
    let forbid = |message: String| Err(Failed::new(StatusCode::FORBIDDEN, "Forbidden", message));
    let host = text(headers, HOST);
    if let Some(host) = host
        && !is_ours(host)
    {
        return forbid(format!("`{host}` is no name of this simulator: call it by its address, or by localhost"));
    }
    let site = text(headers, HeaderName::from_static("sec-fetch-site"));
    if let Some(site) = site.filter(|site| !["same-origin", "none"].contains(site)) {
        return forbid(format!("a page of another site has sent this (`Sec-Fetch-Site: {site}`)"));
    }
    if let Some(origin) = text(headers, ORIGIN) {
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let same = authority.zip(host).is_some_and(|(authority, host)| authority.eq_ignore_ascii_case(host));
        if !same {
            return forbid(format!("a page of another site has sent this (`Origin: {origin}`)"));
        }
    }
    Ok(())
}

/// Refuses a body that does not say that it is JSON: a form of another site cannot say so.
pub(super) fn json(headers: &HeaderMap) -> Result<(), Failed> {
    let kind = text(headers, CONTENT_TYPE).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Failed::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "UnsupportedMediaType",
        format!("a body must have the header `content-type: application/json`, not `{kind}`"),
    ))
}

/// Whether a host is an address or a name of loopback. No address is ever a foreign page's name for this host.
fn is_ours(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host().to_ascii_lowercase();
    let six = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    name.parse::<IpAddr>().is_ok() || six.is_some_and(|six| six.parse::<Ipv6Addr>().is_ok()) || name == "localhost"
}

/// A header's text. A header that is not text matches no name.
fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn status(given: &[(&'static str, &str)]) -> u16 {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.insert(*name, HeaderValue::from_str(value).unwrap());
        }
        check(&headers).map_or_else(|failed| failed.status.as_u16(), |()| 200)
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let host = ("host", "127.0.0.1:8751");
        for (headers, expected) in [
            (&[][..], 200),
            (&[host], 200),
            (&[("host", "localhost:8751")], 200),
            (&[("host", "LOCALHOST")], 200),
            (&[("host", "a.localhost:1")], 403),
            (&[("host", "[::1]:8751")], 200),
            (&[("host", "10.1.2.3:8751")], 200),
            (&[("host", "evil.example:8751")], 403),
            (&[("host", "127.0.0.1.evil.example")], 403),
            (&[("host", "localhost.evil.example")], 403),
            (&[("host", "")], 403),
            (&[("host", "a b")], 403),
            (&[host, ("sec-fetch-site", "none")], 200),
            (&[host, ("sec-fetch-site", "same-origin")], 200),
            (&[host, ("sec-fetch-site", "same-site")], 403),
            (&[host, ("sec-fetch-site", "cross-site")], 403),
            (&[host, ("origin", "http://127.0.0.1:8751")], 200),
            (&[host, ("origin", "https://127.0.0.1:8751")], 200),
            (&[host, ("origin", "http://127.0.0.1:9999")], 403),
            (&[host, ("origin", "http://evil.example")], 403),
            (&[host, ("origin", "null")], 403),
            (&[("origin", "http://127.0.0.1:8751")], 403),
        ] {
            assert_eq!(status(headers), expected, "{headers:?}");
        }
    }

    #[test]
    fn a_body_says_that_it_is_json() {
        for (kind, taken) in [
            ("application/json", true),
            ("Application/JSON; charset=utf-8", true),
            ("text/plain", false),
            ("application/x-www-form-urlencoded", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
            assert_eq!(json(&headers).is_ok(), taken, "{kind}");
        }
        assert!(json(&HeaderMap::new()).is_err());
    }
}
