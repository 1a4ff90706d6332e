use serde_json::{Value, json};

fn ask(object: &Value, context: &Value) -> Value {
    let request = json!({ "object": object, "context": context }).to_string();
    serde_json::from_str(&crate::call("gardener", "validate", &request)).unwrap()
}

fn shoot() -> Value {
    json!({
        "kind": "Shoot",
        "spec": {
            "regoin": "eu",
            "cloudProfile": { "name": "a" },
            "new": [{ "a": { "free": { "x": 1 } }, "b": 2 }],
            "kubernetes": { "kubelet": { "featureGates": { "G": true } } },
        },
    })
}

/// What the rule on fields says, in short, by place.
fn fields(answer: &Value) -> Vec<(&str, &str, &str)> {
    let findings = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}")).iter();
    let mut found: Vec<_> = findings
        .filter(|finding| finding["rule"] == "DEC-2")
        .map(|finding| ["severity", "pointer", "remedy"].map(|member| finding[member].as_str().unwrap()))
        .map(|[severity, pointer, remedy]| (severity, pointer, remedy))
        .collect();
    found.sort_by_key(|(_, pointer, _)| *pointer);
    found
}

#[test]
fn an_unknown_field_is_an_error_where_the_garden_is_known() {
    for (context, release, severity, misspelt) in [
        (json!({}), "1.150", "warning", "error"),
        (json!({ "gardenerVersion": "1.120.0" }), "1.143", "error", "error"),
        (json!({ "gardenerVersion": "1.143.1" }), "1.143", "error", "error"),
        (json!({ "gardenerVersion": "1.150.3" }), "1.150", "error", "error"),
        (json!({ "gardenerVersion": "1.151.0" }), "1.150", "warning", "warning"),
    ] {
        let remove = &*format!("Remove `new`: Gardener {release} has no such field here.");
        let answer = ask(&shoot(), &context);
        let expected = [(severity, "/spec/new", remove), (misspelt, "/spec/regoin", "Did you mean `region`?")];
        assert_eq!(fields(&answer), expected, "{context}");
    }
}

#[test]
fn a_field_is_known_from_the_release_on_that_brought_it() {
    let shoot = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "spec": { "kubernetes": { "kubeAPIServer": { "tlsMinVersion": "VersionTLS12" } } },
    });
    let brought = "Remove `tlsMinVersion`: Gardener has this field from 1.149 on.";
    let pointer = "/spec/kubernetes/kubeAPIServer/tlsMinVersion";
    for (context, expected) in [
        (json!({}), vec![]),
        (json!({ "gardenerVersion": "1.149.0" }), vec![]),
        (json!({ "gardenerVersion": "1.148.4" }), vec![("error", pointer, brought)]),
    ] {
        assert_eq!(fields(&ask(&shoot, &context)), expected, "{context}");
    }
}

#[test]
fn an_unknown_field_is_an_error_where_it_can_only_be_misspelt_or_was_removed() {
    let one = |pointer: &str| {
        let mut object = json!({});
        for key in pointer.split('/').skip(1).collect::<Vec<_>>().into_iter().rev() {
            object = json!({ key: object });
        }
        object["kind"] = json!("Shoot");
        let answer = ask(&object, &json!({}));
        let found = fields(&answer);
        assert_eq!(found.len(), 1, "{pointer}: {answer}");
        (found[0].0.to_owned(), found[0].2.to_owned())
    };
    for (pointer, severity, remedy) in [
        ("/spec/purpos", "error", "Did you mean `purpose`?"),
        ("/spec/purpssoe", "error", "Did you mean `purpose`?"),
        ("/spec/brandNew", "warning", "Remove `brandNew`"),
        ("/spec/dsn", "error", "Did you mean `dns`?"),
        ("/spec/d", "warning", "Remove `d`"),
        ("/spec/kubernetes/kubeAPIServer/oidcConfig", "error", "Remove the field, and name a ConfigMap"),
        ("/spec/kubernetes/enableStaticTokenKubeconfig", "error", "Remove the field: get a kubeconfig"),
    ] {
        let (found, said) = one(pointer);
        assert!(found == severity && said.starts_with(remedy), "{pointer}: {found} {said}");
    }
}

#[test]
fn the_fields_of_the_garden_count_more_than_those_of_the_release() {
    let spec = json!({
        "region": {},
        "cloudProfile": { "kind": {} },
        "new": { "a": { "free": {} } },
        "kubernetes": { "kubelet": { "featureGates": { "*": {} } } },
    });
    let answer = ask(&shoot(), &json!({ "openapi": { "Shoot": { "kind": {}, "spec": spec } } }));
    let none = |key: &str| format!("Remove `{key}`: the garden has no such field here.");
    assert_eq!(
        fields(&answer),
        [
            ("error", "/spec/cloudProfile/name", none("name").as_str()),
            ("error", "/spec/new/0/b", none("b").as_str()),
            ("error", "/spec/regoin", "Did you mean `region`?"),
        ]
    );
}

#[test]
fn a_garden_that_says_nothing_of_a_kind_changes_nothing() {
    let answer = ask(&shoot(), &json!({ "openapi": { "CloudProfile": {} } }));
    assert_eq!(fields(&answer).len(), 2, "{answer}");
    // Of what a garden hands on as it is, nobody knows the fields.
    let answer = ask(&shoot(), &json!({ "openapi": { "Shoot": { "kind": {}, "spec": {} } } }));
    assert!(fields(&answer).is_empty(), "{answer}");
}

#[test]
fn fields_that_are_no_objects_are_a_malformed_request() {
    let within = "`context.openapi` must hold objects with names of fields";
    for (openapi, message) in [
        (json!([]), "`context.openapi` must be an object, not a list".to_owned()),
        (json!({ "Shoot": 1 }), format!("{within}, and `/Shoot` is a number")),
        (
            json!({ "Shoot": { "spec": { "a/b": "text" } } }),
            format!("{within}, and `/Shoot/spec/a~1b` is a string"),
        ),
    ] {
        let answer = ask(&shoot(), &json!({ "openapi": openapi }));
        assert_eq!(answer["error"]["code"], "Malformed");
        assert_eq!(answer["error"]["message"], message);
    }
}
