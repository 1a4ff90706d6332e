//! The configuration kinds of Alibaba Cloud.

use crate::collections::NameMap;
use crate::gardener::images::MachineImages;
pub use crate::gardener::provider_config::Config;
use crate::gardener::provider_config::configs;
use crate::gardener::types::capabilities::Capabilities;
use crate::record;

/// Group and version of the provider's API.
pub const API_VERSION: &str = "alicloud.provider.extensions.gardener.cloud/v1alpha1";

/// The kinds that the group registers.
pub const KINDS: &[&str] = &[
    "BackupBucketConfig",
    "CloudProfileConfig",
    "ControlPlaneConfig",
    "InfrastructureConfig",
    "InfrastructureStatus",
    "WorkerStatus",
];

configs! {
    BackupBucketConfig: Fully,
    CloudProfileConfig: Fully,
    ControlPlaneConfig: Fully,
    InfrastructureConfig: Fully; also InfrastructureStatus: Fully
}

record! {
    /// The network of a Shoot: `spec.provider.infrastructureConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct InfrastructureConfig<'a> {
        /// `alicloud.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `InfrastructureConfig`
        pub kind: &'a str,
        /// IPv6 in addition to IPv4, with network load balancers.
        pub dual_stack: Option<DualStack>,
        /// The network layout.
        pub networks: Networks<'a>,
    }
}

impl InfrastructureConfig<'_> {
    /// Whether IPv6 is asked for.
    pub fn is_dual_stack(&self) -> bool {
        self.dual_stack.is_some_and(|dual_stack| dual_stack.enabled)
    }
}

record! {
    /// IPv6 in addition to IPv4.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct DualStack {
        /// Whether it is on. It cannot be switched off again.
        pub enabled: bool,
    }
}

record! {
    /// The network layout.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Networks<'a> {
        /// The VPC: an existing one by `id`, or a new one by `cidr`.
        pub vpc: Vpc<'a>,
        /// One entry per availability zone; each becomes a VSwitch.
        pub zones: Vec<Zone<'a>>,
    }
}

record! {
    /// The VPC: an existing one by `id`, or a new one by `cidr`.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Vpc<'a> {
        /// Id of an existing VPC.
        pub id: Option<&'a str>,
        /// Address range of a VPC to create.
        pub cidr: Option<&'a str>,
        /// Whether Gardener creates a NAT gateway in an existing VPC. In a new VPC it always does.
        #[name = "gardenerManagedNATGateway"]
        pub gardener_managed_nat_gateway: Option<bool>,
        /// Whether the VSwitches get a route table of their own. It can only be set when the Shoot is created.
        pub use_custom_route_table: Option<bool>,
    }
}

record! {
    /// The part of a network that lies in one availability zone.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Zone<'a> {
        /// Name of the availability zone.
        pub name: &'a str,
        /// Deprecated: use `workers`.
        pub worker: &'a str,
        /// Address range of the nodes in this zone.
        pub workers: &'a str,
        /// Which /64 block of the VPC's IPv6 range the zone gets, 0 to 255; by default the zone's index.
        pub ipv6_cidr_block: Option<i64>,
        /// Settings of the NAT gateway for this zone.
        pub nat_gateway: Option<NatGateway<'a>>,
    }
}

impl<'a> Zone<'a> {
    /// Its name, where it has one.
    pub fn label(&self) -> Option<&'a str> {
        (!self.name.is_empty()).then_some(self.name)
    }

    /// The range that the VSwitch gets: `workers`, else `worker`.
    pub fn cidr(&self) -> &'a str {
        if self.workers.is_empty() { self.worker } else { self.workers }
    }

    /// The elastic IP that the person brings.
    pub fn eip(&self) -> Option<&'a str> {
        self.nat_gateway?.eip_allocation_id
    }
}

record! {
    /// Settings of the NAT gateway for a zone.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct NatGateway<'a> {
        /// Allocation id of an existing elastic IP, used for egress instead of a new one.
        #[name = "eipAllocationID"]
        pub eip_allocation_id: Option<&'a str>,
    }
}

