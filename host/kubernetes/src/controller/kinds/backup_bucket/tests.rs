//! What a BackupBucket asks its API server for, in which order, and how its operations end.

use serde_json::{Value, json};

use super::*;
use crate::controller::kinds::testing::{
    asked, deleted, finalizers, nothing, object, one_deletion, planned, with_secret,
};
use crate::controller::runtime::reconcile::Outcome;
use crate::controller::runtime::safeguards::MOST_DESTRUCTIVE;
use crate::controller::runtime::testing::Server;

/// Reconciles the bucket `a` once, with a policy that answers so.
async fn reconcile(server: &Server, plan: Value) -> (Outcome, Vec<String>) {
    let buckets = BackupBuckets(planned(server, plan));
    server.requests();
    let outcome = server.reconcile_with(&buckets, "", "a", None).await;
    let short = |request: String| request.replace("backupbuckets/a", "bucket").replace("secrets/s", "secret");
    (outcome, server.requests().into_iter().map(short).collect())
}

fn with(bucket: Value) -> Server {
    with_secret().with(&BACKUP_BUCKET.objects(), bucket)
}

fn bucket(server: &Server) -> Value {
    server.object(&BACKUP_BUCKET.objects(), "", "a").unwrap()
}

#[tokio::test]
async fn the_secret_is_held_before_anything_is_done_and_released_after_the_last_deletion() {
    let server = with(object(&BACKUP_BUCKET, "a"));
    let (outcome, requests) = reconcile(&server, nothing()).await;
    assert_eq!(outcome, Outcome::Done(Operation::Create));
    assert_eq!(
        requests,
        ["PATCH bucket/status", "GET secret", "GET secret", "PATCH secret", "GET secret", "PATCH bucket/status"]
    );
    assert_eq!(finalizers(&server), ["other", BACKUP_BUCKET.finalizer]);

    let other = object(&BACKUP_BUCKET, "other");
    let now = deleted(bucket(&server));
    let server = server.with(&BACKUP_BUCKET.objects(), other.clone()).with(&BACKUP_BUCKET.objects(), now);
    let (outcome, requests) = reconcile(&server, nothing()).await;
    assert_eq!(outcome, Outcome::Done(Operation::Delete));
    let list = "LIST backupbuckets";
    let leaving = ["PATCH bucket/status", "GET secret", "PATCH bucket/status", "GET secret", list];
    assert_eq!(requests, [&leaving[..], &["PATCH bucket"]].concat());
    assert_eq!(finalizers(&server), ["other", BACKUP_BUCKET.finalizer], "another bucket needs it");

    let mut gone = deleted(other);
    gone["metadata"]["finalizers"] = json!([]);
    gone["status"]["lastOperation"] = json!({ "type": "Delete", "state": "Succeeded" });
    let server = server
        .with(&BACKUP_BUCKET.objects(), gone)
        .with(&BACKUP_BUCKET.objects(), deleted(object(&BACKUP_BUCKET, "a")));
    let (_, requests) = reconcile(&server, nothing()).await;
    assert_eq!(requests, [&leaving[..], &["GET secret", "PATCH secret", "PATCH bucket"]].concat());
    assert_eq!(finalizers(&server), ["other"]);
    assert_eq!(bucket(&server)["metadata"]["finalizers"], json!([]));
}

#[tokio::test]
async fn an_annotation_that_asks_to_leave_gets_a_reconcile() {
    for annotation in ["migrate", "restore"] {
        let server = with(asked(object(&BACKUP_BUCKET, "a"), annotation));
        let (outcome, _) = reconcile(&server, nothing()).await;
        assert!(matches!(outcome, Outcome::Done(Operation::Migrate | Operation::Restore)), "{outcome:?}");
        assert_eq!(finalizers(&server), ["other", BACKUP_BUCKET.finalizer]);
        assert_eq!(bucket(&server)["metadata"]["finalizers"], json!([BACKUP_BUCKET.finalizer]));
    }
}

