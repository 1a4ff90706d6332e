//! What is wrong, in one line.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

use crate::answer::Finding;
use crate::manifest::Document;
use crate::source;

/// Longest value in a line, in characters.
const MAX_VALUE: usize = 120;
/// Longest detail in a line, in characters.
const MAX_DETAIL: usize = 500;

/// What is wrong with which value of which field: the field, the detail, and in front of the detail the value in
/// the words of Kubernetes, where the detail does not name the value. The document has what findings do not carry:
/// objects, lists, and long texts.
pub fn headline(finding: &Finding, document: Option<&Document>) -> String {
    let detail = what(finding);
    let field = place(finding, &detail);
    let kind = finding.sort();
    let value = value(finding, &detail, document).map(|value| format!("{kind}: {value}"));
    let what = match (value, detail.is_empty()) {
        (Some(value), true) => value,
        (Some(value), false) => format!("{value}: {}", shortened(&detail, MAX_DETAIL)),
        (None, true) => kind.to_owned(),
        (None, false) => shortened(&detail, MAX_DETAIL),
    };
    if field.is_empty() { what } else { format!("{field}: {what}") }
}

/// The place, in the words of the existing extension where that names it.
fn place<'f>(Finding { field, pointer, at_key, .. }: &'f Finding, what: &str) -> Cow<'f, str> {
    let is_named = match pointer.rsplit_once('/') {
        Some((_, last)) if last.bytes().all(|byte| byte.is_ascii_digit()) => true,
        // Of a key, the existing extension may name no place, and the key itself only; of a type, the whole
        // configuration.
        Some((_, last)) if field.is_empty() => !at_key && !what.starts_with("expected ") || what.contains(last),
        Some((_, last)) => field.split(['.', '[', ']']).any(|part| part == last),
        None => true,
    };
    if is_named {
        return field.into();
    }
    let mut place = String::new();
    for token in pointer.split('/').skip(1) {
        if token.bytes().all(|byte| byte.is_ascii_digit()) {
            let _ = write!(place, "[{token}]");
        } else {
            place.push_str(if place.is_empty() { "" } else { "." });
            place.push_str(&token.replace("~1", "/").replace("~0", "~"));
        }
    }
    place.into()
}

/// What is wrong: the phrase, or the detail, of which a long list is no part.
fn what(Finding { summary, detail, supported, .. }: &Finding) -> Cow<'_, str> {
    match (summary.as_str(), supported.len()) {
        ("", 0) => detail.into(),
        ("", many) => format!("none of the {many} supported values").into(),
        (summary, _) => summary.into(),
    }
}

/// The values to choose from, in a line.
pub fn nearest(Finding { choices, .. }: &Finding) -> Option<String> {
    (!choices.is_empty()).then(|| format!("the nearest: `{}`", choices.join("`, `")))
}

/// Which gardens say so, where an older one accepts what is written.
pub fn since(Finding { since, .. }: &Finding) -> Option<String> {
    let since = since.as_ref()?;
    Some(format!(
        "Gardener {since} and newer say so: for an older garden, give its version with `--gardener-version`"
    ))
}

