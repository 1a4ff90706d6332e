//! What comes before and after an operation, and how it ends.

use serde_json::{Map, Value, json};

use super::stage::{DONE, Stage, deleted, object, with_namespace};
use crate::api_server::objects::namespace;
use crate::api_server::requests::WriteError;
use crate::controller::runtime::actuator::{Ended, Prepared, Retry};
use crate::controller::runtime::kind::{BACKUP_BUCKET, BACKUP_ENTRY, DNS_RECORD, Operation};
use crate::controller::runtime::reconcile::Outcome;
use crate::controller::runtime::status::Failure;
use crate::controller::runtime::testing::Server;

#[tokio::test]
async fn what_cannot_be_prepared_stays_processing_and_begins_again() {
    let mut stage = Stage::new(&BACKUP_BUCKET, object(&BACKUP_BUCKET, Some("reconcile"), None));
    let why = "failed to get backup bucket secret: secrets \"s\" not found";
    stage.actuator.prepared = Err(Retry::Failed(why.to_owned()));
    let (outcome, requests) = stage.reconcile().await;
    assert_eq!(outcome, Outcome::Unwritten(why.to_owned()));
    assert_eq!(requests, ["write", "write/status", "prepare-create-after-first"]);
    assert_eq!(stage.status(), "Create Processing: Reconciling the backupbucket");
    stage.actuator.prepared = Err(Retry::PermitEnded);
    assert_eq!(stage.reconcile().await.0, Outcome::PermitEnded);
    stage.actuator.prepared = Ok(Prepared::Go);
    assert_eq!(stage.reconcile().await.0, Outcome::Done(Operation::Create));
    assert_eq!(stage.status(), "Create Succeeded: Successfully reconciled backupbucket");
}

#[tokio::test]
async fn an_object_that_is_given_up_instead_has_no_success_and_no_finalizer() {
    let mut stage = Stage::new(&BACKUP_ENTRY, deleted(object(&BACKUP_ENTRY, None, DONE)));
    stage.actuator.prepared = Ok(Prepared::Release);
    let (outcome, requests) = stage.reconcile().await;
    assert_eq!(outcome, Outcome::Done(Operation::Delete));
    assert_eq!(requests, ["write/status", "prepare-delete-after-reconcile", "write"]);
    assert_eq!(stage.status(), "Delete Processing: Deleting the BackupEntry");
    assert_eq!(stage.finalizers(), ["other"]);
}

#[tokio::test]
async fn the_finalizer_stays_until_all_is_released() {
    for (given, operation) in [
        (deleted(object(&BACKUP_ENTRY, None, DONE)), "Delete"),
        (object(&BACKUP_ENTRY, Some("migrate"), DONE), "Migrate"),
    ] {
        let mut stage = Stage::new(&BACKUP_ENTRY, given);
        stage.actuator.released = Err(Retry::Failed("no".to_owned()));
        assert_eq!(stage.reconcile().await.0, Outcome::Unwritten("no".to_owned()));
        assert!(stage.status().starts_with(&format!("{operation} Succeeded")), "{}", stage.status());
        assert_eq!(stage.finalizers(), ["other", BACKUP_ENTRY.finalizer]);
        stage.actuator.released = Ok(());
        assert!(matches!(stage.reconcile().await.0, Outcome::Done(_)), "{operation}");
        assert!(!stage.finalizers().contains(&BACKUP_ENTRY.finalizer.to_owned()));
    }
    let mut failing = Stage::new(&BACKUP_ENTRY, deleted(object(&BACKUP_ENTRY, None, DONE)));
    failing.actuator.ended = Ended::Failed(Failure::new("no"), Map::new());
    let (_, requests) = failing.reconcile().await;
    assert!(!requests.iter().any(|step| step.starts_with("released")), "{requests:?}");
}

