//! The pools of a Worker (`gardener-contract` 1.5).

use crate::collections::NameMap;
use crate::document::Value;
use crate::document::decode::{DecodeError, Node, Target};
use crate::gardener::types::worker::{DataVolume, Volume};
use crate::kube::duration::Duration;
use crate::kube::quantity::Quantity;
use crate::record;

record! {
    /// What a Worker says, without its infrastructure.
    #[derive(Debug, Default)]
    pub struct WorkerSpec<'a> {
        /// The cloud's region.
        pub region: &'a str,
        /// The Secret with the credentials.
        pub secret_ref: SecretRef<'a>,
        /// The pools.
        pub pools: Vec<Pool<'a>>,
    }
}

record! {
    /// Names a Secret.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct SecretRef<'a> {
        /// Its name.
        pub name: &'a str,
        /// Its namespace.
        pub namespace: &'a str,
    }
}

record! {
    /// A worker pool. Its taints, its node template and its provider's configuration are handed on as they are,
    /// and read as JSON.
    #[derive(Debug, Default)]
    pub struct Pool<'a> {
        /// Its name.
        pub name: &'a str,
        /// Machine type.
        pub machine_type: &'a str,
        /// The machine image.
        pub machine_image: Image<'a>,
        /// Smallest number of nodes.
        pub minimum: i32,
        /// Largest number of nodes.
        pub maximum: i32,
        /// How many nodes there may be beyond the wanted number.
        pub max_surge: CountOrPercentText<'a>,
        /// How many nodes may be missing.
        pub max_unavailable: CountOrPercentText<'a>,
        /// Annotations of the nodes.
        pub annotations: NameMap<'a, &'a str>,
        /// Labels of the nodes.
        pub labels: NameMap<'a, &'a str>,
        /// The Secret with the settings of the node agent; its name stands for much of what nodes are made of.
        pub node_agent_secret_name: Option<&'a str>,
        /// The Secret with the user data.
        pub user_data_secret_ref: UserDataRef<'a>,
        /// The system disk.
        pub volume: Option<Volume<'a>>,
        /// Further disks.
        pub data_volumes: Vec<DataVolume<'a>>,
        /// The zones.
        pub zones: Vec<&'a str>,
        /// Settings of the machine controller manager.
        pub machine_controller_manager: MachineControllerManager<'a>,
        /// Kubernetes version of the nodes.
        pub kubernetes_version: Option<&'a str>,
        /// Settings of the kubelet.
        pub kubelet_config: KubeletConfig<'a>,
        /// Processor architecture.
        pub architecture: Option<&'a str>,
        /// Settings of the cluster autoscaler.
        pub cluster_autoscaler: ClusterAutoscaler<'a>,
        /// The order in which the cluster autoscaler considers pools.
        pub priority: Option<i32>,
        /// How a change reaches the nodes.
        pub update_strategy: Option<&'a str>,
    }
}

impl Pool<'_> {
    /// Whether a change is made on the running nodes, and does not replace them.
    pub fn updates_in_place(&self) -> bool {
        matches!(self.update_strategy, Some("AutoInPlaceUpdate" | "ManualInPlaceUpdate"))
    }
}

record! {
    /// Name and version of a machine image.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Image<'a> {
        /// Its name in the CloudProfile.
        pub name: &'a str,
        /// Its version in the CloudProfile.
        pub version: &'a str,
    }
}

record! {
    /// Names a key of a Secret.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct UserDataRef<'a> {
        /// The Secret's name.
        pub name: &'a str,
        /// The key.
        pub key: &'a str,
    }
}

record! {
    /// Settings of the machine controller manager.
    #[derive(Debug, Default)]
    pub struct MachineControllerManager<'a> {
        /// How long a node may take to be drained.
        pub machine_drain_timeout: Option<Duration>,
        /// How long a node may be unhealthy.
        pub machine_health_timeout: Option<Duration>,
        /// How long a machine may take to join.
        pub machine_creation_timeout: Option<Duration>,
        /// How long an update in place may take.
        pub in_place_update_timeout: Option<Duration>,
        /// How long a machine that failed may be kept for people who look into it.
        pub machine_preserve_timeout: Option<Duration>,
        /// How many machines of the pool are kept so when they fail, without being asked.
        pub auto_preserve_failed_machine_max: Option<i32>,
        /// Whether an unhealthy node is never replaced.
        pub disable_health_timeout: Option<bool>,
        /// How often the eviction of a pod is tried.
        pub max_evict_retries: Option<i32>,
        /// Conditions that make a node unhealthy.
        pub node_conditions: Vec<&'a str>,
    }
}

record! {
    /// The settings of the kubelet that a hash covers.
    #[derive(Debug, Default)]
    pub struct KubeletConfig<'a> {
        /// What is kept free for Kubernetes itself.
        pub kube_reserved: Option<Reserved>,
        /// When pods are evicted at once.
        pub eviction_hard: Option<Eviction<'a>>,
        /// How processors are given to pods.
        pub cpu_manager_policy: Option<&'a str>,
    }
}

record! {
    /// What is kept free.
    #[derive(Debug, Default)]
    pub struct Reserved {
        /// Processors.
        pub cpu: Option<Quantity>,
        /// Memory.
        pub memory: Option<Quantity>,
        /// Process ids.
        pub pid: Option<Quantity>,
        /// Disk space.
        pub ephemeral_storage: Option<Quantity>,
    }
}

record! {
    /// When pods are evicted: quantities or percentages.
    #[derive(Debug, Default)]
    pub struct Eviction<'a> {
        /// What of the image file system is free.
        #[name = "imageFSAvailable"]
        pub image_fs_available: &'a str,
        /// How many of its inodes are free.
        #[name = "imageFSInodesFree"]
        pub image_fs_inodes_free: &'a str,
        /// What memory is free.
        pub memory_available: &'a str,
        /// What of the node's file system is free.
        #[name = "nodeFSAvailable"]
        pub node_fs_available: &'a str,
        /// How many of its inodes are free.
        #[name = "nodeFSInodesFree"]
        pub node_fs_inodes_free: &'a str,
    }
}

record! {
    /// Settings of the cluster autoscaler. Shares are texts.
    #[derive(Debug, Default)]
    pub struct ClusterAutoscaler<'a> {
        /// Below which share of use a node goes.
        pub scale_down_utilization_threshold: &'a str,
        /// The same for nodes with graphics processors.
        pub scale_down_gpu_utilization_threshold: &'a str,
        /// How long a node is not needed before it goes.
        pub scale_down_unneeded_time: Option<Duration>,
        /// How long a node is not ready before it goes.
        pub scale_down_unready_time: Option<Duration>,
        /// How long a node may take to come.
        pub max_node_provision_time: Option<Duration>,
    }
}

/// A number of nodes, or a text that should be a percentage of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountOrPercentText<'a> {
    /// So many nodes.
    Count(i32),
    /// A text.
    Text(&'a str),
}

impl Default for CountOrPercentText<'_> {
    fn default() -> Self {
        Self::Count(0)
    }
}

impl<'v: 'a, 'a> Target<'v> for CountOrPercentText<'a> {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        if let Value::String(text) = node.value() {
            *self = Self::Text(text);
            return Ok(());
        }
        let mut count = 0;
        count.decode(node)?;
        *self = Self::Count(count);
        Ok(())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for CountOrPercentText<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CountOrPercent".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["integer", "string"] })
    }
}
