//! An API server in memory: one Infrastructure and one Secret, as much as a reconcile asks for.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::{Method, Request, Response, StatusCode};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tokio::sync::watch;

/// Clones are the same server.
#[derive(Clone)]
pub struct ApiServer {
    infrastructure: Arc<watch::Sender<Value>>,
    secret: Arc<Value>,
    version: Arc<Mutex<u64>>,
}

type Answer = Response<BoxBody<Bytes, Infallible>>;

impl ApiServer {
    pub fn new(infrastructure: Value, secret: Value) -> Self {
        let (infrastructure, _) = watch::channel(infrastructure);
        let version = Arc::new(Mutex::new(1));
        Self { infrastructure: Arc::new(infrastructure), secret: Arc::new(secret), version }
    }

    pub fn client(&self) -> Client {
        let server = self.clone();
        let answer = move |request: Request<Body>| {
            let server = server.clone();
            async move { Ok::<_, Infallible>(server.answer(request).await) }
        };
        Client::new(tower::service_fn(answer), "default")
    }

    /// Waits until the Infrastructure is so.
    pub async fn until(&self, is: impl FnMut(&Value) -> bool) -> Value {
        self.infrastructure.subscribe().wait_for(is).await.unwrap().clone()
    }

    async fn answer(&self, request: Request<Body>) -> Answer {
        let (head, body) = request.into_parts();
        let (path, query) = (head.uri.path(), head.uri.query().unwrap_or_default());
        let body = body.collect_bytes().await.unwrap();
        let sent: Value = serde_json::from_slice(&body).unwrap_or_default();
        if query.contains("watch=true") {
            let nothing = futures_util::stream::pending::<Result<Frame<Bytes>, Infallible>>();
            return Response::new(BodyExt::boxed(StreamBody::new(nothing)));
        }
        let kind = path.rsplit('/').find(|part| part.ends_with('s') && *part != "status").unwrap_or_default();
        match (head.method, kind) {
            (Method::GET, "secrets") => reported(StatusCode::OK, &self.secret),
            (Method::GET, "infrastructures") => {
                let items = [self.infrastructure.borrow().clone()];
                reported(StatusCode::OK, &json!({ "metadata": { "resourceVersion": "1" }, "items": items }))
            }
            (Method::PATCH, "infrastructures") => reported(StatusCode::OK, &self.patch(&sent)),
            (Method::POST, "events") => reported(StatusCode::CREATED, &sent),
            _ => {
                let status = json!({ "kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404 });
                reported(StatusCode::NOT_FOUND, &status)
            }
        }
    }

    fn patch(&self, patch: &Value) -> Value {
        let mut version = self.version.lock().unwrap();
        *version += 1;
        self.infrastructure.send_modify(|object| {
            merge(object, patch);
            object["metadata"]["resourceVersion"] = version.to_string().into();
        });
        self.infrastructure.borrow().clone()
    }
}

fn reported(status: StatusCode, body: &Value) -> Answer {
    let body = Full::new(Bytes::from(body.to_string()));
    Response::builder().status(status).body(BodyExt::boxed(body)).unwrap()
}

/// RFC 7386.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(members) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (key, value) in members {
        match value {
            Value::Null => _ = target.as_object_mut().unwrap().remove(key),
            value => merge(&mut target[key], value),
        }
    }
}
