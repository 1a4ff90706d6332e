//! A server in this process.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use serde_json::Value;
use tokio::sync::oneshot;
use trellis_simulator::Options;
use trellis_simulator::server::{Certificate, Limits, Server};
use trellis_simulator::settings::{PerAction, Seconds, Settings};

use crate::support::{Answer, Client, own, rpc};

/// A server on a thread of its own, until it is dropped.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn new() -> Self {
        Self::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> Self {
        Self::start(limits, None)
    }

    pub(crate) fn start(limits: Limits, certificate: Option<&Certificate>) -> Self {
        let settings = Settings { delays: PerAction::all(Seconds::default()), ..Settings::default() };
        let gateway = Arc::new(Options { settings, ..Options::default() }.start().unwrap().gateway);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let bind = Server::bind("127.0.0.1:0".parse().unwrap(), gateway, certificate, limits);
        let server = runtime.block_on(bind).unwrap();
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            runtime.block_on(server.run(async {
                let _ = stopped.await;
            }));
        });
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(self.address)
    }

    /// The answer to a request on a connection of its own.
    pub(crate) fn ask(&self, request: &[u8]) -> Answer {
        self.client().ask(request)
    }

    /// What its own API answers.
    pub(crate) fn own(&self, method: &str, path: &str, body: &str) -> Value {
        let answer = self.ask(&own(method, path, body, &[]));
        assert_eq!(answer.status, 200, "{method} {path}: {}", answer.text());
        answer.json()
    }

    /// How many VPCs there are.
    pub(crate) fn vpcs(&self) -> usize {
        let summary = self.own("GET", "inventory/summary?kind=vpc:vpcs", "");
        let count = summary.pointer("/1000000000000001/cn-shanghai/vpc:vpcs").and_then(Value::as_u64);
        usize::try_from(count.unwrap_or_default()).unwrap()
    }

    /// Whether it still answers.
    pub(crate) fn is_well(&self) -> bool {
        self.ask(&rpc("DescribeVpcs", &[("RegionId", "cn-shanghai")])).status == 200
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}
