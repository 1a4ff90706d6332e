//! Writes values as YAML in one style: what fits on a line stands in braces, lists of objects have a line an
//! entry, and findings have a line a member.

use serde_json::{Map, Value};

/// Columns of a line.
const WIDTH: usize = 130;
/// Members with which an object begins that is never written on one line.
const TALL: [&str; 2] = ["error", "warning"];
/// What a YAML reader may take for something else than text.
const WORDS: [&str; 10] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"];

/// The lines of a member of an object.
pub fn member(name: &str, value: &Value, indent: usize) -> String {
    let start = format!("{:indent$}{}:", "", scalar(name, false));
    match value {
        Value::String(text) if is_tall(text) => {
            let margin = format!("\n{:width$}", "", width = indent + 2);
            format!("{start} |-{margin}{}\n", text.replace('\n', &margin))
        }
        Value::Object(members) if !members.is_empty() && !fits(start.len() + 1, value) => {
            format!("{start}\n{}", object(members, indent + 2))
        }
        Value::Array(items) if !items.is_empty() && (has_objects(items) || !fits(start.len() + 1, value)) => {
            format!("{start}\n{}", items.iter().map(|each| item(each, indent + 2)).collect::<String>())
        }
        _ => format!("{start} {}\n", flow(value, false)),
    }
}

/// The lines of an object.
pub fn object(members: &Map<String, Value>, indent: usize) -> String {
    members.iter().map(|(name, value)| member(name, value, indent)).collect()
}

fn item(value: &Value, indent: usize) -> String {
    match value {
        Value::Object(members) if !members.is_empty() && !fits(indent + 2, value) => {
            let lines = object(members, indent + 2);
            format!("{:indent$}- {}", "", lines.trim_start())
        }
        Value::Array(items) if !items.is_empty() && !fits(indent + 2, value) => {
            let lines: String = items.iter().map(|each| item(each, indent + 2)).collect();
            format!("{:indent$}- {}", "", lines.trim_start())
        }
        _ => format!("{:indent$}- {}\n", "", flow(value, false)),
    }
}

fn fits(column: usize, value: &Value) -> bool {
    let is_tall = match value {
        Value::Object(members) => members.keys().next().is_some_and(|name| TALL.contains(&name.as_str())),
        _ => false,
    };
    !is_tall && column + flow(value, false).chars().count() <= WIDTH
}

fn has_objects(items: &[Value]) -> bool {
    items.iter().any(Value::is_object)
}

/// Whether a text is written over several lines.
fn is_tall(text: &str) -> bool {
    let is_plain = |line: &str| !line.is_empty() && !line.starts_with(' ') && !line.contains(char::is_control);
    text.contains('\n') && !text.ends_with('\n') && text.split('\n').all(is_plain)
}

fn flow(value: &Value, inside: bool) -> String {
    match value {
        Value::String(text) => scalar(text, inside),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| flow(item, true)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let member =
                |(name, value): (&String, &Value)| format!("{}: {}", scalar(name, true), flow(value, true));
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// A text, in quotes where it needs them.
fn scalar(text: &str, inside: bool) -> String {
    if is_plain(text) && !(inside && text.contains([',', '[', ']', '{', '}'])) {
        text.to_owned()
    } else if text.contains(['"', '\\']) && !text.contains(char::is_control) {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        Value::from(text).to_string()
    }
}

fn is_plain(text: &str) -> bool {
    let starts = |first: char| first.is_alphanumeric() || ['/', '(', '_', '$'].contains(&first);
    let is_number = text.starts_with(|first: char| first.is_ascii_digit())
        && text.chars().all(|letter| letter.is_ascii_hexdigit() || "xo+-.:_".contains(letter));
    text.starts_with(starts)
        && !text.ends_with([':', ' '])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains(char::is_control)
        && !is_number
        && !WORDS.contains(&text.to_lowercase().as_str())
}
