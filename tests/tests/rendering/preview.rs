//! Previews, what a control plane asks for, and what its answer promises.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use trellis_core::text::base64;

use super::cases::{ask, base, credentials, example_shoots, holds_credentials, objects, preview, render};

/// What stands between `<` and `>` in a text, with them.
fn placeholders_in(text: &str, found: &mut BTreeSet<String>) {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('<') {
        let Some((name, behind)) = after.split_once('>') else { return };
        found.insert(format!("<{name}>"));
        rest = behind;
    }
}

/// The placeholders in all texts of a value, also in those that are encoded, twice even.
fn placeholders(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            placeholders_in(key, found);
            placeholders(value, found);
        }),
        Value::Array(items) => items.iter().for_each(|item| placeholders(item, found)),
        Value::String(text) => {
            placeholders_in(text, found);
            let Some(decoded) = base64::decode(text) else { return };
            let Ok(text) = String::from_utf8(decoded) else { return };
            placeholders_in(&text, found);
            let inner = serde_json::from_str(&text).unwrap_or(Value::Null);
            placeholders(&inner, found);
        }
        _ => {}
    }
}

/// What an answer says that nobody knows, without a query.
fn undecided(answer: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for undecided in answer["undecided"].as_array().unwrap() {
        assert!(undecided["query"].is_null(), "a preview asks nothing: {undecided}");
        let why = undecided["why"].as_str().unwrap();
        let (placeholder, rest) = why.strip_prefix('`').unwrap().split_once("` ").unwrap();
        assert_eq!(rest, "stands for what the Shoot does not say");
        assert!(found.insert(placeholder.to_owned()), "{placeholder} is listed twice");
    }
    found
}

/// A change of a Shoot or of a request.
type Edit = fn(&mut Value);

/// The Shoots of the examples, and some that say less, or more.
fn shoots() -> Vec<(String, Value)> {
    let mut shoots = example_shoots();
    let edits: [(&str, Edit); 5] = [
        ("custom route table", |shoot| {
            shoot["spec"]["provider"]["infrastructureConfig"]["networks"]["vpc"]["useCustomRouteTable"] =
                true.into();
        }),
        ("existing VPC", |shoot| {
            shoot["spec"]["provider"]["infrastructureConfig"]["networks"]["vpc"] = json!({ "id": "vpc-1" });
        }),
        ("hibernated", |shoot| shoot["spec"]["hibernation"] = json!({ "enabled": true })),
        ("no zones", |shoot| {
            shoot["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"] = json!([]);
        }),
        ("almost nothing", |shoot| {
            *shoot = json!({ "kind": "Shoot", "spec": { "provider": { "type": "alicloud" } } });
        }),
    ];
    let (_, base) = shoots.iter().find(|(file, _)| file == "two-zones.yaml").cloned().unwrap();
    for (name, edit) in edits {
        let mut shoot = base.clone();
        edit(&mut shoot);
        shoots.push((name.to_owned(), shoot));
    }
    shoots
}

#[test]
fn each_placeholder_of_a_preview_is_listed_and_each_listed_one_is_there() {
    let mut all = BTreeSet::new();
    for (name, shoot) in shoots() {
        let answer = ask(&preview(&shoot));
        let mut found = BTreeSet::new();
        objects(&answer).for_each(|(_, object)| placeholders(object, &mut found));
        // Words of the definitions of custom resources.
        found.retain(|placeholder| !["<Kind>", "<none>"].contains(&placeholder.as_str()));
        assert_eq!(found, undecided(&answer), "{name}");
        assert_eq!(answer["findings"], json!([]), "{name}");
        assert!(answer["delete"].is_null() && answer["restarts"].is_null(), "{name}: nothing is there yet");
        all.extend(found);
    }
    let expected = [
        "<access key id>",
        "<access key secret>",
        "<checksum of the credentials>",
        "<credentials file>",
        "<name of the Secret with the generic kubeconfig>",
        "<route table id>",
        "<vpc id>",
        "<vswitch id of eu-central-1a>",
        "<vswitch id>",
        "<zone>",
    ];
    for placeholder in expected {
        assert!(all.remove(placeholder), "{placeholder}");
    }
    assert!(all.iter().all(|placeholder| placeholder.starts_with("<vswitch id of ")), "{all:?}");
}

/// A preview with the credentials, and with the Cluster's metadata, has fewer placeholders.
#[test]
fn what_is_known_in_a_preview_is_no_placeholder() {
    let (_, shoot) = shoots().swap_remove(0);
    let mut request = preview(&shoot);
    let namespace = trellis_namespace(&ask(&request));
    let query = format!("kubernetes/get/v1/Secret/{namespace}/cloudprovider");
    request["facts"] = json!([{ "query": query, "answer": { "response": credentials() } }]);
    request["cluster"]["metadata"] = json!({});
    let left = undecided(&ask(&request));
    assert!(
        left.iter().all(|placeholder| placeholder.contains("vpc") || placeholder.contains("vswitch")),
        "{left:?}"
    );
}

