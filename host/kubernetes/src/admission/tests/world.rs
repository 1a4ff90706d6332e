//! A garden in memory, a cloud on loopback, and a server of admission over TLS between them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::admission::cloud::Cloud;
use crate::admission::garden::Garden;
use crate::admission::{Admission, Mode};
use crate::api_server::resource::{
    CLOUD_PROFILES, CREDENTIALS_BINDINGS, NAMESPACED_CLOUD_PROFILES, Resource, SECRET_BINDINGS, SECRETS,
};
use crate::health::{Check, Readiness};
use crate::metrics::Metrics;
use crate::webhook::testing::{Authority as Signer, Client as Caller};
use crate::webhook::{Certificates, Limits, Server, serve};
use trellis_policies::engine::{Engine, Native, PolicyThreads, Versions};
use trellis_runner::limits::stop::{Stopper, stop};
use trellis_runner::transport::{AllowedCalls, Endpoint, Options, Rate, Wire, family_of};

/// The provider whose policy judges.
pub(super) const PROVIDER: &str = "alicloud";

/// Objects of a garden by path, requests for them, and what the cloud answers to a request with a word in it.
#[derive(Clone, Default)]
pub(super) struct World(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    objects: BTreeMap<String, Value>,
    requests: Vec<String>,
    /// By action; an action without an answer gets none, and waits for ever.
    cloud: BTreeMap<&'static str, Value>,
    /// Whether the garden answers.
    is_silent: bool,
}

/// A server of admission.
pub(super) struct Running {
    pub(super) caller: Caller,
    pub(super) metrics: Metrics,
    _stopper: Stopper,
}

impl World {
    /// A world with credentials for the Shoots of the recordings.
    pub(super) fn new() -> Self {
        let world = Self::default();
        let reference = json!({ "apiVersion": "v1", "kind": "Secret", "namespace": "credentials", "name": "key" });
        let metadata = json!({ "namespace": "garden-dev", "name": "core-alicloud" });
        world.put(
            &SECRET_BINDINGS,
            json!({ "kind": "SecretBinding", "metadata": metadata, "secretRef": reference }),
        );
        world.put(
            &CREDENTIALS_BINDINGS,
            json!({ "kind": "CredentialsBinding", "metadata": metadata, "credentialsRef": reference }),
        );
        world.put(
            &SECRETS,
            json!({
                "kind": "Secret", "metadata": { "namespace": "credentials", "name": "key" },
                "data": { "accessKeyID": "TFRBSTV0MTIzNDU2Nzg5MA==", "accessKeySecret": "Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5" },
            }),
        );
        world.says("DescribeVSwitches", json!({ "VSwitches": { "VSwitch": [] }, "TotalCount": 0 }));
        world.owned_by("system");
        world
    }

    /// Puts an object into the garden.
    pub(super) fn put(&self, of: &Resource, object: Value) {
        let path = path(of, &object);
        self.0.lock().unwrap().objects.insert(path, object);
    }

    /// Puts a profile into the garden, in place of all others.
    pub(super) fn put_only_profile(&self, profile: Value) {
        for of in [&CLOUD_PROFILES, &NAMESPACED_CLOUD_PROFILES] {
            self.0.lock().unwrap().objects.retain(|path, _| !path.contains(of.plural));
        }
        if !profile.is_null() {
            self.put(&CLOUD_PROFILES, profile);
        }
    }

    /// What the cloud answers to an action.
    pub(super) fn says(&self, action: &'static str, answer: Value) {
        self.0.lock().unwrap().cloud.insert(action, answer);
    }

    /// Whose the images of the cloud are.
    pub(super) fn owned_by(&self, owner: &str) {
        let images = json!({ "Image": [{ "ImageId": "m-1", "ImageOwnerAlias": owner }] });
        self.says(
            "DescribeImages",
            json!({ "Images": images, "TotalCount": 1, "PageNumber": 1, "PageSize": 100 }),
        );
    }

    /// The cloud does not answer any more.
    pub(super) fn silence_cloud(&self) {
        self.0.lock().unwrap().cloud.clear();
    }

