//! Settings of a Shoot's control plane.

use crate::collections::NameMap;
use crate::record;

record! {
    /// Settings of the control plane: `spec.provider.controlPlaneConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ControlPlaneConfig<'a> {
        /// `gcp.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `ControlPlaneConfig`
        pub kind: &'a str,
        /// The zone that the cloud controller manager takes for its own.
        pub zone: &'a str,
        /// Settings of the cloud controller manager.
        pub cloud_controller_manager: Option<CloudControllerManager<'a>>,
        /// Settings of storage.
        pub storage: Option<Storage<'a>>,
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
    pub struct Storage<'a> {
        /// Whether a storage class of Gardener is marked as the default one, by default `true`.
        pub managed_default_storage_class: Option<bool>,
        /// The storage class that is marked, by default `default`.
        pub default_storage_class: Option<&'a str>,
        /// Whether Gardener's volume snapshot class is marked as the default one, by default `true`.
        pub managed_default_volume_snapshot_class: Option<bool>,
        /// The CSI driver of Filestore.
        pub csi_filestore: Option<CsiFilestore>,
        /// The storage class `gce-sc-hd-balanced`.
        pub hyper_disk_balanced: Option<HyperDisk<'a>>,
        /// The storage class `gce-sc-hd-throughput`.
        pub hyper_disk_throughput: Option<HyperDisk<'a>>,
        /// The storage class `gce-sc-hd-extreme`.
        pub hyper_disk_extreme: Option<HyperDisk<'a>>,
    }
}

record! {
    /// The CSI driver of Filestore.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct CsiFilestore {
        /// Whether the driver is deployed.
        pub enabled: bool,
    }
}

record! {
    /// A storage class of hyperdisks.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct HyperDisk<'a> {
        /// Whether the class is deployed.
        pub enabled: bool,
        /// I/O operations a second of a new disk.
        pub provisioned_iops_on_create: Option<i64>,
        /// Throughput a second of a new disk, such as `140Mi`.
        pub provisioned_throughput_on_create: Option<&'a str>,
    }
}