/// The namespace of the objects in the seed.
fn trellis_namespace(answer: &Value) -> String {
    let (_, object) = objects(answer).next().unwrap();
    object["metadata"]["namespace"].as_str().unwrap().to_owned()
}

/// The ids of the queries of an answer.
fn queries(answer: &Value) -> Vec<String> {
    let all = answer["undecided"].as_array().unwrap().iter();
    all.filter_map(|undecided| Some(undecided["query"]["id"].as_str()?.to_owned())).collect()
}

const SECRET: &str = "kubernetes/get/v1/Secret/shoot--core--johndoe/cloudprovider";
const API_SERVER: &str = "kubernetes/get/apps/v1/Deployment/shoot--core--johndoe/kube-apiserver";
const HELD: [&str; 4] = [
    "kubernetes/get/apps/v1/Deployment/shoot--core--johndoe/cloud-controller-manager",
    "kubernetes/get/v1/Secret/shoot--core--johndoe/cloud-provider-config",
    "kubernetes/get/shoot/apps/v1/DaemonSet/kube-system/csi-disk-plugin-alicloud",
    "kubernetes/get/shoot/v1/Secret/kube-system/csi-diskplugin-alicloud",
];

fn fact(query: &str, answer: &Value) -> Value {
    json!({ "query": query, "answer": answer })
}

fn not_found() -> Value {
    json!({ "error": { "code": "NotFound", "message": "not found", "httpStatus": 404 } })
}

fn forbidden() -> Value {
    json!({ "error": { "code": "Forbidden", "message": "nobody may read it", "httpStatus": 403 } })
}

#[test]
fn a_control_plane_asks_for_its_secret_then_for_what_the_clusters_hold() {
    let mut request = base();
    let answer = ask(&request);
    assert_eq!(queries(&answer), [SECRET]);
    assert!(answer["managedResources"].is_null(), "nothing is rendered without credentials");
    request["cluster"]["shoot"]["spec"]["hibernation"] = json!({ "enabled": true });
    assert_eq!(queries(&ask(&request)), [SECRET, API_SERVER]);

    let mut facts = vec![fact(SECRET, &json!({ "response": credentials() })), fact(API_SERVER, &not_found())];
    request["facts"] = facts.clone().into();
    let answer = ask(&request);
    assert_eq!(queries(&answer), HELD);
    assert_eq!(objects(&answer).count(), 50, "what the clusters hold may stay unknown");
    let restarts = answer["restarts"].as_array().unwrap();
    let named: Vec<&str> = restarts.iter().filter_map(|restart| restart["name"].as_str()).collect();
    assert_eq!(named, ["cloud-controller-manager", "csi-disk-plugin-alicloud"]);

    facts.extend(HELD.map(|query| fact(query, &not_found())));
    request["facts"] = facts.into();
    let answer = ask(&request);
    assert_eq!(answer["undecided"], json!([]));
    assert!(answer["restarts"].is_null(), "what is not there cannot restart");
}

