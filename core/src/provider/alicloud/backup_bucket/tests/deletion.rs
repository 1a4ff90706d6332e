use super::*;

/// A deletion of a bucket that a run created.
fn deletion() -> Value {
    let mut request = request("delete");
    request["state"] = created();
    request
}

fn keys(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("k{number:03}")).collect()
}

/// Our bucket with so many objects, of which a page has two.
fn cloud(count: usize) -> Oss {
    let keys = keys(count);
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    Oss { page: 2, ..Oss::new(Some(Bucket::ours().with(&keys))) }
}

fn count(calls: &[String], action: &str) -> usize {
    calls.iter().filter(|call| call.starts_with(action)).count()
}

#[test]
fn a_bucket_is_emptied_page_by_page_and_deleted_once_nothing_is_left() {
    for pages in 0..4 {
        let mut cloud = cloud(2 * pages);
        let mut request = deletion();
        assert_eq!(cloud.run(plan, &mut request), Ended::Done);
        let calls = cloud.take_calls();
        assert_eq!(calls.len(), 2 * pages + 2, "{calls:?}");
        assert!(cloud.bucket.is_none());
        assert_eq!(request["state"], json!({}), "{pages}");
        assert_eq!(cloud.run(plan, &mut request), Ended::Done);
        assert_eq!(cloud.take_calls(), ["GetBucketInfo"]);
    }
}

#[test]
fn a_bucket_that_is_gone_is_deleted() {
    for state in [
        created(),
        json!({}),
        json!({ "Account": ACCOUNT, "Bucket": NAME, "Origin": "taken", "Objects/marker": "k" }),
    ] {
        let mut cloud = Oss::new(None);
        let mut request = request("delete");
        request["state"] = state;
        assert_eq!(cloud.run(plan, &mut request), Ended::Done);
        assert_eq!((cloud.take_calls().len(), &request["state"]), (1, &json!({})));
    }
}

#[test]
fn a_page_is_a_part_of_one_destructive_change() {
    let mut cloud = cloud(3);
    let answer = cloud.plan(plan, &deletion()).unwrap();
    let changes = answer["plan"]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!(
        (&changes[0]["id"], &changes[0]["action"], &answer["plan"]["afterwards"]),
        (&json!("bucket"), &json!("delete"), &json!("more"))
    );
}

#[test]
fn a_deletion_that_is_killed_anywhere_goes_on_where_it_ended() {
    for is_after in [false, true] {
        for nth in 0..5 {
            let mut cloud = Oss { kill: Some((nth, is_after)), ..cloud(7) };
            let mut request = deletion();
            assert_eq!(cloud.run(plan, &mut request), Ended::Killed);
            let marker = request["state"]["Objects/marker"].as_str().map(str::to_owned);
            assert_eq!(marker.is_some(), (1..=3).contains(&nth), "{nth} {:?}", request["state"]);
            cloud.kill = None;
            assert_eq!(cloud.run(plan, &mut request), Ended::Done);
            assert_eq!((cloud.bucket.is_none(), &request["state"]), (true, &json!({})));
        }
    }
}

#[test]
fn a_bucket_that_was_there_is_kept_without_a_call_until_a_person_says_otherwise() {
    let mut cloud = Oss::new(Some(Bucket::ours().with(&["a", "b"])));
    let mut request = request("delete");
    request["state"] = json!({ "Account": ACCOUNT, "Bucket": NAME, "Origin": "found" });
    let answer = cloud.plan(plan, &request).unwrap();
    let finding = &answer["findings"][0];
    assert_eq!((&finding["rule"], &finding["severity"]), (&json!("ALI-BKT-009"), &json!("warning")));
    assert!(finding["detail"].as_str().unwrap().contains("backupbucket.trellis.gardener.cloud/adopt=true"));
    assert_eq!(cloud.run(plan, &mut request), Ended::Done);
    assert_eq!((cloud.take_calls(), cloud.keys().len()), (vec![], 2));
    assert_eq!(request["state"]["Origin"], "found", "the next attempt keeps it too");
    let mut consent = request.clone();
    consent["consent"] = json!(["adopt"]);
    request["request"]["backupBucket"]["metadata"]["annotations"] =
        json!({ "backupbucket.trellis.gardener.cloud/adopt": "true" });
    for mut request in [consent, request] {
        let mut cloud = Oss::new(Some(Bucket::ours().with(&["a", "b"])));
        assert_eq!(cloud.run(plan, &mut request), Ended::Done);
        assert!(cloud.bucket.is_none());
    }
}

