//! Infrastructures: a run of the policy's plans for each operation.

mod progress;
mod telling;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use kube::Client;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use crate::api_server::objects::Objects;
use crate::controller::runtime::actuator::{Actuator, Ended, Task};
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::configuration::IMAGE_OWNER;
use crate::controller::runtime::granted::Granted;
use crate::controller::runtime::kind::{INFRASTRUCTURE, Kind, Operation};
use crate::controller::runtime::reader::GrantedReader;
use crate::controller::runtime::safeguards::{ADOPT, FORGET, Hold};
use crate::controller::runtime::secrets::{NoCredentials, Secrets};
use crate::controller::runtime::status::Failure;
use crate::metrics::Metrics;
use progress::Progress;
use trellis_policies::answer;
use trellis_policies::engine::{Asker, PolicyThreads, Versions};
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::document::Consent;
use trellis_runner::document::SubjectStatus;
use trellis_runner::plan::event::Ending;
use trellis_runner::plan::options::Options;
use trellis_runner::plan::reconcile::Report;
use trellis_runner::run::form::PolicyForm;
use trellis_runner::run::metrics::Counter;
use trellis_runner::run::reads::Reads;
use trellis_runner::run::world::World;
use trellis_runner::run::{Run, RunError};
use trellis_runner::state::object::{ObjectStore, Options as StoreOptions};
use trellis_runner::transport::family::Family;
use trellis_runner::transport::{AllowedCalls, Endpoint, Session, Wire};

/// How long the end of a run waits until its state is saved.
const CLOSING: Duration = Duration::from_mins(1);
/// How long a run that is stopped waits for the answers of calls in flight.
pub(in crate::controller) const GRACE: Duration = Duration::from_secs(25);

/// Reconciles Infrastructures.
pub struct Infrastructures {
    /// The provider type.
    pub provider: String,
    /// The policies in use.
    pub policies: Arc<Versions>,
    /// The threads that policies are called on.
    pub threads: PolicyThreads,
    /// Sends calls as the cloud takes them.
    pub family: Arc<dyn Family>,
    /// The way to the cloud.
    pub wire: Arc<Wire>,
    /// Where the cloud is.
    pub endpoint: Endpoint,
    /// The calls that plans may make.
    pub allowed_calls: AllowedCalls,
    /// The credentials of Shoots.
    pub secrets: Secrets,
    /// The Secret of the account of custom images, where there is one.
    pub image_owner: Option<(String, String)>,
    /// The extension's own configuration.
    pub configuration: Option<Box<RawValue>>,
    /// The API server of the seed.
    pub client: Client,
    /// Counts each run.
    pub metrics: Metrics,
}

/// What a policy is asked for an Infrastructure.
#[derive(Serialize)]
struct Request<'r> {
    operation: &'static str,
    infrastructure: &'r Value,
    cluster: BTreeMap<&'static str, &'r RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<&'r RawValue>,
}

impl Actuator for Infrastructures {
    fn kind(&self) -> &'static Kind {
        &INFRASTRUCTURE
    }

    fn act<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Ended> {
        self.carry_out(task).boxed()
    }
}

impl Infrastructures {
    async fn carry_out(&self, task: Task<'_>) -> Ended {
        // Of a migration, the state is in the status already; a forced deletion waits for nothing.
        if task.is_forced || task.operation == Operation::Migrate {
            return Ended::Done(Map::new());
        }
        let request = match self.request(task) {
            Ok(request) => request,
            Err(failure) => return Ended::Failed(failure, Map::new()),
        };
        let session = match self.session(task.object).await {
            Ok(session) => session,
            Err(failure) => return Ended::Failed(failure, Map::new()),
        };
        let asker = Asker::new(self.policies.current(), &self.provider, self.threads.clone());
        let form = match PolicyForm::new(asker.clone(), &request) {
            Ok(form) => form,
            Err(error) => return Ended::Failed(Failure::new(error.to_string()), Map::new()),
        };
        let lease_signal = task.permit.lease_signal.clone();
        let store =
            ObjectStore::start(task.api.clone().objects(task.object), form, lease_signal, StoreOptions::default());
        let objects = Objects::new(self.client.clone(), task.permit.clone(), task.deadline);
        let reader = GrantedReader { objects, granted: Granted::of(&self.provider) };
        let world = World::new(session, Reads::of(task.object), reader);
        let consent = task.cluster.map(consent).unwrap_or_default();
        let progress = Progress::default();
        let run = Run {
            asker,
            request: &request,
            consent: &consent,
            store: &store,
            cloud: &world,
            permit: task.permit.clone(),
            guard: task.guard,
            listener: &|event| progress.note(&event),
            options: Options { deadline: Some(task.deadline), grace: GRACE, ..Options::default() },
            counter: Counter::default(),
        };
        let (report, ()) = tokio::join!(progress.ending(run.carry_out(None, None)), progress.write(task));
        self.metrics.run(&self.provider, &run.metrics());
        let ended = ended(task.operation, report);
        match (store.close(CLOSING).await, ended) {
            (Err(error), Ended::Done(members)) => Ended::Failed(Failure::new(error.to_string()), members),
            (_, ended) => ended,
        }
    }

