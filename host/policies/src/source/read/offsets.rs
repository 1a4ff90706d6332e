//! From positions in characters to positions in bytes.

use crate::source::Span;

/// Finds the byte of a character, because the parser counts characters.
pub(super) struct Offsets {
    /// Byte offset of every [`Self::STRIDE`]th character; empty for ASCII.
    marks: Vec<usize>,
}

impl Offsets {
    const STRIDE: usize = 64;

    pub(super) fn new(text: &str) -> Self {
        let marks = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices().step_by(Self::STRIDE).map(|(at, _)| at).collect()
        };
        Self { marks }
    }

    pub(super) fn byte(&self, text: &str, character: usize) -> usize {
        if self.marks.is_empty() {
            return character.min(text.len());
        }
        let Some(mark) = self.marks.get(character / Self::STRIDE) else { return text.len() };
        let rest = text.get(*mark..).unwrap_or_default();
        rest.char_indices().nth(character % Self::STRIDE).map_or(text.len(), |(at, _)| mark + at)
    }

    pub(super) fn span(&self, text: &str, start: usize, end: usize) -> Span {
        Span::new(self.byte(text, start), self.byte(text, end))
    }
}