#[test]
fn a_failed_answer_forbids_or_is_reported() {
    let secret = fact(SECRET, &json!({ "response": credentials() }));
    // The Secret: no answer but the Secret will do.
    for (answer, words) in [(not_found(), "not found"), (forbidden(), "nobody may read it")] {
        let mut request = base();
        request["facts"] = json!([fact(SECRET, &answer)]);
        let answer = ask(&request);
        assert_eq!(answer["findings"][0]["rule"], "ALI-RND-001");
        assert!(answer["findings"][0]["detail"].as_str().unwrap().ends_with(words), "{answer}");
        assert!(answer["managedResources"].is_null());
    }
    // The kube-apiserver of a Shoot that hibernates: none is as good as one without replicas.
    let replicas = |answer: &Value| {
        let mut deployments = objects(answer).filter(|(_, object)| object["kind"] == "Deployment");
        deployments.next().map(|(_, object)| object["spec"]["replicas"].clone())
    };
    for (apiserver, expected, requeue) in [
        (not_found(), Some(json!(0)), Value::Null),
        (json!({ "response": { "spec": { "replicas": 0 } } }), Some(json!(0)), Value::Null),
        (json!({ "response": { "spec": {} } }), Some(json!(0)), Value::Null),
        (json!({ "response": { "spec": { "replicas": 3 } } }), Some(json!(1)), json!(true)),
    ] {
        let mut request = base();
        request["cluster"]["shoot"]["spec"]["hibernation"] = json!({ "enabled": true });
        request["facts"] = json!([secret, fact(API_SERVER, &apiserver)]);
        let answer = ask(&request);
        assert_eq!((replicas(&answer), answer["requeue"].clone()), (expected, requeue), "{apiserver}");
    }
    let mut request = base();
    request["cluster"]["shoot"]["spec"]["hibernation"] = json!({ "enabled": true });
    request["facts"] = json!([secret, fact(API_SERVER, &forbidden())]);
    let answer = ask(&request);
    assert_eq!(answer["findings"][0]["rule"], "ALI-RND-006");
    assert_eq!(
        answer["findings"][0]["detail"],
        "could not look whether the kube-apiserver of the Shoot runs: nobody may read it"
    );
    assert!(answer["managedResources"].is_null());
    // What the clusters hold: pods may start again, and the answer says so.
    let mut facts = vec![secret];
    facts.extend(HELD.map(|query| fact(query, &forbidden())));
    let mut request = base();
    request["facts"] = facts.into();
    let answer = ask(&request);
    assert_eq!(objects(&answer).count(), 50);
    let why: Vec<&str> =
        answer["restarts"].as_array().unwrap().iter().filter_map(|one| one["why"].as_str()).collect();
    assert!(
        why.len() == 2 && why.iter().all(|why| why.ends_with("could not be read: nobody may read it")),
        "{why:?}"
    );
}

/// A Shoot that is deleted or migrated runs, hibernated or not.
#[test]
fn a_shoot_that_goes_is_awake() {
    for edit in [
        (|shoot: &mut Value| shoot["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into())
            as fn(&mut Value),
        |shoot| shoot["status"]["lastOperation"]["type"] = "Migrate".into(),
    ] {
        let mut request = base();
        request["cluster"]["shoot"]["spec"]["hibernation"] = json!({ "enabled": true });
        edit(&mut request["cluster"]["shoot"]);
        assert_eq!(queries(&ask(&request)), [SECRET]);
    }
}

/// Names of the objects, in order.
fn names(answer: &Value) -> Vec<String> {
    let name =
        |(bundle, object): (&str, &Value)| format!("{bundle} {} {}", object["kind"], object["metadata"]["name"]);
    objects(answer).map(name).collect()
}

/// A value whose members stand in the opposite order.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            Value::Object(members.iter().rev().map(|(key, value)| (key.clone(), reversed(value))).collect())
        }
        Value::Array(items) => items.iter().map(reversed).collect(),
        other => other.clone(),
    }
}

#[test]
fn order_and_bytes_are_stable() {
    let answer = render(&base(), &holds_credentials);
    assert_eq!(render(&base(), &holds_credentials).to_string(), answer.to_string());
    for (name, shoot) in shoots() {
        assert_eq!(names(&ask(&preview(&shoot))), names(&answer), "{name}");
    }
    // The order of members of a request means nothing.
    assert_eq!(render(&reversed(&base()), &holds_credentials).to_string(), answer.to_string());
}

/// A ManagedResource's Secret has another name exactly when one of its objects is another one.
#[test]
fn the_name_of_a_secret_shows_its_content() {
    let edits: [Edit; 6] = [
        |_| (),
        |request| request["controlPlane"]["spec"]["region"] = "eu-central-1".into(),
        |request| request["controlPlane"]["spec"]["providerConfig"]["csi"]["enableADController"] = false.into(),
        |request| {
            request["images"] = json!([{ "name": "csi-node-driver-registrar", "ref": "mirror/registrar:v1" }]);
        },
        |request| request["cluster"]["shoot"]["metadata"]["name"] = "other".into(),
        |request| request["cluster"]["shoot"]["spec"]["kubernetes"]["version"] = "1.34.0".into(),
    ];
    let before = render(&base(), &holds_credentials);
    let mut changed = BTreeSet::new();
    for edit in edits {
        let mut request = base();
        edit(&mut request);
        let after = render(&request, &holds_credentials);
        let resources = |answer: &Value| answer["managedResources"].as_array().unwrap().clone();
        for (old, new) in resources(&before).iter().zip(&resources(&after)) {
            let (old_objects, new_objects) = (old["objects"].to_string(), new["objects"].to_string());
            let is_same = old_objects == new_objects;
            assert_eq!(old["secret"]["name"] == new["secret"]["name"], is_same, "{}", new["name"]);
            assert_eq!(old["annotations"] == new["annotations"], is_same);
            if !is_same {
                changed.insert(new["name"].to_string());
            }
        }
    }
    assert_eq!(changed.len(), 2, "both bundles with values changed: {changed:?}");
}
