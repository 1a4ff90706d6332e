//! CloudProfiles: images of Azure.

use crate::report::Rule;

/// Every rule of the section.
pub const ALL: &[&Rule] = &[];
