//! Worker pools of a Shoot.
//!
//! Parts with members of their own that no rule compares are not decoded, which would cost every policy some
//! bytes: Gardener hands most of them on as they are. [`pool`](crate::gardener::shoot::pool) reads them as JSON:
//! `taints`, `kubernetes`, `systemComponents`, `maxSurge`, `maxUnavailable`, `clusterAutoscaler`, `controlPlane`
//! and `providerConfig`.

use crate::collections::NameMap;
use crate::record;

record! {
    /// A worker pool.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Worker<'a> {
        /// Name, unique in the Shoot.
        pub name: &'a str,
        /// Machine type and image of the nodes.
        pub machine: Machine<'a>,
        /// Smallest number of nodes.
        pub minimum: i32,
        /// Largest number of nodes.
        pub maximum: i32,
        /// The system disk.
        pub volume: Option<Volume<'a>>,
        /// Further disks.
        pub data_volumes: Vec<DataVolume<'a>>,
        /// Name of the data volume that the kubelet uses.
        pub kubelet_data_volume_name: Option<&'a str>,
        /// Labels of the nodes.
        pub labels: NameMap<'a, &'a str>,
        /// Annotations of the nodes.
        pub annotations: NameMap<'a, &'a str>,
        /// Certificates that the nodes trust, in PEM.
        pub ca_bundle: Option<&'a str>,
        /// Kernel settings of the nodes.
        pub sysctls: NameMap<'a, &'a str>,
        /// The order in which the cluster autoscaler considers pools.
        pub priority: Option<i32>,
        /// How a change reaches the nodes.
        pub update_strategy: Option<&'a str>,
        /// The zones that the nodes are spread over.
        pub zones: Vec<&'a str>,
    }
}

impl Worker<'_> {
    /// Whether a change is made on the running nodes, and does not replace them.
    pub fn updates_in_place(&self) -> bool {
        matches!(self.update_strategy, Some("AutoInPlaceUpdate" | "ManualInPlaceUpdate"))
    }
}

record! {
    /// Machine type and image of a pool's nodes.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Machine<'a> {
        /// Machine type.
        #[name = "type"]
        pub machine_type: &'a str,
        /// Image; the API server fills it in.
        pub image: Option<PoolImage<'a>>,
        /// Processor architecture; the API server fills it in.
        pub architecture: Option<&'a str>,
    }
}

record! {
    /// Name and version of an image.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct PoolImage<'a> {
        /// Name.
        pub name: &'a str,
        /// Version.
        pub version: Option<&'a str>,
    }
}

record! {
    /// The system disk of a node.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Volume<'a> {
        /// Name.
        pub name: Option<&'a str>,
        /// Disk category.
        #[name = "type"]
        pub volume_type: Option<&'a str>,
        /// Size, a quantity.
        pub size: &'a str,
        /// Whether the disk is encrypted.
        pub encrypted: Option<bool>,
    }
}

record! {
    /// A further disk of a node.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct DataVolume<'a> {
        /// Name.
        pub name: &'a str,
        /// Disk category.
        #[name = "type"]
        pub volume_type: Option<&'a str>,
        /// Size, a quantity.
        pub size: &'a str,
        /// Whether the disk is encrypted.
        pub encrypted: Option<bool>,
    }
}
