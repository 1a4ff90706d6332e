//! The configuration kinds of GCP.

mod backup;
mod cloud_profile;
mod control_plane;
mod infrastructure;
mod worker;
mod workload_identity;

pub use crate::gardener::provider_config::Config;
use crate::gardener::provider_config::configs;

pub use backup::{BackupBucketConfig, Immutability, Store};
pub use cloud_profile::{CloudProfileConfig, MachineImageFlavor, MachineImageVersion};
pub use control_plane::{CloudControllerManager, ControlPlaneConfig, CsiFilestore, HyperDisk, Storage};
pub use infrastructure::{
    CloudNat, CloudRouter, EndpointIndependentMapping, FlowLogs, InfrastructureConfig, NatIpName, Networks, Vpc,
};
pub use worker::{BootVolume, DataVolume, Encryption, Gpu, ServiceAccount, Volume, WorkerConfig};
pub use workload_identity::WorkloadIdentityConfig;

/// Group and version of the provider's API.
pub const API_VERSION: &str = "gcp.provider.extensions.gardener.cloud/v1alpha1";

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