#[test]
fn without_a_record_only_a_bucket_of_the_existing_extension_is_deleted() {
    let succeeded =
        json!({ "observedGeneration": 1, "lastOperation": { "type": "Create", "state": "Succeeded" } });
    let deleting =
        json!({ "observedGeneration": 1, "lastOperation": { "type": "Delete", "state": "Processing" } });
    let deleted = json!({ "observedGeneration": 1, "lastOperation": { "type": "Delete", "state": "Succeeded" } });
    let failed = json!({ "observedGeneration": 1, "lastError": { "description": "x" },
                         "lastOperation": { "type": "Delete", "state": "Processing" } });
    let reconciled = json!({ "lastOperation": { "type": "Reconcile", "state": "Error" } });
    let plain = Bucket { rules: vec![abort_rule("8")], ..Bucket::ours() };
    for (status, bucket, is_deleted) in [
        (&succeeded, Bucket::ours(), true),
        (&deleting, Bucket::ours(), true),
        (&reconciled, Bucket::ours(), true),
        (&deleted, Bucket::ours(), false),
        (&failed, Bucket::ours(), false),
        (&json!({}), Bucket::ours(), false),
        (&json!({ "lastOperation": { "type": "Create", "state": "Processing" } }), Bucket::ours(), false),
        (&deleting, Bucket::bare(), false),
        (&deleting, plain, false),
    ] {
        let mut cloud = Oss::new(Some(bucket.with(&["a"])));
        let mut request = request("delete");
        request["request"]["backupBucket"]["status"] = status.clone();
        assert_eq!(cloud.run(plan, &mut request), Ended::Done);
        assert_eq!(cloud.bucket.is_none(), is_deleted, "{status}");
        assert_eq!(cloud.take_calls().len(), if is_deleted { 6 } else { 2 });
        // A reconciliation decides the same way.
        let mut cloud = Oss::new(Some(Bucket::ours()));
        request["request"]["operation"] = json!("reconcile");
        request["state"] = json!({});
        assert_eq!(cloud.run(plan, &mut request), Ended::Done);
        let is_taken = request["state"]["Origin"] == "taken";
        assert!(is_taken || !is_deleted);
    }
}

#[test]
fn a_bucket_that_a_run_began_to_create_is_deleted() {
    for bucket in [None, Some(Bucket::bare())] {
        let mut cloud = Oss::new(bucket);
        let mut request = request("delete");
        request["state"] = json!({ "Account": ACCOUNT, "Bucket": NAME, "Pending/bucket": "none" });
        request["waited"] = json!(true);
        assert_eq!(cloud.run(plan, &mut request), Ended::Done);
        assert_eq!((cloud.bucket.is_none(), &request["state"]), (true, &json!({})));
    }
}

#[test]
fn unfinished_uploads_go_once_they_are_in_the_way() {
    let mut cloud = cloud(0);
    cloud.bucket.as_mut().unwrap().uploads = keys(3);
    let mut request = deletion();
    assert_eq!(cloud.run(plan, &mut request), Ended::Failed("BucketNotEmpty".to_owned()));
    assert_eq!(cloud.take_calls(), ["ListObjects", "DeleteBucket"]);
    assert_eq!(cloud.run(plan, &mut request), Ended::Done);
    let calls = cloud.take_calls();
    assert_eq!((count(&calls, "AbortMultipartUpload"), count(&calls, "ListMultipartUploads")), (3, 2));
    assert_eq!((cloud.bucket.is_none(), &request["state"]), (true, &json!({})));
}

