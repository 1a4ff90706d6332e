//! The kinds that admission judges, of every provider (reference: the webhooks of the existing extensions).

use crate::api_server::resource::{
    self, BACKUP_BUCKETS, CLOUD_PROFILES, CREDENTIALS_BINDINGS, NAMESPACED_CLOUD_PROFILES, Resource,
    SECRET_BINDINGS, SEEDS, SHOOTS, WORKLOAD_IDENTITIES,
};
use crate::webhook::Kind;

/// The kinds of `/webhooks/validate`.
pub static VALIDATED: [Resource; 8] = [
    BACKUP_BUCKETS.in_all_versions(),
    CLOUD_PROFILES.in_all_versions(),
    NAMESPACED_CLOUD_PROFILES.in_all_versions(),
    SECRET_BINDINGS.in_all_versions(),
    SEEDS.in_all_versions(),
    SHOOTS.in_all_versions(),
    CREDENTIALS_BINDINGS.in_all_versions(),
    WORKLOAD_IDENTITIES.in_all_versions(),
];

/// The kind of `/webhooks/validate/secrets`.
pub static SECRETS: [Resource; 1] = [resource::SECRETS];

/// The kinds of `/webhooks/mutate`.
pub static MUTATED: [Resource; 4] = [
    CLOUD_PROFILES,
    NAMESPACED_CLOUD_PROFILES,
    Resource { plural: "namespacedcloudprofiles/status", ..NAMESPACED_CLOUD_PROFILES },
    SHOOTS,
];

/// The version in which policies read the kinds of a group; none for a group that they do not know.
pub fn version(group: &str) -> Option<&'static str> {
    let known = [&resource::SECRETS, &SHOOTS, &CREDENTIALS_BINDINGS];
    known.into_iter().find(|of| of.group == group).map(|of| of.version)
}

/// `apiVersion` of an object of a kind.
pub fn api_version(kind: &Kind) -> String {
    if kind.group.is_empty() { kind.version.clone() } else { format!("{}/{}", kind.group, kind.version) }
}
