use std::time::Duration as Time;

use super::*;
use crate::api_server::resource::{CONFIG_MAPS, SECRETS};
use crate::controller::runtime::testing::Server;
use trellis_runner::limits::stop::{Stop, stop};

#[test]
fn a_difference_has_what_is_to_change_and_nothing_else() {
    let live = json!({ "a": 1, "list": [1, 2], "map": { "own": "x", "other": "y" }, "gone": true });
    for (wanted, patch) in [
        (json!({ "a": 1, "map": { "own": "x" } }), None),
        (json!({ "absent": null }), None),
        (json!({ "absent": { "none": null } }), None),
        (json!({ "absent": { "none": null, "one": 1 } }), Some(json!({ "absent": { "one": 1 } }))),
        (json!({ "a": 2 }), Some(json!({ "a": 2 }))),
        (json!({ "list": [1] }), Some(json!({ "list": [1] }))),
        (json!({ "map": { "own": "z" }, "a": 1 }), Some(json!({ "map": { "own": "z" } }))),
        (json!({ "gone": null }), Some(json!({ "gone": null }))),
        (json!({ "map": { "more": {} } }), Some(json!({ "map": { "more": {} } }))),
    ] {
        assert_eq!(difference(&live, &wanted), patch, "{wanted}");
    }
}

fn secret(value: &str) -> Value {
    json!({ "metadata": { "name": "a", "namespace": "n" }, "data": { "key": value } })
}

#[tokio::test(start_paused = true)]
async fn an_object_is_created_with_its_kind_then_patched_and_then_left_alone() {
    let server = Server::default();
    let objects = server.objects();
    let made = objects.keep(&SECRETS, &secret("1")).await.unwrap();
    assert_eq!((&made["apiVersion"], &made["kind"]), (&json!("v1"), &json!("Secret")));
    objects.keep(&SECRETS, &secret("2")).await.unwrap();
    objects.keep(&SECRETS, &secret("2")).await.unwrap();
    assert_eq!(
        server.requests(),
        ["GET secrets/a", "POST secrets/a", "GET secrets/a", "PATCH secrets/a", "GET secrets/a"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_change_is_made_again_where_somebody_else_was_faster_and_again_while_the_server_is_not_well() {
    for (code, sent) in [(409, 2), (503, 2), (429, 2)] {
        let server = Server::default().with(&SECRETS, secret("1")).failing(0, code);
        server.objects().keep(&SECRETS, &secret("2")).await.unwrap();
        let patches = server.requests().iter().filter(|request| request.starts_with("PATCH")).count();
        assert_eq!(patches, sent, "{code}");
        assert_eq!(server.object(&SECRETS, "n", "a").unwrap()["data"]["key"], "2");
    }
    let server = Server::default().with(&SECRETS, secret("1")).failing(0, 403);
    let refused = server.objects().keep(&SECRETS, &secret("2")).await;
    assert!(matches!(refused, Err(WriteError::Api(ApiError::Refused { status: 403, .. }))), "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn a_patch_has_no_effect_on_another_version_and_what_is_gone_needs_no_deletion() {
    let server = Server::default().with(&SECRETS, secret("1"));
    let objects = server.objects();
    let old = objects.get(&SECRETS, "n", "a").await.unwrap().unwrap();
    objects.keep(&SECRETS, &secret("2")).await.unwrap();
    let late = objects.patch(&SECRETS, &old, &json!({ "data": { "key": "3" } })).await;
    assert_eq!(late.unwrap_err(), WriteError::Api(ApiError::Conflict));
    objects.delete(&SECRETS, &old).await.unwrap();
    objects.delete(&SECRETS, &old).await.unwrap();
    objects.delete_named(&CONFIG_MAPS, "n", "none").await.unwrap();
    assert_eq!(server.object(&SECRETS, "n", "a"), None);
}

#[tokio::test(start_paused = true)]
async fn a_deletion_that_meets_a_conflict_is_sent_again_while_the_object_is_there() {
    let server = Server::default().with(&SECRETS, secret("1")).failing(0, 409);
    let objects = server.objects();
    let live = objects.get(&SECRETS, "n", "a").await.unwrap().unwrap();
    objects.delete(&SECRETS, &live).await.unwrap();
    assert_eq!(server.object(&SECRETS, "n", "a"), None);
    assert_eq!(server.requests(), ["GET secrets/a", "DELETE secrets/a", "GET secrets/a", "DELETE secrets/a"]);

    let another = Server::default().with(&SECRETS, secret("2")).failing(0, 409);
    let mut other = live.clone();
    other["metadata"]["uid"] = json!("another");
    another.objects().delete(&SECRETS, &other).await.unwrap();
    assert_eq!(another.requests(), ["DELETE secrets/a", "GET secrets/a"]);
    assert_ne!(another.object(&SECRETS, "n", "a"), None);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_after_a_stop() {
    let (stopper, stop) = stop();
    let server = Server::default();
    let objects = Objects::new(server.client(), Permit { stop, ..Permit::unlimited() }, Instant::now() + LIMIT);
    stopper.stop(Stop::Gracefully);
    tokio::time::sleep(Time::from_secs(1)).await;
    assert!(matches!(objects.keep(&SECRETS, &secret("1")).await, Err(WriteError::PermitEnded(_))));
    assert_eq!(server.requests().len(), 0);
}
