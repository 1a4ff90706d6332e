//! A call of an API that is addressed by method and path: what becomes of it, before there is a transport for it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::{Parameter, ResolvedCall};
use crate::call::resolve;
use crate::document::{Call, State};

/// All but what RFC 3986 leaves unreserved.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

fn parameter<'c>(call: &'c ResolvedCall, name: &str) -> Option<&'c Parameter> {
    call.parameters.iter().find_map(|(known, value)| (known == name).then_some(value))
}

fn text(parameter: &Parameter) -> String {
    match json_of(parameter) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn json_of(parameter: &Parameter) -> Value {
    match parameter {
        Parameter::Text(text) => Value::String(text.clone()),
        Parameter::Number(number) => Value::Number(number.clone()),
        Parameter::Bool(bool) => Value::Bool(*bool),
        Parameter::Null => Value::Null,
        Parameter::List(entries) => entries.iter().map(json_of).collect(),
        Parameter::Object(members) => Value::Object(
            members.iter().map(|(name, value)| (name.clone(), json_of(value))).collect::<Map<_, _>>(),
        ),
    }
}

/// Method, address and body.
fn request(call: &ResolvedCall) -> (String, String, Option<Value>) {
    let (method, template) = call.action.split_once(' ').unwrap();
    let mut parts = template.split('{');
    let mut target = parts.next().unwrap().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap();
        target += &encoded(&text(parameter(call, name).unwrap()));
        target += rest;
    }
    let mut pairs = Vec::new();
    if let Some(Parameter::Object(query)) = parameter(call, "query") {
        for (name, value) in query {
            let values =
                if let Parameter::List(values) = value { values.as_slice() } else { std::slice::from_ref(value) };
            pairs.extend(values.iter().map(|value| format!("{}={}", encoded(name), encoded(&text(value)))));
        }
    }
    if !pairs.is_empty() {
        target = format!("{target}?{}", pairs.join("&"));
    }
    (method.to_owned(), target, parameter(call, "body").map(json_of))
}

#[test]
fn a_call_is_a_method_a_path_a_query_and_a_body() {
    // The policy's own tests write this text.
    let call: Call = serde_json::from_str(include_str!("../../../../core/src/call/rest.json")).unwrap();
    let state: State =
        [("Router", "r/1 ü"), ("Owner", "me")].map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let (method, target, body) = request(&resolve::call(&call, &state).unwrap());
    assert_eq!(method, "PUT");
    assert_eq!(target, "/v2.0/routers/r%2F1%20%C3%BC/tags/owner%2Fme?fields=id&fields=a%20b");
    let expected = json!({ "enabled": true, "gateway": null, "labels": { "ref": "r/1 ü" }, "mtu": 1450 });
    assert_eq!(body, Some(expected));
}