#[tokio::test]
async fn a_condition_says_whether_a_record_was_ever_made() {
    let other = json!({ "type": "Other", "status": "True" });
    let created = |status: &str| json!({ "type": "Created", "status": status, "lastTransitionTime": "then" });
    let fail = || Ended::Failed(Failure::new("no"), Map::new());
    let done = || Ended::Done(Map::new());
    for (kind, annotation, before, ended, after) in [
        (&DNS_RECORD, "reconcile", vec![], done(), Some("True Success")),
        (&DNS_RECORD, "restore", vec![other.clone()], done(), Some("True Success")),
        (&DNS_RECORD, "reconcile", vec![created("False"), other.clone()], done(), Some("True Success")),
        (&DNS_RECORD, "reconcile", vec![created("True")], done(), Some("True ")),
        (&DNS_RECORD, "reconcile", vec![other.clone()], fail(), Some("False Error")),
        (&DNS_RECORD, "restore", vec![], fail(), Some("False Error")),
        (&DNS_RECORD, "reconcile", vec![created("True")], fail(), Some("True ")),
        (&DNS_RECORD, "reconcile", vec![created("False")], fail(), Some("False ")),
        (&DNS_RECORD, "migrate", vec![], done(), None),
        (&DNS_RECORD, "migrate", vec![], fail(), None),
        (&BACKUP_ENTRY, "reconcile", vec![], done(), None),
    ] {
        let mut given = object(kind, Some(annotation), DONE);
        given["status"]["conditions"] = json!(before);
        let mut stage = Stage::new(kind, given);
        (stage.actuator.ended, stage.shoot) = (ended, Some(json!({})));
        stage.reconcile().await;
        let object = stage.object();
        let conditions = object["status"]["conditions"].as_array().unwrap();
        let text = |condition: &Value, key: &str| condition[key].as_str().unwrap_or_default().to_owned();
        let found = conditions.iter().find(|condition| condition["type"] == "Created");
        let found = found.map(|condition| format!("{} {}", text(condition, "status"), text(condition, "reason")));
        assert_eq!(found.as_deref(), after, "{} {annotation} {before:?}", kind.name);
        assert_eq!(conditions.contains(&other), before.contains(&other), "what others wrote stays");
    }
}

#[tokio::test]
async fn a_record_that_was_never_made_is_given_up_without_a_word() {
    let row = json!({ "data": { "Record/1.2.3.4": "r-1" } });
    for (status, state, is_silent) in [
        ("False", Value::Null, true),
        // What was made before something failed goes.
        ("False", row, false),
        ("True", Value::Null, false),
        ("Unknown", Value::Null, false),
    ] {
        let mut given = deleted(object(&DNS_RECORD, None, Some(("Create", "Error"))));
        given["status"]["conditions"] = json!([{ "type": "Created", "status": status }]);
        given["status"]["state"] = state;
        let mut stage = Stage::new(&DNS_RECORD, given);
        stage.shoot = Some(json!({}));
        let (outcome, requests) = stage.reconcile().await;
        assert_eq!(outcome, Outcome::Done(Operation::Delete), "{status}");
        let has_run = requests.iter().any(|request| request.starts_with("act"));
        assert_eq!(has_run, !is_silent, "{status}: {requests:?}");
        assert_eq!(stage.finalizers(), ["other"], "{status}");
    }
}

#[tokio::test]
async fn a_failure_may_say_when_to_try_again() {
    let mut stage = Stage::new(&BACKUP_BUCKET, object(&BACKUP_BUCKET, Some("reconcile"), DONE));
    let after = std::time::Duration::from_secs(30);
    stage.actuator.ended = Ended::Failed(Failure { after: Some(after), ..Failure::new("throttled") }, Map::new());
    let text = "Error reconciling backupbucket: throttled".to_owned();
    assert_eq!(stage.reconcile().await.0, Outcome::FailedFor(after, text.clone()));
    assert_eq!(stage.object()["status"]["lastError"]["description"], text);
}

#[tokio::test]
async fn whichever_write_has_no_effect_the_next_attempts_come_to_the_same_end() {
    for (kind, given) in [
        (&BACKUP_BUCKET, object(&BACKUP_BUCKET, Some("reconcile"), None)),
        (&BACKUP_BUCKET, deleted(object(&BACKUP_BUCKET, None, DONE))),
        (&BACKUP_ENTRY, object(&BACKUP_ENTRY, Some("restore"), None)),
        (&BACKUP_ENTRY, object(&BACKUP_ENTRY, Some("migrate"), DONE)),
        (&DNS_RECORD, object(&DNS_RECORD, Some("reconcile"), None)),
        (&DNS_RECORD, deleted(object(&DNS_RECORD, None, DONE))),
        (&DNS_RECORD, object(&DNS_RECORD, Some("migrate"), DONE)),
    ] {
        let end = async |server: Server| {
            let server = with_namespace(server, "garden").with(&kind.objects(), given.clone());
            let stage = Stage::at(server, kind, namespace(&given).to_owned());
            let mut attempts = 0;
            while !matches!(stage.reconcile().await.0, Outcome::Done(_) | Outcome::Idle(_)) {
                attempts += 1;
                assert!(attempts < 5, "{} does not end: {}", kind.name, stage.status());
            }
            let annotations = stage.object()["metadata"]["annotations"].clone();
            (stage.status(), stage.finalizers(), annotations)
        };
        let expected = end(Server::default()).await;
        for at in 0..6 {
            assert_eq!(end(Server::default().failing(at, 403)).await, expected, "{} {at} {given}", kind.name);
        }
    }
}

/// A request that ends with the permit ends the reconcile too.
#[test]
fn a_write_that_the_permit_ends_is_no_failure() {
    let ended = WriteError::PermitEnded(trellis_runner::limits::permit::PermitEnded::Stopped);
    assert_eq!(Outcome::from(ended), Outcome::PermitEnded);
    assert_eq!(Outcome::from(Retry::PermitEnded), Outcome::PermitEnded);
}
