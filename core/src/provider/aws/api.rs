//! The configuration kinds of AWS.

mod cloud_profile;
mod control_plane;
mod infrastructure;
mod worker;

pub use crate::gardener::provider_config::Config;

pub use control_plane::{CloudControllerManager, ControlPlaneConfig, LoadBalancerController, Storage};
pub use infrastructure::{
    DualStack, ElasticFileSystem, IgnoreTags, InfrastructureConfig, Ipv6IpamPool, Networks, Vpc, Zone,
};
pub use worker::{
    CapacityReservation, CpuOptions, DataVolume, IamInstanceProfile, InstanceMarketOptions,
    InstanceMetadataOptions, NetworkCardRange, NetworkInterface, Placement, Volume, WorkerConfig,
};

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
config!(ControlPlaneConfig, InfrastructureConfig, WorkerConfig);
