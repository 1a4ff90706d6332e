//! What a watch asks an API server for, and what it reports.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use http_body_util::StreamBody;
use hyper::body::{Bytes, Frame};
use hyper::header::ACCEPT;
use hyper::{Request, Response};
use kube::client::Body;
use serde_json::{Value, json};
use tower::service_fn;

use super::*;

/// An API server with one list and, at the first watch, these events. Returns the `Accept` header of each request.
fn server(list: Value, events: Vec<Value>) -> (Client, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let (heard, events) = (Arc::clone(&asked), Arc::new(Mutex::new(Some(events))));
    let service = service_fn(move |request: Request<Body>| {
        let accept = request.headers().get(ACCEPT).map(|accept| accept.to_str().unwrap().to_owned());
        let path = request.uri().path();
        heard.lock().unwrap().push(format!("{path} {}", accept.unwrap_or_default()));
        let is_watch = request.uri().query().is_some_and(|query| query.contains("watch=true"));
        let lines: Vec<Value> =
            if is_watch { events.lock().unwrap().take().unwrap_or_default() } else { vec![list.clone()] };
        let frames = lines.into_iter().map(|line| Frame::data(Bytes::from(format!("{line}\n"))));
        let frames = stream::iter(frames.collect::<Vec<_>>()).map(Ok::<_, std::convert::Infallible>);
        // A watch stays open.
        let open = if is_watch { stream::pending().left_stream() } else { stream::empty().right_stream() };
        let body = StreamBody::new(frames.chain(open));
        std::future::ready(Ok::<_, std::convert::Infallible>(Response::new(body)))
    });
    (Client::new(service, "default"), asked)
}

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
async fn told(watched: Metadata, list: Value, events: Vec<Value>, count: usize) -> (Vec<Wake>, Vec<String>) {
    let (client, asked) = server(list, events);
    let (wakes, mut background) = (Wakes::default(), JoinSet::new());
    let changes = wakes.subscribe();
    watched.watch(client, wakes, &mut background);
    let changes = tokio::time::timeout(Duration::from_secs(20), changes.take(count).collect()).await.unwrap();
    let asked = asked.lock().unwrap().clone();
    (changes, asked)
}

#[tokio::test]
async fn secrets_tell_that_they_changed_and_nobody_asks_for_their_data() {
    let secret =
        |name: &str, version: &str| json!({ "namespace": "garden", "name": name, "resourceVersion": version });
    let listed = list(&[partial(&secret("a", "1")), partial(&secret("b", "2"))]);
    let events = vec![modified(&secret("b", "6")), modified(&secret("c", "7"))];
    let (changes, asked) = told(Metadata::Secrets, listed, events, 2).await;
    let secret = |name: &str| Wake::Secret("garden".to_owned(), name.to_owned());
    assert_eq!(changes, [secret("b"), secret("c")], "what is there at first wakes nobody");
    assert!(asked.len() >= 2, "{asked:?}");
    for request in asked {
        assert!(request.starts_with("/api/v1/secrets application/json;as=PartialObjectMetadata"), "{request}");
        assert!(!request.contains(','), "the API server may not answer with anything else: {request}");
    }
}

#[tokio::test]
async fn namespaces_tell_for_which_shoot_they_are() {
    let namespace = |name: &str, annotations: Value| {
        modified(&json!({ "name": name, "resourceVersion": "6", "annotations": annotations }))
    };
    let events = vec![namespace("kube-system", json!({})), namespace("shoot--a--b", json!({ SHOOT_UID: "u" }))];
    let (changes, _) = told(Metadata::Namespaces, list(&[]), events, 1).await;
    assert_eq!(changes, [Wake::Namespace("shoot--a--b".to_owned(), "u".to_owned())]);
}
