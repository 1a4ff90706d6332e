//! NamespacedCloudProfiles: images of Azure beside those of the parent.

use crate::report::Rule;

/// Every rule of the section.
pub const ALL: &[&Rule] = &[];
