//! What tags say of values.

use saphyr_parser::{ScalarStyle, Tag};

use crate::source::budget::Fault;
use crate::source::{ReadProblem, Span, Value, scalar};

/// The value of a scalar: what its tag says, else what its text looks like.
pub(super) fn scalar_value(text: &str, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Result<Value, Fault> {
    let resolve = || scalar::resolve(text).map_err(|_| (ReadProblem::NotFinite(text.to_owned()), span));
    let Some(tag) = tag else {
        return if style == ScalarStyle::Plain { resolve() } else { Ok(Value::String(text.to_owned())) };
    };
    if !tag.is_yaml_core_schema() {
        // A lone `!` says: a text.
        let is_text = tag.handle.is_empty() && tag.suffix == "!";
        return if is_text { Ok(Value::String(text.to_owned())) } else { Err(unknown_tag(tag, span)) };
    }
    let value = match tag.suffix.as_str() {
        "str" | "timestamp" => return Ok(Value::String(text.to_owned())),
        "int" | "float" | "bool" | "null" => resolve()?,
        _ => return Err(unknown_tag(tag, span)),
    };
    let fits = match (tag.suffix.as_str(), &value) {
        ("int", Value::Number(digits)) => !digits.contains(['.', 'e', 'E']),
        ("float", Value::Number(_)) | ("bool", Value::Bool(_)) | ("null", Value::Null) => true,
        _ => false,
    };
    if fits { Ok(value) } else { Err((ReadProblem::TagMismatch(format!("!!{}", tag.suffix)), span)) }
}

/// Refuses a tag of a list or a mapping that says something else.
pub(super) fn check_tag(tag: Option<&Tag>, expected: &str, span: Span) -> Result<(), Fault> {
    match tag {
        Some(tag) if !(tag.is_yaml_core_schema() && tag.suffix == expected) => Err(unknown_tag(tag, span)),
        _ => Ok(()),
    }
}

fn unknown_tag(tag: &Tag, span: Span) -> Fault {
    let name = if tag.is_yaml_core_schema() { format!("!!{}", tag.suffix) } else { tag.to_string() };
    (ReadProblem::UnknownTag(name), span)
}
