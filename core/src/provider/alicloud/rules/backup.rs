//! Backup settings of Seeds and `BackupBuckets`.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{BACKUP_BUCKET, SEED, other_kind};

/// Kinds with the shared rules on `BackupBucketConfig` and credentials.
const BACKUPS: &[&str] = &["Seed", "BackupBucket"];

/// Why a `BackupBucketConfig` must be readable.
const READABLE: &str = "A retention policy that is misread would leave backups unprotected.";
/// How to make a `BackupBucketConfig` readable.
const DECODE: &str = "Set `apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1` and \
                      `kind: BackupBucketConfig`, and correct the field that is named.";
/// Why the old object's `BackupBucketConfig` must be readable.
const COMPARED: &str = "Whether lock or retention period is weakened shows only against the old one.";
/// What to do about an old object whose `BackupBucketConfig` is not readable.
const STORED: &str = "Compare with the object as the garden stores it; if that one is broken, repair it \
                      with the admission webhook off.";

rules! {
    BUCKET_010 = Rule::error("ALI-BUCKET-010", BACKUPS, Both)
        .summary("`immutability.retentionType` is `bucket`.")
        .why("Object Storage Service (OSS) keeps retention policies for whole buckets only.")
        .fix("Set `retentionType: bucket`, or remove `immutability`.");
    BUCKET_011 = Rule::error("ALI-BUCKET-011", BACKUPS, Both)
        .summary("`immutability.retentionPeriod` is at least 1 day.")
        .why("OSS counts retention in whole days; less protects nothing.")
        .fix("Set `retentionPeriod` to a whole number of days from 1 on, or remove `immutability`.");
    BUCKET_012 = Rule::error("ALI-BUCKET-012", BACKUPS, Update)
        .summary("A locked retention policy stays locked.")
        .why("OSS can never unlock a policy; that is what protects the backups.")
        .fix("Restore `immutability.locked: true`.");
    BUCKET_013 = Rule::error("ALI-BUCKET-013", BACKUPS, Update)
        .summary("`immutability.retentionPeriod` is not shortened.")
        .why("Backups were promised for the longer period, and OSS only extends a locked policy.")
        .fix("Set `retentionPeriod` to the old number of days or more.");
    BUCKET_014 = Rule::error("ALI-BUCKET-014", BACKUPS, Both)
        .summary("Backups have a `credentialsRef`.")
        .why("Buckets are created and written with an access key; there is no other source for it.")
        .fix("Set `credentialsRef` to `apiVersion: v1`, `kind: Secret` and the Secret's name and namespace.");
    BUCKET_015 = Rule::error("ALI-BUCKET-015", BACKUPS, Both)
        .summary("`credentialsRef` of a backup refers to a Secret.")
        .why("OSS is called with an access key; other credentials are not supported.")
        .fix("Set `apiVersion: v1` and `kind: Secret` in `credentialsRef`.");
    BUCKET_001 = other_kind("ALI-BUCKET-001", BACKUP_BUCKET);
    BUCKET_002 = Rule::error("ALI-BUCKET-002", BACKUP_BUCKET, Create)
        .summary("`providerConfig` of a new BackupBucket is a `BackupBucketConfig`.")
        .why(READABLE)
        .fix(DECODE);
    BUCKET_003 = Rule::error("ALI-BUCKET-003", BACKUP_BUCKET, Update)
        .summary("`providerConfig` of a changed BackupBucket is a `BackupBucketConfig`.")
        .why(READABLE)
        .fix(DECODE);
    BUCKET_004 = Rule::error("ALI-BUCKET-004", BACKUP_BUCKET, Update)
        .summary("The old BackupBucket's `providerConfig` is readable.")
        .why(COMPARED)
        .fix(STORED);
    BUCKET_005 = Rule::error("ALI-BUCKET-005", BACKUP_BUCKET, Both)
        .summary("Retention comes first, then credentials, then what has changed.")
        .why("Findings come in a fixed order, so that reports can be compared.")
        .fix("Follow each finding; their order says nothing of their weight.")
        .informative("The row fixes the order of ALI-BUCKET-010 to ALI-BUCKET-015 only.");
    SEED_001 = other_kind("ALI-SEED-001", SEED);
    SEED_002 = Rule::error("ALI-SEED-002", SEED, Both)
        .summary("`spec.backup.credentialsRef` refers to a Secret.")
        .why("Buckets are created and written with an access key.")
        .fix("Set `spec.backup.credentialsRef` to a Secret.")
        .informative("Its findings are reported as ALI-BUCKET-014 and ALI-BUCKET-015.");
    SEED_003 = Rule::error("ALI-SEED-003", SEED, Create)
        .summary("`spec.backup.providerConfig` of a new Seed is a `BackupBucketConfig`.")
        .why(READABLE)
        .fix(DECODE);
    SEED_004 = Rule::error("ALI-SEED-004", SEED, Both)
        .summary("The retention policy of `spec.backup.providerConfig` is valid.")
        .why("It becomes the policy of the Seed's bucket.")
        .fix("Correct `immutability` in `spec.backup.providerConfig`.")
        .informative("Its findings are reported as ALI-BUCKET-010 and ALI-BUCKET-011.");
    SEED_005 = Rule::error("ALI-SEED-005", SEED, Update)
        .summary("`spec.backup.providerConfig` of a changed Seed is a `BackupBucketConfig`.")
        .why(READABLE)
        .fix(DECODE);
    SEED_006 = Rule::error("ALI-SEED-006", SEED, Update)
        .summary("The old Seed's `spec.backup.providerConfig` is readable.")
        .why(COMPARED)
        .fix(STORED);
    SEED_007 = Rule::error("ALI-SEED-007", SEED, Update)
        .summary("The retention policy of the Seed's bucket is not weakened.")
        .why("It protects the backups that the bucket holds.")
        .fix("Restore `locked` and `retentionPeriod` in `spec.backup.providerConfig`.")
        .informative("Its findings are reported as ALI-BUCKET-012 and ALI-BUCKET-013.");
}
