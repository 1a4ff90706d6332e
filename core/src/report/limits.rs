//! The limits of a report.

use std::borrow::Cow;

/// The most findings of each sort in one report. The sorts are new errors, errors that the old object had already,
/// and warnings. The first thousand show how a document is broken.
pub const MAX_FINDINGS: usize = 1_000;

/// The most bytes of text of each sort in one report. One finding may go beyond.
pub const MAX_BYTES: usize = 1 << 20;
/// The longest detail and the longest remedy, in bytes. Both may quote lists of an object.
pub const MAX_WORDS: usize = 4 << 10;
/// So many supported values do not fit in a sentence.
pub const MANY: usize = 9;
/// The most supported values that a finding lists.
pub const MAX_SUPPORTED: usize = 4_000;
/// The longest text that a finding shows as its value, in bytes.
pub const MAX_VALUE: usize = 256;

/// What the findings of one sort take up in a report.
#[derive(Debug, Default)]
pub struct Share {
    pub findings: usize,
    pub bytes: usize,
    /// Whether the report left out a finding for want of room.
    pub is_exceeded: bool,
}

/// The text, cut to so many bytes at most. A text that was cut ends in `…`.
pub fn cut(text: Cow<'_, str>, limit: usize) -> Cow<'_, str> {
    match text.get(..text.floor_char_boundary(limit)) {
        Some(start) if start.len() < text.len() => format!("{start}…").into(),
        _ => text,
    }
}
