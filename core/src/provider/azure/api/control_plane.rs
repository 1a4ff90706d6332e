//! Settings of a Shoot's control plane.

use crate::collections::NameMap;
use crate::record;

record! {
    /// Settings of the control plane: `spec.provider.controlPlaneConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ControlPlaneConfig<'a> {
        /// `azure.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `ControlPlaneConfig`
        pub kind: &'a str,
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
        /// Whether Gardener's storage class is marked as the default one, by default `true`.
        pub managed_default_storage_class: Option<bool>,
        /// Whether Gardener's volume snapshot class is marked as the default one, by default `true`.
        pub managed_default_volume_snapshot_class: Option<bool>,
    }
}
