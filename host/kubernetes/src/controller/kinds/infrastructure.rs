//! Infrastructures: a run of the policy's plans for each operation.

mod terraformer;

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::Map;

use super::planned::{Further, Planned};
use crate::api_server::member::text;
use crate::api_server::objects::Objects;
use crate::controller::runtime::actuator::{Actuator, Ended, Task};
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::configuration::IMAGE_OWNER;
use crate::controller::runtime::kind::{INFRASTRUCTURE, Kind, Operation};
use crate::controller::runtime::safeguards::{ADOPT, FORGET};
use crate::controller::runtime::status::Failure;
use trellis_runner::document::Consent;
use trellis_runner::transport::Session;

/// Reconciles Infrastructures.
pub struct Infrastructures {
    /// Carries out what the policy plans.
    pub planned: Arc<Planned>,
    /// The Secret of the account of custom images, where there is one.
    pub image_owner: Option<(String, String)>,
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
        let ended = match task.operation {
            // The state is in the status already.
            Operation::Migrate => Ended::Done(Map::new()),
            // A forced deletion waits for nothing.
            Operation::Delete if task.is_forced => Ended::Done(Map::new()),
            _ => self.run(task).await,
        };
        match (task.operation, ended) {
            (Operation::Delete | Operation::Migrate, Ended::Done(members)) => {
                let objects = Objects::new(self.planned.client.clone(), task.permit.clone(), task.deadline);
                let removed = terraformer::remove(&objects, task.object, task.is_forced).await;
                removed.map_or_else(|ended| ended, |()| Ended::Done(members))
            }
            (_, ended) => ended,
        }
    }

    /// Carries out what the policy plans.
    async fn run(&self, task: Task<'_>) -> Ended {
        let session = match self.session(task).await {
            Ok(session) => session,
            Err(failure) => return Ended::Failed(failure, Map::new()),
        };
        let consent = task.cluster.map(consent).unwrap_or_default();
        let further = Further { consent: &consent, ..Further::default() };
        self.planned.carry_out(&INFRASTRUCTURE, task, session, further).await
    }

    /// A session with the Shoot's credentials, and with those of the account of custom images.
    async fn session(&self, task: Task<'_>) -> Result<Session, Failure> {
        let mut accounts = self.planned.account(task.object).await?;
        if let Some(owner) = &self.image_owner {
            accounts = accounts.with(IMAGE_OWNER.0, self.planned.credentials(owner).await?);
        }
        self.planned.session(text(task.object, "/spec/region"), accounts)
    }
}

/// What the owner of the Shoot agreed to, by annotations of the Shoot. The policy reads those of the
/// Infrastructure.
fn consent(cluster: &Cluster) -> Vec<Consent> {
    let of = [(ADOPT, Consent::Adopt), (FORGET, Consent::Forget)];
    of.into_iter().filter(|(key, _)| cluster.annotation(key) == Some("true")).map(|(_, consent)| consent).collect()
}
