//! The objects of a Cluster, which functions about control planes, workers and webhooks read.

use super::RequestError;
use super::member::{malformed, object};
use crate::document::Value;

/// The objects of a Cluster.
#[derive(Clone, Copy, Debug)]
pub struct ClusterObjects<'r> {
    /// The Cluster's metadata.
    pub metadata: Option<&'r Value<'r>>,
    /// The CloudProfile of the Shoot.
    pub cloud_profile: Option<&'r Value<'r>>,
    /// The Seed that the control plane is on.
    pub seed: Option<&'r Value<'r>>,
    /// The Shoot.
    pub shoot: &'r Value<'r>,
}

impl<'r> ClusterObjects<'r> {
    /// Reads the member `cluster` of a request document.
    pub(super) fn read(document: &'r Value<'r>) -> Result<Self, RequestError> {
        let cluster = object(document.get("cluster"), "cluster")?;
        let part = |name| object(cluster.and_then(|cluster| cluster.get(name)), name);
        Ok(Self {
            metadata: part("metadata")?,
            cloud_profile: part("cloudProfile")?,
            seed: part("seed")?,
            shoot: part("shoot")?.ok_or_else(|| malformed("the request has no `cluster.shoot`"))?,
        })
    }
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use schemars::JsonSchema;
    use serde_json::{Map, Value};

    /// The objects of a Cluster.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct RenderedCluster {
        /// The Cluster's metadata.
        metadata: Option<Map<String, Value>>,
        /// The CloudProfile of the Shoot.
        cloud_profile: Option<Map<String, Value>>,
        /// The Seed that the Shoot's control plane is on.
        seed: Option<Map<String, Value>>,
        /// The Shoot.
        shoot: Map<String, Value>,
    }
}