/// The value that is wrong, where the error is about a value that the detail does not name.
fn value(finding: &Finding, detail: &str, document: Option<&Document>) -> Option<String> {
    const ABOUT_VALUES: [&str; 5] = [
        "FieldValueDuplicate",
        "FieldValueInvalid",
        "FieldValueNotFound",
        "FieldValueNotSupported",
        "FieldValueTypeInvalid",
    ];
    let Finding { bad_value, type_, pointer, at_key, .. } = finding;
    if *at_key || !ABOUT_VALUES.contains(&type_.as_str()) {
        return None;
    }
    let Some(raw) = bad_value.as_ref().map(|value| value.get()) else { return part(document?, pointer) };
    let (is_named, shown) = match serde_json::from_str(raw).ok()? {
        Value::String(text) => {
            // The policy cut a longer text, and the object has all of it.
            let cut = text.strip_suffix('…');
            let start = cut.unwrap_or(&text);
            let whole = document.and_then(|document| document.root.locate(pointer).node.as_str());
            let whole = whole.filter(|whole| whole.starts_with(start));
            let shown = Value::from(shortened(whole.unwrap_or(&text), MAX_VALUE));
            (names(detail, start, cut.is_some()), shown.to_string())
        }
        Value::Number(_) | Value::Bool(_) => {
            let mut words = detail.split(|sign: char| !(sign.is_alphanumeric() || "-+.".contains(sign)));
            (words.any(|word| word == raw), raw.to_owned())
        }
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    (!is_named).then_some(shown)
}

/// Whether a detail has a text that is no part of a longer word; what was cut may go on.
fn names(detail: &str, text: &str, is_cut: bool) -> bool {
    let mut found = detail.match_indices(text);
    !text.is_empty()
        && found.any(|(at, _)| {
            let (before, rest) = detail.split_at(at);
            let after = rest.get(text.len()..).and_then(|after| after.chars().next());
            !before.ends_with(char::is_alphanumeric) && (is_cut || !after.is_some_and(char::is_alphanumeric))
        })
}

/// An object or a list, which findings do not carry, as far as a line can hold it.
fn part(document: &Document, pointer: &str) -> Option<String> {
    let found = document.root.locate(pointer);
    let is_part = matches!(found.node.value, source::Value::Mapping(_) | source::Value::Sequence(_));
    let is_shown = found.exact && is_part && !pointer.is_empty() && !document.is_secret();
    is_shown.then(|| shortened(&found.node.to_json(), MAX_VALUE))
}

/// A text of at most so many characters; one that was cut ends in its length, unless the policy cut the text
/// before.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            let length = text.chars().count();
            if text.ends_with('…') { format!("{start}…") } else { format!("{start}… ({length} characters)") }
        }
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::read;

    #[test]
    fn a_headline_names_a_part_that_findings_do_not_carry() {
        let (input, roots) = read("t.yaml", b"kind: Shoot\nvpc: {cidr: 10.0.0.0/8}\n").unwrap();
        let document = Document::all_of(&input, roots).unwrap().remove(0);
        let finding = |pointer: &str| {
            serde_json::from_value(serde_json::json!({
                "rule": "R", "severity": "error", "type": "FieldValueInvalid", "field": "vpc", "pointer": pointer,
                "detail": "field is immutable", "remedy": "",
            }))
        };
        let shown = headline(&finding("/vpc").unwrap(), Some(&document));
        assert_eq!(shown, "vpc: Invalid value: {\"cidr\":\"10.0.0.0/8\"}: field is immutable");
        assert_eq!(headline(&finding("/vpc/id").unwrap(), Some(&document)), "vpc.id: field is immutable");
        assert_eq!(headline(&finding("").unwrap(), Some(&document)), "vpc: field is immutable");
    }

    #[test]
    fn a_headline_names_a_key_that_the_detail_does_not() {
        for (detail, expected) in
            [("unknown field", "a.nmae: unknown field"), ("no `nmae` here", "no `nmae` here")]
        {
            let finding = serde_json::json!({
                "rule": "R-1", "severity": "error", "type": "Denied", "field": "", "pointer": "/a/nmae", "atKey": true,
                "detail": detail, "remedy": "",
            });
            assert_eq!(headline(&serde_json::from_value(finding).unwrap(), None), expected);
        }
    }

    #[test]
    fn a_headline_names_the_place_of_a_wrong_type() {
        let finding = serde_json::json!({
            "rule": "R-1", "severity": "error", "type": "Denied", "field": "", "pointer": "/spec/networks/0/workers",
            "detail": "error decoding: workers: expected a string", "summary": "expected a string, found the number 10", "remedy": "",
        });
        let expected = "spec.networks[0].workers: expected a string, found the number 10";
        assert_eq!(headline(&serde_json::from_value(finding).unwrap(), None), expected);
    }

    #[test]
    fn a_headline_names_the_value_where_the_detail_does_not() {
        let long = "x".repeat(300);
        let (input, roots) = read("t.yaml", format!("kind: Shoot\na: {long}\n").as_bytes()).unwrap();
        let document = Document::all_of(&input, roots).unwrap().remove(0);
        let cut = format!("\"{}…\"", "x".repeat(256));
        for (error_type, field, bad_value, detail, expected) in [
            ("FieldValueInvalid", "a.b", "\"y1\"", "must be a CIDR", "a.b: Invalid value: \"y1\": must be a CIDR"),
            ("FieldValueInvalid", "a.b", "\"y1\"", "y1 is no CIDR", "a.b: y1 is no CIDR"),
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
                &cut,
                "is too long",
                &format!("a: Invalid value: \"{}… (300 characters)\": is too long", "x".repeat(120)),
            ),
            ("Denied", "", "1", &long.repeat(2), &format!("{}… (600 characters)", "x".repeat(500))),
        ] {
            let json = serde_json::json!({
                "rule": "R", "severity": "error", "type": error_type, "field": field, "pointer": "/a", "detail": detail,
                "remedy": "",
            });
            let text = json.to_string().replacen('{', &format!("{{\"badValue\":{bad_value},"), 1);
            assert_eq!(headline(&serde_json::from_str(&text).unwrap(), Some(&document)), expected);
        }
    }
}
