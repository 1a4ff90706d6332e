//! The rules of Gardener itself in words, one file a section. Findings, help texts and the rule reference quote them.

use crate::report::Rule;

pub mod profile;
pub mod structure;

/// Every rule, by section, in the order of the fact sheet.
pub const SECTIONS: &[&[&Rule]] = &[structure::ALL, profile::ALL];

/// The kinds that the policy judges.
const ALL_KINDS: &[&str] = &["CloudProfile", "NamespacedCloudProfile", "Shoot"];
