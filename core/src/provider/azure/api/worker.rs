//! Settings of a worker pool.

use super::Image;
use crate::gardener::types::node_template::NodeTemplate;
use crate::record;

record! {
    /// Settings of a worker pool: `spec.provider.workers[].providerConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct WorkerConfig<'a> {
        /// `azure.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `WorkerConfig`
        pub kind: &'a str,
        /// What the cluster autoscaler expects of a node that does not exist yet.
        pub node_template: Option<NodeTemplate<'a>>,
        /// Boot diagnostics of the machines.
        pub diagnostics_profile: Option<DiagnosticsProfile<'a>>,
        /// The disk of the operating system.
        pub volume: Option<Volume<'a>>,
        /// Content of data volumes, by their names in the pool.
        pub data_volumes: Vec<DataVolume<'a>>,
        /// The capacity reservation that the machines use.
        pub capacity_reservation: Option<CapacityReservation<'a>>,
    }
}

record! {
    /// Boot diagnostics of the machines.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct DiagnosticsProfile<'a> {
        /// Whether Azure keeps the console log and a screenshot of a machine.
        pub enabled: bool,
        /// Storage account that keeps them, as `https://…`; by default one of Azure's.
        #[name = "storageURI"]
        pub storage_uri: Option<&'a str>,
    }
}

record! {
    /// The disk of the operating system.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Volume<'a> {
        /// Caching on the host: `None`, which is the default, `ReadOnly` or `ReadWrite`.
        pub caching: Option<&'a str>,
    }
}

record! {
    /// Content of a data volume.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct DataVolume<'a> {
        /// Name of the data volume in the pool.
        pub name: &'a str,
        /// The image that the volume is created from.
        pub image_ref: Option<Image<'a>>,
    }
}

record! {
    /// The capacity reservation that the machines use.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct CapacityReservation<'a> {
        /// Resource id of the capacity reservation group.
        #[name = "capacityReservationGroupID"]
        pub capacity_reservation_group_id: Option<&'a str>,
    }
}
