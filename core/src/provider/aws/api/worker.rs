//! Settings of a worker pool.

use crate::gardener::types::node_template::NodeTemplate;
use crate::record;

record! {
    /// Settings of a worker pool: `spec.provider.workers[].providerConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct WorkerConfig<'a> {
        /// `aws.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `WorkerConfig`
        pub kind: &'a str,
        /// What the cluster autoscaler expects of a node that does not exist yet.
        pub node_template: Option<NodeTemplate<'a>>,
        /// Speed of the root volume.
        pub volume: Option<Volume>,
        /// Speed and content of data volumes, by their names in the pool.
        pub data_volumes: Vec<DataVolume<'a>>,
        /// The IAM instance profile of the machines, instead of the Shoot's own.
        pub iam_instance_profile: Option<IamInstanceProfile<'a>>,
        /// The instance metadata service (IMDS).
        pub instance_metadata_options: Option<InstanceMetadataOptions<'a>>,
        /// Cores and threads of the machines.
        pub cpu_options: Option<CpuOptions<'a>>,
        /// The capacity reservation that the machines use.
        pub capacity_reservation: Option<CapacityReservation<'a>>,
        /// Network interfaces of the machines; by default one.
        pub network_interfaces: Vec<NetworkInterface<'a>>,
        /// Where the machines run.
        pub placement: Option<Placement<'a>>,
        /// How the machines are bought.
        pub instance_market_options: Option<InstanceMarketOptions<'a>>,
    }
}

record! {
    /// Speed of a volume.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Volume {
        /// I/O operations a second; `io1` needs it.
        pub iops: Option<i32>,
        /// MiB a second, for `gp3`.
        pub throughput: Option<i32>,
    }
}

record! {
    /// Speed and content of a data volume.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct DataVolume<'a> {
        /// Name of the data volume in the pool.
        pub name: &'a str,
        /// I/O operations a second; `io1` needs it.
        pub iops: Option<i32>,
        /// MiB a second, for `gp3`.
        pub throughput: Option<i32>,
        /// Id of the snapshot that the volume is created from.
        #[name = "snapshotID"]
        pub snapshot_id: Option<&'a str>,
    }
}

record! {
    /// An IAM instance profile: by its name or by its ARN.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct IamInstanceProfile<'a> {
        /// Name.
        pub name: Option<&'a str>,
        /// ARN.
        pub arn: Option<&'a str>,
    }
}

record! {
    /// The instance metadata service (IMDS).
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct InstanceMetadataOptions<'a> {
        /// Whether a request needs a session token (IMDSv2): `required` or `optional`.
        pub http_tokens: Option<&'a str>,
        /// How many network hops an answer may take, 1 to 64. A pod outside the host network is 2 hops away.
        pub http_put_response_hop_limit: Option<i32>,
    }
}

record! {
    /// Cores and threads of the machines.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct CpuOptions<'a> {
        /// Number of cores.
        pub core_count: Option<i32>,
        /// Threads a core: 1 or 2.
        pub threads_per_core: Option<i32>,
        /// Memory encryption AMD SEV-SNP: `enabled` or `disabled`.
        pub amd_sev_snp: Option<&'a str>,
    }
}

record! {
    /// The capacity reservation that the machines use.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct CapacityReservation<'a> {
        /// `capacity-reservations-only`, `open` or `none`.
        pub capacity_reservation_preference: Option<&'a str>,
        /// Id of a reservation.
        pub capacity_reservation_id: Option<&'a str>,
        /// ARN of a resource group of reservations.
        pub capacity_reservation_resource_group_arn: Option<&'a str>,
    }
}

record! {
    /// Network interfaces of a machine: one, or one on each network card of a range.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct NetworkInterface<'a> {
        /// Index of the network card, by default 0.
        pub network_card_index: Option<i64>,
        /// Network cards that get an interface each.
        pub network_card_index_range: Option<NetworkCardRange>,
        /// Index of the interface on its network card.
        pub device_index: i64,
        /// `interface`, `efa` or `efa-only`.
        #[name = "type"]
        pub interface_type: Option<&'a str>,
        /// Description.
        pub description: Option<&'a str>,
        /// Id of the subnet, by default that of the nodes.
        #[name = "subnetID"]
        pub subnet_id: Option<&'a str>,
    }
}

record! {
    /// Network cards from the first to the last one.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct NetworkCardRange {
        /// Index of the first network card.
        pub from: i64,
        /// Index of the last network card.
        pub to: i64,
    }
}

record! {
    /// Where the machines run.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Placement<'a> {
        /// Id of a placement group.
        pub group_id: Option<&'a str>,
        /// `default`, `dedicated` or `host`.
        pub tenancy: Option<&'a str>,
        /// Id of a Dedicated Host.
        pub host_id: Option<&'a str>,
        /// Whether a machine stays on its Dedicated Host: `default` or `host`.
        pub affinity: Option<&'a str>,
        /// Number of the partition of the placement group.
        pub partition_number: Option<i64>,
    }
}

record! {
    /// How the machines are bought.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct InstanceMarketOptions<'a> {
        /// `spot`, `capacity-block` or `interruptible-capacity-reservation`.
        pub market_type: &'a str,
    }
}

impl NetworkInterface<'_> {
    /// Whether it is the interface that a machine has in any case: the first one of the first network card.
    pub fn is_primary(&self) -> bool {
        self.device_index == 0
            && self.network_card_index.unwrap_or_default() == 0
            && self.network_card_index_range.is_none_or(|cards| cards.from == 0)
    }
}
