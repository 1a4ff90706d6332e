//! The difference between two texts.

use similar::TextDiff;

/// A unified diff, with the names of both texts where there are any.
pub(crate) fn unified(before: &str, after: &str, names: Option<(&str, &str)>, has_color: bool) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut unified = diff.unified_diff();
    unified.context_radius(3);
    if let Some((before, after)) = names {
        unified.header(before, after);
    }
    let text = unified.to_string();
    if !has_color {
        return text;
    }
    let paint = |line: &str| match line.as_bytes().first() {
        Some(b'+') => format!("\x1b[32m{line}\x1b[0m\n"),
        Some(b'-') => format!("\x1b[31m{line}\x1b[0m\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(paint).collect()
}
