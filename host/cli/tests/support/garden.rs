//! The API server of a garden on loopback, which lists and gets objects.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test double may panic")]
#![allow(dead_code, reason = "not every test needs all of it")]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// The largest answer that a scan reads is smaller.
const PADDING: usize = 33 << 20;

/// A garden that is served, on a thread of its own, until this is dropped.
pub struct Garden {
    state: Arc<Mutex<State>>,
    folder: TempDir,
    stop: Option<oneshot::Sender<()>>,
    server: Option<thread::JoinHandle<()>>,
}

#[derive(Default)]
pub struct State {
    /// Objects of a kind, in order, by the path of the kind.
    pub kinds: BTreeMap<String, Vec<Value>>,
    /// Codes with which requests for a path fail, with the message.
    pub refused: BTreeMap<String, (u16, String)>,
    /// The next requests that fail, with a code.
    pub faults: Vec<u16>,
    /// Pages of more objects are too large.
    pub largest_page: Option<usize>,
    /// The second page leads to itself.
    pub repeats: bool,
    /// Paths with queries, in the order of the requests.
    pub requests: Vec<String>,
}

impl Garden {
    /// A garden that serves these kinds of objects: paths such as `apis/core.gardener.cloud/v1beta1/shoots`.
    pub fn new(kinds: &[&str]) -> Self {
        let kinds = kinds.iter().map(|path| (format!("/{path}"), Vec::new())).collect();
        let state = Arc::new(Mutex::new(State { kinds, ..State::default() }));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let shared = Arc::clone(&state);
        let (stop, mut stopped) = oneshot::channel::<()>();
        let (send, port) = std::sync::mpsc::channel();
        let server = thread::spawn(move || {
            runtime.block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                send.send(listener.local_addr().unwrap().port()).unwrap();
                loop {
                    let accepted = tokio::select! {
                        accepted = listener.accept() => accepted,
                        _ = &mut stopped => return,
                    };
                    let shared = Arc::clone(&shared);
                    let answer = service_fn(move |request: Request<Incoming>| {
                        let answer = shared.lock().unwrap().answer(request.uri().path(), request.uri().query());
                        async move { Ok::<_, Infallible>(answer) }
                    });
                    tokio::spawn(
                        http1::Builder::new().serve_connection(TokioIo::new(accepted.unwrap().0), answer),
                    );
                }
            });
        });
        let folder = TempDir::new().unwrap();
        let kubeconfig = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "garden",
            "contexts": [{ "name": "garden", "context": { "cluster": "garden", "user": "garden" } }],
            "clusters": [{ "name": "garden", "cluster": { "server": format!("http://127.0.0.1:{}", port.recv().unwrap()) } }],
            "users": [{ "name": "garden", "user": {} }],
        });
        std::fs::write(folder.path().join("kubeconfig"), kubeconfig.to_string()).unwrap();
        Self { state, folder, stop: Some(stop), server: Some(server) }
    }

    /// The file that leads to the garden.
    pub fn kubeconfig(&self) -> PathBuf {
        self.folder.path().join("kubeconfig")
    }

    /// What it has.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Adds an object as the API server has it: with an identity of its own.
    pub fn add(&self, kind: &str, mut object: Value) {
        let mut state = self.state();
        let objects = state.kinds.get_mut(&format!("/{kind}")).unwrap();
        let number = objects.len() + 1;
        object["metadata"]["uid"] = json!(format!("uid-{number}"));
        object["metadata"]["resourceVersion"] = json!(number.to_string());
        objects.push(object);
    }

    /// The requests since the last call.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state().requests)
    }
}

impl Drop for Garden {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}

impl State {
    fn answer(&mut self, path: &str, query: Option<&str>) -> Response<http_body_util::Full<Bytes>> {
        let asked = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned();
        let asked: BTreeMap<String, String> = asked.collect();
        let mut request = path.to_owned();
        for (name, value) in &asked {
            let _ = write!(request, " {name}={value}");
        }
        self.requests.push(request);
        let (code, mut text) = self.text(path, &asked);
        let limit = asked.get("limit").map_or(usize::MAX, |limit| limit.parse().unwrap());
        if code == 200 && self.largest_page.is_some_and(|most| limit > most) {
            text.push_str(&" ".repeat(PADDING));
        }
        let answer = Response::builder().status(code).header("content-type", "application/json");
        answer.body(http_body_util::Full::new(Bytes::from(text))).unwrap()
    }

    fn text(&mut self, path: &str, asked: &BTreeMap<String, String>) -> (u16, String) {
        let failure = |code: u16, message: &str, next: &str| {
            let status = json!({
                "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "message": message, "reason": "",
                "metadata": { "continue": next },
            });
            (code, status.to_string())
        };
        let token = asked.get("continue").map(String::as_str).unwrap_or_default();
        if let Some(code) = self.faults.pop() {
            return failure(code, "not now", &format!("{token}-again"));
        }
        if let Some((code, message)) = self.refused.get(path) {
            return failure(*code, message, "");
        }
        // `…/namespaces/NAMESPACE/shoots/NAME`, or without the namespace, or without the name.
        let (kind, namespace, name) = self.parts(path);
        let Some(objects) = self.kinds.get(&kind) else { return failure(404, "no such kind", "") };
        let is_asked = |object: &&Value| {
            let metadata = &object["metadata"];
            let has_label = asked.get("labelSelector").is_none_or(|selector| {
                let (label, value) = selector.split_once('=').unwrap();
                metadata["labels"][label] == *value
            });
            has_label
                && namespace.as_ref().is_none_or(|of| metadata["namespace"] == **of)
                && name.as_ref().is_none_or(|of| metadata["name"] == **of)
        };
        let found: Vec<&Value> = objects.iter().filter(is_asked).collect();
        if name.is_some() {
            return match found.first() {
                Some(object) => (200, object.to_string()),
                None => failure(404, "no such object", ""),
            };
        }
        let start: usize = token.split('-').next().unwrap().parse().unwrap_or_default();
        let limit: usize = asked.get("limit").map_or(usize::MAX, |limit| limit.parse().unwrap());
        let end = start.saturating_add(limit).min(found.len());
        let next = if end < found.len() { end.to_string() } else { String::new() };
        let next = if self.repeats { "1".to_owned() } else { next };
        // Items of lists have neither `apiVersion` nor `kind`.
        let items: Vec<Value> = found[start..end]
            .iter()
            .map(|object| {
                let mut item = (*object).clone();
                item.as_object_mut().unwrap().retain(|key, _| key != "apiVersion" && key != "kind");
                item
            })
            .collect();
        (200, json!({ "metadata": { "continue": next, "resourceVersion": "9" }, "items": items }).to_string())
    }

    fn parts(&self, path: &str) -> (String, Option<String>, Option<String>) {
        let (path, namespace) = match path.split_once("/namespaces/") {
            Some((root, rest)) => {
                let (namespace, rest) = rest.split_once('/').unwrap();
                (format!("{root}/{rest}"), Some(namespace.to_owned()))
            }
            None => (path.to_owned(), None),
        };
        if self.kinds.contains_key(&path) {
            return (path, namespace, None);
        }
        let (kind, name) = path.rsplit_once('/').unwrap();
        (kind.to_owned(), namespace, Some(name.to_owned()))
    }
}
