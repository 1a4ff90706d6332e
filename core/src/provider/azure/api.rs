//! The configuration kinds of Azure.

mod backup;
mod cloud_profile;
mod control_plane;
mod image;
mod infrastructure;
mod worker;
mod workload_identity;

pub use crate::gardener::provider_config::Config;
use crate::gardener::provider_config::configs;

pub use backup::{BackupBucketConfig, Immutability, RotationConfig};
pub use cloud_profile::{
    CloudConfiguration, CloudProfileConfig, DomainCount, MachineImageFlavor, MachineImageVersion, MachineType,
};
pub use control_plane::{CloudControllerManager, ControlPlaneConfig, Storage};
pub use image::Image;
pub use infrastructure::{
    Identity, InfrastructureConfig, NatGateway, Networks, PublicIp, ResourceGroup, Vnet, Zone, ZoneNatGateway,
    ZonePublicIp,
};
pub use worker::{CapacityReservation, DataVolume, DiagnosticsProfile, Volume, WorkerConfig};
pub use workload_identity::WorkloadIdentityConfig;

/// Group and version of the provider's API.
pub const API_VERSION: &str = "azure.provider.extensions.gardener.cloud/v1alpha1";

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
    BackupBucketConfig: ByVersion,
    CloudProfileConfig: Fully,
    ControlPlaneConfig: Fully,
    InfrastructureConfig: Fully,
    WorkerConfig: Fully,
    WorkloadIdentityConfig: Fully
}
