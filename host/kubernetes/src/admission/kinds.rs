//! The kinds that admission judges (`alicloud-policy` 2.0.6, `alicloud-manifests` 10.4, `aws` 2.11).

use crate::webhook::{GroupKind, Kind};

const CORE: &str = "core.gardener.cloud";
const SECURITY: &str = "security.gardener.cloud";

/// The kinds of `/webhooks/validate`.
pub const VALIDATED: &[GroupKind] = &[
    GroupKind { group: CORE, kind: "BackupBucket" },
    GroupKind { group: CORE, kind: "CloudProfile" },
    GroupKind { group: CORE, kind: "NamespacedCloudProfile" },
    GroupKind { group: CORE, kind: "SecretBinding" },
    GroupKind { group: CORE, kind: "Seed" },
    GroupKind { group: CORE, kind: "Shoot" },
    GroupKind { group: SECURITY, kind: "CredentialsBinding" },
    GroupKind { group: SECURITY, kind: "WorkloadIdentity" },
];

/// The kind of `/webhooks/validate/secrets`.
pub const SECRETS: &[GroupKind] = &[GroupKind { group: "", kind: "Secret" }];

/// The kinds of `/webhooks/mutate`.
pub const MUTATED: &[GroupKind] = &[
    GroupKind { group: CORE, kind: "CloudProfile" },
    GroupKind { group: CORE, kind: "NamespacedCloudProfile" },
    GroupKind { group: CORE, kind: "Shoot" },
];

/// The version in which policies read the kinds of a group; none for a group that they do not know.
pub fn version(group: &str) -> Option<&'static str> {
    match group {
        "" => Some("v1"),
        CORE => Some("v1beta1"),
        SECURITY => Some("v1alpha1"),
        _ => None,
    }
}

/// `apiVersion` of an object of a kind.
pub fn api_version(kind: &Kind) -> String {
    if kind.group.is_empty() { kind.version.clone() } else { format!("{}/{}", kind.group, kind.version) }
}
