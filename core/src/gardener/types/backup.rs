//! Seeds and BackupBuckets: the objects that configure backups.

use super::binding::ObjectReference;
use crate::record;

record! {
    /// A Seed.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Seed<'a> {
        /// The specification.
        pub spec: SeedSpec<'a>,
    }
}

record! {
    /// The specification of a Seed.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct SeedSpec<'a> {
        /// The object store for backups.
        pub backup: Option<Backup<'a>>,
    }
}

record! {
    /// An object store for backups: `spec.backup` of a Seed, or `spec` of a BackupBucket.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Backup<'a> {
        /// Credentials for the object store.
        pub credentials_ref: Option<ObjectReference<'a>>,
    }
}

record! {
    /// A BackupBucket.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct BackupBucket<'a> {
        /// The specification.
        pub spec: Backup<'a>,
    }
}
