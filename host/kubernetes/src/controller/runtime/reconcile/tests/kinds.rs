//! What kinds differ in, and in which order each of them asks its API server.

use serde_json::json;

use super::stage::{DONE, Stage, deleted, object, with_namespace};
use crate::controller::runtime::extension::OPERATION;
use crate::controller::runtime::kind::{
    BACKUP_BUCKET, BACKUP_ENTRY, BASTION, DNS_RECORD, INFRASTRUCTURE, Migration, Operation,
};
use crate::controller::runtime::reconcile::Outcome;

#[tokio::test]
async fn each_operation_of_each_kind_has_its_order_of_requests_and_its_words() {
    let (steps, done) = (["write/status", "prepare", "act", "write/status"], "Successfully");
    for (kind, annotation, is_deleted, more, words) in [
        (
            &BACKUP_BUCKET,
            "reconcile",
            false,
            ["write", ""],
            "Reconcile Succeeded: Successfully reconciled backupbucket",
        ),
        // A bucket never leaves: the words are those of a reconcile, and the annotation stays.
        (&BACKUP_BUCKET, "migrate", false, ["", ""], "Migrate Succeeded: Successfully reconciled backupbucket"),
        (&BACKUP_BUCKET, "restore", false, ["", ""], "Restore Succeeded: Successfully reconciled backupbucket"),
        (
            &BACKUP_BUCKET,
            "migrate",
            true,
            ["", "released write"],
            "Delete Succeeded: Successfully deleted BackupBucket",
        ),
        (
            &BACKUP_ENTRY,
            "reconcile",
            false,
            ["write", ""],
            "Reconcile Succeeded: Successfully reconciled BackupEntry",
        ),
        (&BACKUP_ENTRY, "restore", false, ["", ""], "Restore Succeeded: Successfully restored BackupEntry"),
        (
            &BACKUP_ENTRY,
            "migrate",
            true,
            ["", "released write write"],
            "Migrate Succeeded: Successfully migrated BackupEntry",
        ),
        (
            &BACKUP_ENTRY,
            "reconcile",
            true,
            ["write", "released write"],
            "Delete Succeeded: Successfully deleted BackupEntry",
        ),
        (&BASTION, "reconcile", false, ["write", ""], "Reconcile Succeeded: Successfully reconciled Bastion"),
        // A Bastion never leaves either.
        (&BASTION, "migrate", false, ["", ""], "Migrate Succeeded: Successfully reconciled Bastion"),
        (&BASTION, "restore", false, ["", ""], "Restore Succeeded: Successfully reconciled Bastion"),
        (&BASTION, "migrate", true, ["", "released write"], "Delete Succeeded: Successfully reconciled Bastion"),
        (&DNS_RECORD, "reconcile", false, ["write", ""], "Reconcile Succeeded: Successfully reconciled DNSRecord"),
        (&DNS_RECORD, "restore", false, ["", ""], "Restore Succeeded: Successfully restored DNSRecord"),
        (
            &DNS_RECORD,
            "migrate",
            false,
            ["", "released write write"],
            "Migrate Succeeded: Successfully migrated DNSRecord",
        ),
        (
            &DNS_RECORD,
            "reconcile",
            true,
            ["write", "released write"],
            "Delete Succeeded: Successfully deleted DNSRecord",
        ),
        (
            &INFRASTRUCTURE,
            "migrate",
            false,
            ["", "released write write"],
            "Migrate Succeeded: Successfully migrated Infrastructure",
        ),
    ] {
        let given = object(kind, Some(annotation), DONE);
        let mut stage = Stage::new(kind, if is_deleted { deleted(given) } else { given });
        stage.shoot = (stage.namespace == "n").then(|| json!({}));
        let (outcome, requests) = stage.reconcile().await;
        assert!(matches!(outcome, Outcome::Done(_)), "{} {annotation}: {outcome:?}", kind.name);
        assert_eq!(stage.status(), words);
        assert!(words.contains(done));
        // A restore takes its annotation away before it succeeds.
        let stays = kind.rules.migration == Migration::Never;
        let annotation_at = if annotation == "restore" && !stays { "write" } else { "" };
        let [before, after] = more;
        let wanted = [before, steps[0], steps[1], steps[2], annotation_at, steps[3], after].join(" ");
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        let of = |request: &String| request.split('-').next().unwrap_or_default().to_owned();
        assert_eq!(requests.iter().map(of).collect::<Vec<_>>(), wanted, "{} {annotation}", kind.name);
        assert!(
            requests.iter().filter(|step| step.contains('-')).all(|step| step.ends_with("-after-reconcile")),
            "every step knows the operation before: {requests:?}"
        );
        let is_left = |step: &String| step.starts_with("act-migrate") || step.starts_with("act-restore");
        assert!(!stays || !requests.iter().any(is_left), "it is reconciled instead: {requests:?}");
        let keeps_annotation = stays && annotation != "reconcile";
        assert_eq!(stage.object()["metadata"]["annotations"].get(OPERATION).is_some(), keeps_annotation);
    }
}

