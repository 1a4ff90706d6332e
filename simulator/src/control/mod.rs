//! The simulator's own API, next to the cloud's: calls, inventory, faults, time.
//!
//! Its paths begin with [`PREFIX`], which no bucket's do: a bucket's name has no underscore. Bodies and answers
//! are JSON. It knows no credentials, for it is on loopback; requests that a browser sends for another site are
//! refused.
//!
//! | method | path | body or query | does, and answers |
//! |---|---|---|---|
//! | GET | `health` | | `{"status": "ok", "version", "time"}` |
//! | GET | `actions` | | every declared action: `{"services": [{"code", "name", "version", "actions"}], "commonErrors"}` |
//! | GET | `calls` | `?action=vpc:*&account=&region=&outcome=&code=&after=0&limit=1000` | `{"calls", "last"}`: the first so many with a sequence number above `after`; `last` is the number of the last call of all |
//! | DELETE | `calls` | | forgets the calls, and counts from zero |
//! | GET | `calls/counts` | | `{"calls", "actions": {"vpc:CreateVpc": {"calls", "effects", "codes"}}}` |
//! | GET | `faults` | | `{"faults": [{"id", …the order…, "met", "hits", "held": [{"call", …}]}]}` |
//! | POST | `faults` | an [order](crate::cloud::Order) | orders a fault, and answers with it |
//! | DELETE | `faults` | | deletes all faults: `{"deleted"}` |
//! | GET, DELETE | `faults/{id}` | | one fault |
//! | POST | `faults/{id}/release` | `{"call": 7}`, or nothing for all | releases calls that it holds: `{"released"}` |
//! | POST | `faults/release` | | releases all calls that are held |
//! | GET | `inventory` | `?account=&region=&kind=vpc:vpcs&added=true` | `{account: {region: {"vpc:vpcs": […]}}}`, `{}` when nothing exists; `added` leaves out what was there at the start |
//! | GET | `inventory/summary` | alike | `{account: {region: {"vpc:vpcs": 1}}}` |
//! | GET | `snapshots` | | `{"snapshots": [{"name", "time"}]}` |
//! | PUT, DELETE | `snapshots/{name}` | | keeps the world under a name, or forgets it |
//! | POST | `snapshots/{name}/restore` | | makes the world as it was then |
//! | POST | `reset` | `{"calls": true, "faults": true, "settings": true}`, or nothing for the world alone | makes the world as it was at the start, and what else is named |
//! | GET | `clock` | | `{"time", "rate"}` |
//! | PUT | `clock` | `{"rate": 60}` | sets how many seconds pass in a real second; 0 for a clock that is stepped |
//! | POST | `clock/step` | `{"seconds": 5}` | goes forward at once, and ends the transitions that are over then |
//! | GET | `settings` | | the [settings](crate::settings::Settings) |
//! | PUT | `settings` | settings | replaces them |
//! | PATCH | `settings` | a JSON merge patch | changes some; `null` takes one out |
//!
//! Orders of faults look like this; `occurrence`, `account`, `region` and `times` may be left out:
//!
//! ```json
//! { "action": "vpc:*", "occurrence": { "share": 0.2 }, "times": 10, "fault": { "kind": "throttle", "by": "user" } }
//! ```
//!
//! | occurrence | hits |
//! |---|---|
//! | `"all"` | every call |
//! | `{"nth": 3}` | the third from now on |
//! | `{"every": 3}` | the third, the sixth and so on |
//! | `{"share": 0.2}` | that part of them, spread evenly |
//!
//! | fault | further fields | what becomes of the call |
//! |---|---|---|
//! | `throttle` | `by`: `user` or `api`, `retryAfter`: seconds | `Throttling.User` or `Throttling.Api` |
//! | `error` | `code`, and `status` and `message` for codes that are not known | is refused so |
//! | `quota` | `code` | `QuotaExceeded`, or that code |
//! | `unauthorised` | | `Forbidden.RAM` |
//! | `timeout` | `when`: `before` or `after` its effect | is never answered |
//! | `reset` | `when` | its connection is cut |
//! | `slow` | `milliseconds` of real time | is carried out after that |
//! | `hold` | `when` | waits until it is released |
//!
//! What is refused is answered with its status and `{"error": {"code", "message"}}`.

mod actions;
mod behaviour;
mod calls;
mod faults;
mod guard;
mod route;
mod world;

use hyper::body::Bytes;
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::{HeaderMap, Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::cloud::{Cloud, KeepError};
use route::{Input, MatchedRoute, Route, route};

/// The prefix of all paths of this API.
pub const PREFIX: &str = "/_simulator/";

/// The largest body of a request, in bytes.
pub const LARGEST: usize = 1 << 20;

/// A request to this API.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Its method.
    pub method: &'a Method,
    /// Its path, from [`PREFIX`] on.
    pub path: &'a str,
    /// Its query, without the question mark.
    pub query: &'a str,
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// Its body.
    pub body: &'a [u8],
}

const ROUTES: &[Route] = &[
    Route(Method::GET, "health", behaviour::health),
    Route(Method::GET, "actions", actions::list),
    Route(Method::GET, "calls", calls::list),
    Route(Method::DELETE, "calls", calls::clear),
    Route(Method::GET, "calls/counts", calls::counts),
    Route(Method::GET, "faults", faults::list),
    Route(Method::POST, "faults", faults::order),
    Route(Method::DELETE, "faults", faults::delete_all),
    Route(Method::POST, "faults/release", faults::release_all),
    Route(Method::GET, "faults/{}", faults::get),
    Route(Method::DELETE, "faults/{}", faults::delete),
    Route(Method::POST, "faults/{}/release", faults::release),
    Route(Method::GET, "inventory", world::inventory),
    Route(Method::GET, "inventory/summary", world::summary),
    Route(Method::GET, "snapshots", world::snapshots),
    Route(Method::PUT, "snapshots/{}", world::put_snapshot),
    Route(Method::DELETE, "snapshots/{}", world::delete_snapshot),
    Route(Method::POST, "snapshots/{}/restore", world::restore_snapshot),
    Route(Method::POST, "reset", world::reset),
    Route(Method::GET, "clock", behaviour::clock),
    Route(Method::PUT, "clock", behaviour::set_clock),
    Route(Method::POST, "clock/step", behaviour::step),
    Route(Method::GET, "settings", behaviour::settings),
    Route(Method::PUT, "settings", behaviour::put_settings),
    Route(Method::PATCH, "settings", behaviour::patch_settings),
];

