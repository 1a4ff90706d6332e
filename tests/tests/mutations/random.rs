//! Recorded objects, damaged at random.

use proptest::prelude::*;
use serde_json::{Value, json};
use trellis_tests::mutations::mutate;

use super::laws::check;

/// What a value becomes.
fn damages() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        Just(json!(0)),
        Just(json!(true)),
        Just(json!("")),
        Just(json!("b64")),
        Just(json!("[Service]\nExecStart=/k --cloud-provider=x \\\n  a\n# c\n[A]\nb=c")),
        Just(json!("z: 1\nproviderID: x # mine\na: {b: [1]}\n")),
        Just(json!([{ "name": "kubelet.service", "content": "" }, 7, null])),
        Just(json!([{ "name": "kube-controller-manager", "command": ["--cloud-provider=a", 5] }])),
        "[a-z\\[\\]{}=\\\\\n:#\" -]{0,20}".prop_map(Value::String),
    ]
}

/// Every place of a value.
fn places(value: &Value, pointer: String, all: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                places(value, format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), all);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                places(value, format!("{pointer}/{index}"), all);
            }
        }
        _ => {}
    }
    all.push(pointer);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn damaged_objects(index in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), by in damages()) {
        let cases = recorded();
        let mut request = index.get(cases).clone();
        let mut all = Vec::new();
        places(&request["object"], String::new(), &mut all);
        let place = at.get(&all).clone();
        *request["object"].pointer_mut(&place).unwrap() = by;
        if mutate(&request)["error"].is_null() {
            check(&request, &place);
        }
    }
}

fn recorded() -> &'static [Value] {
    static CASES: std::sync::LazyLock<Vec<Value>> =
        std::sync::LazyLock::new(|| super::recorded::cases().into_iter().map(|(_, request)| request).collect());
    &CASES
}
