//! What `default` rewrites before the rules run, and what it leaves open. Neither is recorded.

use serde_json::{Value, json};

use crate::cases::merged;

const NOW: &str = "2026-06-01T00:00:00Z";

/// A Shoot in which nothing is left open.
fn shoot() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": { "name": "my-shoot", "namespace": "garden-dev" },
        "spec": {
            "cloudProfile": { "kind": "CloudProfile", "name": "cloud" },
            "kubernetes": { "version": "1.34.1" },
            "provider": { "type": "local", "workers": [{
                "name": "pool", "minimum": 1, "maximum": 2,
                "machine": { "type": "large", "architecture": "amd64", "image": { "name": "linux", "version": "1.2.3" } },
            }] },
        },
    })
}

fn profile() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile", "metadata": { "name": "cloud" },
        "spec": {
            "kubernetes": { "versions": [{ "version": "1.34.1" }, { "version": "1.34.2" }, { "version": "1.33.9" }] },
            "machineImages": [{ "name": "linux", "versions": [{ "version": "1.2.3" }, { "version": "1.3.0" }] }],
            "machineTypes": [{ "name": "large" }],
        },
    })
}

fn ask(new: &Value, old: Option<&Value>, context: &Value) -> Value {
    let mut request = json!({ "object": new, "context": context });
    // The time is a member of the request, next to the context.
    if let Some(now) = request["context"].as_object_mut().unwrap().remove("now") {
        request["now"] = now;
    }
    if let Some(old) = old {
        request["oldObject"] = old.clone();
    }
    serde_json::from_str(&trellis_core::call("gardener", "default", &request.to_string())).unwrap()
}

fn known() -> Value {
    json!({ "cloudProfile": profile(), "now": NOW })
}

