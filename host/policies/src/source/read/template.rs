//! Texts that programs fill in before anybody reads them as YAML.

use crate::source::{ReadError, ReadProblem, Source, Span};

/// How such programs mark what they fill in.
const MARKS: [(&str, &str); 4] = [("{{", "}}"), ("{%", "%}"), ("${", "}"), ("<%", "%>")];

/// The same error, or the error that the text is a template where the line has such a mark, or one of its
/// neighbours.
pub(super) fn or_template(error: ReadError) -> ReadError {
    let (Some(span), ReadProblem::Syntax(_) | ReadProblem::NotJson(_) | ReadProblem::KeyNotScalar) =
        (error.span, &error.problem)
    else {
        return error;
    };
    let line = error.input.position(span.start).line;
    let mut near = [line, line.saturating_sub(1), line + 1].into_iter().filter(|line| *line > 0);
    match near.find_map(|line| mark(&error.input, line)) {
        Some(mark) => ReadError { span: Some(mark), problem: ReadProblem::Template, ..error },
        None => error,
    }
}

/// The first mark in a line.
fn mark(source: &Source, line: usize) -> Option<Span> {
    let whole = source.line(line);
    let text = source.slice(whole);
    let found = MARKS.iter().filter_map(|(open, close)| {
        let start = text.find(open)?;
        let end = start + text.get(start..)?.find(close)? + close.len();
        Some(Span::new(whole.start + start, whole.start + end))
    });
    found.min_by_key(|span| span.start)
}
