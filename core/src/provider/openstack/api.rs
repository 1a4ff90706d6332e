//! The configuration kinds of OpenStack.

mod cloud_profile;

use std::fmt;

use crate::collections::NameMap;
pub use crate::gardener::provider_config::Config;
use crate::gardener::provider_config::configs;
use crate::gardener::types::node_template::NodeTemplate;
use crate::record;
use crate::text::quote;

pub use cloud_profile::{
    CloudProfileConfig, Constraints, FloatingPool, KeystoneUrl, LoadBalancerProvider, MachineImageFlavor,
    MachineImageVersion, RegionIdMapping, StorageClass,
};

/// Group and version of the provider's API.
pub const API_VERSION: &str = "openstack.provider.extensions.gardener.cloud/v1alpha1";

/// The kinds that the group registers.
pub const KINDS: &[&str] = &[
    "CloudProfileConfig",
    "ControlPlaneConfig",
    "InfrastructureConfig",
    "InfrastructureState",
    "InfrastructureStatus",
    "WorkerConfig",
    "WorkerStatus",
];

configs! {
    CloudProfileConfig: Fully,
    ControlPlaneConfig: Fully,
    InfrastructureConfig: Fully,
    WorkerConfig: ByVersion
}

record! {
    /// The network of a Shoot: `spec.provider.infrastructureConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct InfrastructureConfig<'a> {
        /// `openstack.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `InfrastructureConfig`
        pub kind: &'a str,
        /// Name of the external network that floating IPs come from.
        pub floating_pool_name: &'a str,
        /// Name, glob or regular expression of the subnet of the external network; by default the one that the
        /// CloudProfile names for the pool.
        pub floating_pool_subnet_name: Option<&'a str>,
        /// The network layout.
        pub networks: Networks<'a>,
    }
}

record! {
    /// The network layout.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Networks<'a> {
        /// An existing router.
        pub router: Option<Router<'a>>,
        /// Deprecated: use `workers`.
        pub worker: &'a str,
        /// Address range of the subnet of the worker nodes.
        pub workers: &'a str,
        /// The pool that the subnet of the worker nodes is taken from, instead of `workers`.
        pub subnet_pool: Option<SubnetPool<'a>>,
        /// Id of an existing network.
        pub id: Option<&'a str>,
        /// A network for shared file systems.
        pub share_network: Option<ShareNetwork>,
        /// Where IPv6 addresses come from.
        pub ipv6: Option<Ipv6<'a>>,
    }
}

impl<'a> Networks<'a> {
    /// The key and the text of the range that worker nodes get: `workers`, else `worker`.
    pub fn range(&self) -> Option<(&'static str, &'a str)> {
        [("workers", self.workers), ("worker", self.worker)].into_iter().find(|(_, text)| !text.is_empty())
    }

    /// Whether a network for shared file systems is asked for.
    pub fn has_share_network(&self) -> bool {
        self.share_network.is_some_and(|share| share.enabled)
    }
}

record! {
    /// An existing router.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Router<'a> {
        /// Id, a UUID.
        pub id: &'a str,
    }
}

record! {
    /// A pool of address ranges.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct SubnetPool<'a> {
        /// Id.
        pub id: &'a str,
        /// Length of the prefix of the range to take, 1 to 32.
        pub prefix_length: i64,
    }
}

record! {
    /// A network for shared file systems (Manila).
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct ShareNetwork {
        /// Whether the network is created.
        pub enabled: bool,
    }
}

record! {
    /// Where IPv6 addresses come from. Explicit ranges take precedence over the pool.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Ipv6<'a> {
        /// Id of a pool of address ranges.
        #[name = "subnetPoolID"]
        pub subnet_pool_id: Option<&'a str>,
        /// Range of the nodes.
        #[name = "nodeCIDR"]
        pub node_cidr: &'a str,
        /// Range of the pods.
        #[name = "podCIDR"]
        pub pod_cidr: &'a str,
        /// Range of the services.
        #[name = "serviceCIDR"]
        pub service_cidr: &'a str,
    }
}

impl<'a> Ipv6<'a> {
    /// The explicit ranges, each with its key.
    pub fn ranges(&self) -> [(&'static str, &'a str); 3] {
        [("nodeCIDR", self.node_cidr), ("podCIDR", self.pod_cidr), ("serviceCIDR", self.service_cidr)]
    }
}

