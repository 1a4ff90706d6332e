//! What defaulting sets in CloudProfiles and NamespacedCloudProfiles.

use crate::report::Rule;

/// Every rule of the section.
pub const ALL: &[&Rule] = &[];
