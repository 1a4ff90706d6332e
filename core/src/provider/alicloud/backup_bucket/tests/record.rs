//! What a state, a status and a person's word say of whose a bucket is.

use super::*;

/// A status of which a deletion has begun, after a reconciliation of the existing extension.
fn reconciled() -> Value {
    json!({ "observedGeneration": 1, "lastOperation": { "type": "Delete", "state": "Processing" } })
}

fn deletion(state: Value) -> Value {
    let mut request = request("delete");
    request["state"] = state;
    request
}

/// The request with consent, and with the annotation.
fn adopting(request: &Value) -> [Value; 2] {
    let (mut consent, mut annotated) = (request.clone(), request.clone());
    consent["consent"] = json!(["adopt"]);
    annotated["request"]["backupBucket"]["metadata"]["annotations"] =
        json!({ "backupbucket.trellis.gardener.cloud/adopt": "true" });
    [consent, annotated]
}

#[test]
fn a_state_of_another_bucket_is_refused_without_a_call_and_kept() {
    for record in [
        json!({ "Origin": "created" }),
        json!({ "Origin": "taken" }),
        json!({ "Origin": "found" }),
        json!({ "Pending/bucket": "none" }),
    ] {
        for operation in ["reconcile", "delete"] {
            let mut cloud = Oss::new(Some(Bucket::ours().with(&["a"])));
            let mut wanted = request(operation);
            wanted["state"] = json!({ "Account": ACCOUNT, "Bucket": "other" });
            wanted["state"].as_object_mut().unwrap().extend(record.as_object().unwrap().clone());
            let before = wanted["state"].clone();
            let answer = cloud.plan(plan, &wanted).unwrap();
            assert_eq!(answer["findings"][0]["field"], "metadata.name");
            for mut wanted in adopting(&wanted).into_iter().chain([wanted]) {
                assert_eq!(cloud.run(plan, &mut wanted), refused("ALI-BKT-012"), "{operation} {before}");
                assert_eq!((cloud.take_calls(), cloud.keys(), &wanted["state"]), (vec![], vec!["a"], &before));
            }
        }
    }
}

#[test]
fn a_record_without_a_name_makes_no_bucket_ours() {
    for (state, origin) in [
        (json!({ "Account": ACCOUNT, "Origin": "created" }), "found"),
        (json!({ "Account": ACCOUNT, "Origin": "taken" }), "found"),
        (json!({ "Account": ACCOUNT, "Pending/bucket": "none" }), "found"),
        (json!({ "Account": ACCOUNT, "Bucket": NAME }), "found"),
        (json!({ "Account": ACCOUNT, "Bucket": "other" }), "found"),
        (json!({ "Account": ACCOUNT, "Origin": "found" }), "found"),
    ] {
        let mut cloud = Oss::new(Some(Bucket::ours().with(&["a"])));
        let mut deletion = deletion(state.clone());
        assert_eq!(cloud.run(plan, &mut deletion), Ended::Done, "{state}");
        assert_eq!((cloud.keys(), &deletion["state"]["Origin"]), (vec!["a"], &json!(origin)), "{state}");
        assert_eq!(deletion["state"].get("Pending/bucket"), None);
    }
    // Found without a name stays so, although the status alone would make the bucket ours.
    let mut cloud = Oss::new(Some(Bucket::ours().with(&["a"])));
    let mut deletion = deletion(json!({ "Origin": "found" }));
    deletion["request"]["backupBucket"]["status"] = reconciled();
    assert_eq!(cloud.run(plan, &mut deletion), Ended::Done);
    assert_eq!(cloud.keys(), ["a"]);
}

#[test]
fn the_name_of_a_bucket_that_oss_did_not_create_proves_nothing() {
    // The runner takes `Pending` out of the state after a call that was refused.
    for operation in ["reconcile", "delete"] {
        let mut cloud = Oss::new(None);
        let mut wanted = request(operation);
        wanted["state"] = json!({ "Account": ACCOUNT, "Bucket": NAME });
        assert_eq!(cloud.run(plan, &mut wanted), Ended::Done);
        let left = if operation == "delete" { json!({}) } else { created() };
        assert_eq!(wanted["state"], left);
    }
}

#[test]
fn a_bucket_that_was_found_is_recorded_with_its_name() {
    for operation in ["reconcile", "delete"] {
        let mut wanted = request(operation);
        assert_eq!(Oss::new(Some(Bucket::bare())).run(plan, &mut wanted), Ended::Done);
        assert_eq!((&wanted["state"]["Bucket"], &wanted["state"]["Origin"]), (&json!(NAME), &json!("found")));
    }
}

