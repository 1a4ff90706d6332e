//! Kinds whose objects the policy plans: a run of its plans for each operation.

mod progress;
mod request;
mod session;
mod warnings;
mod wording;

use std::sync::Arc;
use std::time::Duration;

use kube::Client;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::api_server::objects::Objects;
use crate::controller::runtime::actuator::{Ended, Task};
use crate::controller::runtime::granted::Granted;
use crate::controller::runtime::kind::{Kind, Operation};
use crate::controller::runtime::reader::GrantedReader;
use crate::controller::runtime::safeguards::Hold;
use crate::controller::runtime::secrets::Secrets;
use crate::controller::runtime::status::Failure;
use crate::metrics::Metrics;
use progress::Progress;
use trellis_policies::answer;
use trellis_policies::engine::{Asker, PolicyThreads, Versions};
use trellis_runner::document::{Consent, SubjectStatus};
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
pub(super) use wording::reference;

/// How long the end of a run waits until its state is saved.
const CLOSING: Duration = Duration::from_mins(1);
/// How long a run that is stopped waits for the answers of calls in flight.
pub(in crate::controller) const GRACE: Duration = Duration::from_secs(25);

/// The code of what a person has to fix in an object.
pub(super) const CONFIGURATION: &str = "ERR_CONFIGURATION_PROBLEM";
/// The code of credentials that the cloud does not take.
pub(super) const UNAUTHENTICATED: &str = "ERR_INFRA_UNAUTHENTICATED";

/// Carries out what the policy plans.
pub struct Planned {
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
    /// The credentials in Secrets.
    pub secrets: Secrets,
    /// The extension's own configuration.
    pub configuration: Option<Box<RawValue>>,
    /// The API server of the seed.
    pub client: Client,
    /// Counts each run.
    pub metrics: Metrics,
}

/// What a run has in addition to the object and its Cluster.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Further<'f> {
    /// What somebody agreed to in addition to what the annotations of the object say.
    pub consent: &'f [Consent],
    /// The network that the object is in, which another object names.
    pub infrastructure_status: Option<&'f Value>,
}

impl Planned {
    /// Carries out an operation. `session` has the credentials of the object.
    pub(super) async fn carry_out(
        &self,
        kind: &'static Kind,
        task: Task<'_>,
        session: Session,
        further: Further<'_>,
    ) -> Ended {
        let Further { consent, infrastructure_status } = further;
        let request = match request::of(task, kind, self.configuration.as_deref(), infrastructure_status) {
            Ok(request) => request,
            Err(error) => return Ended::Failed(Failure::new(error.to_string()), Map::new()),
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
        let progress = Progress::default();
        let run = Run {
            asker,
            request: &request,
            consent,
            store: &store,
            cloud: &world,
            permit: task.permit.clone(),
            guard: task.guard,
            listener: &|event| progress.note(&event),
            options: options(task, kind),
            counter: Counter::default(),
        };
        let (report, ()) =
            tokio::join!(progress.ending(Box::pin(run.carry_out(None, None))), progress.write(task, kind));
        self.metrics.run(&self.provider, &run.metrics());
        if let Ok(report) = &report {
            warnings::write(&report.findings, task, kind).await;
        }
        let ended = ended(task.operation, report);
        match (store.close(CLOSING).await, ended) {
            (Err(error), Ended::Done(members)) => Ended::Failed(Failure::new(error.to_string()), members),
            (_, ended) => ended,
        }
    }
}

/// The limits of a run.
fn options(task: Task<'_>, kind: &Kind) -> Options {
    let usual = Options { deadline: Some(task.deadline), grace: GRACE, ..Options::default() };
    match kind.rules.call_limit {
        Some(limit) => Options { step_limit: limit, query_limit: limit, ..usual },
        None => usual,
    }
}

/// What a run comes to for an object.
fn ended(operation: Operation, report: Result<Report, RunError>) -> Ended {
    let report = match report {
        Ok(report) => report,
        Err(error) => return Ended::Failed(wording::broken(&error), Map::new()),
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
        _ => Ended::Failed(wording::failure(&report), members),
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
    if let Some(zone) = &status.zone {
        members.insert("zone".to_owned(), json!(zone));
    }
    if let Some(ingress) = &status.ingress {
        members.insert("ingress".to_owned(), json!({ "ip": ingress.ip }));
    }
    members
}
