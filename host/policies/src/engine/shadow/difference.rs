//! Where two answers differ. Values are never shown, because they may be secret.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use crate::digest::Digest;
use crate::engine::Function;

/// The most pointers of a difference that are reported.
const MOST_POINTERS: usize = 8;

/// Two versions answer a request differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Whose policies.
    pub provider: String,
    /// The function.
    pub function: Function,
    /// Of the request.
    pub request: Digest,
    /// How the answers differ.
    pub what: Deviation,
}

/// How the answer of the second version deviates from that of the version in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deviation {
    /// Both answer.
    Answers {
        /// RFC 6901 pointers into the answer of the version in use, in the order of that answer: to values that
        /// differ, to lists of another length, and to objects that have further members in the second answer.
        pointers: Vec<String>,
        /// How many more pointers there are.
        more: usize,
    },
    /// The second version has no answer; the code of its failure.
    OnlyUsed {
        /// Such as `Trapped`.
        code: String,
    },
    /// The version in use has no answer; the code of its failure.
    OnlySecond {
        /// Such as `Trapped`.
        code: String,
    },
    /// Neither has an answer, for different reasons.
    Neither {
        /// The code of the failure of the version in use.
        used: String,
        /// The code of the failure of the second version.
        second: String,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { provider, function, request, what } = self;
        write!(out, "{provider} {}, request {request}: ", function.name())?;
        match what {
            Deviation::Answers { pointers, more } => {
                let pointers: Vec<String> = pointers.iter().map(|pointer| format!("`{pointer}`")).collect();
                write!(out, "the answers differ at {}", pointers.join(", "))?;
                if *more > 0 { write!(out, " and {more} more") } else { Ok(()) }
            }
            Deviation::OnlyUsed { code } => write!(out, "the second version has no answer: {code}"),
            Deviation::OnlySecond { code } => {
                write!(out, "only the second version has an answer; of the version in use: {code}")
            }
            Deviation::Neither { used, second } => {
                write!(out, "no version has an answer: {used} of the version in use, {second} of the second")
            }
        }
    }
}

/// Where two answers differ; none where they are the same JSON. The order of members and blanks make no
/// difference.
pub(super) fn places(used: &Value, second: &Value) -> Option<Deviation> {
    let mut found = Vec::new();
    compare(&mut String::new(), used, second, &mut found);
    let more = found.len().saturating_sub(MOST_POINTERS);
    found.truncate(MOST_POINTERS);
    (!found.is_empty()).then_some(Deviation::Answers { pointers: found, more })
}

fn compare(pointer: &mut String, used: &Value, second: &Value, found: &mut Vec<String>) {
    match (used, second) {
        (Value::Object(used), Value::Object(second)) => {
            // The names of further members are the word of the second version alone, and nobody trusts it yet.
            let known: BTreeSet<&String> = used.keys().collect();
            if second.keys().any(|name| !known.contains(name)) {
                found.push(pointer.clone());
            }
            for (name, value) in used {
                let token = name.replace('~', "~0").replace('/', "~1");
                within(pointer, &token, |pointer| match second.get(name) {
                    Some(other) => compare(pointer, value, other, found),
                    None => found.push(pointer.clone()),
                });
            }
        }
        (Value::Array(used), Value::Array(second)) => {
            if used.len() != second.len() {
                found.push(pointer.clone());
            }
            for (index, (value, other)) in used.iter().zip(second).enumerate() {
                within(pointer, &index.to_string(), |pointer| compare(pointer, value, other, found));
            }
        }
        (used, second) if used != second => found.push(pointer.clone()),
        _ => {}
    }
}

fn within(pointer: &mut String, token: &str, look: impl FnOnce(&mut String)) {
    let length = pointer.len();
    pointer.push('/');
    pointer.push_str(token);
    look(pointer);
    pointer.truncate(length);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_are_reported_and_values_are_not() {
        for (used, second, expected) in [
            (json!({ "a": 1, "b": [{}] }), json!({ "b": [{}], "a": 1 }), vec![]),
            (json!({ "a": "secret" }), json!({ "a": "other" }), vec!["/a"]),
            (json!({ "a": { "b/c": 1, "d~": 1 } }), json!({ "a": { "d~": "1" } }), vec!["/a/b~1c", "/a/d~0"]),
            (json!({ "a": {} }), json!({ "a": { "secret": 1 } }), vec!["/a"]),
            (json!({ "a": [1, 2, 3] }), json!({ "a": [1, 5] }), vec!["/a", "/a/1"]),
            (json!({ "a": {} }), json!({ "a": [] }), vec!["/a"]),
            (json!({}), json!([]), vec![""]),
            (json!(null), json!(null), vec![]),
        ] {
            let pointers = match places(&used, &second) {
                Some(Deviation::Answers { pointers, more: 0 }) => pointers,
                None => Vec::new(),
                other => panic!("{other:?}"),
            };
            assert_eq!(pointers, expected, "{used} {second}");
        }
    }

    #[test]
    fn a_difference_shows_a_few_places_and_how_many_there_are() {
        let list = |value: i32| json!((0..20).map(|index| index * value).collect::<Vec<_>>());
        let what = places(&list(1), &list(2)).unwrap();
        let (provider, request) = ("acme".to_owned(), Digest::of(b""));
        let reported = Difference { provider, function: Function::Plan, request, what }.to_string();
        assert!(reported.starts_with("acme plan, request e3b0c442"), "{reported}");
        assert!(
            reported.ends_with("the answers differ at `/1`, `/2`, `/3`, `/4`, `/5`, `/6`, `/7`, `/8` and 11 more"),
            "{reported}"
        );
    }
}
