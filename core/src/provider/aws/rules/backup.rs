//! Backup settings of Seeds and `BackupBuckets`.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

/// Kinds with the shared rules on `BackupBucketConfig` and credentials.
const BACKUPS: &[&str] = &["Seed", "BackupBucket"];
const BACKUP_BUCKET: &[&str] = &["BackupBucket"];
const SEED: &[&str] = &["Seed"];

/// Why a `BackupBucketConfig` must be readable.
const READABLE: &str = "A retention policy that is misread would leave backups unprotected.";
/// How to make a `BackupBucketConfig` readable.
const DECODE: &str = "Set `apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1` and `kind: \
                      BackupBucketConfig`, and correct the field that is named.";
/// Why the retention has whole days.
const DAYS: &str = "S3 Object Lock counts its default retention in days.";
/// How to write a retention.
const PERIOD: &str = "Set `retentionPeriod` to a multiple of 24 hours, such as `24h` or `240h`.";
/// Why a retention in compliance mode is not weakened.
const PROMISED: &str =
    "In compliance mode nobody can weaken the retention of an object; backups were promised that.";
/// Why a row about an order rejects nothing.
const ORDER: &str = "The row fixes an order only.";

rules! {
    BUCKET_001 = Rule::error("AWS-BUCKET-001", BACKUPS, Create)
        .summary("`providerConfig` of new backups is a `BackupBucketConfig`.")
        .why(READABLE)
        .fix(DECODE);
    BUCKET_002 = Rule::error("AWS-BUCKET-002", BACKUPS, Update)
        .summary("The old object's `providerConfig` is readable.")
        .why("Whether mode or retention period is weakened shows only against the old one.")
        .fix("Compare with the object as the garden stores it; if that one is broken, repair it with the admission \
              webhook off.");
    BUCKET_003 = Rule::error("AWS-BUCKET-003", BACKUPS, Update)
        .summary("`providerConfig` of changed backups is a `BackupBucketConfig` without unknown fields.")
        .why(READABLE)
        .fix(DECODE);
    BUCKET_004 = Rule::error("AWS-BUCKET-004", BACKUPS, Both)
        .summary("`immutability.retentionType` is `bucket`.")
        .why("The retention is the default of a whole bucket.")
        .fix("Set `retentionType: bucket`, or remove `immutability`.");
    BUCKET_005 = Rule::error("AWS-BUCKET-005", BACKUPS, Both)
        .summary("`immutability.retentionPeriod` is at least 24 hours.")
        .why(DAYS)
        .fix(PERIOD);
    BUCKET_006 = Rule::error("AWS-BUCKET-006", BACKUPS, Both)
        .summary("`immutability.retentionPeriod` is a multiple of 24 hours.")
        .why(DAYS)
        .fix(PERIOD);
    BUCKET_007 = Rule::error("AWS-BUCKET-007", BACKUPS, Both)
        .summary("`immutability.mode` is `compliance` or `governance`.")
        .why("S3 Object Lock has these two modes.")
        .fix("Set `mode: compliance`, or `mode: governance` so that people who have the permission can delete backups.");
    BUCKET_008 = Rule::error("AWS-BUCKET-008", BACKUPS, Update)
        .summary("`immutability.mode` does not change from `compliance` to `governance`.")
        .why(PROMISED)
        .fix("Restore `mode: compliance`.");
    BUCKET_009 = Rule::error("AWS-BUCKET-009", BACKUPS, Update)
        .summary("In compliance mode `immutability.retentionPeriod` is not shortened.")
        .why(PROMISED)
        .fix("Set `retentionPeriod` to the old period or more.");
    BUCKET_010 = Rule::error("AWS-BUCKET-010", BACKUPS, Both)
        .summary("Backups have a `credentialsRef`.")
        .why("Buckets are created and written with these credentials; there is no other source for them.")
        .fix("Set `credentialsRef` to a Secret or a WorkloadIdentity, with its name and namespace.");
    BUCKET_011 = Rule::error("AWS-BUCKET-011", BACKUPS, Both)
        .summary("`credentialsRef` of backups refers to a Secret or a WorkloadIdentity.")
        .why("S3 is called with an access key or as a role, which only these have.")
        .fix("Set `credentialsRef` to `apiVersion: v1` and `kind: Secret`, or to `apiVersion: \
              security.gardener.cloud/v1alpha1` and `kind: WorkloadIdentity`.");
    BUCKET_012 = Rule::error("AWS-BUCKET-012", BACKUP_BUCKET, Both)
        .summary("Of a BackupBucket, the configuration comes first, then the credentials.")
        .why("Findings come in a fixed order, so that reports can be compared.")
        .fix("Follow each finding; their order says nothing of their weight.")
        .informative(ORDER);
    SEED_001 = Rule::error("AWS-SEED-001", SEED, Create)
        .summary("The credentials of a new Seed's backup are judged.")
        .why("Backups of the Seed are written with them.")
        .fix("Set `spec.backup.credentialsRef` to a Secret or a WorkloadIdentity.")
        .informative("Its findings are reported as AWS-BUCKET-010 and AWS-BUCKET-011.");
    SEED_002 = Rule::error("AWS-SEED-002", SEED, Create)
        .summary("The configuration of a new Seed's backup is judged.")
        .why("It becomes the retention of the Seed's bucket.")
        .fix("Correct `spec.backup.providerConfig`.")
        .informative("Its findings are reported as AWS-BUCKET-001 and AWS-BUCKET-004 to AWS-BUCKET-007.");
    SEED_003 = Rule::error("AWS-SEED-003", SEED, Update)
        .summary("The credentials of a changed Seed's backup are judged.")
        .why("Backups of the Seed are written with them.")
        .fix("Set `spec.backup.credentialsRef` to a Secret or a WorkloadIdentity.")
        .informative("Its findings are reported as AWS-BUCKET-010 and AWS-BUCKET-011.");
    SEED_004 = Rule::error("AWS-SEED-004", SEED, Update)
        .summary("The configuration of a changed Seed's backup is judged, also where it goes.")
        .why("It becomes the retention of the Seed's bucket, which must not be weakened.")
        .fix("Correct `spec.backup.providerConfig`.")
        .informative("Its findings are reported as AWS-BUCKET-002 to AWS-BUCKET-009.");
    SEED_005 = Rule::error("AWS-SEED-005", SEED, Create)
        .summary("A new Seed without `spec.backup` is not judged.")
        .why("Without backups there is nothing of AWS to judge.")
        .fix("Add `spec.backup` if the Seed should back up its control planes.")
        .informative("The row says what is accepted without checks; it rejects nothing.");
}
