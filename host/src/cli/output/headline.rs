//! What is wrong, in one line.

use serde_json::Value;

use crate::answer::Finding;

/// Longest value in a line, in characters.
const MAX_VALUE: usize = 120;
/// Longest detail in a line, in characters.
const MAX_DETAIL: usize = 500;

/// What is wrong with which value of which field: the field, the detail, and in front of the detail the value in the words
/// of Kubernetes, where the detail does not name the value.
pub(super) fn headline(finding: &Finding) -> String {
    let Finding { field, detail, error_type, .. } = finding;
    let kind = kind(error_type);
    let value = value(finding).map(|value| format!("{kind}: {value}"));
    let what = match (value, detail.is_empty()) {
        (Some(value), true) => value,
        (Some(value), false) => format!("{value}: {}", shortened(detail, MAX_DETAIL)),
        (None, true) => kind.to_owned(),
        (None, false) => shortened(detail, MAX_DETAIL),
    };
    if field.is_empty() { what } else { format!("{field}: {what}") }
}

/// The sort of an error, in the words of Kubernetes.
fn kind(error_type: &str) -> &str {
    match error_type {
        "FieldValueNotFound" => "Not found",
        "FieldValueRequired" => "Required value",
        "FieldValueDuplicate" => "Duplicate value",
        "FieldValueInvalid" | "FieldValueTypeInvalid" => "Invalid value",
        "FieldValueNotSupported" => "Unsupported value",
        "FieldValueForbidden" => "Forbidden",
        "FieldValueTooLong" => "Too long",
        "FieldValueTooMany" => "Too many",
        "InternalError" => "Internal error",
        other => other,
    }
}

/// The value that is wrong, where the error is about a value that the detail does not name.
fn value(Finding { bad_value, detail, error_type, .. }: &Finding) -> Option<String> {
    const ABOUT_VALUES: [&str; 5] = [
        "FieldValueDuplicate",
        "FieldValueInvalid",
        "FieldValueNotFound",
        "FieldValueNotSupported",
        "FieldValueTypeInvalid",
    ];
    let text = bad_value.as_ref().filter(|_| ABOUT_VALUES.contains(&error_type.as_str()))?.get();
    let is_named = match serde_json::from_str(text) {
        // The policy cut a longer value.
        Ok(Value::String(value)) => detail.contains(value.split('…').next().unwrap_or_default()),
        Ok(Value::Number(_) | Value::Bool(_)) => {
            let words = detail.split(|sign: char| !(sign.is_alphanumeric() || "-+.".contains(sign)));
            words.into_iter().any(|word| word == text)
        }
        Ok(Value::Null | Value::Array(_) | Value::Object(_)) | Err(_) => return None,
    };
    (!is_named || detail.is_empty()).then(|| shortened(text, MAX_VALUE))
}

/// A text of at most so many characters; one that was cut ends in its length.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            format!("{start}… ({} characters)", text.chars().count())
        }
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headline_names_the_value_where_the_detail_does_not() {
        let long = format!("\"{}\"", "x".repeat(300));
        for (error_type, field, bad_value, detail, expected) in [
            ("FieldValueInvalid", "a.b", "\"x1\"", "must be a CIDR", "a.b: Invalid value: \"x1\": must be a CIDR"),
            ("FieldValueInvalid", "a.b", "\"x1\"", "x1 is no CIDR", "a.b: x1 is no CIDR"),
            ("FieldValueInvalid", "a", "5", "must be 15 at least", "a: Invalid value: 5: must be 15 at least"),
            ("FieldValueInvalid", "a", "5", "5 is not enough", "a: 5 is not enough"),
            ("FieldValueNotSupported", "a", "\"z\"", "supported: b", "a: Unsupported value: \"z\": supported: b"),
            ("FieldValueDuplicate", "a[1]", "\"b\"", "", "a[1]: Duplicate value: \"b\""),
            ("FieldValueDuplicate", "a[1]", "{}", "", "a[1]: Duplicate value"),
            ("FieldValueRequired", "a", "\"\"", "must be set", "a: must be set"),
            ("FieldValueForbidden", "a", "1", "", "a: Forbidden"),
            ("FieldValueInvalid", "", "null", "field is immutable", "field is immutable"),
            ("Denied", "", "1", "no", "no"),
            (
                "FieldValueInvalid",
                "a",
                &long,
                "is too long",
                &format!("a: Invalid value: \"{}… (302 characters): is too long", "x".repeat(119)),
            ),
        ] {
            let json = serde_json::json!({
                "rule": "R", "severity": "error", "type": error_type, "field": field, "pointer": "", "detail": detail,
                "remedy": "",
            });
            let text = json.to_string().replacen('{', &format!("{{\"badValue\":{bad_value},"), 1);
            assert_eq!(headline(&serde_json::from_str(&text).unwrap()), expected);
        }
    }
}
