//! A simulator, and a transport to it.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, mpsc};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use trellis_runner::call::cloud::Cloud as _;
use trellis_runner::call::{CallFailure, Parameter, ResolvedCall};
use trellis_runner::credentials::{Accounts, Credential, CredentialSource};
use trellis_runner::document::Paging;
use trellis_runner::limits::permit::{Permit, Terms};
use trellis_runner::transport::alicloud::Alicloud;
use trellis_runner::transport::family::Family as _;
use trellis_runner::transport::{AllowedCalls, Endpoint, Options, Session, TlsError, Wire};
use trellis_simulator::cloud::{Cloud, Query};
use trellis_simulator::gateway::Gateway;
use trellis_simulator::server::{Certificate, Limits, Server};

pub(crate) const REGION: &str = "cn-shanghai";

/// What no test waits for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A simulator that is served.
pub(crate) struct Simulator {
    gateway: Arc<Gateway>,
    pub(crate) url: String,
}

pub(crate) fn credential() -> Arc<dyn Credential> {
    Alicloud.simulated().unwrap()
}

/// A permit to send everything, and as much time as any test needs.
pub(crate) fn terms() -> Terms<'static> {
    static PERMIT: LazyLock<Permit> = LazyLock::new(Permit::unlimited);
    Terms { deadline: Instant::now() + PATIENCE, permit: &PERMIT }
}

/// Holds the time of a test; dropped to let it go again.
pub(crate) struct StillTime {
    _over: mpsc::Sender<()>,
}

/// Lets time stand still until the test moves it on, so that no deadline passes because the machine is slow. After
/// some patience time goes by itself, at once, so that a call that waits where it should not fails.
pub(crate) fn still_time() -> StillTime {
    tokio::time::pause();
    let (over, is_over) = mpsc::channel::<()>();
    // The runtime does not move time on while a thread works for it.
    tokio::task::spawn_blocking(move || is_over.recv_timeout(PATIENCE));
    StillTime { _over: over }
}

/// Moves time on by so much, and by the millisecond to which timers are rounded.
pub(crate) async fn pass(time: Duration) {
    tokio::time::advance(time + Duration::from_millis(1)).await;
}

/// A session to an address, over a wire of its own.
pub(crate) fn session(url: &str, options: Options, accounts: Accounts) -> Result<Session, TlsError> {
    let endpoint = Endpoint::Url(url.parse().unwrap());
    Session::new(Arc::new(Alicloud), &Wire::new(options), endpoint, REGION, accounts, AllowedCalls::all())
}

impl Simulator {
    pub(crate) async fn start() -> Self {
        Self::serve(trellis_simulator::Options::default(), None).await
    }

    pub(crate) async fn serve(options: trellis_simulator::Options, tls: Option<&Certificate>) -> Self {
        let gateway = Arc::new(options.start().unwrap().gateway);
        let address = "127.0.0.1:0".parse().unwrap();
        let server = Server::bind(address, Arc::clone(&gateway), tls, Limits::default()).await.unwrap();
        let url = server.url();
        tokio::spawn(server.run(std::future::pending()));
        Self { gateway, url }
    }

    pub(crate) fn cloud(&self) -> &Cloud {
        self.gateway.cloud()
    }

    /// Orders a fault of an action.
    pub(crate) fn fault(&self, action: &str, times: u64, fault: &Value) {
        let order = json!({ "action": action, "times": times, "fault": fault });
        self.cloud().order(serde_json::from_value(order).unwrap()).unwrap();
    }

    /// What every call says of itself under a name, one after the other.
    fn reported(&self, name: &str) -> Vec<String> {
        let records = self.cloud().records(&Query::default());
        let value = |record| serde_json::to_value(record).unwrap()[name].as_str().unwrap_or_default().to_owned();
        records.iter().map(|record| value(&**record)).collect()
    }

    /// The actions that were called.
    pub(crate) fn called(&self) -> Vec<String> {
        self.reported("action")
    }

    /// The connections that calls came over.
    pub(crate) fn peers(&self) -> BTreeSet<String> {
        self.reported("peer").into_iter().collect()
    }

    pub(crate) fn client(&self) -> Client {
        self.client_of(credential())
    }

    pub(crate) fn client_of(&self, credential: Arc<dyn Credential>) -> Client {
        self.client_for(Accounts::new(CredentialSource::fixed(credential)))
    }

    pub(crate) fn client_for(&self, accounts: Accounts) -> Client {
        Client(session(&self.url, Options::default(), accounts).unwrap())
    }
}

pub(crate) fn call(service: &str, action: &str, parameters: &[(&str, &str)]) -> ResolvedCall {
    ResolvedCall {
        service: service.to_owned(),
        action: action.to_owned(),
        parameters: parameters.iter().map(|(name, value)| ((*name).to_owned(), Parameter::from(*value))).collect(),
        account: None,
        token: None,
    }
}

pub(crate) struct Client(pub(crate) Session);

impl Client {
    pub(crate) async fn send(&self, call: &ResolvedCall) -> Result<Value, CallFailure> {
        self.0.change(call, terms()).await
    }

    pub(crate) async fn call(&self, service: &str, action: &str, parameters: &[(&str, &str)]) -> Value {
        self.send(&call(service, action, parameters)).await.unwrap()
    }

    pub(crate) async fn failure(&self, service: &str, action: &str, parameters: &[(&str, &str)]) -> CallFailure {
        self.send(&call(service, action, parameters)).await.unwrap_err()
    }

    pub(crate) async fn query(&self, call: &ResolvedCall, paging: Paging) -> Result<Value, CallFailure> {
        self.0.query(call, &paging, terms()).await
    }
}
