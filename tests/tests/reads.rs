//! What a policy says that it reads of the context is all that it reads: faces send it no more than that.

#![cfg(feature = "engines")]

use std::collections::BTreeMap;

use serde_json::Value;
use trellis_policies::engine::Function;
use trellis_tests::questions::{Source, all};

/// A value with no more than what is at some paths; `*` stands for all entries of a list.
fn only(value: &Value, paths: &[&[&str]]) -> Value {
    if paths.iter().any(|path| path.is_empty()) {
        return value.clone();
    }
    let below = |key: &str| -> Vec<&[&str]> {
        paths
            .iter()
            .filter_map(|path| path.split_first())
            .filter(|(first, _)| **first == key)
            .map(|(_, rest)| rest)
            .collect()
    };
    match value {
        Value::Array(entries) => {
            let inside = below("*");
            entries.iter().filter(|_| !inside.is_empty()).map(|entry| only(entry, &inside)).collect()
        }
        Value::Object(members) => {
            let kept = members.iter().filter(|(key, _)| !below(key).is_empty());
            Value::Object(kept.map(|(key, value)| (key.clone(), only(value, &below(key)))).collect())
        }
        _ => value.clone(),
    }
}

#[test]
fn a_policy_answers_the_same_without_what_it_says_that_it_does_not_read() {
    let mut infos: BTreeMap<String, Value> = BTreeMap::new();
    let mut cut = 0;
    for question in all() {
        if question.source == Source::Hostile
            || !matches!(question.function, Function::Validate | Function::Default)
        {
            continue;
        }
        let info = infos.entry(question.provider.clone()).or_insert_with_key(|provider| {
            serde_json::from_str(&trellis_core::call(provider, "info", "{}")).unwrap()
        });
        let Ok(mut request) = serde_json::from_str::<Value>(&question.request) else { continue };
        let kind = request["object"]["kind"].as_str().unwrap_or_default().to_owned();
        let Some(reads) = info["reads"][question.function.name()][&kind].as_array() else { continue };
        let paths: Vec<Vec<&str>> =
            reads.iter().map(|pointer| pointer.as_str().unwrap().split('/').skip(1).collect()).collect();
        let paths: Vec<&[&str]> = paths.iter().map(Vec::as_slice).collect();
        let Some(context) = request.get("context").filter(|context| context.is_object()) else { continue };
        let less = only(context, &paths);
        if less == *context {
            continue;
        }
        cut += 1;
        let whole = request.to_string();
        request["context"] = less;
        let ask = |request: &str| trellis_core::call(&question.provider, question.function.name(), request);
        // Both are read again, because a key that is there twice is there once then.
        assert_eq!(ask(&request.to_string()), ask(&whole), "{}", question.name);
    }
    assert!(cut > 1_000, "only {cut} contexts have something that a policy does not read");
}
