//! A named text and the positions in it.

/// A range of bytes of a [`Source`], end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

impl Span {
    /// A range from its ends; an end before the start counts as empty.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// Whether nothing is in it.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// A place in a text as editors count; line and columns start at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column in characters.
    pub column: usize,
    /// Column in UTF-16 code units.
    pub utf16_column: usize,
}

/// A text with the name under which a person knows it.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    /// Byte offset of the start of each line.
    lines: Vec<usize>,
}

impl Source {
    /// A source from the path as the person gave it, and its text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        Self { name: name.into(), text, lines }
    }

    /// The path as the person gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a range; empty where the range is not one of whole characters.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Where a byte stands.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.lines.partition_point(|start| *start <= offset).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or(0);
        let before = self.text.as_bytes().get(start..offset).unwrap_or_default();
        // Characters are counted by their first bytes; those of four bytes are two units of UTF-16.
        let characters = before.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let astral = before.iter().filter(|byte| **byte >= 0xF0).count();
        Position { line, column: characters + 1, utf16_column: characters + astral + 1 }
    }

    /// The range of a line that starts at 1, without its line break.
    pub fn line(&self, line: usize) -> Span {
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len());
        let end = self.lines.get(line).map_or(self.text.len(), |next| next - 1);
        let text = self.text.get(start..end).unwrap_or_default();
        Span::new(start, start + text.trim_end_matches('\r').len())
    }

    /// The part of a range that stands on its first line, without white space at its end.
    pub fn first_line(&self, span: Span) -> Span {
        let end = self.line(self.position(span.start).line).end.min(span.end);
        let text = self.slice(Span::new(span.start, end));
        Span::new(span.start, span.start + text.trim_end().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_utf16_units() {
        let source = Source::new("a.yaml", "a: b\r\né: 😀x\n");
        let at = source.text().find('x').unwrap();
        assert_eq!(source.position(at), Position { line: 2, column: 5, utf16_column: 6 });
        assert_eq!(source.position(0), Position { line: 1, column: 1, utf16_column: 1 });
        assert_eq!(source.position(usize::MAX).line, 3);
    }

    #[test]
    fn lines_leave_their_breaks_out() {
        let source = Source::new("a.yaml", "ab\r\ncd\n\nef");
        let lines: Vec<_> = (1..=5).map(|line| source.slice(source.line(line))).collect();
        assert_eq!(lines, ["ab", "cd", "", "ef", ""]);
    }

    #[test]
    fn a_range_over_lines_is_cut_at_the_first() {
        let source = Source::new("a.yaml", "a: 1  \nb: 2\n");
        assert_eq!(source.slice(source.first_line(Span::new(3, 10))), "1");
    }
}
