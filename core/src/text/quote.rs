//! Texts in quotes, as Go prints them.

use std::fmt::Write as _;

/// How many characters from U+0080 on Go does not print, how many after these Go prints, and so on in turns. After
/// the last of these numbers, Go prints none. Source: `strconv.IsPrint`, which has Unicode 15.0.
const RUNS: &str = include_str!("printed.txt");

/// A text in double quotes, escaped as the existing extensions print it (Go's `%q`).
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    let mut starts = None;
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
            char if is_printed(starts.get_or_insert_with(starts_of_runs), char) => quoted.push(char),
            '\0'..='\u{ffff}' => drop(write!(quoted, "\\u{:04x}", u32::from(char))),
            char => drop(write!(quoted, "\\U{:08x}", u32::from(char))),
        }
    }
    quoted.push('"');
    quoted
}

/// Where the runs after the first one begin: a printed one, one that is not printed, and so on.
fn starts_of_runs() -> Vec<u32> {
    let mut next = 0x80;
    let mut starts = Vec::new();
    for run in RUNS.split(' ').filter_map(|run| run.parse::<u32>().ok()) {
        next += run;
        starts.push(next);
    }
    starts
}

/// Whether Go prints a character beyond ASCII as it is: a letter, mark, number, punctuation or symbol.
fn is_printed(starts: &[u32], char: char) -> bool {
    starts.partition_point(|start| *start <= u32::from(char)) % 2 == 1
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

    #[test]
    fn as_many_characters_are_printed_as_unicode_15_has() {
        let starts = super::starts_of_runs();
        assert_eq!(starts.len(), super::RUNS.split(' ').count());
        let printed = ('\u{80}'..=char::MAX).filter(|char| super::is_printed(&starts, *char));
        assert_eq!(printed.count(), 148_903);
    }
}