#[test]
fn objects_under_retention_are_marked_once_and_named_with_their_date() {
    // The rule about marks leaves an object for 4 days.
    for (worm, date) in [
        (("Locked", 30), "2026-02-01 03:04:05"),
        (("Locked", 3), "2026-01-06 03:04:05"),
        (("InProgress", 30), "2026-01-06 03:04:05"),
    ] {
        let mut cloud = cloud(5);
        let own = json!({ "ID": "logs", "Prefix": "logs/", "Status": "Enabled", "Expiration": { "Days": "9" } });
        let older = json!({ "ID": "GC-forTaggedObjects", "Prefix": "", "Status": "Disabled", "Expiration": { "Days": "4" } });
        let bucket = cloud.bucket.as_mut().unwrap();
        bucket.worm = Some(worm);
        bucket.rules.extend([own.clone(), older]);
        let mut request = deletion();
        assert_eq!(cloud.run(plan, &mut request), refused("ALI-BKT-010"));
        let calls = cloud.take_calls();
        assert_eq!((count(&calls, "PutObjectTagging"), count(&calls, "PutBucketLifecycle")), (5, 1));
        let rule = calls.iter().position(|call| call == "PutBucketLifecycle");
        assert!(rule < calls.iter().position(|call| call.starts_with("PutObjectTagging")));
        let rules = &cloud.bucket.as_ref().unwrap().rules;
        assert_eq!(
            (rules.len(), &rules[0], &rules[1], &rules[2]["Tag"][0]["Key"]),
            (3, &abort_rule("7"), &own, &json!("gc-marked-for-deletion"))
        );
        // Until something goes or comes, nothing is done.
        let answer = cloud.plan(plan, &request).unwrap();
        let detail = answer["findings"][0]["detail"].as_str().unwrap();
        assert!(detail.contains(date) && detail.contains("objects under retention"), "{detail}");
        assert_eq!(answer["codes"], json!(["ERR_RETRYABLE_INFRA_DEPENDENCIES"]));
        cloud.take_calls();
        assert_eq!(cloud.run(plan, &mut request), refused("ALI-BKT-010"));
        assert_eq!(cloud.take_calls(), ["ListObjects", "GetBucketWorm", "GetBucketLifecycle"]);
        // The rule has deleted what it could, and something came: all begins once more.
        let bucket = cloud.bucket.as_mut().unwrap();
        bucket.objects.retain(|key, _| key == "k004");
        assert_eq!(cloud.run(plan, &mut request), refused("ALI-BKT-010"));
        assert_eq!(count(&cloud.take_calls(), "PutObjectTagging"), 1);
        cloud.bucket.as_mut().unwrap().worm = None;
        assert_eq!(cloud.run(plan, &mut request), Ended::Done);
        assert!(cloud.bucket.is_none());
    }
}

#[test]
fn all_that_is_kept_is_counted_although_a_page_shows_a_part() {
    let mut cloud = cloud(5);
    let bucket = cloud.bucket.as_mut().unwrap();
    bucket.worm = Some(("Locked", 30));
    bucket.objects.insert("k004".to_owned(), "2026-01-05T03:04:05.000Z".to_owned());
    let mut request = deletion();
    for _ in 0..2 {
        assert_eq!(cloud.run(plan, &mut request), refused("ALI-BKT-010"));
        let answer = cloud.plan(plan, &request).unwrap();
        assert_eq!(
            answer["findings"][0]["detail"],
            "objects under retention: 5, the last one until 2026-02-04 03:04:05 +0000 UTC: k000, k001, …"
        );
    }
    // A state that does not say how many there are is no reason to wait.
    request["state"].as_object_mut().unwrap().remove("Objects/left");
    cloud.take_calls();
    assert_eq!(cloud.run(plan, &mut request), refused("ALI-BKT-010"));
    assert_eq!(count(&cloud.take_calls(), "PutObjectTagging"), 5);
}

#[test]
fn the_rule_about_marks_is_set_again_where_it_is_missing_or_altered() {
    let mut cloud = cloud(5);
    cloud.bucket.as_mut().unwrap().worm = Some(("Locked", 30));
    let mut request = deletion();
    assert_eq!(cloud.run(plan, &mut request), refused("ALI-BKT-010"));
    let rules = cloud.bucket.as_ref().unwrap().rules.clone();
    let altered = |member: &str, value: Value| {
        let mut rules = rules.clone();
        rules[1][member] = value;
        rules
    };
    for other in [
        rules[..1].to_vec(),
        altered("Status", json!("Disabled")),
        altered("Expiration", json!({ "Days": "400" })),
        altered("Prefix", json!("logs/")),
    ] {
        cloud.bucket.as_mut().unwrap().rules = other;
        cloud.take_calls();
        assert_eq!(cloud.run(plan, &mut request), refused("ALI-BKT-010"));
        let calls = cloud.take_calls();
        assert_eq!((count(&calls, "PutBucketLifecycle"), count(&calls, "PutObjectTagging")), (1, 5));
        assert_eq!(cloud.bucket.as_ref().unwrap().rules, rules);
    }
}

#[test]
fn marks_wait_for_their_rule_alone_and_the_last_one_for_all() {
    let mut cloud = Oss { page: 9, ..cloud(4) };
    cloud.bucket.as_mut().unwrap().worm = Some(("Locked", 30));
    let mut request = deletion();
    request["state"]["Objects/pass"] = json!("2");
    let answer = cloud.plan(plan, &request).unwrap();
    let after: Vec<_> =
        answer["plan"]["steps"].as_array().unwrap().iter().map(|step| step["after"].clone()).collect();
    let rule = json!(["bucket/rule"]);
    assert_eq!(
        after,
        [json!([]), rule.clone(), rule.clone(), rule, json!(["bucket/mark-0", "bucket/mark-1", "bucket/mark-2"])]
    );
}

