//! Backup settings of Seeds and `BackupBuckets`.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

/// Kinds with the shared rules on `BackupBucketConfig` and credentials.
const BACKUPS: &[&str] = &["Seed", "BackupBucket"];
const SEED: &[&str] = &["Seed"];

/// Why a `BackupBucketConfig` must be readable.
const READABLE: &str = "A retention policy that is misread would leave backups unprotected.";
/// How to make a `BackupBucketConfig` readable.
const DECODE: &str = "Set `apiVersion: gcp.provider.extensions.gardener.cloud/v1alpha1` and `kind: BackupBucketConfig`, and \
                      correct the field that is named.";
/// Why a URL must be a known one.
const ENDPOINT: &str = "Backups and the credentials for them go to this URL.";
/// How to write the URL of Cloud Storage.
const URL: &str = "Set `endpointOverride` to a URL that the operator allows, or remove it.";
/// Why a locked retention is not weakened.
const LOCKED: &str = "Cloud Storage never weakens a locked retention; backups were promised that.";
/// Why a row about an order rejects nothing.
const ORDER: &str = "The row fixes an order only.";

rules! {
    BUCKET_001 = Rule::error("GCP-BUCKET-001", BACKUPS, Both)
        .summary("`immutability.retentionType` is `bucket`.")
        .why("The retention is the policy of a whole bucket.")
        .fix("Set `retentionType: bucket`, or remove `immutability`.");
    BUCKET_002 = Rule::error("GCP-BUCKET-002", BACKUPS, Both)
        .summary("`immutability.retentionPeriod` is at least 24 hours.")
        .why("Backups are taken once a day; a shorter retention would protect none of them until the next one.")
        .fix("Set `retentionPeriod` to `24h` or more.");
    BUCKET_003 = Rule::error("GCP-BUCKET-003", BACKUPS, Both)
        .summary("`store.endpointOverride` is a URL.")
        .why(ENDPOINT)
        .fix(URL);
    BUCKET_004 = Rule::error("GCP-BUCKET-004", BACKUPS, Both)
        .summary("`store.endpointOverride` begins with `https://`.")
        .why("Without TLS anybody on the way could read backups and credentials.")
        .fix(URL);
    BUCKET_005 = Rule::error("GCP-BUCKET-005", BACKUPS, Both)
        .summary("`store.endpointOverride` is one that the operator allows.")
        .why(ENDPOINT)
        .fix(URL);
    BUCKET_006 = Rule::error("GCP-BUCKET-006", BACKUPS, Update)
        .summary("A locked `immutability` is not removed.")
        .why(LOCKED)
        .fix("Restore `immutability`.");
    BUCKET_007 = Rule::error("GCP-BUCKET-007", BACKUPS, Update)
        .summary("A locked `immutability` stays locked.")
        .why(LOCKED)
        .fix("Restore `locked: true`.");
    BUCKET_008 = Rule::error("GCP-BUCKET-008", BACKUPS, Update)
        .summary("A locked `retentionPeriod` does not get shorter.")
        .why(LOCKED)
        .fix("Set `retentionPeriod` to the old one or a longer one.");
    BUCKET_009 = Rule::error("GCP-BUCKET-009", BACKUPS, Both)
        .summary("Backups have a `credentialsRef`.")
        .why("The bucket is created and used with these credentials.")
        .fix("Set `credentialsRef` to a Secret or a WorkloadIdentity.");
    BUCKET_010 = Rule::error("GCP-BUCKET-010", BACKUPS, Both)
        .summary("`credentialsRef` refers to a Secret or a WorkloadIdentity.")
        .why("GCP is called with a service account key or a token, which only these have.")
        .fix("Set `apiVersion: v1` and `kind: Secret`, or `apiVersion: security.gardener.cloud/v1alpha1` and `kind: \
              WorkloadIdentity`.");
    BUCKET_011 = Rule::error("GCP-BUCKET-011", BACKUPS, Create)
        .summary("`providerConfig` of new backups is a `BackupBucketConfig`.")
        .why(READABLE)
        .fix(DECODE);
    BUCKET_012 = Rule::error("GCP-BUCKET-012", BACKUPS, Update)
        .summary("`providerConfig` of changed backups is a `BackupBucketConfig`.")
        .why(READABLE)
        .fix(DECODE);
    BUCKET_013 = Rule::error("GCP-BUCKET-013", BACKUPS, Update)
        .summary("The old object's `providerConfig` is readable.")
        .why("Whether a locked retention is weakened shows only against the old one.")
        .fix("Compare with the object as the garden stores it; if that one is broken, repair it with the admission webhook \
              off.");
    SEED_001 = Rule::error("GCP-SEED-001", SEED, Create)
        .summary("Of a new Seed, only `spec.backup` is judged: credentials first, then `providerConfig`.")
        .why("Nothing else of a Seed is about GCP.")
        .fix("Follow each finding; their order says nothing of their weight.")
        .informative(ORDER);
    SEED_002 = Rule::error("GCP-SEED-002", SEED, Update)
        .summary("Of a changed Seed with backup, credentials come first, then `providerConfig`.")
        .why("Findings come in a fixed order, so that reports can be compared.")
        .fix("Follow each finding; their order says nothing of their weight.")
        .informative(ORDER);
    SEED_003 = Rule::error("GCP-SEED-003", SEED, Update)
        .summary("A changed Seed is held against the old backup, also where the new one has none.")
        .why("A locked retention outlives the settings of the Seed.")
        .fix("Follow each finding; their order says nothing of their weight.")
        .informative(ORDER);
}