    /// The garden does not answer any more.
    pub(super) fn silence_garden(&self) {
        self.0.lock().unwrap().is_silent = true;
    }

    /// The requests to garden and cloud since the last call.
    pub(super) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().requests)
    }

    /// A client of the garden.
    pub(super) fn client(&self) -> Client {
        let world = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let world = world.clone();
            async move {
                let path = request.uri().path().to_owned();
                let (found, is_silent) = {
                    let mut state = world.0.lock().unwrap();
                    state.requests.push(format!("{} {path}", request.method()));
                    (state.objects.get(&path).cloned(), state.is_silent)
                };
                if is_silent {
                    std::future::pending::<()>().await;
                }
                let gone = json!({ "kind": "Status", "status": "Failure", "code": 404, "reason": "NotFound" });
                let code = if found.is_some() { 200 } else { 404 };
                let body = found.unwrap_or(gone).to_string().into_bytes();
                Ok::<_, Infallible>(Response::builder().status(code).body(Body::from(body)).unwrap())
            }
        });
        Client::new(service, "default")
    }

    /// Answers for the cloud at an address on loopback.
    async fn cloud(&self) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let world = self.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let world = world.clone();
                let service = service_fn(move |request| world.clone().answer(request));
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
        Endpoint::Url(url.parse().unwrap())
    }

    async fn answer(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
        let head = format!("{} {:?}", request.uri(), request.headers());
        let body = request.into_body().collect().await.unwrap().to_bytes();
        let text = format!("{head} {}", String::from_utf8_lossy(&body));
        let answer = {
            let mut state = self.0.lock().unwrap();
            let answer = state.cloud.iter().find(|(action, _)| text.contains(*action));
            let answer = answer.map(|(action, answer)| ((*action).to_owned(), answer.clone()));
            state.requests.push(answer.as_ref().map_or_else(|| "cloud".to_owned(), |(action, _)| action.clone()));
            answer
        };
        let Some((_, answer)) = answer else { return std::future::pending().await };
        let answer =
            Response::builder().header("content-type", "application/json").body(answer.to_string().into());
        Ok(answer.unwrap())
    }

    /// Starts a server that judges by the policies that are linked into this program.
    pub(super) async fn start(&self, mode: Mode) -> Running {
        self.start_with(mode, Arc::new(Native)).await
    }

    /// Starts a server that judges by the policies of an engine.
    pub(super) async fn start_with(&self, mode: Mode, engine: Arc<dyn Engine>) -> Running {
        let metrics = Metrics::new();
        let cloud = Cloud {
            family: family_of(PROVIDER),
            wire: Wire::new(Options { rate: Rate { per_second: 100_000, burst: 100_000 }, ..Options::default() }),
            endpoint: self.cloud().await,
            allowed_calls: AllowedCalls::of_reads(PROVIDER),
        };
        let admission = Arc::new(Admission {
            provider: PROVIDER.to_owned(),
            policies: Arc::new(Versions::new(engine)),
            threads: PolicyThreads::default(),
            mode,
            garden: Garden(self.client()),
            cloud,
            metrics: metrics.clone(),
        });
        let signer = Signer::new();
        let certificates = Certificates::none();
        let (certificate, key) = signer.issue();
        certificates.set(certificate.as_bytes(), key.as_bytes()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let caller = signer.client(listener.local_addr().unwrap());
        let server = Server {
            webhooks: admission.webhooks(),
            certificates,
            limits: Limits::default(),
            drain: Duration::ZERO,
            metrics: metrics.clone(),
        };
        let (stopper, signal) = stop();
        let ready = Readiness::default().condition(Check::Webhooks, "webhooks");
        tokio::spawn(async move { serve(listener, server, ready, signal).await.unwrap() });
        Running { caller, metrics, _stopper: stopper }
    }
}

fn path(of: &Resource, object: &Value) -> String {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    format!("{}/{}", of.path(text("/metadata/namespace")), text("/metadata/name"))
}
