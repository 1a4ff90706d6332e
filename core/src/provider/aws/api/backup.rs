//! What a landscape asks of the buckets that hold backups.

use crate::kube::duration::Duration;
use crate::record;

record! {
    /// What a landscape asks of a bucket: `spec.providerConfig` of a BackupBucket, `spec.backup.providerConfig` of
    /// a Seed.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct BackupBucketConfig<'a> {
        /// `aws.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `BackupBucketConfig`
        pub kind: &'a str,
        /// How long backups cannot be changed and deleted (S3 Object Lock).
        pub immutability: Option<Immutability<'a>>,
    }
}

record! {
    /// How long backups cannot be changed and deleted.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Immutability<'a> {
        /// `bucket`: the bucket's default retention.
        pub retention_type: &'a str,
        /// Whole days, such as `24h`.
        pub retention_period: Duration,
        /// `compliance`: nobody can shorten it; or `governance`: who has the permission can.
        pub mode: &'a str,
    }
}
