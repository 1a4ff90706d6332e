//! Writes a call as a signed RPC request.

use hyper::body::Bytes;
use hyper::header::HeaderValue;
use hyper::http::uri::{Authority, PathAndQuery, Scheme, Uri};
use hyper::{Method, Request};
use jiff::Timestamp;

use super::access_key::AccessKey;
use super::acs3::{self, Headers};
use super::parameters::Pairs;
use super::service::{Place, Service};

/// What distinguishes a request from every other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<'a> {
    /// The time of the request.
    pub(super) now: Timestamp,
    /// A text that no other request has.
    pub(super) nonce: &'a str,
}

/// A call as a signed request to a host.
pub(super) fn request(
    service: &Service,
    action: &str,
    pairs: &Pairs,
    (scheme, host): (Scheme, Authority),
    key: &AccessKey,
    Moment { now, nonce }: Moment<'_>,
) -> Result<Request<Bytes>, hyper::http::Error> {
    let (query, form): (Pairs, Pairs) =
        pairs.iter().cloned().partition(|(name, _)| service.places.of(action, name) == Place::Query);
    let (query, body) = (acs3::encode(&query), acs3::encode(&form));
    let mut headers = Headers::from([
        ("host", host.to_string()),
        ("x-acs-action", action.to_owned()),
        ("x-acs-content-sha256", acs3::hash(body.as_bytes())),
        ("x-acs-date", now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
        ("x-acs-signature-nonce", nonce.to_owned()),
        ("x-acs-version", service.version.to_owned()),
    ]);
    if !body.is_empty() {
        headers.insert("content-type", "application/x-www-form-urlencoded".to_owned());
    }
    if let Some(token) = key.token() {
        headers.insert("x-acs-security-token", token.to_owned());
    }
    let signed = acs3::Request { method: "POST", path: "/", query: &query, headers: &headers };
    let authorization = acs3::sign(signed, key);
    let target = if query.is_empty() { "/".to_owned() } else { format!("/?{query}") };
    let uri = Uri::builder()
        .scheme(scheme)
        .authority(host)
        .path_and_query(PathAndQuery::from_maybe_shared(target)?)
        .build()?;
    let mut request = Request::builder()
        .method(Method::POST)
        .uri(uri)
        .header("accept", "application/json")
        .header("authorization", secret(&authorization)?);
    for (name, value) in headers {
        let value = if name == "x-acs-security-token" { secret(&value)? } else { HeaderValue::try_from(value)? };
        request = request.header(name, value);
    }
    request.body(Bytes::from(body))
}

/// A header that logs must not show.
fn secret(value: &str) -> Result<HeaderValue, hyper::http::Error> {
    let mut value = HeaderValue::try_from(value)?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests;
