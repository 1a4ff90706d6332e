//! Patterns of texts.

/// Whether a text is one that a pattern describes. `*` at the start or the end of the pattern stands for any
/// characters; elsewhere it stands for itself.
pub fn matches_wildcard(text: &str, pattern: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (None, None) => text == pattern,
        (Some(end), None) => text.ends_with(end),
        (None, Some(start)) => text.starts_with(start),
        (Some(rest), Some(_)) => text.contains(rest.trim_end_matches('*')),
    }
}

/// Whether a text is one that any of some patterns [describes](matches_wildcard).
pub fn matches_any(text: &str, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| matches_wildcard(text, pattern))
}

/// Whether a text contains what a pattern describes. The pattern may have one `*`, which stands for any characters
/// of a line, or one `?`, which stands for a single character of a line.
pub fn occurs(text: &str, pattern: &str) -> bool {
    if let Some((start, end)) = pattern.split_once('*') {
        return text.lines().any(|line| line.split_once(start).is_some_and(|(_, rest)| rest.contains(end)));
    }
    if let Some((start, end)) = pattern.split_once('?') {
        return text.match_indices(start).any(|(place, _)| {
            let mut rest = text.get(place + start.len()..).unwrap_or_default().chars();
            rest.next().is_some_and(|any| any != '\n') && rest.as_str().starts_with(end)
        });
    }
    text.contains(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_at_either_end_stands_for_any_characters() {
        for (pattern, matching, others) in [
            ("abc", &["abc"][..], &["", "ab", "abcd", "xabc"][..]),
            ("abc*", &["abc", "abcd"], &["ab", "xabc"]),
            ("*abc", &["abc", "xabc"], &["bc", "abcd"]),
            ("*abc*", &["abc", "xabcd", "a\nabc\n"], &["ab", ""]),
            ("*", &["", "anything"], &[]),
            ("**", &["", "anything"], &[]),
            ("a*c", &["a*c"], &["abc", "ac"]),
            ("a?c", &["a?c"], &["abc"]),
        ] {
            for text in matching {
                assert!(matches_wildcard(text, pattern), "{text} {pattern}");
            }
            for text in others {
                assert!(!matches_wildcard(text, pattern), "{text} {pattern}");
            }
        }
        assert!(matches_any("abc", &["x", "a*"]) && !matches_any("abc", &["x", "b*"]) && !matches_any("", &[]));
    }

    #[test]
    fn a_part_is_found_within_a_line() {
        for (pattern, containing, others) in [
            ("bc", &["bc", "abcd", "a\nbc"][..], &["b", "b\nc"][..]),
            ("b*d", &["bd", "abcde", "b\nbxd"], &["db", "b\nd"]),
            ("b?d", &["bcd", "b→d", "bbbd"], &["bd", "b\nd", "bccd"]),
        ] {
            for text in containing {
                assert!(occurs(text, pattern), "{text:?} {pattern}");
            }
            for text in others {
                assert!(!occurs(text, pattern), "{text:?} {pattern}");
            }
        }
    }
}
