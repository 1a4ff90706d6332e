//! YAML as trees that keep how a scalar was spelled, and its line.

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::Problem;

/// A node of a document.
#[derive(Clone, Debug)]
pub(crate) struct Yaml {
    pub(crate) value: Value,
    /// The line, counted from 1.
    pub(crate) line: usize,
}

/// What a node is.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Plain(String),
    Quoted { text: String, is_double: bool },
    List(Vec<Yaml>),
    Mapping(Vec<(Yaml, Yaml)>),
}

impl Yaml {
    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Plain(text) | Value::Quoted { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Mapping(entries) => {
                entries.iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

/// A list or a mapping that is not at its end.
struct Open {
    nodes: Vec<Yaml>,
    is_mapping: bool,
    line: usize,
}

/// Most lists and mappings in each other.
const MAX_DEPTH: usize = 64;

/// Reads the one document of a text; an error is the line and what is wrong there.
pub(crate) fn read(text: &str) -> Result<Yaml, (usize, Problem)> {
    let mut open: Vec<Open> = Vec::new();
    let mut root = None;
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|error| (error.marker().line(), Problem::Yaml(error.info().to_owned())))?;
        let line = span.start.line();
        let unsupported = |what| Err((line, Problem::Unsupported(what)));
        let node = match event {
            Event::Alias(_) => return unsupported("an alias"),
            Event::Scalar(_, _, 1.., _) | Event::SequenceStart(1.., _) | Event::MappingStart(1.., _) => {
                return unsupported("an anchor");
            }
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, Some(_))
            | Event::MappingStart(_, Some(_)) => {
                return unsupported("a tag of YAML");
            }
            Event::DocumentStart(_) if root.is_some() => return unsupported("a second document"),
            Event::Scalar(text, ScalarStyle::Plain, ..) => Yaml { value: Value::Plain(text.into_owned()), line },
            Event::Scalar(text, style, ..) => {
                let is_double = style == ScalarStyle::DoubleQuoted;
                Yaml { value: Value::Quoted { text: text.into_owned(), is_double }, line }
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() == MAX_DEPTH {
                    return unsupported("a value in more than 64 others");
                }
                open.push(Open { nodes: Vec::new(), is_mapping: matches!(event, Event::MappingStart(..)), line });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(done) = open.pop() else { continue };
                Yaml { line: done.line, value: done.value() }
            }
            _ => continue,
        };
        match open.last_mut() {
            Some(outer) => outer.nodes.push(node),
            None => root = Some(node),
        }
    }
    root.ok_or((1, Problem::Identity("apiVersion")))
}

impl Open {
    fn value(self) -> Value {
        if !self.is_mapping {
            return Value::List(self.nodes);
        }
        let mut entries = Vec::new();
        let mut nodes = self.nodes.into_iter();
        while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
            entries.push((key, value));
        }
        Value::Mapping(entries)
    }
}