    /// The infrastructure request.
    fn request(&self, task: Task<'_>) -> Result<Box<RawValue>, Failure> {
        let operation = match task.operation {
            Operation::Create | Operation::Reconcile => "reconcile",
            Operation::Delete => "delete",
            Operation::Restore => "restore",
            Operation::Migrate => "migrate",
        };
        let parts = task.cluster.into_iter().flat_map(Cluster::parts).collect();
        let configuration = self.configuration.as_deref();
        let request = Request { operation, infrastructure: task.object, cluster: parts, configuration };
        to_raw_value(&request).map_err(|error| Failure::new(error.to_string()))
    }

    /// A session with the Shoot's credentials.
    async fn session(&self, object: &Value) -> Result<Session, Failure> {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        let namespace = text("/metadata/namespace").unwrap_or_default();
        let Some(name) = text("/spec/secretRef/name") else {
            let words = "`spec.secretRef.name` is missing: name the Secret with the credentials of the account";
            return Err(Failure::new(words).coded(CONFIGURATION));
        };
        let secret = (text("/spec/secretRef/namespace").unwrap_or(namespace).to_owned(), name.to_owned());
        let mut accounts = Accounts::new(self.credentials(&secret).await?);
        if let Some(owner) = &self.image_owner {
            accounts = accounts.with(IMAGE_OWNER.0, self.credentials(owner).await?);
        }
        let region = text("/spec/region").unwrap_or_default();
        let (family, endpoint) = (Arc::clone(&self.family), self.endpoint.clone());
        let session = Session::new(family, &self.wire, endpoint, region, accounts, self.allowed_calls.clone());
        session.map_err(|error| Failure::new(error.to_string()))
    }

    async fn credentials(&self, secret: &(String, String)) -> Result<CredentialSource, Failure> {
        self.secrets.source(secret).await.map_err(|error| {
            let failure = Failure::new(error.to_string());
            match error {
                NoCredentials::NotFound(..) => failure.coded(CONFIGURATION),
                NoCredentials::Credential(_) => failure.coded("ERR_INFRA_UNAUTHENTICATED"),
                NoCredentials::Api(..) => failure,
            }
        })
    }
}

/// The code of what a person has to fix in an object.
const CONFIGURATION: &str = "ERR_CONFIGURATION_PROBLEM";

/// What the owner of the Shoot agreed to, by annotations of the Shoot. The policy reads those of the
/// Infrastructure.
fn consent(cluster: &Cluster) -> Vec<Consent> {
    let of = [(ADOPT, Consent::Adopt), (FORGET, Consent::Forget)];
    of.into_iter().filter(|(key, _)| cluster.annotation(key) == Some("true")).map(|(_, consent)| consent).collect()
}

/// What a run comes to for an object.
fn ended(operation: Operation, report: Result<Report, RunError>) -> Ended {
    let report = match report {
        Ok(report) => report,
        Err(error) => return Ended::Failed(telling::broken(&error), Map::new()),
    };
    if operation == Operation::Delete && report.ending == Ending::Done {
        // Nothing is left that a status could show.
        return Ended::Done(Map::new());
    }
    let (members, lacking) = match &report.status {
        Ok(status) => (members(status), None),
        Err(failure) => (Map::new(), Some(unstated(failure))),
    };
    match &report.ending {
        Ending::Done => match lacking {
            None => Ended::Done(members),
            Some(failure) => Ended::Failed(failure, members),
        },
        Ending::Held(held) => Ended::Held(Hold::Plan(held.clone())),
        Ending::Stopped | Ending::LeaseLost => Ended::PermitEnded,
        _ => Ended::Failed(telling::failure(&report), members),
    }
}

fn unstated(failure: &answer::Failure) -> Failure {
    Failure::new(format!("the policy has no status for what is recorded: {}", failure.message))
}

/// Members of the status that others read. The store of the state has written `state`.
fn members(status: &SubjectStatus) -> Map<String, Value> {
    let mut members = Map::new();
    let provider = status.provider_status.as_ref().and_then(|raw| serde_json::from_str(raw.get()).ok());
    if let Some(provider) = provider {
        members.insert("providerStatus".to_owned(), provider);
    }
    if let Some(ranges) = &status.egress_cidrs {
        members.insert("egressCIDRs".to_owned(), json!(ranges));
    }
    members
}
