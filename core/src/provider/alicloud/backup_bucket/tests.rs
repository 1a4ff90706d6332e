use serde_json::{Value, json};

use super::{plan, status};
use crate::document::parse;
use crate::policy::StatusRequest;
use crate::provider::alicloud::oss::testing::{ACCOUNT, Bucket, Ended, NAME, Oss, abort_rule};

mod deletion;
mod form;
mod record;
mod retention;

fn request(operation: &str) -> Value {
    json!({
        "request": { "operation": operation, "backupBucket": {
            "metadata": { "name": NAME, "uid": "u" },
            "spec": { "type": "alicloud", "region": "cn-shanghai" },
        } },
        "state": {},
    })
}

/// A request whose configuration asks for a retention.
fn retained(days: i64, locked: bool) -> Value {
    let mut request = request("reconcile");
    request["request"]["backupBucket"]["spec"]["providerConfig"] = json!({
        "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
        "kind": "BackupBucketConfig",
        "immutability": { "retentionType": "bucket", "retentionPeriod": days, "locked": locked },
    });
    request
}

/// The state after a run has created the bucket.
fn created() -> Value {
    json!({ "Account": ACCOUNT, "Bucket": NAME, "Origin": "created" })
}

fn refused(rule: &str) -> Ended {
    Ended::Refused(vec![rule.to_owned()])
}

#[test]
fn a_new_bucket_costs_four_calls_and_is_asked_about_by_three_without_a_change() {
    let mut cloud = Oss::new(None);
    let mut wanted = request("reconcile");
    assert_eq!(cloud.run(plan, &mut wanted), Ended::Done);
    assert_eq!(cloud.take_calls(), ["GetBucketInfo", "PutBucket", "PutBucketEncryption", "PutBucketLifecycle"]);
    let bucket = cloud.bucket.as_ref().unwrap();
    let rule = json!({ "Prefix": "", "Status": "Enabled", "AbortMultipartUpload": { "Days": "7" } });
    assert_eq!((bucket.encryption.as_str(), &bucket.rules), ("AES256", &vec![rule]));
    assert_eq!(wanted["state"], created());
    assert_eq!(cloud.run(plan, &mut wanted), Ended::Done);
    assert_eq!(cloud.take_calls(), ["GetBucketInfo", "GetBucketLifecycle", "GetBucketWorm"]);
    assert_eq!(wanted["state"], created(), "nothing is written");
}

#[test]
fn the_second_time_all_is_asked_side_by_side() {
    let mut wanted = request("reconcile");
    wanted["state"] = created();
    wanted["facts"] = json!([]);
    let text = wanted.to_string();
    let document = parse(&text).unwrap();
    let planning = plan(&crate::policy::PlanRequest::read(&document).unwrap()).unwrap();
    let actions: Vec<_> = planning.queries.iter().map(|query| query.call.action).collect();
    assert_eq!(actions, ["GetCallerIdentity", "GetBucketInfo", "GetBucketLifecycle", "GetBucketWorm"]);
}

#[test]
fn a_run_that_is_killed_anywhere_is_finished_by_the_next_one_and_the_bucket_stays_ours() {
    // An earlier bucket of the name was somebody's own.
    let earlier = json!({ "Account": ACCOUNT, "Bucket": NAME, "Origin": "found" });
    for (state, is_after) in
        [json!({}), earlier].into_iter().flat_map(|state| [(state.clone(), false), (state, true)])
    {
        for nth in 0..5 {
            let mut cloud = Oss { kill: Some((nth, is_after)), ..Oss::new(None) };
            let mut wanted = retained(30, true);
            wanted["state"] = state.clone();
            assert_eq!(cloud.run(plan, &mut wanted), Ended::Killed, "{nth}");
            cloud.kill = None;
            assert_eq!(cloud.run(plan, &mut wanted), Ended::Done, "{nth}");
            let bucket = cloud.bucket.as_ref().unwrap();
            assert_eq!(
                (bucket.encryption.as_str(), bucket.rules.len(), bucket.worm),
                ("AES256", 1, Some(("Locked", 30)))
            );
            assert_eq!(wanted["state"]["Origin"], "created", "{nth} {is_after}");
            assert_eq!(wanted["state"].get("Pending/bucket"), None);
        }
    }
}

#[test]
fn a_bucket_that_was_there_is_used_and_left_as_it_is() {
    let mut cloud = Oss::new(Some(Bucket::bare()));
    let mut wanted = request("reconcile");
    let answer = cloud.plan(plan, &wanted).unwrap();
    let notes = answer["plan"]["notes"].as_array().unwrap();
    assert_eq!(
        notes.iter().map(|note| &note["attribute"]).collect::<Vec<_>>(),
        ["encryption", "unfinished uploads"]
    );
    assert_eq!(answer["plan"]["resources"][0]["foreign"], true);
    assert_eq!(cloud.run(plan, &mut wanted), Ended::Done);
    assert_eq!(
        (wanted["state"]["Origin"].as_str(), cloud.bucket.unwrap().encryption.as_str()),
        (Some("found"), "None")
    );
}

