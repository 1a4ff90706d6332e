//! What `info` says that a function reads of the context is all that the function reads.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::requests::{CORPUS, RECORDINGS, assert_every_policy, entries};

/// The parts of a value that pointers name; `*` stands for every entry of a list. Lists keep their entries.
fn cut(value: &Value, pointers: &[&str]) -> Value {
    if pointers.iter().any(|pointer| pointer.is_empty()) {
        return value.clone();
    }
    let below = |name: &str| -> Vec<&str> {
        pointers
            .iter()
            .filter_map(|pointer| pointer.strip_prefix('/')?.strip_prefix(name))
            .filter(|rest| rest.is_empty() || rest.starts_with('/'))
            .collect()
    };
    match value {
        Value::Array(list) => list.iter().map(|entry| cut(entry, &below("*"))).collect(),
        Value::Object(members) => {
            let kept = |(name, value): (&String, &Value)| {
                let below = below(name);
                (!below.is_empty()).then(|| (name.clone(), cut(value, &below)))
            };
            Value::Object(members.iter().filter_map(kept).collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

#[test]
fn a_context_cut_down_to_what_is_read_gives_the_same_answer() {
    let (mut cuts, mut tried) = (0, BTreeSet::new());
    let info = |provider| serde_json::from_str(&trellis_core::call(provider, "info", "{}")).unwrap();
    let infos: BTreeMap<&str, Value> =
        trellis_core::policies().map(|provider| (provider, info(provider))).collect();
    for asked in CORPUS.iter().chain(RECORDINGS.iter()) {
        let reads = &infos[asked.provider.as_str()]["reads"][&asked.function][&asked.kind];
        let context = asked.request.member("context");
        if !reads.is_array() || context.is_null() {
            continue;
        }
        let pointers: Vec<&str> = entries(reads).filter_map(Value::as_str).collect();
        let read = cut(&context, &pointers);
        cuts += usize::from(read != context);
        tried.insert(asked.provider.clone());
        let answer = asked.ask(&asked.request.with("context", &read));
        assert_eq!(answer, asked.answer(), "{} of {}", asked.function, asked.name);
    }
    assert!(cuts > 1_000, "only {cuts} contexts were cut down");
    assert_every_policy(&tried);
}
