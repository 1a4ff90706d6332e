//! Calls of an API that is addressed by method and path, for the families of such clouds.
//!
//! The action of a call is a method and a path: `PUT /v2.0/routers/{router}/{change}`. The path takes the
//! parameters that it names. The parameter `query` is an object with the parts of the query, where a list stands
//! for one part an entry, and `null` for none. The parameter `body` is the body. There are no other parameters.

use std::fmt::Display;

use hyper::Method;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::failure::INVALID_CALL;
use super::{CallFailure, Parameter, ResolvedCall};

/// The characters to percent-encode: all but the unreserved ones of RFC 3986.
pub(crate) const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What a call sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestRequest {
    /// The HTTP method.
    pub method: Method,
    /// The path, and the query where there is one: what follows the host.
    pub target: String,
    /// The body, where there is one.
    pub body: Option<Value>,
}

/// What a call sends. A call that does not say it is a failure, and nothing is sent.
pub fn request(call: &ResolvedCall) -> Result<RestRequest, CallFailure> {
    let (method, path) = call.action.split_once(' ').unwrap_or_default();
    let method = Method::from_bytes(method.as_bytes());
    let method = method.ok().filter(|_| path.starts_with('/'));
    let method = method.ok_or_else(|| invalid("its action is no method with a path"))?;
    let mut left: Vec<_> = call.parameters.iter().collect();
    let mut take = |name: &str| {
        let place = left.iter().position(|(known, _)| known == name)?;
        Some(&left.swap_remove(place).1)
    };
    let mut target = String::new();
    for (at, part) in path.split('{').enumerate() {
        match (at, part.split_once('}')) {
            (0, None) => target += part,
            (1.., Some((name, rest))) => {
                let value = take(name).ok_or_else(|| invalid(format!("it has no parameter `{name}`")))?;
                target += &segment(name, value)?;
                target += rest;
            }
            _ => return Err(invalid("a name in its path has no two braces")),
        }
    }
    if let Some(query) = take("query").map(pairs).transpose()?.filter(|query| !query.is_empty()) {
        target = format!("{target}?{query}");
    }
    let body = take("body").map(Value::from);
    match left.first() {
        Some((name, _)) => Err(invalid(format!("nothing takes its parameter `{name}`"))),
        None => Ok(RestRequest { method, target, body }),
    }
}

/// A parameter in the path. One that is empty or leads upwards would make the call one for something else.
fn segment(name: &str, value: &Parameter) -> Result<String, CallFailure> {
    let text = text(name, value)?;
    if ["", ".", ".."].contains(&text.as_str()) {
        return Err(invalid(format!("its parameter `{name}` is `{text}`, which names nothing")));
    }
    Ok(encoded(&text))
}

/// The query.
fn pairs(query: &Parameter) -> Result<String, CallFailure> {
    let Parameter::Object(members) = query else { return Err(invalid("its parameter `query` is no object")) };
    let mut pairs = Vec::new();
    for (name, value) in members {
        let values = match value {
            Parameter::Null => &[],
            Parameter::List(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        for value in values {
            pairs.push(format!("{}={}", encoded(name), encoded(&text(name, value)?)));
        }
    }
    Ok(pairs.join("&"))
}

/// A parameter that is a text, a number or a boolean, as text.
fn text(name: &str, value: &Parameter) -> Result<String, CallFailure> {
    match value {
        Parameter::Text(text) => Ok(text.clone()),
        Parameter::Number(number) => Ok(number.to_string()),
        Parameter::Bool(bool) => Ok(bool.to_string()),
        _ => Err(invalid(format!("its parameter `{name}` is no text, number or boolean"))),
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

fn invalid(error: impl Display) -> CallFailure {
    CallFailure::own(INVALID_CALL, format!("the call cannot be written as a request: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::call::resolve;
    use crate::document::{Call, State};

    #[test]
    fn a_call_is_a_method_a_path_a_query_and_a_body() {
        // The policy's own tests write this text.
        let call: Call = serde_json::from_str(include_str!("../../../../core/src/call/rest.json")).unwrap();
        let state: State =
            [("Router", "r/1 ü"), ("Owner", "me")].map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        let RestRequest { method, target, body } = request(&resolve::call(&call, &state).unwrap()).unwrap();
        assert_eq!(method, Method::PUT);
        assert_eq!(target, "/v2.0/routers/r%2F1%20%C3%BC/tags/owner%2Fme?fields=id&fields=a%20b");
        let expected = json!({ "enabled": true, "gateway": null, "labels": { "ref": "r/1 ü" }, "mtu": 1450 });
        assert_eq!(body, Some(expected));
    }

    fn sent(action: &str, parameters: Vec<(&str, Parameter)>) -> Result<String, String> {
        let parameters = parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let call = ResolvedCall { action: action.to_owned(), parameters, ..ResolvedCall::default() };
        let sent = request(&call).map_err(|failure| {
            assert_eq!(failure.code, INVALID_CALL);
            failure.message.rsplit(": ").next().unwrap_or_default().to_owned()
        })?;
        Ok(format!("{} {} {}", sent.method, sent.target, sent.body.unwrap_or_default()))
    }

    #[test]
    fn a_query_has_what_is_there() {
        let query = |value| Parameter::Object(vec![("limit".to_owned(), value)]);
        let read = |value| sent("GET /a", vec![("query", query(value))]);
        assert_eq!(read(Parameter::Number(5.into())).unwrap(), "GET /a?limit=5 null");
        assert_eq!(read(Parameter::Bool(true)).unwrap(), "GET /a?limit=true null");
        for none in [Parameter::Null, Parameter::List(Vec::new())] {
            assert_eq!(read(none).unwrap(), "GET /a null");
        }
        let reported = read(Parameter::List(vec![Parameter::Null])).unwrap_err();
        assert_eq!(reported, "its parameter `limit` is no text, number or boolean");
    }

    #[test]
    fn what_would_be_another_call_is_not_sent() {
        for action in ["", "GET", "GET a", "G(T /a", " /a"] {
            assert_eq!(sent(action, Vec::new()).unwrap_err(), "its action is no method with a path", "{action}");
        }
        for path in ["/a}/{b", "/{a", "/{a}}{", "/a}"] {
            let reported = sent(&format!("GET {path}"), vec![("a", "1".into())]).unwrap_err();
            assert_eq!(reported, "a name in its path has no two braces", "{path}");
        }
        for name in ["", ".", ".."] {
            let reported = sent("DELETE /routers/{router}", vec![("router", name.into())]).unwrap_err();
            assert!(reported.ends_with("which names nothing"), "{reported}");
        }
        assert_eq!(sent("GET /{a}", Vec::new()).unwrap_err(), "it has no parameter `a`");
        assert_eq!(
            sent("GET /{a}", vec![("a", Parameter::Null)]).unwrap_err(),
            "its parameter `a` is no text, number or boolean"
        );
        assert_eq!(sent("GET /a", vec![("b", "1".into())]).unwrap_err(), "nothing takes its parameter `b`");
        assert_eq!(
            sent("GET /a", vec![("query", "b=1".into())]).unwrap_err(),
            "its parameter `query` is no object"
        );
    }
}