record! {
    /// Settings of the control plane: `spec.provider.controlPlaneConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ControlPlaneConfig<'a> {
        /// `openstack.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `ControlPlaneConfig`
        pub kind: &'a str,
        /// Name of the provider of load balancers (Octavia).
        pub load_balancer_provider: &'a str,
        /// Classes of load balancers, which replace those of the CloudProfile.
        pub load_balancer_classes: Vec<LoadBalancerClass<'a>>,
        /// Deprecated: has no effect.
        pub zone: Option<&'a str>,
        /// Settings of the cloud controller manager.
        pub cloud_controller_manager: Option<CloudControllerManager<'a>>,
        /// Settings of storage.
        pub storage: Option<Storage>,
    }
}

record! {
    /// Settings of the cloud controller manager.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudControllerManager<'a> {
        /// Kubernetes feature gates by name.
        pub feature_gates: NameMap<'a, bool>,
    }
}

record! {
    /// Settings of storage.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Storage {
        /// The CSI driver for shared file systems.
        pub csi_manila: Option<CsiManila>,
    }
}

record! {
    /// The CSI driver for shared file systems (Manila).
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct CsiManila {
        /// Whether the driver is deployed.
        pub enabled: bool,
    }
}

record! {
    /// A class of load balancers.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct LoadBalancerClass<'a> {
        /// Name.
        pub name: &'a str,
        /// What the class is for: `default`, `private` or, in a CloudProfile, `vpn`.
        pub purpose: Option<&'a str>,
        /// Id of the subnet that floating IPs come from.
        #[name = "floatingSubnetID"]
        pub floating_subnet_id: Option<&'a str>,
        /// Tags of the subnet that floating IPs come from.
        pub floating_subnet_tags: Option<&'a str>,
        /// Name of the subnet that floating IPs come from.
        pub floating_subnet_name: Option<&'a str>,
        /// Id of the external network that floating IPs come from.
        #[name = "floatingNetworkID"]
        pub floating_network_id: Option<&'a str>,
        /// Id of the subnet that the load balancer is in.
        #[name = "subnetID"]
        pub subnet_id: Option<&'a str>,
    }
}

impl LoadBalancerClass<'_> {
    /// Whether two classes stand for the same load balancers, whatever their names and purposes.
    pub fn is_same_as(&self, other: &Self) -> bool {
        Self { name: "", purpose: None, ..*self } == Self { name: "", purpose: None, ..*other }
    }
}

/// As the existing extension prints a class: `Name: "a", Purpose: "default"`.
impl fmt::Display for LoadBalancerClass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name: {}", quote(self.name))?;
        for &(name, text) in &[
            ("Purpose", self.purpose),
            ("FloatingSubnetID", self.floating_subnet_id),
            ("FloatingSubnetTags", self.floating_subnet_tags),
            ("FloatingSubnetName", self.floating_subnet_name),
            ("FloatingNetworkID", self.floating_network_id),
            ("SubnetID", self.subnet_id),
        ] {
            if let Some(text) = text {
                write!(f, ", {name}: {}", quote(text))?;
            }
        }
        Ok(())
    }
}

record! {
    /// Settings of a worker pool: `spec.provider.workers[].providerConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct WorkerConfig<'a> {
        /// `openstack.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `WorkerConfig`
        pub kind: &'a str,
        /// What the cluster autoscaler expects of a node that does not exist yet.
        pub node_template: Option<NodeTemplate<'a>>,
        /// The group of servers that the machines are placed by.
        pub server_group: Option<ServerGroup<'a>>,
        /// Metadata of the servers.
        pub machine_labels: Vec<MachineLabel<'a>>,
        /// Names of security groups that the machines have besides their own.
        pub additional_security_groups: Vec<&'a str>,
    }
}

record! {
    /// A group of servers.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct ServerGroup<'a> {
        /// Policy by which Nova places the servers of the group.
        pub policy: &'a str,
    }
}

record! {
    /// Metadata of a server.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct MachineLabel<'a> {
        /// Name.
        pub name: &'a str,
        /// Value.
        pub value: &'a str,
        /// Whether a change replaces the machines.
        pub trigger_rolling_on_update: bool,
    }
}
