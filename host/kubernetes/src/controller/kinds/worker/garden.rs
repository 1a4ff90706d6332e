//! The machines of a Worker as the garden keeps them. gardenlet before 1.135 leaves `status.state` of a Worker that moves to
//! another seed empty, and extensions look the machines up themselves (reference: gardener-contract 3.4, A.9).

use std::fmt;

use futures_util::future::BoxFuture;
use kube::Client;
use serde_json::Value;

use crate::api_server::member::text;
use crate::api_server::objects::Objects;
use crate::api_server::requests::WriteError;
use crate::api_server::resource::SHOOT_STATES;
use crate::controller::runtime::actuator::Task;
use crate::controller::runtime::client::{Access, ClientError};
use crate::controller::runtime::cluster::Cluster;
use crate::metrics::Metrics;

/// The type of what a ShootState has of machines.
const MACHINES: &str = "machine-state";

/// The way to the API server of the garden, which is taken only where it is needed.
pub struct Garden(Box<dyn Fn() -> BoxFuture<'static, Result<Client, ClientError>> + Send + Sync>);

/// The garden does not say which machines a Worker had.
#[derive(Debug, thiserror::Error)]
pub enum GardenError {
    /// There is no way to it.
    #[error("failed to reach the garden for the ShootState: {0}")]
    Way(#[from] ClientError),
    /// It does not answer with the ShootState.
    #[error("failed to get the ShootState {1} of the garden: {0}")]
    Answer(WriteError, String),
}

impl Garden {
    /// The garden that a kubeconfig names.
    pub fn new(access: Access, metrics: Metrics) -> Self {
        Self::of(move || {
            let (access, metrics) = (access.clone(), metrics.clone());
            async move { access.client(&metrics).await }
        })
    }

    pub(super) fn of<F>(connect: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Client, ClientError>> + Send + 'static,
    {
        Self(Box::new(move || Box::pin(connect())))
    }

    /// What the ShootState of a Shoot has of its machines, in the form of `status.state`; none where it has nothing.
    pub(super) async fn machines(&self, task: Task<'_>) -> Result<Option<Value>, GardenError> {
        let Some(shoot) = task.cluster.and_then(Cluster::shoot) else { return Ok(None) };
        let [namespace, name] = ["/metadata/namespace", "/metadata/name"].map(|pointer| text(&shoot, pointer));
        let objects = Objects::new((self.0)().await?, task.permit.clone(), task.deadline);
        let state = objects.get(&SHOOT_STATES, namespace, name).await;
        let state = state.map_err(|error| GardenError::Answer(error, format!("{namespace}/{name}")))?;
        Ok(state.as_ref().and_then(of_machines).cloned())
    }
}

fn of_machines(state: &Value) -> Option<&Value> {
    let all = state.pointer("/spec/gardener")?.as_array()?;
    all.iter().find(|data| text(data, "/type") == MACHINES)?.get("data")
}

impl fmt::Debug for Garden {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Garden")
    }
}
