//! Objects of the corpus with anything in place of anything: every policy answers, and says the same again.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::requests::{Asked, CORPUS, read};

/// How many requests are tried.
const TRIES: u32 = 3_000;
/// What stands for a number that no value of `serde_json` holds.
const NUMBER: &str = "@number";

/// What a place gets.
#[derive(Clone, Debug)]
enum Change {
    /// This value.
    To(Value),
    /// What stands at that place of the same request.
    Copy(usize),
    /// Nothing: the member or entry goes.
    Remove,
    /// The last entry of the list at the place so often, or the text repeated so often.
    Repeat(usize),
}

fn values() -> impl Strategy<Value = Value> {
    let texts = [
        "",
        " ",
        "0",
        "-1",
        "a",
        "A_b",
        "1.33",
        "v1.33.7-rc.1",
        "10%",
        "-5%",
        "1e9Gi",
        "-1Gi",
        "0s",
        "99999h",
        "::1/129",
        "10.0.0.0/8",
        "2026-06-01T00:00:00Z",
        "\u{feff}",
        "\0",
        "🌱",
        "a/b/c",
        "[0]",
        "/",
        "~1",
        NUMBER,
    ];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-2_i64..3).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(texts.to_vec()).prop_map(Value::from),
        "\\PC{0,40}".prop_map(Value::from),
        (1_usize..5_000).prop_map(|length| "x".repeat(length).into()),
        Just(json!([])),
        Just(json!({})),
        Just(json!([null, {}, [], ""])),
        Just(json!({ "": null, "name": {}, "version": [] })),
    ]
}

fn changes() -> impl Strategy<Value = Vec<(usize, Change)>> {
    let change = prop_oneof![
        4 => values().prop_map(Change::To),
        2 => any::<usize>().prop_map(Change::Copy),
        2 => Just(Change::Remove),
        1 => (2_usize..60).prop_map(Change::Repeat),
    ];
    prop::collection::vec((any::<usize>(), change), 1..6)
}

/// Pointers to all values within a value.
fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
    let mut visit = |key: &str, below: &Value| {
        let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
        places(below, &pointer, found);
        found.push(pointer);
    };
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(index, below)| visit(&index.to_string(), below)),
        Value::Object(members) => members.iter().for_each(|(key, below)| visit(key, below)),
        _ => {}
    }
}

fn changed(mut request: Value, changes: Vec<(usize, Change)>) -> String {
    for (place, change) in changes {
        let mut found = Vec::new();
        places(&request, "", &mut found);
        if found.is_empty() {
            break;
        }
        let pointer = &found[place % found.len()];
        let value = match change {
            Change::To(value) => value,
            Change::Copy(from) => request.pointer(&found[from % found.len()]).cloned().unwrap(),
            Change::Repeat(times) => match request.pointer(pointer).cloned().unwrap() {
                Value::String(text) => text.repeat(times).into(),
                Value::Array(mut list) => {
                    list.extend(list.last().cloned().into_iter().cycle().take(times));
                    list.into()
                }
                other => json!([other]),
            },
            Change::Remove => {
                let (parent, key) = pointer.rsplit_once('/').unwrap();
                let key = key.replace("~1", "/").replace("~0", "~");
                match request.pointer_mut(parent).unwrap() {
                    Value::Object(members) => drop(members.shift_remove(&key)),
                    Value::Array(list) => drop(list.remove(key.parse().unwrap())),
                    _ => {}
                }
                continue;
            }
        };
        *request.pointer_mut(pointer).unwrap() = value;
    }
    request.to_string().replace(&format!("\"{NUMBER}\""), "-1e999999999")
}

#[test]
fn random_objects_are_answered_the_same_twice() {
    let asked: Vec<&Asked> =
        CORPUS.iter().filter(|asked| matches!(asked.function.as_str(), "validate" | "default")).collect();
    let of_gardener: Vec<&Asked> = asked.iter().copied().filter(|asked| asked.provider == "gardener").collect();
    // The rules on all of a Shoot get half of the tries.
    let picked = (any::<bool>(), any::<prop::sample::Index>(), changes());
    let config = Config { cases: TRIES, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let judged = std::cell::Cell::new(0);
    runner
        .run(&picked, |(is_gardeners, index, changes)| {
            let asked = if is_gardeners { of_gardener[index.index(of_gardener.len())] } else { index.get(&asked) };
            let request = changed(read(&asked.request.text()), changes);
            let answer = trellis_core::call(&asked.provider, &asked.function, &request);
            prop_assert_eq!(&trellis_core::call(&asked.provider, &asked.function, &request), &answer);
            prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&answer).is_ok(), "{}", answer);
            judged.set(judged.get() + usize::from(!answer.starts_with(r#"{"error":"#)));
            Ok(())
        })
        .unwrap();
    assert!(judged.get() > TRIES as usize / 2, "only {} objects were judged", judged.get());
}
