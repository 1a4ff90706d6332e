//! What a provider plans of subjects of several kinds.

use serde_json::{Value, json};

use crate::provider::ask;

fn bucket() -> Value {
    json!({ "kind": "BackupBucket", "metadata": { "name": "pail", "uid": "1" }, "spec": { "type": "toy-store" } })
}

/// What is planned for a bucket where the cloud has these.
fn planned(operation: &str, state: &Value, buckets: &Value) -> Value {
    ask(
        "plan",
        &json!({
            "request": { "operation": operation, "backupBucket": bucket() },
            "state": state,
            "facts": [
                { "query": "who", "answer": { "response": { "id": "me" } } },
                { "query": "buckets", "answer": { "response": { "buckets": buckets } } },
            ],
        }),
    )
}

#[test]
fn a_module_shows_which_kinds_it_plans_and_of_which_types() {
    let plans = json!([{ "kind": "Infrastructure", "types": ["toy"] }, { "kind": "BackupBucket", "types": ["toy-store"] }]);
    assert_eq!(ask("info", &json!({}))["plans"], plans);
}

#[test]
fn a_request_has_exactly_one_subject_of_a_kind_that_is_planned() {
    let one_of = "the request must have exactly one of `infrastructure`, `backupBucket`, `backupEntry`, \
                  `dnsRecord` and `bastion`, or the `cluster.shoot` whose Infrastructure is meant";
    let record = json!({ "kind": "DNSRecord", "spec": { "type": "toy" } });
    let other = |of_type: &str| {
        let mut bucket = bucket();
        bucket["spec"]["type"] = json!(of_type);
        bucket
    };
    for (members, code, message, pointer) in [
        (json!({}), "Malformed", one_of, json!("/request")),
        (json!({ "backupBucket": bucket(), "dnsRecord": record }), "Malformed", one_of, json!("/request")),
        (json!({ "worker": {} }), "Malformed", one_of, Value::Null),
        (json!({ "bastion": {}, "backupBucket": bucket() }), "Malformed", one_of, json!("/request")),
        (json!({ "backupBucket": [] }), "Malformed", "`backupBucket` must be an object, not a list", Value::Null),
        (
            json!({ "dnsRecord": record }),
            "UnsupportedKind",
            "`DNSRecord` is not a kind that this module of `toy` plans; it plans Infrastructure and BackupBucket",
            json!("/kind"),
        ),
        (
            json!({ "backupBucket": other("toy") }),
            "Malformed",
            "`spec.type` of a BackupBucket of `toy` is `toy-store`",
            json!("/spec/type"),
        ),
        (json!({ "backupBucket": other("game") }), "OtherProvider", "ask that of `game`", json!("/spec/type")),
    ] {
        let mut request = members;
        request["operation"] = json!("reconcile");
        for function in ["plan", "status"] {
            let error = &ask(function, &json!({ "request": request }))["error"];
            assert_eq!((&error["code"], &error["pointer"]), (&json!(code), &pointer), "{request}: {error}");
            assert!(error["message"].as_str().unwrap().ends_with(message), "{request}: {error}");
        }
    }
    let request = json!({ "operation": "reconcile", "backupBucket": bucket() });
    let baseline = json!({ "operation": "reconcile", "cluster": { "shoot": {} } });
    let answer = ask("plan", &json!({ "request": request, "baseline": baseline }));
    assert_eq!(answer["error"]["message"], "`baseline` must have an object of the kind of `request`");
}

#[test]
fn a_bucket_is_made_with_a_token_of_its_own_or_taken_by_its_name() {
    let made = &planned("reconcile", &json!({}), &json!([]))["plan"];
    assert_eq!(made["steps"][0]["call"]["token"], "BackupBucket//pail/1/bucket/none");
    assert_eq!(made["afterwards"], "done");
    let found = &planned("reconcile", &json!({}), &json!([{ "id": "b-1", "owner": "me" }]))["plan"];
    assert_eq!((&found["steps"], &found["state"]["Bucket"]), (&json!([]), &json!("b-1")));
    let status = ask("status", &json!({ "request": { "operation": "reconcile", "backupBucket": bucket() } }));
    assert_eq!(status, json!({ "state": { "kind": "BucketState" } }));
}

#[test]
fn a_bucket_goes_only_with_the_plan_after_the_last_handful() {
    let state = json!({ "Account": "me", "Bucket": "b-1" });
    let full = &planned("delete", &state, &json!([{ "id": "b-1", "owner": "me", "content": "sand" }]))["plan"];
    assert_eq!((&full["changes"][0]["action"], &full["afterwards"]), (&json!("delete"), &json!("more")));
    let step = &full["steps"][0];
    assert_eq!(step["call"]["action"], "Empty");
    assert_eq!((&step["remember"], &step["conclude"]), (&Value::Null, &Value::Null), "the bucket stays");
    let empty = &planned("delete", &state, &json!([{ "id": "b-1", "owner": "me" }]))["plan"];
    assert_eq!((&empty["steps"][0]["call"]["action"], &empty["afterwards"]), (&json!("Break"), &json!("done")));
    assert_eq!(empty["steps"][0]["conclude"]["Bucket"], "<deleted>");
}