/// The changes that rules with this prefix made: id, pointer, and the value there afterwards.
fn changes(answer: &Value, prefix: &str) -> Vec<(String, String, Value)> {
    let all = answer["changes"].as_array().unwrap();
    let text = |change: &Value, key: &str| change[key].as_str().unwrap().to_owned();
    all.iter()
        .filter(|change| text(change, "rule").starts_with(prefix))
        .map(|change| {
            let pointer = text(change, "pointer");
            let value = answer["object"].pointer(&pointer).cloned().unwrap_or(Value::Null);
            (text(change, "rule"), pointer, value)
        })
        .collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn the_api_server_writes_parts_of_a_shoot_again_before_it_judges() {
    let version = |version: &str| json!({ "spec": { "kubernetes": { "version": version } } });
    let operation = |value: &str| json!({ "metadata": { "annotations": { "gardener.cloud/operation": value } } });
    let last = |state: &str| json!({ "status": { "lastOperation": { "state": state } } });
    let with = |one: &Value, other: &Value| merged(one, other);
    let none = json!({});
    // What differs from the Shoot above in the new and in the old object, and the changes. `null`: a new Shoot.
    let cases: Vec<(&str, Value, Value, Value)> = vec![
        ("nothing to write", none.clone(), Value::Null, json!([])),
        (
            "a Seed of one's own choice",
            json!({ "spec": { "seedName": "mine" } }),
            json!({ "spec": { "seedName": "theirs" } }),
            json!([["PREP-2", "/spec/seedName", "theirs"]]),
        ),
        (
            "a Seed before the scheduler",
            json!({ "spec": { "seedName": "mine" } }),
            none.clone(),
            json!([["PREP-2", "/spec/seedName", null]]),
        ),
        ("a Seed of a new Shoot", json!({ "spec": { "seedName": "mine" } }), Value::Null, json!([])),
        (
            "a profile by its older name",
            json!({ "spec": {
                "kubernetes": { "version": "1.33.1" }, "cloudProfile": null, "cloudProfileName": "cloud",
            } }),
            Value::Null,
            json!([
                ["PREP-3", "/spec/cloudProfile", { "kind": "CloudProfile", "name": "cloud" }],
                ["PREP-3", "/spec/cloudProfileName", null],
            ]),
        ),
        (
            "a profile for older clients",
            version("1.32.1"),
            version("1.32.1"),
            json!([["PREP-3", "/spec/cloudProfileName", "cloud"]]),
        ),
        (
            "a profile without its kind",
            json!({ "spec": { "cloudProfile": { "kind": null } } }),
            Value::Null,
            json!([["PREP-3", "/spec/cloudProfile/kind", "CloudProfile"]]),
        ),
        (
            "an older name that is no longer needed",
            json!({ "spec": { "cloudProfileName": "cloud" } }),
            json!({ "spec": { "cloudProfileName": "cloud" } }),
            json!([["PREP-3", "/spec/cloudProfileName", null]]),
        ),
        (
            "credentials of DNS by the older name",
            json!({ "spec": { "dns": { "providers": [{ "secretName": "dns" }] } } }),
            Value::Null,
            json!([[
                "PREP-4", "/spec/dns/providers/0/credentialsRef",
                { "apiVersion": "v1", "kind": "Secret", "name": "dns" }
            ]]),
        ),
        (
            "credentials of DNS for older clients",
            json!({ "spec": { "dns": { "providers": [
                { "credentialsRef": { "apiVersion": "v1", "kind": "Secret", "name": "dns" } }
            ] } } }),
            Value::Null,
            json!([["PREP-4", "/spec/dns/providers/0/secretName", "dns"]]),
        ),
        (
            "credentials of DNS in a newer version",
            with(&version("1.35.0"), &json!({ "spec": { "dns": { "providers": [{ "secretName": "dns" }] } } })),
            Value::Null,
            json!([]),
        ),
        (
            "an operation twice",
            operation("rotate-ca-start; rotate-ca-start ;reconcile"),
            none.clone(),
            json!([["PREP-5", "/metadata/annotations/gardener.cloud~1operation", "rotate-ca-start;reconcile"]]),
        ),
        (
            "an operation that begins",
            with(&operation("rotate-ca-start;reconcile"), &last("Succeeded")),
            last("Succeeded"),
            json!([["PREP-7", "/metadata/annotations/gardener.cloud~1operation", "rotate-ca-start"]]),
        ),
        (
            "an operation that contains another",
            operation("rotate-ca-start;rotate-credentials-start"),
            last("Succeeded"),
            json!([["PREP-7", "/metadata/annotations/gardener.cloud~1operation", "rotate-credentials-start"]]),
        ),
        (
            "another try",
            operation("retry"),
            last("Failed"),
            json!([["PREP-7", "/metadata/annotations/gardener.cloud~1operation", null]]),
        ),
        ("another try of what has not failed", operation("retry"), last("Succeeded"), json!([])),
        (
            "an operation beside another change",
            with(&operation("reconcile"), &json!({ "spec": { "purpose": "testing" } })),
            last("Succeeded"),
            json!([]),
        ),
        (
            "events for long",
            json!({ "spec": { "kubernetes": { "kubeAPIServer": { "eventTTL": "25h" } } } }),
            none.clone(),
            json!([["PREP-8", "/spec/kubernetes/kubeAPIServer/eventTTL", "24h0m0s"]]),
        ),
        (
            "events for long, in a new Shoot",
            json!({ "spec": { "kubernetes": { "kubeAPIServer": { "eventTTL": "25h" } } } }),
            Value::Null,
            json!([]),
        ),
    ];
    for (name, new, old, wanted) in cases {
        let new = merged(&shoot(), &new);
        let old = (!old.is_null()).then(|| merged(&shoot(), &old));
        let written_by = |version: &str| {
            let answer = ask(&new, old.as_ref(), &merged(&known(), &json!({ "gardenerVersion": version })));
            let changes = changes(&answer, "PREP-");
            (answer, changes.into_iter().map(|(rule, at, value)| json!([rule, at, value])).collect::<Vec<_>>())
        };
        let (answer, found) = written_by("1.143.1");
        assert_eq!(json!(found), wanted, "{name}");
        // Newer releases leave the Seed, and refuse events that live for long.
        let is_of = |change: &Value, rule: &str| change[0] == rule;
        for (version, gone) in [("1.144.0", &["PREP-2"][..]), ("1.150.0", &["PREP-2", "PREP-8"])] {
            let mut wanted = found.clone();
            wanted.retain(|change| !gone.iter().any(|rule| is_of(change, rule)));
            assert_eq!(written_by(version).1, wanted, "{name} {version}");
        }
        let operations: json_patch::Patch = serde_json::from_value(answer["patch"].clone()).unwrap();
        let mut patched = new.clone();
        json_patch::patch(&mut patched, &operations).unwrap();
        assert_eq!(patched, answer["object"], "{name}");
    }
}

#[test]
fn a_request_of_the_scheduler_may_set_the_seed() {
    let new = merged(&shoot(), &json!({ "spec": { "seedName": "mine" } }));
    for (subresource, changed) in [(Value::Null, 1), (json!("binding"), 0), (json!("status"), 0)] {
        let mut context = merged(&known(), &json!({ "gardenerVersion": "1.143.1" }));
        context["subresource"] = subresource;
        assert_eq!(changes(&ask(&new, Some(&shoot()), &context), "PREP-2").len(), changed, "{context}");
    }
}

#[test]
fn what_only_the_cluster_knows_is_left_open_with_a_question() {
    let part = json!({ "spec": {
        "kubernetes": { "version": "1.34" }, "provider": { "workers": [{ "name": "a" }, { "name": "b" }] },
    } });
    let open = |object: &Value, context: &Value| -> Vec<(String, Value)> {
        let answer = ask(object, None, context);
        let undecided = answer["undecided"].as_array().unwrap().iter();
        undecided
            .map(|one| {
                let parameters = &one["query"]["call"]["parameters"];
                (one["rule"].as_str().unwrap().to_owned(), json!([parameters["kind"], parameters["name"]]))
            })
            .collect()
    };
    let (profile_asked, nothing_asked) = (json!(["CloudProfile", "cloud"]), json!([null, null]));
    let both = |query: &Value| vec![("MUT-1".to_owned(), query.clone()), ("MUT-3".to_owned(), query.clone())];
    let partial = merged(&shoot(), &part);
    assert_eq!(open(&partial, &json!({})), both(&profile_asked));
    assert_eq!(open(&partial, &json!({ "cloudProfile": profile() })), both(&nothing_asked));
    assert_eq!(open(&partial, &known()), []);
    assert_eq!(open(&shoot(), &json!({})), [], "nothing of the profile is needed");
    let seeded =
        merged(&shoot(), &json!({ "spec": { "seedName": "seed", "networking": { "pods": "10.0.0.0/8" } } }));
    assert_eq!(open(&seeded, &known()), [("ADM-NET".to_owned(), json!(["Seed", "seed"]))]);
    let answer = ask(&partial, None, &known());
    assert_eq!(answer["object"]["spec"]["kubernetes"]["version"], "1.34.2");
    assert_eq!(
        answer["object"]["spec"]["provider"]["workers"][1]["machine"]["image"],
        json!({ "name": "linux", "version": "1.3.0" })
    );
}

#[test]
fn each_change_says_why_and_undecodable_objects_stay() {
    for change in ask(&shoot(), None, &known())["changes"].as_array().unwrap() {
        assert!(change["reason"].as_str().is_some_and(|reason| reason.contains(' ')), "{change}");
    }
    let wrong = merged(&shoot(), &json!({ "spec": { "purpose": 1 } }));
    let answer = ask(&wrong, None, &known());
    assert_eq!((&answer["object"], &answer["patch"]), (&wrong, &json!([])));
    let twice = merged(&shoot(), &json!({ "spec": { "cloudProfileName": "cloud" } }));
    assert_eq!(ask(&twice, None, &known())["error"]["code"], "Denied");
}
