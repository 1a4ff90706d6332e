//! Seeds and BackupBuckets: the objects that configure backups.

use serde::Deserialize;

use super::binding::ObjectReference;

/// A Seed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Seed<'a> {
    /// The specification.
    #[serde(borrow)]
    pub spec: SeedSpec<'a>,
}

/// The specification of a Seed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct SeedSpec<'a> {
    /// The object store for backups.
    #[serde(borrow)]
    pub backup: Option<Backup<'a>>,
}

/// An object store for backups: `spec.backup` of a Seed, or `spec` of a BackupBucket.
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
    /// The specification.
    #[serde(borrow)]
    pub spec: Backup<'a>,
}
