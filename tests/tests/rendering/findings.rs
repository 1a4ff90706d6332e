//! The rules of `render`: each has a request that breaks it, and one in which it holds.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::cases::{cases, live, render, request};

/// The ids of the findings of an answer.
fn rules_of(answer: &Value) -> BTreeSet<&str> {
    answer["findings"].as_array().unwrap().iter().filter_map(|finding| finding["rule"].as_str()).collect()
}

/// A change of a request.
type Edit = fn(&mut Value);

/// A rule, what breaks it, and what the finding says.
const TABLE: [(&str, Edit, &str); 7] = [
    (
        "ALI-RND-001",
        |request| request["controlPlane"]["spec"]["secretRef"]["name"] = "other".into(),
        "could not read credentials from secret referred by controlplane 'shoot--core--johndoe/cp': not found",
    ),
    (
        "ALI-RND-002",
        |request| request["controlPlane"]["spec"]["infrastructureProviderStatus"]["vpc"]["vswitches"] = json!([]),
        "no vswitch with purpose \"nodes\" found",
    ),
    (
        "ALI-RND-003",
        |request| request["controlPlane"]["spec"]["providerConfig"]["csi"] = "x".into(),
        "could not decode providerConfig of controlplane 'shoot--core--johndoe/cp'",
    ),
    (
        "ALI-RND-004",
        |request| request["controlPlane"]["spec"]["infrastructureProviderStatus"] = Value::Null,
        "could not decode infrastructureProviderStatus of controlplane 'shoot--core--johndoe/cp': it is absent",
    ),
    (
        "ALI-RND-004",
        |request| request["controlPlane"]["spec"]["infrastructureProviderStatus"]["vpcs"] = json!({}),
        "unknown field \"vpcs\"",
    ),
    (
        "ALI-RND-005",
        |request| {
            request["images"] =
                json!([{ "name": "csi-attacher", "targetVersion": ">= bogus", "repository": "r", "tag": "t" }]);
        },
        "the image vector has the constraint `>= bogus`, which cannot be read",
    ),
    ("ALI-RND-005", |request| request["images"] = json!([{ "repository": "r" }]), "`images[0]` has no `name`"),
];

#[test]
fn each_rule_has_a_request_that_breaks_it_and_one_in_which_it_holds() {
    let case = &cases()[0];
    let live = live(case);
    let base = request(case);
    assert_eq!(render(&base, &live)["findings"], json!([]));
    let mut broken = BTreeSet::new();
    for (rule, edit, words) in TABLE {
        let mut request = base.clone();
        edit(&mut request);
        let answer = render(&request, &live);
        assert_eq!(rules_of(&answer), BTreeSet::from([rule]), "{answer}");
        let finding = &answer["findings"][0];
        assert!(finding["detail"].as_str().unwrap().contains(words), "{finding}");
        assert!(!finding["remedy"].as_str().unwrap().is_empty());
        assert!(answer["managedResources"].is_null(), "nothing is rendered in part");
        broken.insert(rule);
    }
    let rules = trellis_core::provider::policy("alicloud").unwrap().rules();
    let own = rules.iter().filter(|rule| rule.kinds.contains(&"ControlPlane") && !rule.informative);
    assert_eq!(own.map(|rule| rule.id).collect::<BTreeSet<_>>(), broken);
}

#[test]
fn a_shoot_whose_version_is_unreadable_gets_images_without_constraints() {
    let case = &cases()[0];
    let mut request = request(case);
    request["cluster"]["shoot"]["spec"]["kubernetes"]["version"] = "x".into();
    assert_eq!(render(&request, &live(case))["findings"], json!([]));
}

#[test]
fn a_request_that_cannot_be_read_says_why() {
    let shoot = json!({ "kind": "Shoot", "spec": { "provider": { "type": "alicloud" } } });
    for (request, words) in [
        (json!({}), "`what` must be \"controlPlane\""),
        (json!({ "what": "controlPlane" }), "the request has no `cluster.shoot`"),
        (json!({ "what": "controlPlane", "cluster": { "shoot": [] } }), "`shoot` must be an object, not a list"),
        (
            json!({ "what": "controlPlane", "cluster": { "shoot": {} } }),
            "`cluster.shoot` must be a Shoot, and has no `kind`",
        ),
        (json!({ "what": "controlPlane", "cluster": { "shoot": shoot }, "x": 1 }), "unknown member `x`"),
        (
            json!({ "what": "controlPlane", "cluster": { "shoot": shoot }, "configuration": { "corrections": ["x"] } }),
            "`configuration.corrections` has an unknown entry; known is `csiPluginControllerLabels`",
        ),
        (
            json!({ "what": "controlPlane", "cluster": { "shoot": { "kind": "Shoot", "spec": { "provider": { "type": "aws" } } } } }),
            "names the provider `aws`",
        ),
    ] {
        let answer = trellis_core::call("alicloud", "render", &request.to_string());
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(answer["error"]["message"].as_str().unwrap().contains(words), "{request}: {answer}");
    }
}
