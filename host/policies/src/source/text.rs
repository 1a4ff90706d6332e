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
    /// At every [`STRIDE`]th byte, what stands before it in its line.
    marks: Vec<Width>,
    may_have_secrets: bool,
}

/// Distance of marks, in bytes: so far is counted to find a column in a line of any length.
const STRIDE: usize = 256;

/// The width of a part of a line.
#[derive(Clone, Copy, Debug, Default)]
struct Width {
    characters: usize,
    utf16_units: usize,
}

impl Width {
    /// Wider by some bytes. Characters are counted by their first bytes; those of four bytes are two units of
    /// UTF-16.
    fn and(self, bytes: &[u8]) -> Self {
        let characters = bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let astral = bytes.iter().filter(|byte| **byte >= 0xF0).count();
        Self { characters: self.characters + characters, utf16_units: self.utf16_units + characters + astral }
    }
}

impl Source {
    /// A source from the path as the person gave it, and its text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        let marks = marks(text.as_bytes());
        let may_have_secrets =
            text.contains("stringData") || text.split("Secret").skip(1).any(|rest| !rest.starts_with("Binding"));
        Self { name: name.into(), text, lines, marks, may_have_secrets }
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
        let mark = offset / STRIDE * STRIDE;
        let (from, width) = if mark > start {
            (mark, self.marks.get(offset / STRIDE).copied().unwrap_or_default())
        } else {
            (start, Width::default())
        };
        let width = width.and(self.text.as_bytes().get(from..offset).unwrap_or_default());
        Position { line, column: width.characters + 1, utf16_column: width.utf16_units + 1 }
    }

    /// Whether some object of the text may be a Secret. A line of such a text may be shown only where it is known
    /// which object the line belongs to.
    pub fn may_have_secrets(&self) -> bool {
        self.may_have_secrets
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

/// For every [`STRIDE`]th byte the width of what stands before it in its line.
fn marks(text: &[u8]) -> Vec<Width> {
    let mut width = Width::default();
    let mut marks = Vec::with_capacity(text.len() / STRIDE + 1);
    for chunk in text.chunks(STRIDE) {
        marks.push(width);
        width = match chunk.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => Width::default().and(chunk.get(at + 1..).unwrap_or_default()),
            None => width.and(chunk),
        };
    }
    // For a position at the end of a text that fills its last chunk.
    marks.push(width);
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_long_lines_are_those_of_counting() {
        let text = format!("x: {}\n{}", "aé😀".repeat(500), "é\n".repeat(400));
        let source = Source::new("a.yaml", text.as_str());
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let before = &text[..offset];
            let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
            let expected = Position {
                line: before.matches('\n').count() + 1,
                column: line.chars().count() + 1,
                utf16_column: line.encode_utf16().count() + 1,
            };
            assert_eq!(source.position(offset), expected, "{offset}");
        }
    }

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