#[tokio::test]
async fn without_its_secret_a_bucket_stays_processing_and_its_deletion_fails() {
    let server = Server::default().with(&BACKUP_BUCKET.objects(), object(&BACKUP_BUCKET, "a"));
    let (outcome, requests) = reconcile(&server, nothing()).await;
    let why = "failed to get backup bucket secret: secrets \"s\" not found";
    assert_eq!(outcome, Outcome::Unwritten(why.to_owned()));
    assert_eq!(requests, ["PATCH bucket/status", "GET secret"]);
    assert_eq!(bucket(&server)["status"]["lastOperation"]["state"], "Processing");
    assert_eq!(bucket(&server)["status"].get("lastError"), None);

    let server = Server::default().with(&BACKUP_BUCKET.objects(), deleted(object(&BACKUP_BUCKET, "a")));
    let (outcome, _) = reconcile(&server, nothing()).await;
    assert!(matches!(&outcome, Outcome::Failed(text) if text.contains("garden/s")), "{outcome:?}");
    assert_eq!(bucket(&server)["metadata"]["finalizers"], json!([BACKUP_BUCKET.finalizer]));
}

#[tokio::test]
async fn the_cap_holds_a_deletion_back_until_the_annotation_lets_it_go() {
    let mut capped = deleted(object(&BACKUP_BUCKET, "a"));
    capped["metadata"]["annotations"] = json!({ MOST_DESTRUCTIVE: "0" });
    let server = with(capped);
    let (outcome, _) = reconcile(&server, one_deletion()).await;
    assert!(matches!(outcome, Outcome::Held(_)), "{outcome:?}");
    let text = bucket(&server)["status"]["lastError"]["description"].to_string();
    assert!(text.contains(&format!("{MOST_DESTRUCTIVE}=1")), "{text}");
    // What is not to be deleted needs no leave.
    let (outcome, _) = reconcile(&server, nothing()).await;
    assert_eq!(outcome, Outcome::Done(Operation::Delete));
}

#[tokio::test]
async fn a_retention_is_looked_at_each_hour() {
    let finding = json!({
        "rule": "R", "severity": "error", "type": "FieldValueForbidden", "field": "", "pointer": "",
        "detail": "objects are retained until then", "remedy": "",
    });
    let retained = |codes: Value| json!({ "findings": [finding], "codes": codes });
    let server = || with(deleted(object(&BACKUP_BUCKET, "a")));
    let (outcome, _) = reconcile(&server(), retained(json!([RETRYABLE]))).await;
    assert!(
        matches!(&outcome, Outcome::FailedFor(after, text) if *after == RETAINED && text.contains("until then")),
        "{outcome:?}"
    );
    let (outcome, _) = reconcile(&server(), retained(json!(["ERR_CONFIGURATION_PROBLEM"]))).await;
    assert!(matches!(&outcome, Outcome::Failed(_)), "{outcome:?}");
}

#[tokio::test]
async fn whichever_write_has_no_effect_the_next_attempts_come_to_the_same_end() {
    for given in [object(&BACKUP_BUCKET, "a"), deleted(object(&BACKUP_BUCKET, "a"))] {
        let end = async |server: Server| {
            let mut attempts = 0;
            while !matches!(reconcile(&server, nothing()).await.0, Outcome::Done(_) | Outcome::Idle(_)) {
                attempts += 1;
                assert!(attempts < 5, "{given}");
            }
            let bucket = bucket(&server);
            let last = &bucket["status"]["lastOperation"]["description"];
            (last.clone(), bucket["metadata"]["finalizers"].clone(), finalizers(&server))
        };
        let expected = end(with(given.clone())).await;
        for at in 0..4 {
            assert_eq!(end(with(given.clone()).failing(at, 403)).await, expected, "{at} {given}");
        }
    }
}
