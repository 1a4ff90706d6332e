//! The configuration kinds of OpenStack.

use std::fmt;

use crate::collections::NameMap;
use crate::document::decode::Typed;
pub use crate::gardener::provider_config::Config;
use crate::gardener::types::capabilities::Capabilities;
use crate::kube::duration::Duration;
use crate::kube::quantity::QuantityOutline;
use crate::record;
use crate::text::quote;

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

macro_rules! config {
    ($($kind:ident: $typed:ident),+) => { $(
        impl<'v> Config<'v> for $kind<'v> {
            const API_VERSION: &'static str = API_VERSION;
            const KINDS: &'static [&'static str] = KINDS;
            const KIND: &'static str = stringify!($kind);
            const TYPED: Typed = Typed::$typed;
        }
    )+ };
}
config!(CloudProfileConfig: Fully, ControlPlaneConfig: Fully, InfrastructureConfig: Fully, WorkerConfig: ByVersion);

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
        /// Name, glob or regular expression of the subnet of the external network; by default the one that the CloudProfile
        /// names for the pool.
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
        for (name, text) in [
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
    /// What the cluster autoscaler expects of a node that does not exist yet.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct NodeTemplate<'a> {
        /// Resources of the machine.
        pub capacity: NameMap<'a, QuantityOutline>,
        /// Resources that no machine has by itself.
        pub virtual_capacity: NameMap<'a, QuantityOutline>,
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

record! {
    /// What a landscape offers of OpenStack: `spec.providerConfig` of CloudProfiles and NamespacedCloudProfiles.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudProfileConfig<'a> {
        /// `openstack.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `CloudProfileConfig`
        pub kind: &'a str,
        /// What Shoots may choose from.
        pub constraints: Constraints<'a>,
        /// Addresses of the DNS servers of subnets.
        pub dns_servers: Vec<&'a str>,
        /// DNS domain of the network; has no effect.
        #[name = "dhcpDomain"]
        pub dhcp_domain: Option<&'a str>,
        /// URL of Keystone, for regions that `keystoneURLs` does not list.
        #[name = "keystoneURL"]
        pub keystone_url: &'a str,
        /// Certificate in PEM that Keystone is trusted by.
        #[name = "keystoneCACert"]
        pub keystone_ca_cert: Option<&'a str>,
        /// Whether no certificate of the API is checked.
        pub keystone_force_insecure: bool,
        /// URLs of Keystone by region.
        #[name = "keystoneURLs"]
        pub keystone_urls: Vec<KeystoneUrl<'a>>,
        /// Images by logical name.
        pub machine_images: Vec<MachineImages<'a>>,
        /// How long the control plane waits for the metadata service.
        pub request_timeout: Option<Duration>,
        /// Whether nodes scan a disk that grew.
        pub rescan_block_storage_on_resize: Option<bool>,
        /// Whether disks are in another availability zone than nodes.
        #[name = "ignoreVolumeAZ"]
        pub ignore_volume_az: Option<bool>,
        /// Most disks of a node.
        pub node_volume_attach_limit: Option<i32>,
        /// Whether new routers translate the addresses of nodes.
        #[name = "useSNAT"]
        pub use_snat: Option<bool>,
        /// Policies of server groups that Shoots may use.
        pub server_group_policies: Vec<&'a str>,
        /// Options of the DNS resolver on nodes.
        pub resolv_conf_options: Vec<&'a str>,
        /// Storage classes that replace the built-in ones.
        pub storage_classes: Vec<StorageClass<'a>>,
    }
}

impl CloudProfileConfig<'_> {
    /// Whether nothing beside `machineImages` is set.
    pub fn has_only_images(&self) -> bool {
        let flags = [self.rescan_block_storage_on_resize, self.ignore_volume_az, self.use_snat];
        let lists = [&self.dns_servers, &self.server_group_policies, &self.resolv_conf_options];
        self.constraints.floating_pools.is_empty()
            && self.constraints.load_balancer_providers.is_empty()
            && self.keystone_urls.is_empty()
            && self.storage_classes.is_empty()
            && self.keystone_url.is_empty()
            && !self.keystone_force_insecure
            && self.keystone_ca_cert.or(self.dhcp_domain).is_none()
            && self.request_timeout.is_none()
            && self.node_volume_attach_limit.is_none()
            && flags.iter().all(Option::is_none)
            && lists.iter().all(|list| list.is_empty())
    }
}