#[test]
fn a_deletion_leaves_a_bucket_of_another_account_or_region_and_ends_well() {
    let begun = json!({ "Account": ACCOUNT, "Bucket": NAME, "Pending/bucket": "none" });
    for bucket in [of_others(), elsewhere()] {
        for state in [json!({}), begun.clone()] {
            let mut cloud = Oss::new(Some(bucket.clone()));
            let mut deletion = deletion(state);
            deletion["request"]["backupBucket"]["status"] = reconciled();
            let answer = cloud.plan(plan, &deletion).unwrap();
            let finding = &answer["findings"][0];
            assert_eq!((&finding["rule"], &finding["severity"]), (&json!("ALI-BKT-009"), &json!("warning")));
            assert!(finding["detail"].as_str().unwrap().contains("if it is still there"));
            cloud.take_calls();
            assert_eq!(cloud.run(plan, &mut deletion), Ended::Done);
            assert_eq!((cloud.take_calls(), cloud.bucket.is_some()), (vec!["GetBucketInfo".to_owned()], true));
        }
    }
}

#[test]
fn an_empty_bucket_of_another_account_or_region_is_not_deleted_because_a_person_says_so() {
    let found = json!({ "Account": ACCOUNT, "Bucket": NAME, "Origin": "found" });
    for (bucket, rule) in [(of_others(), "ALI-BKT-003"), (elsewhere(), "ALI-BKT-004")] {
        for state in [json!({}), found.clone()] {
            for mut deletion in adopting(&deletion(state)) {
                let mut cloud = Oss::new(Some(bucket.clone()));
                assert_eq!(cloud.run(plan, &mut deletion), refused(rule));
                assert_eq!((cloud.take_calls(), cloud.bucket.is_some()), (vec!["GetBucketInfo".to_owned()], true));
            }
        }
    }
}

#[test]
fn a_bucket_that_a_person_says_is_ours_is_read_once_and_then_recorded() {
    for mut deletion in adopting(&deletion(json!({}))) {
        let mut cloud = Oss::new(Some(Bucket::bare().with(&["a"])));
        assert_eq!(cloud.run(plan, &mut deletion), Ended::Done);
        let calls = ["GetBucketInfo", "ListObjects", "DeleteMultipleObjects", "ListObjects", "DeleteBucket"];
        assert_eq!((cloud.take_calls(), &deletion["state"]), (calls.map(str::to_owned).to_vec(), &json!({})));
    }
    for mut wanted in adopting(&request("reconcile")) {
        assert_eq!(Oss::new(Some(Bucket::bare())).run(plan, &mut wanted), Ended::Done);
        assert_eq!(wanted["state"]["Origin"], "taken");
        wanted["state"] = json!({});
        assert_eq!(Oss::new(None).run(plan, &mut wanted), Ended::Done);
        assert_eq!(wanted["state"], created());
    }
    // A control plane that moves leaves the state as it is.
    for mut wanted in adopting(&request("migrate")) {
        assert_eq!(Oss::new(Some(Bucket::bare())).run(plan, &mut wanted), Ended::Done);
        assert_eq!(wanted["state"], json!({}));
    }
}

#[test]
fn only_a_finished_move_and_a_rule_that_does_nothing_else_show_the_existing_extension() {
    let operation = |kind: &str, state: &str| json!({ "observedGeneration": 1, "lastOperation": { "type": kind, "state": state } });
    let with = |members: Value| {
        let mut rule = abort_rule("7");
        rule.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        Bucket { rules: vec![rule], ..Bucket::ours() }
    };
    for (status, bucket, is_ours) in [
        (operation("Restore", "Succeeded"), Bucket::ours(), true),
        (operation("Migrate", "Succeeded"), Bucket::ours(), true),
        (operation("Restore", "Processing"), Bucket::ours(), false),
        (operation("Restore", "Error"), Bucket::ours(), false),
        (operation("Migrate", "Processing"), Bucket::ours(), false),
        (operation("Reconcile", "Succeeded"), with(json!({ "Tag": [], "Transition": [] })), true),
        (operation("Reconcile", "Succeeded"), with(json!({ "Expiration": { "Days": "9" } })), false),
        (operation("Reconcile", "Succeeded"), with(json!({ "Status": "Disabled" })), false),
        (operation("Reconcile", "Succeeded"), with(json!({ "Prefix": "logs/" })), false),
        (operation("Reconcile", "Succeeded"), with(json!({ "Filter": {} })), false),
    ] {
        let mut cloud = Oss::new(Some(bucket.with(&["a"])));
        let mut deletion = deletion(json!({}));
        deletion["request"]["backupBucket"]["status"] = status.clone();
        assert_eq!(cloud.run(plan, &mut deletion), Ended::Done);
        assert_eq!(cloud.bucket.is_none(), is_ours, "{status}");
    }
}
