use serde_json::json;

use super::*;
use crate::controller::kinds::testing::{deleted, finalizers, object, with_secret};
use crate::controller::runtime::kind::{BACKUP_BUCKET, BACKUP_ENTRY};
use crate::controller::runtime::testing::Server;

fn secret<'s>(kind: &'static Kind, server: &Server, object: &'s Value) -> NamedSecret<'s> {
    NamedSecret { kind, objects: server.objects(), object, is_only_read: false }
}

#[tokio::test]
async fn the_secret_gets_the_finalizer_of_the_kind_once() {
    for kind in [&BACKUP_BUCKET, &BACKUP_ENTRY] {
        let (server, object) = (with_secret(), object(kind, "a"));
        let reading = NamedSecret { is_only_read: true, ..secret(kind, &server, &object) };
        assert_eq!(reading.hold().await, Ok(()));
        assert_eq!(finalizers(&server), ["other"]);
        for requests in [vec!["GET secrets/s"; 2], vec![]] {
            server.requests();
            assert_eq!(secret(kind, &server, &object).hold().await, Ok(()));
            let wanted: Vec<&str> = if requests.is_empty() {
                vec!["GET secrets/s"]
            } else {
                [requests, vec!["PATCH secrets/s"]].concat()
            };
            assert_eq!(server.requests(), wanted);
        }
        assert_eq!(finalizers(&server), ["other", kind.finalizer]);
    }
}

#[tokio::test]
async fn a_secret_that_is_missing_or_cannot_be_written_is_named() {
    for (kind, what) in [(&BACKUP_BUCKET, "bucket"), (&BACKUP_ENTRY, "entry")] {
        let object = object(kind, "a");
        let missing = format!("failed to get backup {what} secret: secrets \"s\" not found");
        let held = secret(kind, &Server::default(), &object).hold().await;
        assert_eq!(held, Err(Retry::Failed(missing)));
        let held = secret(kind, &with_secret().failing(0, 403), &object).hold().await;
        assert!(
            matches!(&held, Err(Retry::Failed(why)) if why.starts_with("failed to add finalizer to secret: ")),
            "{held:?}"
        );
    }
}

#[tokio::test]
async fn the_finalizer_stays_as_long_as_another_object_of_the_kind_needs_the_secret() {
    let last = |of: &str, state: &str| json!({ "type": of, "state": state });
    let other = object(&BACKUP_ENTRY, "other");
    let with = |last: Value| {
        let mut other = other.clone();
        other["status"]["lastOperation"] = last;
        other
    };
    let going = |last: Value| {
        let mut other = deleted(other.clone());
        other["status"]["lastOperation"] = last;
        other
    };
    let mut elsewhere = other.clone();
    elsewhere["spec"]["secretRef"]["name"] = json!("another");
    let mut not_begun = other.clone();
    not_begun["metadata"]["finalizers"] = json!(["other"]);
    let mut foreign = other.clone();
    foreign["spec"]["type"] = json!("another");
    for (other, is_needed) in [
        (other.clone(), true),
        (foreign, true),
        (elsewhere, false),
        (not_begun, false),
        (with(last("Delete", "Succeeded")), true),
        (with(last("Migrate", "Error")), true),
        (with(last("Migrate", "Succeeded")), false),
        (going(last("Delete", "Processing")), true),
        (going(last("Reconcile", "Succeeded")), true),
        (going(last("Delete", "Succeeded")), false),
    ] {
        let object = object(&BACKUP_ENTRY, "a");
        // An object of another kind has a finalizer of its own.
        let server = with_secret()
            .with(&BACKUP_ENTRY.objects(), object.clone())
            .with(&BACKUP_ENTRY.objects(), other.clone())
            .with(&BACKUP_BUCKET.objects(), self::object(&BACKUP_BUCKET, "a"));
        let secret = secret(&BACKUP_ENTRY, &server, &object);
        assert_eq!(secret.hold().await, Ok(()));
        assert_eq!(secret.release().await, Ok(()));
        assert_eq!(finalizers(&server).len() == 2, is_needed, "{other}");
    }
}

#[tokio::test]
async fn a_bucket_that_cannot_leave_needs_its_secret_after_a_migration() {
    let mut other = object(&BACKUP_BUCKET, "other");
    other["status"]["lastOperation"] = json!({ "type": "Migrate", "state": "Succeeded" });
    let object = object(&BACKUP_BUCKET, "a");
    let server = with_secret().with(&BACKUP_BUCKET.objects(), other);
    let secret = secret(&BACKUP_BUCKET, &server, &object);
    assert_eq!((secret.hold().await, secret.release().await), (Ok(()), Ok(())));
    assert_eq!(finalizers(&server), ["other", BACKUP_BUCKET.finalizer]);
}

#[tokio::test]
async fn a_secret_that_has_gone_or_was_never_held_is_released_without_a_list() {
    let object = object(&BACKUP_ENTRY, "a");
    for server in [Server::default(), with_secret()] {
        assert_eq!(secret(&BACKUP_ENTRY, &server, &object).release().await, Ok(()));
        assert_eq!(server.requests(), ["GET secrets/s"]);
    }
}
