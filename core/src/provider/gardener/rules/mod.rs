//! The rules of Gardener itself in words, one file a section. Findings, help texts and the rule reference quote them.

use crate::report::Rule;

pub mod default;
pub mod kubelet;
pub mod metadata;
pub mod networking;
pub mod profile;
pub mod spec;
pub mod structure;
pub mod update;
pub mod workers;

/// Every rule, by section, in the order of the fact sheet.
pub const SECTIONS: &[&[&Rule]] = &[
    structure::ALL,
    default::ALL,
    metadata::ALL,
    workers::ALL,
    kubelet::ALL,
    networking::ALL,
    spec::ALL,
    update::ALL,
    profile::ALL,
];

/// The kinds that the policy judges.
const ALL_KINDS: &[&str] = &["CloudProfile", "NamespacedCloudProfile", "Shoot"];
