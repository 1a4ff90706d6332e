//! The proxy before a small server.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::stream;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::AUTHORIZATION;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use kube::Config;
use tokio::net::TcpListener;

use super::{Call, Fault, On, Order, Proxy};

/// Answers with what it was asked; a watch has one line, and does not end.
async fn server() -> (SocketAddr, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let writes = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&writes);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let seen = Arc::clone(&seen);
            tokio::spawn(http1::Builder::new().serve_connection(
                TokioIo::new(stream),
                service_fn(move |request: Request<Incoming>| {
                    std::future::ready(Ok::<_, Infallible>(answer(&seen, &request)))
                }),
            ));
        }
    });
    (address, writes)
}

fn answer(
    writes: &AtomicU64,
    request: &Request<Incoming>,
) -> Response<impl hyper::body::Body<Data = Bytes, Error = Infallible> + use<>> {
    if request.method() != Method::GET {
        writes.fetch_add(1, Ordering::SeqCst);
    }
    let token = request.headers().get(AUTHORIZATION).map_or("", |value| value.to_str().unwrap()).to_owned();
    let watches = request.uri().query() == Some("watch=true");
    let status = if request.uri().path().ends_with("/secrets") { 403 } else { 200 };
    let line = format!("{} {} {token}\n", request.method(), request.uri());
    let lines = stream::unfold(Some(line), move |line| async move {
        match line {
            Some(line) => Some((Ok(Frame::data(Bytes::from(line))), None)),
            None if watches => std::future::pending().await,
            None => None,
        }
    });
    Response::builder().status(status).body(StreamBody::new(lines)).unwrap()
}

/// A client of the proxy with a token.
struct Caller(
    hyper_util::client::legacy::Client<hyper_util::client::legacy::connect::HttpConnector, String>,
    SocketAddr,
);

impl Caller {
    fn new(proxy: &Proxy) -> Self {
        let client =
            hyper_util::client::legacy::Client::builder(hyper_util::rt::TokioExecutor::new()).build_http();
        Self(client, proxy.address)
    }

    async fn start(&self, method: Method, path: &str) -> Option<Response<Incoming>> {
        let uri = format!("http://{}{path}", self.1);
        let request = Request::builder().method(method).uri(uri).header(AUTHORIZATION, "Bearer abc");
        self.0.request(request.body(String::new()).unwrap()).await.ok()
    }

    /// Status and text, or nothing where the connection broke.
    async fn call(&self, method: Method, path: &str) -> Option<(u16, String)> {
        let answer = self.start(method, path).await?;
        let status = answer.status().as_u16();
        let text = answer.into_body().collect().await.ok()?.to_bytes();
        Some((status, String::from_utf8(text.to_vec()).unwrap()))
    }
}

async fn before_a_server() -> (Proxy, Caller, Arc<AtomicU64>) {
    let (address, writes) = server().await;
    let proxy = Proxy::start(Config::new(format!("http://{address}").parse().unwrap())).await;
    let caller = Caller::new(&proxy);
    (proxy, caller, writes)
}

#[tokio::test]
async fn a_request_passes_with_its_token_and_is_counted() {
    let (proxy, caller, _) = before_a_server().await;
    let path = "/api/v1/namespaces/a/events?limit=5";
    let answer = caller.call(Method::POST, path).await.unwrap();
    assert_eq!(answer, (200, format!("POST {path} Bearer abc\n")));
    let call = Call { verb: "create", path: "api/v1/namespaces/*/events".to_owned() };
    assert_eq!(proxy.counts(), [(call, 1)].into());
    proxy.forget();
    assert_eq!(proxy.counts(), [].into());
}

