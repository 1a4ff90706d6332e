//! Documents as trees that know where each part stands, and how numbers were spelled.

use std::fmt::Write as _;

use super::Span;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it stands. A node that an alias stands for has the place of the alias; what is inside it, that
    /// of the anchor's.
    pub span: Span,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`, or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as JSON spells it, in the digits that the person wrote.
    Number(String),
    /// A text.
    String(String),
    /// A list.
    Sequence(Vec<Node>),
    /// Entries in the order of the text, no key twice.
    Mapping(Vec<Entry>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The value of a key, where this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let Value::Mapping(entries) = &self.value else { return None };
        entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// The value of a key, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        let Value::Mapping(entries) = &mut self.value else { return None };
        entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.value)
    }

    /// The node at a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The text, where this is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The items, where this is a list.
    pub fn as_sequence(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The items, to change them, where this is a list.
    pub fn as_sequence_mut(&mut self) -> Option<&mut [Node]> {
        match &mut self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// Whether this is a list or a mapping.
    pub fn is_container(&self) -> bool {
        matches!(self.value, Value::Sequence(_) | Value::Mapping(_))
    }

    /// This tree as JSON text on one line.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        self.write_json(&mut json);
        json
    }

    fn write_json(&self, json: &mut String) {
        match &self.value {
            Value::Null => json.push_str("null"),
            Value::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
            Value::Number(digits) => json.push_str(digits),
            Value::String(text) => write_json_string(text, json),
            Value::Sequence(items) => {
                json.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        json.push(',');
                    }
                    item.write_json(json);
                }
                json.push(']');
            }
            Value::Mapping(entries) => {
                json.push('{');
                for (index, entry) in entries.iter().enumerate() {
                    if index > 0 {
                        json.push(',');
                    }
                    write_json_string(&entry.key, json);
                    json.push(':');
                    entry.value.write_json(json);
                }
                json.push('}');
            }
        }
    }
}

fn write_json_string(text: &str, json: &mut String) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            control if u32::from(control) < 0x20 => {
                // Writing to a string does not fail.
                let _ = write!(json, "\\u{:04x}", u32::from(control));
            }
            other => json.push(other),
        }
    }
    json.push('"');
}
