//! The configuration kinds of AWS.

mod backup;
mod cloud_profile;
mod control_plane;
mod infrastructure;
mod worker;
mod workload_identity;

pub use crate::gardener::provider_config::Config;

pub use backup::{BackupBucketConfig, Immutability};
pub use cloud_profile::{
    CloudProfileConfig, MachineImageFlavor, MachineImageVersion, MachineImages, RegionAmiMapping,
};
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

macro_rules! config {
    ($($kind:ident),+) => { $(
        impl<'v> Config<'v> for $kind<'v> {
            const API_VERSION: &'static str = API_VERSION;
            const KINDS: &'static [&'static str] = KINDS;
            const KIND: &'static str = stringify!($kind);
        }
    )+ };
}
config!(
    BackupBucketConfig,
    CloudProfileConfig,
    ControlPlaneConfig,
    InfrastructureConfig,
    WorkerConfig,
    WorkloadIdentityConfig
);