#[test]
fn a_call_has_no_names() {
    for (method, uri, verb, path) in [
        (Method::GET, "/apis/a.b/v1/clusters/x", "get", "apis/a.b/v1/clusters/*"),
        (Method::GET, "/apis/a.b/v1/clusters", "list", "apis/a.b/v1/clusters"),
        (Method::GET, "/apis/a.b/v1/clusters?watch=true", "watch", "apis/a.b/v1/clusters"),
        (Method::GET, "/api/v1/namespaces", "list", "api/v1/namespaces"),
        (Method::GET, "/api/v1/namespaces/n", "get", "api/v1/namespaces/*"),
        (Method::GET, "/apis", "get", "apis"),
        (
            Method::PATCH,
            "/apis/a.b/v1/namespaces/n/infras/i/status",
            "patch",
            "apis/a.b/v1/namespaces/*/infras/*/status",
        ),
        (Method::PUT, "/apis/a.b/v1/namespaces/n/leases/l", "update", "apis/a.b/v1/namespaces/*/leases/*"),
    ] {
        let (before, query) = uri.split_once('?').map_or((uri, None), |(path, query)| (path, Some(query)));
        assert_eq!(Call::of(&method, before, query), Call { verb, path: path.to_owned() }, "{uri}");
    }
}

#[tokio::test]
async fn every_nth_write_is_refused_without_an_effect() {
    for (fault, code) in [(Fault::Conflict, 409), (Fault::TooMany(3), 429), (Fault::Internal, 500)] {
        let (proxy, caller, writes) = before_a_server().await;
        let order = Order { on: On::Writes, every: 3, fault };
        proxy.order(order);
        let mut codes = Vec::new();
        for _ in 0..6 {
            assert_eq!(caller.call(Method::GET, "/apis/a/v1/b").await.unwrap().0, 200);
            codes.push(caller.call(Method::PATCH, "/apis/a/v1/b/c").await.unwrap().0);
        }
        assert_eq!(codes, [200, 200, code, 200, 200, code]);
        assert_eq!(writes.load(Ordering::SeqCst), 4);
        assert_eq!(proxy.calm(), [(order, 2)]);
        assert_eq!(caller.call(Method::PATCH, "/apis/a/v1/b/c").await.unwrap().0, 200);
    }
}

#[tokio::test]
async fn too_many_requests_say_when_to_come_again() {
    let (proxy, caller, _) = before_a_server().await;
    proxy.order(Order { on: On::Requests, every: 1, fault: Fault::TooMany(7) });
    let answer = caller.start(Method::GET, "/apis/a/v1/b").await.unwrap();
    assert_eq!(answer.headers()["retry-after"], "7");
}

#[tokio::test]
async fn an_answer_is_lost_after_the_effect() {
    let (proxy, caller, writes) = before_a_server().await;
    proxy.order(Order { on: On::Writes, every: 1, fault: Fault::AnswerLost });
    assert_eq!(caller.call(Method::POST, "/apis/a/v1/b").await, None);
    assert_eq!(writes.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn watches_are_dropped_and_nothing_else() {
    let (proxy, caller, _) = before_a_server().await;
    let mut watch = caller.start(Method::GET, "/apis/a/v1/b?watch=true").await.unwrap().into_body();
    let line = watch.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(line, "GET /apis/a/v1/b?watch=true Bearer abc\n");
    assert_eq!(proxy.drop_watches(), 1);
    let ended = tokio::time::timeout(Duration::from_mins(1), watch.frame()).await.unwrap();
    assert!(ended.unwrap().is_err());
    assert_eq!(caller.call(Method::GET, "/apis/a/v1/b").await.unwrap().0, 200);
    assert_eq!(proxy.drop_watches(), 0);
}

#[tokio::test]
async fn a_closed_proxy_turns_connections_away() {
    let (proxy, caller, _) = before_a_server().await;
    assert!(caller.call(Method::GET, "/apis/a/v1/b").await.is_some());
    proxy.close(true);
    // The first breaks with its connection, the second one finds no other.
    for _ in 0..2 {
        assert_eq!(caller.call(Method::GET, "/apis/a/v1/b").await, None);
    }
    assert!(proxy.turned_away() > 0);
    proxy.close(false);
    assert!(caller.call(Method::GET, "/apis/a/v1/b").await.is_some());
}

#[tokio::test]
async fn what_is_forbidden_is_kept() {
    let (proxy, caller, _) = before_a_server().await;
    assert_eq!(caller.call(Method::GET, "/api/v1/secrets").await.unwrap().0, 403);
    proxy.forget();
    assert_eq!(proxy.forbidden(), [Call { verb: "list", path: "api/v1/secrets".to_owned() }]);
}
