//! Values of an object whose structure is right.

use std::cmp::Ordering;

use crate::document::Value;
use crate::kube::quantity::{Quantity, QuantityError};

/// The text at a path of keys; empty where there is none.
pub fn text<'v>(value: &'v Value<'_>, path: &[&str]) -> &'v str {
    value.text_at(path)
}

/// The entries of the list at a path of keys.
pub fn items<'v, 'a>(value: &'v Value<'a>, path: &[&str]) -> &'v [Value<'a>] {
    value.at(path).map(Value::items).unwrap_or_default()
}

/// The integer at a path of keys; 0 where there is none.
pub fn integer(value: &Value<'_>, path: &[&str]) -> i64 {
    match value.at(path) {
        Some(Value::Number(number)) => number.parse().unwrap_or_default(),
        _ => 0,
    }
}

/// The boolean at a path of keys.
pub fn flag(value: &Value<'_>, path: &[&str]) -> Option<bool> {
    match value.at(path) {
        Some(Value::Bool(flag)) => Some(*flag),
        _ => None,
    }
}

/// The quantity at a path of keys, as it is written.
pub fn quantity<'v>(value: &'v Value<'v>, path: &[&str]) -> Option<&'v str> {
    match value.at(path) {
        Some(Value::String(text) | Value::Number(text)) => Some(text),
        _ => None,
    }
}

/// Whether the quantity at a path of keys is less than 0.
pub fn is_negative(value: &Value<'_>, path: &[&str]) -> bool {
    let is_less = |text: &str| match Quantity::parse(text.trim()) {
        Ok(quantity) => quantity.sign() == Ordering::Less,
        // Only the number of digits is too large for us.
        Err(QuantityError::Digits) => text.trim().starts_with('-'),
        Err(_) => false,
    };
    quantity(value, path).is_some_and(is_less)
}

/// The entry of a list that has this name.
pub fn named<'v, 'a>(list: &'v [Value<'a>], name: &str) -> Option<&'v Value<'a>> {
    list.iter().find(|entry| text(entry, &["name"]) == name)
}

/// The texts in a list.
pub fn texts<'v>(list: &'v [Value<'_>]) -> impl Iterator<Item = &'v str> {
    list.iter().filter_map(Value::as_str)
}

/// The details of values that are not supported: empty where none is.
pub fn supported<'t>(values: impl Iterator<Item = &'t str>) -> String {
    let mut detail = String::new();
    for value in values {
        detail.push_str(if detail.is_empty() { "supported values: " } else { ", " });
        detail.push_str(&crate::text::quote(value));
    }
    detail
}

/// What Go takes for true.
pub fn is_true(text: &str) -> bool {
    matches!(text, "1" | "t" | "T" | "TRUE" | "true" | "True")
}
