//! An API server of one kind, for tests of watches.

use std::sync::{Arc, Mutex};

use futures_util::stream::{self, StreamExt as _};
use http_body_util::StreamBody;
use hyper::body::{Bytes, Frame};
use hyper::header::ACCEPT;
use hyper::{Request, Response};
use kube::Client;
use kube::client::Body;
use serde_json::Value;
use tower::service_fn;

/// What each request asked for: its path, its query, and its `Accept` header.
pub type Heard = Arc<Mutex<Vec<[String; 3]>>>;

/// An API server with one list and, at the first watch, these events.
pub fn server(list: Value, events: Vec<Value>) -> (Client, Heard) {
    let asked = Heard::default();
    let (heard, events) = (Arc::clone(&asked), Arc::new(Mutex::new(Some(events))));
    let service = service_fn(move |request: Request<Body>| {
        let accept = request.headers().get(ACCEPT).map(|accept| accept.to_str().unwrap()).unwrap_or_default();
        let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
        heard.lock().unwrap().push([path, query, accept].map(str::to_owned));
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
