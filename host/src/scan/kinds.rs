//! The kinds of a garden that policies judge or read.

use std::fmt;

use crate::controller::resource::{Resource, SECRETS};

/// A kind of objects of a garden.
#[derive(Debug)]
pub struct Kind {
    /// How requests name it.
    pub resource: Resource,
    /// Whether its objects are in namespaces.
    pub is_namespaced: bool,
}

/// Every kind that belongs to a provider, in the order in which they are judged.
pub static KINDS: [Kind; 8] = [
    core("CloudProfile", "cloudprofiles", false),
    core("NamespacedCloudProfile", "namespacedcloudprofiles", true),
    core("Seed", "seeds", false),
    core("BackupBucket", "backupbuckets", false),
    core("SecretBinding", "secretbindings", true),
    Kind {
        resource: Resource::new(
            "security.gardener.cloud",
            "v1alpha1",
            "CredentialsBinding",
            "credentialsbindings",
        ),
        is_namespaced: true,
    },
    Kind { resource: SECRETS, is_namespaced: true },
    core("Shoot", "shoots", true),
];

const fn core(kind: &'static str, plural: &'static str, is_namespaced: bool) -> Kind {
    Kind { resource: Resource::new("core.gardener.cloud", "v1beta1", kind, plural), is_namespaced }
}

impl Kind {
    /// Such as `Shoot`.
    pub fn name(&self) -> &'static str {
        self.resource.kind
    }

    /// The kind of that name; of that version, too, where one is given.
    pub fn named(name: &str, api_version: Option<&str>) -> Option<&'static Self> {
        let is_version = |kind: &Kind| api_version.is_none_or(|version| kind.resource.api_version() == version);
        KINDS.iter().find(|kind| kind.name() == name && is_version(kind))
    }

    /// Whether labels alone tell which of the objects belong to a provider: most Secrets of a garden are nobody's.
    pub fn is_claimed_by_label(&self) -> bool {
        self.name() == "Secret"
    }

    /// Objects of the kind, in a sentence.
    pub fn many(&self) -> String {
        format!("{}s", self.name())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
