//! XML as JSON, and JSON as XML.
//!
//! An element is a text, or an object of the elements in it. Elements of one name next to each other are a list,
//! and those that a declaration names as lists always are. What is read and written again has the same elements,
//! so that the rules of other people in a bucket survive.

use std::io;

use quick_xml::events::{BytesDecl, BytesText, Event};
use quick_xml::{Reader, Writer};
use serde_json::{Map, Value};

use crate::call::Parameter;

/// Deepest nesting of elements.
const DEEPEST: usize = 32;
/// Most elements: a list of a thousand objects has some 12,000.
const MOST: usize = 100_000;

/// Why a text is not read: it is no XML, or XML that has more than elements and texts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unreadable(String);

impl Unreadable {
    fn because(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// An element that is not closed yet.
#[derive(Debug, Default)]
struct Open {
    name: String,
    text: String,
    members: Map<String, Value>,
}

/// Reads a whole document: the name of its root, and what is in it. `lists` are the names that lead from the root
/// to elements that are lists, such as `Rule/Tag`.
pub(super) fn read(text: &[u8], lists: &[&str]) -> Result<(String, Value), Unreadable> {
    let text = std::str::from_utf8(text).map_err(|_| Unreadable::because("it is not UTF-8"))?;
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    // The first holds the root.
    let mut open = vec![Open::default()];
    let mut count = 0_usize;
    loop {
        match reader.read_event().map_err(|error| Unreadable::because(error.to_string()))? {
            event @ (Event::Start(_) | Event::Empty(_)) => {
                let is_empty = matches!(event, Event::Empty(_));
                let (Event::Start(start) | Event::Empty(start)) = event else { continue };
                count += 1;
                if count > MOST || open.len() > DEEPEST {
                    return Err(Unreadable::because("it has too many elements, or too many in each other"));
                }
                // The root may name its vocabulary.
                if open.len() > 1 && start.attributes().next().is_some() {
                    return Err(Unreadable::because(format!("`{}` has attributes", start.name().as_ref())));
                }
                open.push(Open { name: start.name().as_ref().to_owned(), ..Open::default() });
                if is_empty {
                    close(&mut open, lists)?;
                }
            }
            Event::End(_) => close(&mut open, lists)?,
            Event::Text(text) => add(&mut open, &text.xml10_content()),
            Event::CData(text) => add(&mut open, &text.xml10_content()),
            Event::GeneralRef(reference) => {
                let known = match &*reference {
                    "lt" => Some('<'),
                    "gt" => Some('>'),
                    "amp" => Some('&'),
                    "quot" => Some('"'),
                    "apos" => Some('\''),
                    _ => reference.resolve_char_ref().ok().flatten(),
                };
                let known = known.ok_or_else(|| Unreadable::because("it has an unknown entity"))?;
                add(&mut open, known.encode_utf8(&mut [0; 4]));
            }
            Event::DocType(_) => return Err(Unreadable::because("it has a document type")),
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => break,
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(document), true) if document.text.trim_ascii().is_empty() => {
            let mut roots = document.members.into_iter();
            match (roots.next(), roots.next()) {
                (Some((name, root)), None) if !root.is_array() => Ok((name, root)),
                _ => Err(Unreadable::because("it has not one root element")),
            }
        }
        _ => Err(Unreadable::because("it is not complete")),
    }
}

fn add(open: &mut [Open], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

/// Closes the last element, and gives it to the one that it is in.
fn close(open: &mut Vec<Open>, lists: &[&str]) -> Result<(), Unreadable> {
    let within = path(open);
    let Some(Open { name, text, mut members }) = open.pop() else { return Ok(()) };
    let is_in = |list: &&&str| match list.rsplit_once('/') {
        Some((parent, _)) => within == parent,
        None => within.is_empty() && open.len() == 1,
    };
    for list in lists.iter().filter(is_in) {
        let name = list.rsplit('/').next().unwrap_or_default();
        let known = members.entry(name).or_insert_with(|| Value::Array(Vec::new()));
        if !known.is_array() {
            *known = Value::Array(vec![known.take()]);
        }
    }
    let value = match (members.is_empty(), text.trim_ascii().is_empty()) {
        (true, _) => Value::String(text),
        (false, true) => Value::Object(members),
        (false, false) => return Err(Unreadable::because(format!("`{name}` has text next to elements"))),
    };
    let Some(parent) = open.last_mut() else { return Ok(()) };
    match parent.members.get_mut(&name) {
        None => {
            parent.members.insert(name, value);
        }
        Some(Value::Array(entries)) => entries.push(value),
        Some(known) => *known = Value::Array(vec![known.take(), value]),
    }
    Ok(())
}

/// The names that lead from the root to the last element, without the root's.
fn path(open: &[Open]) -> String {
    let names: Vec<&str> = open.iter().skip(2).map(|element| element.name.as_str()).collect();
    names.join("/")
}

/// Why a value has no form as XML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unwritable {
    /// The name is none of an element.
    #[error("`{0}` is no name of an element")]
    Name(String),
    /// XML has no way to write a character.
    #[error("XML cannot hold the text {0:?}")]
    Text(String),
    /// A list stands in a list.
    #[error("a list stands where an element is needed")]
    List,
    /// Writing failed.
    #[error("{0}")]
    Failed(String),
}

impl From<io::Error> for Unwritable {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Writes a document with a root. An entry of a list is an element of the list's name; a member that is null is
/// left out.
pub(super) fn write(root: &str, value: &Parameter) -> Result<Vec<u8>, Unwritable> {
    let mut writer = Writer::new(Vec::new());
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    element(&mut writer, root, value)?;
    Ok(writer.into_inner())
}

fn element(writer: &mut Writer<Vec<u8>>, name: &str, value: &Parameter) -> Result<(), Unwritable> {
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|each| each.is_ascii_alphanumeric() || "-_.".contains(each));
    if !is_name {
        return Err(Unwritable::Name(name.to_owned()));
    }
    match value {
        Parameter::Null => Ok(()),
        Parameter::Text(plain) => text(writer, name, plain),
        Parameter::Number(number) => text(writer, name, &number.to_string()),
        Parameter::Bool(bool) => text(writer, name, &bool.to_string()),
        Parameter::List(_) => Err(Unwritable::List),
        Parameter::Object(members) => {
            let mut inner = Ok(());
            writer.create_element(name).write_inner_content(|writer| {
                inner = members.iter().try_for_each(|(name, value)| match value {
                    Parameter::List(entries) => entries.iter().try_for_each(|entry| element(writer, name, entry)),
                    value => element(writer, name, value),
                });
                Ok(())
            })?;
            inner
        }
    }
}

fn text(writer: &mut Writer<Vec<u8>>, name: &str, text: &str) -> Result<(), Unwritable> {
    let is_held = |each: char| matches!(each, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    if !text.chars().all(is_held) {
        return Err(Unwritable::Text(text.to_owned()));
    }
    // A reader makes a line feed of a carriage return that stands there as it is.
    let escaped = quick_xml::escape::escape(text).replace('\r', "&#13;");
    writer.create_element(name).write_text_content(BytesText::from_escaped(escaped))?;
    Ok(())
}

#[cfg(test)]
mod tests;
