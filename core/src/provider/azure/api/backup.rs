//! What a landscape asks of the containers that hold backups.

use super::CloudConfiguration;
use crate::kube::duration::Duration;
use crate::record;

record! {
    /// What a landscape asks of a container: `spec.providerConfig` of a BackupBucket, `spec.backup.providerConfig`
    /// of a Seed.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct BackupBucketConfig<'a> {
        /// `azure.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `BackupBucketConfig`
        pub kind: &'a str,
        /// The cloud of the storage account.
        pub cloud_configuration: Option<CloudConfiguration<'a>>,
        /// How long backups cannot be changed and deleted.
        pub immutability: Option<Immutability<'a>>,
        /// How often the keys of the storage account are renewed.
        pub rotation_config: Option<RotationConfig>,
    }
}

record! {
    /// How long backups cannot be changed and deleted.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Immutability<'a> {
        /// `bucket`: the policy of the whole container.
        pub retention_type: &'a str,
        /// Whole days, such as `24h`.
        pub retention_period: Duration,
        /// Whether the retention is locked. Nobody can unlock or shorten it then.
        pub locked: bool,
    }
}

record! {
    /// How often the keys of the storage account are renewed.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct RotationConfig {
        /// Days until a key is renewed, at least 2.
        pub rotation_period_days: i32,
        /// Days until a key expires, more than those until it is renewed.
        pub expiration_period_days: Option<i32>,
    }
}
