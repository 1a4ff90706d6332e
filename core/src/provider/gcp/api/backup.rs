//! What a landscape asks of the buckets that hold backups.

use crate::kube::duration::Duration;
use crate::record;

record! {
    /// What a landscape asks of a bucket: `spec.providerConfig` of a BackupBucket, `spec.backup.providerConfig` of
    /// a Seed.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct BackupBucketConfig<'a> {
        /// `gcp.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `BackupBucketConfig`
        pub kind: &'a str,
        /// How long backups cannot be changed and deleted.
        pub immutability: Option<Immutability<'a>>,
        /// Where the bucket is reached.
        pub store: Option<Store<'a>>,
    }
}

record! {
    /// How long backups cannot be changed and deleted.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Immutability<'a> {
        /// `bucket`: the bucket's retention policy.
        pub retention_type: &'a str,
        /// At least `24h`.
        pub retention_period: Duration,
        /// Whether the retention is locked. Nobody can unlock or shorten it then.
        pub locked: bool,
    }
}

record! {
    /// Where a bucket is reached.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Store<'a> {
        /// URL of Cloud Storage, instead of the global one.
        pub endpoint_override: Option<&'a str>,
    }
}
