//! Whole numbers in texts.

use super::{join, quote};

/// Reads a number as Go's function of this name does. The error is what Go says.
pub fn atoi(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let why = if is_number { "value out of range" } else { "invalid syntax" };
        join(&["strconv.Atoi: parsing ", &quote(text), ": ", why], "")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_go_reads_them() {
        for (text, number) in [("0", 0), ("+7", 7), ("-07", -7), ("9223372036854775807", i64::MAX)] {
            assert_eq!(atoi(text), Ok(number), "{text}");
        }
        for (text, why) in [
            ("", "invalid syntax"),
            ("+", "invalid syntax"),
            ("+-1", "invalid syntax"),
            (" 1", "invalid syntax"),
            ("1_0", "invalid syntax"),
            ("1.0", "invalid syntax"),
            ("9223372036854775808", "value out of range"),
            ("-9223372036854775809", "value out of range"),
        ] {
            assert_eq!(atoi(text), Err(format!("strconv.Atoi: parsing \"{text}\": {why}")));
        }
    }
}
