//! The rules of Gardener itself in words, one file a section. Findings, help texts and the rule reference quote
//! them.

use crate::report::Rule;

pub mod api_server;
pub mod cloud_profile;
pub mod control_plane;
pub mod default;
pub mod dns;
pub mod extensions;
pub mod kubelet;
pub mod machine_offers;
pub mod maintenance;
pub mod metadata;
pub mod namespaced_profile;
pub mod networking;
pub mod operations;
pub mod profile;
pub mod spec;
pub mod structure;
pub mod update;
pub mod warnings;
pub mod workers;

/// Every rule, by section, in the order of the fact sheet.
pub const SECTIONS: &[&[&Rule]] = &[
    structure::ALL,
    default::ALL,
    metadata::ALL,
    operations::ALL,
    workers::ALL,
    kubelet::ALL,
    dns::ALL,
    extensions::ALL,
    control_plane::ALL,
    api_server::ALL,
    networking::ALL,
    maintenance::ALL,
    spec::ALL,
    update::ALL,
    warnings::ALL,
    profile::ALL,
    cloud_profile::ALL,
    machine_offers::ALL,
    namespaced_profile::ALL,
];

/// The kinds that the policy judges.
const ALL_KINDS: &[&str] = super::KINDS;

/// The kinds of which it judges more than the structure.
pub const KINDS: &[&str] = &["CloudProfile", "NamespacedCloudProfile", "Shoot"];
