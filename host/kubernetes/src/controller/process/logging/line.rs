//! A line of the log.

use std::fmt::{Debug, Write as _};

use jiff::Timestamp;
use serde_json::{Map, Value};
use tracing::Level;
use tracing::field::{Field, Visit};

use trellis_policies::invisible::visible;

/// Fields of spans and events. Of two with the same name, the inner one counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(Map<String, Value>);

/// An event, with the fields of the spans around it.
pub(super) struct Line<'l> {
    pub(super) level: &'l Level,
    pub(super) time: Timestamp,
    /// The part of the program that the event is of.
    pub(super) target: &'l str,
    pub(super) fields: Fields,
}

/// What `tracing` calls the text of an event.
const MESSAGE: &str = "message";

impl Fields {
    pub(super) fn extend(&mut self, fields: &Self) {
        self.0.extend(fields.0.iter().map(|(name, value)| (name.clone(), value.clone())));
    }

    fn set(&mut self, field: &Field, value: impl Into<Value>) {
        // A field may have the name of a keyword.
        let name = field.name();
        self.0.insert(name.strip_prefix("r#").unwrap_or(name).to_owned(), value.into());
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.set(field, format!("{value:?}"));
    }
}

impl Line<'_> {
    /// A JSON object in a line: `level`, `ts`, `logger` and `msg` as controller-runtime has them, and the fields.
    pub(super) fn json(mut self) -> String {
        let message = self.fields.0.shift_remove(MESSAGE).unwrap_or_default();
        let level = self.level.as_str().to_ascii_lowercase();
        let mut line = Map::from_iter([
            ("level".to_owned(), level.into()),
            ("ts".to_owned(), self.time().into()),
            ("logger".to_owned(), self.target.into()),
            ("msg".to_owned(), message),
        ]);
        for (name, value) in self.fields.0 {
            // No field takes the place of one of the four.
            let name = if line.contains_key(&name) { format!("field.{name}") } else { name };
            line.insert(name, value);
        }
        let mut line = visible(&Value::Object(line).to_string());
        line.push('\n');
        line
    }

    /// A line for people.
    pub(super) fn text(mut self) -> String {
        let message = match self.fields.0.shift_remove(MESSAGE) {
            Some(Value::String(message)) => message.replace('\n', "\\n").replace('\t', "\\t"),
            _ => String::new(),
        };
        let mut line = format!("{} {:5} {}: {message}", self.time(), self.level.as_str(), self.target);
        for (name, value) in &self.fields.0 {
            // Cannot fail, because a string takes all.
            let _ = match value {
                Value::String(text) if is_plain(text) => write!(line, " {name}={text}"),
                value => write!(line, " {name}={value}"),
            };
        }
        let mut line = visible(&line);
        line.push('\n');
        line
    }

    fn time(&self) -> String {
        format!("{:.3}", self.time)
    }
}

/// Whether a text needs no quotes.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|char| char.is_alphanumeric() || "-_./:@+".contains(char))
}
