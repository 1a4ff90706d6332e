//! Characters that nobody sees, or that turn the order of what stands around them.

use std::fmt::Write as _;

/// Controls, spaces that look like others, characters without width, and those that set a direction; those of
/// `web/src/invisible.ts`.
const INVISIBLE: [(char, char); 18] = [
    ('\u{0}', '\u{8}'),
    ('\u{b}', '\u{1f}'),
    ('\u{7f}', '\u{a0}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180e}'),
    ('\u{2000}', '\u{200f}'),
    ('\u{2028}', '\u{202f}'),
    ('\u{205f}', '\u{206f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff9}', '\u{fffc}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// A text in which such characters are codes, such as `U+202E`.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        if INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&char)) {
            // Cannot fail, because a string takes all.
            let _ = write!(shown, "U+{:04X}", u32::from(char));
        } else {
            shown.push(char);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_a_code() {
        assert_eq!(
            visible("a\u{200b}b\u{202e}c\u{a0}d\u{1b}[0m\u{e0041}"),
            "aU+200BbU+202EcU+00A0dU+001B[0mU+E0041"
        );
        assert_eq!(visible("Größe 大 😀\tb\nc שלום"), "Größe 大 😀\tb\nc שלום");
    }
}
