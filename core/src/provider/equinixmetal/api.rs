//! The configuration kinds of Equinix Metal.

use crate::gardener::images::MachineImages;
use crate::gardener::provider_config::configs;
use crate::record;

/// Group and version of the provider's API.
pub const API_VERSION: &str = "equinixmetal.provider.extensions.gardener.cloud/v1alpha1";

/// The kinds that the group registers.
pub const KINDS: &[&str] = &[
    "CloudProfileConfig",
    "ControlPlaneConfig",
    "InfrastructureConfig",
    "InfrastructureStatus",
    "WorkerConfig",
    "WorkerStatus",
];

// What is missing is taken from the place (EQX-DEC-001).
configs! {
    CloudProfileConfig: Loosely,
    ControlPlaneConfig: Loosely,
    InfrastructureConfig: Loosely,
    WorkerConfig: Loosely
}

record! {
    /// The network of a Shoot, of which nothing can be configured: `spec.provider.infrastructureConfig`.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct InfrastructureConfig<'a> {
        /// `equinixmetal.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `InfrastructureConfig`
        pub kind: &'a str,
    }
}

record! {
    /// Settings of the control plane, of which there are none: `spec.provider.controlPlaneConfig`.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct ControlPlaneConfig<'a> {
        /// `equinixmetal.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `ControlPlaneConfig`
        pub kind: &'a str,
    }
}

record! {
    /// Reserved hardware of a worker pool: `spec.provider.workers[].providerConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct WorkerConfig<'a> {
        /// `equinixmetal.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `WorkerConfig`
        pub kind: &'a str,
        /// Ids of hardware reservations, which are tried first for a new machine.
        #[name = "reservationIDs"]
        pub reservation_ids: Vec<&'a str>,
        /// Whether a machine is ordered from the reservations only; else on demand where none is free.
        pub reserved_devices_only: Option<bool>,
    }
}

record! {
    /// Operating systems of images: `spec.providerConfig` of CloudProfiles and NamespacedCloudProfiles.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudProfileConfig<'a> {
        /// `equinixmetal.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `CloudProfileConfig`
        pub kind: &'a str,
        /// Images by logical name.
        pub machine_images: Vec<MachineImages<'a, MachineImageVersion<'a>>>,
    }
}

record! {
    /// What a machine of an image version boots.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct MachineImageVersion<'a> {
        /// Logical version.
        pub version: &'a str,
        /// Slug of an operating system of Equinix Metal, such as `flatcar_stable`.
        pub id: &'a str,
        /// Address of an iPXE script to boot instead.
        pub ipxe_script_url: &'a str,
    }
}
