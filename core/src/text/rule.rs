//! What a text must be, and the words of the existing extensions where a text is something else.

use super::{matches_regex, quote};

/// What a text must be. The fields say how the existing extensions judge; a text may break several of them at
/// once.
#[derive(Clone, Copy, Debug)]
pub struct TextRule {
    edges: Edges,
    pattern: Option<Pattern>,
    /// The words about an empty text, where a text must not be empty.
    required: Option<&'static str>,
    min: usize,
    max: usize,
    is_reported_in_bytes: bool,
    is_hidden: bool,
}

/// What a text must not begin or end with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edges {
    Any,
    NoWhitespace,
    NoNewlines,
}

/// A regular expression, which an empty text need not match.
#[derive(Clone, Copy, Debug)]
struct Pattern {
    text: &'static str,
    /// Whether a text, which comes first, matches the pattern.
    matches: fn(&str, &str) -> bool,
    is_reported_in_quotes: bool,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whether there is no text, and has to be one; else the text is wrong.
    pub is_missing: bool,
    /// The words of the existing extensions.
    pub detail: String,
}

impl TextRule {
    /// A rule that every text keeps.
    pub const ANY: Self = Self {
        edges: Edges::Any,
        pattern: None,
        required: None,
        min: 0,
        max: usize::MAX,
        is_reported_in_bytes: false,
        is_hidden: false,
    };

    /// A text that is not empty must match a pattern of the form `^…$`.
    pub const fn pattern(pattern: &'static str) -> Self {
        Self {
            pattern: Some(Pattern { text: pattern, matches: matches_regex, is_reported_in_quotes: false }),
            ..Self::ANY
        }
    }

    /// A text that is not empty must have none of some characters: the pattern that words show is `^[^…]+$`. A
    /// policy without other patterns needs no engine for them.
    pub const fn without(pattern: &'static str, has_none: fn(&str, &str) -> bool) -> Self {
        Self {
            pattern: Some(Pattern { text: pattern, matches: has_none, is_reported_in_quotes: false }),
            ..Self::ANY
        }
    }

    /// The words about the pattern show it in quotes, as Go quotes a text.
    pub const fn reported_in_quotes(mut self) -> Self {
        if let Some(pattern) = self.pattern.as_mut() {
            pattern.is_reported_in_quotes = true;
        }
        self
    }

    /// A text must have no white space at its beginning and at its end.
    pub const fn no_whitespace_at_edges(self) -> Self {
        Self { edges: Edges::NoWhitespace, ..self }
    }

    /// A text must have no line break at its beginning and at its end.
    pub const fn no_newlines_at_edges(self) -> Self {
        Self { edges: Edges::NoNewlines, ..self }
    }

    /// A text must not be empty; the words are those about an empty text.
    pub const fn required(self, words: &'static str) -> Self {
        Self { required: Some(words), ..self }
    }

    /// A text must have so many characters at least and at most. Characters are code points.
    pub const fn length(self, min: usize, max: usize) -> Self {
        Self { min, max, ..self }
    }

    /// The words about the length give the number of bytes, although the rule counts code points.
    pub const fn reported_in_bytes(self) -> Self {
        Self { is_reported_in_bytes: true, ..self }
    }

    /// Findings must not show the text.
    pub const fn hidden(self) -> Self {
        Self { is_hidden: true, ..self }
    }

    /// Whether findings must not show the text.
    pub const fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// All that is wrong with a text: first its edges, then the pattern, then whether it is empty, then its
    /// length.
    pub fn faults(&self, text: &str) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut wrong = |detail: String| faults.push(Fault { is_missing: false, detail });
        match self.edges {
            Edges::NoWhitespace if text.trim() != text => {
                wrong("must not contain leading or trailing whitespace".to_owned());
            }
            Edges::NoNewlines if text.trim_matches(['\n', '\r']) != text => {
                wrong("must not contain leading or trailing newlines".to_owned());
            }
            _ => {}
        }
        if let Some(Pattern { text: pattern, matches, is_reported_in_quotes }) = self.pattern
            && !text.is_empty()
            && !matches(text, pattern)
        {
            let reported = if is_reported_in_quotes { quote(pattern) } else { pattern.to_owned() };
            wrong(format!("does not match expected regex {reported}"));
        }
        if let Some(words) = self.required
            && text.is_empty()
        {
            faults.push(Fault { is_missing: true, detail: words.to_owned() });
        }
        let characters = text.chars().count();
        let reported = if self.is_reported_in_bytes { text.len() } else { characters };
        let mut wrong = |detail: String| faults.push(Fault { is_missing: false, detail });
        if characters < self.min {
            wrong(format!("must not be fewer than {} characters, got {reported}", self.min));
        }
        if characters > self.max {
            wrong(format!("must not be more than {} characters, got {reported}", self.max));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn details(rule: TextRule, text: &str) -> Vec<String> {
        let detail = |fault: Fault| format!("{}{}", if fault.is_missing { "missing: " } else { "" }, fault.detail);
        rule.faults(text).into_iter().map(detail).collect()
    }

    #[test]
    fn aws_words() {
        const VPC: TextRule = TextRule::pattern(r"^vpc-[a-z0-9]+$").required("cannot be empty").length(0, 8);
        const KEY: TextRule = TextRule::pattern(r"^[A-Z0-9]+$").length(4, 4).hidden();
        assert_eq!(details(VPC, "vpc-1"), [""; 0]);
        assert_eq!(details(VPC, ""), ["missing: cannot be empty"]);
        assert_eq!(
            details(VPC, "vpc-1-äöü"),
            ["does not match expected regex ^vpc-[a-z0-9]+$", "must not be more than 8 characters, got 9"]
        );
        assert_eq!(details(KEY, ""), ["must not be fewer than 4 characters, got 0"]);
        assert!(KEY.is_hidden() && !VPC.is_hidden());
    }

    #[test]
    fn gcp_counts_code_points_and_reports_bytes() {
        const NAME: TextRule = TextRule::pattern(r"^[a-z]([-a-z0-9]*[a-z0-9])?$").length(1, 3).reported_in_bytes();
        let regex = "does not match expected regex ^[a-z]([-a-z0-9]*[a-z0-9])?$";
        assert_eq!(details(NAME, "äöü"), [regex]);
        assert_eq!(details(NAME, "äöüß"), [regex, "must not be more than 3 characters, got 8"]);
        assert_eq!(details(NAME, ""), ["must not be fewer than 1 characters, got 0"]);
    }

    #[test]
    fn openstack_quotes_its_pattern_and_looks_at_edges() {
        const NAME: TextRule =
            TextRule::pattern(r"^[^{}\[\]\n]+$").reported_in_quotes().required("cannot be empty").length(0, 255);
        const TENANT: TextRule = TextRule::ANY.no_whitespace_at_edges().length(0, 4);
        const PASSWORD: TextRule = TextRule::ANY.no_newlines_at_edges().hidden();
        assert_eq!(details(NAME, "a\nb"), [r#"does not match expected regex "^[^{}\\[\\]\\n]+$""#]);
        assert_eq!(details(TENANT, "a b"), [""; 0]);
        assert_eq!(details(TENANT, ""), [""; 0]);
        assert_eq!(
            details(TENANT, "a b c\u{a0}"),
            ["must not contain leading or trailing whitespace", "must not be more than 4 characters, got 6"]
        );
        assert_eq!(details(PASSWORD, " a\nb "), [""; 0]);
        assert_eq!(details(PASSWORD, "a\r"), ["must not contain leading or trailing newlines"]);
    }
}
