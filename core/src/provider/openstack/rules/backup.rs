//! Credentials of backups, in Seeds and `BackupBuckets`.

use crate::report::{Operation::Both, Rule};
use crate::rules;

/// Why backups have a Secret.
const SECRET: &str = "Backups are written with Keystone credentials, which only a Secret holds.";

rules! {
    SEED_001 = Rule::error("OS-SEED-001", &["Seed"], Both)
        .summary("`spec.backup.credentialsRef` refers to a Secret.")
        .why(SECRET)
        .fix("Set `spec.backup.credentialsRef` to `apiVersion: v1`, `kind: Secret` and the Secret's name and \
              namespace.");
    BUCKET_001 = Rule::error("OS-BUCKET-001", &["BackupBucket"], Both)
        .summary("`spec.credentialsRef` refers to a Secret.")
        .why(SECRET)
        .fix("Set `spec.credentialsRef` to `apiVersion: v1`, `kind: Secret` and the Secret's name and namespace.");
}
