//! What goes into the functions that are about an object.

use super::{Query, Refusal};
use crate::json::Value;

/// The input of `validate`, `default` and `addresses`, and the greater part of that of `zones`.
#[derive(Debug)]
pub struct Request<'r> {
    /// The object to judge.
    pub object: &'r Value<'r>,
    /// What it was before; present on an update.
    pub old_object: Option<&'r Value<'r>>,
    /// Other objects, by role, such as `cloudProfile` and `secret`.
    pub(super) context: &'r Value<'r>,
    /// Answers to queries of an earlier answer.
    pub(super) facts: Vec<Fact<'r>>,
    /// On an update, errors that the old object already had are warnings, save those that keep other rules from
    /// being judged.
    pub(super) ratchet: bool,
}

/// A zone to add, of the input of `zones`.
#[derive(Clone, Copy, Debug)]
pub struct NewZone<'r> {
    /// Its name.
    pub name: &'r str,
    /// Length of the prefix of its range; chosen where absent.
    pub prefix_length: Option<u8>,
}

/// The answer to a [`Query`].
#[derive(Clone, Copy, Debug)]
pub struct Fact<'r> {
    query: &'r str,
    answer: FactAnswer<'r>,
}

/// What came back.
#[derive(Clone, Copy, Debug)]
pub enum FactAnswer<'r> {
    /// The response, as the API gives it.
    Response(&'r Value<'r>),
    /// The call failed.
    Error {
        /// The API's error code.
        code: &'r str,
        /// The API's message.
        message: &'r str,
        /// Status of the response, 0 where there was none.
        http_status: i64,
    },
}

pub(super) fn malformed(message: impl Into<String>) -> Refusal {
    Refusal::Malformed { message: message.into(), pointer: None }
}

pub(super) fn known_members(value: &Value<'_>, what: &str, known: &[&str]) -> Result<(), Refusal> {
    let Value::Object(members) = value else {
        return Err(malformed(format!("{what} must be an object, not {}", value.kind())));
    };
    match members.iter().find(|(key, _)| !known.contains(&key.as_ref())) {
        Some((key, _)) => {
            Err(malformed(format!("{what} has an unknown member `{key}`; known are {}", known.join(", "))))
        }
        None => Ok(()),
    }
}

static EMPTY: Value<'static> = Value::Object(Vec::new());

impl<'r> Request<'r> {
    /// Reads a request document, of `zones` or of another function.
    pub fn read(document: &'r Value<'r>, is_of_zones: bool) -> Result<Self, Refusal> {
        let all = ["object", "oldObject", "context", "facts", "ratchet", NewZone::MEMBER];
        let (_, others) = all.split_last().unwrap_or((&"", &[]));
        known_members(document, "the request", if is_of_zones { &all } else { others })?;
        let object = document.get("object").ok_or_else(|| malformed("the request has no `object`"))?;
        let old_object = document.get("oldObject");
        let kind = |object: &Value<'_>| object.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(old) = old_object
            && kind(old) != kind(object)
        {
            return Err(Refusal::KindChanged { old: kind(old), new: kind(object) });
        }
        let context = document.get("context").unwrap_or(&EMPTY);
        if !matches!(context, Value::Object(_)) {
            return Err(malformed(format!("`context` must be an object, not {}", context.kind())));
        }
        let ratchet = match document.get("ratchet") {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(other) => return Err(malformed(format!("`ratchet` must be a boolean, not {}", other.kind()))),
        };
        Ok(Self { object, old_object, context, facts: Fact::read_all(document)?, ratchet })
    }

    /// An object of the context.
    pub fn context(&self, role: &str) -> Option<&'r Value<'r>> {
        self.context.get(role)
    }

    /// The answer to a query, where there is one.
    pub fn fact(&self, query: &Query) -> Option<FactAnswer<'r>> {
        Fact::of(&self.facts, query)
    }
}

impl<'r> NewZone<'r> {
    /// Member of a request that lists zones.
    const MEMBER: &'static str = "add";

    /// Reads the list of zones in a request document.
    pub fn read_all(document: &'r Value<'r>) -> Result<Vec<Self>, Refusal> {
        match document.get(Self::MEMBER) {
            Some(Value::Array(add)) => add.iter().map(Self::read).collect(),
            Some(other) => Err(malformed(format!("`add` must be a list, not {}", other.kind()))),
            None => Err(malformed("the request has no `add`, a list of the zones to add")),
        }
    }

    fn read(zone: &'r Value<'r>) -> Result<Self, Refusal> {
        known_members(zone, "a zone to add", &["name", "prefixLength"])?;
        let name = zone.get("name").and_then(Value::as_str);
        let prefix_length = match zone.get("prefixLength") {
            None => None,
            Some(Value::Number(length)) if length.parse::<u8>().is_ok() => length.parse().ok(),
            Some(_) => {
                return Err(malformed("`prefixLength` must be the length of a prefix, a number such as 19"));
            }
        };
        let name = name.ok_or_else(|| malformed("a zone to add must have a `name`, a string"))?;
        Ok(Self { name, prefix_length })
    }
}

impl<'r> Fact<'r> {
    /// Reads the list of facts in a request document.
    pub(super) fn read_all(document: &'r Value<'r>) -> Result<Vec<Self>, Refusal> {
        match document.get("facts") {
            None => Ok(Vec::new()),
            Some(Value::Array(facts)) => facts.iter().map(Self::read).collect(),
            Some(other) => Err(malformed(format!("`facts` must be a list, not {}", other.kind()))),
        }
    }

    /// The answer to a query, where there is one.
    pub(super) fn of(facts: &[Self], query: &Query) -> Option<FactAnswer<'r>> {
        facts.iter().find(|fact| fact.query == query.id).map(|fact| fact.answer)
    }

    fn read(fact: &'r Value<'r>) -> Result<Self, Refusal> {
        let shape = || {
            malformed(
                "a fact must be { \"query\": id, \"answer\": { \"response\" } or { \"error\": { \"code\", \"message\" } } }",
            )
        };
        let query = fact.get("query").and_then(Value::as_str).ok_or_else(shape)?;
        let answer = fact.get("answer").ok_or_else(shape)?;
        let answer = match (answer.get("response"), answer.get("error")) {
            (Some(response), None) => FactAnswer::Response(response),
            (None, Some(error)) => FactAnswer::Error {
                code: error.get("code").and_then(Value::as_str).ok_or_else(shape)?,
                message: error.get("message").and_then(Value::as_str).unwrap_or_default(),
                http_status: match error.get("httpStatus") {
                    Some(Value::Number(status)) => status.parse().map_err(|_| shape())?,
                    Some(_) => return Err(shape()),
                    None => 0,
                },
            },
            _ => return Err(shape()),
        };
        Ok(Self { query, answer })
    }
}
