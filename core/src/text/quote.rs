//! Texts in quotes, as Go prints them.

use std::fmt::Write as _;

/// Characters that the compiler's Unicode (17.0) has and Go's (15.0) has not: first and last of each range. A range
/// also covers what neither has.
const LATER: [(char, char); 53] = [
    ('\u{88f}', '\u{897}'),
    ('\u{c5c}', '\u{c5c}'),
    ('\u{cdc}', '\u{cdc}'),
    ('\u{1acf}', '\u{1aeb}'),
    ('\u{1b4e}', '\u{1b4f}'),
    ('\u{1b7f}', '\u{1b7f}'),
    ('\u{1c89}', '\u{1c8a}'),
    ('\u{20c1}', '\u{20c1}'),
    ('\u{2427}', '\u{2429}'),
    ('\u{2b96}', '\u{2b96}'),
    ('\u{2ffc}', '\u{2fff}'),
    ('\u{31e4}', '\u{31ef}'),
    ('\u{a7cb}', '\u{a7cf}'),
    ('\u{a7d2}', '\u{a7d2}'),
    ('\u{a7d4}', '\u{a7d4}'),
    ('\u{a7da}', '\u{a7f1}'),
    ('\u{fbc3}', '\u{fbd2}'),
    ('\u{fd90}', '\u{fd91}'),
    ('\u{fdc8}', '\u{fdce}'),
    ('\u{105c0}', '\u{105f3}'),
    ('\u{10940}', '\u{10959}'),
    ('\u{10d40}', '\u{10d8f}'),
    ('\u{10ec2}', '\u{10efc}'),
    ('\u{11380}', '\u{113e2}'),
    ('\u{116d0}', '\u{116e3}'),
    ('\u{11b60}', '\u{11bf9}'),
    ('\u{11db0}', '\u{11de9}'),
    ('\u{11f5a}', '\u{11f5a}'),
    ('\u{13460}', '\u{143fa}'),
    ('\u{16100}', '\u{16139}'),
    ('\u{16d40}', '\u{16d79}'),
    ('\u{16ea0}', '\u{16ed3}'),
    ('\u{16ff2}', '\u{16ff6}'),
    ('\u{187f8}', '\u{187ff}'),
    ('\u{18cff}', '\u{18cff}'),
    ('\u{18d09}', '\u{18df2}'),
    ('\u{1cc00}', '\u{1cef0}'),
    ('\u{1e5d0}', '\u{1e6ff}'),
    ('\u{1f6d8}', '\u{1f6d8}'),
    ('\u{1f777}', '\u{1f77a}'),
    ('\u{1f8b2}', '\u{1f8d8}'),
    ('\u{1fa54}', '\u{1fa57}'),
    ('\u{1fa89}', '\u{1fa8f}'),
    ('\u{1fabe}', '\u{1fabe}'),
    ('\u{1fac6}', '\u{1facd}'),
    ('\u{1fadc}', '\u{1fadf}'),
    ('\u{1fae9}', '\u{1faef}'),
    ('\u{1fbcb}', '\u{1fbef}'),
    ('\u{1fbfa}', '\u{1fbfa}'),
    ('\u{2b73a}', '\u{2b73f}'),
    ('\u{2cea2}', '\u{2cead}'),
    ('\u{2ebf0}', '\u{2ee5d}'),
    ('\u{323b0}', '\u{33479}'),
];

/// A text in double quotes, escaped as the existing extensions print it (Go's `%q`).
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for char in text.chars() {
        match char {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{b}' => quoted.push_str("\\v"),
            ' '..='~' => quoted.push(char),
            '\0'..='\u{7f}' => drop(write!(quoted, "\\x{:02x}", u32::from(char))),
            char if is_print(char) => quoted.push(char),
            '\0'..='\u{ffff}' => drop(write!(quoted, "\\u{:04x}", u32::from(char))),
            char => drop(write!(quoted, "\\U{:08x}", u32::from(char))),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether Go prints a character beyond ASCII as it is: a letter, mark, number, punctuation or symbol. So does Rust's
/// `escape_debug`, which escapes a mark only where it begins the text.
fn is_print(char: char) -> bool {
    if LATER.iter().any(|(first, last)| (*first..=*last).contains(&char)) {
        return false;
    }
    let mut buffer = [b'-'; 5];
    let end = char.encode_utf8(buffer.get_mut(1..).unwrap_or_default()).len();
    let pair = buffer.get(..=end).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default();
    pair.escape_debug().nth(1) == Some(char)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::quote;

    #[test]
    fn texts_are_quoted_as_go_quotes_them() {
        let cases: Vec<Value> =
            serde_json::from_str(include_str!("../../../tests/vectors/go-quote.json")).unwrap();
        assert_eq!(cases.len(), 302);
        let differ = cases.iter().filter(|case| quote(case["text"].as_str().unwrap()) != case["quoted"]);
        let differ: Vec<_> = differ.map(ToString::to_string).collect();
        assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
    }

    /// A compiler with a newer Unicode fails here, until `LATER` has its characters.
    #[test]
    fn as_many_characters_are_printed_as_unicode_15_has() {
        let printed = ('\u{80}'..=char::MAX).filter(|char| super::is_print(*char));
        assert_eq!(printed.count(), 148_903);
    }
}
