//! Settings of a worker pool.

use crate::gardener::types::node_template::NodeTemplate;
use crate::record;

record! {
    /// Settings of a worker pool: `spec.provider.workers[].providerConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct WorkerConfig<'a> {
        /// `gcp.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `WorkerConfig`
        pub kind: &'a str,
        /// GPUs of the machines.
        pub gpu: Option<Gpu<'a>>,
        /// Local SSDs and encryption of the disks.
        pub volume: Option<Volume<'a>>,
        /// Speed of the boot disk.
        pub boot_volume: Option<BootVolume<'a>>,
        /// Speed and content of data volumes, by their names in the pool.
        pub data_volumes: Vec<DataVolume<'a>>,
        /// The oldest CPU platform that the machines may have.
        pub min_cpu_platform: Option<&'a str>,
        /// The service account of the machines; by default none, or the Shoot's own.
        pub service_account: Option<ServiceAccount<'a>>,
        /// What the cluster autoscaler expects of a node that does not exist yet.
        pub node_template: Option<NodeTemplate<'a>>,
    }
}

record! {
    /// GPUs of the machines.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Gpu<'a> {
        /// Type of the GPUs, such as `nvidia-l4`.
        pub accelerator_type: &'a str,
        /// GPUs of a machine.
        pub count: i32,
    }
}

record! {
    /// Local SSDs and encryption of the disks.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Volume<'a> {
        /// Interface of local SSDs: `NVME` or `SCSI`.
        pub interface: Option<&'a str>,
        /// The key that the disks are encrypted with; by default Google's own.
        pub encryption: Option<Encryption<'a>>,
    }
}

record! {
    /// The key that disks are encrypted with.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Encryption<'a> {
        /// Resource name of the key of Cloud KMS.
        pub kms_key_name: Option<&'a str>,
        /// The service account that uses the key, by default that of Compute Engine.
        pub kms_key_service_account: Option<&'a str>,
    }
}

record! {
    /// Speed of the boot disk.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct BootVolume<'a> {
        /// I/O operations a second.
        pub provisioned_iops: Option<i64>,
        /// MiB a second.
        pub provisioned_throughput: Option<i64>,
        /// The storage pool that the disk comes from.
        pub storage_pool: Option<&'a str>,
    }
}

record! {
    /// Speed and content of a data volume.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct DataVolume<'a> {
        /// Name of the data volume in the pool.
        pub name: &'a str,
        /// The image that the disk is created from.
        pub source_image: Option<&'a str>,
        /// I/O operations a second.
        pub provisioned_iops: Option<i64>,
        /// MiB a second.
        pub provisioned_throughput: Option<i64>,
        /// The storage pool that the disk comes from.
        pub storage_pool: Option<&'a str>,
    }
}

record! {
    /// The service account of the machines.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ServiceAccount<'a> {
        /// Email address of the account.
        pub email: &'a str,
        /// What the machines may do as this account, as OAuth scopes.
        pub scopes: Vec<&'a str>,
    }
}
