//! Texts with `*` for any text.

/// Whether a text is like a pattern with `*` for any text.
pub(crate) fn like(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(text) = text.strip_suffix(end) else { return false };
    // Each part where it is first found: whatever else is tried is no nearer to the end.
    let mut parts = middle.split('*').filter(|part| !part.is_empty());
    parts.try_fold(text, |text, part| text.split_once(part).map(|(_, after)| after)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text, alike) in [
            ("*", "vpc:CreateVpc", true),
            ("vpc:*", "vpc:CreateVpc", true),
            ("vpc:*Vpc", "vpc:CreateVpc", true),
            ("*:Create*", "vpc:CreateVpc", true),
            ("vpc:Create", "vpc:CreateVpc", false),
            ("ecs:*", "vpc:CreateVpc", false),
            ("vpc:*VSwitch", "vpc:CreateVpc", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*b*b*", "abc", false),
            ("*b*b*", "abcb", true),
            ("a*b*c", "abbc", true),
            ("a*bc*c", "abc", false),
            ("**", "", true),
            ("é*ü", "éöü", true),
        ] {
            assert_eq!(like(pattern, text), alike, "{pattern} {text}");
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        assert!(!like(&"*a".repeat(500), &"a".repeat(499)));
        assert!(!like(&format!("{}b", "*a".repeat(50)), &"a".repeat(1000)));
    }
}
