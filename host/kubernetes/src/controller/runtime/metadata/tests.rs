//! What a watch asks an API server for, and what it reports.

use std::time::Duration;

use futures_util::stream::StreamExt as _;
use serde_json::{Value, json};

use super::*;
use crate::controller::runtime::watch::testing::server;

fn partial(metadata: &Value) -> Value {
    json!({ "apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": metadata })
}

fn list(items: &[Value]) -> Value {
    json!({
        "apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadataList",
        "metadata": { "resourceVersion": "5" }, "items": items,
    })
}

fn modified(metadata: &Value) -> Value {
    json!({ "type": "MODIFIED", "object": partial(metadata) })
}

/// The first `count` changes that a watch reports, and what it asked for.
async fn reported(watched: Metadata, list: Value, events: Vec<Value>, count: usize) -> (Vec<Wake>, Vec<String>) {
    let (client, asked) = server(list, events);
    let (wakes, mut background) = (Wakes::default(), JoinSet::new());
    let changes = wakes.subscribe();
    watched.watch(client, wakes, &mut background);
    let changes = tokio::time::timeout(Duration::from_secs(20), changes.take(count).collect()).await.unwrap();
    let asked = asked.lock().unwrap().iter().map(|[path, _, accept]| format!("{path} {accept}")).collect();
    (changes, asked)
}

#[tokio::test]
async fn secrets_show_that_they_changed_and_nobody_asks_for_their_data() {
    let secret =
        |name: &str, version: &str| json!({ "namespace": "garden", "name": name, "resourceVersion": version });
    let listed = list(&[partial(&secret("a", "1")), partial(&secret("b", "2"))]);
    let events = vec![modified(&secret("b", "6")), modified(&secret("c", "7"))];
    let (changes, asked) = reported(Metadata::Secrets, listed, events, 2).await;
    let secret = |name: &str| Wake::Secret("garden".to_owned(), name.to_owned());
    assert_eq!(changes, [secret("b"), secret("c")], "what is there at first wakes nobody");
    assert!(asked.len() >= 2, "{asked:?}");
    for request in asked {
        assert!(request.starts_with("/api/v1/secrets application/json;as=PartialObjectMetadata"), "{request}");
        assert!(!request.contains(','), "the API server may not answer with anything else: {request}");
    }
}

#[tokio::test]
async fn namespaces_show_for_which_shoot_they_are() {
    let namespace = |name: &str, annotations: Value| {
        modified(&json!({ "name": name, "resourceVersion": "6", "annotations": annotations }))
    };
    let events = vec![namespace("kube-system", json!({})), namespace("shoot--a--b", json!({ SHOOT_UID: "u" }))];
    let (changes, _) = reported(Metadata::Namespaces, list(&[]), events, 1).await;
    assert_eq!(changes, [Wake::Namespace("shoot--a--b".to_owned(), "u".to_owned())]);
}
