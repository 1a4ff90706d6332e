//! A proxy before the API server: plain HTTP on loopback, with the token of the caller. It counts requests, keeps
//! what was forbidden, and injects faults on order.

mod calls;
mod fault;
mod forward;
mod tests;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use kube::{Client, Config};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use calls::{Call, Counts};
pub use fault::{Fault, On, Order};

/// What connections share.
struct Shared {
    client: Client,
    calls: calls::Calls,
    orders: fault::Orders,
    /// Grows when all open watches are dropped.
    dropped: watch::Sender<u64>,
    /// How many watches have begun since.
    watches: AtomicU64,
    /// Grows when all connections are cut.
    cut: watch::Sender<u64>,
    /// Whether new connections are turned away.
    closed: AtomicBool,
    /// How many were.
    turned_away: AtomicU64,
}

/// The proxy, until it is dropped.
pub struct Proxy {
    shared: Arc<Shared>,
    pub address: SocketAddr,
    task: JoinHandle<()>,
}

impl Proxy {
    /// Listens on loopback, before the API server of this configuration.
    pub async fn start(mut server: Config) -> Self {
        // What the server answers is what the caller gets.
        server.default_retry = false;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            client: Client::try_from(server).unwrap(),
            calls: calls::Calls::default(),
            orders: fault::Orders::default(),
            dropped: watch::Sender::new(0),
            watches: AtomicU64::new(0),
            cut: watch::Sender::new(0),
            closed: AtomicBool::new(false),
            turned_away: AtomicU64::new(0),
        });
        let task = tokio::spawn(serve(listener, Arc::clone(&shared)));
        Self { shared, address, task }
    }

    /// Writes a kubeconfig that leads here with this token.
    pub fn write_kubeconfig(&self, path: &Path, token: &str) {
        let text = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "seed",
            "clusters": [{ "name": "seed", "cluster": { "server": format!("http://{}", self.address) } }],
            "users": [{ "name": "trellis", "user": { "token": token } }],
            "contexts": [{ "name": "seed", "context": { "cluster": "seed", "user": "trellis" } }],
        });
        std::fs::write(path, text.to_string()).unwrap();
    }

    /// Injects a fault from now on.
    pub fn order(&self, order: Order) {
        self.shared.orders.add(order);
    }

    /// Takes back all orders: how often each was carried out.
    pub fn calm(&self) -> Vec<(Order, u64)> {
        self.shared.orders.clear()
    }

    /// Ends all open watches in the middle of a line: how many have begun since the last time.
    pub fn drop_watches(&self) -> u64 {
        let begun = self.shared.watches.swap(0, Ordering::SeqCst);
        self.shared.dropped.send_modify(|count| *count += 1);
        begun
    }

    /// Cuts all connections, and turns new ones away until the next call with `false`.
    pub fn close(&self, closed: bool) {
        self.shared.closed.store(closed, Ordering::SeqCst);
        if closed {
            self.shared.cut.send_modify(|count| *count += 1);
        }
    }

    /// How many connections were turned away.
    pub fn turned_away(&self) -> u64 {
        self.shared.turned_away.load(Ordering::SeqCst)
    }

    /// Requests since the start or the last [`Proxy::forget`].
    pub fn counts(&self) -> Counts {
        self.shared.calls.counts()
    }

    /// Counts from zero again. What was forbidden is kept.
    pub fn forget(&self) {
        self.shared.calls.forget();
    }

    /// What the API server forbade.
    pub fn forbidden(&self) -> Vec<Call> {
        self.shared.calls.forbidden()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
        self.shared.cut.send_modify(|count| *count += 1);
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        if shared.closed.load(Ordering::SeqCst) {
            shared.turned_away.fetch_add(1, Ordering::SeqCst);
            continue;
        }
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let mut cut = shared.cut.subscribe();
            let service = service_fn(|request| {
                let shared = Arc::clone(&shared);
                async move { forward::forward(&shared, request).await }
            });
            let connection =
                http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service);
            tokio::select! {
                // A connection that breaks is what some orders are for.
                _ = connection => {}
                _ = cut.changed() => {}
            }
        });
    }
}