#[test]
fn what_a_person_chose_in_our_bucket_stays() {
    let own = json!({ "ID": "logs", "Prefix": "logs/", "Status": "Enabled", "Expiration": { "Days": "9" }, "Odd": { "X": "1" } });
    let chosen = [
        (Bucket { encryption: "KMS".to_owned(), ..Bucket::ours() }, vec![]),
        (Bucket { rules: vec![abort_rule("3")], ..Bucket::ours() }, vec![]),
        (Bucket { rules: vec![abort_rule("30")], ..Bucket::ours() }, vec![]),
        (Bucket { rules: vec![own.clone()], ..Bucket::ours() }, vec!["PutBucketLifecycle"]),
        (Bucket { encryption: "None".to_owned(), ..Bucket::ours() }, vec!["PutBucketEncryption"]),
    ];
    for (bucket, calls) in chosen {
        let mut cloud = Oss::new(Some(bucket.clone()));
        let mut wanted = request("reconcile");
        wanted["state"] = created();
        assert_eq!(cloud.run(plan, &mut wanted), Ended::Done);
        assert_eq!(cloud.take_calls()[3..], calls);
        let rules = cloud.bucket.unwrap().rules;
        assert!(rules.starts_with(&bucket.rules), "{rules:?}");
    }
}

#[test]
fn a_bucket_of_another_account_or_region_is_an_error_and_never_success() {
    for operation in ["reconcile", "delete"] {
        let mut cloud = Oss { is_of_others: true, ..Oss::new(None) };
        assert_eq!(cloud.run(plan, &mut request(operation)), refused("ALI-BKT-002"));
        let mut cloud = Oss::new(Some(of_others().with(&["a"])));
        let mut wanted = request(operation);
        wanted["state"] = created();
        let ended = cloud.run(plan, &mut wanted);
        assert!(ended == refused("ALI-BKT-003") || ended == Ended::Unreadable, "{ended:?}");
        let mut wanted = request(operation);
        wanted["state"] = json!({ "Account": "2", "Bucket": NAME, "Origin": "created" });
        assert_eq!(Oss::new(Some(Bucket::ours())).run(plan, &mut wanted), refused("ALI-BKT-006"));
    }
}

/// Our bucket, but for its account.
fn of_others() -> Bucket {
    Bucket { owner: "2".to_owned(), ..Bucket::ours() }
}

/// Our bucket, but for its region.
fn elsewhere() -> Bucket {
    Bucket { location: "oss-cn-beijing".to_owned(), ..Bucket::ours() }
}

#[test]
fn a_reconciliation_refuses_a_bucket_of_another_account_or_region_before_it_reads_more_of_it() {
    for (bucket, rule) in [(of_others(), "ALI-BKT-003"), (elsewhere(), "ALI-BKT-004")] {
        let mut cloud = Oss::new(Some(bucket));
        assert_eq!(cloud.run(plan, &mut request("reconcile")), refused(rule));
        assert_eq!(cloud.take_calls(), ["GetBucketInfo"]);
    }
}

#[test]
fn a_name_that_is_taken_fails() {
    let taken = json!({ "error": { "code": "BucketAlreadyExists" } });
    let mut cloud = Oss { fault: Some(("PutBucket", taken)), ..Oss::new(None) };
    assert_eq!(cloud.run(plan, &mut request("reconcile")), Ended::Failed("BucketAlreadyExists".to_owned()));
}

#[test]
fn a_bucket_that_somebody_deleted_is_created_once_more() {
    let mut cloud = Oss::new(None);
    let mut wanted = request("reconcile");
    wanted["state"] = json!({ "Account": ACCOUNT, "Bucket": NAME, "Origin": "found" });
    assert_eq!(cloud.run(plan, &mut wanted), Ended::Done);
    assert_eq!(wanted["state"]["Origin"], "created");
    assert_eq!(cloud.run(plan, &mut wanted), Ended::Done);
}

#[test]
fn a_preview_asks_nothing_and_compares_with_an_older_bucket() {
    let mut cloud = Oss::new(None);
    let mut preview = retained(30, true);
    preview["baseline"] = json!("empty");
    let actions = |answer: &Value| -> Vec<String> {
        let steps = answer["plan"]["steps"].as_array().unwrap();
        steps.iter().map(|step| step["id"].as_str().unwrap().to_owned()).collect()
    };
    let whole = [
        "bucket/create",
        "bucket/encryption",
        "bucket/lifecycle",
        "bucket/retention/create",
        "bucket/retention/lock",
    ];
    assert_eq!(actions(&cloud.plan(plan, &preview).unwrap()), whole);
    preview["baseline"] = retained(20, true)["request"].clone();
    assert_eq!(actions(&cloud.plan(plan, &preview).unwrap()), ["bucket/retention/extend"]);
    assert_eq!(cloud.calls, [""; 0]);
}

#[test]
fn the_status_has_the_state_in_its_own_form() {
    let request = json!({ "request": request("reconcile")["request"], "state": created() });
    let text = request.to_string();
    let document = parse(&text).unwrap();
    let answer = status(&StatusRequest::read(&document).unwrap()).unwrap();
    let answer: Value = serde_json::from_str(&crate::document::write(&answer)).unwrap();
    assert_eq!((&answer["state"]["kind"], &answer["state"]["data"]), (&json!("BackupBucketState"), &created()));
}
