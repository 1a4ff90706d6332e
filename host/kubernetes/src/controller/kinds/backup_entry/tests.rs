//! What a BackupEntry asks its API server for, in which order, and how its operations end.

use super::*;
use crate::api_server::resource::{NAMESPACES, SECRETS};
use crate::controller::kinds::testing::{
    answering, asked, deleted, finalizers, nothing, object, one_deletion, planned, with_secret,
};
use crate::controller::runtime::reconcile::Outcome;
use crate::controller::runtime::safeguards::MOST_DESTRUCTIVE;
use crate::controller::runtime::testing::Server;

const NAME: &str = "shoot--a--b--u";

/// Reconciles an entry once, with a policy that answers so.
async fn reconcile_as(server: &Server, name: &str, plan: Value) -> (Outcome, Vec<String>) {
    let entries = BackupEntries(planned(server, plan));
    server.requests();
    let outcome = server.reconcile_with(&entries, "", name, None).await;
    let short = |request: String| {
        request
            .replace(&format!("backupentries/{name}"), "entry")
            .replace("secrets/s", "secret")
            .replace("secrets/", "")
    };
    (outcome, server.requests().into_iter().map(short).collect())
}

async fn reconcile(server: &Server) -> (Outcome, Vec<String>) {
    reconcile_as(server, NAME, nothing()).await
}

fn entry(name: &str) -> Value {
    object(&BACKUP_ENTRY, name)
}

/// A server with an entry, its Secret and its namespace.
fn with(entry: Value) -> Server {
    with_secret()
        .with(&BACKUP_ENTRY.objects(), entry)
        .with(&NAMESPACES, json!({ "metadata": { "name": "shoot--a--b" } }))
}

fn at(server: &Server) -> Value {
    server.object(&BACKUP_ENTRY.objects(), "", NAME).unwrap()
}

fn etcd_secret(server: &Server) -> Option<Value> {
    server.object(&SECRETS, "shoot--a--b", "etcd-backup")
}

const WRITING: [&str; 7] = [
    "PATCH entry/status",
    "GET secret",
    "GET namespaces/shoot--a--b",
    "GET secret",
    "GET etcd-backup",
    "POST etcd-backup",
    "PATCH entry/status",
];

#[tokio::test]
async fn a_reconcile_and_a_restore_write_the_secret_for_etcd() {
    for (given, before, after) in [
        (entry(NAME), vec![], vec![]),
        (asked(entry(NAME), "reconcile"), vec!["PATCH entry"], vec![]),
        (asked(entry(NAME), "restore"), vec![], vec!["PATCH entry"]),
    ] {
        let server = with(given.clone());
        let mut wanted = WRITING.to_vec();
        wanted.splice(2..2, ["GET secret", "PATCH secret"]);
        wanted.splice(wanted.len() - 1..wanted.len() - 1, after.clone());
        wanted.splice(0..0, before.clone());
        let (outcome, requests) = reconcile(&server).await;
        assert!(matches!(outcome, Outcome::Done(_)), "{outcome:?}");
        assert_eq!(requests, wanted, "{given}");
        let data = json!({
            "accessKeyID": "aWQ=", "accessKeySecret": "c2VjcmV0", "bucketName": "Yg==", "storageEndpoint": "aHR0cHM6Ly9oZXJlLw==",
        });
        assert_eq!(etcd_secret(&server).unwrap()["data"], data);
        assert_eq!(finalizers(&server), ["other", BACKUP_ENTRY.finalizer]);
        // Once more, and nothing but the object itself is written.
        let server = server.with(&BACKUP_ENTRY.objects(), given);
        let (_, requests) = reconcile(&server).await;
        wanted.retain(|request| !["POST etcd-backup", "PATCH secret"].contains(request));
        let again = wanted.iter().position(|request| *request == "GET secret").unwrap();
        wanted.remove(again);
        assert_eq!(requests, wanted);
    }
}

#[tokio::test]
async fn without_a_namespace_nothing_is_written_and_the_entry_succeeds() {
    let server = with_secret().with(&BACKUP_ENTRY.objects(), entry(NAME));
    let (outcome, _) = reconcile(&server).await;
    assert_eq!((outcome, etcd_secret(&server)), (Outcome::Done(Operation::Create), None));
}

#[tokio::test]
async fn what_a_person_has_to_fix_in_an_entry_has_its_code_and_no_secret_is_written() {
    let server = with(entry(NAME));
    let why = json!({ "error": { "code": "Malformed", "message": "no region" } });
    let entries = BackupEntries(answering(&server, nothing(), why));
    let outcome = server.reconcile_with(&entries, "", NAME, None).await;
    assert_eq!(outcome, Outcome::Failed("Error reconciling BackupEntry: no region".to_owned()));
    assert_eq!(at(&server)["status"]["lastError"]["codes"], json!([CONFIGURATION]));
    assert_eq!(etcd_secret(&server), None);
}

