use serde_json::{Value, json};

use super::{plan, status};
use crate::document::parse;
use crate::policy::StatusRequest;
use crate::provider::alicloud::oss::testing::{ACCOUNT, Bucket, Ended, NAME, Oss};

const ENTRY: &str = "shoot--dev--a--u1";

fn request(operation: &str) -> Value {
    json!({
        "request": { "operation": operation, "backupEntry": {
            "metadata": { "name": ENTRY, "uid": "u" },
            "spec": { "type": "alicloud", "region": "cn-shanghai", "bucketName": NAME },
        } },
        "state": {},
    })
}

/// A bucket with objects of the entry, and of others whose names begin as its name does.
fn cloud(count: usize) -> Oss {
    let own: Vec<String> = (0..count).map(|number| format!("{ENTRY}/etcd/{number}")).collect();
    let others = ["shoot--dev--a--u10/x", "shoot--dev--a--u1", "shoot--dev--ab--u1/x", "a"];
    let keys: Vec<&str> = own.iter().map(String::as_str).chain(others).collect();
    Oss { page: 2, ..Oss::new(Some(Bucket::ours().with(&keys))) }
}

#[test]
fn a_reconciliation_asks_nothing_and_changes_nothing() {
    for operation in ["reconcile", "restore", "migrate"] {
        let mut cloud = cloud(2);
        let mut request = request(operation);
        assert_eq!(cloud.run(plan, &mut request), Ended::Done);
        assert_eq!((cloud.take_calls(), &request["state"]), (vec![], &json!({})));
        assert_eq!(cloud.plan(plan, &request).unwrap()["plan"]["changes"], json!([]));
    }
}

#[test]
fn the_objects_of_an_entry_go_page_by_page_and_those_of_others_stay() {
    for name in [ENTRY.to_owned(), format!("source-{ENTRY}")] {
        for pages in 0..4 {
            let mut cloud = cloud(2 * pages);
            let mut request = request("delete");
            request["request"]["backupEntry"]["metadata"]["name"] = json!(name);
            assert_eq!(cloud.run(plan, &mut request), Ended::Done);
            assert_eq!(cloud.take_calls().len(), 2 * pages + 1);
            assert_eq!((cloud.keys().len(), &request["state"]), (4, &json!({})));
        }
    }
}

#[test]
fn a_bucket_that_is_gone_has_no_objects() {
    let mut cloud = Oss::new(None);
    let mut request = request("delete");
    request["state"] = json!({ "Account": ACCOUNT, "Objects/marker": "x", "Objects/pass": "2" });
    assert_eq!(cloud.run(plan, &mut request), Ended::Done);
    assert_eq!((cloud.take_calls(), &request["state"]), (vec!["ListObjects".to_owned()], &json!({})));
}

#[test]
fn a_deletion_that_is_killed_anywhere_goes_on_where_it_ended() {
    for is_after in [false, true] {
        for nth in 0..4 {
            let mut cloud = Oss { kill: Some((nth, is_after)), ..cloud(7) };
            let mut request = request("delete");
            assert_eq!(cloud.run(plan, &mut request), Ended::Killed);
            cloud.kill = None;
            assert_eq!(cloud.run(plan, &mut request), Ended::Done);
            assert_eq!((cloud.keys().len(), &request["state"]), (4, &json!({})));
        }
    }
}

#[test]
fn what_a_retention_keeps_is_marked_after_its_rule_and_left() {
    let mut cloud = cloud(5);
    cloud.bucket.as_mut().unwrap().worm = Some(("Locked", 30));
    let mut request = request("delete");
    assert_eq!(cloud.run(plan, &mut request), Ended::Done);
    let bucket = cloud.bucket.as_ref().unwrap();
    assert_eq!((bucket.marked.len(), bucket.rules.len(), &request["state"]), (5, 2, &json!({})));
    assert!(bucket.marked.iter().all(|key| key.starts_with("shoot--dev--a--u1/")));
    assert_eq!(bucket.rules[0]["AbortMultipartUpload"]["Days"], "7");
    // What keeps nothing more is no reason to mark.
    cloud.bucket.as_mut().unwrap().worm = Some(("Expired", 30));
    assert_eq!(cloud.run(plan, &mut request), Ended::Done);
    assert_eq!((cloud.keys().len(), cloud.bucket.unwrap().marked.len()), (4, 5));
}

#[test]
fn what_is_left_is_said_with_its_date() {
    let mut cloud = Oss { page: 9, ..cloud(3) };
    cloud.bucket.as_mut().unwrap().worm = Some(("Locked", 30));
    let mut request = request("delete");
    request["state"] = json!({ "Account": ACCOUNT, "Objects/pass": "2" });
    let answer = cloud.plan(plan, &request).unwrap();
    let finding = &answer["findings"][0];
    assert_eq!((&finding["rule"], &finding["severity"]), (&json!("ALI-ENT-004"), &json!("warning")));
    assert_eq!(finding["detail"], "objects under retention: 3, the last one until 2026-02-01 03:04:05 +0000 UTC");
    assert_eq!(answer["plan"]["afterwards"], "done");
}

