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

/// What a kubelet configuration may hold, and texts that YAML would take for something else.
fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        Just(Value::Null),
        "[a-zä:#'\"&*!|>% -]{0,12}".prop_map(Value::from),
        "[a-z]{1,5}\n[a-z# ]{0,5}\n?".prop_map(Value::from),
    ]
}

fn content() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-zA-Z.]{1,6}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Another reader of YAML sees the two members that are set, and no other change.
    #[test]
    fn kubelet_configurations(
        mut members in prop::collection::btree_map("[a-zA-Z]{1,8}", content(), 0..6),
        id in prop::option::of(scalar()),
        is_reversed in any::<bool>(),
        comment in prop::option::of("[a-z: ]{0,10}"),
    ) {
        members.extend(id.map(|id| ("providerID".to_owned(), id)));
        members.insert("apiVersion".to_owned(), "kubelet.config.k8s.io/v1beta1".into());
        members.insert("kind".to_owned(), "KubeletConfiguration".into());
        let mut ordered: Vec<_> = members.clone().into_iter().collect();
        if is_reversed {
            ordered.reverse();
        }
        let written: serde_json::Map<_, _> = ordered.into_iter().collect();
        let comment = comment.map(|comment| format!("# {comment}\n")).unwrap_or_default();
        let text = format!("{comment}{}", serde_saphyr::to_string(&written).unwrap());
        let inline = json!({ "encoding": "", "data": text });
        let request = json!({
            "webhook": "controlplane",
            "object": {
                "apiVersion": "extensions.gardener.cloud/v1alpha1",
                "kind": "OperatingSystemConfig",
                "metadata": { "name": "osc", "namespace": "n" },
                "spec": {
                    "purpose": "reconcile",
                    "files": [{ "path": "/var/lib/kubelet/config/kubelet", "content": { "inline": inline } }],
                },
            },
            "cluster": { "shoot": { "spec": { "kubernetes": { "version": "1.33.0" } } } },
        });
        check(&request, &text);
        let answer = mutate(&request);
        let pointer = "/spec/files/0/content/inline/data";
        let Some(edited) = answer["object"].pointer(pointer).and_then(Value::as_str) else {
            panic!("{text}\n{answer}");
        };
        members.insert("enableControllerAttachDetach".to_owned(), true.into());
        members.insert("providerID".to_owned(), "place_holder_of_providerid".into());
        let read: std::collections::BTreeMap<String, Value> = serde_saphyr::from_str(edited).unwrap();
        prop_assert_eq!(&read, &members, "{}\n{}", text, edited);
        prop_assert!(edited.starts_with(&comment));
    }
}

fn recorded() -> &'static [Value] {
    static CASES: std::sync::LazyLock<Vec<Value>> =
        std::sync::LazyLock::new(|| super::recorded::cases().into_iter().map(|(_, request)| request).collect());
    &CASES
}
