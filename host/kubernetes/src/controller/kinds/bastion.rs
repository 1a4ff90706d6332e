//! Bastions: a run of the policy's plans for each operation, in the network that the Worker of the Shoot names
//! (reference: gardener-contract 1.9, A.5).

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use super::planned::{Further, Planned, reference};
use crate::api_server::member::text;
use crate::api_server::objects::{Objects, name, namespace};
use crate::api_server::requests::WriteError;
use crate::controller::runtime::actuator::{Actuator, Ended, Task};
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::kind::{BASTION, Kind, Operation, WORKER};
use crate::controller::runtime::status::Failure;
use trellis_runner::credentials::Accounts;
use trellis_runner::transport::Session;

/// The Secret with the credentials of a Shoot. A Bastion names no other one.
const CREDENTIALS: &str = "cloudprovider";

/// Reconciles Bastions.
pub struct Bastions(pub Arc<Planned>);

impl Actuator for Bastions {
    fn kind(&self) -> &'static Kind {
        &BASTION
    }

    fn act<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Ended> {
        self.operate(task).map(|ended| ended.unwrap_or_else(|ended| ended)).boxed()
    }
}

impl Bastions {
    async fn operate(&self, task: Task<'_>) -> Result<Ended, Ended> {
        if task.is_forced {
            report_what_stays(task).await;
            return Ok(Ended::Done(Map::new()));
        }
        let shoot = task.cluster.and_then(Cluster::shoot).unwrap_or_default();
        let network = match task.operation {
            // The Worker may have gone before.
            Operation::Delete => None,
            _ => self.network(task, name(&shoot)).await?,
        };
        let session = self.session(task, text(&shoot, "/spec/region")).await.map_err(refused)?;
        let further = Further { infrastructure_status: network.as_ref(), ..Further::default() };
        Ok(self.0.carry_out(&BASTION, task, session, further).await)
    }

    /// The network that the Worker with the name of the Shoot is in. Where there is none, the policy refuses the
    /// Bastion.
    async fn network(&self, task: Task<'_>, shoot: &str) -> Result<Option<Value>, Ended> {
        if shoot.is_empty() {
            return Ok(None);
        }
        let objects = Objects::new(self.0.client.clone(), task.permit.clone(), task.deadline);
        let namespace = namespace(task.object);
        match objects.get(&WORKER.objects(), namespace, shoot).await {
            Ok(worker) => {
                let status = worker.and_then(|mut worker| Some(worker.pointer_mut(NETWORK)?.take()));
                Ok(status.filter(Value::is_object))
            }
            Err(WriteError::PermitEnded(_)) => Err(Ended::PermitEnded),
            Err(error @ WriteError::Api(_)) => {
                let why = format!("the Worker `{namespace}/{shoot}` cannot be read: {error}");
                Err(refused(Failure::new(why)))
            }
        }
    }

    /// A session with the Shoot's credentials, in its region.
    async fn session(&self, task: Task<'_>, region: &str) -> Result<Session, Failure> {
        let secret = (namespace(task.object).to_owned(), CREDENTIALS.to_owned());
        let accounts = Accounts::new(self.0.credentials(&secret).await?);
        self.0.session(region, accounts)
    }
}

/// Where a Worker names its network.
const NETWORK: &str = "/spec/infrastructureProviderStatus";

/// Something that a run needs is missing, so that nothing was tried.
fn refused(failure: Failure) -> Ended {
    Ended::Failed(Failure { is_refused: true, ..failure }, Map::new())
}

/// Warns of what a forced deletion leaves behind.
async fn report_what_stays(task: Task<'_>) {
    let words = what_stays(task.object);
    tracing::warn!("{words}");
    if let Some(reference) = reference(task.object, &BASTION) {
        task.events.warn(&reference, "ResourcesLeft", task.operation, &words).await;
    }
}

fn what_stays(object: &Value) -> String {
    let recorded = object.pointer("/status/state/data").and_then(Value::as_object);
    let recorded =
        recorded.into_iter().flatten().filter_map(|(key, value)| Some(format!("{key} {}", value.as_str()?)));
    let recorded: Vec<String> = recorded.collect();
    let recorded = if recorded.is_empty() { "nothing".to_owned() } else { recorded.join(", ") };
    format!(
        "what is in the cloud stays, because a forced deletion changes nothing there; the state records {recorded}"
    )
}

#[cfg(test)]
mod tests;
