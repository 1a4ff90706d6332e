//! How deeply JSON text is nested.

/// Most levels of lists and objects in an object: those that a reader of JSON text takes.
pub const MOST_LEVELS: usize = 120;

/// Whether valid JSON text has more levels of lists and objects than [`MOST_LEVELS`].
pub fn is_too_deep(json: &str) -> bool {
    let (mut level, mut is_text, mut is_escaped) = (0_usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' | b'[' => {
                level += 1;
                if level > MOST_LEVELS {
                    return true;
                }
            }
            b'}' | b']' => level = level.saturating_sub(1),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_counted_and_brackets_in_texts_are_not() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        for (json, too_deep) in [
            (nested(MOST_LEVELS), false),
            (nested(MOST_LEVELS + 1), true),
            (format!("{{\"a\":[{}]}}", nested(MOST_LEVELS - 1)), true),
            (format!("[{}]", vec![nested(MOST_LEVELS - 1); 9].join(",")), false),
            (format!("[\"{}\"]", "[".repeat(500)), false),
            (format!("[\"\\\"{}\"]", "[".repeat(500)), false),
            (format!("[\"\\\\\",{}]", nested(MOST_LEVELS)), true),
        ] {
            assert_eq!(is_too_deep(&json), too_deep, "{json:.80}");
            let read = serde_json::from_str::<serde_json::Value>(&json);
            assert!(too_deep || read.is_ok(), "{json:.80}");
        }
    }
}
