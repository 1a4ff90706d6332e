//! The configuration kinds of AWS.

mod backup;
mod cloud_profile;
mod control_plane;
mod infrastructure;
mod worker;
mod workload_identity;

pub use crate::gardener::provider_config::Config;
use crate::gardener::provider_config::configs;

pub use backup::{BackupBucketConfig, Immutability};
pub use cloud_profile::{CloudProfileConfig, MachineImageFlavor, MachineImageVersion, RegionAmiMapping};
pub use control_plane::{CloudControllerManager, ControlPlaneConfig, LoadBalancerController, Storage};
pub use infrastructure::{
    DualStack, ElasticFileSystem, IgnoreTags, InfrastructureConfig, Ipv6IpamPool, Networks, Vpc, Zone,
};
pub use worker::{
    CapacityReservation, CpuOptions, DataVolume, IamInstanceProfile, InstanceMarketOptions,
    InstanceMetadataOptions, NetworkCardRange, NetworkInterface, Placement, Volume, WorkerConfig,
};
pub use workload_identity::WorkloadIdentityConfig;

/// Group and version of the provider's API.
pub const API_VERSION: &str = "aws.provider.extensions.gardener.cloud/v1alpha1";

/// The kinds that the group registers.
pub const KINDS: &[&str] = &[
    "BackupBucketConfig",
    "CloudProfileConfig",
    "ControlPlaneConfig",
    "InfrastructureConfig",
    "InfrastructureState",
    "InfrastructureStatus",
    "WorkerConfig",
    "WorkerStatus",
    "WorkloadIdentityConfig",
];

configs! {
    BackupBucketConfig: Fully,
    CloudProfileConfig: Fully,
    ControlPlaneConfig: Fully,
    InfrastructureConfig: Fully,
    WorkerConfig: Fully,
    WorkloadIdentityConfig: Fully
}