record! {
    /// What Shoots may choose from.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Constraints<'a> {
        /// External networks.
        pub floating_pools: Vec<FloatingPool<'a>>,
        /// Providers of load balancers.
        pub load_balancer_providers: Vec<LoadBalancerProvider<'a>>,
    }
}

record! {
    /// An external network.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct FloatingPool<'a> {
        /// Name, or a pattern of names: `*`, `fip-*` or `*-fip`.
        pub name: &'a str,
        /// The region that has the pool; all regions where absent.
        pub region: Option<&'a str>,
        /// The Keystone domain that has the pool; all domains where absent.
        pub domain: Option<&'a str>,
        /// The subnet that routers get an address from where a Shoot names none.
        pub default_floating_subnet: Option<&'a str>,
        /// Whether the pool is offered besides those that are offered more precisely.
        pub non_constraining: Option<bool>,
        /// Classes of load balancers.
        pub load_balancer_classes: Vec<LoadBalancerClass<'a>>,
    }
}

record! {
    /// A provider of load balancers.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct LoadBalancerProvider<'a> {
        /// Name.
        pub name: &'a str,
        /// The region that has the provider; where absent, the regions that no other entry names.
        pub region: Option<&'a str>,
    }
}

record! {
    /// URL of Keystone in a region.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct KeystoneUrl<'a> {
        /// Region.
        pub region: &'a str,
        /// URL.
        pub url: &'a str,
        /// Certificate in PEM that Keystone is trusted by.
        #[name = "caCert"]
        pub ca_cert: Option<&'a str>,
    }
}

record! {
    /// The versions of an image.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImages<'a> {
        /// Logical name, as in the CloudProfile's `spec.machineImages`.
        pub name: &'a str,
        /// Versions.
        pub versions: Vec<MachineImageVersion<'a>>,
    }
}

record! {
    /// What an image version is in OpenStack.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageVersion<'a> {
        /// Logical version.
        pub version: &'a str,
        /// Name of the image in regions that have no id.
        pub image: &'a str,
        /// Ids by region.
        pub regions: Vec<RegionIdMapping<'a>>,
        /// Ids by region and capabilities, where the CloudProfile defines capabilities.
        pub capability_flavors: Vec<MachineImageFlavor<'a>>,
    }
}

record! {
    /// The ids of an image with certain capabilities.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageFlavor<'a> {
        /// Ids by region.
        pub regions: Vec<RegionIdMapping<'a>>,
        /// Name of the image in regions that have no id.
        pub image: &'a str,
        /// What the image offers.
        pub capabilities: Capabilities<'a>,
    }
}

record! {
    /// Id of an image in a region.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct RegionIdMapping<'a> {
        /// Region.
        pub name: &'a str,
        /// Id.
        pub id: &'a str,
        /// Architecture; `amd64` where absent. A flavor tells it among its capabilities.
        pub architecture: Option<&'a str>,
    }
}

record! {
    /// A storage class.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct StorageClass<'a> {
        /// Name.
        pub name: &'a str,
        /// Whether it is the default.
        pub default: Option<bool>,
        /// The driver; by default that of Cinder.
        pub provisioner: Option<&'a str>,
        /// Parameters of the driver.
        pub parameters: NameMap<'a, &'a str>,
        /// Annotations.
        pub annotations: NameMap<'a, &'a str>,
        /// Labels.
        pub labels: NameMap<'a, &'a str>,
        /// What becomes of the disk of a volume that goes.
        pub reclaim_policy: Option<&'a str>,
        /// When a disk is created.
        pub volume_binding_mode: Option<&'a str>,
    }
}