#[tokio::test]
async fn a_migration_takes_the_finalizers_that_the_kind_says() {
    for (kind, left) in [
        (&BACKUP_BUCKET, vec!["other", BACKUP_BUCKET.finalizer]),
        (&BACKUP_ENTRY, vec![]),
        (&BASTION, vec!["other", BASTION.finalizer]),
        (&DNS_RECORD, vec![]),
        (&INFRASTRUCTURE, vec!["other"]),
    ] {
        let mut stage = Stage::new(kind, object(kind, Some("migrate"), DONE));
        stage.shoot = Some(json!({}));
        stage.reconcile().await;
        assert_eq!(stage.finalizers(), left, "{}", kind.name);
        // What has left is left alone, unless it cannot leave.
        let stage = Stage::new(kind, deleted(object(kind, None, Some(("Migrate", "Succeeded")))));
        let stage = Stage { shoot: Some(json!({})), ..stage };
        let outcome = stage.reconcile().await.0;
        let expected = match kind.rules.migration {
            Migration::Never => Outcome::Done(Operation::Delete),
            _ => Outcome::Idle("it has left for another seed"),
        };
        assert_eq!(outcome, expected, "{}", kind.name);
    }
}

#[tokio::test]
async fn an_object_that_is_no_shoots_needs_no_cluster_in_a_namespace_of_a_shoot() {
    let mut record = object(&DNS_RECORD, Some("reconcile"), DONE);
    record["spec"]["class"] = json!("garden");
    let stage = Stage::new(&DNS_RECORD, record);
    let server = with_namespace(stage.server, "shoot");
    let stage = Stage { server, ..stage };
    assert_eq!(stage.reconcile().await.0, Outcome::Done(Operation::Reconcile));
}

#[tokio::test]
async fn a_kind_says_whether_its_objects_need_a_cluster() {
    let failed = json!({ "status": { "lastOperation": { "state": "Failed" } } });
    let missing = Outcome::Unwritten("there is no Cluster `n`".to_owned());
    let unknown = |why: &str| {
        let text = format!("error checking if DNSRecord is in a shoot namespace: {why}");
        Outcome::Unwritten(text)
    };
    let (done, later) =
        (Outcome::Done(Operation::Reconcile), Outcome::Later("the last operation of its Shoot has failed"));
    for (kind, role, shoot, expected, looks) in [
        (&BACKUP_BUCKET, "", None, &done, false),
        (&BACKUP_BUCKET, "", Some(&failed), &done, false),
        (&BACKUP_ENTRY, "", None, &done, false),
        (&BACKUP_ENTRY, "", Some(&failed), &done, false),
        (&BASTION, "garden", None, &missing, false),
        (&BASTION, "shoot", None, &missing, false),
        (&BASTION, "shoot", Some(&failed), &done, false),
        (&DNS_RECORD, "garden", None, &done, true),
        (&DNS_RECORD, "shoot", None, &missing, true),
        (&DNS_RECORD, "", None, &unknown("namespaces \"n\" not found"), true),
        (&DNS_RECORD, "shoot", Some(&json!({})), &done, false),
        (&DNS_RECORD, "shoot", Some(&failed), &later, false),
        (&INFRASTRUCTURE, "garden", None, &missing, false),
        (&INFRASTRUCTURE, "shoot", Some(&failed), &later, false),
    ] {
        let mut stage = Stage::new(kind, object(kind, Some("reconcile"), DONE));
        if !role.is_empty() {
            stage.server = with_namespace(stage.server, role);
        }
        stage.shoot = shoot.cloned();
        let (outcome, requests) = stage.reconcile().await;
        assert_eq!(&outcome, expected, "{} {role}", kind.name);
        let looked = requests.contains(&"GET namespaces/n".to_owned());
        assert_eq!(looked, looks, "{} {role}: {requests:?}", kind.name);
        if *expected != done {
            assert_eq!(
                stage.object()["status"]["lastOperation"],
                json!({ "type": "Reconcile", "state": "Succeeded" })
            );
            assert_eq!(stage.object()["metadata"]["annotations"][OPERATION], "reconcile");
        }
    }
}

#[tokio::test]
async fn a_shoot_pauses_what_has_a_cluster_and_who_forces_it_says_the_kind() {
    let (pause, force) = ("trellis.gardener.cloud/pause", "confirmation.gardener.cloud/force-deletion");
    let (paused, both) = (json!({ pause: "true" }), json!({ pause: "true", force: "true" }));
    for (kind, own, of_shoot, is_held) in [
        (&DNS_RECORD, json!({}), &paused, true),
        (&DNS_RECORD, json!({}), &both, false),
        (&DNS_RECORD, json!({ force: "true" }), &paused, true),
        (&BACKUP_ENTRY, json!({}), &paused, false),
        (&BASTION, json!({}), &paused, true),
        (&BASTION, json!({}), &both, true),
        (&BASTION, json!({ force: "true" }), &paused, false),
        (&BASTION, json!({ force: "True" }), &paused, true),
        (&BASTION, json!({ force: "1" }), &paused, true),
    ] {
        let mut given = deleted(object(kind, None, DONE));
        given["metadata"]["annotations"] = own.clone();
        let mut stage = Stage::new(kind, given);
        stage.shoot = Some(json!({ "metadata": { "annotations": of_shoot } }));
        let outcome = stage.reconcile().await.0;
        assert_eq!(matches!(outcome, Outcome::Held(_)), is_held, "{} {own} {of_shoot}: {outcome:?}", kind.name);
    }
}
