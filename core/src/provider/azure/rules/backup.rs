//! Backups: Seeds and BackupBuckets.

use crate::report::Rule;

/// Every rule of the section.
pub const ALL: &[&Rule] = &[];
