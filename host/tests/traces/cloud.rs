//! A cloud on loopback, in this process.

use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};
use tokio::sync::oneshot;
use trellis_simulator::Options;
use trellis_simulator::cloud::Order;
use trellis_simulator::gateway::Gateway;
use trellis_simulator::server::{Limits, Server};

/// A cloud in which nothing takes time.
pub struct Site {
    gateway: Arc<Gateway>,
    pub url: String,
    stop: Option<oneshot::Sender<()>>,
    server: Option<thread::JoinHandle<()>>,
}

impl Site {
    pub fn new() -> Self {
        let settings = serde_json::from_value(json!({ "delays": { "*": 0 } })).unwrap();
        let options = Options { settings, region: "eu-central-1".to_owned(), ..Options::default() };
        let gateway = Arc::new(options.start().unwrap().gateway);
        let (shared, (stop, stopped)) = (Arc::clone(&gateway), oneshot::channel::<()>());
        let (send, url) = std::sync::mpsc::channel();
        let server = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let bound = Server::bind("127.0.0.1:0".parse().unwrap(), shared, None, Limits::default());
                let server = bound.await.unwrap();
                send.send(server.url()).unwrap();
                server
                    .run(async {
                        // A dropped sender ends the server, too.
                        let _ = stopped.await;
                    })
                    .await;
            });
        });
        Self { gateway, url: url.recv().unwrap(), stop: Some(stop), server: Some(server) }
    }

    /// Orders a fault.
    pub fn order(&self, order: Value) {
        let order: Order = serde_json::from_value(order).unwrap();
        self.gateway.cloud().order(order).unwrap();
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}
