//! The Cluster that a reconcile needs (reference: gardener-contract 2.2).

use std::time::Duration;

use tokio::time::Instant;

use super::{Outcome, Reconcile};
use crate::api_server::member::text;
use crate::api_server::objects::Objects;
use crate::api_server::resource::NAMESPACES;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::extension::SHOOT;
use crate::controller::runtime::kind::ClusterNeed;

/// The longest time for one request.
const LIMIT: Duration = Duration::from_secs(10);

impl<'r> Reconcile<'r> {
    /// The Cluster of the object; none where the object needs none.
    pub(super) async fn needed_cluster(&self) -> Result<Option<&'r Cluster>, Outcome> {
        let is_needed = match (self.rules().cluster, self.cluster) {
            (ClusterNeed::Never, _) => return Ok(None),
            (_, Some(cluster)) => return Ok(Some(cluster)),
            (ClusterNeed::Always, None) => true,
            // Only objects of Shoots have Clusters, and a process that serves none of them watches none.
            (ClusterNeed::OfShootNamespace, None) => {
                self.object.class == SHOOT && self.is_in_shoot_namespace().await?
            }
        };
        if is_needed {
            return Err(Outcome::Unwritten(format!("there is no Cluster `{}`", self.object.namespace())));
        }
        Ok(None)
    }

    async fn is_in_shoot_namespace(&self) -> Result<bool, Outcome> {
        let objects = Objects::new(self.client.clone(), self.permit.clone(), Instant::now() + LIMIT);
        let namespace = self.object.namespace();
        let found = objects.glance(&NAMESPACES, "", namespace).await;
        let found = found.map(|found| found.ok_or_else(|| NAMESPACES.not_found(namespace)));
        let failed = |why: String| {
            let kind = self.kind().name;
            Outcome::Unwritten(format!("error checking if {kind} is in a shoot namespace: {why}"))
        };
        let found = match found {
            Ok(found) => found.map_err(failed)?,
            Err(error) => return Err(Outcome::broken(error, |error| failed(error.to_string()))),
        };
        Ok(text(&found, "/metadata/labels/gardener.cloud~1role") == "shoot")
    }
}
