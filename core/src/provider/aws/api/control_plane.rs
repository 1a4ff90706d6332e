//! Settings of a Shoot's control plane.

use crate::collections::NameMap;
use crate::record;

record! {
    /// Settings of the control plane: `spec.provider.controlPlaneConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ControlPlaneConfig<'a> {
        /// `aws.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `ControlPlaneConfig`
        pub kind: &'a str,
        /// Settings of the cloud controller manager.
        pub cloud_controller_manager: Option<CloudControllerManager<'a>>,
        /// The AWS Load Balancer Controller.
        pub load_balancer_controller: Option<LoadBalancerController<'a>>,
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
        /// Whether a controller of Gardener keeps the routes of pods. The extension sets it: on where the network
        /// has no overlay.
        pub use_custom_route_controller: Option<bool>,
    }
}

record! {
    /// The AWS Load Balancer Controller.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct LoadBalancerController<'a> {
        /// Whether the controller is deployed.
        pub enabled: bool,
        /// The class of the Ingresses that the controller handles, by default `alb`.
        pub ingress_class_name: Option<&'a str>,
    }
}

record! {
    /// Settings of storage.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Storage {
        /// Whether Gardener's storage class is marked as the default one, by default `true`.
        pub managed_default_class: Option<bool>,
    }
}
