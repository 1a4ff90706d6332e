//! A simulated cloud on loopback, in this process.

use std::sync::Arc;
use std::thread;

use serde_json::Value;
use tokio::sync::oneshot;
use trellis_simulator::Options;
use trellis_simulator::action::{Caller, Principal};
use trellis_simulator::cloud::{ACCESS_KEY, ACCOUNT, Operation};
use trellis_simulator::gateway::Gateway;
use trellis_simulator::server::{Limits, Server};
use trellis_simulator::service::SERVICES;

/// A second access key of the account: its identifier and secret.
pub const SECOND_KEY: (&str, &str) = ("LTAI5tSecondOfTheAccount", "second-of-the-account");

/// A cloud that is served, on a thread of its own, until this is dropped.
pub struct Loopback {
    /// The cloud.
    pub gateway: Arc<Gateway>,
    /// Where it is served.
    pub url: String,
    stop: Option<oneshot::Sender<()>>,
    server: Option<thread::JoinHandle<()>>,
}

impl Loopback {
    /// A cloud with these settings of the simulator.
    pub fn new(settings: Value) -> Self {
        let settings = serde_json::from_value(settings).unwrap();
        let mut options = Options { settings, region: "eu-central-1".to_owned(), ..Options::default() };
        // The image of the examples' CloudProfile, for machines.
        let image = serde_json::json!({ "id": "m-gw8example0000000000a", "name": "gardenlinux", "region": "eu-central-1" });
        let second = serde_json::json!({ "id": SECOND_KEY.0, "secret": SECOND_KEY.1 });
        for account in &mut options.accounts.accounts {
            account.access_keys.push(serde_json::from_value(second.clone()).unwrap());
            account.images.push(serde_json::from_value(image.clone()).unwrap());
        }
        let gateway = Arc::new(options.start().unwrap().gateway);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let shared = Arc::clone(&gateway);
        let (stop, stopped) = oneshot::channel::<()>();
        let (send, url) = std::sync::mpsc::channel();
        let server = thread::spawn(move || {
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
}

impl Loopback {
    /// Calls an action, as the account does that the credentials of tests belong to.
    pub fn call(&self, service: &str, action: &str, parameters: &[(&str, &str)]) -> Value {
        let service = SERVICES.iter().find(|known| known.code == service).unwrap();
        let action = service.action(action).unwrap();
        let parameters =
            parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let [account, access_key, region] = [ACCOUNT, ACCESS_KEY, "eu-central-1"].map(str::to_owned);
        let caller = Caller { account, access_key, principal: Principal::Account, sees_nothing: false };
        let body = hyper::body::Bytes::new();
        let operation = Operation { service, action, caller, region, parameters, body };
        Value::Object(self.gateway.cloud().execute(&operation).unwrap().fields)
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}