record! {
    /// Settings of the control plane: `spec.provider.controlPlaneConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ControlPlaneConfig<'a> {
        /// `alicloud.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `ControlPlaneConfig`
        pub kind: &'a str,
        /// Settings of the cloud controller manager.
        pub cloud_controller_manager: Option<CloudControllerManager<'a>>,
        /// Settings of the CSI driver.
        pub csi: Option<Csi>,
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
    /// Settings of the CSI driver.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Csi {
        /// Whether disks are attached and detached by the controller (`DISK_AD_CONTROLLER`).
        #[name = "enableADController"]
        pub enable_ad_controller: Option<bool>,
    }
}

record! {
    /// Image ids: `spec.providerConfig` of CloudProfiles and NamespacedCloudProfiles.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudProfileConfig<'a> {
        /// `alicloud.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `CloudProfileConfig`
        pub kind: &'a str,
        /// Images by logical name.
        pub machine_images: Vec<MachineImages<'a, MachineImageVersion<'a>>>,
    }
}

record! {
    /// The ids of an image version.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageVersion<'a> {
        /// Logical version.
        pub version: &'a str,
        /// Ids by region, for amd64; not together with `capabilityFlavors`.
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
        /// Image id.
        pub id: &'a str,
    }
}

record! {
    /// Settings of a backup bucket: `spec.backup.providerConfig` of Seeds, `spec.providerConfig` of BackupBuckets.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct BackupBucketConfig<'a> {
        /// `alicloud.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `BackupBucketConfig`
        pub kind: &'a str,
        /// How long objects cannot be changed or deleted.
        pub immutability: Option<Immutability<'a>>,
    }
}

record! {
    /// How long objects cannot be changed or deleted.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Immutability<'a> {
        /// What the policy is set on; only `bucket`.
        pub retention_type: &'a str,
        /// Days, at least 1.
        pub retention_period: i64,
        /// Whether the policy can no longer be lifted.
        pub locked: bool,
    }
}

record! {
    /// What exists of a Shoot's network: `status.providerStatus` of an Infrastructure (`alicloud-policy` 1.3).
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct InfrastructureStatus<'a> {
        /// `alicloud.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `InfrastructureStatus`
        pub kind: &'a str,
        /// The VPC.
        pub vpc: VpcStatus<'a>,
        /// Older releases made a key pair; nobody sets its name any more.
        pub key_pair_name: &'a str,
        /// The images of worker pools.
        pub machine_images: Vec<MachineImage<'a>>,
    }
}

record! {
    /// What exists of a VPC.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct VpcStatus<'a> {
        /// Its id.
        pub id: &'a str,
        /// Its VSwitches.
        pub vswitches: Vec<VSwitchStatus<'a>>,
        /// Its security groups.
        pub security_groups: Vec<SecurityGroupStatus<'a>>,
        /// The id of its own route table; empty where it has the VPC's.
        #[name = "routeTableID"]
        pub route_table_id: &'a str,
    }
}

record! {
    /// A VSwitch.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct VSwitchStatus<'a> {
        /// What it is for: `nodes`.
        pub purpose: &'a str,
        /// Its id.
        pub id: &'a str,
        /// Its zone.
        pub zone: &'a str,
    }
}

record! {
    /// A security group.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct SecurityGroupStatus<'a> {
        /// What it is for: `nodes`.
        pub purpose: &'a str,
        /// Its id.
        pub id: &'a str,
    }
}

record! {
    /// An image that worker pools have (`alicloud-policy` 1.5).
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImage<'a> {
        /// Its name in the CloudProfile.
        pub name: &'a str,
        /// Its version in the CloudProfile.
        pub version: &'a str,
        /// Its id.
        pub id: &'a str,
        /// Whether it is an encrypted copy.
        pub encrypted: Option<bool>,
        /// Its capabilities.
        pub capabilities: Capabilities<'a>,
    }
}
