//! Members of objects, by RFC 6901 pointers.

use serde_json::Value;

/// A text; empty where there is none.
pub fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// A number; 0 where there is none, as Go leaves it out.
pub fn number(value: &Value, pointer: &str) -> i64 {
    value.pointer(pointer).and_then(Value::as_i64).unwrap_or_default()
}