/// Answers a request.
pub fn answer(cloud: &Cloud, request: &Request<'_>) -> Response<Bytes> {
    match handle(cloud, request) {
        Ok(body) => write(StatusCode::OK, &body),
        Err(Failed { status, code, message, allow }) => {
            let mut response = refusal(status, code, message);
            if let Some(allow) = allow.and_then(|allow| HeaderValue::from_str(&allow).ok()) {
                response.headers_mut().insert(ALLOW, allow);
            }
            response
        }
    }
}

/// Answers a request that is refused.
pub fn refusal(status: StatusCode, code: &str, message: impl Into<String>) -> Response<Bytes> {
    write(status, &json!({ "error": { "code": code, "message": message.into() } }))
}

fn write(status: StatusCode, body: &Value) -> Response<Bytes> {
    let mut response = Response::new(Bytes::from(body.to_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn handle(cloud: &Cloud, request: &Request<'_>) -> Answered {
    guard::check(request.headers)?;
    let path = request.path.strip_prefix(PREFIX).unwrap_or(request.path);
    let MatchedRoute { handler, name } = route(ROUTES, request.method, path)?;
    if request.body.len() > LARGEST {
        return Err(Failed::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "TooLarge",
            format!("the body has {} bytes, and may have at most {LARGEST}", request.body.len()),
        ));
    }
    if !request.body.is_empty() {
        guard::json(request.headers)?;
    }
    handler(cloud, &Input { name, query: request.query, body: request.body })
}

/// The answer to a request.
type Answered = Result<Value, Failed>;

/// A request is refused.
#[derive(Debug)]
struct Failed {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// The methods that this API has.
    allow: Option<String>,
}

impl Failed {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), allow: None }
    }

    fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "BadRequest", message)
    }

    fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "NotFound", message)
    }

    fn full(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "TooMany", message)
    }
}

impl From<KeepError> for Failed {
    fn from(error: KeepError) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "NotKept", format!("{error}; nothing is changed"))
    }
}

/// Values that serialize without an error.
fn plain(value: &impl serde::Serialize) -> Answered {
    serde_json::to_value(value)
        .map_err(|error| Failed::new(StatusCode::INTERNAL_SERVER_ERROR, "Internal", error.to_string()))
}

#[cfg(test)]
mod testing;

#[cfg(test)]
mod tests {
    use super::testing::Api;
    use super::*;

    #[test]
    fn every_route_is_in_the_table_of_the_documentation() {
        let text = include_str!("mod.rs");
        let rows: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("//! | ")).collect();
        for Route(method, template, _) in ROUTES {
            let documented = rows.iter().any(|row| {
                let mut cells = row.split(" | ");
                let methods = cells.next().unwrap_or_default();
                let path = cells.next().unwrap_or_default().replace("{id}", "{}").replace("{name}", "{}");
                methods.split(", ").any(|name| name == method.as_str()) && path == format!("`{template}`")
            });
            assert!(documented, "{method} {template}");
        }
    }

    #[test]
    fn a_wrong_request_is_answered_with_what_is_wrong() {
        let api = Api::new();
        let large = vec![b' '; LARGEST + 1];
        for (method, path, body, status, words) in [
            ("GET", "nothing", &b""[..], 404, "there is no `/_simulator/nothing`"),
            ("GET", "", b"", 404, "there is no `/_simulator/`"),
            ("GET", "calls/", b"", 404, "there is no `/_simulator/calls/`"),
            ("POST", "health", b"", 405, "`/_simulator/health` has GET, not POST"),
            ("HEAD", "calls", b"", 405, "`/_simulator/calls` has DELETE, GET, not HEAD"),
            ("OPTIONS", "faults/1", b"", 405, "has DELETE, GET, not OPTIONS"),
            (
                "GET",
                "health?verbose=1",
                b"",
                400,
                "the query has `verbose`, which is unknown here: it may have nothing",
            ),
            (
                "GET",
                "calls?acount=1",
                b"",
                400,
                "the query has `acount`, which is unknown here: it may have action, account",
            ),
            ("GET", "calls?after=1&after=2", b"", 400, "the query has `after` twice"),
            ("POST", "faults", b"", 400, "a body is needed"),
            ("POST", "faults", b"{", 400, "the body is not what it must be: EOF"),
            ("POST", "faults", b"[]", 400, "the body is not what it must be"),
            ("DELETE", "calls", b"{}", 400, "no body is taken here"),
            ("PUT", "settings", &large, 413, "may have at most 1048576"),
        ] {
            let (found, answer) = api.send(method, path, body);
            assert_eq!(found, status, "{method} {path}: {answer}");
            let message = answer.pointer("/error/message").and_then(Value::as_str).unwrap_or_default();
            assert!(message.contains(words), "{method} {path}: {message}");
        }
    }

    #[test]
    fn the_methods_that_there_are_are_named() {
        let api = Api::new();
        let response = api.respond("POST", "clock", b"", &[]);
        assert_eq!(response.headers().get(ALLOW).unwrap(), "GET, PUT");
    }
}