#[test]
fn a_deletion_that_is_killed_while_it_marks_marks_all() {
    for is_after in [false, true] {
        for nth in 3..8 {
            let mut cloud = Oss { kill: Some((nth, is_after)), ..cloud(5) };
            cloud.bucket.as_mut().unwrap().worm = Some(("Locked", 30));
            let mut request = request("delete");
            assert_eq!(cloud.run(plan, &mut request), Ended::Killed, "{nth}");
            cloud.kill = None;
            assert_eq!(cloud.run(plan, &mut request), Ended::Done);
            let mut marked = cloud.bucket.unwrap().marked;
            marked.sort_unstable();
            marked.dedup();
            assert_eq!(marked.len(), 5);
        }
    }
}

#[test]
fn the_form_of_an_entry_is_checked_before_the_first_call() {
    for operation in ["reconcile", "delete"] {
        let fields = |pointer: &str, value: Value| -> Vec<String> {
            let mut request = request(operation);
            *request["request"]["backupEntry"].pointer_mut(pointer).unwrap() = value;
            let mut cloud = Oss::new(None);
            let answer = cloud.plan(plan, &request).unwrap();
            let findings = answer["findings"].as_array().cloned().unwrap_or_default();
            assert!(findings.is_empty() || cloud.calls.is_empty());
            findings.iter().map(|finding| finding["field"].as_str().unwrap().to_owned()).collect()
        };
        for name in ["", "source-", "source---", "a", "a/b--c", "--u", "a--", "/", "A--b", "source-a"] {
            assert_eq!(fields("/metadata/name", json!(name)), ["metadata.name"], "{name}");
        }
        for bucket in ["", "a.b", "ab", "a/b/c"] {
            assert_eq!(fields("/spec/bucketName", json!(bucket)), ["spec.bucketName"]);
        }
        assert_eq!(fields("/spec/region", json!("")), ["spec.region"]);
        assert_eq!(fields("/metadata/name", json!("source-garden--u")), [""; 0]);
    }
}

#[test]
fn nothing_is_deleted_after_an_answer_that_is_not_complete_and_nothing_is_reported_as_done() {
    let of_others = |keys: &[&str]| {
        let contents: Vec<_> = keys.iter().map(|key| json!({ "Key": key, "LastModified": "x" })).collect();
        json!({ "response": { "ListBucketResult": { "Name": NAME, "Prefix": "shoot--dev--a--u1/", "Marker": "",
            "IsTruncated": "false", "Contents": contents } } })
    };
    let error =
        |code: &str, status: u16| json!({ "error": { "code": code, "message": "x", "httpStatus": status } });
    let faults = [
        of_others(&["shoot--dev--a--u1/a", "shoot--dev--a--u10/x"]),
        of_others(&["shoot--dev--a--u1"]),
        json!({ "response": {} }),
        json!({ "response": { "ListBucketResult": { "Name": NAME, "IsTruncated": "false", "Contents": [] } } }),
        error("AccessDenied", 403),
        error("InternalError", 500),
        error("NoSuchBucket", 0),
        error("UnreadableAnswer", 200),
    ];
    let kept = json!({ "Account": ACCOUNT, "Objects/pass": "2" });
    for (state, action) in [
        (json!({}), "ListObjects"),
        (kept.clone(), "ListObjects"),
        (kept.clone(), "GetBucketWorm"),
        (kept, "GetBucketLifecycle"),
    ] {
        for fault in &faults {
            let mut cloud = Oss { fault: Some((action, fault.clone())), ..cloud(3) };
            cloud.bucket.as_mut().unwrap().worm = Some(("Locked", 30));
            let mut request = request("delete");
            request["state"] = state.clone();
            let ended = cloud.run(plan, &mut request);
            assert!(matches!(ended, Ended::Unreadable | Ended::Refused(_)), "{action} {fault}: {ended:?}");
            assert!(cloud.take_calls().iter().all(|call| call.starts_with("Get") || call.starts_with("List")));
        }
    }
}

#[test]
fn a_state_of_another_account_is_not_gone_on_with() {
    let mut request = request("delete");
    request["state"] = json!({ "Account": "2", "Objects/marker": "x" });
    assert_eq!(cloud(2).run(plan, &mut request), Ended::Refused(vec!["ALI-ENT-003".to_owned()]));
}

#[test]
fn the_status_has_the_state_in_its_own_form() {
    let request = json!({ "request": request("delete")["request"], "state": { "Objects/pass": "2" } });
    let text = request.to_string();
    let document = parse(&text).unwrap();
    let answer = status(&StatusRequest::read(&document).unwrap()).unwrap();
    let answer: Value = serde_json::from_str(&crate::document::write(&answer)).unwrap();
    assert_eq!(answer["state"]["kind"], "BackupEntryState");
}
