//! Seeds and BackupBuckets.

use serde::Deserialize;

use super::credentials::ObjectReference;

/// A Seed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Seed<'a> {
    /// What is wanted.
    #[serde(borrow)]
    pub spec: SeedSpec<'a>,
}

/// What is wanted of a Seed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct SeedSpec<'a> {
    /// Where backups go.
    #[serde(borrow)]
    pub backup: Option<Backup<'a>>,
}

/// Where backups go: `spec.backup` of a Seed, or `spec` of a BackupBucket.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Backup<'a> {
    /// Credentials for the object store.
    #[serde(borrow)]
    pub credentials_ref: Option<ObjectReference<'a>>,
}

/// A BackupBucket.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct BackupBucket<'a> {
    /// What is wanted.
    #[serde(borrow)]
    pub spec: Backup<'a>,
}
