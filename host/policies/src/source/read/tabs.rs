//! Tabs after a colon, and tabs that indent.
//!
//! YAML lets tabs separate a key from its value, and the parser refuses them in front of a letter or a hyphen.
//! Where the parser does so, spaces take the place of the tabs in what the parser reads; every value stays where
//! it is.

use std::borrow::Cow;

use crate::source::{ReadError, ReadProblem};

/// What the parser says of such a tab.
const REFUSAL: &str = "':' must be followed by a valid YAML whitespace";
/// Most bytes that are parsed again.
const MOST: usize = 64 << 20;

/// A text without the tabs that the parser refused so far.
pub(super) struct Tabs<'t> {
    text: Cow<'t, str>,
    parsed: usize,
}

impl<'t> Tabs<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text: Cow::Borrowed(text), parsed: 0 }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Replaces the tabs that the parser refuses; whether there are any, and the text may be parsed again.
    pub(super) fn replace(&mut self, error: &ReadError) -> bool {
        let (ReadProblem::Syntax(words), Some(span)) = (&error.problem, error.span) else { return false };
        self.parsed += self.text.len();
        let Some(before) = self.text.get(..span.start).filter(|_| words == REFUSAL && self.parsed <= MOST) else {
            return false;
        };
        let start = before.trim_end_matches([' ', '\t']).len();
        if !self.text.get(start..span.start).is_some_and(|gap| gap.contains('\t')) {
            return false;
        }
        self.text.to_mut().replace_range(start..span.start, &" ".repeat(span.start - start));
        true
    }
}

/// What the parser says of a tab that indents a line.
pub(super) const IN_INDENT: &str = "while scanning a plain scalar, found a tab";

/// The first tab at or behind a place that indents a line.
pub(super) fn indenting(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let mut lines = rest.match_indices('\n').map(|(end, _)| end + 1);
    let indent = |start: usize| {
        rest.get(start..)?.find(|char| char != ' ').filter(|at| rest.as_bytes().get(start + at) == Some(&b'\t'))
    };
    lines.find_map(|start| Some(from + start + indent(start)?))
}
