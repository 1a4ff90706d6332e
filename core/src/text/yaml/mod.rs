//! Sets members at the top of a YAML mapping, in its text: comments, order, quotes and everything else stay as a
//! person wrote them.
//!
//! The text is never rewritten. An edit is read again, and counts only where the new text says the same as the old
//! one, but for the members that were set. Aliases are not followed, so that no text stands for more than it is.

mod outline;

use std::ops::Range;

use outline::{Entry, Layout, Outline, Token};
pub use outline::{MAX_BYTES, MAX_DEPTH, YamlError};

/// A scalar to set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar<'s> {
    /// `true`
    True,
    /// A text that is a plain scalar in YAML: letters, digits and `./_-`, and no word that YAML takes for
    /// something else.
    Text(&'s str),
}

impl Scalar<'_> {
    /// The scalar in block style, or in brackets, where JSON has to stay JSON.
    fn spelled(self, layout: Layout) -> String {
        match (self, layout) {
            (Self::True, _) => "true".to_owned(),
            (Self::Text(text), Layout::Brackets) => format!("\"{text}\""),
            (Self::Text(text), _) => text.to_owned(),
        }
    }

    /// Whether a value of the text is this one.
    fn is(self, value: &[Token]) -> bool {
        let [Token::Scalar { text, is_plain, tag: None, .. }] = value else { return false };
        match self {
            Self::True => *is_plain && text == "true",
            Self::Text(wanted) => text == wanted,
        }
    }
}

/// A mapping as a text.
#[derive(Clone, Debug)]
pub struct Mapping<'t> {
    text: &'t str,
    outline: Outline,
}

/// A replacement in a text.
struct Edit {
    range: Range<usize>,
    by: String,
}

impl<'t> Mapping<'t> {
    /// Reads a text with one mapping, or with nothing at all.
    pub fn read(text: &'t str) -> Result<Self, YamlError> {
        Ok(Self { text, outline: Outline::read(text)? })
    }

    /// The text of a scalar at the top; `None` where there is no such member.
    pub fn scalar(&self, key: &str) -> Option<&str> {
        match self.outline.value(self.outline.entry(key)?) {
            [Token::Scalar { text, .. }] => Some(text),
            _ => None,
        }
    }

    /// Whether the mapping has a member of that name.
    pub fn has(&self, key: &str) -> bool {
        self.outline.entry(key).is_some()
    }

