//! The kinds of a garden that policies judge.

use crate::api_server::resource::{
    BACKUP_BUCKETS, CLOUD_PROFILES, CREDENTIALS_BINDINGS, NAMESPACED_CLOUD_PROFILES, Resource, SECRET_BINDINGS,
    SECRETS, SEEDS, SHOOTS, WORKLOAD_IDENTITIES,
};

/// A kind of objects of a garden.
#[derive(Debug)]
pub struct Kind {
    /// How requests name it.
    pub resource: Resource,
    /// Whether its objects are in namespaces.
    pub is_namespaced: bool,
}

/// Every kind that belongs to a provider, in the order in which they are judged.
pub static KINDS: [Kind; 9] = [
    Kind { resource: CLOUD_PROFILES, is_namespaced: false },
    Kind { resource: NAMESPACED_CLOUD_PROFILES, is_namespaced: true },
    Kind { resource: SEEDS, is_namespaced: false },
    Kind { resource: BACKUP_BUCKETS, is_namespaced: false },
    Kind { resource: SECRET_BINDINGS, is_namespaced: true },
    Kind { resource: CREDENTIALS_BINDINGS, is_namespaced: true },
    Kind { resource: SECRETS, is_namespaced: true },
    Kind { resource: WORKLOAD_IDENTITIES, is_namespaced: true },
    Kind { resource: SHOOTS, is_namespaced: true },
];

impl Kind {
    /// Such as `Shoot`.
    pub fn name(&self) -> &'static str {
        self.resource.kind
    }

    /// Whether labels alone say which of the objects belong to a provider: most Secrets of a garden are nobody's.
    pub fn is_claimed_by_label(&self) -> bool {
        self.name() == "Secret"
    }

    /// Objects of the kind, in a sentence.
    pub fn many(&self) -> String {
        match self.name() {
            "WorkloadIdentity" => "WorkloadIdentities".to_owned(),
            name => format!("{name}s"),
        }
    }
}
