//! Backup settings of Seeds and `BackupBuckets`.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

/// Kinds with the shared rules on `BackupBucketConfig` and credentials.
const BACKUPS: &[&str] = &["Seed", "BackupBucket"];
const SEED: &[&str] = &["Seed"];
const BACKUP_BUCKET: &[&str] = &["BackupBucket"];

/// Why a locked retention is not weakened.
const LOCKED: &str = "Azure never weakens a locked retention; backups were promised that.";
/// Why the keys of a storage account are renewed in time.
const ROTATION: &str = "Backups use a key until the next one is there; Gardener renews the older of two keys.";
/// How to make a `BackupBucketConfig` readable.
const DECODE: &str = "Set `apiVersion: azure.provider.extensions.gardener.cloud/v1alpha1` and `kind: BackupBucketConfig`, and \
                      correct the field that is named.";
/// Why a `BackupBucketConfig` must be readable, the old one as well.
const READABLE: &str = "A retention that is misread would leave backups unprotected, and whether a locked one is weakened shows \
                        only against the old one.";
/// How to follow findings whose order is fixed.
const FOLLOW: &str = "Follow each finding; their order says nothing of their weight.";
/// Why a row about an order rejects nothing.
const ORDER: &str = "The row fixes an order only.";

rules! {
    BUCKET_001 = Rule::error("AZ-BUCKET-001", BACKUPS, Both)
        .summary("`immutability.retentionType` is `bucket`.")
        .why("The retention is the policy of a whole container.")
        .fix("Set `retentionType: bucket`, or remove `immutability`.");
    BUCKET_002 = Rule::error("AZ-BUCKET-002", BACKUPS, Both)
        .summary("`immutability.retentionPeriod` is at least 24 hours.")
        .why("Backups are taken once a day; a shorter retention would protect none of them until the next one.")
        .fix("Set `retentionPeriod` to `24h`, `48h` or another number of whole days.");
    BUCKET_003 = Rule::error("AZ-BUCKET-003", BACKUPS, Both)
        .summary("`immutability.retentionPeriod` is a number of whole days.")
        .why("Azure counts the retention of a container in days.")
        .fix("Set `retentionPeriod` to `24h`, `48h` or another number of whole days.");
    BUCKET_010 = Rule::error("AZ-BUCKET-010", BACKUPS, Both)
        .summary("`rotationConfig` has a positive `rotationPeriodDays`.")
        .why(ROTATION)
        .fix("Set `rotationPeriodDays` to 2 or more, or remove `rotationConfig`.");
    BUCKET_011 = Rule::error("AZ-BUCKET-011", BACKUPS, Both)
        .summary("`rotationPeriodDays` is at least 2.")
        .why(ROTATION)
        .fix("Set `rotationPeriodDays` to 2 or more.");
    BUCKET_012 = Rule::error("AZ-BUCKET-012", BACKUPS, Both)
        .summary("`expirationPeriodDays` is more than `rotationPeriodDays`.")
        .why("A key that expires before it is renewed stops the backups.")
        .fix("Set `expirationPeriodDays` to more than `rotationPeriodDays`, or remove it.");
    BUCKET_020 = Rule::error("AZ-BUCKET-020", BACKUPS, Update)
        .summary("A locked `immutability` is not removed.")
        .why(LOCKED)
        .fix("Restore `immutability`.");
    BUCKET_021 = Rule::error("AZ-BUCKET-021", BACKUPS, Update)
        .summary("A locked `immutability` stays locked.")
        .why(LOCKED)
        .fix("Restore `locked: true`.");
    BUCKET_022 = Rule::error("AZ-BUCKET-022", BACKUPS, Update)
        .summary("A locked `retentionPeriod` does not get shorter.")
        .why(LOCKED)
        .fix("Set `retentionPeriod` to the old one or a longer one.");
    BUCKET_030 = Rule::error("AZ-BUCKET-030", BACKUPS, Both)
        .summary("Backups have a `credentialsRef`.")
        .why("The storage account is created and used with these credentials.")
        .fix("Set `credentialsRef` to a Secret or a WorkloadIdentity.");
    BUCKET_031 = Rule::error("AZ-BUCKET-031", BACKUPS, Both)
        .summary("`credentialsRef` refers to a Secret or a WorkloadIdentity.")
        .why("Azure is called with a client secret or a token, which only these have.")
        .fix("Set `apiVersion: v1` and `kind: Secret`, or `apiVersion: security.gardener.cloud/v1alpha1` and `kind: \
              WorkloadIdentity`.");
    BUCKET_040 = Rule::error("AZ-BUCKET-040", BACKUP_BUCKET, Both)
        .summary("`providerConfig` of a BackupBucket is a `BackupBucketConfig`, and so is the old one.")
        .why(READABLE)
        .fix(DECODE);
    SEED_001 = Rule::error("AZ-SEED-001", SEED, Both)
        .summary("The object, and the old one, is a Seed.")
        .why("Rules on Seeds read nothing else.")
        .fix("Send a Seed.")
        .informative("Another kind is judged by its own rules, and an unknown one refused before any rule runs.");
    SEED_002 = Rule::error("AZ-SEED-002", SEED, Both)
        .summary("A Seed without `spec.backup` is held against the old backup only.")
        .why("A locked retention outlives the settings of the Seed.")
        .fix(FOLLOW)
        .informative(ORDER);
    SEED_003 = Rule::error("AZ-SEED-003", SEED, Create)
        .summary("`providerConfig` of a new Seed's backup is a `BackupBucketConfig`.")
        .why(READABLE)
        .fix(DECODE);
    SEED_004 = Rule::error("AZ-SEED-004", SEED, Update)
        .summary("`providerConfig` of a changed Seed's backup is a `BackupBucketConfig`, and so is the old one.")
        .why(READABLE)
        .fix(DECODE);
}