    /// The text with members set at the top. A member that is absent goes to its place in the order of the keys
    /// where they are in order and no comment stands between them, and else to the end.
    pub fn with(&self, members: &[(&str, Scalar<'_>)]) -> Result<String, YamlError> {
        let missing = |(key, scalar): &&(&str, Scalar<'_>)| match self.outline.entry(key) {
            Some(entry) => !scalar.is(self.outline.value(entry)),
            None => true,
        };
        let members: Vec<_> = members.iter().filter(missing).copied().collect();
        if members.is_empty() {
            return Ok(self.text.to_owned());
        }
        // A line break behind the last line of a scalar would be a part of it.
        let is_open = self.outline.ends_in_block && !self.text.ends_with('\n');
        for place in [Place::Natural, Place::Top].into_iter().skip(usize::from(is_open)) {
            let text = self.edited(&members, place)?;
            if self.is_same_but(&text, &members) {
                return Ok(text);
            }
        }
        Err(YamlError::NotEditable)
    }

    fn edited(&self, members: &[(&str, Scalar<'_>)], place: Place) -> Result<String, YamlError> {
        let mut edits = Vec::with_capacity(members.len());
        let mut absent = Vec::new();
        for (key, scalar) in members {
            match self.outline.entry(key) {
                Some(entry) => edits.push(self.replacement(entry, *scalar)?),
                None => absent.push((*key, scalar.spelled(self.outline.layout))),
            }
        }
        match self.outline.layout {
            Layout::Brackets if absent.is_empty() => {}
            Layout::Brackets => edits.push(self.in_brackets(&absent)),
            Layout::Lines => {
                let has_order = place == Place::Natural && !absent.is_empty() && self.is_in_order();
                edits.extend(absent.iter().map(|(key, value)| self.line(key, value, place, has_order)));
            }
        }
        let end = self.text.len();
        let is_ended = self.text.is_empty() || self.text.ends_with('\n');
        if !is_ended && edits.iter().any(|edit| edit.range.start == end && edit.by.ends_with('\n')) {
            edits.insert(0, Edit { range: end..end, by: "\n".to_owned() });
        }
        // From the end, so that places before stay as they are. Insertions at one place keep their order.
        edits.sort_by_key(|edit| edit.range.start);
        let mut text = self.text.to_owned();
        for edit in edits.iter().rev() {
            text.replace_range(edit.range.clone(), &edit.by);
        }
        Ok(text)
    }

    fn replacement(&self, entry: &Entry, scalar: Scalar<'_>) -> Result<Edit, YamlError> {
        // An alias may name the value, and a tag may say what it is, so that another value in its place would
        // change more.
        let [Token::Scalar { anchor: 0, tag: None, text, is_plain }] = self.outline.value(entry) else {
            return Err(YamlError::NoScalar(entry.key.clone()));
        };
        let spelled = scalar.spelled(self.outline.layout);
        if entry.is_block {
            let range = byte(self.text, entry.key_end)..byte(self.text, entry.span.end);
            return Ok(Edit { range, by: format!(": {spelled}\n") });
        }
        if *is_plain && text.is_empty() {
            // There is no value: the new one comes behind the colon.
            let end = byte(self.text, entry.key_end);
            let rest = self.text.get(end..).unwrap_or_default();
            let colon = rest.find(|char| char != ' ').filter(|at| rest.as_bytes().get(*at) == Some(&b':'));
            let at = end + colon.ok_or(YamlError::NotEditable)? + 1;
            return Ok(Edit { range: at..at, by: format!(" {spelled}") });
        }
        let start = byte(self.text, entry.span.start);
        let value = self.text.get(start..byte(self.text, entry.span.end)).unwrap_or_default();
        let range = start..start + end_of(value);
        Ok(Edit { range, by: spelled })
    }

    /// Members behind the bracket at the beginning.
    fn in_brackets(&self, members: &[(&str, String)]) -> Edit {
        let at = byte(self.text, self.outline.start) + 1;
        let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        let comma = if self.outline.entries.is_empty() { "" } else { ", " };
        Edit { range: at..at, by: format!("{}{comma}", members.join(", ")) }
    }

    /// A member in a line of its own.
    fn line(&self, key: &str, value: &str, place: Place, has_order: bool) -> Edit {
        let next = match place {
            Place::Natural if has_order => self.outline.entries.iter().find(|entry| *entry.key > *key),
            Place::Natural => None,
            Place::Top => self.outline.entries.first(),
        };
        let column = self.outline.entries.first().map_or(0, |entry| entry.column);
        let margin = " ".repeat(column);
        if let Some(next) = next {
            let at = byte(self.text, next.start);
            return Edit { range: at..at, by: format!("{key}: {value}\n{margin}") };
        }
        let end = self.text.len();
        Edit { range: end..end, by: format!("{margin}{key}: {value}\n") }
    }

    /// Whether a new key belongs between others: the keys are sorted, and no comment belongs to one of them.
    fn is_in_order(&self) -> bool {
        self.outline.entries.is_sorted_by(|one, next| one.key <= next.key)
            && !self.text.lines().any(|line| line.trim_start().starts_with('#'))
    }

    /// Whether a text says the same, but for members that are set.
    fn is_same_but(&self, text: &str, members: &[(&str, Scalar<'_>)]) -> bool {
        let Ok(edited) = Outline::read(text) else { return false };
        let is_other = |(known, _): &(&str, &[Token])| members.iter().all(|(key, _)| key != known);
        let is_set = |(key, scalar): &(&str, Scalar<'_>)| {
            edited.entry(key).is_some_and(|entry| scalar.is(edited.value(entry)))
        };
        let (new, old) = (edited.members().filter(is_other), self.outline.members().filter(is_other));
        members.iter().all(is_set) && new.eq(old)
    }
}

/// Where members go that are absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// To their place in the order of the keys, or to the end.
    Natural,
    /// Before all others, because an edit at the end may be inside of the last value.
    Top,
}

/// The end of a scalar at the beginning of a text: the parser takes blanks and a comment behind quotes for a part
/// of it.
fn end_of(value: &str) -> usize {
    let mut chars = value.char_indices();
    let Some((_, quote @ ('"' | '\''))) = chars.next() else { return value.trim_end().len() };
    let mut is_escaped = false;
    for (at, char) in chars {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' if quote == '"' => is_escaped = true,
            // Two single quotes stand for one.
            '\'' if quote == '\'' && value.get(at + 1..).is_some_and(|rest| rest.starts_with('\'')) => {
                is_escaped = true;
            }
            _ if char == quote => return at + 1,
            _ => {}
        }
    }
    value.len()
}

/// The byte of a character, because the parser counts characters.
fn byte(text: &str, character: usize) -> usize {
    if text.is_ascii() {
        return character.min(text.len());
    }
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests;
