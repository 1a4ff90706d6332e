//! Values in a response.

use std::borrow::Cow;

use serde_json::Value;

/// The value at a pointer. In a list, a token `<member>=<text>` stands for the item whose member is that text.
pub fn at<'v>(value: &'v Value, pointer: &str) -> Option<&'v Value> {
    let Some((start, (member, text), rest)) = selection(pointer) else { return value.pointer(pointer) };
    let items = value.pointer(start)?.as_array()?;
    let item = items.iter().find(|item| item.get(member).and_then(plain).is_some_and(|found| found == text))?;
    at(item, rest)
}

/// A pointer cut at its first token that chooses an item: what is before it, the token, and what is after it.
fn selection(pointer: &str) -> Option<(&str, (&str, &str), &str)> {
    let (place, _) = pointer.match_indices('=').next()?;
    let start = pointer.get(..place)?.rfind('/')?;
    let end = pointer.get(place..)?.find('/').map_or(pointer.len(), |length| place + length);
    let choice = pointer.get(start + 1..end)?.split_once('=')?;
    Some((pointer.get(..start)?, choice, pointer.get(end..)?))
}

/// A text; numbers and booleans as JSON has them.
pub fn plain(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::Bool(truth) => Some(Cow::Borrowed(if *truth { "true" } else { "false" })),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
