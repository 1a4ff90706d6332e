//! A receiver of traces: OTLP over HTTP, on loopback.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use tokio::net::TcpListener;

/// Keeps what it gets.
pub struct Receiver {
    pub url: String,
    bodies: Arc<Mutex<Vec<Bytes>>>,
}

/// All spans that a receiver got.
pub struct Spans {
    pub all: Vec<Span>,
}

impl Receiver {
    /// A receiver that answers with this status.
    pub async fn start(status: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let bodies = Arc::<Mutex<Vec<Bytes>>>::default();
        let kept = Arc::clone(&bodies);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let kept = Arc::clone(&kept);
                let take = service_fn(move |request: Request<Incoming>| {
                    let kept = Arc::clone(&kept);
                    async move {
                        assert_eq!(request.uri().path(), "/v1/traces");
                        assert_eq!(request.headers()["content-type"], "application/x-protobuf");
                        let body = request.into_body().collect().await.unwrap().to_bytes();
                        kept.lock().unwrap().push(body);
                        let answer = Response::builder().status(status).body(Full::new(Bytes::new()));
                        Ok::<_, Infallible>(answer.unwrap())
                    }
                });
                let serving = hyper::server::conn::http1::Builder::new();
                tokio::spawn(serving.serve_connection(TokioIo::new(stream), take));
            }
        });
        Self { url, bodies }
    }

    /// An address at which nobody listens.
    pub async fn down() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    }

    /// What it got.
    pub fn requests(&self) -> Vec<ExportTraceServiceRequest> {
        let bodies = self.bodies.lock().unwrap();
        bodies.iter().map(|body| ExportTraceServiceRequest::decode(body.clone()).unwrap()).collect()
    }

    /// The same as text: what is a text in it can be searched for.
    pub fn text(&self) -> String {
        self.bodies.lock().unwrap().iter().map(|body| String::from_utf8_lossy(body).into_owned()).collect()
    }

    pub fn spans(&self) -> Spans {
        let resources = self.requests().into_iter().flat_map(|request| request.resource_spans);
        let scopes = resources.flat_map(|resource| resource.scope_spans);
        Spans { all: scopes.flat_map(|scope| scope.spans).collect() }
    }
}

impl Spans {
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Span> {
        self.all.iter().filter(move |span| span.name == name)
    }

    pub fn parent(&self, of: &Span) -> Option<&Span> {
        self.all.iter().find(|span| span.span_id == of.parent_span_id)
    }
}

/// The text of an attribute.
fn value(attributes: &[KeyValue], key: &str) -> Option<String> {
    let value = attributes.iter().find(|attribute| attribute.key == key)?.value.as_ref()?;
    match value.value.as_ref()? {
        any_value::Value::StringValue(text) => Some(text.clone()),
        other => Some(format!("{other:?}")),
    }
}

/// The text of an attribute of a span.
pub fn text(span: &Span, key: &str) -> Option<String> {
    value(&span.attributes, key)
}

/// The name of the service that sent something.
pub fn service(requests: &[ExportTraceServiceRequest]) -> Option<String> {
    value(&requests.first()?.resource_spans.first()?.resource.as_ref()?.attributes, "service.name")
}
