//! Values never change the structure of an object: its keys, the lengths of its lists, and the types of its
//! values.

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use trellis_core::document::{Value, parse};

use super::cases::base;
use super::hostile::{TEXTS, all_texts, hostile, tries};

/// How often the ordinary run tries it: 25,000 texts. `PROPTEST_CASES=16000` is a million.
const TRIES: u32 = 400;

/// Where two values differ in more than their texts.
fn difference(one: &Value<'_>, other: &Value<'_>) -> Option<String> {
    match (one, other) {
        (Value::String(_), Value::String(_)) => None,
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut items = one.iter().zip(other).enumerate();
            items.find_map(|(index, (one, other))| Some(format!("/{index}{}", difference(one, other)?)))
        }
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
            one.iter().zip(other).find_map(|((key, one), (other_key, other))| {
                if key != other_key {
                    return Some(format!("/{key} is /{other_key}"));
                }
                Some(format!("/{key}{}", difference(one, other)?))
            })
        }
        // Numbers, booleans and null have no text of a person in them.
        _ => (one != other).then(|| format!(": {one:?} is {other:?}")),
    }
}

/// The objects of an answer.
fn objects<'v>(answer: &'v Value<'v>) -> Vec<&'v Value<'v>> {
    let resources = answer.get("managedResources").map(Value::items).unwrap_or_default();
    resources.iter().flat_map(|resource| resource.get("objects").map(Value::items).unwrap_or_default()).collect()
}

#[test]
fn no_text_changes_the_structure_of_an_object() {
    let base = base();
    let harmless: Vec<String> = (0..TEXTS).map(|index| format!("harmless-{index}")).collect();
    let harmless = trellis_core::call("alicloud", "render", &hostile(&base, &harmless).to_string());
    let harmless = parse(&harmless).unwrap();
    let harmless = objects(&harmless);
    assert_eq!(harmless.len(), 50);
    let property = |texts: Vec<String>| {
        let answer = trellis_core::call("alicloud", "render", &hostile(&base, &texts).to_string());
        let answer = parse(&answer).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let all = objects(&answer);
        prop_assert_eq!(all.len(), harmless.len());
        for (one, other) in harmless.iter().zip(all) {
            let difference = difference(one, other);
            prop_assert!(difference.is_none(), "{:?} of {:?}", difference, other);
        }
        Ok(())
    };
    TestRunner::new(tries(TRIES)).run(&all_texts(), property).unwrap();
}
