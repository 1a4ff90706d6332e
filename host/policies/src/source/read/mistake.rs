//! Where a mistake is that the parser notices further down.
//!
//! A line without a colon, a bracket that is left open and a line that is indented too far are read as parts of
//! what follows, so the parser points there. Where the lines above leave no doubt, the error points to the
//! mistake.

use crate::source::{Source, Span};

/// What is wrong in place of the parser's words, for which [`super::super::problem`] has help.
const KEYLESS: &str = "this line has no `: ` between a key and its value";
const DASH: &str = "this line has no space behind its dash";
const TAB: &str = "a tab indents this line";
const LEFT_OPEN: &str = "this bracket is left open";
const TOO_DEEP: &str = "this line is indented further than the next one";
const STRAY_ITEM: &str = "this line is an item of a list, and the next one is none";

/// Most lines that are looked at.
const MOST: usize = 1_000;

/// The place and the words of a mistake that the parser notices at the byte `at`. `bracket` is where the brackets
/// begin in which the parser is.
pub(super) fn find(
    source: &Source,
    at: usize,
    words: &str,
    bracket: Option<usize>,
) -> Option<(usize, &'static str)> {
    let number = source.position(at).line;
    if let Some(bracket) = bracket {
        return is_left_open(source, bracket, number).then_some((bracket, LEFT_OPEN));
    }
    let above = Line::before(source, number)?;
    if above.is_of_text(source) {
        return None;
    }
    if let Some(tab) = above.tab().filter(|_| above.has_key()) {
        return Some((tab, TAB));
    }
    match words {
        "simple key expect ':'" | "mapping values are not allowed in this context" => {
            let words = if !above.has_key() {
                KEYLESS
            } else if above.has_narrow_dash() {
                DASH
            } else {
                return None;
            };
            Some((above.content().start, words))
        }
        "while parsing a block mapping, did not find expected key" => {
            let line = Line::of(source, number).filter(|line| line.has_sibling_below(source))?;
            let is_deeper = above.column() > line.column() && above.is_alone_above(source, line.column());
            is_deeper.then(|| (above.content().start, TOO_DEEP))
        }
        "while parsing a block collection, did not find expected '-' indicator" => {
            let line = Line::of(source, number).filter(|line| line.has_sibling_below(source))?;
            let is_item = above.indent() == line.indent() && above.column() > above.indent();
            (is_item && above.is_alone_above(source, line.column()))
                .then(|| (above.start + above.indent(), STRAY_ITEM))
        }
        _ => None,
    }
}

/// Whether nothing closes a bracket before the line with that number, which goes on with the block around the
/// bracket.
fn is_left_open(source: &Source, bracket: usize, number: usize) -> bool {
    let opened = source.position(bracket).line;
    let Some(opening) = Line::of(source, opened).filter(|_| opened < number) else { return false };
    match Line::of(source, number) {
        Some(line) => line.column() <= opening.column() && !line.text.trim_start().starts_with([']', '}']),
        // The end of the text.
        None => true,
    }
}

/// A line that is neither blank nor a comment.
struct Line<'s> {
    text: &'s str,
    /// Where it starts.
    start: usize,
    number: usize,
}

impl<'s> Line<'s> {
    fn of(source: &'s Source, number: usize) -> Option<Self> {
        let span = source.line(number);
        let text = source.slice(span);
        let is_blank = text.trim_start().is_empty() || text.trim_start().starts_with('#');
        (!is_blank).then_some(Self { text, start: span.start, number })
    }

    /// The nearest line above one.
    fn before(source: &'s Source, number: usize) -> Option<Self> {
        (1..number).rev().take(MOST).find_map(|number| Self::of(source, number))
    }

    /// White space at the start, in bytes.
    fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }

    /// The first tab at the start.
    fn tab(&self) -> Option<usize> {
        self.text.get(..self.indent())?.find('\t').map(|at| self.start + at)
    }

    /// Where the content starts, behind white space and the dashes of lists.
    fn column(&self) -> usize {
        self.text.len() - self.text.trim_start().trim_start_matches("- ").trim_start().len()
    }

    /// What is behind white space and dashes, without a comment.
    fn content(&self) -> Span {
        let content = self.text.get(self.column()..).unwrap_or_default();
        let content = content.split(" #").next().unwrap_or_default().trim_end();
        let start = self.start + self.column();
        Span::new(start, start + content.len())
    }

    fn content_text(&self) -> &'s str {
        let Span { start, end } = self.content();
        self.text.get(start - self.start..end - self.start).unwrap_or_default()
    }

    fn has_key(&self) -> bool {
        self.opens_block() || self.content_text().contains(": ")
    }

    /// Whether what is indented below it is its value.
    fn opens_block(&self) -> bool {
        let content = self.content_text();
        content.ends_with(':') || matches!(content, "-" | "---")
    }

    /// Whether it starts with a dash that is followed by something else than a space.
    fn has_narrow_dash(&self) -> bool {
        let mut start = self.content_text().chars();
        start.next() == Some('-') && start.next().is_some_and(char::is_alphanumeric)
    }

    /// The nearest line above that is indented less.
    fn parent(&self, source: &'s Source) -> Option<Self> {
        let mut above = (1..self.number).rev().take(MOST).filter_map(|number| Self::of(source, number));
        above.find(|line| line.column() < self.column())
    }

    /// Whether it goes on with a text that begins further up.
    fn is_of_text(&self, source: &'s Source) -> bool {
        self.parent(source).is_some_and(|parent| !parent.opens_block())
    }

    /// Whether it is the only line below its parent so far, and would belong to the parent at that column too.
    fn is_alone_above(&self, source: &'s Source, column: usize) -> bool {
        Self::before(source, self.number).is_some_and(|parent| parent.opens_block() && parent.column() < column)
    }

    /// Whether a key below it stands at the same column, in the same block.
    fn has_sibling_below(&self, source: &'s Source) -> bool {
        let mut below = (1..=MOST).filter_map(|further| Self::of(source, self.number + further));
        let next = below.find(|line| line.indent() <= self.column());
        next.is_some_and(|next| next.column() == self.column() && next.indent() == self.column())
    }
}
