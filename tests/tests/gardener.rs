//! The answers of the policy `gardener` against recorded answers of Gardener itself.

#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use std::collections::BTreeSet;
use std::io::Read as _;

use serde_json::{Value, json};

/// The recorded cases.
fn cases() -> Vec<(Value, String)> {
    let file =
        std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/gardener-core.ndjson.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines().map(|line| (serde_json::from_str(line).unwrap(), line.to_owned())).collect()
}

/// The new object as it was written, which may have a key twice.
fn new_of(line: &str) -> &str {
    let start = line.find("\"new\":").unwrap() + "\"new\":".len();
    let mut stream =
        serde_json::Deserializer::from_str(&line[start..]).into_iter::<&serde_json::value::RawValue>();
    stream.next().unwrap().unwrap().get()
}

fn texts<'v>(values: impl IntoIterator<Item = &'v Value>) -> BTreeSet<String> {
    values.into_iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

#[test]
fn unknown_and_duplicate_fields_and_wrong_types_are_those_that_gardener_finds() {
    let (mut decoded, mut strict, mut failures) = (0, 0, Vec::new());
    for (case, line) in cases() {
        let id = case["id"].as_str().unwrap();
        let mut context = case["context"].clone();
        context["gardenerVersion"] = json!("1.143.1");
        let request = format!("{{\"object\":{},\"context\":{context}}}", new_of(&line));
        let answer: Value = serde_json::from_str(&trellis_core::call("gardener", "validate", &request)).unwrap();
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        let by_rule = |is: &dyn Fn(&str) -> bool| {
            texts(
                findings
                    .iter()
                    .filter(|finding| is(finding["rule"].as_str().unwrap()))
                    .map(|finding| &finding["detail"]),
            )
        };
        let types = by_rule(&|rule| rule.starts_with("DEC-") && rule != "DEC-2");
        let fields = by_rule(&|rule| rule == "DEC-2");
        let error = case["decodeError"].as_str().filter(|error| !error.starts_with("old: "));
        decoded += usize::from(error.is_some());
        // Who asks the policy says by `kind` what the object is; an object that says nothing is refused.
        let is_refused = answer["error"]["code"] == "UnsupportedKind";
        if is_refused && case["new"]["kind"].is_null() {
            continue;
        }
        let names_another_kind =
            error.is_some_and(|error| error.contains("does not match the expected API version"));
        if !names_another_kind && error.is_some() != (is_refused || !types.is_empty()) {
            failures.push(format!("{id}: {error:?} {types:?} {answer:.200}"));
        }
        let wanted = texts(case["strictErrors"].as_array().into_iter().flatten());
        strict += usize::from(!wanted.is_empty());
        if error.is_none() && case["decodeError"].is_null() && wanted != fields {
            failures.push(format!("{id}: {wanted:?} {fields:?}"));
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures[..failures.len().min(30)].join("\n"));
    assert!(decoded >= 40 && strict >= 20, "{decoded} {strict}");
}