#[test]
fn what_is_listed_although_it_was_deleted_is_deleted_again_and_the_host_counts() {
    let mut cloud = cloud(2);
    let mut request = deletion();
    request["state"]["Objects/pass"] = json!("2");
    let answer = cloud.plan(plan, &request).unwrap();
    assert_eq!(
        (answer["plan"].get("afterwards"), &answer["plan"]["steps"][0]["id"]),
        (None, &json!("bucket/empty-again"))
    );
    assert_eq!(cloud.run(plan, &mut request), Ended::Done);
    assert!(cloud.bucket.is_none());
}

/// Answers that are not the whole answer to a question.
pub fn faults() -> Vec<Value> {
    let list = |change: Value| {
        let mut list = json!({ "Name": NAME, "Prefix": "", "Marker": "", "IsTruncated": "false", "Contents": [] });
        list.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        json!({ "response": { "ListBucketResult": list } })
    };
    let error =
        |code: &str, status: u16| json!({ "error": { "code": code, "message": "x", "httpStatus": status } });
    vec![
        json!({ "response": {} }),
        json!({ "response": null }),
        json!({ "response": { "ListBucketResult": {} } }),
        list(json!({ "IsTruncated": null })),
        list(json!({ "IsTruncated": "perhaps" })),
        list(json!({ "IsTruncated": "true" })),
        list(json!({ "IsTruncated": "true", "NextMarker": "k" })),
        list(json!({ "Contents": null })),
        list(json!({ "Contents": {} })),
        list(json!({ "Contents": [{}] })),
        list(json!({ "Contents": [{ "Key": "k" }] })),
        list(json!({ "Name": "other" })),
        list(json!({ "Prefix": "k" })),
        list(json!({ "Marker": "k" })),
        list(json!({ "Contents": [{ "Key": "k", "LastModified": "x", "Owner": { "ID": "2" } }] })),
        error("AccessDenied", 403),
        error("InternalError", 500),
        error("NoSuchBucket", 500),
        error("ConnectionFailed", 0),
        error("UnreadableAnswer", 200),
    ]
}

#[test]
fn nothing_is_deleted_after_an_answer_that_is_not_complete_and_nothing_is_reported_as_done() {
    let state_after_a_page =
        json!({ "Account": ACCOUNT, "Bucket": NAME, "Origin": "created", "Objects/marker": "k000" });
    let second_pass = json!({ "Account": ACCOUNT, "Bucket": NAME, "Origin": "created", "Objects/pass": "2" });
    let uploads = json!({ "Account": ACCOUNT, "Bucket": NAME, "Origin": "created", "Deleting/bucket": NAME });
    let states = [
        (created(), "ListObjects"),
        (state_after_a_page, "ListObjects"),
        (second_pass.clone(), "ListObjects"),
        (second_pass, "GetBucketWorm"),
        (json!({}), "GetBucketInfo"),
        (json!({}), "GetBucketLifecycle"),
        (uploads, "ListMultipartUploads"),
    ];
    for (state, action) in states {
        for fault in faults() {
            let mut cloud = cloud(if action == "ListMultipartUploads" { 0 } else { 3 });
            // It says that there is no bucket, and the answer before says that there is one.
            let gone = json!({ "error": { "code": "NoSuchBucket", "message": "x", "httpStatus": 404 } });
            let is_of_bucket = ["GetBucketWorm", "GetBucketLifecycle"].contains(&action);
            for fault in [Some(fault.clone()), is_of_bucket.then_some(gone)].into_iter().flatten() {
                cloud.fault = Some((action, fault.clone()));
                let mut request = deletion();
                request["state"] = state.clone();
                request["request"]["backupBucket"]["status"] = json!({ "lastOperation": { "type": "Reconcile" } });
                let ended = cloud.run(plan, &mut request);
                assert!(matches!(ended, Ended::Unreadable | Ended::Refused(_)), "{action} {fault}: {ended:?}");
                assert!(cloud.take_calls().iter().all(|call| call.starts_with("Get") || call.starts_with("List")));
            }
        }
    }
}

#[test]
fn a_reconciliation_changes_nothing_after_an_answer_that_is_not_complete() {
    for action in ["GetBucketInfo", "GetBucketLifecycle", "GetBucketWorm"] {
        for fault in faults() {
            let mut cloud = Oss { fault: Some((action, fault.clone())), ..Oss::new(Some(Bucket::bare())) };
            let mut request = retained(30, true);
            let ended = cloud.run(plan, &mut request);
            assert!(matches!(ended, Ended::Unreadable | Ended::Refused(_)), "{action} {fault}: {ended:?}");
            assert!(cloud.take_calls().iter().all(|call| call.starts_with("Get")));
        }
    }
}
