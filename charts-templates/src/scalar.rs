//! What a plain scalar means, where all readers of YAML agree.

use crate::Problem;

/// The JSON text of a plain scalar; a text has none. Spellings that readers of YAML 1.1 and 1.2 read in different
/// ways are refused.
pub(crate) fn json(text: &str) -> Result<Option<&str>, Problem> {
    match text {
        "" => Ok(Some("null")),
        "null" | "true" | "false" => Ok(Some(text)),
        _ if is_number(text) => Ok(Some(text)),
        _ if may_be_another(text) => Err(Problem::Ambiguous(text.to_owned())),
        _ => Ok(None),
    }
}

/// Whether a text is an integer as JSON spells it, or a fraction without an exponent.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) =
        digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_whole =
        is_digits(whole) && (whole == "0" || !whole.starts_with('0')) && digits.len() <= 15 && text != "-0";
    is_whole && fraction.is_none_or(|fraction| is_digits(fraction) && !fraction.ends_with('0'))
}

/// Whether a reader may take a text for something else than a text.
fn may_be_another(text: &str) -> bool {
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let is_word = WORDS.contains(&text.to_ascii_lowercase().as_str()) || matches!(text, "~" | "<<" | "=");
    let numeral = text.trim_start_matches(['-', '+', '.']);
    let looks_like_number = numeral.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_hexdigit() || b"+-._:xoXOTZ ".contains(&byte));
    let is_infinite = matches!(numeral.to_ascii_lowercase().as_str(), "inf" | "nan") && text.contains('.');
    is_word || looks_like_number || is_infinite
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_scalar_means_what_all_readers_agree_on() {
        let table = [
            ("", Some(Some("null"))),
            ("null", Some(Some("null"))),
            ("true", Some(Some("true"))),
            ("0", Some(Some("0"))),
            ("420", Some(Some("420"))),
            ("-1", Some(Some("-1"))),
            ("1.5", Some(Some("1.5"))),
            ("Opaque", Some(None)),
            ("100Mi", Some(None)),
            ("21m", Some(None)),
            ("v1", Some(None)),
            ("cluster-admin", Some(None)),
            ("kubernetes.io/tls", Some(None)),
            ("--v=5", Some(None)),
            ("/healthz", Some(None)),
            ("yes", None),
            ("On", None),
            ("n", None),
            ("~", None),
            ("True", None),
            ("010", None),
            ("0x10", None),
            ("1e3", None),
            ("1_000", None),
            ("1.10", None),
            ("-0", None),
            ("12:30", None),
            ("2026-01-01", None),
            (".5", None),
            (".inf", None),
            ("12345678901234567890", None),
        ];
        for (text, expected) in table {
            assert_eq!(json(text).ok(), expected, "{text}");
        }
    }
}