#[tokio::test]
async fn without_its_secret_an_entry_stays_processing_and_its_deletion_gives_it_up() {
    let server = Server::default().with(&BACKUP_ENTRY.objects(), entry(NAME));
    let (outcome, _) = reconcile(&server).await;
    let why = "failed to get backup entry secret: secrets \"s\" not found";
    assert_eq!(outcome, Outcome::Unwritten(why.to_owned()));
    assert_eq!(at(&server)["status"]["lastOperation"]["state"], "Processing");

    let server = Server::default().with(&BACKUP_ENTRY.objects(), deleted(entry(NAME)));
    let (outcome, requests) = reconcile(&server).await;
    assert_eq!(outcome, Outcome::Done(Operation::Delete));
    assert_eq!(requests, ["PATCH entry/status", "GET secret", "PATCH entry"]);
    assert_eq!(at(&server)["metadata"]["finalizers"], json!([]));
    assert_eq!(at(&server)["status"]["lastOperation"]["state"], "Processing");
}

#[tokio::test]
async fn a_deletion_takes_the_secret_for_etcd_before_the_objects() {
    let server = with(entry(NAME));
    reconcile(&server).await;
    let server = server.with(&BACKUP_ENTRY.objects(), deleted(entry(NAME)));
    let (outcome, requests) = reconcile(&server).await;
    assert_eq!(outcome, Outcome::Done(Operation::Delete));
    let wanted = [
        "PATCH entry/status",
        "GET secret",
        "GET etcd-backup",
        "DELETE etcd-backup",
        "LIST backupentries",
        // The credentials of the run.
        "GET secret",
        "PATCH entry/status",
        "GET secret",
        "LIST backupentries",
        "GET secret",
        "PATCH secret",
        "PATCH entry",
    ];
    assert_eq!(requests, wanted);
    assert_eq!((etcd_secret(&server), finalizers(&server)), (None, vec!["other".to_owned()]));
}

#[tokio::test]
async fn only_the_last_entry_that_shares_objects_deletes_them() {
    let copy = "source-shoot--a--b--u";
    let mut elsewhere = entry(copy);
    elsewhere["spec"]["bucketName"] = json!("c");
    let mut other_class = entry(copy);
    other_class["spec"]["class"] = json!("garden");
    for (other, stay) in [
        (entry(copy), true),
        (other_class, true),
        (asked(entry(copy), "migrate"), true),
        (deleted(entry(copy)), false),
        (elsewhere, false),
        (entry("shoot--a--b--v"), false),
    ] {
        let mut given = deleted(entry(NAME));
        given["metadata"]["annotations"] = json!({ MOST_DESTRUCTIVE: "0" });
        let server = with(given).with(&BACKUP_ENTRY.objects(), other.clone());
        // Only what would delete something is held back.
        let (outcome, _) = reconcile_as(&server, NAME, one_deletion()).await;
        assert_eq!(outcome == Outcome::Done(Operation::Delete), stay, "{other}: {outcome:?}");
        assert_eq!(matches!(outcome, Outcome::Held(_)), !stay, "{other}: {outcome:?}");
    }
    let server = with(entry(NAME)).with(&BACKUP_ENTRY.objects(), deleted(entry(copy)));
    assert_eq!(reconcile_as(&server, copy, one_deletion()).await.0, Outcome::Done(Operation::Delete));
}

#[tokio::test]
async fn a_deletion_that_the_cap_holds_back_leaves_the_secret_for_etcd() {
    let server = with(entry(NAME));
    reconcile(&server).await;
    let mut given = deleted(entry(NAME));
    given["metadata"]["annotations"] = json!({ MOST_DESTRUCTIVE: "0" });
    let server = server.with(&BACKUP_ENTRY.objects(), given);
    let (outcome, _) = reconcile_as(&server, NAME, one_deletion()).await;
    assert!(matches!(outcome, Outcome::Held(_)), "{outcome:?}");
    assert!(etcd_secret(&server).is_some());
    // Where nothing is left to delete, nothing is held back.
    assert_eq!(reconcile(&server).await.0, Outcome::Done(Operation::Delete));
    assert_eq!(etcd_secret(&server), None);
}

#[tokio::test]
async fn a_migration_leaves_everything_but_finalizers() {
    let server = with(entry(NAME));
    reconcile(&server).await;
    let server = server.with(&BACKUP_ENTRY.objects(), asked(entry(NAME), "migrate"));
    let (outcome, requests) = reconcile(&server).await;
    assert_eq!(outcome, Outcome::Done(Operation::Migrate));
    let wanted = [
        "PATCH entry/status",
        "PATCH entry/status",
        "GET secret",
        "LIST backupentries",
        "GET secret",
        "PATCH secret",
        "PATCH entry",
        "PATCH entry",
    ];
    assert_eq!(requests, wanted);
    assert!(etcd_secret(&server).is_some());
    assert_eq!(finalizers(&server), ["other"]);
}

#[tokio::test]
async fn whichever_write_has_no_effect_the_next_attempts_come_to_the_same_end() {
    for given in [entry(NAME), deleted(entry(NAME)), asked(entry(NAME), "migrate"), asked(entry(NAME), "restore")]
    {
        let end = async |server: Server| {
            let mut attempts = 0;
            while !matches!(reconcile(&server).await.0, Outcome::Done(_) | Outcome::Idle(_)) {
                attempts += 1;
                assert!(attempts < 5, "{given}");
            }
            let entry = at(&server);
            let last = entry["status"]["lastOperation"]["description"].clone();
            let secret = etcd_secret(&server).map(|secret| secret["data"].clone());
            (last, entry["metadata"]["finalizers"].clone(), finalizers(&server), secret)
        };
        let expected = end(with(given.clone())).await;
        for at in 0..6 {
            assert_eq!(end(with(given.clone()).failing(at, 403)).await, expected, "{at} {given}");
        }
    }
}
